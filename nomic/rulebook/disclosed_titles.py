"""Under which title and number a hidden rule becomes public."""

from dataclasses import replace
from itertools import count

from nomic.rulebook.in_force import RulesInForce, RuleText
from nomic.rulebook.models import Visibility


def as_disclosed(rule: RuleText, rules: RulesInForce) -> RuleText:
    """The hidden rule as a public one. What a public rule is called by now, it gives up: a taken
    title gets a word more, which is a new version, and a taken number goes."""
    taken = rules.titled(rule.title, public=True) is not None
    free = rule.title
    if taken:
        more = (f"{rule.title} (disclosed{'' if n == 1 else f' {n}'})" for n in count(1))
        free = next(title for title in more if rules.titled(title) is None)
    version = rule.version + taken
    has_number = bool(rule.number) and rules.numbered(rule.number, public=True) is None
    return replace(
        rule,
        title=free,
        number=rule.number if has_number else "",
        version=version,
        played_as=version,
        visibility=Visibility.PUBLIC.value,
    )

"""Which titles of rules the eye takes for one another. Pure."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from nomic.games.confusables import shown
from nomic.rulebook.in_force import RuleText


def look_alike(
    rules: Iterable[RuleText], title: str, of: RuleText | None = None
) -> RuleText | None:
    """The rule, other than `of`, whose title differs from this one in form only.

    Width, composition, case and what is drawn as nothing do not count.
    """
    seen = _seen(title)
    others = (rule for rule in rules if of is None or rule.pk != of.pk)
    return next((rule for rule in others if _seen(rule.title) == seen), None)


@lru_cache(maxsize=4096)
def _seen(title: str) -> str:
    plain = unicodedata.normalize("NFKC", shown(title)).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())

"""The texts that rules had before those in force."""

from nomic.compiled import CompiledValues
from nomic.rulebook.book import Rulebook
from nomic.rulebook.last_readable import Earlier
from nomic.rulebook.models import RuleVersion

_VERSIONS = CompiledValues(
    lambda: RuleVersion.objects.order_by("-number").values_list("number", "text")
)


def earlier_texts(rules: Rulebook) -> Earlier:
    """The versions before the text in force of a rule, by its title, the newest first."""

    def earlier(title: str) -> list[tuple[int, str]]:
        if not rules.in_force(title):
            return []
        rule = rules.find(title)
        if rule.version == 1:
            return []
        return _VERSIONS.all(rule=rule.pk, number__lt=rule.version)

    return earlier

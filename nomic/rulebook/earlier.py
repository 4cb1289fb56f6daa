"""The texts that rules had before those in force, and figures that are played by them."""

from collections.abc import Mapping

from nomic.compiled import CompiledValues
from nomic.games.models import Game
from nomic.rulebook.book import Rulebook
from nomic.rulebook.last_readable import Earlier, RuleCharts
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


def figures_in_force[Charts: RuleCharts](
    charts: type[Charts], game: Game, rules: Rulebook, texts: Mapping[str, str]
) -> Charts:
    """The figures of these texts of the game's rules in force, as its readings have them."""
    shipped, losses = not game.has_readings(4), game.has_readings(6)
    return charts.of(texts, earlier_texts(rules), shipped=shipped, losses=losses)

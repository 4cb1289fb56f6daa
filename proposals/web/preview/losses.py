"""What the machinery would lose by a list of changes without failing, as warnings."""

from collections.abc import Iterable
from itertools import pairwise

from nomic.engine.subgames import all_subgames
from nomic.engine.table import Table
from nomic.games.readings import played_by
from nomic.rulebook.changes.forms import Repeal, ReplacePassage, ReplaceText
from nomic.rulebook.tables import is_markdown_head, is_ruler
from proposals.events.effects import Effect

_MOST = 5


def losses(table: Table, effects: Iterable[Effect]) -> list[str]:
    """A sentence for each rule of a subgame in play that would be repealed, or lose its tables.

    `table` has the rulebook as it is without the effects.
    """
    touched = {effect.rule: effect for effect in effects if _takes_away(effect)}
    if not touched:
        return []
    played = [each.name for each in all_subgames() if each.is_on(table.game)]
    rules = table.game.rules.filter(repealed_in=None, visibility="public", origin__in=played)
    titles = rules.filter(title__in=touched).order_by("position").values_list("title", flat=True)
    is_newer = played_by(table.game, 4)
    return [_sentence(title, touched[title], is_newer) for title in titles[:_MOST]]


def _takes_away(effect: Effect) -> bool:
    if not effect.done:
        return False
    if isinstance(effect.change, Repeal):
        return True
    if not isinstance(effect.change, ReplaceText | ReplacePassage):
        return False
    had_one = any(is_markdown_head(*two) for two in pairwise(effect.before.splitlines()))
    lines = effect.after.splitlines()
    return had_one and not any(is_ruler(line) or line.startswith("{|") for line in lines)


def _sentence(title: str, effect: Effect, is_newer: bool) -> str:
    if isinstance(effect.change, Repeal):
        return f"Without the rule “{title}”, what it makes possible would be off."
    if is_newer:
        return (
            f"The text of “{title}” has no table any more: what no sentence of it says in words"
            " that the program reads would be off, or go on as of the version before."
        )
    return (
        f"The text of “{title}” has no table any more; the program would go on with the numbers"
        " that the rule was shipped with."
    )

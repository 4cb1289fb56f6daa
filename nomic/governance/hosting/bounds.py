"""A game's own bounds: its settings have them, and an entry of its record changes them."""

from typing import Any

from nomic.engine.actions import OPERATOR, STANDSTILL, Action, action
from nomic.engine.effects import Effects, Set, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.bounds import BOUNDS, game_bounds
from nomic.games.models import Player
from nomic.games.refusal import Refusal

_LARGEST = 10**9


class _OneOfItsBounds(TextChoice):
    """A bound by its name; the list tells the game's figures."""

    noun = "bound"

    def offer(self, table: Table, player: Player | None) -> None:
        super().offer(table, player)
        self.choices = [
            (bound.name, f"{bound.name} ({bound.of(table.game):,} now)") for bound in game_bounds()
        ]


@action
class SetBound(Action):
    """Give the game another bound. What is there beyond it already stays, and cannot grow."""

    name = "games.set_bound"
    title = "Set a bound of the game"
    sentence = "Let the bound {bound} be {most}, because {reason}"
    button = "Set"
    office = OPERATOR
    possible_while = STANDSTILL

    class Form(ActionForm):
        bound = _OneOfItsBounds(*(game_bound.name for game_bound in game_bounds()))
        most = WholeNumber(0, _LARGEST)
        reason = Text(longest=300)

    def judge(self, table: Table, player: Any, bound: Any, most: Any, reason: Any) -> Verdict:
        if bound is None or most is None:
            return None
        game = table.game
        chosen = next(game_bound for game_bound in game_bounds() if game_bound.name == bound)
        if most == chosen.of(game):
            now = f"{chosen.subject.capitalize()} has at most {most:,} {chosen.unit} now."
            return Refusal("so_already", f"{now} Set another number.")
        bounds = {**game.setting(BOUNDS), bound: most}
        sentence = (
            f"The operator sets a bound: {chosen.subject} has at most {most:,} {chosen.unit}."
        )
        return Effects(
            Set(game, settings={**game.settings, BOUNDS: bounds}),
            say=f"{sentence} {reason}",
            figures={"before": chosen.of(game)},
        )

"""A game's own bounds: its settings have them, and an entry of its record changes them."""

from typing import Any

from nomic.engine.actions import OPERATOR, Action, action
from nomic.engine.effects import Effects, Set, Verdict, apply
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Follower, Table, follow
from nomic.games.bounds import BOUNDS, game_bounds, usual_bounds
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.record.models import Entry, Kind

GET_BOUNDS = "games.get_bounds"
_LARGEST = 10**9


class _GetsBounds(Follower):
    def bring_up_to_date(self, table: Table) -> bool:
        known = table.game.setting(BOUNDS, {})
        missing = {name: most for name, most in usual_bounds().items() if name not in known}
        if missing:  # it began before they were
            get_bounds(table, missing)
        return bool(missing)


follow(_GetsBounds())


def get_bounds(table: Table, figures: dict[str, Any]) -> Entry:
    """Write bounds that the game has not got into its record, at a locked table; a replay calls
    this with what the record says."""
    apply(table, Effects(_kept(table.game, figures)))
    text = f"From now on the game has {len(figures)} bounds: docs/scaling.md tells of each."
    return table.write(Kind.SYSTEM, GET_BOUNDS, None, figures, Outcome(text))


def _kept(game: Game, figures: dict[str, Any]) -> Set:
    bounds = {**game.setting(BOUNDS, {}), **figures}
    return Set(game, settings={**game.settings, BOUNDS: bounds})


class _OneOfItsBounds(TextChoice):
    """A bound by its name; the list tells the game's figures."""

    noun = "bound"

    def offer(self, table: Table, player: Player | None) -> None:
        super().offer(table, player)
        self.choices = [
            (each.name, f"{each.name} ({each.of(table.game):,} now)") for each in game_bounds()
        ]


@action
class SetBound(Action):
    """Give the game another bound. What is there beyond it already stays, and cannot grow."""

    name = "games.set_bound"
    title = "Set a bound of the game"
    sentence = "Let the bound {bound} be {most}, because {reason}"
    button = "Set"
    office = OPERATOR
    while_stuck = True
    while_paused = True

    class Form(ActionForm):
        bound = _OneOfItsBounds(*(each.name for each in game_bounds()))
        most = WholeNumber(0, _LARGEST)
        reason = Text(longest=300)

    def judge(self, table: Table, player: Any, bound: Any, most: Any, reason: Any) -> Verdict:
        if bound is None or most is None:
            return None
        if most == table.game.setting(BOUNDS, {}).get(bound):
            return Refusal("so_already", "It is so already.")
        of = next(each for each in game_bounds() if each.name == bound)
        what = f"The operator sets a bound: {of.what} has at most {most:,} {of.unit}."
        return Effects(
            _kept(table.game, {bound: most}),
            say=f"{what} {reason}",
            figures={"before": of.of(table.game)},
        )

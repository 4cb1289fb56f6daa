"""A game's own bounds: its settings have them, and an entry of its record changes them."""

from typing import Any

from nomic.engine.actions import OPERATOR, Action, Inputs, action
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Follower, Table, follow
from nomic.games.bounds import BOUNDS, game_bounds, usual_bounds
from nomic.games.models import Player
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
    _keep(table, figures)
    text = f"From now on the game has {len(figures)} bounds: docs/scaling.md tells of each."
    return table.write(Kind.SYSTEM, GET_BOUNDS, None, figures, Outcome(text))


def _keep(table: Table, figures: dict[str, Any]) -> None:
    game = table.game
    game.settings = {**game.settings, BOUNDS: {**game.setting(BOUNDS, {}), **figures}}
    game.save(update_fields=["settings"])


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

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        chosen = data.get("bound")
        if chosen and data.get("most") == table.game.setting(BOUNDS, {}).get(chosen):
            return Refusal("so_already", "It is so already.")
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        bound = next(each for each in game_bounds() if each.name == data["bound"])
        before = bound.of(table.game)
        _keep(table, {bound.name: data["most"]})
        text = (
            f"The operator sets a bound: {bound.what} has at most {data['most']:,} {bound.unit}."
            f" {data['reason']}"
        )
        return Outcome(text, {"before": before})

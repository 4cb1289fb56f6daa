"""The Horsened's corrections of the race: on the record, each with its reason."""

from __future__ import annotations

from horses.actions.betting import RaceAction
from horses.actions.fields import HorseField
from horses.actions.switches import (
    NO_PLACE,
    PLACES,
    listed,
    place_refusal,
    place_told,
    position_refusal,
    pulls_refusal,
    pulls_told,
    set_horse,
)
from horses.rules.charts import HORSES, MOTIVATING
from horses.state import HORSENED, RUN_EVENT, State
from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.corrections import Correction, corrector
from nomic.standard.models import Motion

_FARTHEST = 1_000


class _Correction(RaceAction, Correction):
    office = HORSENED
    button = "Correct"

    def lapse(self, table: Table, motion: Motion) -> str:
        """Where a horse should stand was said of the race as it was before the horses ran."""
        ran = table.game.entries.filter(name=RUN_EVENT, outcome__ran=True)
        if ran.filter(seq__gt=motion.entry).exists():
            return "The horses have run after that was announced."
        return super().lapse(table, motion)


@action
class CorrectPosition(_Correction):
    """Put a horse where it should stand."""

    name = "horses.correct_position"
    title = "Correct a Race Position"
    sentence = "Put {horse} at position {position}, because {reason}"
    rule = HORSES

    class Form(ActionForm):
        horse = HorseField()
        position = WholeNumber(0, _FARTHEST)
        reason = Text(longest=300)

    def why_not(self, table: Table, state: State, player: Player, data: Inputs) -> Refusal | None:
        return position_refusal(state, data["position"]) if "position" in data else None

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> str:
        before, after = set_horse(table, data["horse"], position=data["position"])
        return (
            f"{corrector(player)} corrects {before.name}'s Race Position from {before.position} "
            f"to {after.position}: {data['reason']}"
        )


@action
class CorrectPlace(_Correction):
    """Set or take away a horse's Race Place. The third, which ends a race, only crossing gives."""

    name = "horses.correct_place"
    title = "Correct a Race Place"
    sentence = "Let {horse} have the Race Place {place}, because {reason}"
    rule = HORSES

    class Form(ActionForm):
        horse = HorseField()
        place = TextChoice(*PLACES)
        reason = Text(longest=300)

    def why_not(self, table: Table, state: State, player: Player, data: Inputs) -> Refusal | None:
        place = PLACES.get(data.get("place", NO_PLACE))
        return place_refusal(state, data.get("horse", ""), place)

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> str:
        before, after = set_horse(table, data["horse"], place=PLACES[data["place"]])
        return (
            f"{corrector(player)} corrects {before.name}'s Race Place from {place_told(before)} "
            f"to {place_told(after)}: {data['reason']}"
        )


@action
class CorrectPulls(_Correction):
    """Set a horse's pulls: names parted by commas, or none."""

    name = "horses.correct_pulls"
    title = "Correct a horse's pulls"
    sentence = "Let the pulls of {horse} be {pulls}, because {reason}"
    rule = MOTIVATING
    needs = ("track",)

    class Form(ActionForm):
        horse = HorseField()
        pulls = Text(required=False, longest=300, label="Pulls, parted by commas")
        reason = Text(longest=300)

    def why_not(self, table: Table, state: State, player: Player, data: Inputs) -> Refusal | None:
        return pulls_refusal(state, listed(data.get("pulls", "")))

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> str:
        _, after = set_horse(table, data["horse"], pulls=frozenset(listed(data["pulls"])))
        told = pulls_told(after)
        return f"{corrector(player)} corrects {after.name}'s pulls to {told}: {data['reason']}"

"""The Horsened's corrections of the race: on the record, each with its reason."""

from __future__ import annotations

from dataclasses import replace

from horses.actions import RaceAction
from horses.charts import HORSES, MOTIVATING
from horses.fields import HorseField
from horses.races import HORSENED
from horses.rules import FIRST, PLACE_NAMES, SECOND
from horses.state import State, save_field, state_of
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.play.actions import Inputs, action
from nomic.play.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.play.table import Table

_PLACES = {"none": None, PLACE_NAMES[FIRST]: FIRST, PLACE_NAMES[SECOND]: SECOND}
_FARTHEST = 1_000


class _Correction(RaceAction):
    office = HORSENED
    button = "Correct"
    while_stuck = True


def _who(player: Player | None) -> str:
    return player.name if player else "The operator"


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
        track, position = state.charts.track, data.get("position")
        if position is None or track.start <= position <= track.finish:
            return None
        sentence = f"Race Positions go from {track.start} to {track.finish}; choose one of them."
        return Refusal("off_the_track", sentence, HORSES)

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        field, position = state_of(table).field, data["position"]
        before = field[data["horse"]]
        save_field(table, field.with_horse(replace(before, position=position)))
        return (
            f"{_who(player)} corrects {before.name}'s Race Position from {before.position} "
            f"to {position}: {data['reason']}"
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
        place = TextChoice(*_PLACES)
        reason = Text(longest=300)

    def why_not(self, table: Table, state: State, player: Player, data: Inputs) -> Refusal | None:
        place = _PLACES.get(data.get("place", "none"))
        taken = {horse.place: name for name, horse in state.field.horses.items()}
        if place is None or taken.get(place) in (None, data.get("horse")):
            return None
        sentence = (
            f"{taken[place]} is {data['place']} already. Correct {taken[place]}'s place first."
        )
        return Refusal("place_taken", sentence, HORSES)

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        field = state_of(table).field
        before = field[data["horse"]]
        save_field(table, field.with_horse(replace(before, place=_PLACES[data["place"]])))
        was = "none" if before.place is None else PLACE_NAMES[before.place]
        return (
            f"{_who(player)} corrects {before.name}'s Race Place from {was} "
            f"to {data['place']}: {data['reason']}"
        )


@action
class CorrectPulls(_Correction):
    """Set a horse's pulls: names parted by commas, or none."""

    name = "horses.correct_pulls"
    title = "Correct a horse's pulls"
    sentence = "Let the pulls of {horse} be {pulls}, because {reason}"
    rule = MOTIVATING

    class Form(ActionForm):
        horse = HorseField()
        pulls = Text(required=False, longest=300, label="Pulls, parted by commas")
        reason = Text(longest=300)

    def why_not(self, table: Table, state: State, player: Player, data: Inputs) -> Refusal | None:
        unknown = sorted(_names(data.get("pulls", "")) - set(state.names))
        if not unknown:
            return None
        known = ", ".join(state.names)
        sentence = f"“{unknown[0][:60]}” is no horse of this race. The horses are {known}."
        return Refusal("no_such_horse", sentence, MOTIVATING)

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        field, pulls = state_of(table).field, frozenset(_names(data["pulls"]))
        horse = field[data["horse"]]
        save_field(table, field.with_horse(replace(horse, pulls=pulls)))
        told = ", ".join(sorted(pulls)) or "none"
        return f"{_who(player)} corrects {horse.name}'s pulls to {told}: {data['reason']}"


def _names(listed: str) -> set[str]:
    return {name.strip() for name in listed.split(",") if name.strip()}

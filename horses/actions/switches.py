"""The switches of the horses, as proposals and the Horsened's corrections set them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from horses.rules.race import FIRST, PLACE_NAMES, SECOND, Horse
from horses.rules.titles import HORSES, MOTIVATING
from horses.state import State, save_field, state_of
from nomic.engine.subgames import Switch, switch
from nomic.engine.table import Table
from nomic.games.refusal import Refusal

NO_PLACE = "none"
PLACES = {NO_PLACE: None, PLACE_NAMES[FIRST]: FIRST, PLACE_NAMES[SECOND]: SECOND}
_NOTHING = frozenset({"", "none", "nothing", "empty"})
_STEPS = re.compile(r"[0-9]{1,6}")
_PARTING = re.compile(r",?\s+and\s+|,")


class _HorseSwitch(Switch):
    """A switch of every horse of the running race, while its rule is in force."""

    of = "horse"
    rule = HORSES

    def subjects(self, table: Table) -> Sequence[str]:
        return state_of(table).names if table.rules.in_force(HORSES, self.rule) else ()

    def value(self, table: Table, subject: str) -> str:
        return self.describe(state_of(table).field[subject])

    def describe(self, horse: Horse) -> str:
        """The horse's value of this switch, in words."""
        raise NotImplementedError

    def why_not(self, table: Table, subject: str, value: str) -> Refusal | None:
        state = state_of(table)
        _ = state.field  # to set any of its switches reads the track
        return self.refusal_for(state, subject, value)

    def refusal_for(self, state: State, subject: str, value: str) -> Refusal | None:
        """Why the horse cannot have that value; None if it can. Raises TableBroken."""
        raise NotImplementedError

    def set(self, table: Table, subject: str, value: str) -> None:
        state = state_of(table)
        horse = replace(state.field[subject], **self.fields_for(state, value.strip()))
        save_field(table, state.field.with_horse(horse))

    def fields_for(self, state: State, value: str) -> dict[str, Any]:
        """The field of the horse that has this value."""
        raise NotImplementedError


@switch
class RacePosition(_HorseSwitch):
    """Where a horse stands, in steps from the start."""

    name = "Race Position"

    def describe(self, horse: Horse) -> str:
        return str(horse.position)

    def refusal_for(self, state: State, subject: str, value: str) -> Refusal | None:
        track = state.charts.track
        if _STEPS.fullmatch(value) and track.start <= int(value) <= track.finish:
            return None
        sentence = f"Race Positions go from {track.start} to {track.finish}; choose one of them."
        return Refusal("off_the_track", sentence, HORSES)

    def fields_for(self, state: State, value: str) -> dict[str, Any]:
        return {"position": int(value)}


@switch
class RacePlace(_HorseSwitch):
    """The place that a horse has got, or none. The third, which ends a race, is crossed for."""

    name = "Race Place"

    def describe(self, horse: Horse) -> str:
        return NO_PLACE if horse.place is None else PLACE_NAMES[horse.place]

    def refusal_for(self, state: State, subject: str, value: str) -> Refusal | None:
        if value.casefold() not in PLACES:
            places = ", ".join(PLACES)
            sentence = f"A Race Place is set to one of {places}; the third is only crossed for."
            return Refusal("no_such_place", sentence, HORSES)
        place, horses = PLACES[value.casefold()], state.field.horses.items()
        holder = next((name for name, runner in horses if runner.place == place), subject)
        if place is None or holder == subject:
            return None
        sentence = f"{holder} is {PLACE_NAMES[place]} already. Correct {holder}'s place first."
        return Refusal("place_taken", sentence, HORSES)

    def fields_for(self, state: State, value: str) -> dict[str, Any]:
        return {"place": PLACES[value.casefold()]}


@switch
class Pulls(_HorseSwitch):
    """The horses that go forward when a horse gallops."""

    name = "Pulls"
    rule = MOTIVATING

    def describe(self, horse: Horse) -> str:
        return ", ".join(sorted(horse.pulls)) or NO_PLACE

    def is_at(self, table: Table, subject: str, setting: str) -> bool:
        state = state_of(table)
        return _horses(state, setting) == state.field[subject].pulls

    def refusal_for(self, state: State, subject: str, value: str) -> Refusal | None:
        unknown = sorted(_horses(state, value) - set(state.names))
        if not unknown:
            return None
        names = ", ".join(state.names)
        sentence = f"“{unknown[0][:60]}” is no horse of this race. The horses are {names}."
        return Refusal("no_such_horse", sentence, MOTIVATING)

    def fields_for(self, state: State, value: str) -> dict[str, Any]:
        return {"pulls": frozenset(_horses(state, value))}


def _horses(state: State, value: str) -> set[str]:
    """The names in a list with commas and an “and”, as the race spells them where it has them."""
    if value.casefold() in _NOTHING:
        return set()
    spellings = {name.casefold(): name for name in state.names}
    names = {name.strip() for name in _PARTING.split(value)} - {""}
    return {spellings.get(name.casefold(), name) for name in names}

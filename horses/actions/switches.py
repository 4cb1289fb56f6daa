"""The switches of the horses, as proposals and the Horsened's corrections set them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from horses.rules.charts import HORSES, MOTIVATING, ChartBroken
from horses.rules.race import FIRST, PLACE_NAMES, SECOND, Horse
from horses.state import State, save_field, state_of
from nomic.engine.switches import Switch, switch
from nomic.engine.table import Table
from nomic.games.refusal import Refusal

NO_PLACE = "none"
PLACES = {NO_PLACE: None, PLACE_NAMES[FIRST]: FIRST, PLACE_NAMES[SECOND]: SECOND}
_NOTHING = frozenset({"", "none", "nothing", "empty"})
_STEPS = re.compile(r"[0-9]{1,6}")
_COMMAS = re.compile(r",?\s+and\s+|,")


def position_refusal(state: State, position: int | None) -> Refusal | None:
    """A Race Position is on the track. Raises ChartBroken."""
    track = state.charts.track
    if position is not None and track.start <= position <= track.finish:
        return None
    sentence = f"Race Positions go from {track.start} to {track.finish}; choose one of them."
    return Refusal("off_the_track", sentence, HORSES)


def place_refusal(state: State, horse: str, place: int | None) -> Refusal | None:
    """A Race Place is one horse's at most. Raises ChartBroken."""
    holder = next((name for name, each in state.field.horses.items() if each.place == place), horse)
    if place is None or holder == horse:
        return None
    sentence = f"{holder} is {PLACE_NAMES[place]} already. Correct {holder}'s place first."
    return Refusal("place_taken", sentence, HORSES)


def pulls_refusal(state: State, pulls: set[str]) -> Refusal | None:
    """Pulls are horses of the race."""
    unknown = sorted(pulls - set(state.names))
    if not unknown:
        return None
    known = ", ".join(state.names)
    sentence = f"“{unknown[0][:60]}” is no horse of this race. The horses are {known}."
    return Refusal("no_such_horse", sentence, MOTIVATING)


def place_told(horse: Horse) -> str:
    """The horse's Race Place in a word."""
    return NO_PLACE if horse.place is None else PLACE_NAMES[horse.place]


def pulls_told(horse: Horse) -> str:
    """The horse's pulls in alphabetical order."""
    return ", ".join(sorted(horse.pulls)) or NO_PLACE


def listed(names: str) -> set[str]:
    """The names that are parted by commas."""
    return {name.strip() for name in names.split(",") if name.strip()}


def set_horse(table: Table, name: str, **facts: Any) -> tuple[Horse, Horse]:
    """Give a horse another `position`, `place` or `pulls`; returns it as it was and as it is."""
    field = state_of(table).field
    after = replace(field[name], **facts)
    save_field(table, field.with_horse(after))
    return field[name], after


class _HorseSwitch(Switch):
    """A switch of every horse of the running race, while its rule is in force."""

    of = "horse"
    rule = HORSES

    def subjects(self, table: Table) -> Sequence[str]:
        return state_of(table).names if table.rules.in_force(HORSES, self.rule) else ()

    def refusal(self, table: Table, subject: str, value: str) -> Refusal | None:
        state = state_of(table)
        try:
            state.field  # noqa: B018 (to set any of its switches reads the track)
            return self.why_not(state, subject, value)
        except ChartBroken as broken:
            return broken.refusal

    def why_not(self, state: State, subject: str, value: str) -> Refusal | None:
        """Why the horse cannot have that value; None if it can. Raises ChartBroken."""
        raise NotImplementedError


@switch
class RacePosition(_HorseSwitch):
    """Where a horse stands, in steps from the start."""

    name = "Race Position"

    def value(self, table: Table, subject: str) -> str:
        return str(state_of(table).field[subject].position)

    def why_not(self, state: State, subject: str, value: str) -> Refusal | None:
        return position_refusal(state, _steps(value))

    def set(self, table: Table, subject: str, value: str) -> None:
        set_horse(table, subject, position=_steps(value))


@switch
class RacePlace(_HorseSwitch):
    """The place that a horse has got, or none. The third, which ends a race, is crossed for."""

    name = "Race Place"

    def value(self, table: Table, subject: str) -> str:
        return place_told(state_of(table).field[subject])

    def why_not(self, state: State, subject: str, value: str) -> Refusal | None:
        if value.strip().casefold() in PLACES:
            return place_refusal(state, subject, PLACES[value.strip().casefold()])
        known = ", ".join(PLACES)
        sentence = f"A Race Place is set to one of {known}; the third is only crossed for."
        return Refusal("no_such_place", sentence, HORSES)

    def set(self, table: Table, subject: str, value: str) -> None:
        set_horse(table, subject, place=PLACES[value.strip().casefold()])


@switch
class Pulls(_HorseSwitch):
    """The horses that go forward when a horse gallops."""

    name = "Pulls"
    rule = MOTIVATING

    def value(self, table: Table, subject: str) -> str:
        return pulls_told(state_of(table).field[subject])

    def why_not(self, state: State, subject: str, value: str) -> Refusal | None:
        return pulls_refusal(state, _horses(state, value))

    def set(self, table: Table, subject: str, value: str) -> None:
        set_horse(table, subject, pulls=frozenset(_horses(state_of(table), value)))


def _steps(value: str) -> int | None:
    return int(value) if _STEPS.fullmatch(value := value.strip()) else None


def _horses(state: State, value: str) -> set[str]:
    """The names in a list with commas and an “and”, as the race spells them where it has them."""
    if value.strip().casefold() in _NOTHING:
        return set()
    known = {name.casefold(): name for name in state.names}
    return {known.get(name.casefold(), name) for name in listed(_COMMAS.sub(",", value))}

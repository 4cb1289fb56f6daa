"""The track: steps, runs, crossings, multipliers (Agora, Proposal 8822).

Pure values and functions. Every number that a rule's table holds comes in from `charts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

FIRST, SECOND, THIRD = 1, 2, 3
PLACE_NAMES = {FIRST: "first", SECOND: "second", THIRD: "third"}


@dataclass(frozen=True, slots=True)
class Horse:
    """A horse as the race stands. `position` is in steps; `place` is 1, 2, 3 or None (Horses)."""

    name: str
    position: int = 0
    place: int | None = None
    pulls: frozenset[str] = frozenset()

    @property
    def running(self) -> bool:
        """A horse is Running while its Race Place is none."""
        return self.place is None


@dataclass(frozen=True, slots=True)
class Track:
    """The Race Positions at which a horse starts and finishes, in steps.

    `line` is where it crosses the finish line, if that is not the finish.
    """

    start: int
    finish: int
    line: int | None = None

    def is_crossed(self, position: int) -> bool:
        """Whether a horse there crosses the finish line."""
        return position >= (self.finish if self.line is None else self.line)

    def reaches(self, position: int, by: int) -> bool:
        """Whether one step from there in that direction (`by` is 1 or -1) stays on the track.

        An amendment may leave a horse beyond an end; from there it can still step towards it.
        """
        return position + by <= self.finish if by > 0 else position + by >= self.start


@dataclass(frozen=True, slots=True)
class Field:
    """All the horses of a race, by name, and the track they are on."""

    horses: Mapping[str, Horse]
    track: Track

    def __getitem__(self, name: str) -> Horse:
        return self.horses[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The horses' names in alphabetical order."""
        return tuple(sorted(self.horses))

    @property
    def lowest(self) -> int:
        """The lowest Race Position that any horse has."""
        return min(horse.position for horse in self.horses.values())

    def with_horse(self, horse: Horse) -> Field:
        """The same field with that horse as it is now."""
        return replace(self, horses={**self.horses, horse.name: horse})

    def with_pull(self, name: str, added: str) -> Field:
        """The same field after `added` joined the pulls of `name`, where it may be already."""
        horse = self[name]
        return self.with_horse(replace(horse, pulls=horse.pulls | {added}))


@dataclass(frozen=True, slots=True)
class HorseMove:
    """One horse's move at one go, step by step, from a Race Position to another."""

    horse: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Crossing:
    """A horse that crossed the finish line and the Race Place that it got."""

    horse: str
    place: int


@dataclass(frozen=True, slots=True)
class Run:
    """One weekly run: what happened, in order, and the field after it.

    `galloped` is the number of steps that the galloper took as the galloper, not as its own pull.
    When `race_ended` the field is the one that Horse Victory pays for, not started anew yet.
    """

    moves: tuple[HorseMove, ...]
    crossed: tuple[Crossing, ...]
    race_ended: bool
    galloped: int
    field: Field

    def to_dict(self) -> dict[str, Any]:
        """Moves as [horse, from, to], the gallop one and each pull one; crossings as [horse,
        place]."""
        return {
            "moves": [[move.horse, move.before, move.after] for move in self.moves],
            "crossed": [[crossing.horse, crossing.place] for crossing in self.crossed],
            "race_ended": self.race_ended,
        }


def can_step(field: Field, name: str, by: int) -> bool:
    """Whether one step in that direction (`by` is 1 or -1) stays on the track."""
    return field.track.reaches(field[name].position, by)


def step(field: Field, name: str, by: int, times: int = 1) -> tuple[tuple[HorseMove, ...], Field]:
    """Move a horse by single steps; a step that would leave the track cannot happen.

    Returns the move (none if no step could happen) and the field after it.
    """
    before = field[name]
    position = before.position
    # Step by step, as the texts say (“by 1, three times”): three from 15 give 16, and not nothing.
    for _ in range(times):
        if field.track.reaches(position, by):
            position += by
    if position == before.position:
        return (), field
    moved = field.with_horse(replace(before, position=position))
    return (HorseMove(name, before.position, position),), moved


def run(field: Field, galloper: str, distance: int, pull_steps: int) -> Run:
    """Resolve movement and crossings of one weekly run (The Horses Run; Motivating Horses).

    `distance` and `pull_steps` are in steps. The galloper moves first, then its pulls in
    alphabetical order, which may include the galloper itself.
    """
    gallop, field = step(field, galloper, 1, distance)
    moves = list(gallop)
    for name in sorted(field[galloper].pulls):
        pulled, field = step(field, name, 1, pull_steps)
        moves += pulled
    crossed, field = cross(field)
    ended = any(crossing.place == THIRD for crossing in crossed)
    # Not what the galloper goes as its own pull: Baxter's owner gains for the gallop alone.
    galloped = sum(move.after - move.before for move in gallop)
    return Run(tuple(moves), crossed, ended, galloped, field)


def cross(field: Field) -> tuple[tuple[Crossing, ...], Field]:
    """Let every Running horse at the finish cross, in alphabetical order, until the third place.

    The third place ends the race, and no horse crosses after it (The Horses Run).
    """
    crossed: list[Crossing] = []
    # By name, as the rule says; those who would come after the third go back with everyone else.
    for name in field.names:
        horse = field[name]
        if not horse.running or not field.track.is_crossed(horse.position):
            continue
        # Read anew for each horse: the one before it may just have taken a place.
        taken = {runner.place for runner in field.horses.values()}
        place = FIRST if FIRST not in taken else SECOND if SECOND not in taken else THIRD
        crossed.append(Crossing(name, place))
        field = field.with_horse(replace(horse, place=place))
        if place == THIRD:
            break
    return tuple(crossed), field


def started_anew(track: Track, pulls: Mapping[str, frozenset[str]]) -> Field:
    """The field at the start of a race: all at the start, Running, with the pulls of the table."""
    horses = {name: Horse(name, track.start, None, pulls[name]) for name in pulls}
    return Field(horses, track)


def has_lowest(field: Field, name: str) -> bool:
    """Whether no horse has a lower Race Position than this one (Rubert's power)."""
    return field[name].position == field.lowest


@dataclass(frozen=True, slots=True)
class Odds:
    """A horse's row of the multiplier chart.

    `first`, `second` and `third` go by its Race Place; `near` when it is Running and its Race
    Position is the home stretch's or a later one, `far` when it has not come so far.
    """

    first: int
    second: int
    third: int
    near: int
    far: int

    def of(self, horse: Horse, home_stretch: int) -> int:
        """The horse's current multiplier (Horse Multiplier)."""
        if horse.place is not None:
            return {FIRST: self.first, SECOND: self.second, THIRD: self.third}[horse.place]
        return self.near if horse.position >= home_stretch else self.far

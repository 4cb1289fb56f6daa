"""Work of events and acts that is done beforehand, so that nobody waits for it at the lock."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection

from nomic.engine.events import find_event
from nomic.engine.models import Appointment
from nomic.engine.shares.share import counted_by_rule
from nomic.engine.table import Table
from nomic.games.clock import wall_now
from nomic.games.models import Game

type _Place = tuple[int | None, int, int]


type _Reads = Callable[[Mapping[str, Any]], object]
_READ_AHEAD: dict[str, _Reads] = {}


def read_ahead(*actions: str) -> Callable[[_Reads], _Reads]:
    """Let the function read what is long of the inputs of these actions, as they are sent, before
    the game is locked: it keeps what it has read, and raises nothing."""

    def add(reads: _Reads) -> _Reads:
        _READ_AHEAD.update(dict.fromkeys(actions, reads))
        return reads

    return add


def read_inputs(action: str, inputs: Mapping[str, Any]) -> None:
    """Read what is long of the inputs of an act, if anything is."""
    if action in _READ_AHEAD:
        _READ_AHEAD[action](inputs)


def moment_of(game: Game, appointment: Appointment) -> datetime:
    """The game moment at which it happens: when it is due, and after what happened already."""
    return max(appointment.due, game.last_at) if game.last_at else appointment.due


@dataclass(frozen=True, slots=True)
class Unprepared:
    """An appointment that is due, in the game as it was when that was found."""

    game: Game
    appointment: Appointment


@dataclass(frozen=True, slots=True)
class Prepared:
    """The values worked out for an appointment, or the error that was raised instead; in so many
    seconds, those of the programs of rules by their titles in `costs`."""

    place: _Place
    values: dict[str, Any]
    error: Exception | None = None
    seconds: float = 0.0
    costs: Mapping[str, float] = field(default_factory=dict)

    def fits(self, game: Game, appointment: Appointment) -> bool:
        """Whether it is of this appointment, and nothing was written in the game since."""
        return self.place == _place(game, appointment)

    def read(self) -> dict[str, Any]:
        """The values worked out; raises the error that was raised instead."""
        if self.error is not None:
            raise self.error
        return self.values


def work_out(due: Unprepared) -> Prepared:
    """Work out what the event asks for, at a table to read from; nothing is locked meanwhile.

    Raises what went wrong only where the database's connection is gone.
    """
    place, since = _place(due.game, due.appointment), wall_now()
    values, failed = {}, None
    with counted_by_rule() as costs:
        try:
            values = prepared_for(due.game, due.appointment, since) or {}
        except Exception as error:
            if not connection.is_usable():
                raise
            failed = error
    seconds = max((wall_now() - since).total_seconds(), 0.0)
    return Prepared(place, values, failed, seconds, costs)


def prepared_for(game: Game, due: Appointment, wall: datetime) -> dict[str, Any] | None:
    """The values that the event asks for, worked out at that wall moment at a table to read from,
    as they will come back from the record; None where it asks for nothing. TypeError, ValueError
    for values that JSON cannot hold."""
    event = find_event(due.kind)
    if event.prepare is None:
        return None
    table = Table(game, moment_of(game, due), wall, locked=False)
    table.ledger.rule = event.rule
    values = dict(event.prepare(table, due.subject))
    return dict(json.loads(json.dumps(values, allow_nan=False)))


def _place(game: Game, appointment: Appointment) -> _Place:
    return (appointment.pk, game.last_entry, game.sealed_count)

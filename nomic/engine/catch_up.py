"""Keeping what is due: each appointment once, in order, at its own moment, however late it is.

The sweep keeps it in all games, by turns.
"""

import json
import logging
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Q
from psycopg.errors import DeadlockDetected, LockNotAvailable, SerializationFailure

from nomic.dice.roller import Rolls
from nomic.engine import watch
from nomic.engine.coverage import kept_by_hand
from nomic.engine.events import Event, find_event, is_prepared
from nomic.engine.fairness.locks import has_the_slot, let_pass, locked_game, nobody_waits
from nomic.engine.fairness.worker_share import charge, counted_by_rule, over_share, spend_the_rest
from nomic.engine.models import Appointment
from nomic.engine.outcomes import Behind, Busy, Outcome
from nomic.engine.programs.additions import name_of
from nomic.engine.programs.hooks import ProgramsAround
from nomic.engine.schedule import oldest_appointment
from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.clock import iso, wall_now
from nomic.games.models import AfterOutage, Game
from nomic.quotas import usage
from nomic.quotas.holds import goes_on
from nomic.record.models import Entry, EntryKind
from nomic.record.original import Original
from nomic.rulebook.tables import TableBroken

log = logging.getLogger(__name__)

AN_OUTAGE = timedelta(minutes=10)
_MOST_AT_ONCE = 10_000
_LONGEST_BACKOFF = timedelta(hours=1)
_BUSY = (LockNotAvailable, DeadlockDetected, SerializationFailure)
_MOST_LOST = 3  # of connections at one appointment, then it is to blame and no outage
_LOOKED_AT = 50  # games by a sweep; no site has as many workers and acts under way
_MOST_TRIES = 5  # at preparing one appointment while others write in the game

type _Place = tuple[int | None, int, int]

# What works long is done beforehand, so that nobody waits for it at the lock


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


# Keeping what is due


def catch_up(
    game_id: int,
    *,
    limit: int | None = None,
    prepare: bool = True,
    deadline: datetime | None = None,
) -> int:
    """Keep every due appointment of one game, each in its own committed transaction.

    Returns how many it kept, at most `limit` or else 10,000. Stops at one that cannot be kept: the
    game is then stuck. What asks to be prepared is, without the lock, before it is kept.
    Raises Behind where more is due after the wall moment `deadline`; Busy where somebody else holds
    the game's lock for too long, or writes in it each time that something has been prepared, and
    without `prepare` where something to be prepared is what comes next; OperationalError where the
    database is gone.
    """
    kept_count = lost_connections = preparations = 0
    progress: bool | Unprepared = True
    database_connection: object = None
    while progress and kept_count < (limit or _MOST_AT_ONCE):
        since = wall_now()
        game: Game | None = None
        prepared: Prepared | None = None
        try:
            if isinstance(progress, Unprepared):
                if not prepare or preparations == _MOST_TRIES:
                    raise Busy
                game, preparations = progress.game, preparations + 1
                prepared = work_out(progress)
                game = None  # so that an error below is not blamed on this appointment
            if kept_count:  # else what is urgent would wait for all of the backlog
                let_pass(game_id)
            with locked_game(pk=game_id) as game:
                database_connection = connection.connection
                progress = game is not None and keep_next(game, prepared)
        except Exception as error:
            if game is None or not is_lost(database_connection) or lost_connections == _MOST_LOST:
                raise
            lost_connections, progress = lost_connections + 1, True
            note_lost_connection(game, error, since)
            continue
        if progress is True and game is not None:
            kept_count, preparations = kept_count + 1, 0
            wall, due = wall_now(), game.next_due
            progress = not game.set_aside and due is not None and due <= game.clock.moment(wall)
            if progress and deadline is not None and wall >= deadline:
                raise Behind(lateness(game, wall))
    return kept_count


def lateness(game: Game, wall: datetime) -> timedelta:
    """By how much wall time the game is behind; none where time is moved by hand."""
    due = game.clock.wall(game.next_due) if game.next_due else None
    return max(wall - due, timedelta(0)) if due and game.clock.rate else timedelta(0)


def keep_next(game: Game, prepared: Prepared | None = None) -> bool | Unprepared:
    """Keep the oldest due appointment of the locked game; whether there was one and it did.

    Where it asks to be prepared, and what is `prepared` is not of this game as it is: that one.
    What it took is charged to the game, also where it came to nothing.
    """
    wall = wall_now()
    with counted_by_rule() as costs:
        step = _attempt_oldest(game, wall, prepared)
    seconds = prepared.seconds if prepared else 0.0
    if step is True or step is None:
        seconds += max((wall_now() - wall).total_seconds(), 0.0)
    elif not prepared:
        return step
    for rule, cost in prepared.costs.items() if prepared else ():
        costs[rule] = costs.get(rule, 0.0) + cost
    charge(game, wall_now(), seconds, costs)
    rest = max(seconds - sum(costs.values()), 0.0)
    for rule, cost in (*costs.items(), ("", rest)):
        notes_usage = partial(usage.note, game.pk, rule=rule, seconds=cost, host=game.host_id)
        transaction.on_commit(notes_usage)
    return step or False


def _attempt_oldest(
    game: Game, wall: datetime, prepared: Prepared | None
) -> bool | Unprepared | None:
    """Whether something was kept; None where it was tried in vain."""
    appointment = oldest_appointment(game)
    if appointment is None or not _is_due(game, appointment, wall):
        # Else the sweep, which looks at what the game has noted of it, would come back each time.
        Table(game, game.now(wall), wall, locked=True).appointments.note_next_due()
        return False
    if entry := shifted(game, appointment, wall):
        transaction.on_commit(lambda: watch.bump(entry.game_id, entry.seq))
        return True
    if not is_prepared(appointment.kind):
        return _keep(game, appointment, wall) or None
    if prepared is None or not prepared.fits(game, appointment):
        return Unprepared(game, appointment)
    return _keep(game, appointment, wall, prepared) or None


def _is_due(game: Game, appointment: Appointment, wall: datetime) -> bool:
    if game.paused_at or game.set_aside or appointment.due > game.clock.moment(wall):
        return False
    return not (game.stuck_at and appointment.retry_at and appointment.retry_at > wall)


def _keep(
    game: Game, appointment: Appointment, wall: datetime, prepared: Prepared | None = None
) -> bool:
    """Run the handler; where it raises, or preparing it did, undo it and mark the game stuck.

    What the database gives up and survives (a timeout, too little memory or room on its disk, a
    statement beyond its limits) makes the game stuck at once: that is tried again by itself.
    """
    try:
        values = prepared.read() if prepared else None
        entry = keep(game, appointment, wall, values, is_charged=True)
        spend_the_rest(entry.rule, (wall_now() - wall).total_seconds())
    except Exception as error:
        gave_up = isinstance(error, OperationalError | InterfaceError)
        if (gave_up and isinstance(error.__cause__, _BUSY)) or not connection.is_usable():
            raise  # the fault is the database's and of the moment: another try may do
        log.exception("%s of the game %s could not happen", appointment.kind, game.slug)
        game.refresh_from_db()  # what the handler has set on it was undone in the database alone
        _stick(game, appointment, error, wall)
        return False
    transaction.on_commit(lambda: watch.bump(entry.game_id, entry.seq))
    return True


def is_lost(database_connection: object) -> bool:
    """Whether that connection is no more, be it that there is another in its place by now."""
    return connection.connection is not database_connection or not connection.is_usable()


def note_lost_connection(game: Game, error: Exception, since: datetime) -> None:
    """Note at what is next in the game that the connection did not survive an attempt at it, which
    began at that wall moment.

    One death may be the database's own, that was started again; where it happens again and again,
    the game is stuck. Raises OperationalError where there is no database to note it in, and Busy.
    """
    connection.close()
    with locked_game(pk=game.pk) as locked:
        wall = wall_now()
        if locked:
            charge(locked, wall, max((wall - since).total_seconds(), 0.0), {})
        appointment = locked and oldest_appointment(locked)
        if not locked or not appointment or not _is_due(locked, appointment, wall):
            return
        if appointment.attempts + 1 >= _MOST_LOST:
            _stick(locked, appointment, error, wall)
        else:
            appointment.attempts += 1
            appointment.save(update_fields=["attempts"])


def keep(
    game: Game,
    appointment: Appointment,
    wall: datetime,
    prepared: dict[str, Any] | None = None,
    original: Original | None = None,
    original_rolls: Rolls | None = None,
    *,
    is_charged: bool = False,
) -> Entry:
    """Make one appointment happen at its due moment, in the caller's transaction.

    Where it needs what no rule in force says, or nobody could ever read, it does not happen, and
    the entry says so. A replay calls this as well, with what the record says was `prepared`,
    and what else it says of it, the `original`; a recalculation also with the `original_rolls`.
    Where the game `is_charged` for it, that saves what is due next. Raises whatever the handler
    raises, which undoes all of it, and LookupError where nothing was prepared and something should
    have been.
    """
    event, subject = find_event(appointment.kind), appointment.subject
    if event.prepare and prepared is None:
        raise LookupError(f"{event.kind} was not prepared")
    now, inputs = moment_of(game, appointment), {"subject": subject} if subject else {}
    prepared_inputs = {"prepared": prepared} if event.prepare else {}
    try:
        with _all_or_nothing():
            table = _freed_table(game, now, wall)
            table.appointments.saves_next_due = not is_charged
            table.original = original
            table.dice.known = original_rolls or {}
            table.ledger.rule, table.making = event.rule, event.kind
            table.prepared = prepared if event.prepare and prepared else {}
            outcome = _what_happens(table, event, subject, inputs)
            return _write(table, appointment, event, inputs | prepared_inputs, outcome)
    except _Off as off:
        reason = str(off)
    game.refresh_from_db()  # as it was: its rows are undone, and this object is not
    outcome = Outcome(f"“{event.title}” does not happen. {reason}", {"off": reason})
    with _all_or_nothing():
        table = _freed_table(game, now, wall)
        table.appointments.saves_next_due = not is_charged
        return _write(table, appointment, event, inputs | prepared_inputs, outcome, off=True)


class _Off(Exception):
    """An event does not happen; the sentence says why."""


def _what_happens(table: Table, event: Event, subject: str, inputs: dict[str, Any]) -> Outcome:
    """The outcome of the event with the programs around it. Raises _Off where it is kept by hand,
    or has no table to play by."""
    if by_hand := kept_by_hand(table, event.kind):
        raise _Off(by_hand.sentence)
    try:
        around = ProgramsAround(table, name_of(event.kind, subject), inputs=inputs)
        around.before()
        return around.after(event.handler(table, subject), subject)
    except TableBroken as broken:
        raise _Off(broken.sentence) from broken


@contextmanager
def _all_or_nothing() -> Iterator[None]:
    """Undo the block where it fails, be it only by what the database checks at the end of a
    transaction."""
    with transaction.atomic():
        yield
        # At the commit it would be too late to mark the game as stuck.
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")


def _freed_table(game: Game, now: datetime, wall: datetime) -> Table:
    """The table of the locked game, which is stuck no longer."""
    if game.stuck_at:
        game.stuck_at, game.stuck_error = None, ""
        game.save(update_fields=["stuck_at", "stuck_error"])
    return Table(game, now, wall, locked=True)


def _write(
    table: Table,
    appointment: Appointment,
    event: Event,
    inputs: dict[str, Any],
    outcome: Outcome,
    *,
    off: bool = False,
) -> Entry:
    """Note that the appointment was kept, or is `off`, and what comes next; returns its entry."""
    table.appointments.note_kept(appointment, table.seq)
    if off:
        table.appointments.settle()
        for subgame in in_play(table.game):
            with suppress(TableBroken):
                subgame.skipped(table, event.kind)
    rule = outcome.rule or event.rule
    return table.write(EntryKind.EVENT, event.kind, None, inputs, outcome, rule=rule)


def _stick(game: Game, appointment: Appointment, error: Exception, wall: datetime) -> None:
    appointment.attempts += 1
    sentence = "".join(traceback.format_exception_only(error)).strip()
    sentence = sentence.partition("\n")[0]  # the database's details may hold what is private
    # PostgreSQL takes neither lone surrogates nor NUL, and an error may quote a text that has them.
    sentence = sentence.encode(errors="replace").decode().replace("\0", "?")
    appointment.error = sentence
    appointment.retry_at = wall + min(
        timedelta(seconds=2 ** min(appointment.attempts, 12)), _LONGEST_BACKOFF
    )  # 2**12 seconds are longer than that already; 2**1000 would be no timedelta
    appointment.save(update_fields=["attempts", "error", "retry_at"])
    game.stuck_at = appointment.due
    game.stuck_error = sentence
    game.wakes_at = appointment.retry_at
    game.save(update_fields=["stuck_at", "stuck_error", "wakes_at"])
    transaction.on_commit(lambda: watch.bump_stuck(game.pk, game.last_entry, appointment.attempts))


def shifted(game: Game, appointment: Appointment, wall: datetime) -> Entry | None:
    """Set the clock back to the moment at which an outage began to make the appointment late; None
    where it is not late by one, or the game does not shift by outages. A replay calls this as well.
    """
    if game.after_outage != AfterOutage.SHIFT or game.stuck_at or not game.rate:
        return None
    since = game.clock.wall(appointment.due) or wall
    if wall - since > AN_OUTAGE:  # until the last entry the game was stuck, and somebody there
        last = game.entries.filter(seq=game.last_entry).values_list("recorded_at", flat=True)
        since = max([since, *last])
    if wall - since <= AN_OUTAGE:
        return None
    began = max(game.clock.moment(since), appointment.due)
    now, late = moment_of(game, appointment), game.clock.moment(wall) - began
    return shift(Table(game, now, wall, locked=True), late, began)


def set_back(game: Game, wall: datetime, late: timedelta, to: datetime) -> Entry:
    """Set the clock of the locked game back by what it is late, to the moment up to which all has
    happened."""
    return shift(Table(game, to, wall, locked=True), late, to, behind=True)


def shift(table: Table, late: timedelta, to: datetime, *, behind: bool = False) -> Entry:
    """Set the clock back to that game moment, and say so in the record: after an outage, or since
    the game was `behind`.

    What is counted in hours went on meanwhile. A replay calls this as well.
    """
    table.game.anchor_game, table.game.anchor_wall = to, table.wall
    table.game.save(update_fields=["anchor_game", "anchor_wall"])
    table.appointments.pull_hours(late, to)
    seconds = late // timedelta(seconds=1)
    inputs = {"seconds": seconds, "microseconds": late.microseconds, "to": iso(to)}
    inputs |= {"behind": True} if behind else {}
    cause = "The game was behind, so its" if behind else "After an outage the"
    text = (
        f"{cause} clock was set back by {timedelta(seconds=seconds)} of game time; what was due in"
        " it happens from now on."
    )
    outcome = Outcome(text, {"seconds": seconds})
    return table.write(EntryKind.SYSTEM, "games.shift", None, inputs, outcome)


# The sweep: what is due in all games is kept, by turns, so that no game stops the others


def sweep(*, limit: int = _MOST_AT_ONCE, deadline: datetime | None = None) -> int:
    """Keep due appointments of all games until none is left; returns how many.

    Any number of sweeps may run at once: each passes over games that are locked elsewhere, and
    lets a game rest at which the database failed. Those that are over their share of the workers
    wait behind the others, and one sweep at a time serves them. `deadline` is a wall moment after
    which no further appointment is begun. Raises OperationalError where the database is gone, and
    where a table stays locked.
    """
    kept_count = 0
    rested: set[int] = set()
    while kept_count < limit and (deadline is None or wall_now() < deadline):
        game, happened = _serve(rested)
        if game is None:
            break
        kept_count += happened
        if not happened:
            rested.add(game.pk)
    return kept_count


def _serve(rested: set[int]) -> tuple[Game | None, bool]:
    """Keep one appointment of the game whose turn it is; that game, and whether it happened."""
    game, since = None, wall_now()
    try:
        with transaction.atomic(durable=True):
            game = _lock_next_game(rested)
            # That on which the game is locked; before that it may have been another one.
            database_connection = connection.connection
            progress = game is not None and keep_next(game)
        if game is not None and isinstance(progress, Unprepared):
            with suppress(Busy):
                return game, catch_up(game.pk, limit=1) == 1
    except Exception as error:
        if game is None:
            raise
        log.exception("The database failed at the game %s, which rests", game.slug)
        if is_lost(database_connection):
            with suppress(Busy):
                note_lost_connection(game, error, since)
        return game, False
    return game, progress is True


def _lock_next_game(rested: set[int]) -> Game | None:
    """The game that is served next, locked: one over its share only where no other is due, and by
    nobody else at the same time."""
    wall = wall_now()
    due = Q(wakes_at__lte=wall, scratch=False, set_aside="")
    due = due & goes_on(wall) & ~Q(pk__in=rested)
    game = _lock_first(due & ~over_share(wall), "wakes_at")
    if game is None:
        game = _lock_first(due & over_share(wall), "busy_until")
        if game is not None and not (has_the_slot() and nobody_waits(game.pk)):
            return None
    return game


def _lock_first(condition: Q, order: str) -> Game | None:
    """The first in that order of those games that nobody else has locked, of so many that are
    looked at.

    Which they are is asked without a lock, and each is locked by its key: a database that is spread
    over many nodes by game asks all nodes for the one, and one for the other.
    """
    candidates = Game.objects.filter(condition).order_by(order).values_list("pk", flat=True)
    unlocked = Game.objects.select_for_update(no_key=True, skip_locked=True)
    for pk in candidates[:_LOOKED_AT]:
        if game := unlocked.filter(condition, pk=pk).first():
            return game
    return None

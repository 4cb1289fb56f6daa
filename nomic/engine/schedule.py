"""The appointments of one locked game: make them, cancel them, find the oldest that is due."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from nomic.engine.models import Appointment, AppointmentStatus, CountedIn
from nomic.games.calendars import next_start
from nomic.games.models import Game
from nomic.infrastructure.database.compiled_queries import (
    CompiledQuery,
    CompiledValues,
    among,
    update,
    write,
)

# What ran out while time stood still happens when it goes on, one after the other.
_APART = timedelta(microseconds=1)


@dataclass(kw_only=True)
class AppointmentKind:
    """How appointments of a kind are kept. `every` is `day`, `week` or `month` where they recur.

    At one moment, lower priority goes first. What an act makes due happens with it where it is
    `at_once`, which is for what the actor is to see with their receipt, and costs their act its
    queries; else a sweep, or whoever comes next, sees to it. The subject is an entry's number where
    it is `of_entry`.
    """

    every: str = ""
    priority: int = 100
    at_once: bool = False
    of_entry: bool = False


KINDS: dict[str, AppointmentKind] = {}  # by name; each `Event` is added to them


def _find_kind(kind: str) -> AppointmentKind:
    try:
        return KINDS[kind]
    except KeyError:
        raise LookupError(f"No part of this program keeps appointments “{kind}”.") from None


# What of a game tells of its oldest appointment; `note_next_due` says how.
NEXT_DUE = ("next_due", "wakes_at", "stuck_at", "stuck_error")
_TABLE = Appointment._meta.db_table
# What was cancelled waits again. Of what is `kept` by the same statement, nothing waits any more.
_MAKE = f"""
INSERT INTO {_TABLE} AS known
       (game_id, kind, subject, due, priority, counted_in, hidden, status, attempts, error)
SELECT %(game)s::bigint, %(kind)s::text, s.subject, %(due)s, %(priority)s, %(counted_in)s,
       %(hidden)s, '{AppointmentStatus.WAITING}', 0, ''
  FROM unnest(%(subjects)s::text[]) WITH ORDINALITY AS s (subject, place)
 WHERE NOT %(once)s OR NOT EXISTS (
       SELECT FROM {_TABLE} w
        WHERE w.game_id = %(game)s AND w.kind = %(kind)s AND w.subject = s.subject
          AND w.status = '{AppointmentStatus.WAITING}' AND w.id <> %(kept)s)
 ORDER BY s.place
    ON CONFLICT (game_id, kind, subject, due)
    DO UPDATE SET status = EXCLUDED.status, hidden = EXCLUDED.hidden
        WHERE known.status = '{AppointmentStatus.CANCELLED}'
RETURNING known.id, known.due, known.priority, known.error, known.retry_at
"""  # noqa: S608 (composed of constants)
# One row wherever the appointment is there, with what waits first then, as before this statement
# and as made by it.
_KEEP = f"""
WITH kept AS (
     UPDATE {_TABLE} SET status = '{AppointmentStatus.DONE}', entry = %(entry)s, error = ''
      WHERE id = %(kept)s RETURNING id),
     made AS ({_MAKE})
SELECT oldest.due, oldest.error, oldest.retry_at
  FROM kept LEFT JOIN (
       (SELECT id, due, priority, error, retry_at FROM {_TABLE}
         WHERE game_id = %(game)s AND status = '{AppointmentStatus.WAITING}' AND id <> %(kept)s
         ORDER BY due, priority, id LIMIT 1)
        UNION ALL SELECT * FROM made
        ORDER BY due, priority, id LIMIT 1) AS oldest ON true
"""  # noqa: S608 (composed of constants)
_CANCEL = f"""
UPDATE {_TABLE} SET status = '{AppointmentStatus.CANCELLED}'
 WHERE game_id = %s AND kind = %s AND subject = %s AND status = '{AppointmentStatus.WAITING}'
"""  # noqa: S608 (composed of constants)
_MAKE_INSTEAD = f"""
WITH gone AS (
    UPDATE {_TABLE} SET status = '{AppointmentStatus.CANCELLED}' WHERE id = ANY (%(instead)s)
)
{_MAKE}
"""  # noqa: S608 (composed of constants)
_IN_THE_WAY = CompiledQuery(
    lambda subject, due: (
        Appointment.objects.waiting() | Appointment.objects.filter(subject=subject, due=due)
    )
)
_WAITING = CompiledQuery(lambda: Appointment.objects.waiting())
type _Oldest = tuple[datetime, str, datetime | None]  # when it is due, why it failed, when again
_OLDEST = CompiledValues(
    lambda: Appointment.objects.waiting().values_list("due", "error", "retry_at")
)
_SUBJECTS = CompiledValues(
    lambda kinds: (
        Appointment.objects.waiting()
        .filter(among("kind", kinds))
        .order_by()
        .values_list("kind", "subject")
    )
)


def oldest_appointment(game: Game) -> Appointment | None:
    """The appointment of the game that is to be kept first, due or not."""
    return _WAITING.first(game=game)


class Schedule:
    """The appointments to come, as the entry that is being made may change them. In a game that is
    over nothing is to come; what waited stays, for who locks it."""

    def __init__(self, game: Game, now: datetime, *, locked: bool = False) -> None:
        self._game = game
        self._now = now
        self._locked = locked
        self.changed = False
        self.calls_at_once = False  # for something that is due now, and is to be seen with the act
        self.saves_next_due = True  # else whoever keeps the appointment does
        self._kept: tuple[Appointment, int] | None = None

    def make(
        self,
        kind: str,
        due: datetime,
        subject: str | Iterable[str] = "",
        *,
        counted_in: CountedIn = CountedIn.GAME,
        hidden: bool = False,
        once: bool = False,
        instead: Sequence[int] = (),
    ) -> None:
        """Make an appointment at a game moment that is not past, or one for each of several
        subjects, to be kept in their order; made twice, it is one. One query.

        With `once`, none where one of that kind and subject is to come, whenever that is. It is
        made `instead` of those with these keys, which are others. Raises ValueError for a moment
        that is past: it would be out of order.
        """
        self._must_write()
        if due < self._now:
            raise ValueError(f"An appointment at {due} would lie before {self._now}.")
        subjects = [subject] if isinstance(subject, str) else subject
        values = self._values(
            kind, due, subjects, counted_in=counted_in, hidden=hidden, once=once, kept=0
        )
        if instead:
            new = write(_MAKE_INSTEAD, {**values, "instead": list(instead)})
        else:
            new = write(_MAKE, values)
        if new or not once:
            self.changed = True
            self.calls_at_once |= _find_kind(kind).at_once and due == self._now

    def _values(
        self, kind: str, due: datetime, subjects: Iterable[str], **overrides: Any
    ) -> dict[str, Any]:
        """The values by which appointments are made."""
        return {
            "game": self._game.pk,
            "kind": kind,
            "subjects": list(dict.fromkeys(subjects)),
            "due": due,
            "priority": _find_kind(kind).priority,
            "counted_in": CountedIn.GAME,
            "hidden": False,
            **overrides,
        }

    def expect(self, kind: str, due: datetime, subject: str = "", *, hidden: bool = False) -> None:
        """Let this be the only appointment of that kind to come; at once if the moment is past.

        One of that subject which is due already keeps the moment at which it became so. Nobody is
        told of a `hidden` one before it happens.
        """
        self._must_write()
        due = max(due, self._now)
        in_the_way = _IN_THE_WAY.all(subject=subject, due=due, game=self._game.pk, kind=kind)
        waiting = [it for it in in_the_way if it.status == AppointmentStatus.WAITING]
        same = [it for it in waiting if (it.subject, it.hidden) == (subject, hidden)]
        if waiting == same and any(it.due <= due <= max(self._now, it.due) for it in same):
            return
        self.changed = True
        if len(waiting) == len(in_the_way) == 1 and waiting[0].subject == subject:
            fresh = {"due": due, "attempts": 0, "error": "", "retry_at": None, "hidden": hidden}
            for name, column in fresh.items():
                setattr(waiting[0], name, column)
            update(waiting[0], *fresh)
            return
        instead = [appointment.pk for appointment in waiting]
        if any((it.subject, it.due) == (subject, due) for it in waiting):
            for appointment in waiting:  # first, so that this one can be made to wait again
                self.cancel(kind, appointment.subject)
            instead = []
        self.make(kind, due, subject, hidden=hidden, instead=instead)

    def begin(self, kind: str, subject: str = "") -> None:
        """Make the next appointment of an event that recurs, unless it is made already."""
        if every := _find_kind(kind).every:
            self.make(kind, next_start(every, self._now), subject, once=True)

    def note_kept(self, appointment: Appointment, entry: int) -> None:
        """Note that it is kept in that entry, and begin the next of an event that recurs; written
        by `note_next_due`, or before it where something else is asked here."""
        self._must_write()
        self._kept = appointment, entry
        self.changed = True

    def settle(self) -> None:
        """Write what was noted as kept. Whatever is asked or changed here does so before it."""
        if self._kept:
            self._write_kept(*self._kept)

    def _write_kept(self, appointment: Appointment, entry: int) -> _Oldest | None:
        """Write that it is kept and make the next; what is the oldest after that."""
        every = _find_kind(appointment.kind).every
        due = next_start(every, self._now) if every else self._now
        begun = [appointment.subject] if every else []
        values = self._values(appointment.kind, due, begun, once=True, kept=appointment.pk)
        oldest = write(_KEEP, {**values, "entry": entry})
        if not oldest:
            raise Appointment.NotUpdated(f"There is no appointment {appointment.pk} to be kept.")
        self._kept = None
        ((due, error, retry_at),) = oldest
        return (due, error, retry_at) if due else None

    def waiting(self, kind: str, subject: str = "") -> bool:
        """Whether there is such an appointment to come."""
        return self.due(kind, subject) is not None

    def due(self, kind: str, subject: str = "") -> datetime | None:
        """When the next such appointment is to be kept; None where there is none."""
        self.settle()
        if self._is_over:
            return None
        appointment = _WAITING.first(game=self._game.pk, kind=kind, subject=subject)
        return appointment.due if appointment else None

    def subjects(self, *kinds: str) -> set[str]:
        """The subjects of all such appointments to come."""
        return {subject for _, subject in self.subjects_by_kind(*kinds)}

    def subjects_by_kind(self, *kinds: str) -> set[tuple[str, str]]:
        """The same, each behind its kind."""
        self.settle()
        if self._is_over:
            return set()
        return set(_SUBJECTS.all(kinds=list(kinds), game=self._game.pk))

    def cancel(self, kind: str, subject: str = "") -> None:
        """Cancel all appointments of that kind and subject that are still to come."""
        self._must_write()
        if not self._is_over:
            write(_CANCEL, [self._game.pk, kind, subject])
        self.changed = True

    def cancel_at(self, kind: str, subject: str, due: datetime) -> None:
        """Cancel the one of that kind and subject that is to come at that moment."""
        self._cancel(self._waiting(kind).filter(subject=subject, due=due))

    def cancel_whole(self, kind: str, subject: str) -> None:
        """The same, with those of that subject and something more behind a slash."""
        of_it = Q(subject=subject) | Q(subject__startswith=f"{subject}/")
        self._cancel(self._waiting(kind).filter(of_it))

    def cancel_all(self, *kinds: str) -> None:
        """Cancel all appointments of these kinds that are still to come."""
        self._cancel(self._waiting(*kinds))

    def _cancel(self, appointments: QuerySet[Appointment]) -> None:
        self._must_write()
        appointments.update(status=AppointmentStatus.CANCELLED)
        self.changed = True

    def pull_hours(self, passed: timedelta, since: datetime) -> None:
        """Bring what is counted in real hours nearer by the game time that did not pass.

        `since` is the game moment at which time stood still. What ran out meanwhile is due then,
        one after the other in its order.
        """
        self._must_write()
        by_the_hour = self._waiting(counted_in=CountedIn.HOURS, due__gt=since)
        soonest = since
        for waiting in by_the_hour:
            if waiting.due - passed < soonest:
                soonest += _APART
            waiting.due = max(waiting.due - passed, soonest)
            waiting.save(update_fields=["due"])
        self.changed = True

    def _waiting(self, *kinds: str, **conditions: Any) -> QuerySet[Appointment]:
        """Those to come, of these kinds if any are named, in the order in which they are kept."""
        waiting = self._game.appointments.waiting().filter(**conditions)
        if self._is_over:
            return waiting.none()
        return waiting.filter(kind__in=kinds) if kinds else waiting

    @property
    def _is_over(self) -> bool:
        return self._game.is_closed and not self._locked

    def _must_write(self) -> None:
        if not self._locked:
            raise RuntimeError("This schedule is open to be read only.")
        self.settle()

    def next(self, count: int, kinds: Iterable[str] = ()) -> list[Appointment]:
        """The next so many appointments of which everybody is told, of these kinds if any are
        named, in the order in which they are to be kept."""
        self.settle()
        if kinds:
            return list(self._waiting(*kinds, hidden=False)[:count])
        return [] if self._is_over else _WAITING.some(count, game=self._game, hidden=False)

    def note_next_due(self) -> None:
        """Note on the game when its oldest appointment is due and when a sweep should look.

        Where that at which it was stuck is no longer the oldest, it is free.
        """
        game = self._game
        oldest = self._write_kept(*self._kept) if self._kept else _OLDEST.first(game=game.pk)
        due, error, retry_at = oldest or (None, "", None)
        if game.stuck_at and not error:
            game.stuck_at, game.stuck_error = None, ""
        game.next_due = due
        game.wakes_at = game.clock.wall(due) if due else None
        if retry_at and game.stuck_at:
            game.wakes_at = retry_at
        if self.saves_next_due:
            update(game, *NEXT_DUE)

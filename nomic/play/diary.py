"""The appointments of one locked game: make them, cancel them, find the oldest that is due."""

from __future__ import annotations

from datetime import datetime, timedelta

from nomic.games.calendars import next_start
from nomic.games.models import Game
from nomic.play.events import find_event
from nomic.play.models import Appointment, CountedIn, Status

# What ran out while time stood still happens when it goes on, one after the other.
_APART = timedelta(microseconds=1)


class Diary:
    """What the rules will make happen, as the entry that is being made may change it."""

    def __init__(self, game: Game, now: datetime, *, locked: bool = False) -> None:
        self._game = game
        self._now = now
        self._locked = locked
        self.changed = False

    def make(
        self,
        kind: str,
        due: datetime,
        subject: str = "",
        *,
        counted_in: CountedIn = CountedIn.GAME,
    ) -> None:
        """Make an appointment at a game moment that is not past; made twice, it is one.

        Raises ValueError for a moment that is past: it would be out of order.
        """
        self._must_write()
        if due < self._now:
            raise ValueError(f"An appointment at {due} would lie before {self._now}.")
        asked = {"kind": kind, "subject": subject, "due": due}
        cancelled = self._game.appointments.filter(**asked, status=Status.CANCELLED)
        if not cancelled.update(status=Status.WAITING):
            how = {"priority": find_event(kind).priority, "counted_in": counted_in}
            made = Appointment(game=self._game, **asked, **how)
            Appointment.objects.bulk_create([made], ignore_conflicts=True)
        self.changed = True

    def begin(self, kind: str, subject: str = "") -> None:
        """Make the next appointment of an event that recurs, unless it is made already."""
        every = find_event(kind).every
        if every and not self.waiting(kind, subject):
            self.make(kind, next_start(every, self._now), subject)

    def waiting(self, kind: str, subject: str = "") -> bool:
        """Whether there is such an appointment to come."""
        return self._game.appointments.filter(
            kind=kind, subject=subject, status=Status.WAITING
        ).exists()

    def subjects(self, *kinds: str) -> set[str]:
        """The subjects of all such appointments to come."""
        waiting = self._game.appointments.filter(kind__in=kinds, status=Status.WAITING)
        return set(waiting.values_list("subject", flat=True))

    def cancel(self, kind: str, subject: str = "") -> None:
        """Cancel all appointments of that kind and subject that are still to come."""
        self._must_write()
        self._game.appointments.filter(kind=kind, subject=subject, status=Status.WAITING).update(
            status=Status.CANCELLED
        )
        self.changed = True

    def pull_hours(self, passed: timedelta, since: datetime) -> None:
        """Bring what is counted in real hours nearer by the game time that did not pass.

        `since` is the game moment at which time stood still. What ran out meanwhile is due then,
        one after the other in its order.
        """
        self._must_write()
        by_the_hour = self._game.appointments.filter(
            status=Status.WAITING, counted_in=CountedIn.HOURS, due__gt=since
        )
        soonest = since
        for waiting in by_the_hour:
            if waiting.due - passed < soonest:
                soonest += _APART
            waiting.due = max(waiting.due - passed, soonest)
            waiting.save(update_fields=["due"])
        self.changed = True

    def oldest(self) -> Appointment | None:
        """The appointment to be kept first, due or not."""
        return self._game.appointments.filter(status=Status.WAITING).first()

    def _must_write(self) -> None:
        if not self._locked:
            raise RuntimeError("This diary is open to be read only.")

    def next(self, count: int) -> list[Appointment]:
        """The next so many appointments in the order in which they are to be kept."""
        return list(self._game.appointments.filter(status=Status.WAITING)[:count])

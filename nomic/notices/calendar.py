"""Calendars of the next events of games, for people's own programs (RFC 5545)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from hashlib import sha256

from django.contrib.auth.models import User
from django.core import signing
from icalendar import Calendar, Event

from nomic.engine.events import title_of
from nomic.engine.models import Appointment
from nomic.engine.table import Table, glance
from nomic.games.models import Game
from nomic.notices.mail import absolute
from nomic.notices.preferences import choices_of

_SALT = "notices.calendar"
_MOST = 50  # events of one game


def calendar(title: str, games: Iterable[Game]) -> bytes:
    """The next events of these games of which everybody is told, at their wall moments.

    Where a game's time stands still, nothing comes at any moment.
    """
    shown = list(games)
    coming = []
    for game in shown:
        if not game.clock.rate or game.stuck_at:
            continue
        table = glance(game)
        appointments = list(table.appointments.next(_MOST))
        notice_lines = _told(table, appointments)
        events = {}
        for appointment in appointments:
            kind, subject = appointment.kind, appointment.subject
            plain_line = title_of(kind, table, subject), f"/g/{game.slug}/"
            # Those of which the same is told at one moment are one event.
            events[*notice_lines.get((kind, subject), plain_line), appointment.due] = appointment
        for (summary, path, due), appointment in events.items():
            starts = game.clock.wall(due)
            if starts is None:
                continue
            # The same for the same appointment; it does not tell how many others there are.
            key = f"{appointment.kind}|{appointment.subject}|{appointment.due:%Y%m%dT%H%M%S}"
            event = Event.new(
                uid=f"{sha256(key.encode()).hexdigest()[:32]}@{game.identity}",
                stamp=game.anchor_wall.replace(microsecond=0),
                start=starts.replace(microsecond=0),  # RFC 5545 knows no fractions of seconds
                summary=f"{game.title}: {summary}",
                url=absolute(path),
            )
            coming.append(event)
    of = sha256("|".join([title, *(game.identity for game in shown)]).encode()).hexdigest()[:32]
    whole = Calendar.new(prodid="-//Nomic//EN", name=title, uid=of, subcomponents=coming)
    return bytes(whole.to_ical())


type Tell = Callable[[Table, Collection[str]], Mapping[str, tuple[str, str]]]
_TELLING: dict[str, Tell] = {}


def in_calendars(*kinds: str) -> Callable[[Tell], Tell]:
    """Let calendars say of events of these kinds what that function tells at a table, by their
    subjects: a summary, and the path of a page; of others they say the title."""

    def register(tell: Tell) -> Tell:
        _TELLING.update(dict.fromkeys(kinds, tell))
        return tell

    return register


def _told(
    table: Table, appointments: Iterable[Appointment]
) -> dict[tuple[str, str], tuple[str, str]]:
    """What is told of these, by kind and subject."""
    subjects: dict[str, set[str]] = {}
    for appointment in appointments:
        if appointment.kind in _TELLING:
            subjects.setdefault(appointment.kind, set()).add(appointment.subject)
    return {
        (kind, subject): words
        for kind, of_kind in subjects.items()
        for subject, words in _TELLING[kind](table, of_kind).items()
    }


def secret_of(user: User) -> str:
    """By which the user's own calendar is asked for; renewed, the earlier one opens nothing."""
    return signing.dumps([user.pk, choices_of(user).calendar], salt=_SALT)


def owner_of(secret: str) -> User | None:
    """Whose calendar that is; None where it is nobody's, or not any more."""
    try:
        key, count = signing.loads(secret, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    user = User.objects.filter(pk=key, is_active=True).first()
    return user if user is not None and choices_of(user).calendar == count else None

"""Calendars of the next events of games, for people's own programs (RFC 5545)."""

from collections.abc import Iterable
from hashlib import sha256

from django.contrib.auth.models import User
from django.core import signing
from icalendar import Calendar, Event

from nomic.engine.events import title_of
from nomic.engine.table import glance
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
        # Those with one title at one moment are one event.
        events = {
            (title_of(appointment.kind, table, appointment.subject), appointment.due): appointment
            for appointment in table.appointments.next(_MOST)
        }
        for (title_there, due), appointment in events.items():
            starts = game.clock.wall(due)
            if starts is None:
                continue
            # The same for the same appointment; it does not tell how many others there are.
            key = f"{appointment.kind}|{appointment.subject}|{appointment.due:%Y%m%dT%H%M%S}"
            event = Event.new(
                uid=f"{sha256(key.encode()).hexdigest()[:32]}@{game.identity}",
                stamp=game.anchor_wall.replace(microsecond=0),
                start=starts.replace(microsecond=0),  # RFC 5545 knows no fractions of seconds
                summary=f"{game.title}: {title_there}",
                url=absolute(f"/g/{game.slug}/"),
            )
            coming.append(event)
    of = sha256("|".join([title, *(game.identity for game in shown)]).encode()).hexdigest()[:32]
    whole = Calendar.new(prodid="-//Nomic//EN", name=title, uid=of, subcomponents=coming)
    return bytes(whole.to_ical())


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

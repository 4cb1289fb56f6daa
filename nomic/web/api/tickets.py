"""Where a stream goes on; and tickets, by which the web server sends somebody to the process that
streams. A ticket stands in the place of the token: no address may hold a token, and clients do not
send one along to another port."""

import re
import secrets
from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest

from nomic.web.api.messages import LAST_EVENT, WrongShape, complaint
from nomic.web.api.rooms import caller_of

TICKET = "ticket"  # the name of the parameter
_GOOD_FOR = 60  # seconds within which it is shown
_KEPT_AS = "nomic:ticket:{}"
AN_EVENT = "^[0-9]{1,10}(/(0|[0-9a-f-]{36}))?$"
_NAME = re.compile("[A-Za-z0-9_-]{32}")
_NO_ID = "This is no id of an event: send the last one as it came, or none."


def last_event(request: HttpRequest) -> tuple[int, str] | None:
    """The number of the entry that a program has, and that of the notice, “” for none; None where
    it says nothing of it. Raises WrongShape."""
    sent = request.headers.get(LAST_EVENT) or request.GET.get("after")
    if not sent:
        return None
    if not re.fullmatch(AN_EVENT, sent):
        raise WrongShape(complaint(_NO_ID, "header", LAST_EVENT))
    number, _, notice = sent.partition("/")
    return int(number), notice


@dataclass(frozen=True, slots=True)
class Ticket:
    """By what somebody was let in who is to follow that game: the key of their token, that of their
    program's access, or that of their session. None has who is anybody."""

    slug: str
    token: int | None
    access: int | None
    session: str | None


def ticket_for(request: HttpRequest, slug: str) -> str:
    """What lets who asks follow that game, for a minute: a name by which the cache knows the
    ticket, since the key of a session belongs into no address."""
    caller = caller_of(request)
    token, access = (row.pk if row else None for row in (caller.token, caller.access))
    by_session = caller.user is not None and token is None and access is None
    name = secrets.token_urlsafe(24)
    ticket = Ticket(slug, token, access, request.session.session_key if by_session else None)
    cache.set(_KEPT_AS.format(name), ticket, _GOOD_FOR)
    return name


def read_ticket(name: str, slug: str) -> Ticket | None:
    """The ticket of that name; None where it is not good for that game, or no more."""
    found = cache.get(_KEPT_AS.format(name)) if _NAME.fullmatch(name) else None
    return found if isinstance(found, Ticket) and found.slug == slug else None

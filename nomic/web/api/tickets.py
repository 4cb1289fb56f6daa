"""Where a stream goes on; and tickets, by which the web server sends somebody to the process that
streams. A ticket stands in the place of the token: no address may hold a token, and clients do not
send one along to another port."""

import re

from django.core import signing
from django.http import HttpRequest

from nomic.web.api.messages import LAST_EVENT, WrongShape, complaint
from nomic.web.api.rooms import Caller

TICKET = "ticket"  # the name of the parameter
_GOOD_FOR = 60  # seconds within which it is shown
_SALT = "nomic.web.api.tickets"
AN_EVENT = "^[0-9]{1,10}(/(0|[0-9a-f-]{36}))?$"
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


def keys_of(caller: Caller) -> tuple[int | None, ...]:
    """The keys of the caller's account, token and access."""
    return tuple(row.pk if row else None for row in (caller.user, caller.token, caller.access))


def ticket_for(caller: Caller, slug: str) -> str:
    """What lets that caller follow that game, for a minute."""
    return signing.dumps([slug, *keys_of(caller)], salt=_SALT)


def read_ticket(ticket: str, slug: str) -> tuple[int | None, ...] | None:
    """The keys of the caller whom it was made for; None where it is not good for that game, or no
    more."""
    try:
        game, *keys = signing.loads(ticket, salt=_SALT, max_age=_GOOD_FOR)
    except (signing.BadSignature, ValueError):
        return None
    return tuple(keys) if game == slug else None

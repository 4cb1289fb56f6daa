"""Tickets, by which the web server sends somebody to the process that streams: no token stands in
an address, and none is lost where a client sends it to no other port."""

from django.core import signing

from nomic.web.api.rooms import Caller

TICKET = "ticket"  # the name of the parameter
_GOOD_FOR = 60  # seconds within which it is shown
_SALT = "nomic.web.api.tickets"


def keys_of(caller: Caller) -> tuple[int | None, ...]:
    """The keys of the caller's account, token and access."""
    return tuple(each and each.pk for each in (caller.user, caller.token, caller.access))


def ticket_for(caller: Caller, slug: str) -> str:
    """What lets that caller follow that game, for a minute."""
    return signing.dumps([slug, *keys_of(caller)], salt=_SALT)


def read_ticket(shown: str, slug: str) -> tuple[int | None, ...] | None:
    """The keys of the caller whom it was made for; None where it is not good for that game, or no
    more."""
    try:
        named, *keys = signing.loads(shown, salt=_SALT, max_age=_GOOD_FOR)
    except (signing.BadSignature, ValueError):
        return None
    return tuple(keys) if named == slug else None

"""Having heads stamped by a service outside, where the operator names one: of each game one a week.

Nothing waits for the service but this round, and no game is held meanwhile.
"""

import asyncio
import logging
import secrets
from dataclasses import asdict
from datetime import timedelta
from urllib.parse import urlsplit

import httpx
from django.conf import settings
from django.db.models import F, Max, Q

from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.record.keys import head_of
from nomic.record.models import Stamp
from nomic.record.stamps import NoStamp, moment_of, query

log = logging.getLogger(__name__)

_WEEK = timedelta(days=7)
_A_ROUND, _LONGEST = 60, timedelta(seconds=30)
_EACH_STEP, _ALTOGETHER = 5.0, 10.0  # seconds
_LARGEST = 65_536  # bytes of an answer
_HEADERS = {
    "Content-Type": "application/timestamp-query",
    "Accept": "application/timestamp-reply",
    "Accept-Encoding": "identity",
    "User-Agent": "Nomic",
}


def stamp_all() -> int:
    """Have the heads stamped whose time has come, for half a minute; returns how many were.

    The first that gets no stamp ends the round: the next one tries again, in another order.
    """
    if not settings.TIMESTAMP_URL:
        return 0
    until, stamped = wall_now() + _LONGEST, 0
    # The games with entries since their last stamp, if that is a week old, or without any.
    played = Game.objects.filter(scratch=False, last_entry__gt=0)
    last = played.annotate(stamped=Max("stamps__number"), since=Max("stamps__kept_at"))
    old = Q(stamped__lt=F("last_entry"), since__lte=wall_now() - _WEEK)
    for game in last.filter(Q(stamped=None) | old).order_by("?")[:_A_ROUND]:
        head, nonce = head_of(game), secrets.randbits(63) | 1
        digest = head.imprint_in(game)
        try:
            answer = asked(settings.TIMESTAMP_URL, query(digest, nonce))
            at = moment_of(answer, digest, nonce)
        except NoStamp as why:
            log.warning("No stamp for the head of “%s”: %s", game.slug, why)
            break
        row = Stamp(
            game=game,
            **asdict(head),
            service=(urlsplit(settings.TIMESTAMP_URL).hostname or "")[:253],
            at=at,
            kept_at=wall_now(),
            answer=answer,
        )
        Stamp.objects.bulk_create([row], ignore_conflicts=True)
        stamped += 1
        if wall_now() >= until:
            break
    return stamped


def asked(url: str, body: bytes) -> bytes:
    """The service's answer, within ten seconds, whatever it does; raises NoStamp."""
    try:
        return asyncio.run(_asked(url, body))
    except (TimeoutError, OSError, httpx.HTTPError, httpx.InvalidURL):
        raise NoStamp("The service does not answer.") from None


async def _asked(url: str, body: bytes) -> bytes:
    client = httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=_EACH_STEP)
    async with (
        asyncio.timeout(_ALTOGETHER),
        client,
        client.stream("POST", url, content=body, headers=_HEADERS) as answer,
    ):
        if not answer.is_success:
            raise NoStamp(f"The service answered {answer.status_code}.")
        got = b""
        async for part in answer.aiter_raw():
            got += part
            if len(got) > _LARGEST:
                raise NoStamp(f"The answer has more than {_LARGEST} bytes.")
        return got

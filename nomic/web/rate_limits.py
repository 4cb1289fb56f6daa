"""How often something may be done, counted in the cache; and how soon a password is tried again.

Guessing at an account is slow, and what others guess locks nobody out.

The failures of the last hour are counted for the account and the place of whoever tries, together.
A place is an address, or a known device: one that has signed in to this account since its password
was set. Who has failed often waits before the next attempt, longer each time, up to LONGEST. Where
addresses have failed OVERALL times at an account, even the first attempt from another one waits;
the wait begins when it is first asked for and belongs to that address, so that nobody uses up
another's turn. A known device waits for nobody's failures but its own.
"""

import hashlib
from dataclasses import dataclass
from math import ceil

from allauth.core.internal.ratelimit import cache_lock, get_ip
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from nomic.games.clock import wall_now

FROM_AN_ADDRESS, FROM_A_DEVICE, OVERALL = 5, 20, 50  # failures before the first wait
SHORTEST, LONGEST = 5, 15 * 60  # seconds between two attempts
REMEMBERED = 60 * 60  # seconds
_MOST = 100  # failures that are kept: with more of them no wait would be longer


class TooSoon(ValidationError):
    """The next attempt has to wait; the sentence says how long."""

    def __init__(self, seconds: float) -> None:
        whole = ceil(seconds)
        wait = f"{ceil(whole / 60)} minutes" if whole > 90 else f"{whole} seconds"
        super().__init__(f"Too many wrong attempts at this account. Try again in {wait}.")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One that has begun. It counts as a failure until it has succeeded."""

    shared: str
    own_key: str
    at: float

    def succeeded(self) -> None:
        """Forget what failed from this place at this account."""
        with cache_lock(self.shared):
            cache.delete(self.own_key)
            other_failures = [moment for moment in cache.get(self.shared, []) if moment != self.at]
            cache.set(self.shared, other_failures, REMEMBERED)


def begin(account: str, place: str, *, by_known_device: bool) -> Attempt:
    """Begin an attempt at the account from that place; raises TooSoon.

    `by_known_device` tells that the place is a device that the account knows.
    """
    shared, own_key = _key(account), _key(account, place)
    # Whoever guesses at the account holds its lock again and again: a known device takes its own.
    with cache_lock(own_key if by_known_device else shared) as locked:
        if not locked:
            raise TooSoon(SHORTEST)
        now = wall_now().timestamp()
        failures, overall = _recent(own_key, now), _recent(shared, now)
        if by_known_device:
            wait = _wait(len(failures), FROM_A_DEVICE)
        else:
            wait = max(_wait(len(failures), FROM_AN_ADDRESS), _wait(len(overall), OVERALL))
        if wait:
            first = f"{own_key}:asked"
            since = failures[-1] if failures else cache.get_or_set(first, now, REMEMBERED) or now
            if now < since + wait:
                raise TooSoon(since + wait - now)
        cache.set(own_key, [*failures, now][-_MOST:], REMEMBERED)
        if not by_known_device:
            cache.set(shared, [*overall, now][-_MOST:], REMEMBERED)
    return Attempt(shared, own_key, now)


def _wait(failures: int, free: int) -> int:
    return 0 if failures < free else min(SHORTEST * 2 ** (failures - free), LONGEST)


def _recent(key: str, now: float) -> list[float]:
    return [moment for moment in cache.get(key, []) if moment > now - REMEMBERED]


def _key(*words: str) -> str:
    return f"attempts:{hashlib.sha256(repr(words).encode()).hexdigest()}"


def is_too_often(subject: str, limit: int, seconds: int) -> bool:
    """Count that once more; whether that makes it more often than `limit` within these seconds.

    Where the cache cannot be had, nobody is held up.
    """
    return times(subject, seconds) > limit


def times(subject: str, seconds: int) -> int:
    """Count that once more; how often it was within these seconds, 0 where the cache does not
    know."""
    counter = f"nomic:{subject}:{int(wall_now().timestamp()) // seconds}"
    cache.add(counter, 0, 2 * seconds)
    try:
        return cache.incr(counter) or 0
    except ValueError:  # the counter went between the two: a cache that forgets
        return 0


def place_of(request: HttpRequest, purpose: str) -> str:
    """The address that asks, as 32 digits by which it is known again for that purpose alone, and
    which do not tell it."""
    return salted_hmac(purpose, get_ip(request), algorithm="sha256").hexdigest()[:32]

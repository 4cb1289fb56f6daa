"""The formulas of chance. docs/record-format.md has them in prose, for twenty lines of anybody's.

seed of a period   HMAC-SHA-256(master, "seed" | "private seed" + newline + period number),
                   with newline + purpose after it where the period has one
commitment         SHA-256(seed)
a roll             HMAC-SHA-256(seed, game newline place newline label newline attempt),
                   the place being the entry's number, “s” before that of a sealed one;
                   read as a whole number; numbers in the last, incomplete run of
                   `options` are rejected and the next attempt is made, so it is uniform
"""

import hashlib
import hmac
from collections.abc import Iterator

_SPAN = 1 << 256


def _hmac(key: bytes, *words: object) -> bytes:
    message = "\n".join(str(word) for word in words)
    return hmac.new(key, message.encode(), hashlib.sha256).digest()


def period_seed(master: bytes, number: int, *, private: bool = False, purpose: str = "") -> bytes:
    """The 32-byte seed of a game's period with that number, perhaps of a purpose of its own."""
    return _hmac(master, "private seed" if private else "seed", number, *filter(None, [purpose]))


def sealing_salt(master: bytes, number: int) -> str:
    """The salt of the sealed entry with that number, in hexadecimal."""
    return _hmac(master, "sealed", number).hex()


def commitment(seed: bytes) -> str:
    """What is published of a seed before it serves, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def roll(seed: bytes, game: str, place: int | str, label: str, options: int) -> int:
    """A whole number from 0 to options - 1, each equally likely.

    Raises ValueError where there is nothing to choose from.
    """
    if options < 1:
        raise ValueError("There must be something to choose from.")
    limit = _SPAN - _SPAN % options
    return next(n for n in _numbers(seed, game, place, label) if n < limit) % options


def _numbers(seed: bytes, game: str, place: int | str, label: str) -> Iterator[int]:
    attempt = 0
    while True:
        yield int.from_bytes(_hmac(seed, game, place, label, attempt))
        attempt += 1

"""The formulas of chance. docs/record-format.md has them in prose, for twenty lines of anybody's.

seed of a period   HMAC-SHA-256(master, "seed" | "private seed" + newline + period number),
                   with newline + purpose after it where the period has one
commitment         SHA-256(seed)
a roll             HMAC-SHA-256(seed, words newline attempt), the words, joined by newlines, being
                   the game, the period's purpose and number, the acting player's seat, the count
                   of rolls of the period before this one, and the hash of the last act of another
                   player; read as a whole number; numbers in the last, incomplete run of
                   `options` are rejected and the next attempt is made, so it is uniform
"""

import hashlib
import hmac
from collections.abc import Sequence
from itertools import count

_SPAN = 1 << 256


def _hmac(key: bytes, *words: object) -> bytes:
    message = "\n".join(str(word) for word in words)
    return hmac.new(key, message.encode(), hashlib.sha256).digest()


def period_seed(master: bytes, number: int, *, private: bool = False, purpose: str = "") -> bytes:
    """The 32-byte seed of a game's period with that number, perhaps of a purpose of its own."""
    return _hmac(master, "private seed" if private else "seed", number, *filter(None, [purpose]))


def sealing_salt(master: bytes, book: str, number: int) -> str:
    """The salt of the sealed entry with that number in the book, in hexadecimal."""
    return _hmac(master, "sealed", f"{book} {number}").hex()


def identity_of(master: bytes) -> str:
    """The random identity that a game takes from its master secret."""
    return _hmac(master, "identity").hex()[:32]


def commitment(seed: bytes) -> str:
    """The commitment published of a seed before it serves: its SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def roll(seed: bytes, words: Sequence[object], options: int) -> int:
    """A whole number from 0 to options - 1, each equally likely.

    Raises ValueError where there is nothing to choose from.
    """
    if options < 1:
        raise ValueError("There must be something to choose from.")
    limit = _SPAN - _SPAN % options
    numbers = (int.from_bytes(_hmac(seed, *words, attempt)) for attempt in count())
    return next(n for n in numbers if n < limit) % options

"""The options of a roll as it is kept: a list, or N where they are the numbers from 1 to N.

Records of games that began without the bound of rolls have the list, until they get it.
"""

from collections.abc import Sequence
from typing import Any


def as_kept(options: Sequence[Any]) -> list[Any] | int:
    """The options as they are kept in short: the last one, where they are the numbers up to it."""
    if isinstance(options, range):
        return options[-1] if options == range(1, len(options) + 1) and options else list(options)
    numbers = all(type(each) is int and each == at for at, each in enumerate(options, 1))
    return len(options) if numbers and options else list(options)


def spread(kept: list[Any] | int) -> Sequence[Any]:
    """The options of which that is kept, one after another."""
    return range(1, kept + 1) if isinstance(kept, int) else kept

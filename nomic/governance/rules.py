"""The fate of something that was announced first. No Django here."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal


@dataclass(frozen=True, slots=True)
class MotionTerms:
    """The terms on which a motion is carried out.

    It is carried out when `wait` (game time) is over and fewer than `objections` players have
    objected; never by time alone where `wait` is None. With `by_support`, more than half of the
    electorate carries it out at once. Objections `prevent` it for good, or let it wait for support.
    """

    wait: timedelta | None
    objections: int = 1
    by_support: bool = True
    prevent: bool = False


BY_SUPPORT = MotionTerms(wait=None)


def fate(
    objections: int, supports: int, electorate: int, time_is_over: bool, terms: MotionTerms
) -> Literal["done", "prevented"] | None:
    """The fate of a motion; None while it is undecided.

    The support of a majority, where it will do, carries it out whoever objects; so objections
    prevent such a motion only once its time is over.
    """
    if terms.by_support and 2 * supports > electorate:
        return "done"
    if objections >= terms.objections:
        decided = terms.prevent and (time_is_over or not terms.by_support)
        return "prevented" if decided else None
    return "done" if time_is_over and terms.wait is not None else None

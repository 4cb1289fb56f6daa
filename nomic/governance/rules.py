"""The fate of something that was announced first. No Django here."""

from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class Method:
    """What something that was announced takes: fewer than `objections` of these, at least `support`
    of that, or more support than `consent` times the objections, and some. With none of the three
    it takes time alone, which is notice."""

    objections: int = 0
    support: int = 0
    consent: Fraction | None = None

    @property
    def hears_objections(self) -> bool:
        return bool(self.objections or self.consent)

    @property
    def hears_support(self) -> bool:
        return bool(self.support or self.consent)

    def is_met(self, objections: int, supports: int) -> bool:
        """Whether so many objections and supporters are what it takes."""
        if self.consent is not None:
            return supports > self.consent * objections
        return supports >= self.support and (not self.objections or objections < self.objections)

    def __str__(self) -> str:
        if self.consent is not None:
            return f"with {float(self.consent):g} consent"
        if self.support:
            return f"with {self.support} support"
        if self.objections:
            return f"without {self.objections} objection{'s' if self.objections > 1 else ''}"
        return "with notice"


@dataclass(frozen=True, slots=True)
class MotionTerms:
    """The terms on which a motion is carried out.

    It is carried out when `wait` (game time) is over and fewer than `objections` players have
    objected; never by time alone where `wait` is None. With `by_support`, more than half of the
    electorate carries it out at once. Objections `prevent` it for good, or let it wait for support.

    By a `method` it is carried out as soon as `wait` is over and that is met; it ends undone when
    `lapse` is over, counted from its announcement, or where there is none with `wait`, unless
    support may still come. `by_hand` it is done by who announced it, and not by itself.
    """

    wait: timedelta | None
    objections: int = 1
    by_support: bool = True
    prevent: bool = False
    method: Method | None = None
    lapse: timedelta | None = None
    by_hand: bool = False


BY_SUPPORT = MotionTerms(wait=None)


def fate(
    objections: int,
    supports: int,
    electorate: int,
    time_is_over: bool,
    terms: MotionTerms,
    *,
    has_lapsed: bool = False,
) -> Literal["done", "prevented"] | None:
    """The fate of a motion; None while it is undecided.

    The support of a majority, where it will do, carries it out whoever objects; so objections
    prevent such a motion only once its time is over.
    """
    if terms.method is not None:
        if has_lapsed:
            return "prevented"
        is_ripe = terms.wait is None or time_is_over
        if is_ripe and terms.method.is_met(objections, supports):
            return None if terms.by_hand else "done"
        may_still = terms.lapse is not None or terms.by_hand or terms.wait is None
        return "prevented" if is_ripe and not may_still else None
    if terms.by_support and 2 * supports > electorate:
        return "done"
    if objections >= terms.objections:
        decided = terms.prevent and (time_is_over or not terms.by_support)
        return "prevented" if decided else None
    return "done" if time_is_over and terms.wait is not None else None

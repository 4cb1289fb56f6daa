"""How long programs may take at one act, and in a replay of it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from nomic.engine.programs.sandbox import Limits, Meter
from nomic.engine.shares.costs import spend

SECONDS = 0.25  # of a processor, for all that hangs on one act
LONGEST = 0.75  # seconds that go by meanwhile, whatever they go by with; then the sandbox's GRACE
_FOR_DECISIONS = 0.35  # of these are left to what only looks, in a game with decisions
_PATIENCE = 10  # times as long has a replay, on a machine that may have more to do


class Time:
    """The seconds that are left to the calls at one table, to those that only look by themselves.
    `decides` tells whether the game has programs with decisions."""

    def __init__(self, decides: Callable[[], bool], *, is_replayed: bool) -> None:
        self._decides = decides
        self._patience = _PATIENCE if is_replayed else 1
        self._left = dict.fromkeys((False, True), SECONDS * self._patience)
        self._longest = LONGEST * self._patience

    @contextmanager
    def anew(self) -> Iterator[None]:
        """In the block there is as much time as at the beginning, and nothing of it counts."""
        before = self._left, self._longest
        self._left = dict.fromkeys((False, True), SECONDS * self._patience)
        self._longest = LONGEST * self._patience
        try:
            yield
        finally:
            self._left, self._longest = before

    def left(self, looks: bool) -> float:
        """The seconds of a processor that calls still have, those that only look by themselves."""
        return self._left[looks]

    def is_left(self, looks: bool) -> bool:
        """Whether such calls have any seconds left, of a processor and by the clock."""
        return min(self._left[looks], self._still(looks)) > 0

    def _still(self, looks: bool) -> float:
        """The seconds that may go by with such calls: hooks take none from what decisions need, so
        that no vote comes out otherwise for what they do."""
        kept = 0.0 if looks or not self._decides() else _FOR_DECISIONS * self._patience
        return self._longest - kept

    @contextmanager
    def taken(self, title: str, looks: bool, meter: Meter) -> Iterator[None]:
        """Take what the block uses of that rule's program from the seconds that are left."""
        began, own = time.monotonic(), time.thread_time()
        try:
            yield
        finally:
            self._left[looks] -= meter.seconds + time.thread_time() - own
            gone = time.monotonic() - began
            self._longest -= gone
            spend(title, gone)

    def limits(self, busy: int, looks: bool) -> Limits:
        """How long one run may last on a machine that is so many times as slow."""
        most = Limits()
        return replace(
            most,
            seconds=most.seconds * self._patience,
            busy=busy,
            asking=most.asking * self._patience,
            left=self._still(looks),
        )

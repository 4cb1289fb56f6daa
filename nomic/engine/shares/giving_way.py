"""Giving way: what changes nothing keeps a game's lock from nobody for longer than a look takes."""

import math
import time

from nomic.engine.outcomes import Busy
from nomic.engine.shares.locks import is_waited_for

_A_LOOK = 0.1  # seconds for which whoever waits for the lock waits anyhow
_EACH = 0.1  # seconds after which it is looked again who waits


class GaveWay(Busy):
    """Raised where something imagined ended early, since somebody else waited for the game."""


class TookTooLong(Busy):
    """Raised where something imagined took longer than the game can be kept from everybody else."""

    def __init__(self) -> None:
        super().__init__("What this would do takes too long to be shown here.")


class Stay:
    """With the lock of a game, for what is undone: until `time.monotonic` has gone on to `until`,
    or somebody waits for the lock, who may come after a look's time."""

    def __init__(self, until: float) -> None:
        self.until = until
        self._again = math.inf
        self._is_waited_for = False

    def begin(self) -> None:
        """The lock is had from now on."""
        self._again = time.monotonic() + _A_LOOK

    def is_over(self) -> bool:
        """Whether it ends here, if what has been done is of any use already."""
        now = time.monotonic()
        if now >= self._again and not self._is_waited_for:
            self._is_waited_for, self._again = is_waited_for(), now + _EACH
        return self._is_waited_for or now >= self.until

    def go_on(self) -> None:
        """Raise GaveWay or TookTooLong where it ends here, of use or not."""
        if self.is_over():
            raise GaveWay if self._is_waited_for else TookTooLong

"""For how long a preview tries what a text would do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How much of a text is tried: so many changes, for so many seconds.

    `longest` are the seconds that the database may work at one statement.
    """

    changes: int
    seconds: float
    longest: float


WHILE_TYPED = Patience(changes=200, seconds=0.3, longest=0.4)
SUBMITTED = Patience(changes=500, seconds=1.0, longest=1.5)

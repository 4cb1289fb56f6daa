"""How much a block may do, and how it is said that it is wrong. No Django here."""

from dataclasses import dataclass

MOST_STEPS = 5_000_000  # rounds of loops, calls, and what the prelude charges for large values
LEAST_STEPS = 100_000  # of a call of mark_hand: all hands share MOST_STEPS, but each has so many
STEPS_AT_ONCE = 1_000  # the interpreter asks so often whether it shall go on
MOST_CALLS = 64  # deep
MOST_ELEMENTS = 100_000  # of a list, tuple or dict
MOST_LETTERS = 200  # of a text that a block makes
LONGEST_CONSTANT = 1_000  # letters of a text that stands in it, comments and docstrings apart
LARGEST = 10**30  # a number, or its negative
MOST_KEY = 2**31 - 1  # a whole number by which a dict is asked, or its negative
MOST_LEVELS = 16  # of values within values, where they are compared, searched or shown
MOST_SOURCE = 20_000  # characters of a block
MOST_BRACKETS = 24  # within each other in a block
MOST_INDENTS = 12
DEEPEST = 48  # parts of an expression or statement within each other


@dataclass(frozen=True, slots=True)
class Place:
    """A line and a column of a block, both counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class BlockWrong(Exception):
    """A block cannot be read, or came to no end that counts; `str()` is a sentence.

    `place` is where in the block, if that is known. `tripped` where it was not a budget of steps
    or sizes that ended it but the safety net of wall time or memory, which differs by machine.
    """

    def __init__(self, what: str, place: Place | None = None, *, tripped: bool = False) -> None:
        self.place = place
        self.tripped = tripped
        where = f" ({place})" if place else ""
        super().__init__(f"{what}{where}.")

"""Lists and numbers as sentences have them."""

from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row: “a, b and c”; nothing for none."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def first_of(words: Sequence[str], most: int) -> str:
    """The first of these words, and how many more there are: “a, b and 3 more”."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: “1 card”, “3 cards”."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"

"""The regulations that a contest starts with, and a library of secret ones. No Django here."""

from functools import cache
from pathlib import Path

from nomic.rulebook.shipped import ShippedRule, shipped_rules

RULEBOOK = Path(__file__).parent
LIBRARY = Path(__file__).parent / "library"

# The source leaves these out of its list of texts: they are secret, and drawn from the library.
SECRET_NUMBERS = (340, 350, 360, 370, 380, 390, 400)


@cache
def shipped_regulations() -> tuple[ShippedRule, ...]:
    """The regulations that everybody may read from the first day on, in ascending number."""
    return shipped_rules(RULEBOOK, "aceofspades")


@cache
def shipped_texts() -> tuple[tuple[int, str], ...]:
    """Their numbers and texts, as `charts_from` takes them."""
    return tuple((int(rule.number), rule.text) for rule in shipped_regulations())


@cache
def library() -> tuple[ShippedRule, ...]:
    """Marking Regulations to be drawn for the secret numbers, in the order of their titles.

    They have no number of their own, and none of them lowers what any hand is worth.
    """
    return tuple(sorted(shipped_rules(LIBRARY, "aceofspades"), key=lambda rule: rule.title))

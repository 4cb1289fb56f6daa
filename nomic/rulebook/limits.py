"""Which titles, numbers and texts a rule may have. Pure."""

import re
import unicodedata
from decimal import Decimal

from nomic.games.confusables import unseen

LONGEST_TITLE = 120
LONGEST_NUMBER = 20
LONGEST_TEXT = 200_000
_POWER = re.compile(r"\d{1,3}(?:\.\d{1,3})?", re.ASCII)


class BadRule(ValueError):
    """A rule cannot have that title, number or text, or no other than its own."""


def checked_title(title: str) -> str:
    """The title with its letters composed, as it is kept (NFC); BadRule where it can be none."""
    title = unicodedata.normalize("NFC", title)
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise BadRule(f"A title has 1 to {LONGEST_TITLE} characters, and this one {len(title)}.")
    if title != " ".join(title.split()):
        raise BadRule("A title is one line with single spaces, and none at its ends.")
    if hidden := unseen(title):
        raise BadRule(f"A title is one line of visible characters: {_code(hidden)} is none.")
    return title


def checked_number(number: str) -> str:
    """The number as it is kept, "" for none; BadRule where it can be none."""
    number = unicodedata.normalize("NFC", number)
    if len(number) > LONGEST_NUMBER:
        raise BadRule(
            f"A rule's number has at most {LONGEST_NUMBER} characters, and this one {len(number)}."
        )
    if number.split() != [number] * bool(number):
        raise BadRule("A rule's number is one word.")
    if hidden := unseen(number):
        raise BadRule(
            f"A rule's number is one word of visible characters: {_code(hidden)} is none."
        )
    return number


def checked_power(power: str) -> Decimal | None:
    """The power as it is kept, None for none; BadRule where it is no number from 0 to 999."""
    if not power:
        return None
    if not _POWER.fullmatch(power):
        raise BadRule(
            "A rule's power is a number from 0 to 999 with at most three decimals,"
            f" and “{power[:LONGEST_NUMBER]}” is none."
        )
    return Decimal(power)


def check_text(text: str) -> None:
    """Raise BadRule unless a rule can have that text."""
    try:
        text.encode()  # tells of half a character much sooner than looking for it
        can_be_stored = "\0" not in text
    except UnicodeEncodeError:
        can_be_stored = False
    if not can_be_stored:
        raise BadRule("A rule's text has a character that cannot be stored: NUL, or half of one.")
    if len(text) > LONGEST_TEXT:
        raise BadRule(
            f"A rule's text has at most {LONGEST_TEXT:,} characters, and this one {len(text):,}."
        )


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"

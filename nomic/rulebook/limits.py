"""Which titles, numbers and texts a rule may have, and why a rulebook is not changed as asked.

Nothing here knows Django.
"""

import re
import unicodedata
from decimal import Decimal

from nomic.games.confusables import first_unseen
from nomic.rulebook.in_force import RuleText

LONGEST_TITLE = 120
LONGEST_NUMBER = 20
LONGEST_TEXT = 200_000
CLASSES = MUTABLE, IMMUTABLE = "mutable", "immutable"
CLASS_RULE = "Immutable Rules"
"""The rule by which rules are immutable or mutable, where it is in force."""
_POWER = re.compile(r"\d{1,3}(?:\.\d{1,3})?", re.ASCII)


class BadRule(ValueError):
    """A rule cannot have that title, number or text, or no other than its own."""


class NoSuchRule(LookupError):
    """No rule of that title or number is in force, or it is not clear which is meant."""


class RuleExists(ValueError):
    """A rule of that title or number is in force already."""


class TooMuch(BadRule):
    """The rulebook has no room for a text: it would grow beyond a bound of its game."""


class RuleIsImmutable(BadRule):
    """An immutable rule, or one with such a rule under it, was to be changed."""

    def __init__(self, rule: RuleText) -> None:
        self.rule = rule
        which = "The rule" if rule.is_immutable else "A rule under"
        super().__init__(
            f"{which} “{rule.title}” is immutable: no proposal and no correction changes it"
            " before it has been transmuted in the way that the rules have for it."
        )


class RuleIsHidden(BadRule):
    """A rule that not everybody may read was to get another text or title."""

    def __init__(self) -> None:
        super().__init__("A hidden rule is not amended: repeal it, and enact another.")


def checked_title(title: str) -> str:
    """The title with its letters composed, as it is kept (NFC); BadRule where it can be none."""
    title = unicodedata.normalize("NFC", title)
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise BadRule(f"A title has 1 to {LONGEST_TITLE} characters, and this one {len(title)}.")
    if title != " ".join(title.split()):
        raise BadRule("A title is one line with single spaces, and none at its ends.")
    if hidden := first_unseen(title):
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
    if hidden := first_unseen(number):
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


def short(name: str) -> str:
    """A name that may be long, as a sentence quotes it."""
    return name if len(name) <= LONGEST_TITLE else name[:LONGEST_TITLE] + "…"

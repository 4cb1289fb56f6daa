"""The terms of deals, ties and days in the tables of regulations. No Django here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Refill:
    """If fewer than `below` cards are ever in the deck, `of_each` suit are made before the next one
    is dealt."""

    below: int
    of_each: int

    def is_for(self, cards: int) -> bool:
        """Whether a deck of so many cards is to be refilled."""
        return self.of_each > 0 and cards < self.below


@dataclass(frozen=True, slots=True)
class DealTerms:
    """The terms of a deal: the suits in their order, how many cards of which the deck is never
    without, and its refill."""

    suits: tuple[str, ...]
    least: Mapping[str, int]
    refill: Refill | None


@dataclass(frozen=True, slots=True)
class Tie:
    """The regulation that marks a tie for the highest worth anew, and by how many cards a hand."""

    number: int
    cards: int


def date_said(words: str) -> date | None:
    """The date that a cell says, such as 2002-05-15; None where it says none."""
    if not _DATE.fullmatch(words):
        return None
    try:
        return date.fromisoformat(words)
    except ValueError:
        return None

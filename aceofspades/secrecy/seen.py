"""Values of the contest as somebody sees them, filled by `View`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from aceofspades.rules.contest import describe_cards

type Hand = dict[str, int]


@dataclass(frozen=True, slots=True)
class SeenOffer:
    """An offer as somebody sees it who may: `by` and `accepted_by` are None while unnamed; `to` are
    those alone of whom the viewer may know."""

    code: str
    by: str | None
    to: list[str]
    gives: Mapping[str, int]
    takes: Mapping[str, int]
    anonymous: bool
    at: datetime
    end: str
    accepted_by: str | None

    @property
    def given(self) -> str:
        """The offerer's side in words: the cards that they would give."""
        return describe_cards(self.gives)

    @property
    def taken(self) -> str:
        """The other side in words: the cards that the offerer would get."""
        return describe_cards(self.takes)


@dataclass(frozen=True, slots=True)
class SeenPact:
    """An alliance yet to be agreed: its code, who would be in it, and who of them has agreed."""

    code: str
    members: list[str]
    agreed: list[str]


@dataclass(frozen=True, slots=True)
class SeenAlliance:
    """An alliance: its number and size for everybody, its members for who may know them."""

    number: int
    size: int
    members: list[str] | None


@dataclass(frozen=True, slots=True)
class MovedCards:
    """An entry's change of the hands: by holder, the cards of each suit, less than 0 where lost."""

    entry: int
    at: datetime
    gains: dict[str, Hand]

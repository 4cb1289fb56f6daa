"""Shapes of the API's answers on the contest, as the OpenAPI document tells them. Moments are ISO
8601 in UTC; what the caller may not see is absent."""

from typing import NotRequired, TypedDict

TransferShape = TypedDict(
    "TransferShape",
    {
        "entry": int,
        "at": str,
        "kind": str,
        "cards": int,
        "from": NotRequired[str],
        "to": NotRequired[str],
    },
)
TransferShape.__doc__ = """A move of cards; `from` and `to` are absent for an anonymous party."""

RegulationShape = TypedDict(
    "RegulationShape",
    {
        "number": int,
        "class": str,
        "visibility": str,
        "known_by": NotRequired[dict[str, str]],
        "text": NotRequired[str],
        "hints": NotRequired[list[str]],
    },
)
RegulationShape.__doc__ = """A regulation in force, with the hints that were given about it."""

ContestProposalShape = TypedDict(
    "ContestProposalShape",
    {
        "number": int,
        "regulation": int,
        "visibility": str,
        "by": str | None,
        "status": str,
        "decided_from": NotRequired[str],
        "text": NotRequired[str],
        "unplayed": NotRequired[list[str]],
        "warnings": NotRequired[list[str]],
        "for": NotRequired[int],
        "against": NotRequired[int],
        "mine": NotRequired[str],
        "votes": NotRequired[dict[str, str]],
    },
)
ContestProposalShape.__doc__ = """A proposal of the contest; `mine` is the caller's own vote.
`unplayed` are the sentences that would be in force and that nothing carries out as they read, or
that would be gone and are carried out still; `warnings` say what else of the contest would be."""


class FiguresShape(TypedDict):
    """The counts of cards that everybody may have (Regulation 225)."""

    deck_count: int
    hand_counts: dict[str, int]
    cards_dealt: dict[str, int]


class AllianceShape(TypedDict):
    """An alliance; its worth is null until the hands as they are now have been counted."""

    number: int
    size: int
    total_worth: float | None
    members: NotRequired[list[str]]


class CardOfferShape(TypedDict):
    """An offer to which the caller is a party: how many cards of each suit it gives and takes."""

    code: str
    gives: dict[str, int]
    takes: dict[str, int]
    to: list[str]
    at: str
    status: str
    by: NotRequired[str]
    accepted_by: NotRequired[str]


TabledShape = TypedDict(
    "TabledShape",
    {
        "number": int,
        "kind": str,
        "due": str,
        "from": NotRequired[str],
        "to": NotRequired[str],
        "count": NotRequired[int],
        "contestant": NotRequired[str],
        "regulation": NotRequired[int],
    },
)
TabledShape.__doc__ = """A tabled act that is still to be done, and what it is to be done to."""


class HandShape(TypedDict):
    """The caller's own hand, and what it is worth as far as they can know."""

    hand: dict[str, int]
    known_worth: float | None


class ReckoningShape(TypedDict):
    """When the Moment of Reckoning is or was, and what came of it."""

    due: str | None
    done: bool
    worths: NotRequired[dict[str, float]]
    finalists: NotRequired[list[str]]
    semigenius: NotRequired[list[str]]


class SuitsShape(TypedDict, total=False):
    """The hands whose suits the caller may see, and the Deck's cards by suit: all of it for
    everybody after the Moment of Reckoning, before it as far as the Contestmaster may see it."""

    hands: dict[str, dict[str, int]]
    deck: dict[str, int]


class ContestShape(FiguresShape, SuitsShape):
    """The contest; `contestants` in the order of their joining, `mine` for who has a hand."""

    contestants: list[str]
    transfers: list[TransferShape]
    regulations: list[RegulationShape]
    proposals: list[ContestProposalShape]
    alliances: list[AllianceShape]
    offers: list[CardOfferShape]
    tabled: list[TabledShape]
    mine: HandShape | None
    reckoning: ReckoningShape

"""Who may see what of the contest, and from when: one table for pages, API, reports and tests.

Public is what everybody may see, private what those with need to know may, secret what the
Contestmaster alone may (Regulations 104, 225, 230, 235), of what came to be since they took the
office. At the Moment of Reckoning all of it
becomes public (Regulation 120). No Django here.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import partial


class Eye(StrEnum):
    """The relation of somebody who looks to the thing that is seen."""

    ANYBODY = "anybody"
    OWN = "whose it is"
    PARTY = "a party to it"
    MEMBER = "a member of it"
    FULL = "who has full need to know"
    LIMITED = "who has limited need to know"
    CONTESTMASTER = "the Contestmaster"


class Designation(StrEnum):
    PUBLIC = "public"
    PRIVATE = "private"
    SECRET = "secret"  # noqa: S105 (a word of the regulations)


@dataclass(frozen=True, slots=True)
class Matter:
    """A row of the table: what it is, how the regulations designate it, and whose eyes may see it
    before the Moment of Reckoning."""

    subject: str
    designation: Designation
    regulation: str
    eyes: frozenset[Eye]


def _public(subject: str, regulation: str) -> Matter:
    return Matter(subject, Designation.PUBLIC, regulation, frozenset({Eye.ANYBODY}))


def _hidden(designation: Designation, subject: str, regulation: str, *eyes: Eye) -> Matter:
    return Matter(subject, designation, regulation, frozenset({*eyes, Eye.CONTESTMASTER}))


_private, _secret = partial(_hidden, Designation.PRIVATE), partial(_hidden, Designation.SECRET)


R104, R106, R107 = "Regulation 104", "Regulation 106", "Regulation 107"
R125, R225, R230, R235 = "Regulation 125", "Regulation 225", "Regulation 230", "Regulation 235"

DECK_COUNT = _public("the number of cards in the Deck", R225)
HAND_COUNT = _public("the number of cards in a hand", R225)
CARDS_DEALT = _public("the number of cards dealt to a contestant", R225)
TRANSFERS = _public("the number of cards transferred, and when", R225)
WHO_KNOWS = _public("who has need to know for a private regulation", R225)
VOTE_COUNTS = _public("the vote counts of a decided proposal", R225)
ALLIANCE_WORTH = _public("the total worth of an alliance", R225)
ALLIANCE_SIZE = _public("the number of contestants in an alliance", R225)
REGULATION_NUMBER = _public("that a regulation is, and its number", R106)
PUBLIC_TEXT = _public("the text of a public regulation or proposal", R104)

PRIVATE_TEXT = _private("the text of a private regulation", R106, Eye.FULL, Eye.LIMITED)
PRIVATE_PROPOSAL = _private("the text of a private proposal", R107, Eye.OWN)
HAND_SUITS = _private("the suits of the cards in a hand", R230, Eye.OWN)
TRANSFERRED_SUITS = _private("the suits of transferred cards", R230, Eye.PARTY)
ALLIANCE_MEMBERS = _private("who is in an alliance", R230, Eye.MEMBER)
OFFER = _private("an offer, and what became of it", R125, Eye.OWN, Eye.PARTY)
OFFERER = _private("who makes an anonymous offer", R125, Eye.OWN)
ACCEPTOR = _private("who accepts anonymously", R125, Eye.OWN)
PACT = _private("an alliance that is not agreed yet", R230, Eye.MEMBER)
NOTICE = _private("what a contestant was told", R104, Eye.OWN)

SECRET_TEXT = _secret("the text of a secret regulation or proposal", R106)
HAND_WORTH = _secret("the worth of a hand", R235)
RUNNING_COUNTS = _secret("the vote counts of a proposal up for vote", R235)
VOTE = _secret("a contestant's vote", R235, Eye.OWN)
WHO_KNOWS_ELSE = _secret("who knows anything but regulations", R235)
DECK_SUITS = _secret("the suits of the cards in the Deck", R230)
TABLED_DETAILS = _secret("the sealed part of a tabled act", R104)

MATRIX = tuple(matter for matter in globals().values() if isinstance(matter, Matter))


def may_see(matter: Matter, eyes: Collection[Eye], *, reckoned: bool = False) -> bool:
    """Whether somebody who is all of `eyes` to a thing may see that matter of it. Everybody may
    from the Moment of Reckoning on, when all is `reckoned`."""
    return reckoned or not matter.eyes.isdisjoint({Eye.ANYBODY, *eyes})

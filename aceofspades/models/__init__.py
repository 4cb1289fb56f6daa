"""Rows of the contest. The cards stand in the ledger, the regulations' texts in the rulebook. Who
may see which of these rows, secrecy/matrix.py says; those that are not for everybody,
secrecy/view.py alone shows."""

from aceofspades.models.between import Alliance, Ally, Notice, Offer, Pact, Partner, Receiver
from aceofspades.models.book import Hint, NeedToKnow, Proposal, Regulation, Vote
from aceofspades.models.contest import Contest, Contestant, Move
from aceofspades.models.court import Request

__all__ = (
    "Alliance",
    "Ally",
    "Contest",
    "Contestant",
    "Hint",
    "Move",
    "NeedToKnow",
    "Notice",
    "Offer",
    "Pact",
    "Partner",
    "Proposal",
    "Receiver",
    "Regulation",
    "Request",
    "Vote",
)

"""All state of the contest as plain values without database ids, to compare a replay by."""

from __future__ import annotations

from typing import Any

from aceofspades.models import (
    Alliance,
    Contest,
    Contestant,
    Hint,
    Move,
    NeedToKnow,
    Notice,
    Offer,
    Pact,
    Proposal,
    Regulation,
    Request,
    Tabled,
    Voice,
    Vote,
)  # fmt: skip
from nomic.engine.digest import plain_rows
from nomic.games.models import Game

_CONTEST = (
    "is_on", "opened", "begun_at", "reckoned_at", "reckoned_in", "worths_in", "masters",
    "deck_was_low",
)  # fmt: skip
_CONTESTANT = (
    "player__name", "turn", "active", "joined_at", "joined_in", "dealt", "worth", "finalist",
    "semigenius_in", "semigenius_at",
)  # fmt: skip
_PROPOSAL = (
    "number", "regulation_number", "text", "visibility", "by__name", "entry", "up_at", "up_in",
    "verdict", "decided_in", "for_votes", "against_votes", "effective_in",
)  # fmt: skip
_OFFER = (
    "code", "by__player__name", "gives", "takes", "anonymous", "at", "end", "ended_at",
    "accepted_by__player__name", "accepted_anonymously",
)  # fmt: skip
_TABLED = (
    "number", "kind", "details", "sealed", "request__number", "entry", "due", "end", "ended_in",
)  # fmt: skip
_REGULATION = ("number", "rule__title", "rule__enacted_in", "proposal__number", "gone_in")
_REQUEST = ("number", "by__name", "text", "entry", "judgement", "judged_in")
_MOVE = ("entry", "at", "kind", "giver", "receiver", "cards")


def digest(game: Game) -> dict[str, Any]:
    """Everything that the contest of that game has."""
    its = {"contest__game": game}
    return {
        "contest": plain_rows(Contest.objects.filter(game=game), *_CONTEST),
        "contestants": plain_rows(Contestant.objects.filter(**its), *_CONTESTANT),
        "proposals": plain_rows(Proposal.objects.filter(**its), *_PROPOSAL),
        "votes": plain_rows(
            Vote.objects.filter(proposal__contest__game=game),
            "proposal__number", "contestant__player__name", "way",
        ),
        "regulations": plain_rows(Regulation.objects.filter(**its), *_REGULATION),
        "need to know": plain_rows(
            NeedToKnow.objects.filter(regulation__contest__game=game),
            "regulation__number", "regulation__rule__enacted_in", "contestant__player__name",
            "full", "entry",
        ),
        "hints": plain_rows(
            Hint.objects.filter(regulation__contest__game=game),
            "regulation__number", "text", "entry",
        ),
        "moves": plain_rows(Move.objects.filter(**its), *_MOVE),
        "offers": plain_rows(Offer.objects.filter(**its), *_OFFER),
        "offered to": plain_rows(
            Offer.objects.filter(to__isnull=False, **its), "code", "to__player__name"
        ),
        "notices": plain_rows(
            Notice.objects.filter(contestant__contest__game=game),
            "contestant__player__name", "text", "at",
        ),
        "alliances": plain_rows(Alliance.objects.filter(**its), "number", "formed_at", "over_at"),
        "allies": plain_rows(
            Alliance.objects.filter(members__isnull=False, **its), "number", "members__player__name"
        ),
        "pacts": plain_rows(Pact.objects.filter(**its), "code", "at", "over_at"),
        "pact members": plain_rows(
            Pact.objects.filter(members__isnull=False, **its), "code", "members__player__name"
        ),
        "pacts agreed": plain_rows(
            Pact.objects.filter(agreed__isnull=False, **its), "code", "agreed__player__name"
        ),
        "requests": plain_rows(Request.objects.filter(**its), *_REQUEST),
        "tabled": plain_rows(Tabled.objects.filter(**its), *_TABLED),
        "voices": plain_rows(
            Voice.objects.filter(tabled__contest__game=game),
            "tabled__number", "contestant__player__name", "way", "entry",
        ),
    }  # fmt: skip

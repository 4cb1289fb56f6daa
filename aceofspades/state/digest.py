"""All state of the contest as plain values without database ids, to compare a replay by."""

from __future__ import annotations

from typing import Any

from django.db.models import Model

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
_KNOWN = (
    "regulation__number", "regulation__rule__enacted_in", "contestant__player__name", "full",
    "entry",
)  # fmt: skip
_VOICE = ("tabled__number", "contestant__player__name", "way", "entry")
_MOVE = ("entry", "at", "kind", "giver", "receiver", "cards")


_PARTS: dict[str, tuple[type[Model], str, tuple[str, ...]]] = {
    "contest": (Contest, "", _CONTEST),
    "contestants": (Contestant, "contest", _CONTESTANT),
    "proposals": (Proposal, "contest", _PROPOSAL),
    "votes": (
        Vote, "proposal__contest", ("proposal__number", "contestant__player__name", "way"),
    ),
    "regulations": (Regulation, "contest", _REGULATION),
    "need to know": (NeedToKnow, "regulation__contest", _KNOWN),
    "hints": (Hint, "regulation__contest", ("regulation__number", "text", "entry")),
    "moves": (Move, "contest", _MOVE),
    "offers": (Offer, "contest", _OFFER),
    "notices": (Notice, "contestant__contest", ("contestant__player__name", "text", "at")),
    "alliances": (Alliance, "contest", ("number", "formed_at", "over_at")),
    "pacts": (Pact, "contest", ("code", "at", "over_at")),
    "requests": (Request, "contest", _REQUEST),
    "tabled": (Tabled, "contest", _TABLED),
    "voices": (Voice, "tabled__contest", _VOICE),
}  # fmt: skip
_PARTIES: dict[str, tuple[type[Model], str, str]] = {
    "offered to": (Offer, "code", "to"),
    "allies": (Alliance, "number", "members"),
    "pact members": (Pact, "code", "members"),
    "pacts agreed": (Pact, "code", "agreed"),
}


def digest(game: Game) -> dict[str, Any]:
    """Everything that the contest of that game has."""
    parts = {}
    for name, (model, contest, columns) in _PARTS.items():
        path = f"{contest}__game" if contest else "game"
        parts[name] = plain_rows(model._default_manager.filter(**{path: game}), *columns)
    for name, (model, called, whom) in _PARTIES.items():
        its = {"contest__game": game, f"{whom}__isnull": False}
        rows = model._default_manager.filter(**its)
        parts[name] = plain_rows(rows, called, f"{whom}__player__name")
    return parts

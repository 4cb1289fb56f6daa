"""All state of the proposals as plain values without database ids; a replay must equal it."""

from __future__ import annotations

from typing import Any

from nomic.engine.digest import plain_rows
from nomic.games.models import Game
from proposals.models import (
    Comment,
    Errand,
    Link,
    NweekClock,
    Proposal,
    Strike,
    Version,
    Vote,
    VotingStrength,
)

_PROPOSAL = (
    *("serial", "number", "author__name", "title", "body", "version", "index", "proposal_class"),
    *("coauthors", "status", "success", "passed", "submitted_at", "submitted_in", "opened_at"),
    *("opened_in", "closes_at", "closed_at", "closed_in", "strength", "stamina", "outcome"),
    *("secret", "figures", "reasons", "effects"),
)
_VERSION = (
    *("proposal__serial", "number", "title", "body", "conflicts", "dependencies", "index"),
    *("proposal_class", "coauthors", "entry"),
)
_VOTE = ("proposal__serial", "player__name", "word", "at", "entry", "sealed")
_ERRAND = (
    *("proposal__serial", "place", "sentence", "why", "made_in", "done_in", "cited", "note"),
)


def digest(game: Game) -> Any:
    """Every proposal with its versions, links, votes, comments and errands, and the Clock."""
    of_game = {"proposal__game": game}
    return {
        "proposals": plain_rows(Proposal.objects.filter(game=game), *_PROPOSAL),
        "versions": plain_rows(Version.objects.filter(**of_game), *_VERSION),
        "links": plain_rows(
            Link.objects.filter(**of_game), "proposal__serial", "kind", "other__serial"
        ),
        "votes": plain_rows(Vote.objects.filter(**of_game), *_VOTE),
        "strikes": plain_rows(
            Strike.objects.filter(vote__proposal__game=game),
            *("vote__proposal__serial", "vote__player__name", "vote__entry", "reason", "entry"),
        ),
        "comments": plain_rows(
            Comment.objects.filter(**of_game),
            *("proposal__serial", "player__name", "text", "at", "entry"),
        ),
        "errands": plain_rows(Errand.objects.filter(**of_game), *_ERRAND),
        "strengths": plain_rows(
            VotingStrength.objects.filter(player__game=game), "player__name", "strength"
        ),
        "clock": plain_rows(
            NweekClock.objects.filter(game=game),
            *("nweek", "began_at", "is_on", "since", "gone", "voting"),
        ),
    }

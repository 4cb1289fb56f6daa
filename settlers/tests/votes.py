"""Changing the isle's rules as players do: by a proposal that reaches its quorum."""

from __future__ import annotations

from nomic.engine.take import take
from nomic.games.models import Game
from proposals.models import Proposal
from proposals.tests.site import remarks_in


def adopt(game: Game, body: str) -> Proposal:
    """Let the players submit that body, what is no instruction of it marked as remarks, and vote
    FOR it until it is enacted."""
    players = list(game.players.filter(active=True).order_by("pk"))
    inputs = {"body": body, "remarks": remarks_in(body)}
    entry = take(game.slug, players[0], "proposals.submit", inputs).entry
    handle = entry.outcome["proposal"]
    for player in players:
        take(game.slug, player, "proposals.vote", {"proposal": handle, "choice": "FOR"})
        proposal = Proposal.objects.get(game=game, number=handle)
        if proposal.passed is not None:
            break
    assert proposal.passed, proposal.reasons
    return proposal

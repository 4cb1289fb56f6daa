"""Many proposals and many votes at once, written as rows: what thousands of actions would leave."""

from __future__ import annotations

from datetime import datetime
from random import Random

from nomic.games.models import Game, Player
from nomic.ledger.models import Holder, HolderKind
from proposals.models import Link, Proposal, Vote

_WORDS = ("FOR", "FOR", "AGAINST", "ABSTAIN")


def seat_many(game: Game, count: int) -> list[Player]:
    """Seat so many players without going through the door."""
    players = Player.objects.bulk_create(
        Player(game=game, name=f"voter {number}", joined_at=game.anchor_game, vested=True)
        for number in range(1, count + 1)
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=player.name, player=player)
        for player in players
    )
    return players


def submit_many(game: Game, author: Player, count: int, *, links: int = 2) -> list[Proposal]:
    """So many Pending proposals without a number, some of them linked."""
    chance = Random(count)
    proposals = Proposal.objects.bulk_create(
        Proposal(
            game=game,
            serial=serial,
            author=author,
            body=f"Proposal {serial} says something.",
            submitted_at=game.anchor_game,
            submitted_in=1,
        )
        for serial in range(1, count + 1)
    )
    pairs = {
        (chance.choice(("conflict", "dependency")), *chance.sample(range(count), 2))
        for _ in range(count * links)
    }
    Link.objects.bulk_create(
        Link(proposal=proposals[source], other=proposals[target], kind=kind)
        for kind, source, target in sorted(pairs)
    )
    return proposals


def vote_many(proposals: list[Proposal], players: list[Player], at: datetime) -> int:
    """Every player votes on every proposal; returns how many votes that are."""
    chance = Random(len(players))
    votes = Vote.objects.bulk_create(
        (
            Vote(proposal=proposal, player=player, word=chance.choice(_WORDS), at=at, entry=1)
            for proposal in proposals
            for player in players
        ),
        batch_size=10_000,
    )
    return len(votes)

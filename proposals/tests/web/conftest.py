"""A game as full as one can be."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from proposals.models import Link, Proposal, Version, Vote
from tests.kit import WEDNESDAY, Take

NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)


@pytest.fixture
def crowd(game: Game, player: Player, act: Take) -> Callable[[int, int], None]:
    """Fill the game with players and proposals, many votes and links among them."""

    def fill(players: int, proposals: int) -> None:
        voters = Player.objects.bulk_create(
            Player(game=game, name=f"player {number}", joined_at=WEDNESDAY)
            for number in range(players)
        )
        act(player, "proposals.submit", title="Spoons", body="x")
        first = Proposal.objects.get()
        further = Proposal.objects.bulk_create(
            Proposal(
                game=game,
                serial=number,
                number=number,
                author=voters[number % players],
                title=f"Spoon {number}",
                body="x",
                submitted_at=WEDNESDAY,
                submitted_in=first.submitted_in,
            )
            for number in range(2, proposals + 1)
        )
        Version.objects.bulk_create(
            Version(proposal=proposal, number=1, body="x", index=1, entry=proposal.submitted_in)
            for proposal in further
        )
        Link.objects.bulk_create(
            Link(proposal=proposal, other=first, kind=kind)
            for proposal in further
            for kind in ("conflict", "dependency")
        )
        if game.edition in ("refresh-2006", "rule-5e33"):
            advance(game.slug, NDAY_9)
        else:
            seq = first.submitted_in
            of_its_own = {"opened_at": WEDNESDAY, "closes_at": THE_END, "opened_in": seq}
            Proposal.objects.filter(status="Pending").update(status="Open", **of_its_own)
        Vote.objects.bulk_create(
            Vote(proposal=proposal, player=voter, word="FOR", at=NDAY_9, entry=first.submitted_in)
            for proposal in (first, *further[:5])
            for voter in voters
        )

    return fill

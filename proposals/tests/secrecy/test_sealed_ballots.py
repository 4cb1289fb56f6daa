"""Where the rules say that votes are not seen while voting lasts, nobody sees them."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Proposal, Vote
from proposals.subgame import THE_ASSEMBLY
from tests.kit import WEDNESDAY, Take, user_of

pytestmark = pytest.mark.usefixtures("tags_tell_no_time")

NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
_SEEN = "| While voting lasts | yes |"


@pytest.fixture
def preset() -> str:
    return "b-nomic-5e33"


@pytest.fixture
def in_secret(game: Game, player: Player, rival: Player, act: Take) -> Game:
    """A game whose rules let nobody see votes, with an Open proposal."""
    text = game.rules.get(title="Voting").text
    hidden = text.replace(_SEEN, _SEEN.replace("yes", "no"))
    take(game.slug, None, "rulebook.amend", {"rule": "Voting", "text": hidden, "reason": "secrecy"})
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    advance(game.slug, NDAY_9)
    return Game.objects.get(pk=game.pk)


def seen_from_outside(game: Game, viewer: Client) -> list[Any]:
    """Everything that somebody else is told of the vote, byte by byte."""
    paths = (
        *(f"/api/v1/games/{game.slug}{rest}" for rest in ("", "/proposals", "/proposals/1")),
        *(f"/api/v1/games/{game.slug}{rest}" for rest in ("/record", "/balances")),
        *(f"/g/{game.slug}/record/feed/", f"/api/v1/games/{game.slug}/reports"),
    )
    answers = [viewer.get(path) for path in paths]
    return [(each.status_code, each.content, each.get("ETag")) for each in answers]


def test_nobody_sees_a_vote_before_the_close_and_everybody_after_it(
    in_secret: Game, player: Player, rival: Player, act: Take, client: Client
) -> None:
    client.force_login(user_of("juan"))
    before = seen_from_outside(in_secret, client)
    receipt = act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    assert seen_from_outside(in_secret, client) == before
    assert receipt.entry.opened_in is None
    told = THE_ASSEMBLY.item(glance(in_secret), player, "1")
    assert told is not None
    assert (told["votes"], told["for"], told["against"], told["strength"]) == ({}, None, None, None)

    advance(in_secret.slug, THE_END)
    told = THE_ASSEMBLY.item(glance(in_secret), None, "1")
    assert told is not None
    assert (told["votes"], told["success"]) == ({"Madrid": "AGAINST"}, "Lost")
    close = in_secret.entries.get(name="proposals.voting_closes")
    opened = in_secret.sealed_entries.filter(opened_in=close.seq).order_by("seq")
    assert [each.tag for each in opened] == ["anchor", "act", "hidden", "anchor"]
    told = [["proposals/p1", each.number, each.hash] for each in opened]
    assert close.outcome["opened"] == told
    assert opened[1].seq == Vote.objects.get().sealed


def test_a_game_with_sealed_votes_is_audited_and_replayed(
    in_secret: Game, player: Player, rival: Player, act: Take
) -> None:
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    assert replay(Game.objects.get(pk=in_secret.pk))[1] is None
    advance(in_secret.slug, THE_END)
    game = Game.objects.get(pk=in_secret.pk)
    assert replay(game)[1] is None
    assert not [finding for finding in audit(game) if finding.wrong]


def test_a_key_serves_one_vote_whichever_book_it_went_to(
    in_secret: Game, player: Player, rival: Player, act: Take
) -> None:
    first = act(rival, "proposals.vote", key="once", proposal=1, choice="FOR")
    again = act(rival, "proposals.vote", key="once", proposal=1, choice="FOR")
    assert again.repeated
    assert again.entry == first.entry
    with pytest.raises(Refused, match="key"):
        act(rival, "proposals.comment", key="once", proposal=1, text="Well.")


def test_a_vote_on_how_votes_are_seen_counts_for_proposals_that_open_after_it(
    in_secret: Game, player: Player, act: Take
) -> None:
    text = in_secret.rules.get(title="Voting").text
    shown = text.replace(_SEEN.replace("yes", "no"), _SEEN)
    take(in_secret.slug, None, "rulebook.amend", {"rule": "Voting", "text": shown, "reason": "x"})
    act(player, "proposals.vote", proposal=1, choice="FOR")
    assert Vote.objects.get().sealed is not None
    advance(in_secret.slug, THE_END)
    act(player, "proposals.submit", body="Forks.")
    advance(in_secret.slug, THE_END + timedelta(days=8))
    assert not Proposal.objects.get(number=2).secret

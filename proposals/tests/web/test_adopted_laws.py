"""Laws that are shipped are adopted by a vote, as the composer offers them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.cases.subgame import THE_CASES
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from proposals.models import Proposal
from proposals.web.examples import shipped_laws
from proposals.web.preview.preview import preview
from tests.kit import WEDNESDAY, Take, Visitor, seat


@pytest.fixture
def game(db: None) -> Game:
    return new_game("table", "agora-proposals", pace="manual", start=WEDNESDAY, offices="open")[0]


def test_each_law_that_the_game_has_not_is_read_as_it_stands(game: Game, player: Player) -> None:
    laws = shipped_laws(glance(game))
    assert [law.does for law in laws] == [
        "Cases, in a plain way for friends",
        "Reports that become true when nobody doubts them",
        "Deputies of offices that are late or vacant",
    ]
    for law in laws:
        foreseen = preview(game, None, law.written, {})
        assert foreseen.changes
        assert all(change.done for change in foreseen.changes), law.does


def test_the_plain_law_of_cases_is_adopted_by_a_vote(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    plain = next(law for law in shipped_laws(glance(game)) if "plain" in law.does)
    page = visit(player).get("/g/table/proposals/new/").content.decode()
    assert "Laws to adopt" in page
    act(player, "proposals.submit", title="Cases", body=plain.written)
    number = Proposal.objects.get(game=game).handle
    for voter in (player, rival, seat(game, "snail")):
        act(voter, "proposals.vote", proposal=number, choice="FOR")
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    game.refresh_from_db()
    table = glance(game)
    assert plain.does not in {law.does for law in shipped_laws(table)}
    assert "Cases, as Agora judges them" in {law.does for law in shipped_laws(table)}
    act(player, "cases.call", statement="It is Wednesday.")
    (case,) = THE_CASES.state(glance(Game.objects.get(pk=game.pk)), None) or ()
    assert case["judge"]

"""The page of a proposal agrees with itself when a vote is struck, before the close or after it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from proposals.models import Proposal
from proposals.state.results import results_of
from tests.kit import WEDNESDAY, Take, Visitor, seat, tight

PAGE = "/g/table/proposals/1/"
SINCE = "A vote was struck since the close"
STRIKE = "proposals.strike_vote"


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def voted(game: Game, player: Player, rival: Player, officer: Player, act: Take) -> Proposal:
    act(player, "proposals.submit", body="Nothing.")
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    for voter in (player, rival, officer):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    return Proposal.objects.get(game=game)


@pytest.mark.thorough
def test_a_vote_that_is_struck_after_the_close_stays_in_the_table_as_it_was_counted(
    game: Game, voted: Proposal, act: Take, visit: Visitor
) -> None:
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    assert SINCE not in visit().get(PAGE).content.decode()
    entry = act(None, STRIKE, proposal=1, voter="Madrid", reason="a slip").entry
    page = tight(visit().get(PAGE).content.decode())
    voted.refresh_from_db()
    assert "3 FOR" in page
    assert "3 voters" in page
    assert SINCE in page
    assert f"/g/table/proposals/results/{voted.closed_in}/" in page
    row = re.search(r'<tr><th scope="row">Madrid</th>.*?</tr>', page, re.DOTALL)
    assert row is not None
    assert "<s>FOR</s></td><td>FOR" in row[0]
    assert f">entry {entry.seq}</a>, after the close: a slip" in row[0]


def test_a_vote_that_is_struck_while_the_vote_is_open_counts_for_nothing(
    voted: Proposal, act: Take, visit: Visitor
) -> None:
    act(None, STRIKE, proposal=1, voter="Madrid", reason="a slip")
    page = tight(visit().get(PAGE).content.decode())
    rows = re.findall(r'<tr><th scope="row">Madrid</th>.*?</tr>', page, re.DOTALL)
    assert "<td>AGAINST</td><td>AGAINST</td>" in rows[0]
    assert "<s>FOR</s></td><td><span" in rows[1]
    assert "3 voters" in page
    assert SINCE not in page


@pytest.mark.parametrize("preset", ["blognomic"])
def test_results_that_a_strike_brought_about_have_the_vote_that_was_left(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    seat(game, "juan")
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    for voter, word in ((player, "FOR"), (rival, "FOR"), (rival, "DEFERENTIAL"), (officer, "FOR")):
        act(voter, "proposals.vote", proposal=1, choice=word)
    act(None, STRIKE, proposal=1, voter="Madrid", reason="a slip")
    decided = Proposal.objects.get(game=game)
    if decided.closed_in is None:
        pytest.fail("the strike did not let the queue move")
    results = results_of(game, decided.closed_in)
    assert results is not None
    assert results.proposals[0].votes["Madrid"] == "FOR"
    assert [each.vote for each in results.proposals[0].struck] == ["DEFERENTIAL"]

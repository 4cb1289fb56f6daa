"""Ballots of the contest in a game in which not everybody votes from the moment of joining."""

from __future__ import annotations

import pytest

from aceofspades.models import Proposal
from aceofspades.tests.acts import FOR, again
from aceofspades.tests.stage import PRESET, days, join, open_the_contest, propose, vote
from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Take, seat, user_of


@pytest.fixture
def game(db: None) -> Game:
    host = user_of("Murphy")
    return new_game(
        "table", PRESET, pace="manual", start=WEDNESDAY, voters="host", host=host, offices="host"
    )[0]


@pytest.fixture
def three(game: Game) -> list[Player]:
    open_the_contest(game)
    players = [seat(game, name) for name in ("Murphy", "Madrid", "Jason")]
    join(game, *players)
    return players


def test_who_may_not_vote_in_the_game_does_not_in_the_contest_nor_counts_in_its_majority(
    game: Game, three: list[Player], act: Take
) -> None:
    murphy, madrid, _ = three
    proposal = propose(game, madrid)
    with pytest.raises(Refused, match="whom the host accepts"):
        vote(game, proposal, {madrid: FOR})
    vote(game, proposal, {murphy: FOR})
    days(game, 3)
    assert Proposal.objects.get().verdict == "adopted"
    again(game)


def test_two_who_may_vote_are_more_than_one(game: Game, three: list[Player], act: Take) -> None:
    murphy, madrid, _ = three
    act(murphy.user, "games.accept", player="Madrid")
    proposal = propose(game, madrid)
    vote(game, proposal, {murphy: FOR})
    days(game, 3)
    assert Proposal.objects.get().verdict == ""
    vote(game, proposal, {madrid: FOR})
    days(game, 0)
    assert Proposal.objects.get().verdict == "adopted"
    again(game)

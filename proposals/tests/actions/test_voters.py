"""Games in which not everybody votes from the moment of joining."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.games.powers import voters
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.models import Proposal
from proposals.state.reading import State
from tests.kit import WEDNESDAY, Take, seat, user_of


@pytest.fixture
def mode() -> str:
    return "host"


@pytest.fixture
def game(db: None, mode: str) -> Game:
    host = user_of("Murphy")
    offices = "host"
    return new_game(
        "table", "agora-proposals", pace="manual", start=WEDNESDAY, voters=mode, host=host,
        offices=offices,
    )[0]  # fmt: skip


@pytest.fixture
def players(game: Game) -> list[Player]:
    return [seat(game, name) for name in ("Murphy", "Madrid", "Jason", "snail")]


def put_up(game: Game, act: Take, by: Player) -> str:
    act(by, "proposals.submit", title="A change", body="Enact a rule titled “Fun”:\n\n{{{Fun.}}}")
    return str(Proposal.objects.filter(game=game).latest("serial").handle)


def who_votes(game: Game) -> set[str]:
    return set(voters(game, game.last_at or WEDNESDAY).values_list("name", flat=True))


def test_the_first_seat_votes_and_the_others_once_the_host_accepts_them(
    game: Game, act: Take, players: list[Player]
) -> None:
    murphy, madrid, *_ = players
    handle = put_up(game, act, madrid)
    with pytest.raises(Refused, match="whom the host accepts"):
        act(madrid, "proposals.vote", proposal=handle, choice="FOR")
    act(murphy, "proposals.vote", proposal=handle, choice="FOR")
    entry = act(murphy.user, "games.accept", player="Madrid").entry
    assert entry.text == "By the host's word Madrid may vote."
    act(madrid, "proposals.vote", proposal=handle, choice="FOR")
    assert who_votes(game) == {"Murphy", "Madrid"}
    assert replay(game)[1] is None


def test_only_the_host_accepts_and_nobody_twice(
    game: Game, act: Take, players: list[Player]
) -> None:
    with pytest.raises(Refused) as refused:
        act(players[1], "games.accept", player="Madrid")
    assert refused.value.refusal.code == "not_the_officer"
    with pytest.raises(Refused, match="may vote already"):
        act(players[0].user, "games.accept", player="Murphy")


@pytest.mark.parametrize("mode", ["support"])
def test_the_voters_accept_by_support_whatever_many_others_say(
    game: Game, act: Take, players: list[Player]
) -> None:
    murphy, madrid, jason, snail = players
    motion = act(jason, "games.accept_by_support", player="Madrid").entry.outcome["motion"]
    for sock in (snail, madrid):
        with pytest.raises(Refused, match="not counted"):
            act(sock, "games.support", motion=motion)
    act(murphy, "games.support", motion=motion)
    assert who_votes(game) == {"Murphy", "Madrid"}
    assert replay(game)[1] is None


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["seated"])
def test_by_the_age_of_the_seat_everybody_votes_first_and_who_comes_later_waits(
    game: Game, act: Take, players: list[Player]
) -> None:
    assert len(who_votes(game)) == 4
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    sock = seat(game, "sock")
    handle = put_up(game, act, players[0])
    with pytest.raises(Refused, match="seven days"):
        act(sock, "proposals.vote", proposal=handle, choice="FOR")
    act(players[3], "proposals.vote", proposal=handle, choice="FOR")
    advance(game.slug, WEDNESDAY + timedelta(days=16))
    handle = put_up(game, act, players[0])
    act(sock, "proposals.vote", proposal=handle, choice="FOR")
    assert replay(game)[1] is None


@pytest.mark.parametrize("mode", ["everybody"])
def test_where_everybody_votes_there_is_nobody_to_accept(
    game: Game, act: Take, players: list[Player]
) -> None:
    with pytest.raises(Refused, match="from the moment of joining"):
        act(players[0].user, "games.accept", player="Madrid")


def test_quorums_count_those_who_may_vote(game: Game, act: Take, players: list[Player]) -> None:

    game.refresh_from_db()
    assert State(glance(game)).electorate.headcount == 1


def test_where_no_voter_plays_any_more_all_players_vote(
    game: Game, act: Take, players: list[Player]
) -> None:
    act(players[0], "games.leave")
    assert who_votes(game) == {"Murphy", "Madrid", "Jason", "snail"}

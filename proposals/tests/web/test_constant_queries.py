"""What opening, closing, voting and looking cost: the same queries however many there are."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine.catch_up import catch_up
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from proposals.models import Proposal
from proposals.subgame import THE_ASSEMBLY
from proposals.tests.crowd import seat_many, submit_many, vote_many
from tests.kit import WEDNESDAY, Take, Visitor

LIST = "/g/table/proposals/"
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)


def a_period(preset: str, players: int, proposals: int) -> tuple[int, int]:
    """The queries of opening a period with so many proposals, and of closing it."""
    game = new_game(f"{preset}-{proposals}", preset, pace="manual", start=WEDNESDAY)[0]
    voters = seat_many(game, players)
    made = submit_many(game, voters[0], proposals)
    opening = queries_until(game, NDAY_9, "proposals.voting_opens")
    vote_many(made, voters, NDAY_9)
    closing = queries_until(game, THE_END, "proposals.voting_closes")
    closed = Proposal.objects.filter(game=game)
    assert not closed.exclude(status="Historical").exists()
    assert closed.filter(passed=True).exists(), "what passes costs a statement of its own"
    return opening, closing


def queries_until(game: Game, moment: object, name: str) -> int:
    """Move time on; the queries of the event of that name."""
    Game.objects.filter(pk=game.pk).update(anchor_game=moment, wakes_at=None)
    while True:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            kept = catch_up(game.pk, limit=1)
        if not kept:
            raise AssertionError(f"{name} did not happen")
        if game.entries.filter(name=name, at=moment).exists():
            return len(seen)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("preset", ["b-nomic-2006", "b-nomic-5e33"])
def test_a_period_opens_and_closes_in_the_same_queries_however_full_it_is(preset: str) -> None:
    assert a_period(preset, 6, 5) == a_period(preset, 30, 50)


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


@pytest.mark.thorough
@pytest.mark.parametrize("players", [3, 300])
def test_voting_and_looking_stay_within_their_budgets(
    game: Game, player: Player, act: Take, players: int, django_assert_max_num_queries: Any
) -> None:
    voters = seat_many(game, players)
    proposals = submit_many(game, voters[0], players)
    queries_until(game, NDAY_9, "proposals.voting_opens")
    vote_many(proposals[:20], voters, NDAY_9)
    with CaptureQueriesContext(connection) as seen:
        act(player, "proposals.vote", proposal=1, choice="FOR")
    assert len(seen) <= 15
    with CaptureQueriesContext(connection) as seen:
        act(player, "proposals.submit", body="Spoons are nice.", conflicts=[1, 2, 3])
    assert len(seen) <= 16
    game.refresh_from_db()
    with CaptureQueriesContext(connection) as seen:
        assert THE_ASSEMBLY.state(glance(game), player)
    assert len(seen) <= 6


@pytest.mark.parametrize(
    ("players", "proposals"),
    [
        (3, 3),
        (300, 300),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in ((3, 300), (300, 3))),
    ],
)
@pytest.mark.parametrize(
    "preset",
    [
        "b-nomic-2006",
        *(
            pytest.param(each, marks=pytest.mark.thorough)
            for each in ("b-nomic-5e33", "agora-proposals", "blognomic")
        ),
    ],
)
def test_pages_ask_little_of_the_database_however_much_there_is(
    players: int,
    proposals: int,
    crowd: Any,
    player: Player,
    visit: Visitor,
    django_assert_max_num_queries: Any,
) -> None:
    crowd(players, proposals)
    client = visit(player)
    for path in (LIST, f"{LIST}1/", f"{LIST}2/?from=1&to=1"):
        client.get(path)
        with django_assert_max_num_queries(30):
            assert client.get(path).status_code == 200, path
    advance("table", THE_END)
    for path in (LIST, f"{LIST}1/"):
        client.get(path)
        with django_assert_max_num_queries(30):
            assert client.get(path).status_code == 200, path

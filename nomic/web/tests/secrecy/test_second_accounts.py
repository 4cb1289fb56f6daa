"""Who has a second account has no more power by it: it corrects nothing, alone or in numbers."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from nomic.engine.actions import admission, all_actions
from nomic.engine.digest import state_of
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from nomic.web.tests.watchers import Watcher
from tests.kit import WEDNESDAY, put_in_office, seat

pytestmark = pytest.mark.django_db

MILLION = {"amount": 1_000_000, "giver": "Mint", "receiver": "Murphy 0", "reason": "a slip"}
STRENGTH = ("proposals.set_strength", {"who": "Murphy 0", "strength": 5, "reason": "a ribbon"})
POINTS = ("ledger.correct", {**MILLION, "asset": "points"})
# What is refused to whoever holds no office, while each has its holder.
ATTEMPTS: list[tuple[str, dict[str, Any]]] = [
    POINTS,
    STRENGTH,
    ("ledger.correct", {**MILLION, "asset": "dollary"}),
    ("rulebook.amend", {"rule": "Voting", "text": "Murphy 0 decides.", "reason": "a slip"}),
    ("horses.correct_position", {"horse": "Baxter", "position": 12, "reason": "a slip"}),
    ("settlers.correct_visitor", {"visitor": "Merchant", "reason": "a slip"}),
    ("aceofspades.write_secret_regulation", {"regulation": 340, "text": "Nothing."}),
    ("games.pause", {"reason": "mine"}),
    ("games.take_office", {"office": "Onlooker"}),
    ("games.stand", {"office": "Horsened"}),
    ("games.appoint", {"office": "Horsened", "player": "Murphy 0"}),
    ("games.resign_office", {"office": "Horsened"}),
    ("games.withdraw", {"motion": 1}),
    ("games.support", {"motion": 1}),
]


@pytest.fixture(params=["support", "host"])
def offices(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def game(db: None, offices: str) -> Game:
    return new_game("table", "demo", pace="manual", start=WEDNESDAY, offices=offices)[0]


@pytest.fixture
def players(game: Game) -> list[Player]:
    return [seat(game, name) for name in ("Murphy", "Madrid", "Jason", "snail")]


def second_accounts(game: Game) -> list[Player]:
    """More accounts than there are players, who join now."""
    return [seat(game, f"Murphy {number}") for number in range(5)]


def ask(player: Player, name: str, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Status and answer of the API where that player asks for the act."""
    watcher = Watcher.of(player)
    answer = watcher.program.post(
        f"/api/v1/games/table/actions/{name}",
        json.dumps(inputs),
        content_type="application/json",
        headers=watcher.headers,
    )
    return answer.status_code, answer.json()


def hours(game: Game, number: float) -> None:
    game.refresh_from_db()
    advance(game.slug, game.anchor_game + timedelta(hours=number))


def facts(game: Game) -> dict[str, Any]:
    """What corrections could change, and who holds which office."""
    state = state_of(Game.objects.get(pk=game.pk))
    return {name: state[name] for name in ("balances", "rules", "offices")}


@pytest.fixture
def officer(game: Game, players: list[Player]) -> Player:
    """snail, who holds every office and has announced a correction, to which Murphy objects."""
    for office in game.offices.values_list("name", flat=True):
        put_in_office(game, office, players[3])
    take("table", players[3], POINTS[0], {**POINTS[1], "receiver": "Madrid"})
    take("table", players[0], "games.object", {"motion": 1})
    return players[3]


def test_while_offices_are_held_every_act_of_one_is_refused_with_a_sentence(
    game: Game, officer: Player
) -> None:
    accounts = second_accounts(game)
    before = state_of(Game.objects.get(pk=game.pk))
    tried = [(player, each) for player in accounts for each in ATTEMPTS[-1:]]  # in numbers
    tried += [(player, each) for player in accounts[:2] for each in ATTEMPTS]
    answers = [(player.name, name, *ask(player, name, inputs)) for player, (name, inputs) in tried]
    assert [each for each in answers if each[2] != 409 or not each[3]["sentence"]] == []
    assert state_of(Game.objects.get(pk=game.pk)) == before
    table = glance(Game.objects.get(pk=game.pk))
    of_offices = [act for act in all_actions() if act.office]
    assert len(of_offices) > 30
    refusals = {act.name: admission(act, table, accounts[0]) for act in of_offices}
    assert [name for name, refusal in refusals.items() if refusal is None] == []
    watcher = Watcher.of(accounts[0])
    offered = json.loads(watcher.get("/api/v1/games/table/actions").content)
    assert not {each["name"] for each in offered} & refusals.keys()


def test_accounts_that_came_after_an_announcement_may_at_most_delay_it(
    game: Game, officer: Player, players: list[Player]
) -> None:
    accounts = second_accounts(game)
    before = facts(game)
    for player in accounts:
        assert ask(player, "games.object", {"motion": 1})[0] == 201
        assert ask(player, "games.support", {"motion": 1})[1]["code"] == "not_counted"
    assert facts(game) == before
    hours(game, 30)
    assert game.motions.get(number=1).end == ""
    for player in players[1:3]:
        take("table", player, "games.support", {"motion": 1})
    assert game.motions.get(number=1).end == "done"


@pytest.mark.thorough
@pytest.mark.parametrize("offices", ["support"])
def test_while_offices_are_vacant_one_may_ask_and_later_accounts_are_not_counted(
    game: Game, players: list[Player]
) -> None:
    put_in_office(game, "Horsened", players[3])
    first = seat(game, "Murphy 0")
    before = facts(game)
    asked = [
        POINTS,
        STRENGTH,
        ("games.stand", {"office": "Assessor"}),
        ("games.stand", {"office": "Onlooker"}),
        ("games.recall", {"office": "Horsened"}),
    ]
    for name, inputs in asked:
        assert ask(first, name, inputs)[0] == 201, name
    for name, inputs in ATTEMPTS[2:5]:
        status, said = ask(first, name, inputs)
        assert (name, status) == (name, 409)
        assert said["sentence"].endswith(".")
    motions = list(game.motions.values_list("number", flat=True))
    assert len(motions) == len(asked)
    for player in (seat(game, f"Murphy {number}") for number in range(1, 6)):
        for motion in motions:
            assert ask(player, "games.support", {"motion": motion})[1]["code"] == "not_counted"
            status, said = ask(player, "games.object", {"motion": motion})
            assert (status, said["code"]) == (409, "needs_no_objection")
    assert facts(game)["rules"] == before["rules"]
    hours(game, 100)
    assert glance(game).ledger.balance(first, "points") == 0
    assert set(game.motions.values_list("end", flat=True)) == {""}
    assert facts(game)["offices"] == before["offices"]

"""The isle as programs read it and act on it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.web.tokens import make_token
from settlers.models import Isle
from settlers.tests.asking import send
from settlers.tests.crowd import let_them_deal, settle_many
from settlers.tests.stage import give, hours, place, results_are, visitor_is
from tests.kit import WEDNESDAY, Take, at_the_table, seat

Two = tuple[Player, Player]
RESOURCES = ["wheat", "sheep", "stone", "wood", "brick"]
ISLE = {
    *("visitor", "production", "results", "deck", "injured", "victims", "settlers", "offers"),
    *("offers_in_all", "mine"),
}
SETTLER = {
    *("stockpile", "domains", "buildings", "ready", "harvested", "traded", "used", "alliance"),
}
NUMBERS = {"wheat": 2, "sheep": 5, "stone": None, "wood": 8, "brick": 9}


@pytest.fixture
def told(game: Game, with_the_thug: Game, produced: Two, officer: Player, act: Take) -> Two:
    """Two Settlers who have dealt, while the Thug is here."""
    murphy, madrid = produced
    with at_the_table(game) as table:
        for each in produced:
            give(table, each, wood=5, brick=5)
    results_are(game, 2, 12)
    for each in produced:
        place(each, domains=NUMBERS)
    place(madrid, injured=True, buildings=["Farm", "Farm"])
    place(murphy, victim=True)
    act(murphy, "settlers.harvest")
    act(murphy, "settlers.ready")
    act(murphy, "settlers.set_alliance", other="Madrid", listed="on")
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wood": 2}, take={"brick": 1})
    visitor_is(game, "Thug")
    act(madrid, "settlers.bribe", items={"brick": 3, "wood": 9})
    return produced


def token(player: Player) -> str:
    assert player.user is not None
    return make_token(player.user, "a program")[1]


def read(path: str = "/settlers", key: str = "", game: str = "table") -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    response = Client().get(f"/api/v1/games/{game}{path}", headers=headers)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def test_the_isle_is_told_with_exactly_these_fields(game: Game, told: Two):
    isle = read()
    assert set(isle) == ISLE
    assert {**isle, "settlers": None, "deck": None} == {
        "visitor": "Thug",
        "production": 1,
        "results": [2, 12],
        "deck": None,
        "injured": ["Madrid"],
        "victims": ["Murphy"],
        "settlers": None,
        "offers": [
            {"number": 1, "by": "Murphy", "to": "Madrid", "give": {"wood": 2}, "take": {"brick": 1}}
        ],
        "offers_in_all": 1,
        "mine": None,
    }
    assert isle["deck"] == Isle.objects.get(game=game).deck
    assert sum(isle["deck"].values()) in range(7, 35)
    assert set(isle["settlers"]) == {"Murphy", "Madrid"}


def test_each_settler_is_told_with_exactly_these_fields(told: Two):
    found = read()["settlers"]
    assert [set(each) for each in found.values()] == [SETTLER] * 2
    assert found["Murphy"] == {
        "stockpile": {"wheat": 5, "sheep": 0, "stone": 0, "wood": 5, "brick": 5},
        "domains": NUMBERS,
        "buildings": [],
        "ready": True,
        "harvested": True,
        "traded": False,
        "used": [],
        "alliance": ["Madrid"],
    }
    assert list(found["Murphy"]["stockpile"]) == RESOURCES
    assert found["Madrid"]["buildings"] == ["Farm", "Farm"]


def test_before_the_first_production_there_are_no_results(settled: Two):
    isle = read()
    assert (isle["production"], isle["results"], isle["visitor"]) == (0, [], "None")
    assert isle["deck"] == {str(result): 6 - abs(result - 7) for result in range(2, 13)}


def test_mine_is_ones_own_bribe_and_null_for_whoever_is_no_settler(
    told: Two, officer: Player, game: Game
):
    murphy, madrid = told
    assert read(key=token(madrid))["mine"] == {"bribe": {"wood": 9, "brick": 3}, "bribe_value": 6}
    assert read(key=token(murphy))["mine"] == {"bribe": {}, "bribe_value": 0}
    assert read(key=token(seat(game, "juan")))["mine"] is None
    assert read()["mine"] is None
    desk = read(key=token(officer))
    assert desk["mine"] is None
    assert desk["bribes"] == {"Madrid": {"bribe": {"wood": 9, "brick": 3}, "bribe_value": 6}}
    for viewer in (madrid, murphy):
        assert "bribes" not in read(key=token(viewer))


def test_where_no_rule_knows_the_thug_nobody_has_a_bribe(settled: Two, officer: Player):
    assert read(key=token(settled[0]))["mine"] is None
    assert "bribes" not in read(key=token(officer))


def test_who_leaves_or_becomes_onlooker_is_not_told_among_the_settlers(told: Two, act: Take):
    murphy, madrid = told
    act(murphy, "games.leave")
    assert set(read()["settlers"]) == {"Madrid"}
    assert read()["victims"] == []
    assert read(key=token(murphy))["mine"] is None
    assert read(key=token(madrid))["mine"] is not None


def test_a_game_without_an_isle_has_none(db: None):
    new_game("races", "agora-races", pace="manual", start=WEDNESDAY)
    response = Client().get("/api/v1/games/races/settlers")
    assert response.status_code == 404
    assert "“The isle” is not played in this game." in response.text


def test_every_action_tells_its_shape_and_whether_it_is_legal(told: Two):
    _, madrid = told
    found = {each["name"]: each for each in read("/actions", token(madrid))}
    mine = {name.removeprefix("settlers.") for name in found if name.startswith("settlers.")}
    assert mine == {
        *("join", "harvest", "build", "swap_with_merchant", "ready", "not_ready", "bribe"),
        *("offer_trade", "accept_trade", "cancel_trade", "set_alliance"),
    }
    harvest = found["settlers.harvest"]
    assert (harvest["allowed"], harvest["refusal"]["code"]) == (False, "injured")
    assert set(harvest["refusal"]) == {"code", "sentence", "rule"}
    assert set(harvest["schema"]["properties"]["change"]["properties"]) == {"swap", "shift"}
    assert harvest["schema"]["required"] == []
    bribe = found["settlers.bribe"]
    assert bribe["allowed"]
    items = bribe["schema"]["properties"]["items"]
    assert list(items["properties"]) == RESOURCES
    assert items["properties"]["wheat"] == {"type": "integer", "minimum": 0, "maximum": 10**12}
    assert (items["additionalProperties"], bribe["schema"]["required"]) == (False, ["items"])
    assert found["settlers.offer_trade"]["schema"]["properties"]["to"]["enum"] == ["Murphy"]
    assert found["settlers.accept_trade"]["schema"]["properties"]["offer"]["enum"] == [1]
    assert found["settlers.build"]["schema"]["properties"]["building"]["enum"] == [
        *("Farm", "Quarry", "Church", "Cone"),
    ]


def test_the_onlooker_is_told_of_their_own_acts(told: Two, officer: Player):
    found = {each["name"]: each["allowed"] for each in read("/actions", token(officer))}
    assert found["settlers.produce"] is False
    assert found["settlers.receive_visitor"] is False
    assert found["settlers.open_visit"] is False


def test_every_example_of_a_schema_is_of_the_shape_that_it_tells(told: Two, act: Take):
    for each in read("/actions", token(told[1])):
        if not each["name"].startswith("settlers."):
            continue
        for name, shape in each["schema"]["properties"].items():
            for example in shape.get("examples", []):
                status, found = send(
                    told[1], each["name"].removeprefix("settlers."), {name: example}
                )
                told_of = [one["loc"] for one in found.get("detail", [])] if status == 422 else []
                assert ["body", name] not in told_of, (each["name"], example, found)


def test_a_program_harvests_builds_and_trades(game: Game, told: Two):
    murphy, madrid = told
    place(murphy, harvested_in=None)
    inputs = {"change": {"shift": {"resource": "wheat", "number": 4}}, "bonuses": []}
    status, entry = send(murphy, "harvest", inputs)
    assert (status, entry["kind"], entry["rule"]) == (201, "action", "The Gift of the Isle")
    assert entry["inputs"] == inputs
    assert entry["outcome"]["gained"] == {"wheat": 5}
    assert send(murphy, "build", {"building": "Quarry"})[1]["outcome"]["paid"] == {
        "wood": 1,
        "brick": 2,
    }
    status, entry = send(madrid, "accept_trade", {"offer": 1})
    assert (status, set(entry["outcome"])) == (201, {"offer", "lost"})
    status, refusal = send(madrid, "accept_trade", {"offer": 1})
    assert (status, refusal["code"]) == (409, "no_such_offer")


def test_a_key_gives_the_first_answer_again_for_public_and_for_private_acts(told: Two):
    murphy, madrid = told
    for player, name, inputs in (
        (madrid, "ready", {}),
        (murphy, "bribe", {"items": {"wheat": 1}}),
    ):
        first = send(player, name, inputs, "one key")
        again = send(player, name, inputs, "one key")
        assert (first[0], again[0]) == (201, 200)
        assert again[1] == first[1]
        status, refusal = send(player, "not_ready", {}, "one key")
        assert (status, refusal["code"]) == (409, "key_used")


@pytest.mark.thorough
@pytest.mark.parametrize("others", [3, 300])
@pytest.mark.parametrize(
    ("path", "most", "most_of_all"), [("/settlers", 15, 15), ("/actions", 19, 21), ("", 15, 15)]
)
def test_reading_costs_as_little_with_many_as_with_few(
    game: Game,
    told: Two,
    officer: Player,
    others: int,
    path: str,
    most: int,
    most_of_all: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
):
    let_them_deal(game, settle_many(game, others))
    for key, bound in (("", most), (token(told[0]), most), (token(officer), most_of_all)):
        read(path, key)
        with django_assert_max_num_queries(bound):
            read(path, key)


def test_the_openapi_document_has_the_isle(db: None):
    paths = json.loads(Client().get("/api/openapi.json").content)["paths"]
    found = paths["/api/v1/games/{slug}/settlers"]["get"]
    assert found["summary"] == "The isle"
    assert "`mine` is the caller's own bribe" in found["description"]


def test_the_record_tells_the_production_and_the_arrival_in_figures(game: Game, produced: Two):
    hours(game, 24)
    entries = {each["name"]: each for each in read("/record?after=0&limit=100")["entries"]}
    outcome = entries["settlers.production"]["outcome"]
    assert set(outcome) == {"production", "results", "drawn", "remade", "deck", "injured"}
    assert outcome["results"] == read()["results"]
    arrival = entries["settlers.arrival"]["outcome"]
    assert set(arrival) == {"arrival", "dice", "visitor", "before", "victims", "paid"}
    assert (arrival["arrival"], arrival["before"], arrival["paid"]) == (1, "None", {})

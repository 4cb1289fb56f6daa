"""The API's document for tools, and its page for people."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from nomic.engine.catch_up import catch_up
from nomic.engine.subgames import find_subgame
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.web.api.subgames import shape_of
from nomic.web.api.tests.conftest import Program
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, on_one_line, seat

SUBGAMES = ("horses", "proposals", "settlers", "aceofspades")

METHODS = {"get", "post", "put", "delete"}


@pytest.fixture
def document(db: None) -> dict[str, Any]:
    response = Client().get("/api/openapi.json")
    assert response.status_code == 200
    found: dict[str, Any] = json.loads(response.content)
    return found


def test_it_is_an_openapi_document(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert document["info"]["title"] == "Nomic"
    assert document["info"]["version"]
    names = []
    for path, methods in document["paths"].items():
        assert path.startswith("/api/v1/")
        assert set(methods) <= METHODS
        for operation in methods.values():
            names.append(operation["operationId"])
            assert operation["description"]
            assert operation["responses"]
            described = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
            assert described == set(re.findall(r"{(\w+)}", path))
    assert len(names) == len(set(names))


def test_every_reference_in_it_leads_somewhere(document: dict[str, Any]) -> None:
    for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(document)):
        target: Any = document
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]
        assert target


def test_it_lists_every_address_of_the_design(document: dict[str, Any]) -> None:
    game = "/api/v1/games/{slug}"
    expected = {"/api/v1/games", game, f"{game}/actions", f"{game}/actions/{{action}}"}
    expected |= {f"{game}/{part}" for part in ("record", "balances", "rules", "dice", "horses")}
    expected.add(f"{game}/reports/{{name}}")
    assert expected <= set(document["paths"])


def test_acting_needs_a_token_and_reading_none(document: dict[str, Any]) -> None:
    assert document["components"]["securitySchemes"]["BearerToken"]["scheme"] == "bearer"
    needed = {}
    for path, methods in document["paths"].items():
        short = path.removeprefix("/api/v1/").replace("games/{slug}", "…")
        needed |= {f"{method} {short}": each["security"] for method, each in methods.items()}
    reading, acting = {"BearerToken": ["read"]}, {"BearerToken": ["act"]}
    hosting = {"BearerToken": ["host"]}
    assert needed["get …/rules"] == [{}, reading]
    for own in ("me", "notices", "brought", "…/seat", "…/receipts", "…/moments"):
        assert needed[f"get {own}"] == [reading]
    for drafts in (
        "…/proposals/drafts",
        "…/documents/drafts",
        "…/cases/drafts",
        "…/contracts/drafts",
    ):
        assert needed[f"get {drafts}"] == needed[f"get {drafts}/{{number}}"] == [reading]
        assert needed[f"post {drafts}"] == [acting]
    assert needed["post …/actions"] == [acting, {"BearerToken": ["office"]}, hosting]
    assert needed["post …/invitations"] == [hosting]
    open_to_all = [each for each, ways in needed.items() if {} in ways and each[:4] != "get "]
    assert open_to_all == []
    act = document["paths"]["/api/v1/games/{slug}/actions/{action}"]["post"]
    assert {"200", "201", "401", "403", "404", "409", "422", "429", "503"} <= set(act["responses"])
    key = next(each for each in act["parameters"] if each["name"] == "Idempotency-Key")
    assert "printable ASCII" in key["description"]
    assert not re.search(key["schema"]["pattern"], "clé")
    assert act["requestBody"]["content"]["application/json"]


def test_it_says_where_the_site_is_and_how_much_may_be_asked(document: dict[str, Any]) -> None:
    assert document["servers"] == [{"url": "http://localhost:8000"}]
    assert "1,200 requests a minute" in document["info"]["description"]
    assert "bytes at most" in document["info"]["description"]


def test_each_address_tells_every_status_with_its_headers(document: dict[str, Any]) -> None:
    for methods in document["paths"].values():
        for method, operation in methods.items():
            answers = operation["responses"]
            assert {"401", "403", "404", "422", "429", "503"} <= set(answers)
            limits = {"RateLimit", "RateLimit-Policy"}
            assert {"Retry-After", *limits} == set(answers["429"]["headers"])
            if method == "get":
                assert {"ETag", "Link", "Nomic-Head", *limits} == set(answers["200"]["headers"])
                assert "content" not in answers["304"]
                assert "If-None-Match" in {each["name"] for each in operation["parameters"]}
            else:
                assert "413" in answers
            if method in ("post", "put"):
                assert operation["requestBody"]["content"]["application/json"]["schema"]


def test_a_game_has_a_document_with_an_address_for_each_action(bot: Program, game: Game) -> None:
    told = bot.json("openapi.json")
    offered = {action["name"]: action for action in bot.json("actions")}
    acts = "/api/v1/games/table/actions/"
    assert {path.removeprefix(acts) for path in told["paths"] if path.startswith(acts)} == {
        *offered
    }
    bet = told["paths"][f"{acts}horses.bet"]["post"]
    assert bet["operationId"] == "horses_bet"
    assert bet["security"] == [{"BearerToken": ["act"]}]
    schema = bet["requestBody"]["content"]["application/json"]["schema"]
    assert schema == offered["horses.bet"]["schema"]
    assert "Fargo" in json.dumps(schema)
    assert {each["name"] for each in bet["parameters"]} == {
        *("dry_run", "Idempotency-Key", "Nomic-Head")
    }
    names = [each["operationId"] for ways in told["paths"].values() for each in ways.values()]
    assert len(names) == len(set(names))
    assert all("{slug}" not in path for path in told["paths"])
    assert "/api/v1/games/table/record" in told["paths"]
    for reference in re.findall(r'"\$ref": "#/components/(\w+)/(\w+)', json.dumps(told)):
        assert reference[1] in told["components"][reference[0]] or reference[0] == "headers"


def test_what_a_witness_sends_is_told(document: dict[str, Any]) -> None:
    body = document["paths"]["/api/v1/games/{slug}/witness"]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert set(schema["properties"]) == {"heads", "receipts", "seen"}
    assert schema["properties"]["heads"]["maxItems"] == 20
    assert schema["additionalProperties"] is False


def test_the_page_works_without_a_script_of_its_own(db: None, document: dict[str, Any]) -> None:
    response = Client().get("/api/docs")
    assert response.status_code == 200
    page = response.content.decode()
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert " style=" not in page
    assert "<style" not in page
    assert not re.findall(r"<script(?![^>]*\bsrc=\"/static/)", page)
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", page)
    for path in document["paths"]:
        assert path in page
    assert "A key has 1 to 80 printable ASCII characters" in on_one_line(page)
    for place in re.findall(r'href="#([\w-]+)"', page):
        assert f'id="{place}"' in page, place
    for told in (
        "webhook-signature",
        "client_id",
        "Scope: <code>act</code> or <code>office</code>",
    ):
        assert told in on_one_line(page)


def test_the_documents_shapes_are_those_of_the_answers(
    anybody: Program, document: dict[str, Any]
) -> None:
    entry = anybody.json("record")["entries"][0]
    assert set(document["components"]["schemas"]["Entry"]["required"]) == set(entry)
    action = anybody.json("actions")[0]
    assert set(document["components"]["schemas"]["Action"]["properties"]) == set(action)


@pytest.fixture
def everything(db: None) -> Game:
    """A game in which all subgames are played, with one of each thing that states list."""
    game, _ = new_game("all", "demo", pace="manual", start=WEDNESDAY)
    snail, murphy, madrid = (seat(game, name) for name in ("snail", "Murphy", "Madrid"))
    catch_up(game.pk)
    take("all", snail, "games.take_office", {"office": "Contestmaster"})
    for each in (murphy, madrid):
        take("all", each, "settlers.join")
        take("all", each, "aceofspades.join")
    offer = {"to": ["Madrid"], "gives": {"Red": 1}, "takes": {"Black": 1}}
    take("all", murphy, "aceofspades.offer", offer)
    take("all", snail, "aceofspades.publish_regulation", {"regulation": 340})
    take("all", murphy, "proposals.submit", {"title": "Forks", "body": "Give Murphy 5 points."})
    return Game.objects.get(pk=game.pk)


@pytest.mark.parametrize(
    ("address", "subgame"),
    [*((name, name) for name in SUBGAMES), ("proposals/{item}", "proposals/p1")],
)
def test_the_documents_shapes_are_those_of_the_subgames(
    everything: Game, document: dict[str, Any], address: str, subgame: str
) -> None:
    get = document["paths"][f"/api/v1/games/{{slug}}/{address}"]["get"]
    shape = get["responses"]["200"]["content"]["application/json"]["schema"]
    told = Program(everything).json(subgame)
    if shape.get("type") == "array":
        shape, (told, *_) = shape["items"], told
    name = shape["$ref"].split("/")[-1]
    fields = document["components"]["schemas"][name]
    assert set(fields["required"]) <= set(told) <= set(fields["properties"])
    assert fields["description"]
    assert len(fields["properties"]) > 5


@pytest.mark.thorough
@pytest.mark.parametrize("name", SUBGAMES)
def test_no_shape_leaves_out_what_a_subgame_tells(everything: Game, name: str) -> None:
    murphy = everything.players.get(name="Murphy")
    assert murphy.user is not None
    token = make_token(murphy.user, "a program")[1]
    for seated, program in ((None, Program(everything)), (murphy, Program(everything, token))):
        told = find_subgame(name).state(glance(everything), seated)
        assert program.json(name) == json.loads(json.dumps(told))


def test_no_shape_leaves_out_what_is_told_of_a_proposal(everything: Game) -> None:
    told = find_subgame("proposals").item(glance(everything), None, "p1")
    assert Program(everything).json("proposals/p1") == json.loads(json.dumps(told))


def test_a_state_that_is_always_there_has_its_shape_as_well() -> None:
    def listed() -> list[dict[str, int]]:
        return []

    def perhaps() -> list[dict[str, int]] | None:
        return None

    assert shape_of(listed) == shape_of(perhaps) == list[dict[str, int]]


def test_a_state_of_which_nobody_says_what_it_is_names_itself() -> None:
    class Isle:
        def state(self):  # type: ignore[no-untyped-def]
            return []

    with pytest.raises(TypeError, match=r"Isle\.state does not say what it returns"):
        shape_of(Isle.state)

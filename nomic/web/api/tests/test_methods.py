"""Methods: what can be read can be asked for its head; another method is refused in JSON."""

import json

import pytest
import time_machine
from django.test import Client

from nomic.games.models import Game
from nomic.web.api import games
from nomic.web.api.tests.conftest import V1, Program

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]
NOWHERE = ["", "nothing", "v1", "v1/", "v1/games/table/nothing", "nothing/", "%0a", "%00"]
READ = ["", "actions", "record", "balances", "rules", "dice", "horses", "reports"]


@pytest.mark.parametrize("path", [V1, *READ])
def test_what_can_be_read_answers_head(anybody: Program, path: str) -> None:
    read = anybody.get(path)
    head = anybody.client.head(read.wsgi_request.path)
    assert head.status_code == read.status_code == 200
    assert head["Content-Type"] == read["Content-Type"]
    assert head.content == b""


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_a_method_that_an_address_does_not_take_is_refused_by_name(
    anybody: Program, method: str
) -> None:
    answer = getattr(anybody.client, method)(f"{V1}/table")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    detail = json.loads(answer.content)["detail"]
    assert detail == f"This address takes GET and HEAD, not {method.upper()}."


@pytest.mark.parametrize("method", METHODS)
def test_an_address_that_leads_nowhere_is_told_in_json_to_a_browser_too(
    anybody: Program, method: str
) -> None:
    browser = Client(enforce_csrf_checks=True)
    for path in NOWHERE:
        answer = browser.generic(method, f"/api/{path}", b"{}", "application/json")
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json"), (
            path
        )
        if method != "HEAD":
            assert "/api/docs" in json.loads(answer.content)["detail"]


@pytest.mark.parametrize("path", ["docs", "openapi.json", "v1/presets"])
def test_a_wrong_method_is_told_in_json_to_a_browser_too(anybody: Program, path: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    for method in METHODS[2:]:
        answer = browser.generic(method, f"/api/{path}", b"{}", "application/json")
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
        assert json.loads(answer.content)["detail"].endswith(f"not {method}.")


@pytest.mark.parametrize("path", ["games", "games/table", "games/table/record"])
def test_a_slash_at_the_end_is_no_other_address(anybody: Program, path: str) -> None:
    plain, slashed = (anybody.client.get(f"/api/v1/{path}{end}") for end in ("", "/"))
    assert (slashed.status_code, slashed.json()) == (200, plain.json())


def test_an_act_at_an_address_with_a_slash_is_done(bot: Program) -> None:
    answer = bot.send("games.leave/", b"{}")
    assert (answer.status_code, answer.json()["name"]) == (201, "games.leave")


def test_an_action_is_only_posted(anybody: Program) -> None:
    answer = anybody.get("actions/horses.bet")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert json.loads(answer.content)["detail"] == "This address takes POST, not GET."
    assert anybody.client.head(f"{V1}/table/actions/horses.bet").status_code == 405


def test_a_page_of_the_record_ends_where_it_has_grown_long(
    anybody: Program, player: object, rival: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = anybody.json("record")
    monkeypatch.setattr(games, "MOST_BYTES", 10)
    found: list[object] = []
    while len(found) < whole["last"]:
        page = anybody.json("record", after=len(found))
        assert len(page["entries"]) == 1
        assert page["last"] == whole["last"]
        found += page["entries"]
    assert found == whole["entries"]
    assert anybody.json("record", after=whole["last"])["entries"] == []


def test_other_sites_programs_may_read_and_act_with_a_token(bot: Program, game: Game) -> None:
    asked = {"Origin": "https://else.example", "Access-Control-Request-Method": "POST"}
    address = f"{V1}/{game.slug}/actions/games.leave"
    allowed = bot.client.options(address, headers=asked)
    assert allowed.status_code == 204
    assert allowed.headers["Access-Control-Allow-Origin"] == "*"
    assert "POST" in allowed.headers["Access-Control-Allow-Methods"]
    assert "Authorization" in allowed.headers["Access-Control-Allow-Headers"]
    for response in (bot.get(), bot.get("nowhere"), bot.act("games.leave")):
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response.headers
        exposed = response.headers["Access-Control-Expose-Headers"]
        assert {"RateLimit", "WWW-Authenticate"} <= {*exposed.split(", ")}
    assert "Access-Control-Allow-Origin" not in bot.get(f"/g/{game.slug}/").headers


def test_each_answer_tells_how_often_one_may_ask_yet(bot: Program) -> None:
    with time_machine.travel("2026-03-04T12:00:20Z", tick=False):
        first, second = bot.get("record"), bot.get("record")
    assert first.headers["RateLimit-Policy"] == '"requests";q=1200;w=60'
    left = [int(each.headers["RateLimit"].split("r=")[1].split(";")[0]) for each in (first, second)]
    assert left == [1199, 1198]
    assert second.headers["RateLimit"].endswith(";t=40")

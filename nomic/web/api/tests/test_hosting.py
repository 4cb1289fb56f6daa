"""Starting a game, inviting people, and letting them in, by programs."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from nomic.games.models import Game
from nomic.web.api.tests.conftest import Program
from nomic.web.models import Guest
from nomic.web.tokens import Scope, make_token
from tests.kit import user_of

ASKED = {"preset": "agora-races", "title": "Friday evening", "pace": "minutes", "name": "Murphy"}


def read(response: HttpResponse, status: int = 200) -> Any:
    assert response.status_code == status, response.content
    return json.loads(response.content)


def program(user: User, *scopes: Scope) -> Program:
    return Program(None, make_token(user, "a program", scopes or tuple(Scope))[1])


@pytest.fixture
def host(db: None) -> Program:
    return program(user_of("murphy"))


@pytest.fixture
def friend(db: None) -> Program:
    return program(user_of("alexis"))


@pytest.fixture
def started(host: Program) -> Any:
    asked = {**ASKED, "seen_by": "link", "joined_by": "host"}
    return read(host.sent("POST", "/api/v1/games", **asked), 201)


def test_a_game_is_started_as_its_page_starts_it(host: Program) -> None:
    kinds = {kind["name"]: kind for kind in host.json("/api/v1/presets")}
    assert kinds["nomic"]["laws"]
    assert "demo" not in kinds
    started = read(host.sent("POST", "/api/v1/games", **ASKED, bots=1), 201)
    game = Game.objects.get(slug=started["slug"])
    assert (game.title, game.rate, started["warning"]) == ("Friday evening", 2016, "")
    assert game.host is not None
    assert game.host.username == "murphy"
    assert game.players.count() == 2
    me = host.json("/api/v1/me")["games"]
    assert [(own["slug"], own["hosts"]) for own in me] == [(game.slug, True)]
    wrong = read(host.sent("POST", "/api/v1/games", preset="chess", title=""), 422)
    assert {"preset", "title"} <= {each["loc"][-1] for each in wrong["detail"]}


def test_a_guest_and_a_token_for_less_start_none(host: Program) -> None:
    reader = program(user_of("reader"), Scope.READ, Scope.ACT)
    assert reader.sent("POST", "/api/v1/games", **ASKED).status_code == 403
    guest = user_of("guest-1")
    Guest.objects.create(user=guest, place="here", made_at="2026-01-01T00:00Z")
    assert program(guest).sent("POST", "/api/v1/games", **ASKED).status_code == 403
    assert not Game.objects.exists()


def test_people_come_by_a_link_and_are_let_in(host: Program, friend: Program, started: Any) -> None:
    address = f"/api/v1/games/{started['slug']}"
    assert friend.get(address).status_code == 404
    own = host.json(f"{address}/host")["own"]
    assert [link["name"] for link in own["links"]] == ["Friends"]
    made = read(host.sent("POST", f"{address}/invitations", name="One", most=1), 201)
    token = made["url"].rstrip("/").rpartition("/")[2]
    opened = Program().json(f"/api/v1/invitations/{token}")
    assert (opened["title"], opened["closed"], opened["asks_first"]) == ("Friday evening", "", True)
    came = read(friend.sent("POST", f"/api/v1/invitations/{token}"))
    assert (came["slug"], came["asks_first"]) == (started["slug"], True)
    assert friend.json(f"{address}/host")["own"] is None
    assert read(friend.sent("POST", f"{address}/admissions", words="Please"), 201)["state"]
    (asks,) = host.json(f"{address}/host")["own"]["asking"]
    assert (asks["name"], asks["words"]) == ("alexis", "Please")
    assert friend.sent("PUT", f"{address}/admissions/alexis", let_in=True).status_code == 403
    let_in = read(host.sent("PUT", f"{address}/admissions/alexis", let_in=True))
    assert let_in == {"name": "alexis", "state": "admitted"}
    joined = friend.client.post(
        f"{address}/actions/games.join", {"name": "Alexis"}, "application/json",
        headers=friend._headers(),
    )  # fmt: skip
    assert joined.status_code == 201, joined.content
    other = program(user_of("else"))
    assert other.sent("POST", f"/api/v1/invitations/{token}").status_code == 410
    assert other.sent("POST", "/api/v1/invitations/none-such").status_code == 404
    withdrawn = host.sent("DELETE", f"{address}/invitations/{made['id']}")
    assert read(withdrawn)["name"] == "One"
    closed = Program().get(f"/api/v1/invitations/{token}")
    assert (closed.status_code, b"Friday" in closed.content) == (410, False)
    assert host.json(f"/api/v1/invitations/{token}")["title"] == "Friday evening"
    assert host.sent("DELETE", f"{address}/invitations/{made['id']}").status_code == 404
    assert friend.sent("POST", f"{address}/invitations", name="Mine").status_code == 403
    many = host.sent("POST", f"{address}/invitations", name="", most=1)
    assert read(many, 422)["detail"][0]["loc"] == ["body", "name"]


@pytest.mark.thorough
def test_rules_are_brought_and_forgotten(host: Program) -> None:
    assert host.get("/api/v1/brought").status_code == 404
    rules = "# First\nEverybody plays.\n\n# Second\nNobody leaves.\n"
    sent = read(host.sent("POST", "/api/v1/brought", name="r.md", words=rules), 202)
    assert (sent["name"], sent["read"], sent["digest"]) == ("r.md", False, "")
    assert host.sent("POST", "/api/v1/brought", words=rules).status_code == 429
    assert read(host.sent("DELETE", "/api/v1/brought"))["state"] == "forgotten"
    assert read(host.sent("POST", "/api/v1/brought"), 422)


def test_a_host_who_does_not_decide_who_joins_is_not_asked(host: Program, friend: Program) -> None:
    asked = {**ASKED, "joined_by": "everybody", "seen_by": "everybody"}
    slug = read(host.sent("POST", "/api/v1/games", **asked), 201)["slug"]
    refused = read(friend.sent("POST", f"/api/v1/games/{slug}/admissions"), 409)
    assert "games.join" in refused["detail"]

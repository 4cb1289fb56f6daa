"""Writing proposals by programs: previews, drafts, and votes counted otherwise."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from nomic.games.models import Game, Player
from nomic.web.tokens import make_token
from proposals.models import Draft
from tests.kit import Take

BODY = "Give Murphy 3 points.\n\nSpoons are nice."


class Writer:
    """A player's program at the proposals of a game."""

    def __init__(self, game: Game, player: Player) -> None:
        assert player.user is not None
        token = make_token(player.user, "a program")[1]
        self._headers = {"Authorization": f"Bearer {token}"}
        self._all = f"/api/v1/games/{game.slug}/proposals"

    def ask(self, method: str, path: str, status: int = 200, /, **body: Any) -> Any:
        sent = json.dumps(body) if body else ""
        answer: HttpResponse = Client().generic(
            method, f"{self._all}/{path}", sent, "application/json", headers=self._headers
        )
        assert answer.status_code == status, answer.content
        return json.loads(answer.content)


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


@pytest.fixture
def murphy(game: Game, player: Player) -> Writer:
    return Writer(game, player)


@pytest.fixture
def madrid(game: Game, rival: Player) -> Writer:
    return Writer(game, rival)


def test_a_text_is_previewed_before_it_is_submitted(murphy: Writer, game: Game) -> None:
    told = murphy.ask("POST", "preview", body=BODY, remarks=["Spoons are nice."])
    assert told["busy"] == ""
    assert told["changes"][0]["done"]
    assert told["changes"][0]["shifts"][0]["after"] == 3
    assert {each["by"] for each in told["executors"]} == {"program", "remark"}
    assert murphy.ask("POST", "preview", body="Take {")["unreadable"]
    assert not game.proposals.exists()
    assert not Draft.objects.exists()
    assert murphy.ask("POST", "preview", 422, text="x")


def test_drafts_are_kept_for_their_author_alone(murphy: Writer, madrid: Writer, game: Game) -> None:
    saved = murphy.ask(
        "POST", "drafts", 201, title="Spoons", body=BODY, coauthors=["Madrid"],
        units=[{"sentence": "The first sentence.", "passage": "Spoons."}],
        left=["Spoons are nice."], **{"class": "democratic"},
    )  # fmt: skip
    assert (saved["title"], saved["class"], saved["coauthors"]) == (
        "Spoons",
        "democratic",
        ["Madrid"],
    )
    one = f"drafts/{saved['number']}"
    assert murphy.ask("GET", one) == saved
    assert murphy.ask("GET", "drafts") == [saved]
    assert madrid.ask("GET", "drafts") == []
    for method, body in (("GET", {}), ("PUT", {"body": "x"}), ("DELETE", {})):
        assert madrid.ask(method, one, 404, **body)
    changed = murphy.ask("PUT", one, title="Forks", body="Forks.", seen=saved["saved_at"])
    assert (changed["title"], changed["units"], changed["number"]) == ("Forks", [], saved["number"])
    stale = murphy.ask("PUT", one, 409, body="Knives.", seen=saved["saved_at"])
    assert stale["refusal"]["code"] == "changed_elsewhere"
    assert murphy.ask("DELETE", one)["title"] == "Forks"
    assert murphy.ask("GET", one, 404)
    assert murphy.ask("POST", "drafts", 409)["code"] == "not_kept"
    assert murphy.ask("POST", "drafts", 404, body="x", revises=99)


def test_versions_and_other_laws_are_told(
    murphy: Writer, game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="Spoons", body=BODY, remarks=["Spoons are nice."])
    assert murphy.ask("GET", "p1/versions/1")["body"] == BODY
    assert murphy.ask("GET", "p1/versions/2", 404)
    act(player, "proposals.vote", proposal=game.proposals.get().handle, choice="FOR")
    counted = murphy.ask("GET", "p1/what-if")
    assert [each["own"] for each in counted][:2] == [True, False]
    assert counted[0]["figures"]
    assert murphy.ask("GET", "p9/what-if", 404)

"""Several acts at once: all of them are done, or none."""

import json
from typing import Any

import pytest
from django.http import HttpResponse

from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.web.api.tests.conftest import Program, fingerprint

Act = tuple[str, dict[str, Any]]


def together(program: Program, *acts: Act, key: str = "", dry: bool = False) -> HttpResponse:
    """POST these acts."""
    body = json.dumps([{"action": name, "inputs": inputs} for name, inputs in acts])
    headers = {**program._headers(), **({"Idempotency-Key": key} if key else {})}
    address = program._address("actions") + ("?dry_run=1" if dry else "")
    return program.client.post(address, body, "application/json", headers=headers)


def read(response: HttpResponse, status: int) -> Any:
    assert response.status_code == status, response.content
    return json.loads(response.content)


@pytest.fixture
def acts() -> tuple[Act, Act]:
    """Two acts that any player may do one after the other."""
    return ("games.leave", {}), ("games.join", {"name": "Murphy"})


def test_all_are_done_at_one_moment(
    bot: Program, game: Game, player: Player, acts: tuple[Act, Act]
) -> None:
    entries = read(together(bot, *acts), 201)
    assert [entry["name"] for entry in entries] == ["games.leave", "games.join"]
    assert entries[1]["seq"] == entries[0]["seq"] + 1
    assert entries[0]["at"] == entries[1]["at"]
    assert entries[0]["receipt"]["signature"]
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_where_one_is_refused_none_is_done(bot: Program, game: Game, acts: tuple[Act, Act]) -> None:
    before = fingerprint(game)
    refused = read(together(bot, acts[0], acts[1], acts[0], acts[0]), 409)
    assert (refused["act"], refused["status"]) == (3, 409)
    assert refused["refusal"]["sentence"] == refused["detail"]
    wrong = read(together(bot, *acts, ("horses.bet", {"horse": "Nobody"})), 422)
    assert wrong["detail"][0]["loc"][:2] == ["body", 2]
    assert read(together(bot, acts[0], ("games.nothing", {})), 404)
    assert read(together(bot), 422)
    assert read(together(bot, *[acts[0]] * 21), 422)
    answer = bot.client.post(
        bot._address("actions"), "{}", "application/json", headers=bot._headers()
    )
    assert read(answer, 422)["detail"][0]["msg"] == "This is a JSON list: […]."
    assert fingerprint(game) == before


def test_a_key_is_that_of_all_of_them(bot: Program, game: Game, acts: tuple[Act, Act]) -> None:
    first = read(together(bot, *acts, key="both"), 201)
    after = fingerprint(game)
    again = read(together(bot, *acts, key="both"), 200)
    assert [entry["hash"] for entry in again] == [entry["hash"] for entry in first]
    for others in ((*acts, acts[0]), (acts[1], acts[0]), acts[:1]):
        assert read(together(bot, *others, key="both"), 409)["code"] == "key_used"
    assert fingerprint(game) == after


def test_a_dry_run_tells_of_each_and_changes_nothing(
    bot: Program, game: Game, acts: tuple[Act, Act]
) -> None:
    before = fingerprint(game)
    left, joined = read(together(bot, *acts, key="dry", dry=True), 200)
    assert "leaves" in left["text"] or left["unknown"]
    assert set(joined) >= {"unknown", "price", "outlook"}
    refused = read(together(bot, acts[0], acts[0], dry=True), 409)
    assert refused["act"] == 1
    assert fingerprint(game) == before
    assert len(read(together(bot, *acts, key="dry"), 201)) == 2

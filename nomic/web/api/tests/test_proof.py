"""Programs prove what they saw: heads in answers and with acts, receipts, witnesses, keys."""

import json

import pytest
from django.test import Client

from nomic.games.models import Game, Player
from nomic.record.heads import Head
from nomic.record.keys import head_of, signed_head
from nomic.web.api.tests.conftest import V1, Program, ProgramOf
from nomic.web.proof import witness as witness_room
from tests.kit import stamped

ELSEWHERE = "f" * 64
HEAD = "Nomic-Head"


def head_now(game: Game) -> Head:
    game.refresh_from_db()
    return head_of(game)


def bringing(program: Program, **brought: object) -> list[dict[str, object]]:
    answer = program.client.post(
        f"{V1}/table/witness",
        json.dumps(brought),
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.token}"},
    )
    assert answer.status_code == 200, answer.content
    found: list[dict[str, object]] = json.loads(answer.content)
    return found


@pytest.mark.parametrize(
    "path", ["", "record", "balances", "horses", "reports/horsened", "witness"]
)
def test_what_is_told_of_a_game_tells_its_head(bot: Program, game: Game, path: str) -> None:
    assert bot.get(path)[HEAD] == str(head_now(game))


def test_what_is_told_of_no_game_tells_no_head(bot: Program) -> None:
    for address in (V1, f"{V1}/plugh", "/api/v1/keys"):
        assert HEAD not in bot.get(address).headers


def test_an_act_is_answered_with_a_receipt_and_keeps_the_head_that_was_sent(
    bot: Program, game: Game
) -> None:
    before = head_now(game)
    bot.client.defaults["HTTP_NOMIC_HEAD"] = str(before)
    answer = bot.act("horses.gain_dollaries", "k1")
    told = json.loads(answer.content)
    after = head_now(game)
    assert answer[HEAD] == str(after)
    assert told["saw"] == [before.number, before.hash]
    receipt = told["receipt"]
    assert (receipt["said"]["number"], receipt["said"]["hash"]) == (after.number, after.hash)
    assert (receipt["said"]["key"], receipt["signature"]) == (after.key, after.signature)
    assert receipt["doubt"] == ""
    assert json.loads(bot.act("horses.gain_dollaries", "k1").content) == told
    assert "receipt" not in bot.json("record")["entries"][-1]


def test_a_head_of_another_history_is_told_and_one_that_is_none_is_422(
    bot: Program, game: Game
) -> None:
    bot.client.defaults["HTTP_NOMIC_HEAD"] = "plugh"
    assert bot.act("horses.gain_dollaries").status_code == 422
    forked = signed_head(game, 2, ELSEWHERE)
    bot.client.defaults["HTTP_NOMIC_HEAD"] = str(forked)
    answer = bot.act("horses.gain_dollaries")
    assert answer.status_code == 201
    told = json.loads(answer.content)
    assert told["saw"] == [2, ELSEWHERE, forked.key, forked.signature]
    assert "two histories" in told["receipt"]["doubt"]


def test_a_program_gets_its_receipts_and_those_of_nobody_else(
    bot: Program, anybody: Program, program_of: ProgramOf, rival: Player, game: Game
) -> None:
    entry = json.loads(bot.act("horses.gain_dollaries").content)
    receipts = bot.json("receipts")
    assert receipts["older"] is None
    newest = receipts["receipts"][0]
    assert newest["entry"]["hash"] == entry["hash"]
    assert newest["signed"][0]["signature"] == entry["receipt"]["signature"]
    assert anybody.get("receipts").status_code == 401
    assert entry["hash"] not in program_of(rival).get("receipts").content.decode()


def test_heads_and_receipts_are_checked_and_who_saw_them_is_kept(
    bot: Program, anybody: Program, game: Game
) -> None:
    head = head_now(game)
    receipt = bot.json("receipts")["receipts"][0]
    answers = bringing(
        bot, heads=[str(head), f"2:{ELSEWHERE}", "plugh"], receipts=[receipt], seen=True
    )
    assert [(each["holds"], each["is_signed"]) for each in answers] == [
        (True, True),
        (False, False),
        (False, False),
        (True, True),
    ]
    told = anybody.json("witness")
    assert told["head"] == str(head)
    assert {(each["who"], each["holds"]) for each in told["seen"]} == {
        ("Murphy", True),
        ("Murphy", False),
    }


def test_bringing_needs_a_token_a_shape_and_has_an_end(
    bot: Program, anybody: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"{V1}/table/witness"
    headers = {"Authorization": f"Bearer {bot.token}"}
    browser = Client(enforce_csrf_checks=True)
    assert browser.post(address, "{}", content_type="application/json").status_code == 401
    for body in ('{"heads": 3}', "[]", "{", '{"receipts": ["x"]}'):
        answer = bot.client.post(address, body, content_type="application/json", headers=headers)
        assert answer.status_code == 422, body
    monkeypatch.setattr(witness_room, "AN_HOUR", 1)
    answers = [
        bot.client.post(address, "{}", content_type="application/json", headers=headers).status_code
        for _ in range(3)
    ]
    assert answers[-1] == 429


def test_the_keys_are_listed(anybody: Program, game: Game) -> None:
    [key] = anybody.json("/api/v1/keys")
    assert key["name"] == head_of(game).key
    assert len(key["public"]) == 64


def test_stamps_are_listed_and_each_is_there_whole(anybody: Program, game: Game) -> None:
    head = head_now(game)
    assert anybody.json("witness")["stamps"] == []
    assert anybody.get(f"witness/{head.number}").status_code == 404
    stamped(game)
    told = {
        "number": head.number,
        "head": str(head),
        "digest": head.imprint_in(game).hex(),
        "service": "stamps.example",
        "at": "2026-03-04T12:00:00.000000Z",
    }
    assert anybody.json("witness")["stamps"] == [told]
    assert anybody.json(f"witness/{head.number}") == {**told, "answer": "MAA="}
    assert anybody.get(f"witness/{10**30}").status_code == 404

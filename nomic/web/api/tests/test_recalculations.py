"""Programs ask for a past that goes otherwise, and read its report."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from nomic.games.models import Game, Player
from nomic.governance.recalculation.ratification import RATIFY
from nomic.governance.recalculation.revision import note_progress
from nomic.operations.tasks import make_report
from nomic.record.models import Entry
from nomic.web.api.tests.conftest import V1, Program, ProgramOf
from tests.kit import Take

ADDRESS = f"{V1}/table/recalculations"


@pytest.fixture(autouse=True)
def nobody_calculates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomic.governance.recalculation.revision._CALCULATORS", [])


@pytest.fixture
def gained(player: Player, act: Take) -> Entry:
    entry = act(player, "horses.gain_dollaries").entry
    assert isinstance(entry, Entry)
    return entry


def asking(program: Program, **revision: Any) -> HttpResponse:
    return program.client.post(
        ADDRESS,
        json.dumps(revision),
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.token}"} if program.token else {},
    )


def test_a_program_asks_and_its_report_is_what_a_ratification_takes(
    bot: Program, anybody: Program, game: Game, gained: Entry
) -> None:
    answer = asking(bot, strike=gained.seq)
    asked = json.loads(answer.content)
    assert answer.status_code == 202
    assert (asked["by"], asked["revision"], asked["hash"]) == ("Murphy", {"strike": gained.seq}, "")

    address = f"{ADDRESS}/{asked['number']}"
    note_progress(asked["number"], 2, 5)
    assert anybody.get(address).json()["progress"] == [2, 5]
    make_report(asked["number"])

    made = anybody.get(address).json()
    assert made["report"]["hash"] == made["hash"] != ""
    assert {step["entry"] for step in made["report"]["steps"]} == {gained.seq}
    assert [line["hash"] for line in anybody.get(ADDRESS).json()] == [made["hash"]]
    announced = bot.act(RATIFY, "k1", report=made["report"]["ratifiable"])
    assert announced.status_code == 201
    assert game.motions.get().action == RATIFY


def test_what_cannot_be_recalculated_says_why_and_leaves_nothing(
    bot: Program, anybody: Program, game: Game, gained: Entry
) -> None:
    first = asking(bot, strike=1)
    assert first.status_code == 409
    assert "without it there is no game" in json.loads(first.content)["sentence"]
    unknown = asking(bot, strike=gained.seq, colour="red")
    assert unknown.status_code == 422
    assert asking(bot, change=gained.seq).status_code == 422
    assert asking(bot, insert={"name": "horses.bet"}, after=10**30).status_code == 422
    assert asking(anybody, strike=gained.seq).status_code == 401
    assert anybody.get(f"{ADDRESS}/77").status_code == 404
    assert not game.recalculations.exists()


def test_only_players_ask(program_of: ProgramOf, outsider: User, game: Game, gained: Entry) -> None:
    answer = asking(program_of(outsider), strike=gained.seq)
    assert answer.status_code == 409
    assert "Only players of the game" in json.loads(answer.content)["sentence"]
    assert not game.recalculations.exists()

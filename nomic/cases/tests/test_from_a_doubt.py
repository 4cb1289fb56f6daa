"""A doubt of a report becomes a case in one click."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from nomic.cases.rules import CASES
from nomic.games.models import Game, Player
from tests.kit import at_the_table


@pytest.fixture
def preset() -> str:
    return "demo"


@pytest.fixture
def offices() -> str:
    return "open"


@pytest.fixture
def doubted(game: Game, act: Any, officer: Player, player: Player) -> int:
    """The number of the entry that published the report which Murphy doubts."""
    if not officer.offices.filter(name="Horsened").exists():
        act(officer, "games.take_office", office="Horsened")
    published: int = act(officer, "reports.publish", report="horsened").entry.seq
    act(player, "reports.doubt", entry=published, what="I have two & more hooves")
    return published


def ways(visit: Any, player: Player) -> list[str]:
    page = visit(player).get("/g/table/reports/horsened/").content.decode()
    return [unescape(way) for way in re.findall(r'href="(/g/table/cases/new/[^"]*)"', page)]


def test_a_doubt_leads_to_a_case_with_its_statement(
    doubted: int, player: Player, visit: Any
) -> None:
    (address,) = ways(visit, player)
    form = visit(player).get(address).content.decode()
    assert f"The report of entry {doubted} is wrong: I have two &amp; more hooves" in form


def test_without_cases_a_doubt_leads_to_none(
    game: Game, doubted: int, player: Player, visit: Any
) -> None:
    with at_the_table(game) as table:
        table.rules.repeal(CASES)
    assert ways(visit, player) == []

"""The Onlooker's weekly report, in all its forms."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.reports import find_report, published, reports_of
from nomic.operations.setup import seat_practice_players
from settlers.office.reports import _paid
from settlers.rules.titles import GIFT, THUG
from settlers.tests.stage import give, hours, place, results_are, visitor_is
from tests.kit import Take, at_the_table, figure

REPORT = find_report("onlooker")
Two = tuple[Player, Player]
NUMBERS = {"wheat": 2, "sheep": None, "stone": 12, "wood": 5, "brick": 6}
CANARY = 918_273_645


@pytest.fixture
def prepared(game: Game, with_the_thug: Game, produced: Two, act: Take) -> Game:
    """An isle on which something of everything has happened, and a bribe is told."""
    murphy, madrid = produced
    with at_the_table(game) as table:
        give(table, murphy, wheat=12, brick=3)
        give(table, madrid, wheat=2, stone=1)
    place(madrid, domains=NUMBERS | {"sheep": 3})
    place(murphy, domains=NUMBERS, buildings=["Farm", "Church"], injured=True)
    act(murphy, "settlers.set_alliance", other="Madrid", listed="on")
    act(madrid, "settlers.ready")
    visitor_is(game, THUG)
    act(madrid, "settlers.bribe", items={"wheat": 1})
    hours(game, 95)
    results_are(game, 4, 9)
    visitor_is(game, THUG)
    act(murphy, "settlers.bribe", items={"wood": CANARY})
    game.refresh_from_db()
    return game


def facts_of(game: Game) -> dict[str, Any]:
    game.refresh_from_db()
    return REPORT.all_facts(glance(game))


def test_the_report_tells_all_that_is_public(prepared: Game):
    facts = facts_of(prepared)
    assert json.loads(json.dumps(facts)) == facts
    assert (facts["production"], facts["results"], facts["visitor"]) == (2, [4, 9], "Thug")
    murphy, madrid = facts["settlers"]["Murphy"], facts["settlers"]["Madrid"]
    assert murphy["stockpile"] == {"wheat": 12, "sheep": 0, "stone": 0, "wood": 0, "brick": 3}
    assert madrid["stockpile"]["wheat"] == 1
    assert murphy["domains"] == NUMBERS
    assert (murphy["buildings"], murphy["alliance"]) == (["Farm", "Church"], ["Madrid"])
    assert 6 < sum(facts["deck"].values()) < 36
    assert [each["production"] for each in facts["productions"]] == [2, 1]
    (arrival,) = facts["arrivals"]
    assert arrival["paid"]["wheat"] == 1
    assert (arrival["payers"], arrival["more_payers"]) == ({"Madrid": {"wheat": 1}}, 0)
    assert facts["victims"] == arrival["victims"] != []


def test_the_report_tells_who_paid_the_thug_and_how_many_more(prepared: Game):
    facts = facts_of(prepared)
    (arrival,) = facts["arrivals"]
    rows = list(csv.reader(io.StringIO(REPORT.csv(facts))))
    assert ["Paid to the Thug", f"{arrival['arrival']}, Madrid", "Wheat", "1"] in rows
    paid = {f"Settler {number:02}": {"wood": number} for number in range(1, 24)}
    arrival |= _paid(paid)
    assert arrival["paid"]["wood"] == sum(range(1, 24))
    for told in (REPORT.text(facts), str(REPORT.html(facts))):
        assert "Settler 20" in told
        assert "Settler 21" not in told
        assert "and 3 more" in told
    for gone in ("payers", "more_payers"):
        del arrival[gone]
    assert "Nobody has paid." in REPORT.text(facts)


def test_a_bribe_that_waits_is_in_no_form_of_the_report(prepared: Game):
    facts = facts_of(prepared)
    assert "bribe" not in str(facts).casefold()
    forms = (str(facts), REPORT.text(facts), REPORT.html(facts), REPORT.csv(facts))
    for told in forms:
        assert not re.search(figure(CANARY), told)


def test_who_has_told_a_bribe_cannot_be_seen_by_the_report(
    prepared: Game, player: Player, act: Take
):
    before = facts_of(prepared)
    act(player, "settlers.bribe", items={"wood": 1})
    assert facts_of(prepared) == before


def test_the_text_stands_in_columns(prepared: Game):
    lines = REPORT.text(facts_of(prepared)).splitlines()
    assert "Settler  Wheat  Sheep  Stone  Wood  Brick" in lines
    assert "Madrid       1      0      1     0      0" in lines
    assert "Murphy      12      0      0     0      3" in lines
    assert "Murphy       2      -     12     5      6" in lines
    assert "Production 2 gave 4 and 9." in lines
    assert "The Visitor is Thug." in lines


def test_a_published_report_tells_settlers_by_name_though_it_was_kept_otherwise(prepared: Game):
    facts = facts_of(prepared)
    facts["settlers"] = dict(reversed(facts["settlers"].items()))
    assert REPORT.text(facts) == REPORT.text(facts_of(prepared))


def test_the_html_escapes_what_players_wrote(prepared: Game, act: Take):
    facts = facts_of(prepared)
    facts["settlers"]["<b>Bold</b>"] = facts["settlers"]["Murphy"]
    drawn = REPORT.html(facts)
    assert "&lt;b&gt;Bold&lt;/b&gt;" in drawn
    assert "<b>Bold" not in drawn
    assert '<td class="number">12</td>' in drawn


def test_the_csv_is_one_fact_a_row(prepared: Game):
    sheet = list(csv.reader(io.StringIO(REPORT.csv(facts_of(prepared)))))
    assert sheet[0] == ["part", "name", "what", "value"]
    assert ["The isle", "Visitor", "Value", "Thug"] in sheet
    assert ["Stockpiles", "Murphy", "Wheat", "12"] in sheet
    assert ["Settlements", "Murphy", "Buildings", "Farm, Church"] in sheet
    assert {len(row) for row in sheet} == {4}


def test_an_isle_without_settlers_is_told_in_words(game: Game):
    text = REPORT.text(facts_of(game))
    for words in (
        "There are no Settlers.",
        "There has been no Production yet.",
        "There has been none.",
        "Nobody visits.",
        "Injured: nobody. Victims: nobody.",
    ):
        assert words in text


def test_a_broken_table_holds_no_report_up(prepared: Game):
    with at_the_table(prepared) as table:
        table.rules.amend(GIFT, "Harvest well.\n\n| NUMBER | YIELD |\n| --- | --- |\n| 2 | all |")
    assert "Madrid" in REPORT.text(facts_of(prepared))


def test_the_report_is_made_each_week(game: Game, settled: Two):
    assert "onlooker" in [report.name for report in reports_of(game)]
    hours(game, 24 * 7)
    entry = published(game, "onlooker")
    assert entry is not None
    assert "Murphy" in entry.outcome["text"]
    assert entry.outcome["facts"]["production"] == 2


@pytest.mark.thorough
def test_only_the_last_twenty_productions_are_told(game: Game, settled: Two):
    hours(game, 48 * 22)
    told = [each["production"] for each in facts_of(game)["productions"]]
    assert told == list(range(22, 2, -1))


def test_more_settlers_cost_no_more_queries(game: Game, settled: Two, act: Take):
    def asked() -> int:
        game.refresh_from_db()
        with CaptureQueriesContext(connection) as queries:
            facts_of(game)
        return len(queries)

    before = asked()
    seat_practice_players(game.slug, 8)
    for each in game.players.filter(name__startswith="player"):
        act(each, "settlers.join")
    assert asked() == before

"""The Horsened's weekly report, in all its forms."""

import csv
import io
import json

from horses.tests.conftest import Stage
from nomic.engine.table import glance
from nomic.games.models import Player
from nomic.governance.reports import find_report, reports_of
from tests.kit import Take

REPORT = find_report("horsened")


def prepared(act: Take, player: Player, rival: Player, stage: Stage) -> dict:
    stage.give(player, hooves=2)
    stage.give_horses(rival, "Sugar")
    stage.put(Alexia=(16, 1), Fargo=12)
    act(player, "horses.get_helmet", horse="Fargo")
    act(rival, "horses.bet", horse="Nacho", dollaries=3)
    act(player, "horses.motivate")
    return REPORT.all_facts(glance(stage.game))


def test_the_report_tells_all_that_the_rules_ask_for(
    act: Take, player: Player, rival: Player, stage: Stage
):
    facts = prepared(act, player, rival, stage)
    assert json.loads(json.dumps(facts)) == facts
    assert facts["currencies"] == {
        "Madrid": {"dollaries": 7, "hooves": 0, "points": 0},
        "Murphy": {"dollaries": 10, "hooves": 1, "points": 0},
    }
    assert facts["horses"]["Sugar"]["owner"] == "Madrid"
    assert facts["gear"] == {"Murphy": {"jerseys": [], "helmets": ["Fargo"]}}
    assert facts["bets"] == {"Madrid": {"Nacho": 3}}
    assert facts["motivation"]["by"] == "Murphy"
    assert [event["text"] for event in facts["history"]][1:] == [
        "Madrid bets 3 dollaries on Nacho.",
        "Murphy gets a helmet for Fargo.",
    ]


def test_the_text_stands_in_columns(act: Take, player: Player, rival: Player, stage: Stage):
    lines = REPORT.text(prepared(act, player, rival, stage)).splitlines()
    assert "Player  Dollaries  Hooves  Points" in lines
    assert "Madrid          7       0       0" in lines
    assert "Murphy         10       1       0" in lines
    alexia = next(line for line in lines if line.startswith("Alexia"))
    assert alexia.split() == ["Alexia", "Agora", "10", "16", "first", "5", "Nacho"]
    assert len({line.index("Agora") for line in lines if " Agora " in line}) == 1


def test_the_html_escapes_what_players_wrote(
    act: Take, player: Player, rival: Player, officer: Player, stage: Stage
):
    prepared(act, player, rival, stage)
    act(officer, "horses.correct_position", horse="Nacho", position=2, reason="<b>see</b> & hear")
    drawn = REPORT.html(REPORT.all_facts(glance(stage.game)))
    assert "&lt;b&gt;see&lt;/b&gt; &amp; hear" in drawn
    assert "<b>see" not in drawn
    assert '<td class="number">16</td>' in drawn


def test_the_csv_is_one_fact_a_row(act: Take, player: Player, rival: Player, stage: Stage):
    sheet = list(csv.reader(io.StringIO(REPORT.csv(prepared(act, player, rival, stage)))))
    assert sheet[0] == ["part", "name", "what", "value"]
    assert ["Currencies", "Murphy", "Dollaries", "10"] in sheet
    assert ["Horses", "Sugar", "Owner", "Madrid"] in sheet
    assert {len(row) for row in sheet} == {4}


def test_an_empty_race_is_told_in_words(stage: Stage):
    text = REPORT.text(REPORT.all_facts(glance(stage.game)))
    for words in ("There are no players.", "Nobody has got any.", "There are none."):
        assert words in text
    assert "The horses have not been motivated this week." in text


def test_the_report_is_made_each_week_after_the_run(player: Player, stage: Stage):
    assert [report.name for report in reports_of(stage.game)] == ["horsened"]
    stage.weeks()
    made = stage.game.entries.get(name="reports.weekly")
    assert made.seq > stage.last("horses.run").seq
    assert made.outcome["facts"]["currencies"]["Murphy"]["hooves"] == 1
    assert "Murphy" in made.outcome["text"]

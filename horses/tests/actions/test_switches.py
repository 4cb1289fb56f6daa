"""What a proposal can set of the horses by name, and what it cannot."""

from __future__ import annotations

import pytest
from django.test import Client

from horses.rules.titles import HORSES, MOTIVATING
from horses.tests.conftest import Stage
from nomic.engine.subgames import NoSuchSwitch, Switch, all_switches, find_switch, switch
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS, Preset
from nomic.games.refusal import Refusal
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Take, at_the_table, write_anew


def set_to(stage: Stage, name: str, horse: str, value: str) -> str:
    """Set the switch and return what it then says."""
    chosen = find_switch(name)
    with at_the_table(stage.game) as table:
        assert chosen.refusal(table, horse, value) is None
        chosen.set(table, horse, value)
    return chosen.value(glance(stage.game), horse)


def refused(stage: Stage, name: str, horse: str, value: str) -> Refusal:
    refusal = find_switch(name).refusal(glance(stage.game), horse, value)
    assert refusal is not None
    return refusal


@pytest.mark.parametrize(
    ("name", "value", "told", "fact", "is_now"),
    [
        ("Race Position", " 3 ", "3", "position", 3),
        ("race position", "16", "16", "position", 16),
        ("the Race Place", "First", "first", "place", 1),
        ("Race Place", "none", "none", "place", None),
        ("Pulls", "sugar, Alexia and CANNON", "Alexia, Cannon, Sugar", "pulls", None),
        ("Pulls", "none", "none", "pulls", []),
    ],
)
def test_a_switch_is_set_as_players_say_it(
    stage: Stage, name: str, value: str, told: str, fact: str, is_now: object
):
    assert set_to(stage, name, "Fargo", value) == told
    expected = ["Alexia", "Cannon", "Sugar"] if fact == "pulls" and is_now is None else is_now
    assert stage.horse("Fargo")[fact] == expected


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("Race Position", "17", "Race Positions go from 0 to 16; choose one of them."),
        ("Race Position", "-1", "Race Positions go from 0 to 16; choose one of them."),
        ("Race Position", "far", "Race Positions go from 0 to 16; choose one of them."),
        ("Race Position", "9" * 5000, "Race Positions go from 0 to 16; choose one of them."),
        (
            "Race Place",
            "third",
            "A Race Place is set to one of none, first, second; the third is only crossed for.",
        ),
        ("Race Place", "first", "Sugar is first already. Correct Sugar's place first."),
    ],
)
def test_a_value_that_a_switch_cannot_have_says_why(
    stage: Stage, name: str, value: str, sentence: str
):
    stage.put(Sugar=(16, 1))
    assert refused(stage, name, "Fargo", value).sentence == sentence


def test_pulls_are_horses_of_the_race(stage: Stage):
    refusal = refused(stage, "Pulls", "Fargo", "Alexia and Pegasus")
    assert refusal.sentence.startswith("“Pegasus” is no horse of this race.")
    assert refusal.rule == MOTIVATING


@pytest.mark.parametrize("name", ["Race Position", "Race Place", "Pulls"])
def test_a_track_that_could_never_be_read_lets_no_switch_be_set(stage: Stage, name: str):
    write_anew(stage.game, HORSES, "| Finish | 16 |", "| Finish | far |")
    assert refused(stage, name, "Fargo", "none").code == "table_broken"


def test_pulls_are_not_corrected_either_where_the_track_could_never_be_read(
    refused, officer, stage: Stage
):
    write_anew(stage.game, HORSES, "| Finish | 16 |", "| Finish | far |")
    refusal = refused(officer, "horses.correct_pulls", horse="Fargo", pulls="", reason="a slip")
    assert refusal.code == "table_broken"


def test_a_switch_is_every_horse_s_while_its_rule_is_in_force(stage: Stage):
    assert list(find_switch("Pulls").subjects(glance(stage.game)))[:2] == ["Alexia", "Baxter"]
    with at_the_table(stage.game) as table:
        table.rules.repeal(MOTIVATING)
    assert list(find_switch("Pulls").subjects(glance(stage.game))) == []
    assert "Sugar" in find_switch("Race Place").subjects(glance(stage.game))


def test_a_game_without_races_has_no_horses_to_set(db: None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PRESETS, "bare", Preset("bare", "Bare", "No rules yet.", rulebooks=()))
    game: Game = new_game("bare", "bare", pace="manual", start=WEDNESDAY)[0]
    for each in all_switches():
        if each.of == "horse":
            assert list(each.subjects(glance(game))) == []


def test_a_switch_that_nothing_keeps_is_named_with_those_that_are_kept():
    with pytest.raises(NoSuchSwitch) as none:
        find_switch("Wounded list")
    assert str(none.value).startswith(
        "The program keeps no switch “Wounded list”. Those that it keeps: Race Position, "
    )


def test_two_switches_of_one_name_are_a_mistake():
    class Another(Switch):
        name = "RACE position"

    with pytest.raises(ValueError, match="two switches named"):
        switch(Another)


def test_a_race_goes_on_at_the_position_that_was_set(act: Take, player: Player, stage: Stage):
    stage.motivated("Fargo", 2)
    set_to(stage, "Race Position", "Fargo", "7")
    stage.weeks()
    assert stage.horse("Fargo")["position"] == 9


def test_the_api_tells_the_switches_that_the_program_keeps(stage: Stage, client: Client):
    set_to(stage, "Race Position", "Fargo", "3")
    told = client.get(f"/api/v1/games/{stage.slug}/switches").json()
    position = next(each for each in told if each["name"] == "Race Position")
    assert (position["of"], position["rule"], position["values"]) == ("horse", None, None)
    assert {"Alexia", "Cannon", "Sugar"} < position["held"].keys()
    assert position["held"]["Fargo"] == "3"
    assert "Injured list" not in [each["name"] for each in told]

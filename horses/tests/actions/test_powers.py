"""The horses' powers, each its owner's."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from horses.rules.titles import ACTIONS, POWERS
from horses.tests.conftest import Stage
from nomic.games.models import Player
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take

Refuses = Callable[..., Any]

INPUTS: dict[str, dict[str, Any]] = {
    "fargo_power": {"horse": "Baxter"},
    "nacho_power": {"horse": "Baxter", "pulling_horse": "Cannon", "added_pull": "Baxter"},
    "rubert_power": {"horse": "Baxter", "dollaries": 2},
    "sugar_power": {"horse": "Baxter"},
    "cannon_power": {},
    "destructor_power": {"horse": "Baxter"},
}


@pytest.mark.parametrize("name", INPUTS)
def test_a_power_is_its_owner_s(
    refused: Refuses, player: Player, rival: Player, stage: Stage, name: str
):
    stage.put(Baxter=5)
    stage.give(player, hooves=1)
    stage.give_horses(rival, name.removesuffix("_power").capitalize())
    refusal = refused(player, f"horses.{name}", **INPUTS[name])
    assert (refusal.code, refusal.rule) == ("not_the_owner", POWERS)


@pytest.mark.parametrize("name", ["fargo_power", "nacho_power", "sugar_power"])
def test_a_power_that_costs_a_hoof_is_refused_without(
    refused: Refuses, player: Player, stage: Stage, name: str
):
    stage.give_horses(player, name.removesuffix("_power").capitalize())
    refusal = refused(player, f"horses.{name}", **INPUTS[name])
    assert refusal.sentence == "This costs 1 hoof, and you have no hooves."
    assert refusal.rule == POWERS


@pytest.mark.parametrize("name", ["fargo_power", "nacho_power", "rubert_power", "sugar_power"])
def test_a_weekly_power_is_the_week_s_action(
    act: Take, refused: Refuses, player: Player, stage: Stage, name: str
):
    stage.give_horses(player, name.removesuffix("_power").capitalize())
    stage.give(player, hooves=2)
    act(player, f"horses.{name}", **INPUTS[name])
    assert refused(player, "horses.gain_dollaries").code == "weekly_action_taken"


def test_fargo_gets_a_helmet_and_bets_for_one_hoof(act: Take, player: Player, stage: Stage):
    stage.give_horses(player, "Fargo")
    stage.give(player, hooves=1)
    stage.put(Sugar=13)
    receipt = act(player, "horses.fargo_power", horse="Sugar")
    assert receipt.entry.text == (
        "Murphy gets a helmet for Sugar and bets 2 dollaries on it, by Fargo's power."
    )
    assert stage.holdings(player) == (10, 0, 0)
    assert stage.state["bets"] == {"Murphy": {"Sugar": 2}}
    assert stage.state["gear"]["Murphy"]["helmets"] == ["Sugar"]


def test_fargo_s_power_is_refused_where_the_helmet_is_there(
    act: Take, refused: Refuses, player: Player, stage: Stage
):
    stage.give_horses(player, "Fargo")
    stage.give(player, hooves=2)
    act(player, "horses.fargo_power", horse="Sugar")
    stage.weeks()
    refusal = refused(player, "horses.fargo_power", horse="Sugar")
    assert (refusal.code, refusal.rule) == ("helmet_owned", ACTIONS)


def test_nacho_gets_a_jersey_and_adds_a_pull_to_another_horse(
    act: Take, player: Player, stage: Stage
):
    stage.give_horses(player, "Nacho")
    stage.give(player, hooves=1)
    receipt = act(
        player, "horses.nacho_power", horse="Sugar", pulling_horse="Alexia", added_pull="Sugar"
    )
    assert receipt.entry.text == (
        "Murphy gets a jersey for Sugar by Nacho's power, and Sugar joins Alexia's pulls."
    )
    assert stage.horse("Alexia")["pulls"] == ["Nacho", "Sugar"]
    assert stage.horse("Sugar")["pulls"] == ["Baxter", "Destructor"]
    assert stage.state["gear"]["Murphy"]["jerseys"] == ["Sugar"]


def test_nacho_s_two_horses_are_two(refused: Refuses, player: Player, stage: Stage):
    stage.give_horses(player, "Nacho")
    stage.give(player, hooves=1)
    refusal = refused(
        player, "horses.nacho_power", horse="Sugar", pulling_horse="Sugar", added_pull="Fargo"
    )
    assert (refusal.code, refusal.rule) == ("same_horse", POWERS)


def test_rubert_moves_the_last_horse_three_steps(act: Take, player: Player, stage: Stage):
    stage.give_horses(player, "Rubert")
    stage.put(Alexia=1)
    receipt = act(player, "horses.rubert_power", horse="Sugar", dollaries=3)
    assert receipt.entry.text == (
        "Murphy bets 3 dollaries on Sugar by Rubert's power; Sugar goes from 0 to 3."
    )
    assert stage.horse("Sugar")["position"] == 3
    assert stage.holdings(player) == (7, 0, 0)
    stage.weeks()
    before = stage.horse("Alexia")["position"]
    act(player, "horses.rubert_power", horse="Alexia", dollaries=1)
    assert stage.horse("Alexia")["position"] == before


def test_rubert_s_bet_needs_a_helmet_as_any_bet_does(
    refused: Refuses, player: Player, stage: Stage
):
    stage.give_horses(player, "Rubert")
    stage.put(Alexia=12)
    refusal = refused(player, "horses.rubert_power", horse="Alexia", dollaries=3)
    assert refusal.code == "helmet_needed"


def test_sugar_gets_a_helmet_and_moves_the_horse(act: Take, player: Player, stage: Stage):
    stage.give_horses(player, "Sugar")
    stage.give(player, hooves=1)
    receipt = act(player, "horses.sugar_power", horse="Cannon")
    assert receipt.entry.text == (
        "Murphy gets a helmet for Cannon by Sugar's power; Cannon goes from 0 to 1."
    )
    assert stage.horse("Cannon")["position"] == 1


def test_sugar_s_power_is_refused_at_the_finish(refused: Refuses, player: Player, stage: Stage):
    stage.give_horses(player, "Sugar")
    stage.give(player, hooves=1)
    stage.put(Cannon=16)
    assert refused(player, "horses.sugar_power", horse="Cannon").code == "no_step"


def test_cannon_moves_once_a_month(act: Take, refused: Refuses, player: Player, stage: Stage):
    stage.give_horses(player, "Cannon")
    receipt = act(player, "horses.cannon_power")
    assert receipt.entry.text == "Murphy uses Cannon's power: Cannon goes from 0 to 1."
    stage.weeks()
    refusal = refused(player, "horses.cannon_power")
    assert (refusal.code, refusal.rule) == ("power_used", POWERS)
    advance(stage.slug, WEDNESDAY + timedelta(days=28))
    act(player, "horses.cannon_power")


def test_a_monthly_power_is_no_weekly_action(act: Take, player: Player, stage: Stage):
    stage.give_horses(player, "Cannon", "Destructor")
    stage.put(Alexia=5)
    act(player, "horses.cannon_power")
    act(player, "horses.destructor_power", horse="Alexia")
    act(player, "horses.gain_dollaries")


def test_a_new_owner_may_use_a_power_that_the_old_one_used(
    act: Take, player: Player, rival: Player, stage: Stage
):
    stage.give_horses(player, "Cannon")
    act(player, "horses.cannon_power")
    act(player, "horses.transfer", horse="Cannon", to="Madrid")
    act(rival, "horses.cannon_power")
    assert stage.horse("Cannon")["position"] == 2


def test_cannon_stays_where_it_cannot_run(refused: Refuses, player: Player, stage: Stage):
    stage.give_horses(player, "Cannon")
    stage.put(Cannon=(16, 1))
    assert refused(player, "horses.cannon_power").code == "not_running"
    stage.put(Cannon=16)
    assert refused(player, "horses.cannon_power").code == "no_step"


def test_destructor_moves_a_horse_two_steps_back(act: Take, player: Player, stage: Stage):
    stage.give_horses(player, "Destructor")
    stage.put(Alexia=16)
    receipt = act(player, "horses.destructor_power", horse="Alexia")
    assert receipt.entry.text == "Murphy uses Destructor's power: Alexia goes from 16 to 14."


@pytest.mark.parametrize(("where", "code"), [(0, "no_step"), ((16, 1), "not_running")])
def test_destructor_s_power_needs_a_running_horse_that_can_go_back(
    refused: Refuses, player: Player, stage: Stage, where: Any, code: str
):
    stage.give_horses(player, "Destructor")
    stage.put(Alexia=where)
    refusal = refused(player, "horses.destructor_power", horse="Alexia")
    assert (refusal.code, refusal.rule) == (code, POWERS)


def test_alexia_grants_one_more_action_a_month(
    act: Take, refused: Refuses, player: Player, stage: Stage
):
    stage.give_horses(player, "Alexia")
    act(player, "horses.gain_dollaries")
    refusal = refused(player, "horses.gain_dollaries")
    assert "through Alexia's power" in refusal.sentence
    receipt = act(player, "horses.gain_dollaries", via_alexia=True)
    assert receipt.entry.text == "Murphy gains 4 dollaries, through Alexia's power."
    stage.weeks()
    act(player, "horses.gain_dollaries")
    refusal = refused(player, "horses.gain_dollaries", via_alexia=True)
    assert (refusal.code, refusal.rule) == ("power_used", POWERS)


def test_alexia_s_action_does_not_use_up_the_week_s_own(act: Take, player: Player, stage: Stage):
    stage.give_horses(player, "Alexia")
    act(player, "horses.gain_dollaries", via_alexia=True)
    act(player, "horses.gain_dollaries")
    assert stage.holdings(player) == (18, 0, 0)


def test_alexia_s_power_takes_another_horse_s_power_too(act: Take, player: Player, stage: Stage):
    stage.give_horses(player, "Alexia", "Rubert")
    act(player, "horses.gain_dollaries")
    act(player, "horses.rubert_power", horse="Nacho", dollaries=1, via_alexia=True)
    assert stage.horse("Nacho")["position"] == 3


def test_alexia_s_power_without_alexia_is_refused(refused: Refuses, player: Player):
    refusal = refused(player, "horses.gain_dollaries", via_alexia=True)
    assert (refusal.code, refusal.rule) == ("not_the_owner", POWERS)

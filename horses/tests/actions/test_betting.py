"""What players do at the races: what it changes, and what refuses it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from horses.rules.titles import ACTIONS, HORSES, MOTIVATING, POWERS
from horses.tests.conftest import Stage
from nomic.engine.outcomes import Malformed
from nomic.games.models import Player
from tests.kit import Take, at_the_table

Refuses = Callable[..., Any]


def test_a_bet_costs_its_stake_and_is_noted(act: Take, player: Player, stage: Stage):
    receipt = act(player, "horses.bet", horse="Fargo", dollaries=3)
    assert receipt.entry.text == "Murphy bets 3 dollaries on Fargo."
    assert stage.holdings(player) == (7, 0, 0)
    assert stage.state["bets"] == {"Murphy": {"Fargo": 3}}
    assert stage.state["weekly_action_used"] == ["Murphy"]


def test_one_dollary_is_one_dollary(act: Take, player: Player):
    receipt = act(player, "horses.bet", horse="Fargo", dollaries=1)
    assert receipt.entry.text == "Murphy bets 1 dollary on Fargo."


def test_bets_on_one_horse_add_up(act: Take, player: Player, stage: Stage):
    act(player, "horses.bet", horse="Fargo", dollaries=3)
    stage.weeks()
    act(player, "horses.bet", horse="Fargo", dollaries=2)
    assert stage.state["bets"] == {"Murphy": {"Fargo": 5}}


def test_a_bet_that_cannot_be_paid_is_refused(
    act: Take, refused: Refuses, player: Player, stage: Stage
):
    act(player, "horses.buy", horse="Alexia")
    stage.weeks()
    refusal = refused(player, "horses.bet", horse="Fargo", dollaries=1)
    assert refusal.code == "cannot_pay"
    assert refusal.sentence == "This costs 1 dollary, and you have no dollaries."
    assert refusal.rule == ACTIONS


def test_a_horse_at_twelve_takes_no_bet_without_a_helmet(
    act: Take, refused: Refuses, player: Player, stage: Stage
):
    stage.put(Fargo=12, Sugar=11)
    refusal = refused(player, "horses.bet", horse="Fargo", dollaries=1)
    assert (refusal.code, refusal.rule) == ("helmet_needed", ACTIONS)
    assert "get a helmet for Fargo" in refusal.sentence
    act(player, "horses.bet", horse="Sugar", dollaries=1)


def test_a_helmet_opens_the_bets_on_that_horse(act: Take, player: Player, stage: Stage):
    stage.put(Fargo=12)
    stage.give(player, hooves=1)
    act(player, "horses.get_helmet", horse="Fargo")
    stage.weeks()
    act(player, "horses.bet", horse="Fargo", dollaries=1)
    assert stage.state["bets"] == {"Murphy": {"Fargo": 1}}


def test_a_second_weekly_action_is_refused_until_the_next_week(
    act: Take, refused: Refuses, player: Player, rival: Player, stage: Stage
):
    act(player, "horses.gain_dollaries")
    refusal = refused(player, "horses.bet", horse="Fargo", dollaries=1)
    assert (refusal.code, refusal.rule) == ("weekly_action_taken", ACTIONS)
    act(rival, "horses.gain_dollaries")
    stage.weeks()
    act(player, "horses.gain_dollaries")


def test_a_jersey_costs_a_hoof_and_adds_a_pull(act: Take, player: Player, stage: Stage):
    stage.give(player, hooves=1)
    receipt = act(player, "horses.get_jersey", horse="Sugar", added_pull="Sugar")
    assert receipt.entry.text == "Murphy gets a jersey for Sugar, and Sugar joins Sugar's pulls."
    assert stage.holdings(player) == (10, 0, 0)
    assert stage.horse("Sugar")["pulls"] == ["Baxter", "Destructor", "Sugar"]
    assert stage.state["gear"] == {"Murphy": {"jerseys": ["Sugar"], "helmets": []}}


def test_a_pull_that_is_there_already_stays_there_once(act: Take, player: Player, stage: Stage):
    stage.give(player, hooves=1)
    receipt = act(player, "horses.get_jersey", horse="Alexia", added_pull="Nacho")
    assert receipt.entry.text.endswith("Nacho is among Alexia's pulls already.")
    assert stage.horse("Alexia")["pulls"] == ["Nacho"]


@pytest.mark.parametrize(
    ("name", "inputs"),
    [("get_jersey", {"added_pull": "Fargo"}), ("get_helmet", {})],
)
def test_gear_is_got_once_a_race_for_a_horse(
    act: Take, refused: Refuses, player: Player, stage: Stage, name: str, inputs: dict[str, str]
):
    stage.give(player, hooves=3)
    act(player, f"horses.{name}", horse="Sugar", **inputs)
    stage.weeks()
    refusal = refused(player, f"horses.{name}", horse="Sugar", **inputs)
    assert refusal.code in ("jersey_owned", "helmet_owned")
    assert refusal.rule == ACTIONS
    act(player, f"horses.{name}", horse="Fargo", **inputs)


@pytest.mark.parametrize(
    ("name", "inputs", "fee"),
    [
        ("get_jersey", {"horse": "Fargo", "added_pull": "Fargo"}, "1 hoof"),
        ("get_helmet", {"horse": "Fargo"}, "1 hoof"),
        ("nudge", {"horse": "Fargo", "direction": "forward"}, "3 hooves"),
    ],
)
def test_what_costs_hooves_is_refused_without(
    refused: Refuses, player: Player, name: str, inputs: dict[str, str], fee: str
):
    refusal = refused(player, f"horses.{name}", **inputs)
    assert refusal.sentence == f"This costs {fee}, and you have no hooves."
    assert refusal.rule == ACTIONS


def test_a_horse_is_bought_at_its_cost(act: Take, player: Player, stage: Stage):
    receipt = act(player, "horses.buy", horse="Rubert")
    assert receipt.entry.text == "Murphy buys Rubert for 4 dollaries."
    assert stage.horse("Rubert")["owner"] == "Murphy"
    assert stage.holdings(player) == (6, 0, 0)


def test_a_horse_of_another_player_is_not_for_sale(
    refused: Refuses, player: Player, rival: Player, stage: Stage
):
    stage.give_horses(rival, "Rubert")
    refusal = refused(player, "horses.buy", horse="Rubert")
    assert refusal.code == "horse_not_for_sale"
    assert refusal.sentence.startswith("Madrid owns Rubert")


def test_a_horse_that_is_too_dear_is_refused(
    act: Take, refused: Refuses, player: Player, stage: Stage
):
    act(player, "horses.bet", horse="Fargo", dollaries=1)
    stage.weeks()
    refusal = refused(player, "horses.buy", horse="Baxter")
    assert refusal.sentence == "This costs 10 dollaries, and you have 9 dollaries."


@pytest.mark.parametrize(
    ("before", "direction", "after"), [(3, "forward", 5), (15, "forward", 16), (1, "back", 0)]
)
def test_a_nudge_is_two_steps_as_far_as_the_track_goes(
    act: Take, player: Player, stage: Stage, before: int, direction: str, after: int
):
    stage.give(player, hooves=3)
    stage.put(Nacho=before)
    receipt = act(player, "horses.nudge", horse="Nacho", direction=direction)
    assert stage.horse("Nacho")["position"] == after
    assert stage.holdings(player) == (10, 0, 0)
    assert receipt.entry.text == (
        f"Murphy nudges Nacho {direction}: Nacho goes from {before} to {after}."
    )


def test_a_nudge_without_effect_costs_nothing(refused: Refuses, player: Player, stage: Stage):
    stage.give(player, hooves=3)
    stage.put(Sugar=(16, 1), Nacho=16)
    assert refused(player, "horses.nudge", horse="Nacho", direction="forward").code == "no_step"
    assert refused(player, "horses.nudge", horse="Fargo", direction="back").code == "no_step"
    assert refused(player, "horses.nudge", horse="Sugar", direction="back").code == "not_running"
    assert stage.holdings(player) == (10, 3, 0)


def test_dollaries_are_gained_by_announcement(act: Take, player: Player, stage: Stage):
    assert act(player, "horses.gain_dollaries").entry.text == "Murphy gains 4 dollaries."
    assert stage.holdings(player) == (14, 0, 0)


def test_the_horses_are_motivated_once_a_week_by_anybody(
    act: Take, refused: Refuses, player: Player, rival: Player, stage: Stage
):
    receipt = act(player, "horses.motivate")
    figures = receipt.entry.outcome
    assert figures.keys() == {"galloper", "distance"}
    assert figures["galloper"] in stage.state["horses"]
    assert figures["distance"] in (1, 2, 3)
    assert stage.state["motivation"] == {**figures, "by": "Murphy"}
    refusal = refused(rival, "horses.motivate")
    assert refusal.sentence.startswith("Murphy has motivated the horses this week")
    assert refusal.rule == MOTIVATING
    stage.weeks()
    act(rival, "horses.motivate")


def test_motivating_uses_up_no_weekly_action(act: Take, player: Player):
    act(player, "horses.motivate")
    act(player, "horses.gain_dollaries")


def test_a_horse_may_be_given_away(
    act: Take, refused: Refuses, player: Player, rival: Player, stage: Stage
):
    stage.give_horses(player, "Alexia", "Sugar")
    receipt = act(player, "horses.transfer", horse="Alexia", to="Madrid")
    assert receipt.entry.text == "Murphy gives Alexia to Madrid."
    assert stage.horse("Alexia")["owner"] == "Madrid"
    refusal = refused(player, "horses.transfer", horse="Alexia", to="Madrid")
    assert (refusal.code, refusal.rule) == ("not_the_owner", HORSES)
    assert refused(player, "horses.transfer", horse="Sugar", to="Murphy").code == "same_player"


def test_a_horse_may_be_given_to_agora_which_sells_it_again(
    act: Take, player: Player, rival: Player, stage: Stage
):
    stage.give_horses(player, "Sugar")
    receipt = act(player, "horses.transfer", horse="Sugar", to="Agora")
    assert receipt.entry.text == "Murphy gives Sugar to Agora."
    assert stage.horse("Sugar")["owner"] == "Agora"
    assert stage.holdings(player) == (10, 0, 0)
    act(rival, "horses.buy", horse="Sugar")
    assert stage.horse("Sugar")["owner"] == "Madrid"


MALFORMED = [
    ("bet", {"horse": "Fargo", "dollaries": 4}),
    ("bet", {"horse": "Fargo", "dollaries": 10**30}),
    ("bet", {"horse": "Fargo", "dollaries": -1}),
    ("bet", {"horse": "Fargo"}),
    ("bet", {"horse": "Pegasus", "dollaries": 1}),
    ("bet", {"horse": "fargo", "dollaries": 1}),
    ("bet", {"horse": "", "dollaries": 1}),
    ("bet", {"horse": "\0", "dollaries": 1}),
    ("bet", {"horse": ["Fargo"], "dollaries": 1}),
    ("get_jersey", {"horse": "Fargo"}),
    ("get_helmet", {"horse": "💀" * 9999}),
    ("nudge", {"horse": "Fargo", "direction": "sideways"}),
    ("transfer", {"horse": "Fargo", "to": "nobody"}),
    ("buy", {}),
    ("destructor_power", {}),
]


@pytest.mark.parametrize(("name", "inputs"), MALFORMED)
def test_inputs_of_another_shape_change_nothing(
    act: Take, player: Player, stage: Stage, name: str, inputs: dict[str, Any]
):
    before = stage.game.last_entry
    with pytest.raises(Malformed) as malformed:
        act(player, f"horses.{name}", **inputs)
    assert all(malformed.value.errors.values())
    assert stage.game.last_entry == before


def test_a_rule_that_cannot_be_read_is_played_as_of_the_version_before(
    act: Take, player: Player, rival: Player, stage: Stage
):
    stage.amend(POWERS, "| Sugar | 4 |", "| Sugar | 5 |")
    stage.amend(POWERS, "| Sugar | 5 |", "| Sugar | four |")
    act(player, "horses.bet", horse="Rubert", dollaries=1)
    assert act(rival, "horses.buy", horse="Sugar").entry.text.endswith("for 5 dollaries.")


def test_a_table_that_is_taken_out_is_played_as_it_was(act: Take, player: Player, stage: Stage):
    stage.amend(ACTIONS, "| GAIN | DOLLARIES |", "| FORMERLY | DOLLARIES |")
    assert "gains 4 dollaries" in act(player, "horses.gain_dollaries").entry.text


def test_what_a_rule_that_was_enacted_anew_says_no_more_is_off_and_nothing_else_is(
    act: Take, refused: Refuses, player: Player, rival: Player, stage: Stage
):
    with at_the_table(stage.game) as table:
        text = table.rules.text(ACTIONS).replace("| GAIN | DOLLARIES |", "| FORMERLY | DOLLARIES |")
        table.rules.repeal(ACTIONS)
        table.rules.enact(ACTIONS, text)
    refusal = refused(player, "horses.gain_dollaries")
    assert (refusal.code, refusal.rule) == ("off", ACTIONS)
    assert "has no table with the columns GAIN, DOLLARIES" in refusal.sentence
    act(player, "horses.bet", horse="Rubert", dollaries=1)


def test_the_pages_say_as_of_which_version_a_rule_is_played(
    player: Player, stage: Stage, client: Client
):
    stage.amend(ACTIONS, "| 3 | 3 |", "| three | 3 |")
    assert player.user is not None
    client.force_login(player.user)
    answer = client.get(reverse("horses", args=[stage.game.slug]))
    assert "“Weekly Race Actions” is played as of version 1: " in answer.text
    assert "“three”" in answer.text


def test_an_amended_table_is_played_by_at_that_moment(act: Take, player: Player, stage: Stage):
    stage.amend(POWERS, "| Rubert | 4 |", "| Rubert | 1 |")
    assert stage.horse("Rubert")["cost"] == 1
    assert act(player, "horses.buy", horse="Rubert").entry.text.endswith("for 1 dollary.")


def test_a_repealed_rule_switches_its_actions_off(
    refused: Refuses, act: Take, player: Player, stage: Stage
):
    with at_the_table(stage.game) as table:
        table.rules.repeal(ACTIONS)
    refusal = refused(player, "horses.gain_dollaries")
    assert refusal.rule == ACTIONS
    assert "not in force" in refusal.sentence
    stage.give_horses(player, "Fargo", "Cannon")
    assert refused(player, "horses.fargo_power", horse="Sugar").code == "not_in_force"
    act(player, "horses.cannon_power")
    act(player, "horses.motivate")

"""What a Settler does by themselves: coming, harvesting, building, the Merchant, being Ready."""

from __future__ import annotations

from typing import Any

import pytest

from nomic.engine.actions import find_action
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player, Win
from settlers.models import Settler
from settlers.rules.titles import DECK, GIFT, MERCHANT
from settlers.tests.asking import domains, held, refusal, why_not
from settlers.tests.stage import give, hours, isle_of, place, results_are, visitor_is
from tests.kit import Take, at_the_table, seat

Two = tuple[Player, Player]
NUMBERS = {"wheat": 2, "sheep": 5, "stone": None, "wood": 8, "brick": 9}


def give_now(game: Game, player: Player, **items: int) -> None:
    with at_the_table(game) as table:
        give(table, player, **items)


@pytest.fixture
def murphy(game: Game, produced: Two) -> Player:
    """A Settler with known Domains, after a Production of 2 and 5."""
    results_are(game, 2, 5)
    place(produced[0], domains=NUMBERS)
    return produced[0]


# Coming to the isle


def test_who_joins_has_five_numbers_that_the_record_tells(act: Take, player: Player):
    entry = act(player, "settlers.join").entry
    numbers = domains(player)
    assert entry.outcome["domains"] == numbers
    assert len(set(numbers.values())) == 5
    assert entry.text.startswith("Murphy becomes a Settler. The Domains: wheat ")
    assert (held(entry.game, player), Settler.objects.get().buildings) == ({}, [])


def test_who_is_a_settler_does_not_join_again(act: Take, player: Player):
    act(player, "settlers.join")
    assert why_not(player, "join") == ("is_settler", "You are a Settler already.", GIFT)


def test_the_onlooker_is_no_settler(officer: Player):
    sentence = "The Onlooker is not a Settler while in office. Resign the office first."
    for name, inputs in (("join", {}), ("harvest", {}), ("ready", {})):
        assert why_not(officer, name, **inputs) == ("is_onlooker", sentence, GIFT)


def test_a_settler_who_becomes_onlooker_and_resigns_has_what_they_had(
    game: Game, act: Take, murphy: Player
):
    give_now(game, murphy, wood=2)
    act(murphy, "games.take_office", office="Onlooker")
    assert refusal(murphy, "harvest").code == "is_onlooker"
    act(murphy, "games.resign_office", office="Onlooker")
    assert (held(game, murphy), domains(murphy)) == ({"wood": 2}, NUMBERS)
    act(murphy, "settlers.harvest")


def test_who_leaves_and_comes_back_is_a_settler_still(game: Game, act: Take, murphy: Player):
    give_now(game, murphy, wood=2)
    act(murphy, "games.leave")
    assert refusal(murphy, "harvest").code == "left"
    act(murphy.user, "games.join", name="Murphy")
    assert refusal(murphy, "join").code == "is_settler"
    assert (held(game, murphy), domains(murphy)) == ({"wood": 2}, NUMBERS)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("harvest", {}),
        ("build", {"building": "Farm"}),
        ("ready", {}),
        ("not_ready", {}),
        ("offer_trade", {"to": "Madrid", "give": {"wood": 1}, "take": {"brick": 1}}),
        ("set_alliance", {"other": "Madrid", "listed": "on"}),
    ],
)
def test_who_has_not_joined_the_isle_does_nothing_on_it(
    act: Take, player: Player, rival: Player, name: str, inputs: dict[str, Any]
):
    act(rival, "settlers.join")
    sentence = "You are not a Settler yet. Join the isle first."
    assert why_not(player, name, **inputs) == ("no_settler", sentence, GIFT)


def test_nobody_acts_without_a_seat(act: Take, settled: Two, outsider: Any):
    with pytest.raises(Refused) as refused:
        act(outsider, "settlers.join")
    assert refused.value.refusal.code == "not_a_player"


# What is said before it is done


@pytest.mark.parametrize(
    ("name", "inputs", "told"),
    [
        (
            "harvest",
            {},
            "You gain 5 wheat and 2 sheep. Costs nothing; once after each Production.",
        ),
        (
            "swap_with_merchant",
            {},
            "The Merchant takes 3 of one resource for 1 of another.",
        ),
        (
            "swap_with_merchant",
            {"give": "wood", "take": "stone"},
            "Costs 3 wood. You gain 1 stone."
            " The Merchant takes 3 of one resource for 1 of another.",
        ),
        (
            "build",
            {"building": "Cone"},
            "Costs 5 stone and 5 of one other. With 4 of them you win.",
        ),
    ],
)
def test_an_act_says_what_it_costs_and_brings_before_it_is_done(
    game: Game, murphy: Player, name: str, inputs: dict[str, Any], told: str
):
    give_now(game, murphy, wheat=9, sheep=9, stone=9, wood=9, brick=9)
    visitor_is(game, "Merchant")
    table = glance(Game.objects.get(pk=game.pk))
    assert find_action(f"settlers.{name}").outlook(table, murphy, inputs) == told


# Harvesting the crop


def test_a_harvest_goes_by_the_old_domains_then_changes_them_then_takes_bonuses(
    game: Game, act: Take, murphy: Player
):
    place(murphy, buildings=["Farm", "Quarry", "Farm", "Church"])
    entry = act(
        murphy,
        "settlers.harvest",
        change={"swap": {"a": "wheat", "b": "stone"}},
        bonuses=[
            {"building": "Farm", "choice": "sheep"},
            {"building": "Farm", "choice": "wheat"},
            {"building": "Quarry"},
        ],
    ).entry
    assert entry.outcome == {
        "from_domains": {"wheat": 5, "sheep": 2},
        "from_buildings": {"wheat": 1, "sheep": 1, "stone": 1},
        "gained": {"wheat": 6, "sheep": 3, "stone": 1},
        "domains": {**NUMBERS, "wheat": None, "stone": 2},
    }
    assert held(game, murphy) == {"wheat": 6, "sheep": 3, "stone": 1}
    assert domains(murphy) == {**NUMBERS, "wheat": None, "stone": 2}
    assert entry.text == (
        "Murphy harvests 5 wheat and 2 sheep, takes 1 wheat, 1 sheep and 1 stone from their"
        " buildings and swaps the numbers of wheat and stone."
    )


def test_a_harvest_of_nothing_is_one(game: Game, act: Take, murphy: Player):
    results_are(game, 3, 4)
    assert act(murphy, "settlers.harvest").entry.text == "Murphy harvests nothing."
    assert held(game, murphy) == {}
    assert refusal(murphy, "harvest").code == "already_harvested"


def test_one_number_changes_by_up_to_two_after_it_has_brought_its_crop(
    game: Game, act: Take, murphy: Player
):
    said = act(
        murphy, "settlers.harvest", change={"shift": {"resource": "wheat", "number": 4}}
    ).entry.text
    assert said == "Murphy harvests 5 wheat and 2 sheep and sets wheat to 4."
    assert held(game, murphy) == {"wheat": 5, "sheep": 2}
    assert domains(murphy) == {**NUMBERS, "wheat": 4}


def test_with_a_church_a_number_changes_to_any_that_is_free(act: Take, murphy: Player):
    place(murphy, buildings=["Church"])
    act(murphy, "settlers.harvest", change={"shift": {"resource": "wheat", "number": 12}})
    assert domains(murphy)["wheat"] == 12


def test_before_the_first_production_there_is_no_harvest(settled: Two):
    sentence = "There is nothing to harvest yet. Wait for the first Production of Resources."
    assert why_not(settled[0], "harvest") == ("no_production", sentence, GIFT)


def test_a_crop_is_harvested_once_a_production(game: Game, act: Take, murphy: Player):
    act(murphy, "settlers.harvest")
    sentence = (
        "You have harvested since the most recent Production of Resources: wait for the next one."
    )
    assert why_not(murphy, "harvest") == ("already_harvested", sentence, GIFT)
    hours(game, 48)
    act(murphy, "settlers.harvest")


def test_the_injured_harvest_nothing_where_the_rule_says_so(
    game: Game, act: Take, murphy: Player, with_the_thug: Game
):
    place(murphy, injured=True)
    found = refusal(murphy, "harvest")
    assert (found.code, found.rule) == ("injured", GIFT)
    assert found.sentence.startswith("You are on the Injured list and cannot harvest")
    hours(game, 48)
    act(murphy, "settlers.harvest")


def test_where_no_rule_speaks_of_the_injured_they_harvest(act: Take, murphy: Player):
    place(murphy, injured=True)
    act(murphy, "settlers.harvest")


CHANGES: list[tuple[dict[str, Any], str, str]] = [
    ({"swap": {"a": "wood", "b": "wood"}}, "same_domain", "A swap is of two Domains"),
    ({"swap": {"a": "stone", "b": "brick"}}, "empty_domain", "are both empty"),
    ({"shift": {"resource": "stone", "number": 5}}, "empty_domain", "Domain of stone is empty"),
    ({"shift": {"resource": "wood", "number": 7}}, "no_such_number", "cannot hold 7, only 2, 3"),
    ({"shift": {"resource": "wheat", "number": 1}}, "no_such_number", "cannot hold 1"),
    ({"shift": {"resource": "wheat", "number": 0}}, "no_such_number", "cannot hold 0"),
    ({"shift": {"resource": "wood", "number": 13}}, "no_such_number", "cannot hold 13"),
    ({"shift": {"resource": "wood", "number": 8}}, "same_number", "holds 8 already"),
    ({"shift": {"resource": "sheep", "number": 8}}, "number_taken", "Domain of wood holds 8"),
    ({"shift": {"resource": "wheat", "number": 6}}, "too_far", "From 2 to 6 is further than 2"),
]


@pytest.mark.parametrize(("change", "code", "words"), CHANGES)
def test_no_harvest_makes_a_change_that_no_domain_can_have(
    murphy: Player, change: dict[str, Any], code: str, words: str
):
    place(murphy, domains={"brick": None})
    found = refusal(murphy, "harvest", change=change)
    assert (found.code, found.rule) == (code, GIFT)
    assert words in found.sentence


def test_a_church_frees_no_change_to_what_a_domain_cannot_hold(murphy: Player):
    place(murphy, buildings=["Church"])
    for number, code in ((7, "no_such_number"), (9, "number_taken"), (2, "same_number")):
        change = {"shift": {"resource": "wheat", "number": number}}
        assert refusal(murphy, "harvest", change=change).code == code


BONUSES: list[tuple[list[dict[str, str]], str, str]] = [
    ([{"building": "Cone"}], "not_built", "There is no Cone in your Settlement"),
    ([{"building": "Palace"}], "not_built", "There is no Palace in your Settlement"),
    ([{"building": "Church"}], "no_bonus", "Church gives no resource in a harvest"),
    ([{"building": "Farm"}], "choice_missing", "Farm gives 1 sheep or 1 wheat: say which"),
    ([{"building": "Farm", "choice": "stone"}], "no_such_choice", "Farm does not give stone"),
    ([{"building": "Quarry"}] * 2, "bonus_taken_twice", "Quarry 2 times and have 1 of it"),
]


@pytest.mark.parametrize(("bonuses", "code", "words"), BONUSES)
def test_no_harvest_takes_a_bonus_that_no_building_of_theirs_gives(
    murphy: Player, bonuses: list[dict[str, str]], code: str, words: str
):
    place(murphy, buildings=["Farm", "Quarry", "Church"])
    found = refusal(murphy, "harvest", bonuses=bonuses)
    assert (found.code, found.rule) == (code, GIFT)
    assert words in found.sentence


# Building


@pytest.mark.parametrize(
    ("building", "other", "cost"),
    [
        ("Farm", "", {"wood": 2, "sheep": 1, "wheat": 1}),
        ("Quarry", "", {"brick": 2, "wood": 1}),
        ("Church", "", {"stone": 2}),
        ("Cone", "wheat", {"stone": 5, "wheat": 5}),
        ("Cone", "brick", {"stone": 5, "brick": 5}),
    ],
)
def test_a_building_is_paid_for_out_of_the_stockpile(
    game: Game, act: Take, murphy: Player, building: str, other: str, cost: dict[str, int]
):
    give_now(game, murphy, **dict.fromkeys(("wheat", "sheep", "stone", "wood", "brick"), 10))
    inputs = {"other": other} if other else {}
    entry = act(murphy, "settlers.build", building=building, **inputs).entry
    assert held(game, murphy) == {
        each: 10 - cost.get(each, 0) for each in ("wheat", "sheep", "stone", "wood", "brick")
    }
    assert entry.outcome == {"building": building, "paid": cost}
    assert Settler.objects.get(player=murphy).buildings == [building]


@pytest.mark.parametrize(
    ("inputs", "code", "words"),
    [
        ({"building": "Farm"}, "too_little", "Farm costs 1 wheat, 1 sheep and 2 wood, and your"),
        ({"building": "Church", "other": "wood"}, "no_such_other", "Church: leave it out"),
        ({"building": "Cone"}, "other_missing", "Cone costs 5 of one other resource: choose"),
        ({"building": "Cone", "other": "stone"}, "no_such_other", "stone cannot be the other"),
        ({"building": "Cone", "other": "wood"}, "too_little", "costs 5 stone and 5 wood"),
    ],
)
def test_no_building_is_built_that_is_not_paid_for_in_full(
    game: Game, murphy: Player, inputs: dict[str, str], code: str, words: str
):
    give_now(game, murphy, stone=11, wood=4, brick=5)
    found = refusal(murphy, "build", **inputs)
    assert (found.code, found.rule) == (code, GIFT)
    assert words in found.sentence


def test_nobody_builds_what_the_table_does_not_have(act: Take, murphy: Player):
    with pytest.raises(Malformed, match=r"“Palace” is not a building of this game\. Known: Farm"):
        act(murphy, "settlers.build", building="Palace")


def test_the_fourth_cone_is_a_victory_and_the_fifth_is_not_another(
    game: Game, act: Take, murphy: Player
):
    give_now(game, murphy, stone=25, wood=25)
    for number in range(1, 6):
        said = act(murphy, "settlers.build", building="Cone", other="wood").entry.text
        assert ("has achieved victory: 4 Cones on the isle" in said) == (number == 4)
        assert Win.objects.count() == (number >= 4)


# The Merchant


def test_the_merchant_takes_three_of_one_for_one_of_another_once_a_visit(
    game: Game, act: Take, murphy: Player
):
    give_now(game, murphy, wood=7)
    visitor_is(game, "Merchant")
    entry = act(murphy, "settlers.swap_with_merchant", give="wood", take="stone").entry
    assert entry.text == "Murphy gives the Merchant 3 wood for 1 stone."
    assert entry.outcome == {"gave": {"wood": 3}, "got": {"stone": 1}}
    assert held(game, murphy) == {"stone": 1, "wood": 4}
    sentence = "You have swapped with the Merchant during this visit: wait for the next one."
    inputs = {"give": "wood", "take": "stone"}
    assert why_not(murphy, "swap_with_merchant", **inputs) == ("merchant_used", sentence, MERCHANT)


def test_a_merchant_who_stays_is_not_a_new_one_and_one_who_comes_back_is(
    game: Game, act: Take, murphy: Player
):
    give_now(game, murphy, wood=9)
    inputs = {"give": "wood", "take": "stone"}
    visitor_is(game, "Merchant")
    act(murphy, "settlers.swap_with_merchant", **inputs)
    hours(game, 24)
    visitor_is(game, "Merchant")
    assert refusal(murphy, "swap_with_merchant", **inputs).code == "merchant_used"
    visitor_is(game, "None")
    assert refusal(murphy, "swap_with_merchant", **inputs).code == "no_merchant"
    visitor_is(game, "Merchant")
    act(murphy, "settlers.swap_with_merchant", **inputs)


@pytest.mark.parametrize(
    ("give", "take", "code", "words"),
    [
        ("wood", "wood", "same_resource", "You would take wood for wood"),
        ("brick", "wood", "too_little", "The Merchant takes 3 of brick, and your Stockpile has"),
    ],
)
def test_the_merchant_does_no_other_business(
    game: Game, murphy: Player, give: str, take: str, code: str, words: str
):
    give_now(game, murphy, wood=3, brick=2)
    visitor_is(game, "Merchant")
    found = refusal(murphy, "swap_with_merchant", give=give, take=take)
    assert (found.code, found.rule) == (code, MERCHANT)
    assert words in found.sentence


def test_where_there_is_no_merchant_in_the_rules_nobody_swaps(game: Game, murphy: Player):
    visitor_is(game, "Merchant")
    with at_the_table(game) as table:
        table.rules.repeal(MERCHANT)
    assert isle_of(game).visitor == "None"
    found = refusal(murphy, "swap_with_merchant", give="wood", take="stone")
    assert (found.code, found.rule) == ("not_in_force", MERCHANT)


# Being Ready


def test_the_flag_is_set_either_way_and_as_it_stands_neither(act: Take, settled: Two):
    murphy, _ = settled
    assert why_not(murphy, "not_ready") == ("as_it_stands", "You are not Ready anyway.", DECK)
    assert act(murphy, "settlers.ready").entry.text == "Murphy is Ready."
    assert why_not(murphy, "ready") == ("as_it_stands", "You are Ready already.", DECK)
    assert act(murphy, "settlers.not_ready").entry.text == "Murphy is Ready no longer."
    assert not Settler.objects.filter(ready=True).exists()


def test_the_last_who_is_ready_is_told_that_all_are(act: Take, settled: Two):
    murphy, madrid = settled
    act(murphy, "settlers.ready")
    said = act(madrid, "settlers.ready").entry.text
    assert said == "Madrid is Ready, and so is every Settler."


# What two hold at once


def test_a_table_that_cannot_be_read_refuses_only_what_needs_it(
    game: Game, act: Take, murphy: Player
):
    with at_the_table(game) as table:
        text = table.rules.text(GIFT)
        table.rules.amend(GIFT, text.replace("| Church | 2 stone |", "| Church | some stone |"))
    with pytest.raises((Refused, Malformed)):
        act(murphy, "settlers.build", building="Farm")
    assert act(murphy, "settlers.ready")
    assert seat(game, "late")

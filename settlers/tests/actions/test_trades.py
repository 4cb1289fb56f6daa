"""Offers, what becomes of them, and alliances."""

from __future__ import annotations

from typing import Any

import pytest

from nomic.engine.outcomes import Malformed, Receipt, Refused
from nomic.games.models import Game, Player
from settlers.models import Ally, Offer, Settler
from settlers.rules.titles import GIFT
from settlers.tests.asking import held, refusal, why_not
from settlers.tests.crowd import settle_many
from settlers.tests.stage import give, hours, place
from tests.kit import Take, at_the_table, seat

Two = tuple[Player, Player]
FAIR: dict[str, Any] = {"to": "Madrid", "give": {"wood": 2}, "take": {"brick": 1}}
FULL = {"wheat": 5, "sheep": 5, "stone": 5, "wood": 5, "brick": 5}


@pytest.fixture
def two(game: Game, produced: Two) -> Two:
    """Murphy and Madrid with five of everything each."""
    with at_the_table(game) as table:
        for each in produced:
            give(table, each, **FULL)
    return produced


@pytest.fixture
def juan(game: Game, act: Take) -> Player:
    """A third Settler, with five of everything."""
    juan = seat(game, "juan")
    act(juan, "settlers.join")
    with at_the_table(game) as table:
        give(table, juan, **FULL)
    return juan


def lost(receipt: Receipt, name: str) -> dict[str, int]:
    found = receipt.entry.outcome["lost"][name]
    assert isinstance(found, dict)
    return found


def less(items: dict[str, int], *more: dict[str, int]) -> dict[str, int]:
    """What is left of five of everything after these are gone."""
    left = {each: FULL[each] + items.get(each, 0) for each in FULL}
    for gone in more:
        left = {each: left[each] - gone.get(each, 0) for each in FULL}
    return {each: amount for each, amount in left.items() if amount}


# Offering


def test_an_offer_is_told_to_everybody_and_moves_nothing_yet(game: Game, act: Take, two: Two):
    entry = act(two[0], "settlers.offer_trade", **FAIR).entry
    assert entry.text == "Murphy offers Madrid 2 wood for 1 brick (offer 1)."
    assert entry.outcome == {"offer": 1}
    assert held(game, two[0]) == held(game, two[1]) == FULL


def test_offers_are_counted_through_the_game(act: Take, two: Two, juan: Player):
    murphy, madrid = two
    assert act(murphy, "settlers.offer_trade", **FAIR).entry.outcome == {"offer": 1}
    assert act(madrid, "settlers.offer_trade", **{**FAIR, "to": "juan"}).entry.outcome["offer"] == 2
    act(murphy, "settlers.cancel_trade", offer=1)
    assert act(murphy, "settlers.offer_trade", **FAIR).entry.outcome == {"offer": 3}


@pytest.mark.parametrize(
    ("changed", "code", "words"),
    [
        ({"give": {}}, "empty_side", "You give nothing"),
        ({"take": {"wood": 0}}, "empty_side", "You take nothing"),
        ({"give": {"wood": 4}}, "too_uneven", "You give 4 and take 1: the two sides may differ"),
        ({"take": {"brick": 3, "stone": 2}}, "too_uneven", "You give 2 and take 5"),
        ({"give": {"wood": 6}, "take": {"brick": 5}}, "too_little", "You offer 6 wood, and your"),
    ],
)
def test_an_offer_has_two_sides_nearly_as_large_of_what_one_has(
    two: Two, changed: dict[str, Any], code: str, words: str
):
    found = refusal(two[0], "offer_trade", **{**FAIR, **changed})
    assert (found.code, found.rule) == (code, GIFT)
    assert words in found.sentence


def test_counts_two_apart_are_near_enough(act: Take, two: Two):
    act(two[0], "settlers.offer_trade", **{**FAIR, "give": {"wood": 3}})
    act(two[1], "settlers.offer_trade", to="Murphy", give={"brick": 1}, take={"wood": 3})


def test_to_each_other_settler_there_is_one_open_offer(act: Take, two: Two, juan: Player):
    act(two[0], "settlers.offer_trade", **FAIR)
    sentence = "Your offer 1 to Madrid stands still. Withdraw it before you make them another."
    assert why_not(two[0], "offer_trade", **FAIR) == ("offer_stands", sentence, GIFT)
    act(two[0], "settlers.offer_trade", **{**FAIR, "to": "juan"})
    act(two[1], "settlers.offer_trade", **{**FAIR, "to": "Murphy"})


def test_nobody_trades_with_themselves_nor_with_who_is_no_settler(
    act: Take, two: Two, officer: Player
):
    sentence = "A trade is with another Settler: choose somebody else."
    to_themselves = {**FAIR, "to": "Murphy"}
    assert why_not(two[0], "offer_trade", **to_themselves) == ("same_settler", sentence, GIFT)
    for name in ("snail", "nobody"):
        with pytest.raises(Malformed, match=f"“{name}” is not a Settler of this game"):
            act(two[0], "settlers.offer_trade", **{**FAIR, "to": name})


def test_where_very_many_have_settled_nobody_trades_with_themselves_either(
    game: Game, act: Take, two: Two
):
    settle_many(game, 60)
    fair = {**FAIR, "to": "Murphy"}
    assert why_not(two[0], "offer_trade", **fair)[0] == "same_settler"
    with pytest.raises(Malformed, match="“nobody” is not a Settler of this game"):
        act(two[0], "settlers.offer_trade", **{**FAIR, "to": "nobody"})


# Accepting


def test_both_sides_change_hands_and_one_item_of_each_is_lost(game: Game, act: Take, two: Two):
    murphy, madrid = two
    inputs = {"to": "Madrid", "give": {"wood": 2, "wheat": 1}, "take": {"brick": 2}}
    act(murphy, "settlers.offer_trade", **inputs)
    receipt = act(madrid, "settlers.accept_trade", offer=1)
    of_murphy, of_madrid = lost(receipt, "Murphy"), lost(receipt, "Madrid")
    assert of_madrid == {"brick": 1}
    assert of_murphy in ({"wood": 1}, {"wheat": 1})
    assert held(game, murphy) == less({"brick": 1}, {"wood": 2, "wheat": 1})
    assert held(game, madrid) == less({"wood": 2, "wheat": 1}, {"brick": 2}, of_murphy)
    assert receipt.entry.text.startswith(
        "Madrid accepts offer 1: Murphy gives 1 wheat and 2 wood for 2 brick. On the way are lost"
    )


def test_what_is_lost_of_one_item_is_all_of_it(game: Game, act: Take, two: Two):
    murphy, madrid = two
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wood": 1}, take={"brick": 1})
    act(madrid, "settlers.accept_trade", offer=1)
    assert held(game, murphy) == {**FULL, "wood": 4}
    assert held(game, madrid) == {**FULL, "brick": 4}


@pytest.mark.parametrize(("one", "other"), [(True, True), (True, False), (False, True)])
def test_only_between_those_who_have_each_other_as_allies_nothing_is_lost(
    game: Game, act: Take, two: Two, one: bool, other: bool
):
    murphy, madrid = two
    if one:
        act(murphy, "settlers.set_alliance", other="Madrid", listed="on")
    if other:
        act(madrid, "settlers.set_alliance", other="Murphy", listed="on")
    act(murphy, "settlers.offer_trade", **FAIR)
    receipt = act(madrid, "settlers.accept_trade", offer=1)
    nothing = {"Murphy": {}, "Madrid": {}}
    assert (receipt.entry.outcome["lost"] == nothing) == (one and other)
    kept = held(game, murphy) == less({"brick": 1}, {"wood": 2})
    assert kept == (one and other)


def test_each_of_both_trades_once_a_production(game: Game, act: Take, two: Two, juan: Player):
    murphy, madrid = two
    act(murphy, "settlers.offer_trade", **FAIR)
    act(juan, "settlers.offer_trade", **FAIR)
    act(juan, "settlers.offer_trade", **{**FAIR, "to": "Murphy"})
    act(madrid, "settlers.accept_trade", offer=1)
    you = "You have traded since the most recent Production of Resources: wait for the next one."
    assert why_not(murphy, "offer_trade", **FAIR) == ("already_traded", you, GIFT)
    assert why_not(madrid, "accept_trade", offer=2) == ("already_traded", you, GIFT)
    assert why_not(murphy, "accept_trade", offer=3) == ("already_traded", you, GIFT)
    hours(game, 48)
    act(madrid, "settlers.accept_trade", offer=2)
    sentence = you.replace("You have", "juan has")
    assert why_not(murphy, "accept_trade", offer=3) == ("already_traded", sentence, GIFT)


def test_an_offer_that_can_no_longer_be_kept_is_accepted_when_it_can_again(
    game: Game, act: Take, two: Two
):
    murphy, madrid = two
    act(murphy, "settlers.offer_trade", **FAIR)
    with at_the_table(game) as table:
        table.ledger.destroy(murphy, 4, "wood")
        table.ledger.destroy(madrid, 5, "brick")
    found = refusal(madrid, "accept_trade", offer=1)
    assert found.sentence.startswith("Murphy asks for 1 brick, and your Stockpile has 5 wheat")
    with at_the_table(game) as table:
        give(table, madrid, brick=1)
    found = refusal(madrid, "accept_trade", offer=1)
    assert found.sentence.startswith("Murphy offered 2 wood and lacks 1 wood")
    with at_the_table(game) as table:
        give(table, murphy, wood=1)
    act(madrid, "settlers.accept_trade", offer=1)
    assert "wood" not in held(game, murphy)


def test_an_offer_is_accepted_once_and_by_nobody_else(act: Take, two: Two, juan: Player):
    murphy, madrid = two
    act(murphy, "settlers.offer_trade", **FAIR)
    for who in (murphy, juan):
        with pytest.raises(Refused, match="No offer 1 that you got is open"):
            act(who, "settlers.accept_trade", offer=1)
    act(madrid, "settlers.accept_trade", offer=1)
    with pytest.raises(Refused, match="No offer 1 that you got is open") as gone:
        act(madrid, "settlers.accept_trade", offer=1)
    assert gone.value.refusal.code == "no_such_offer"


def test_an_offer_of_somebody_who_is_no_settler_now_waits_until_they_are_again(act: Take, two: Two):
    murphy, madrid = two
    act(murphy, "settlers.offer_trade", **FAIR)
    sentence = "Murphy is not a Settler at present, and cannot trade."
    act(murphy, "games.leave")
    assert why_not(madrid, "accept_trade", offer=1) == ("no_settler", sentence, GIFT)
    act(murphy.user, "games.join", name="Murphy")
    act(murphy, "games.take_office", office="Onlooker")
    assert why_not(madrid, "accept_trade", offer=1) == ("no_settler", sentence, GIFT)
    act(murphy, "games.resign_office", office="Onlooker")
    act(madrid, "settlers.accept_trade", offer=1)


def test_an_offer_to_somebody_who_left_or_became_onlooker_can_be_withdrawn(
    act: Take, two: Two, juan: Player
):
    murphy, madrid = two
    act(murphy, "settlers.offer_trade", **FAIR)
    act(murphy, "settlers.offer_trade", **{**FAIR, "to": "juan"})
    act(madrid, "games.leave")
    act(juan, "games.take_office", office="Onlooker")
    assert refusal(juan, "accept_trade", offer=2).code == "is_onlooker"
    act(murphy, "settlers.cancel_trade", offer=1)
    act(murphy, "settlers.cancel_trade", offer=2)


# Taking an offer off the table


def test_both_sides_take_an_offer_off_the_table_and_nobody_else(act: Take, two: Two, juan: Player):
    murphy, madrid = two
    act(murphy, "settlers.offer_trade", **FAIR)
    with pytest.raises(Refused, match="You have made no open offer and got none"):
        act(juan, "settlers.cancel_trade", offer=1)
    said = act(murphy, "settlers.cancel_trade", offer=1).entry.text
    assert said == "Murphy withdraws offer 1 to Madrid."
    act(murphy, "settlers.offer_trade", **FAIR)
    said = act(madrid, "settlers.cancel_trade", offer=2).entry.text
    assert said == "Madrid declines offer 2 of Murphy."
    assert list(Offer.objects.values_list("end", flat=True)) == ["withdrawn", "declined"]
    with pytest.raises(Refused, match="You have made no open offer and got none"):
        act(madrid, "settlers.cancel_trade", offer=2)
    act(murphy, "settlers.offer_trade", **FAIR)
    with pytest.raises(Refused, match=r"made or got is open\. Open ones: 3"):
        act(madrid, "settlers.cancel_trade", offer=2)


def test_who_has_traded_may_still_take_their_offers_off_the_table(
    act: Take, two: Two, juan: Player
):
    murphy, madrid = two
    act(murphy, "settlers.offer_trade", **{**FAIR, "to": "juan"})
    act(murphy, "settlers.offer_trade", **FAIR)
    act(madrid, "settlers.accept_trade", offer=2)
    act(murphy, "settlers.cancel_trade", offer=1)


# Alliances


def test_an_alliance_list_holds_other_settlers_once(act: Take, two: Two):
    murphy, _ = two
    said = act(murphy, "settlers.set_alliance", other="Madrid", listed="on").entry.text
    assert said == "Murphy puts Madrid on their Alliance list."
    sentence = "Madrid stands on your Alliance list already. Choose somebody else."
    inputs = {"other": "Madrid", "listed": "on"}
    assert why_not(murphy, "set_alliance", **inputs) == ("as_it_stands", sentence, GIFT)
    said = act(murphy, "settlers.set_alliance", other="Madrid", listed="off").entry.text
    assert said == "Murphy takes Madrid off their Alliance list."
    sentence = "Madrid is not on your Alliance list. Choose somebody else."
    inputs = {"other": "Madrid", "listed": "off"}
    assert why_not(murphy, "set_alliance", **inputs) == ("as_it_stands", sentence, GIFT)
    assert not Ally.objects.exists()
    sentence = "Your Alliance list is for other Settlers: choose somebody else."
    for listed in ("on", "off"):
        inputs = {"other": "Murphy", "listed": listed}
        assert why_not(murphy, "set_alliance", **inputs) == ("same_settler", sentence, GIFT)


def test_an_ally_who_left_can_be_taken_off_the_list(act: Take, two: Two):
    murphy, madrid = two
    act(murphy, "settlers.set_alliance", other="Madrid", listed="on")
    act(madrid, "games.leave")
    act(murphy, "settlers.set_alliance", other="Madrid", listed="off")
    assert not Ally.objects.exists()


def test_a_trade_says_nothing_of_who_is_injured(act: Take, two: Two):
    murphy, madrid = two
    place(murphy, injured=True)
    act(murphy, "settlers.offer_trade", **FAIR)
    act(madrid, "settlers.accept_trade", offer=1)
    assert Settler.objects.filter(traded_in=1).count() == 2

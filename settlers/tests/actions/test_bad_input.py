"""Whatever is sent to the isle's actions: a sentence that says what is wrong, and no change."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from settlers.models import Bribe
from settlers.tests.asking import complaint, domains, everything, held, send
from settlers.tests.stage import give, place, results_are, visitor_is
from tests.kit import WEDNESDAY, Take, at_the_table, seat

Two = tuple[Player, Player]
Cases = dict[str, tuple[Any, str]]
NUMBERS = {"wheat": 2, "sheep": 5, "stone": None, "wood": 8, "brick": 9}

AMOUNTS: Cases = {
    "an unknown item": ({"gold": 1}, "“gold” is no resource of the isle. Known: wheat, sheep"),
    "an unknown item beside a known one": ({"wheat": 1, "gold": 0}, "“gold” is no resource"),
    "an empty name": ({"": 1}, "“” is no resource"),
    "a long name": ({"x" * 5000: 1}, "is no resource"),
    "a name of control characters": ({"\x00\u202e": 1}, "characters that cannot be kept"),
    "a name of half a character": ('{"items": {"\\ud800": 1}}', ""),
    "one item under two names": ({"wheat": 1, "Wheat": 2}, "wheat is named twice"),
    "a negative amount": ({"wheat": -1}, "wheat is a whole number from 0"),
    "a fraction": ({"wheat": 1.5}, "wheat is a whole number from 0"),
    "a whole fraction": ({"wheat": 2.0}, "wheat is a whole number from 0"),
    "yes": ({"wheat": True}, "wheat is a whole number from 0"),
    "no": ({"wheat": False}, "wheat is a whole number from 0"),
    "nothing": ({"wheat": None}, "wheat is a whole number from 0"),
    "a word": ({"wheat": "many"}, "of resources and whole amounts"),
    "an exponent": ({"wheat": "1e3"}, "of resources and whole amounts"),
    "other digits": ({"wheat": "٣"}, "of resources and whole amounts"),
    "a list": ({"wheat": [1]}, "wheat is a whole number from 0"),
    "items in items": ({"wheat": {"wheat": 1}}, "wheat is a whole number from 0"),
    "an astronomical amount": ({"wheat": 10**30}, "at most 1"),
    "an astronomical text": ({"wheat": "9" * 5000}, "of resources and whole amounts"),
    "a number as a text": ({"wheat": "3"}, "of resources and whole amounts"),
    "a list of items": ([{"wheat": 1}], "must be an object"),
    "a number": (3, "must be an object"),
    "a text": ("3 wheat", "must be an object"),
    "null": (None, "must be an object"),
}
BODIES: Cases = {
    "no items": ("{}", "Fill this in"),
    "an endless amount": ('{"items": {"wheat": 1e400}}', ""),
    "an endless amount below zero": ('{"items": {"wheat": -1e400}}', ""),
    "what is no number": ('{"items": {"wheat": NaN}}', ""),
    "a number of many digits": ('{"items": {"wheat": ' + "9" * 5000 + "}}", ""),
    "a thousand boxes in one another": ('{"items": ' + '{"wheat":' * 999 + "1" + "}" * 999, ""),
    "an input that is none": ('{"items": {}, "value": 9}', "no such input"),
    "a list": ("[]", ""),
    "nonsense": ("{items", ""),
}
CHANGES: Cases = {
    "a number twice": ({"shift": {"resource": "sheep", "number": 8}}, "holds 8"),
    "a seven": ({"shift": {"resource": "wood", "number": 7}}, "cannot hold 7"),
    "a one": ({"shift": {"resource": "wheat", "number": 1}}, "cannot hold 1"),
    "a thirteen": ({"shift": {"resource": "wood", "number": 13}}, "cannot hold 13"),
    "a negative number": ({"shift": {"resource": "wood", "number": -8}}, "a whole number"),
    "a number that no table has": (
        {"shift": {"resource": "wood", "number": 1001}},
        "a whole number from 0 to 1,000",
    ),
    "a huge number": ({"shift": {"resource": "wood", "number": 10**30}}, "a whole number"),
    "a fraction": ({"shift": {"resource": "wood", "number": 8.5}}, "a whole number"),
    "yes": ({"shift": {"resource": "wood", "number": True}}, "a whole number"),
    "no number": ({"shift": {"resource": "wood", "number": None}}, "a whole number"),
    "a number as a text": ({"shift": {"resource": "wood", "number": "9"}}, "a whole number"),
    "one as a text alone": ({"resource": "wood", "number": "9"}, "a whole number"),
    "a missing number": ({"shift": {"resource": "wood"}}, "A change is a swap"),
    "an unknown Domain": ({"shift": {"resource": "gold", "number": 8}}, "“gold” is no resource"),
    "a list for a Domain": ({"shift": {"resource": ["wood"], "number": 8}}, "is no resource"),
    "one Domain twice": ({"swap": {"a": "wood", "b": "wood"}}, "of two Domains"),
    "a swap with nothing": ({"swap": {"a": "wood", "b": None}}, "is no resource"),
    "half a swap": ({"swap": {"a": "wood"}}, "A change is a swap"),
    "three Domains": ({"swap": {"a": "wood", "b": "brick", "c": "stone"}}, "A change is a swap"),
    "a swap that is a text": ({"swap": "wood"}, "A change is a swap"),
    "a swap and a shift": (
        {"swap": {"a": "wood", "b": "brick"}, "shift": {"resource": "wood", "number": 9}},
        "A change is a swap",
    ),
    "another change": ({"double": {"resource": "wood"}}, "A change is a swap"),
    "another word": ("all", "A change is a swap"),
    "yes alone": (True, "must be null, “none”, a swap or a shift"),
    "a number": (7, "must be null"),
    "a list": ([], "must be null"),
}
BONUSES: Cases = {
    "one of nothing": ([{}], "names a building"),
    "one that is null": ([None], "A bonus is a building"),
    "one that is a number": ([1], "A bonus is a building"),
    "a list in the list": ([["Farm", "sheep"]], "A bonus is a building"),
    "more than it has": ([{"building": "Farm", "choice": "sheep", "n": 2}], "A bonus is"),
    "a choice that is none": ([{"building": "Farm", "choice": 1}], "names a building"),
    "a building that is none": ([{"building": 1}], "names a building"),
    "a long building": ([{"building": "F" * 61}], "such a long name"),
    "one without its choice": (["Farm"], "say which you take"),
    "an unknown choice": ([{"building": "Farm", "choice": "gold"}], "does not give gold"),
    "one twice": ([{"building": "Farm", "choice": "sheep"}] * 2, "2 times and have 1"),
    "too many": ([{"building": "Farm", "choice": "sheep"}] * 1001, "are a list"),
    "an object": ({"building": "Farm"}, "must be a list"),
    "a text": ("Farm", "must be a list"),
}
OFFERS: Cases = {
    "to oneself": ({"to": "Murphy"}, "A trade is with another Settler"),
    "to another game's": ({"to": "Stranger"}, "“Stranger” is not a Settler"),
    "to who has not joined the isle": ({"to": "juan"}, "“juan” is not a Settler"),
    "to nobody": ({"to": ""}, "Fill this in"),
    "to a number": ({"to": 1}, "must be a text"),
    "to null": ({"to": None}, "must be a text"),
    "both sides empty": ({"give": {}, "take": {}}, "You give nothing"),
    "nothing for something": ({"give": {"wood": 0}}, "You give nothing"),
    "something for nothing": ({"take": {}}, "You take nothing"),
    "counts three apart": ({"give": {"wood": 5}}, "may differ by at most 2"),
    "counts three apart the other way": ({"take": {"brick": 4}}, "may differ by at most 2"),
    "more than one has": ({"give": {"wood": 6}, "take": {"brick": 6}}, "has 5 wheat"),
    "a hundred and one": ({"give": {"wood": 101}}, "at most 100"),
    "less than nothing": ({"give": {"wood": -2}}, "a whole number from 0"),
}
NUMBERED: Cases = {
    "an unknown one": (99, "is open. Open ones: 1"),
    "another game's": (2, "No offer 2 that you"),
    "less than nothing": (-1, "No offer -1 that you"),
    "a huge number": (10**30, "No offer 1000000"),
    "a text": ("1", "must be a whole number"),
    "yes": (True, "must be a whole number"),
    "a fraction": (1.0, "must be a whole number"),
    "a list": ([1], "must be a whole number"),
    "null": (None, "must be a whole number"),
}
OTHERS: list[tuple[str, dict[str, Any], str]] = [
    ("build", {}, "Fill this in"),
    ("build", {"building": "Palace"}, "not a building of this game"),
    ("build", {"building": ["Farm"]}, "must be a text"),
    ("build", {"building": "Cone", "other": "gold"}, "not a resource"),
    ("build", {"building": "Cone", "other": 5}, "must be a text"),
    ("swap_with_merchant", {"give": "wood"}, "Fill this in"),
    ("swap_with_merchant", {"give": "gold", "take": "wood"}, "not a resource"),
    ("swap_with_merchant", {"give": {"wood": 3}, "take": "stone"}, "must be a text"),
    ("set_alliance", {"other": "Madrid"}, "Fill this in"),
    ("set_alliance", {"other": "Madrid", "listed": True}, "must be a text"),
    ("set_alliance", {"other": "Madrid", "listed": "maybe"}, "not a choice"),
    ("set_alliance", {"other": "Murphy", "listed": "on"}, "is for other Settlers"),
    ("ready", {"ready": True}, "no such input"),
    ("join", {"wheat": 2}, "no such input"),
]


@pytest.fixture
def murphy(game: Game, with_the_thug: Game, produced: Two, act: Take) -> Player:
    """A Settler with five of everything and an offer of Madrid's, while the Thug is here; there
    is another game beside it with offers of its own."""
    murphy, madrid = produced
    other = new_game("another", "multa", pace="manual", start=WEDNESDAY)[0]
    strangers = [seat(other, name) for name in ("Stranger", "Foreigner")]
    for each in strangers:
        take("another", each, "settlers.join")
    with at_the_table(other) as table:
        give(table, strangers[0], wood=5)
    for _ in range(2):
        inputs = {"to": "Foreigner", "give": {"wood": 1}, "take": {"brick": 1}}
        take("another", strangers[0], "settlers.offer_trade", inputs)
        last = other.trade_offers.latest("number").number
        if last == 1:
            take("another", strangers[0], "settlers.cancel_trade", {"offer": 1})
    seat(game, "juan")
    with at_the_table(game) as table:
        for each in produced:
            give(table, each, wheat=5, sheep=5, stone=5, wood=5, brick=5)
    act(madrid, "settlers.offer_trade", to="Murphy", give={"brick": 1}, take={"wood": 1})
    results_are(game, 2, 5)
    place(murphy, domains=NUMBERS, buildings=["Farm"])
    visitor_is(game, "Thug")
    return murphy


def check(
    before: Any, player: Player, name: str, inputs: Any, words: str, *, only_api: bool = False
) -> None:
    """It is refused through the API with its words, and in `take` as well; all stays as it was
    before."""
    status, said = complaint(player, name, inputs)
    assert status in (409, 422), (status, said)
    assert said
    assert words in said, said
    if isinstance(inputs, dict) and not only_api:
        with pytest.raises((Refused, Malformed)):
            take("table", player, f"settlers.{name}", inputs, typed=True)
    assert everything(player.game) == before


@pytest.mark.thorough
def test_what_is_no_bribe_is_refused_with_a_sentence(
    game: Game, murphy: Player, subtests: pytest.Subtests
):
    before = everything(game)
    for what, (items, words) in AMOUNTS.items():
        with subtests.test(what):
            is_body = isinstance(items, str) and items.startswith("{")
            check(before, murphy, "bribe", items if is_body else {"items": items}, words)
    for what, (body, words) in BODIES.items():
        with subtests.test(what):
            check(before, murphy, "bribe", body, words)
    assert not Bribe.objects.exists()


def test_a_bribe_above_the_stockpile_is_one(murphy: Player):
    status, entry = send(murphy, "bribe", {"items": {"stone": 10**12}})
    assert (status, entry["inputs"]) == (201, {"items": {"stone": 10**12}})
    assert Bribe.objects.get().items == {"stone": 10**12}


@pytest.mark.thorough
def test_what_no_side_of_a_trade_can_be_is_refused_with_a_sentence(
    game: Game, murphy: Player, subtests: pytest.Subtests
):
    before = everything(game)
    fair = {"to": "Madrid", "give": {"wood": 1}, "take": {"brick": 2}}
    for what, (changed, words) in OFFERS.items():
        with subtests.test(what):
            check(before, murphy, "offer_trade", {**fair, **changed}, words)
    for what, (items, words) in AMOUNTS.items():
        if isinstance(items, str) and items.startswith("{"):
            continue
        for side in ("give", "take"):
            with subtests.test(f"{side}: {what}"):
                check(before, murphy, "offer_trade", {**fair, side: items}, words)


@pytest.mark.thorough
def test_what_no_offer_is_is_neither_accepted_nor_cancelled(
    game: Game, murphy: Player, subtests: pytest.Subtests
):
    before = everything(game)
    for what, (offer, words) in NUMBERED.items():
        for name in ("accept_trade", "cancel_trade"):
            with subtests.test(f"{name}: {what}"):
                check(before, murphy, name, {"offer": offer}, words)


@pytest.mark.thorough
def test_what_no_harvest_can_be_is_refused_with_a_sentence(
    game: Game, murphy: Player, subtests: pytest.Subtests
):
    before = everything(game)
    for field, cases in (("change", CHANGES), ("bonuses", BONUSES)):
        for what, (value, words) in cases.items():
            with subtests.test(f"{field}: {what}"):
                check(before, murphy, "harvest", {field: value}, words)
    assert domains(murphy) == NUMBERS


@pytest.mark.parametrize("inputs", [{}, {"change": None}, {"change": "none"}, {"change": {}}])
def test_no_change_can_be_said_in_four_ways(game: Game, murphy: Player, inputs: dict[str, Any]):
    status, entry = send(murphy, "harvest", inputs)
    assert (status, entry["inputs"]) == (201, {"change": None, "bonuses": []})
    assert domains(murphy) == NUMBERS


def test_every_other_misshapen_act_is_refused_with_a_sentence(
    game: Game, murphy: Player, subtests: pytest.Subtests
):
    before = everything(game)
    for name, inputs, words in OTHERS:
        with subtests.test(f"{name} {inputs}"):
            check(before, murphy, name, inputs, words)


# As a browser sends it


def post(player: Player, name: str, **sent: str) -> int:
    browser = Client()
    assert player.user is not None
    browser.force_login(player.user)
    return browser.post(f"/g/table/act/settlers.{name}/", sent).status_code


def test_a_form_of_a_harvest_is_one(game: Game, murphy: Player):
    place(murphy, buildings=["Farm", "Church", "Farm"])
    before = held(game, murphy)
    sent = {"change_kind": "swap", "change_a": "stone", "change_b": "wheat"}
    bonuses = {"bonuses_sent": "1", "bonuses_0": "-", "bonuses_1": "wheat"}
    assert post(murphy, "harvest", **sent, **bonuses) == 302
    assert domains(murphy) == {**NUMBERS, "wheat": None, "stone": 2}
    assert held(game, murphy) == {**before, "wheat": 5 + 5 + 1, "sheep": 5 + 2}


def test_a_form_of_a_shift_and_one_of_no_change_are_harvests(game: Game, murphy: Player, act: Take):
    sent = {"change_kind": "shift", "change_resource": "brick", "change_number": "11"}
    assert post(murphy, "harvest", **sent, change_a="", change_b="") == 302
    assert domains(murphy) == {**NUMBERS, "brick": 11}
    place(murphy, harvested_in=None)
    assert post(murphy, "harvest", change_kind="none", change_number="12") == 302
    assert domains(murphy) == {**NUMBERS, "brick": 11}


def test_forms_of_a_bribe_and_an_offer_are_told(game: Game, murphy: Player):
    assert post(murphy, "bribe", items_wheat="3", items_sheep="", items_stone="0") == 302
    assert Bribe.objects.get().items == {"wheat": 3}
    assert post(murphy, "bribe", items_wheat="", items_sheep="") == 302
    assert Bribe.objects.get().items == {}
    sent = {"give_wood": "1", "give_brick": "", "take_brick": "2"}
    assert post(murphy, "offer_trade", to="Madrid", **sent) == 302
    offer = game.trade_offers.latest("number")
    assert (offer.gives, offer.takes) == ({"wood": 1}, {"brick": 2})


FORMS: list[tuple[str, dict[str, str]]] = [
    ("bribe", {}),
    ("bribe", {"items_gold": "1"}),
    ("bribe", {"items_wheat": "-1"}),
    ("bribe", {"items_wheat": "1.5"}),
    ("bribe", {"items_wheat": "9" * 5000}),
    ("bribe", {"items": "1 gold"}),
    ("bribe", {"items": "\x00"}),
    ("harvest", {"change_kind": "swap", "change_a": "wood"}),
    ("harvest", {"change_kind": "shift", "change_resource": "wood"}),
    ("harvest", {"change_kind": "shift", "change_resource": "wood", "change_number": "7"}),
    ("harvest", {"change_kind": "burn"}),
    ("harvest", {"bonuses_sent": "1", "bonuses_0": "gold"}),
    ("harvest", {"change": "{}"}),
    ("harvest", {"bonuses": "[]"}),
    ("offer_trade", {"to": "Madrid", "give_wood": "", "take_brick": ""}),
    ("accept_trade", {"offer": "first"}),
    ("build", {"building": ""}),
]


@pytest.mark.thorough
def test_a_form_that_is_filled_in_wrongly_changes_nothing(
    game: Game, murphy: Player, subtests: pytest.Subtests
):
    for name, sent in FORMS:
        with subtests.test(f"{name} {list(sent.items())[:2]}"[:90]):
            before = everything(game)
            assert post(murphy, name, **sent) in (409, 422)
            assert everything(game) == before

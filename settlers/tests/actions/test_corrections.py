"""The Onlooker's corrections: on the record, each with its reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from nomic.engine.dry_run import rehearse
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.rows import rows_of
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player, Win
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from settlers.api import isle_state
from settlers.models import Bribe, Isle, Settler, Visit
from settlers.rules.titles import THUG
from settlers.state.reading import PRODUCTION, deck_as_json
from settlers.tests.stage import bring_the_thug, give, hours, isle_of, place, visitor_is
from tests.kit import WEDNESDAY, Take, at_the_table, failing, seat

Two = tuple[Player, Player]
Refuses = Callable[..., Any]
NUMBERS = {"wheat": 2, "sheep": 3, "stone": 4, "wood": 5, "brick": 6}

CORRECTIONS: dict[str, dict[str, Any]] = {
    "correct_domain": {"settler": "Murphy", "resource": "wheat", "number": 9},
    "correct_settlement": {"settler": "Murphy", "buildings": "Farm, Church"},
    "correct_list": {"settler": "Murphy", "listed": "on", "which": "Victims"},
    "correct_visitor": {"visitor": "Merchant"},
    "correct_ready": {"settler": "Murphy", "ready": "Ready"},
    "correct_use": {"settler": "Murphy", "used": "used", "use": "the harvest"},
    "correct_ally": {"settler": "Murphy", "listed": "on", "other": "Madrid"},
    "correct_deck": {"cards": 1, "number": 5},
}
TOLD = {
    "correct_domain": "corrects Murphy's wheat Domain from 2 to 9: It was a slip.",
    "correct_settlement": "corrects Murphy's Settlement from empty to Farm, Church: It was a slip.",
    "correct_list": "puts Murphy on the Victims list: It was a slip.",
    "correct_visitor": "corrects the Visitor from None to Merchant: It was a slip.",
    "correct_ready": "corrects Murphy's Ready flag from not Ready to Ready: It was a slip.",
    "correct_use": "corrects the harvest of Murphy from not used to used: It was a slip.",
    "correct_ally": "corrects Murphy's Alliance list from one without Madrid to one with Madrid:"
    " It was a slip.",
    "correct_deck": "corrects the cards 5 in the Dice Deck from 4 to 1: It was a slip.",
}
BACK: dict[str, dict[str, Any]] = {
    "correct_domain": {"number": 2},
    "correct_settlement": {"buildings": ""},
    "correct_list": {"listed": "off"},
    "correct_visitor": {"visitor": "None"},
    "correct_ready": {"ready": "not Ready"},
    "correct_use": {"used": "not used"},
    "correct_ally": {"listed": "off"},
    "correct_deck": {"cards": 4},
}


@pytest.fixture
def isle(with_the_thug: Game, settled: Two) -> Game:
    """Murphy and Madrid on an isle that the Thug may visit."""
    for who in settled:
        place(who, domains=NUMBERS)
    return with_the_thug


@pytest.fixture
def correct(isle: Game, officer: Player) -> Callable[..., str]:
    """Let the Onlooker correct something; what the record says."""

    def correct(name: str, **inputs: Any) -> str:
        reason = {"reason": "It was a slip."}
        receipt = take(isle.slug, officer, f"settlers.{name}", {**inputs, **reason}, typed=True)
        return str(receipt.entry.text)

    return correct


@pytest.fixture
def refused(isle: Game, officer: Player) -> Refuses:
    """A correction that must be refused; why."""

    def refused(name: str, **inputs: Any) -> Any:
        before = Game.objects.get(pk=isle.pk).last_entry
        with pytest.raises(Refused) as caught:
            take(isle.slug, officer, f"settlers.{name}", {**inputs, "reason": "?"})
        assert Game.objects.get(pk=isle.pk).last_entry == before
        return caught.value.refusal

    return refused


def told(game: Game) -> dict[str, Any]:
    """The isle as everybody sees it."""
    game.refresh_from_db()
    state = isle_state(glance(game))
    assert state is not None
    return state


@pytest.mark.parametrize("name", CORRECTIONS)
def test_each_says_who_corrects_what_and_why(correct: Callable[..., str], name: str):
    assert correct(name, **CORRECTIONS[name]) == f"snail {TOLD[name]}"


@pytest.mark.parametrize("name", CORRECTIONS)
def test_who_runs_the_site_may_correct_as_well(isle: Game, act: Take, name: str):
    root = User.objects.create_superuser("root")
    receipt = act(root, f"settlers.{name}", **CORRECTIONS[name], reason="It was a slip.")
    assert receipt.entry.text == f"The operator {TOLD[name]}"


@pytest.mark.thorough
@pytest.mark.parametrize("name", CORRECTIONS)
def test_nobody_else_may(isle: Game, settled: Two, officer: Player, act: Take, name: str):
    with pytest.raises(Refused) as caught:
        act(settled[1], f"settlers.{name}", **CORRECTIONS[name], reason="Because.")
    assert caught.value.refusal.code == "not_the_officer"


@pytest.mark.parametrize("name", CORRECTIONS)
def test_none_goes_without_a_reason(isle: Game, officer: Player, act: Take, name: str):
    with pytest.raises(Malformed) as caught:
        act(officer, f"settlers.{name}", **CORRECTIONS[name])
    assert set(caught.value.errors) == {"reason"}


@pytest.mark.parametrize("name", CORRECTIONS)
def test_each_is_possible_while_the_game_is_stuck(
    isle: Game, correct: Callable[..., str], name: str
):
    with failing(PRODUCTION):
        hours(isle, 50)
    assert Game.objects.get(pk=isle.pk).stuck_at is not None
    assert correct(name, **CORRECTIONS[name]).startswith("snail ")


@pytest.mark.parametrize("name", CORRECTIONS)
def test_what_is_so_already_is_not_corrected(
    isle: Game, correct: Callable[..., str], refused: Refuses, name: str
):
    before, as_it_is = told(isle), {**CORRECTIONS[name], **BACK[name]}
    assert refused(name, **as_it_is).code == "is_so"
    correct(name, **CORRECTIONS[name])
    assert told(isle) != before
    assert refused(name, **CORRECTIONS[name]).code == "is_so"


@pytest.mark.parametrize("name", ["correct_ready", "correct_use", "correct_ally", "correct_deck"])
def test_a_preview_tells_the_entry_and_changes_nothing(
    isle: Game, officer: Player, correct: Callable[..., str], name: str
):
    before, inputs = rows_of("settlers", isle), {**CORRECTIONS[name], "reason": "It was a slip."}
    seen = rehearse(isle.slug, officer.user, f"settlers.{name}", inputs)
    assert rows_of("settlers", isle) == before
    assert correct(name, **CORRECTIONS[name]) == seen.text


@pytest.mark.parametrize("name", ["correct_ready", "correct_use", "correct_ally", "correct_deck"])
def test_a_correction_is_taken_back_by_another(isle: Game, correct: Callable[..., str], name: str):
    before = rows_of("settlers", isle)
    correct(name, **CORRECTIONS[name])
    assert rows_of("settlers", isle) != before
    correct(name, **{**CORRECTIONS[name], **BACK[name]})
    assert rows_of("settlers", isle) == before


def test_a_deck_that_has_too_few_cards_by_correction_is_made_whole_at_once_and_that_is_told(
    isle: Game, correct: Callable[..., str]
):
    whole = isle_of(isle).deck
    left = dict.fromkeys(map(int, whole), 0) | {6: 5, 8: 2}
    Isle.objects.filter(game=isle).update(deck=deck_as_json(left))
    assert correct("correct_deck", cards=1, number=8) == (
        "snail corrects the cards 8 in the Dice Deck from 2 to 1, and it is made whole again: It"
        " was a slip."
    )
    assert isle_of(isle).deck == whole


@pytest.mark.parametrize(
    ("use", "field"), [("the harvest", "harvested_in"), ("the trade", "traded_in")]
)
def test_what_was_used_may_be_used_again(
    isle: Game, player: Player, correct: Callable[..., str], use: str, field: str
):
    place(player, **{field: isle_of(isle).production})
    correct("correct_use", settler="Murphy", used="not used", use=use)
    assert getattr(Settler.objects.get(player=player), field) is None


def test_the_use_of_the_visitor_is_that_of_this_visit(
    isle: Game, player: Player, correct: Callable[..., str]
):
    visitor_is(isle, "Merchant")
    correct("correct_use", settler="Murphy", used="used", use="the Visitor")
    assert Settler.objects.get(player=player).used == ["Merchant"]
    correct("correct_use", settler="Murphy", used="not used", use="the Visitor")
    assert Settler.objects.get(player=player).used == []


def test_resources_are_produced_once_all_are_ready_by_correction(
    isle: Game, settled: Two, correct: Callable[..., str]
):
    for settler in ("Murphy", "Madrid"):
        correct("correct_ready", settler=settler, ready="Ready")
    advance(isle.slug, isle.anchor_game + timedelta(minutes=1))
    assert isle_of(isle).production == 1


def test_what_is_corrected_is_so(isle: Game, correct: Callable[..., str]):
    for name, inputs in CORRECTIONS.items():
        correct(name, **inputs)
    state = told(isle)
    assert state["settlers"]["Murphy"]["domains"]["wheat"] == 9
    assert state["settlers"]["Murphy"]["buildings"] == ["Farm", "Church"]
    assert (state["victims"], state["injured"], state["visitor"]) == (["Murphy"], [], "Merchant")


def test_a_domain_is_emptied_by_no_number(isle: Game, correct: Callable[..., str]):
    assert correct("correct_domain", settler="Madrid", resource="brick").startswith(
        "snail corrects Madrid's brick Domain from 6 to none"
    )
    assert told(isle)["settlers"]["Madrid"]["domains"]["brick"] is None


def test_a_settlement_is_emptied_by_no_building(
    isle: Game, player: Player, correct: Callable[..., str]
):
    place(player, buildings=["Farm"])
    correct("correct_settlement", settler="Murphy")
    assert told(isle)["settlers"]["Murphy"]["buildings"] == []


@pytest.mark.parametrize(
    ("name", "inputs", "code"),
    [
        (
            "correct_domain",
            {"settler": "Murphy", "resource": "wheat", "number": 7},
            "no_such_number",
        ),
        ("correct_domain", {"settler": "Murphy", "resource": "wheat", "number": 3}, "number_taken"),
        ("correct_settlement", {"settler": "Murphy", "buildings": "Castle"}, "no_such_building"),
        ("correct_list", {"settler": "Murphy", "listed": "off", "which": "Injured"}, "is_so"),
        ("correct_visitor", {"visitor": "None"}, "is_so"),
        ("correct_ally", {"settler": "Murphy", "listed": "on", "other": "Murphy"}, "same_settler"),
        ("correct_deck", {"cards": 99, "number": 5}, "too_many_cards"),
        (
            "correct_use",
            {"settler": "Murphy", "used": "used", "use": "the Visitor"},
            "nobody",
        ),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(
    refused: Refuses, name: str, inputs: dict[str, Any], code: str
):
    assert refused(name, **inputs).code == code


def test_the_onlooker_is_not_there_to_be_corrected(isle: Game, officer: Player, act: Take):
    with pytest.raises(Malformed, match="settler"):
        act(officer, "settlers.correct_settlement", settler="snail", buildings="Farm", reason="?")


def test_there_are_no_lists_to_correct_before_a_rule_knows_them(
    game: Game, settled: Two, officer: Player, act: Take
):
    with pytest.raises(Refused, match="not in force"):
        act(officer, "settlers.correct_list", **CORRECTIONS["correct_list"], reason="?")
    with at_the_table(game) as table:
        bring_the_thug(table)
    act(officer, "settlers.correct_list", **CORRECTIONS["correct_list"], reason="?")
    assert Settler.objects.get(victim=True).player.name == "Murphy"


def test_a_list_keeps_the_others(isle: Game, settled: Two, correct: Callable[..., str]):
    place(settled[1], injured=True)
    correct("correct_list", settler="Murphy", listed="on", which="Injured")
    assert told(isle)["injured"] == ["Madrid", "Murphy"]
    said = correct("correct_list", settler="Madrid", listed="off", which="Injured")
    assert said == "snail takes Madrid off the Injured list: It was a slip."
    assert told(isle)["injured"] == ["Murphy"]


def test_the_fourth_cone_by_correction_is_announced_as_a_victory(
    isle: Game, player: Player, correct: Callable[..., str]
):
    said = correct("correct_settlement", settler="Murphy", buildings="Cone, Cone, Cone, Cone")
    assert said.endswith("Murphy has achieved victory: 4 Cones on the isle.")
    assert Win.objects.get().player == player


def test_a_thug_who_is_sent_away_takes_nothing_and_leaves_a_visit_to_be_opened(
    isle: Game, player: Player, act: Take, correct: Callable[..., str]
):
    visit = visitor_is(isle, THUG)
    with at_the_table(isle) as table:
        give(table, player, wheat=5)
    act(player, "settlers.bribe", items={"wheat": 3})
    correct("correct_visitor", visitor="None")
    assert not Bribe.objects.exists()
    visit.refresh_from_db()
    assert visit.over_in == Game.objects.get(pk=isle.pk).last_entry
    assert told(isle)["settlers"]["Murphy"]["stockpile"]["wheat"] == 5
    assert isle_of(isle).visitor == "None"
    assert not Visit.objects.filter(over_in__isnull=True).exists()


def test_the_thug_s_coming_is_shown_beforehand_though_it_brings_new_dice(
    isle: Game, officer: Player
):
    inputs = {"visitor": THUG, "reason": "It was a slip."}
    found = rehearse(isle.slug, officer.user, "settlers.correct_visitor", inputs)
    assert found.text == "snail corrects the Visitor from None to Thug: It was a slip."
    assert isle_of(isle).visitor == "None"


def test_a_stockpile_is_corrected_in_the_ledger(
    isle: Game, officer: Player, player: Player, act: Take
):
    move = {"amount": 4, "asset": "wood", "giver": "Mint", "receiver": "Murphy", "reason": "Rot."}
    act(officer, "ledger.correct", **move)
    assert told(isle)["settlers"]["Murphy"]["stockpile"]["wood"] == 4


def test_no_correction_touches_a_bribe(
    isle: Game, player: Player, act: Take, correct: Callable[..., str]
):
    visitor_is(isle, THUG)
    act(player, "settlers.bribe", items={"wheat": 3})
    for name in ("correct_domain", "correct_settlement", "correct_list"):
        correct(name, **CORRECTIONS[name])
    assert Bribe.objects.get().items == {"wheat": 3}


def test_corrections_replay(game: Game, officer: Player, settled: Two, act: Take):
    act(officer, "settlers.correct_settlement", settler="Murphy", buildings="Farm", reason="?")
    act(officer, "settlers.correct_visitor", visitor="Merchant", reason="?")
    act(officer, "settlers.correct_domain", settler="Murphy", resource="wood", reason="?")
    for name in ("correct_ready", "correct_use", "correct_ally", "correct_deck"):
        act(officer, f"settlers.{name}", **CORRECTIONS[name], reason="?")
    act(
        officer,
        "settlers.correct_ally",
        **CORRECTIONS["correct_ally"] | {"listed": "off"},
        reason="?",
    )
    assert replay(Game.objects.get(pk=game.pk))[1] is None


@pytest.mark.parametrize("name", ["correct_ready", "correct_use", "correct_deck"])
def test_what_was_announced_before_a_production_is_not_done_after_it(db: None, name: str):
    game, _ = new_game("real", "multa", pace="manual", start=WEDNESDAY, offices="support")
    players = [seat(game, name) for name in ("Murphy", "Madrid", "snail")]
    take("real", players[2], "games.stand", {"office": "Onlooker"})
    for settler in players[:2]:
        take("real", settler, "games.support", {"motion": 1})
        take("real", settler, "settlers.join")
    advance("real", WEDNESDAY + timedelta(hours=1))
    take("real", players[2], f"settlers.{name}", {**CORRECTIONS[name], "reason": "It was a slip."})
    advance("real", WEDNESDAY + timedelta(hours=2))
    for settler in players[:2]:
        take("real", settler, "settlers.ready")
    advance("real", WEDNESDAY + timedelta(hours=48))
    after = Game.objects.get(slug="real")
    motion = after.motions.get(number=2)
    note = "Resources were produced after that was announced."
    assert (motion.end, motion.note) == ("failed", note)
    assert replay(after)[1] is None


def test_a_correction_of_the_visitor_is_about_the_visit_at_which_it_was_announced(db: None):
    game, _ = new_game("real", "multa", pace="manual", start=WEDNESDAY, offices="support")
    players = [seat(game, name) for name in ("Murphy", "Madrid", "snail")]
    take("real", players[2], "games.stand", {"office": "Onlooker"})
    for each in players[:2]:
        take("real", each, "games.support", {"motion": 1})
    come = {"visitor": "Merchant", "reason": "It was a slip."}
    take("real", players[2], "settlers.correct_visitor", come)
    for visitor in ("Merchant", "None"):
        take("real", None, "settlers.correct_visitor", {**come, "visitor": visitor})
    advance("real", WEDNESDAY + timedelta(hours=24))
    after = Game.objects.get(slug="real")
    assert after.motions.get(number=2).end == "failed"
    assert isle_of(after).visitor == "None"
    assert replay(after)[1] is None

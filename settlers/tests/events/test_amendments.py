"""The isle's tables amended by vote: the game is played by them from that moment on."""

from __future__ import annotations

from typing import Any

import pytest

from nomic.engine.actions import find_action, legality
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player, Win
from nomic.games.presets import PRESETS, Preset
from nomic.ledger.books import Ledger
from nomic.operations.setup import new_game
from proposals.web.preview.preview import preview
from settlers.models import Isle, Offer, Settler
from settlers.rulebook import protection_money
from settlers.state.reading import state_of
from settlers.subgame import THE_ISLE
from settlers.tests.stage import give, hours, isle_of, place, results_are, visitor_is
from settlers.tests.votes import adopt
from tests.kit import WEDNESDAY, Take, at_the_table, write_anew

pytestmark = pytest.mark.django_db

Two = tuple[Player, Player]
_DOMAINS: dict[str, int | None] = {"wheat": 2, "sheep": 5, "stone": 6, "wood": 8, "brick": 9}


def amend(game: Game, rule: str, old: str, new: str) -> None:
    """Let the players vote a passage of a rule into another one."""
    adopt(game, f"In the rule “{rule}”, replace “{old}” with “{new}”.")


def held(game: Game, player: Player) -> dict[str, int]:
    """What the player has of the resources, without what is zero."""
    balances = Ledger(Game.objects.get(pk=game.pk), None).holdings(player)
    resources = ("wheat", "sheep", "stone", "wood", "brick")
    return {each: balances[each] for each in resources if balances.get(each)}


@pytest.fixture
def stocked(game: Game, produced: Two) -> Two:
    """Murphy and Madrid with ten of everything, and with Domains that are known."""
    with at_the_table(game) as table:
        for player in produced:
            give(table, player, wheat=10, sheep=10, stone=10, wood=10, brick=10)
            place(player, domains=_DOMAINS)
    results_are(game, 2, 5)
    return produced


# The Gift of the Isle


def test_an_amended_yield_is_gained_at_the_next_harvest(game: Game, stocked: Two, act: Take):
    murphy, _ = stocked
    amend(game, "The Gift of the Isle", "| 2 | 5 |", "| 2 | 7 |")
    act(murphy, "settlers.harvest")
    assert held(game, murphy) == {"wheat": 17, "sheep": 12, "stone": 10, "wood": 10, "brick": 10}


def test_a_number_that_leaves_the_yields_brings_nothing_and_cannot_be_taken(
    game: Game, stocked: Two, act: Take
):
    murphy, madrid = stocked
    amend(game, "The Gift of the Isle", "| 2 | 5 |\n", "")
    with pytest.raises(Refused, match="cannot hold 2"):
        act(madrid, "settlers.harvest", change={"shift": {"resource": "sheep", "number": 2}})
    act(murphy, "settlers.harvest")
    assert held(game, murphy)["wheat"] == 10
    assert Settler.objects.get(player=murphy).domains["wheat"] == 2, "What they hold, they keep."


def test_domains_may_be_changed_by_as_much_as_the_table_says(game: Game, stocked: Two, act: Take):
    murphy, madrid = stocked
    change = {"shift": {"resource": "brick", "number": 12}}
    with pytest.raises(Refused, match="further than 2"):
        act(murphy, "settlers.harvest", change=change)
    amend(game, "The Gift of the Isle", "| One number | 2 |", "| One number | 3 |")
    act(murphy, "settlers.harvest", change=change)
    assert Settler.objects.get(player=murphy).domains["brick"] == 12
    amend(game, "The Gift of the Isle", "| One number | 3 |", "| One number | 0 |")
    with pytest.raises(Refused, match="further than 0"):
        act(madrid, "settlers.harvest", change=change)


def test_a_domain_takes_the_highest_number_that_a_table_can_have(
    game: Game, stocked: Two, act: Take
):
    murphy, _ = stocked
    amend(game, "The Gift of the Isle", "| 12 | 5 |", "| 12 | 5 |\n| 1000 | 1 |")
    place(murphy, buildings=["Church"])
    act(murphy, "settlers.harvest", change={"shift": {"resource": "brick", "number": 1000}})
    assert Settler.objects.get(player=murphy).domains["brick"] == 1000


def test_an_amended_cost_is_paid(game: Game, stocked: Two, act: Take):
    murphy, _ = stocked
    amend(game, "The Gift of the Isle", "| Church | 2 stone |", "| Church | 1 stone, 4 brick |")
    act(murphy, "settlers.build", building="Church")
    assert held(game, murphy) == {"wheat": 10, "sheep": 10, "stone": 9, "wood": 10, "brick": 6}


def test_a_new_building_can_be_built_and_its_bonus_taken(game: Game, stocked: Two, act: Take):
    murphy, _ = stocked
    with pytest.raises(Malformed):
        act(murphy, "settlers.build", building="Kiln")
    cone = "| Cone | 5 stone, 5 of one other | – |"
    amend(
        game,
        "The Gift of the Isle",
        cone,
        f"{cone}\n| Kiln | 1 wood, 2 of one other | 2 brick or 3 sheep |",
    )
    act(murphy, "settlers.build", building="Kiln", other="wheat")
    act(murphy, "settlers.harvest", bonuses=[{"building": "Kiln", "choice": "sheep"}])
    assert held(game, murphy) == {"wheat": 13, "sheep": 15, "stone": 10, "wood": 9, "brick": 10}


def test_a_building_that_leaves_the_table_stands_and_is_good_for_nothing(
    game: Game, stocked: Two, act: Take
):
    murphy, _ = stocked
    act(murphy, "settlers.build", building="Quarry")
    amend(game, "The Gift of the Isle", "| Quarry | 2 brick, 1 wood | 1 stone |\n", "")
    assert Settler.objects.get(player=murphy).buildings == ["Quarry"]
    with pytest.raises(Malformed):
        act(murphy, "settlers.build", building="Quarry")
    with pytest.raises(Refused, match="gives no resource"):
        act(murphy, "settlers.harvest", bonuses=[{"building": "Quarry"}])
    act(murphy, "settlers.harvest")


def test_who_has_enough_cones_for_an_amended_victory_wins_at_that_moment(
    game: Game, stocked: Two, act: Take
):
    murphy, madrid = stocked
    place(murphy, buildings=["Cone", "Cone", "Cone"])
    place(madrid, buildings=["Cone", "Cone"])
    amend(game, "The Gift of the Isle", "| Cone | 4 |", "| Cone | 3 |")
    win = Win.objects.get()
    assert (win.player, win.how) == (murphy, "3 Cones on the isle")
    assert win.entry == Game.objects.get(pk=game.pk).last_entry
    amend(game, "The Gift of the Isle", "| Cone | 3 |", "| Cone | 1 |")
    assert list(Win.objects.values_list("player__name", flat=True)) == ["Murphy", "Madrid"]


def test_another_building_may_bring_victory(game: Game, stocked: Two, act: Take):
    murphy, _ = stocked
    amend(game, "The Gift of the Isle", "| Cone | 4 |", "| Farm | 1 |")
    act(murphy, "settlers.build", building="Farm")
    assert Win.objects.get().how == "1 Farm on the isle"


def test_the_two_sides_of_a_trade_may_differ_by_what_the_table_says(
    game: Game, stocked: Two, act: Take
):
    murphy, _ = stocked
    uneven = {"to": "Madrid", "give": {"wheat": 4}, "take": {"stone": 1}}
    with pytest.raises(Refused, match="at most 2 items"):
        act(murphy, "settlers.offer_trade", **uneven)
    amend(
        game,
        "The Gift of the Isle",
        "| Difference of the two sides | 2 |",
        "| Difference of the two sides | 3 |",
    )
    act(murphy, "settlers.offer_trade", **uneven)
    assert Offer.objects.get().gives == {"wheat": 4}


# The Dice Deck, Visitors, Merchant


@pytest.mark.thorough
def test_production_keeps_amended_hours(game: Game, produced: Two):
    amend(game, "The Dice Deck", "at the latest after | 48 |", "at the latest after | 40 |")
    assert hours(game, 39) == 1, "A Visitor comes meanwhile, and no Production."
    assert isle_of(game).production == 1
    hours(game, 1)
    assert isle_of(game).production == 2


def test_hours_that_have_passed_already_let_it_happen_at_once(game: Game, produced: Two):
    hours(game, 45)
    amend(game, "The Dice Deck", "May happen after | 36 |", "May happen after | 10 |")
    amend(game, "The Dice Deck", "at the latest after | 48 |", "at the latest after | 40 |")
    hours(game, 0)
    assert isle_of(game).production == 2


def test_the_onlooker_may_produce_after_amended_hours(
    game: Game, officer: Player, produced: Two, act: Take
):
    hours(game, 20)
    with pytest.raises(Refused, match="may happen from"):
        act(officer, "settlers.produce")
    amend(game, "The Dice Deck", "May happen after | 36 |", "May happen after | 20 |")
    act(officer, "settlers.produce")
    assert isle_of(game).production == 2


def test_a_visitor_arrives_after_amended_hours(game: Game, produced: Two):
    amend(game, "Visitors", "at the latest after | 24 |", "at the latest after | 5 |")
    hours(game, 4)
    assert isle_of(game).arrival == 0
    hours(game, 1)
    assert isle_of(game).arrival == 1


@pytest.mark.thorough
def test_an_amended_deck_is_drawn_from_when_it_is_made_whole_again(game: Game, settled: Two):
    amend(game, "The Dice Deck", "| Made whole when left | 6 |", "| Made whole when left | 20 |")
    adopt(game, "In the rule “The Dice Deck”, replace “| 7 | 6 |” with “| 7 | 0 |”.")
    for _ in range(12):
        hours(game, 48)
    made = game.entries.filter(name="settlers.production").order_by("seq")
    assert made.filter(outcome__remade=True).exists()
    first = made.filter(outcome__remade=True)[0]
    later = made.filter(seq__gt=first.seq)
    assert later.exists()
    for entry in later:
        assert 7 not in entry.outcome["drawn"]
        assert "7" not in entry.outcome["deck"]


def test_the_merchant_takes_and_gives_what_the_table_says(game: Game, stocked: Two, act: Take):
    murphy, _ = stocked
    visitor_is(game, "Merchant")
    amend(game, "Merchant", "| Given | 3 |", "| Given | 4 |")
    amend(game, "Merchant", "| Taken | 1 |", "| Taken | 2 |")
    act(murphy, "settlers.swap_with_merchant", give="wood", take="wheat")
    assert held(game, murphy) == {"wheat": 12, "sheep": 10, "stone": 10, "wood": 6, "brick": 10}


# What cannot be read


@pytest.mark.parametrize(
    ("rule", "old", "new", "action", "inputs"),
    [
        ("The Gift of the Isle", "| 2 | 5 |", "| 2 | many |", "settlers.harvest", {}),
        (
            "The Gift of the Isle",
            "2 brick, 1 wood",
            "2 bricks and love",
            "settlers.build",
            {"building": "Quarry"},
        ),
        (
            "The Gift of the Isle",
            "two sides | 2 |",
            "two sides | some |",
            "settlers.offer_trade",
            {"to": "Madrid", "give": {"wheat": 1}, "take": {"wood": 1}},
        ),
        (
            "Merchant",
            "| Given | 3 |",
            "| Given | three |",
            "settlers.swap_with_merchant",
            {"give": "wheat", "take": "wood"},
        ),
    ],
)
def test_a_broken_table_refuses_what_needs_it_until_it_is_mended(
    game: Game,
    stocked: Two,
    act: Take,
    rule: str,
    old: str,
    new: str,
    action: str,
    inputs: dict[str, Any],
):
    murphy, _ = stocked
    write_anew(game, rule, old, new)
    visitor_is(game, "Merchant")
    table = glance(Game.objects.get(pk=game.pk))
    refusal = legality(find_action(action), table, murphy, inputs)
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("table_broken", rule)
    assert "mended" in refusal.sentence
    with pytest.raises(Refused, match="mended"):
        act(murphy, action, **inputs)
    act(murphy, "settlers.ready")
    amend(game, rule, new, old)
    act(murphy, action, **inputs)


@pytest.mark.thorough
def test_protection_money_that_passes_twice_leaves_the_visitors_table_readable(
    game: Game, produced: Two
):
    for _ in range(2):
        adopt(game, protection_money())
    text = str(game.rules.get(title="Visitors", repealed_in=None).text)
    assert text.count("| 10 || Thug") == 2, "Otherwise nothing is tested."
    hours(game, 24 * 7)
    game.refresh_from_db()
    assert game.stuck_at is None
    assert state_of(glance(game)).charts.visitors[10] == "Thug"


def test_the_preview_of_a_row_that_contradicts_another_says_so(game: Game, produced: Two):
    body = "In the rule “Visitors”, replace “| 9 || Merchant” with “| 5 || Thug”."
    game.refresh_from_db()
    found = preview(game, produced[0], body, {})
    assert any("“5” stands twice" in each for each in found.warnings), found


def test_an_isle_does_not_begin_where_a_resource_has_another_assets_name(
    db: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(PRESETS, "bare", Preset("bare", "Bare", "No rules yet.", rulebooks=()))
    game = new_game("bare", "bare", pace="manual", start=WEDNESDAY)[0]
    with at_the_table(game) as table:
        table.ledger.define("wheat", "ears of wheat")
        for rule in THE_ISLE.shipped():
            parent = table.rules.find(rule.parent) if rule.parent else None
            table.rules.enact(rule.title, rule.text, parent=parent)
        assert "“wheat”, which is the name of another asset" in THE_ISLE.broken(table)
    assert not Isle.objects.exists()

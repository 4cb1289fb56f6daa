"""A visit goes on while its subrule stands, by whatever title; nobody is called “none”."""

from __future__ import annotations

import pytest

from nomic.engine.outcomes import Malformed
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from settlers.models import Bribe, Settler, Visit
from settlers.rules.titles import VISITORS
from settlers.tests.asking import refusal
from settlers.tests.sealed import act as by_name
from settlers.tests.sealed import produce, thugs_isle
from settlers.tests.stage import give, hours, isle_of, visitor_is
from settlers.tests.thug import let_the_dice_show
from settlers.tests.votes import adopt
from tests.kit import Take, at_the_table

pytestmark = pytest.mark.django_db

Two = tuple[Player, Player]


@pytest.fixture
def two(game: Game, with_the_thug: Game, produced: Two, officer: Player) -> Two:
    """Murphy and Madrid with something to pay, on an isle that the Thug may visit."""
    with at_the_table(game) as table:
        for each in produced:
            give(table, each, stone=5)
    return produced


def test_a_thug_who_is_retitled_stays_with_what_he_was_told(game: Game, two: Two, act: Take):
    visit = visitor_is(game, "Thug")
    act(two[0], "settlers.bribe", items={"stone": 2})
    adopt(game, "Retitle the rule “Thug” to “Bandit”.")
    assert isle_of(game).visitor == "Bandit"
    act(two[1], "settlers.bribe", items={"stone": 1})
    visit.refresh_from_db()
    assert visit.over_in is None
    hours(game, 24 + 48)
    arrival = game.entries.get(name="settlers.arrival", outcome__before="Bandit")
    assert arrival.outcome["paid"] == {"Murphy": {"stone": 2}, "Madrid": {"stone": 1}}


def test_who_made_use_of_a_merchant_has_done_so_under_their_new_title(
    game: Game, two: Two, act: Take
):
    visitor_is(game, "Merchant")
    act(two[0], "settlers.swap_with_merchant", give="stone", take="wood")
    adopt(game, "Retitle the rule “Merchant” to “merchant of Venice”.")
    assert isle_of(game).visitor == "merchant of Venice"
    assert Settler.objects.get(player=two[0]).used == ["merchant of Venice"]
    again = refusal(two[0], "swap_with_merchant", give="stone", take="wood")
    assert again.code == "merchant_used"
    act(two[1], "settlers.swap_with_merchant", give="stone", take="wood")


def test_retitling_the_visitors_rule_changes_nothing(game: Game, two: Two, act: Take):
    visit = visitor_is(game, "Thug")
    act(two[0], "settlers.bribe", items={"stone": 2})
    adopt(game, "Retitle the rule “Visitors” to “Guests”.")
    assert isle_of(game).visitor == "Thug"
    assert Bribe.objects.count() == 1
    visit.refresh_from_db()
    assert visit.over_in is None


@pytest.mark.parametrize(
    ("visitor", "body"),
    [
        ("Thug", "Retitle the rule “Thug” to “none”."),
        ("Merchant", "Repeal the rule “Thug”. Retitle the rule “Merchant” to “Thug”."),
    ],
)
def test_who_can_be_no_visitor_or_becomes_the_thug_by_a_title_is_gone(
    game: Game, two: Two, visitor: str, body: str
):
    visit = visitor_is(game, visitor)
    adopt(game, body)
    assert isle_of(game).visitor == "None"
    visit.refresh_from_db()
    assert visit.over_in is not None


@pytest.mark.thorough
def test_a_visit_under_a_new_title_replays():
    isle = thugs_isle()
    by_name(isle, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    by_name(isle, "Murphy", "settlers.bribe", items={"wheat": 3})
    adopt(isle, "Retitle the rule “Thug” to “Bandit”.")
    by_name(isle, "snail", "games.resign_office", office="Onlooker")
    by_name(isle, "Madrid", "games.take_office", office="Onlooker")
    assert isle_of(isle).watchers == ["snail"]
    produce(isle)
    isle.refresh_from_db()
    assert replay(isle)[1] is None


@pytest.fixture
def none_is_a_title(game: Game, two: Two) -> Game:
    with at_the_table(game) as table:
        table.rules.enact("none", "They bring nothing.", parent=table.rules.find(VISITORS))
        table.rules.amend(
            VISITORS, table.rules.text(VISITORS).rstrip() + "\n| 2 || none\n| 7 || NONE\n"
        )
    return game


def test_a_subrule_that_is_titled_none_is_nobody_s(
    none_is_a_title: Game, officer: Player, act: Take, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(Malformed):
        act(officer, "settlers.correct_visitor", visitor="none", reason="a slip")
    adopt(none_is_a_title, "Set the Visitor to none.")
    assert isle_of(none_is_a_title).visitor == "None"
    let_the_dice_show(monkeypatch, 3, 4)
    text = act(officer, "settlers.receive_visitor").entry.text
    assert text == "The dice show 7: nobody comes."
    assert isle_of(none_is_a_title).visitor == "None"
    assert Visit.objects.get(over_in__isnull=True).visitor == "None"


def test_a_subrule_that_is_titled_nobody_can_be_the_visitor(game: Game, two: Two, act: Take):
    """Only “None” is the word that the rule has for nobody."""
    with at_the_table(game) as table:
        table.rules.enact("Nobody", "They bring nothing.", parent=table.rules.find(VISITORS))
    act(None, "settlers.correct_visitor", visitor="Nobody", reason="a slip")
    assert isle_of(game).visitor == "Nobody"

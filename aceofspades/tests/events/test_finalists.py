"""Finalists become Semigenius one by one until the game is won (Regulation 121)."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from aceofspades.events import book
from aceofspades.events.scoring import NEXT_FINALIST, WORTHS
from aceofspades.state.reading import RECKONING
from aceofspades.tests import stage
from aceofspades.tests.asking import is_sound
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import adopt, block, due, happened, named, outcome, reckon
from nomic.engine.catch_up import sweep
from nomic.engine.models import CountedIn
from nomic.engine.subgames import find_subgame
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.notices.models import Outgoing
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Visitor, at_the_table, seat

pytestmark = pytest.mark.django_db

ALL_ALIKE = block("return {name: 5 for name in hands}")
LATER = "| SEMIGENIUS | HOURS |\n| --- | --- |\n| Another Finalist after | {} |\n"


@pytest.fixture
def tied(eve: Game) -> Game:
    """All three are Finalists, and one of them is Semigenius."""
    with at_the_table(eve) as table:
        book.take_effect(table, 990, ALL_ALIKE, "public")
    reckon(eve)
    assert named(eve, finalist=True) == ["Murphy", "Madrid", "Alexia"]
    return eve


def chosen(game: Game) -> list[str]:
    """Who became Semigenius, in this order."""
    entries = happened(game, NEXT_FINALIST)
    return [each.outcome["semigenius"] for each in entries if "semigenius" in each.outcome]


def test_121_one_finalist_becomes_semigenius_by_a_notice(tied: Game):
    (entry,) = happened(tied, NEXT_FINALIST)
    name = entry.outcome["semigenius"]
    assert entry.text == (
        f"Notice of SemiGeniosity: {name}, chosen by the dice among 3 Finalists of the Ace of"
        " Spades, is hereby awarded the Patent Title Semigenius."
    )
    assert entry.rule == "Regulation 121"
    assert entry.outcome["among"] == ["Murphy", "Madrid", "Alexia"]
    assert named(tied, semigenius_in=entry.seq, semigenius_at=entry.at) == [name]
    assert "Notice of SemiGeniosity" in Client().get("/g/table/record/").content.decode()


@pytest.mark.thorough
def test_121_who_is_semigenius_is_told_by_a_notice_and_on_the_home(
    eve: Game, three: Three, visit: Visitor
):
    stage.give_cards(eve, three[0], Hearts=50)
    reckon(eve)
    notice = Outgoing.objects.get(game=eve, kind="result")
    assert notice.text.startswith("Notice of SemiGeniosity: Murphy")
    assert "Semigenius: <strong>Murphy</strong>" in visit().get("/g/table/").content.decode()
    for page in ("/", "/g/table/rules/", "/g/table/aceofspades/"):
        told = visit(three[0]).get(page).content.decode()
        assert "Murphy is Semigenius of the Ace of Spades" in told, page


@pytest.mark.thorough
def test_121_a_single_finalist_is_the_only_semigenius(eve: Game, three: Three):
    with at_the_table(eve) as table:
        only = block('return {name: 5 if name == "Madrid" else 0 for name in hands}')
        book.take_effect(table, 990, only, "public")
    reckon(eve)
    assert chosen(eve) == ["Madrid"]
    assert due(eve, NEXT_FINALIST) is None
    assert "Madrid, a Finalist of the Ace of Spades," in happened(eve, NEXT_FINALIST)[0].text


def test_121_another_finalist_becomes_it_after_72_hours_until_none_is_left(tied: Game):
    first = happened(tied, NEXT_FINALIST)[0]
    assert due(tied, NEXT_FINALIST) == first.at + timedelta(hours=72)
    advance(tied.slug, first.at + timedelta(hours=72) - timedelta(seconds=1))
    assert len(chosen(tied)) == 1
    advance(tied.slug, first.at + timedelta(hours=72))
    assert len(set(chosen(tied))) == 2
    advance(tied.slug, first.at + timedelta(hours=144))
    assert sorted(chosen(tied)) == ["Alexia", "Madrid", "Murphy"]
    assert due(tied, NEXT_FINALIST) is None


def test_121_the_choice_is_among_those_who_were_not_chosen(tied: Game):
    stage.hours(tied, 72)
    second = happened(tied, NEXT_FINALIST)[1].outcome
    before = [name for name in ("Murphy", "Madrid", "Alexia") if name != chosen(tied)[0]]
    assert second["among"] == before


def test_121_nobody_else_becomes_it_once_the_game_is_won(tied: Game, three: Three):
    with at_the_table(tied) as table:
        table.win(three[0], "Regulation 121", "by a puzzle")
    stage.hours(tied, 200)
    assert len(chosen(tied)) == 1
    told = happened(tied, NEXT_FINALIST)[-1].text
    assert told == (
        f"The game has been won since {chosen(tied)[0]} became Semigenius: no other Finalist"
        " becomes it."
    )
    assert due(tied, NEXT_FINALIST) is None


def test_121_a_win_before_it_keeps_nobody_from_it(eve: Game, three: Three):
    with at_the_table(eve) as table:
        book.take_effect(table, 990, ALL_ALIKE, "public")
        table.win(three[0], "Regulation 121", "by a puzzle")
    reckon(eve)
    stage.hours(eve, 72)
    assert len(chosen(eve)) == 2


def test_121_the_table_says_how_many_hours(eve: Game):
    with at_the_table(eve) as table:
        book.take_effect(table, 990, ALL_ALIKE, "public")
        rule = table.rules.find("Regulation 121")
        table.rules.transmute(rule.pk, "mutable")
        table.rules.amend(rule.pk, LATER.format(5))
    reckon(eve)
    stage.hours(eve, 5)
    assert len(chosen(eve)) == 2


def test_where_one_without_the_table_takes_its_place_nobody_becomes_it(eve: Game):
    with at_the_table(eve) as table:
        book.take_effect(table, 990, ALL_ALIKE, "public")
        book.take_effect(table, 121, "Nothing more.", "public")
    reckon(eve)
    assert chosen(eve) == []
    assert outcome(eve, NEXT_FINALIST) == {}
    assert "No regulation in force" in happened(eve, NEXT_FINALIST)[0].text


def test_a_contest_that_is_repealed_makes_nobody_else_semigenius(tied: Game):
    with at_the_table(tied) as table:
        rule = table.rules.find("Regulation 101")
        table.rules.transmute(rule.pk, "mutable")
        table.rules.repeal(rule.pk)
    stage.hours(tied, 100)
    assert len(chosen(tied)) == 1
    assert "not played any more" in happened(tied, NEXT_FINALIST)[-1].text


@pytest.mark.thorough
def test_the_hours_go_on_while_the_game_is_paused(db: None):
    """Real hours, so that a pause does not shift them; what ran out meanwhile happens after it."""
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        game = new_game("real", stage.PRESET, pace="real")[0]
        sweep()
        stage.join(game, seat(game, "Murphy"), seat(game, "Madrid"))
        with at_the_table(game) as table:
            book.take_effect(table, 990, ALL_ALIKE, "public")
        wall.shift(timedelta(days=70))
        sweep()
        assert len(chosen(game)) == 1
        waiting = game.appointments.get(kind=NEXT_FINALIST, status="waiting")
        assert waiting.counted_in == CountedIn.HOURS
        take("real", None, "games.pause", {"reason": "a holiday"})
        wall.shift(timedelta(hours=200))
        sweep()
        assert len(chosen(game)) == 1
        take("real", None, "games.resume")
        wall.shift(timedelta(seconds=1))
        sweep()
        assert len(chosen(game)) == 2


@pytest.mark.thorough
def test_the_reckoning_waits_for_a_paused_game(db: None):
    """Days are counted in game time, which a pause holds up."""
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        game = new_game("real", stage.PRESET, pace="real")[0]
        sweep()
        wall.shift(timedelta(days=69))
        sweep()
        take("real", None, "games.pause", {"reason": "a holiday"})
        wall.shift(timedelta(days=30))
        sweep()
        take("real", None, "games.resume")
        sweep()
        assert happened(game, RECKONING) == []
        wall.shift(timedelta(days=1))
        sweep()
        assert len(happened(game, RECKONING)) == 1


def test_a_skipped_choice_comes_after_the_hours(tied: Game):
    with at_the_table(tied) as table:
        waiting = tied.appointments.get(kind=NEXT_FINALIST, status="waiting")
        table.appointments.cancel(NEXT_FINALIST)
        find_subgame("aceofspades").skipped(table, NEXT_FINALIST)
    again = due(tied, NEXT_FINALIST)
    assert again is not None
    tied.refresh_from_db()
    assert again == tied.anchor_game + timedelta(hours=72)
    assert waiting.due == again
    stage.hours(tied, 72)
    assert len(chosen(tied)) == 2


@pytest.mark.thorough
def test_a_tie_and_its_finalists_are_reckoned_soundly(contest: Game, three: Three):
    adopt(contest, three, 990, ALL_ALIKE)
    reckon(contest)
    assert len(happened(contest, WORTHS)) == 2
    stage.hours(contest, 150)
    assert len(chosen(contest)) == 3
    assert is_sound(contest)

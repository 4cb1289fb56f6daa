"""The Moment of Reckoning: when it comes, and that all becomes public (120, 122 to 124, 200)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from aceofspades.events import reckoning
from aceofspades.events.reckoning import OPENING_OF_MORE
from aceofspades.events.scoring import NEXT_FINALIST, WORTHS
from aceofspades.models import Contest, Move, Regulation
from aceofspades.state.reading import RECKONING
from aceofspades.tests import stage
from aceofspades.tests.asking import do, is_sound, why_not
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import (
    DAY,
    adopt,
    due,
    happened,
    outcome,
    reckon,
    repeal,
    without_secrets,
)
from nomic.engine.models import AppointmentStatus
from nomic.engine.take import take
from nomic.games.calendars import midnight
from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, at_the_table, failing

pytestmark = pytest.mark.django_db


def day(number: int) -> datetime:
    """The beginning of that day, counted from the one on which the contest began."""
    return midnight(WEDNESDAY) + timedelta(days=number)


# When it comes (Regulations 122 and 200)


@pytest.mark.thorough
def test_200_it_comes_at_the_beginning_of_the_seventieth_day(contest: Game):
    assert due(contest) == day(70)
    advance(contest.slug, day(70) - timedelta(seconds=1))
    assert not happened(contest, RECKONING)
    reckon(contest)
    found = Contest.objects.get()
    assert found.reckoned_at == happened(contest, RECKONING)[0].at == day(70)
    assert happened(contest, RECKONING)[0].rule == "Regulation 120"


@pytest.mark.parametrize(
    ("when", "comes"),
    [
        ("41 days after the contest begins", 41),
        ("39 days after the contest begins", 40),
        ("0 days after the contest begins", 40),
        ("95 days after the contest begins", 95),
        ("97 days after the contest begins", 96),
        ("2026-04-20", 47),
        ("2026-03-01", 40),
        ("2099-01-01", 96),
    ],
)
def test_122_it_comes_neither_before_the_fortieth_day_nor_after_the_ninety_sixth(
    contest: Game, when: str, comes: int
):
    stage.enact(contest, 200, DAY.format(when))
    assert due(contest) == day(comes)


@pytest.mark.thorough
def test_200_a_vote_brings_it_forward_and_it_comes_once(contest: Game, three: Three):
    adopt(contest, three, 200, DAY.format("45 days after the contest begins"))
    reckon(contest)
    assert Contest.objects.get().reckoned_at == day(45)
    stage.days(contest, 60)
    assert len(happened(contest, RECKONING)) == 1
    assert due(contest) is None
    assert is_sound(contest)


@pytest.mark.thorough
def test_122_a_day_that_is_past_lets_it_come_at_once(contest: Game):
    stage.days(contest, 50)
    stage.enact(contest, 200, DAY.format("45 days after the contest begins"))
    reckon(contest)
    assert Contest.objects.get().reckoned_at == WEDNESDAY + timedelta(days=50)


@pytest.mark.thorough
def test_122_without_regulation_200_it_comes_at_the_latest(contest: Game):
    repeal(contest, 200)
    assert due(contest) == day(96)
    reckon(contest)
    assert Contest.objects.get().reckoned_at == day(96)


@pytest.mark.thorough
def test_while_a_day_cannot_be_read_it_comes_on_that_which_could_be_last(contest: Game):
    stage.enact(contest, 200, DAY.format("45 days after the contest begins"))
    stage.enact(contest, 200, DAY.format("soon"))
    reckon(contest)
    assert Contest.objects.get().reckoned_at == day(45)


def test_what_an_officer_skips_comes_on_the_next_day(contest: Game):
    with failing(RECKONING):
        advance(contest.slug, day(70))
    take(contest.slug, None, "games.skip_appointment", {"reason": "not today"})
    assert due(contest) == day(71)
    reckon(contest)
    assert Contest.objects.get().reckoned_at == day(71)


@pytest.mark.thorough
def test_a_contest_that_the_game_has_repealed_is_not_reckoned(eve: Game):
    with at_the_table(eve) as table:
        rule = table.rules.find("Regulation 101")
        table.rules.transmute(rule.pk, "mutable")
        table.rules.repeal(rule.pk)
    advance(eve.slug, day(70))
    assert Contest.objects.get().reckoned_in is None
    assert [each.text for each in happened(eve, RECKONING)] == [
        "The contest is not played any more: there is no Reckoning."
    ]


# An instant before it (Regulations 123 and 124)


def test_124_an_empty_hand_gets_a_mauve_card_in_the_last_instant(eve: Game, three: Three):
    murphy, madrid, alexia = three
    for each in (murphy, alexia):
        stage.give_cards(eve, each)
    stage.give_cards(eve, madrid, Red=1)
    do(alexia, "leave")
    found = reckon(eve)
    assert [stage.hand_of(eve, each) for each in three] == [{"Mauve": 1}, {"Red": 1}, {}]
    told = outcome(eve, RECKONING)
    assert told["made"] == {"Murphy": {"Mauve": 1}}
    assert told["hands"]["Murphy"] == {"Mauve": 1, "Red": 0, "Black": 0, "Green": 0, "Hearts": 0}
    assert "An instant before, 1 Mauve was made for Murphy." in (happened(eve, RECKONING)[0].text)
    made = Move.objects.filter(entry=found.reckoned_in)
    assert list(made.values_list("kind", "giver", "receiver", "cards")) == [
        ("made", "", "Murphy", 1)
    ]
    assert set(outcome(eve, WORTHS)["worths"]) == {"Murphy", "Madrid"}


def test_124_the_table_says_what_an_empty_hand_gets(eve: Game, three: Three):
    with at_the_table(eve) as table:
        rule = table.rules.find("Regulation 124")
        text = rule.text.replace("| Mauve | 1 |", "| Red | 2 |\n| Hearts | 1 |")
        table.rules.transmute(rule.pk, "mutable")
        table.rules.amend(rule.pk, text)
    stage.give_cards(eve, three[1])
    reckon(eve)
    assert stage.hand_of(eve, three[1]) == {"Red": 2, "Hearts": 1}


def test_123_the_cards_of_a_suit_that_was_dropped_are_mauve_when_they_are_marked(
    eve: Game, three: Three
):
    stage.give_cards(eve, three[0], Hearts=3, Red=1)
    text = "| SUIT | COLOUR |\n| --- | --- |\n| Red | red |\n| Mauve | – |\n"
    stage.enact(eve, 205, text)
    reckon(eve)
    hand = outcome(eve, RECKONING)["hands"]["Murphy"]
    assert {suit: n for suit, n in hand.items() if n} == {"Red": 1, "Mauve": 3}


# The disclosure (Regulation 120)


@pytest.mark.thorough
def test_120_all_regulations_are_public_then_repealed_ones_as_well(contest: Game, three: Three):
    adopt(contest, three, 500, "A private thing.", "private")
    adopt(contest, three, 500, "Another private thing.", "private")
    stage.enact(contest, 340, "Not the one that was drawn.", "secret")
    rows = Regulation.objects.filter(contest__game=contest)
    assert rows.exclude(rule__visibility="public").count() == 10
    found = reckon(contest)
    assert not rows.exclude(rule__visibility="public").exists()
    disclosed = rows.filter(rule__disclosed_in=found.reckoned_in)
    assert disclosed.count() == 10
    assert disclosed.filter(rule__repealed_in__isnull=False).count() == 2
    numbers = outcome(contest, RECKONING)["regulations"]
    assert numbers == [340, 350, 360, 370, 380, 390, 400, 500]


def test_120_a_hidden_regulation_becomes_public_though_the_game_has_a_rule_of_its_name(
    eve: Game,
):
    with at_the_table(eve) as table:
        table.rules.enact("Regulation 340", "The game's own.\n", number="340")
    reckon(eve)
    rules = eve.rules.filter(repealed_in__isnull=True, visibility="public")
    own, disclosed = (
        rules.get(title="Regulation 340"),
        rules.get(title="Regulation 340 (disclosed)"),
    )
    assert (own.number, disclosed.number) == ("340", "")
    assert disclosed.regulation.number == 340
    eve.refresh_from_db()
    assert not [str(finding) for finding in audit(eve) if finding.wrong]


@pytest.mark.thorough
def test_120_votes_stay_undecided_and_tabled_acts_undone(contest: Game, three: Three):
    murphy, madrid, alexia = three
    advance(contest.slug, day(68))
    proposal = stage.propose(contest, murphy, 500, "Too late.")
    stage.vote(contest, proposal, {murphy: "FOR", madrid: "FOR"})
    reckon(contest)
    waiting = contest.appointments.filter(
        status=AppointmentStatus.WAITING, kind__startswith="aceofspades."
    )
    assert set(waiting.values_list("kind", flat=True)) <= {NEXT_FINALIST}
    stage.days(contest, 5)
    proposal.refresh_from_db()
    assert (proposal.verdict, proposal.effective_in) == ("", None)
    assert why_not(alexia, "vote", proposal=proposal.number, vote="FOR")[0] == "reckoned"
    take(contest.slug, alexia, "games.leave")
    assert is_sound(contest)


@pytest.mark.thorough
def test_a_proposal_whose_hours_end_at_that_moment_is_not_decided(contest: Game, three: Three):
    advance(contest.slug, day(67))
    proposal = stage.propose(contest, three[0], 320, "Nothing is marked.")
    stage.vote(contest, proposal, dict.fromkeys(three, "FOR"))
    assert due(contest, "aceofspades.decision") == day(70)
    reckon(contest)
    proposal.refresh_from_db()
    assert proposal.verdict == ""


def test_after_it_nothing_of_the_contest_is_played(eve: Game, three: Three):
    reckon(eve)
    murphy, madrid, _ = three
    new = {"number": 500, "visibility": "public", "text": "Too late."}
    assert why_not(murphy, "transfer", to=madrid.name, cards={"Red": 1})[0] == "reckoned"
    assert why_not(murphy, "propose", **new)[0] == "reckoned"
    assert why_not(murphy, "leave")[0] == "reckoned"
    take(eve.slug, three[2], "games.leave")


@pytest.mark.thorough
def test_120_a_large_sealed_book_is_opened_in_several_entries(
    eve: Game, three: Three, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reckoning, "AT_ONCE", 4)
    reckon(eve)
    more = happened(eve, OPENING_OF_MORE)
    assert [len(each.outcome["opened"]) for each in more[:-1]] == [4] * (len(more) - 1)
    assert {each.at for each in more} == {day(70)}
    began = eve.entries.get(name=RECKONING).seq
    book = eve.sealed_entries.filter(book="aceofspades", opened_in__isnull=True)
    sealed = book.filter(after__lt=began)
    assert not sealed.exists()
    assert is_sound(eve)


def queries_of_a_reckoning(game: Game, contestants: int) -> int:
    stage.open_the_contest(game)
    without_secrets(game)
    repeal(game, 999)  # a tie, which chance brings, would be marked anew
    for each in stage.crowd(game, contestants)[: contestants // 2]:
        stage.give_cards(game, each)
    moment = due(game)
    assert moment is not None
    advance(game.slug, moment - timedelta(seconds=1))
    with CaptureQueriesContext(connection) as asked:
        advance(game.slug, moment)
    assert happened(game, WORTHS)
    return len(asked)


@pytest.mark.thorough
def test_it_takes_as_many_queries_for_few_as_for_many(game: Game):
    other = new_game("other", stage.PRESET, pace="manual", start=WEDNESDAY)[0]
    assert queries_of_a_reckoning(game, 4) == queries_of_a_reckoning(other, 10)

"""A regulation that cannot be read is played by its last text that can be, until it is mended."""

from __future__ import annotations

from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from aceofspades.models import Contest
from aceofspades.state.reading import State, state_of
from aceofspades.subgame import THE_ACE
from aceofspades.tests import stage
from aceofspades.tests.asking import is_sound
from aceofspades.tests.office.desk import the_desk
from aceofspades.tests.reckoned import reckon, repeal
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.rulebook.last_readable import Unread
from tests.kit import at_the_table, seat

pytestmark = pytest.mark.django_db

DEALT = "| DEALT TO A NEW CONTESTANT | CARDS |\n| --- | --- |\n| From the deck | {} |\n"
FEE = (
    "| FEE FOR A SECRET REGULATION | CARDS OF EACH SUIT |\n| --- | --- |\n| Paid to the deck | {} |"
)
TIE = "| TIE FOR THE HIGHEST WORTH | CARDS |\n| --- | --- |\n| Dealt to each tied hand | {} |\n"


def unread(game: Game) -> list[Unread]:
    game.refresh_from_db()
    return list(THE_ACE.unread(glance(game)))


def state(game: Game) -> State:
    game.refresh_from_db()
    return state_of(glance(game))


def amended(game: Game, title: str, old: str, new: str) -> None:
    """Give a regulation another text, as a vote of the game may."""
    with at_the_table(game) as table:
        rule = table.rules.find(title)
        if rule.is_immutable:
            table.rules.transmute(rule.pk, "mutable")
        assert old in rule.text
        table.rules.amend(rule.pk, rule.text.replace(old, new))


NEWCOMERS = "Dealing to newcomers"


def repealed_in(game: Game, title: str) -> int:
    found = game.rules.filter(title=title, repealed_in__isnull=False).latest("repealed_in")
    return int(found.repealed_in or 0)


def test_an_amended_regulation_is_played_as_of_the_version_before(contest: Game, three) -> None:
    amended(contest, "Regulation 215", "| 7 |", "| some |")
    (found,) = unread(contest)
    assert (found.rule, found.version) == (NEWCOMERS, 1)
    late = seat(contest, "late")
    stage.join(contest, late)
    assert sum(stage.hand_of(contest, late).values()) == 2 + 7


@pytest.mark.thorough
def test_what_an_act_made_unreadable_replays(contest: Game) -> None:
    text = contest.rules.get(known_as="Regulation 215").text.replace("| 7 |", "| some |")
    inputs = {"rule": NEWCOMERS, "text": text, "reason": "a slip"}
    take(contest.slug, None, "rulebook.amend", inputs)
    assert [each.version for each in unread(contest)] == [1]
    stage.join(contest, seat(contest, "late"))
    reckon(contest)
    assert is_sound(contest)


def test_one_that_replaced_another_is_played_as_of_that_one(contest: Game) -> None:
    stage.enact(contest, 215, DEALT.format(5))
    stage.enact(contest, 215, DEALT.format("some"))
    (found,) = unread(contest)
    of_it = f"1 of the one repealed in entry {repealed_in(contest, 'Regulation 215')}"
    assert (found.rule, found.version) == ("Regulation 215", of_it)
    assert state(contest).charts.dealt_to_new == 5
    stage.enact(contest, 215, DEALT.format(4))
    assert not unread(contest)
    assert state(contest).charts.dealt_to_new == 4


def test_a_new_one_that_never_could_be_read_is_not_played_and_switches_nothing_off(
    contest: Game,
) -> None:
    repeal(contest, 215)
    stage.enact(contest, 500, DEALT.format(3))
    stage.enact(contest, 260, DEALT.format("some"))
    (found,) = unread(contest)
    assert (found.rule, found.version) == ("Regulation 260", None)
    assert state(contest).charts.dealt_to_new == 3


def test_what_was_repealed_stays_off_though_its_successor_cannot_be_read(contest: Game) -> None:
    repeal(contest, 215)
    stage.enact(contest, 215, DEALT.format("some"))
    assert [each.version for each in unread(contest)] == [None]
    assert state(contest).charts.dealt_to_new is None


def test_a_text_that_another_makes_unreadable_waits_and_the_other_is_carried_out(
    contest: Game,
) -> None:
    amended(contest, "Regulation 124", "| Mauve | 2 |", "| Red | 2 |")
    stage.enact(contest, 205, "| SUIT | COLOUR |\n| --- | --- |\n| Mauve | – |\n| Black | – |\n")
    (found,) = unread(contest)
    assert (found.rule, found.version) == ("Cards made for newcomers and empty hands", 1)
    charts = state(contest).charts
    assert (charts.suits, dict(charts.made_for_new)) == (("Mauve", "Black"), {"Mauve": 2})


@pytest.mark.thorough
def test_the_page_and_the_contestmasters_desk_say_so(contest: Game, master: Player) -> None:
    amended(contest, "Regulation 215", "| 7 |", "| some |")
    said = f"“{NEWCOMERS}” is played as of version 1: The table “DEALT TO A NEW CONTESTANT” of"
    page = unescape(Client().get(f"/g/{contest.slug}/aceofspades/").text)
    assert said in page
    assert "waits until" not in page
    desk = the_desk(contest, master)
    assert said in desk
    assert "rulebook.amend/?rule=Dealing+to+newcomers" in desk


def test_of_an_immutable_one_the_duty_offers_no_amendment(contest: Game, master: Player) -> None:
    with at_the_table(contest) as table:
        text = table.rules.text("Regulation 119").replace("| 300 |", "| few |")
        table.rules.transmute("Regulation 119", "mutable")
        table.rules.amend("Regulation 119", text)
        table.rules.transmute("Regulation 119", "immutable")
    desk = the_desk(contest, master)
    assert "“Marking Regulations” is played as of version 1: " in desk
    assert "rulebook.amend/?rule=Marking" not in desk


@pytest.mark.thorough
def test_no_text_makes_the_reckoning_wait(contest: Game) -> None:
    for number, text in ((123, "| Mauve | x |"), (124, "| Mauve | x |"), (121, "| soon |")):
        old = {123: "| Mauve | 1 |", 124: "| Mauve | 2 |", 121: "| 72 |"}[number]
        amended(contest, f"Regulation {number}", old, text)
    stage.enact(contest, 998, TIE.format("some"))
    reckon(contest)
    assert Contest.objects.get().reckoned_in is not None


# Secrets


@pytest.mark.thorough
@pytest.mark.parametrize("visibility", ["private", "secret"])
def test_of_a_hidden_one_that_cannot_be_read_nobody_is_told(
    contest: Game, master: Player, visibility: str
) -> None:
    stage.enact(contest, 990, TIE.format("some"), visibility)
    assert not unread(contest)
    assert THE_ACE.broken(glance(contest)) == ""
    page = Client().get(f"/g/{contest.slug}/aceofspades/").text
    desk = the_desk(contest, master)
    operator = User.objects.create_superuser("operator")
    for said in (page, desk, the_desk(contest, operator)):
        assert "is not played" not in said
        assert "played as of" not in said
        assert "cannot be read" not in said
    reckon(contest)
    assert [each.rule for each in unread(contest)] == ["Regulation 990"]


def test_a_hidden_one_is_played_as_of_the_one_that_it_replaced(contest: Game) -> None:
    stage.enact(contest, 990, TIE.format(5), "private")
    stage.enact(contest, 990, TIE.format("some"), "private")
    tie = state(contest).charts.tie
    assert tie is not None
    assert (tie.number, tie.cards) == (990, 5)
    assert not unread(contest)


def test_a_public_one_is_never_played_as_of_a_hidden_one(contest: Game) -> None:
    stage.enact(contest, 990, TIE.format(5), "private")
    stage.enact(contest, 990, TIE.format("some"))
    assert [(each.rule, each.version) for each in unread(contest)] == [("Regulation 990", None)]
    tie = state(contest).charts.tie
    assert tie is not None
    assert tie.number == 999


def test_a_hidden_tie_before_it_lets_no_public_text_be_played_otherwise_than_is_told(
    contest: Game,
) -> None:
    repeal(contest, 245)
    stage.enact(contest, 500, TIE.format(5), "private")
    stage.enact(contest, 990, TIE.format(4))
    stage.enact(contest, 990, f"{TIE.format('some')}\n\n{FEE.format(3)}\n")
    found = state(contest)
    assert found.charts.fee is found.public_charts.fee is None
    assert found.charts.tie is not None
    assert found.charts.tie.number == 500


def test_one_that_replaced_a_shipped_one_is_played_as_of_that_one(contest: Game) -> None:
    stage.enact(contest, 215, DEALT.format("some"))
    (found,) = unread(contest)
    assert found.rule == "Regulation 215"
    assert state(contest).charts.dealt_to_new == 7

"""The weekly report on proposals, under every edition, in all its forms."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import pytest

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.reports import find_report, reports_of
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, seat

REPORT = find_report("proposals")
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
UNREADABLE = "Set the mood of the isle to merry."


@pytest.fixture
def preset(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "b-nomic-2006"))


def under(preset: str) -> pytest.MarkDecorator:
    """The test is played in a game of that preset."""
    return pytest.mark.parametrize("preset", [preset], indirect=True)


def facts(game: Game) -> dict:
    return REPORT.all_facts(glance(Game.objects.get(pk=game.pk)))


@pytest.mark.parametrize(
    ("preset", "officer"),
    [
        ("b-nomic-2006", "Administrator"),
        ("b-nomic-5e33", "Chairman"),
        ("agora-proposals", "Assessor"),
        ("blognomic", "Admin"),
    ],
    indirect=["preset"],
)
def test_the_office_goes_by_the_name_of_the_games_edition(
    game: Game, officer: str, player: Player, act: Take
) -> None:
    assert "proposals" in [report.name for report in reports_of(game)]
    assert REPORT.office_in(game) == officer
    told = facts(game)
    assert json.loads(json.dumps(told)) == told
    assert REPORT.text(told).startswith(f"{officer.upper()}'S WEEKLY REPORT\n")
    assert f"<h2>{officer}’s weekly report</h2>" in REPORT.html(told)


@under("agora-races")
def test_a_game_without_proposals_has_no_such_report(game: Game, player: Player) -> None:
    assert REPORT not in reports_of(game)


def test_it_tells_what_waits_what_was_decided_and_what_is_left_to_be_done(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="Spoons", body=UNREADABLE)
    advance(game.slug, NDAY_9)
    act(rival, "proposals.submit", title="Forks", body="Forks are nice.")
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    text = REPORT.text(facts(game)).split("\n")
    assert "Nweek 1, nday 9 of 12; the Clock is on. Voting has begun." in text
    assert "1    Spoons  Murphy    1        0  2026-03-16 12:00  Voting closes" in text
    assert "2    Forks  Madrid  -          Comes to the vote in nweek 2" in text
    advance(game.slug, THE_END)
    told = facts(game)
    (decided,) = told["decided"]
    assert (decided["proposal"], decided["outcome"], decided["for"]) == (1, "Won", 1)
    (errand,) = told["errands"]
    assert (errand["proposal"], errand["sentence"]) == (1, UNREADABLE)
    assert UNREADABLE in REPORT.html(told)


@under("b-nomic-5e33")
def test_the_next_report_begins_where_the_last_one_ended(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    act(player, "proposals.withdraw", proposal=1)
    assert [row["outcome"] for row in facts(game)["decided"]] == ["Withdrawn"]
    advance(game.slug, WEDNESDAY + timedelta(days=7))
    published = game.entries.get(name="reports.weekly")
    assert published.outcome["facts"]["decided"][0]["title"] == "Spoons"
    told = facts(game)
    assert told["since"] == published.seq
    assert told["decided"] == []
    assert f"DECIDED SINCE ENTRY {published.seq}\nNothing was decided." in REPORT.text(told)


@under("b-nomic-5e33")
def test_under_5e33_it_lists_who_is_vested(game: Game, player: Player, act: Take) -> None:
    advance(game.slug, THE_END)
    seat(game, "juan")
    text = REPORT.text(facts(game))
    assert "VESTED PLAYERS\nPlayer  Vested\n--------------\nMurphy  no\njuan    no\n" in text


@under("agora-proposals")
def test_under_an_adoption_index_it_lists_the_voting_strengths(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.set_strength", who="Madrid", strength=5, reason="a ribbon")
    text = REPORT.text(facts(game))
    assert "Player  Strength\n----------------\nMadrid         5\nMurphy         3\n" in text


@under("agora-proposals")
def test_votes_that_nobody_may_see_yet_are_not_told(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    sealed = game.rules.get(title="Voting").text.replace(
        "While voting lasts | yes", "While voting lasts | no"
    )
    act(None, "rulebook.amend", rule="Voting", text=sealed, reason="as it was voted")
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    (row,) = facts(game)["waiting"]
    assert (row["for"], row["against"]) == (None, None)


def test_of_very_many_that_wait_the_first_are_listed_and_the_rest_counted(
    game: Game, player: Player, act: Take
) -> None:
    for turn in range(3):
        act(player, "proposals.submit", title=f"No. {turn}", body="Nothing.")
    assert len(facts(game)["waiting"]) == 3
    assert "waiting_more" not in facts(game)
    act(None, "games.set_bound", bound="listed", most=2, reason="as it is tried")
    told = facts(game)
    assert [row["title"] for row in told["waiting"]] == ["No. 0", "No. 1"]
    assert told["waiting_more"] == 1
    text = REPORT.text(told).lower()
    assert "without 1 more that wait" in text
    assert "the newest" not in text
    assert "the newest 0 of 4" in REPORT.text({**told, "decided_more": 4}).lower()


def test_what_players_wrote_is_escaped_and_no_formula(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="=1+1 <b>now</b>", body="Nothing.")
    told = facts(game)
    assert "&lt;b&gt;now&lt;/b&gt;" in REPORT.html(told)
    sheet = list(csv.reader(io.StringIO(REPORT.csv(told))))
    assert ["Pending", "1", "Title", "'=1+1 <b>now</b>"] in sheet
    assert {len(row) for row in sheet} == {4}


def test_it_asks_as_often_for_many_proposals_as_for_few(
    game: Game, player: Player, act: Take, django_assert_max_num_queries: object
) -> None:
    for number in range(30):
        act(player, "proposals.submit", title=f"Number {number}", body="Nothing.")
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        REPORT.text(facts(game))


def test_a_rule_whose_tables_cannot_be_read_is_told_of_instead_of_stopping_the_week(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    text = game.rules.get(title="The Clock").text
    broken = text.replace("| An nday | 1 | 24 |", "| An nday | 1 | many |")
    act(None, "rulebook.amend", rule="The Clock", text=broken, reason="a misprint")
    told = " ".join(REPORT.text(facts(game)).split())
    assert "“The Clock” is played as of version 1" in told

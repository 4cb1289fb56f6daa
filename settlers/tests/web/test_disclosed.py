"""The page of an opened visit: every bribe and what came of it, and nothing before."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from nomic.games.models import Game
from nomic.operations.setup import new_game
from settlers.models import Visit
from settlers.tests.sealed import act, produce, thugs_isle
from settlers.tests.stage import bring_the_thug, hours
from tests.kit import WEDNESDAY, at_the_table, seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def isle(db: None) -> Game:
    """Murphy has told two bribes, Madrid one of more than they have, Alexia none; visit over."""
    game = thugs_isle()
    act(game, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    act(game, "Murphy", "settlers.bribe", items={"wheat": 7})
    act(game, "Madrid", "settlers.bribe", items={"stone": 61})
    act(game, "Murphy", "settlers.bribe", items={"wheat": 3, "stone": 1})
    hours(game, 24)
    return game


def visit_of(game: Game) -> Visit:
    return Visit.objects.get(game=game, sealed=True, over_in__isnull=False)


def opened(game: Game) -> Visit:
    """The visit, after two more Productions and the Onlooker's act."""
    for _ in range(2):
        produce(game)
    act(game, "snail", "settlers.open_visit", visit=visit_of(game).number)
    return visit_of(game)


def asked(address: str, status: int = 200) -> str:
    answer = Client().get(f"/g/table/{address}")
    assert answer.status_code == status
    return answer.content.decode()


def rows(html: str) -> list[list[str]]:
    """The cells of every row of every table, as text."""
    return [
        [" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in row]
        for line in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
        if (row := re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", line, re.DOTALL))
    ]


def test_an_opened_visit_shows_bribes_payments_values_and_who_was_a_target(isle: Game):
    number = opened(isle).number
    page = asked(f"settlers/visits/{number}/")
    note = isle.sealed_entries.get(name="record.note").outcome
    shares = [row for row in rows(page) if row[0] in ("Murphy", "Madrid", "Alexia")]
    was = {name: "Victim" if name == note["victim"] else "Target" for name in ("Madrid", "Alexia")}
    assert shares == [
        ["Madrid", "61 stone", "60 stone", "0", was["Madrid"]],
        ["Murphy", "3 wheat and 1 stone", "3 wheat and 1 stone", "4", "–"],
        ["Alexia", "none", "nothing", "0", was["Alexia"]],
    ]
    told = [row[1:4] for row in rows(page) if len(row) == 5 and row[4].startswith("s")]
    assert told == [
        ["Murphy", "7 wheat", "–"],
        ["Madrid", "61 stone", "yes"],
        ["Murphy", "3 wheat and 1 stone", "yes"],
    ]
    told_to_programs = Client().get(f"/api/v1/games/table/settlers/visits/{number}").json()
    assert [share["name"] for share in told_to_programs["shares"]] == [row[0] for row in shares]
    assert [bribe["counts"] for bribe in told_to_programs["bribes"]] == [False, True, True]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 10**20])
def test_a_visit_that_has_not_been_opened_has_no_page(isle: Game, number: int):
    page = asked(f"settlers/visits/{number}/", 404)
    assert f"What visit {number} may have sealed has not been opened." in page


def test_the_entries_of_an_opened_visit_lead_to_its_page(isle: Game):
    visit = visit_of(isle)
    address = f"/g/table/settlers/visits/{visit.number}/"
    for seq in (visit.entry, visit.over_in):
        assert address not in asked(f"record/{seq}/")
    visit = opened(isle)
    for seq in (visit.entry, visit.over_in, visit.opened_in):
        assert address in asked(f"record/{seq}/")


def test_the_history_leads_to_the_visits_that_have_been_opened(
    db: None, monkeypatch: pytest.MonkeyPatch
):
    game = new_game("table", "multa", pace="manual", start=WEDNESDAY)[0]
    with at_the_table(game) as table:
        bring_the_thug(table)
    for name in ("Murphy", "snail"):
        seat(game, name)
    act(game, "snail", "games.take_office", office="Onlooker")
    act(game, "Murphy", "settlers.join")
    for die in (2, 3):  # 4: the Thug; 6: somebody else
        produce(game)
        monkeypatch.setattr("settlers.events.appointments._DIE", [die])
        hours(game, 24)
        if die == 2:
            act(game, "Murphy", "settlers.bribe", items={"wheat": 7})
    address = f"/g/table/settlers/visits/{visit_of(game).number}/"
    assert address not in asked("settlers/")
    opened(game)
    assert address in asked("settlers/")


def test_of_a_visit_that_a_vote_ended_the_bribes_show_and_that_nothing_was_paid():
    game = thugs_isle()
    act(game, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    act(game, "Murphy", "settlers.bribe", items={"wheat": 7})
    act(game, "snail", "settlers.correct_visitor", visitor="Merchant", reason="they left")
    page = asked(f"settlers/visits/{opened(game).number}/")
    assert "left without collecting" in page
    assert ["Murphy", "7 wheat", "nothing", "–", "–"] in rows(page)

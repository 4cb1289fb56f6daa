"""The Contestmaster's weekly report (113), in all its forms, and what it leaves out."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from aceofspades.models import Offer, Proposal
from aceofspades.tests.acts import AGAINST, FOR
from aceofspades.tests.asking import do
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import reckon, without_secrets
from aceofspades.tests.stage import (
    crowd,
    days,
    enact,
    give_cards,
    hours,
    open_the_contest,
    propose,
    vote,
)
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.reports import find_report, published, reports_of

REPORT = find_report("contestmaster")
CANARY = "xyzzy-canary"
MANY = 918_273


@pytest.fixture
def played(contest: Game, three: Three, master: Player, uncounted: None) -> Game:
    """Something of everything: adopted, running and hidden proposals, moves, an alliance."""
    murphy, madrid, alexia = three
    vote(contest, propose(contest, murphy, 500), dict.fromkeys(three, FOR))
    hours(contest, 72)
    do(madrid, "propose", number=510, text=f"Private {CANARY}.", visibility="private")
    vote(contest, propose(contest, alexia, 520), {murphy: FOR, madrid: AGAINST})
    give_cards(contest, murphy, Mauve=2, Red=3)
    do(murphy, "transfer", to="Madrid", cards={"Red": 2})
    give_cards(contest, murphy, Mauve=2, Red=MANY)
    give_cards(contest, madrid, Mauve=2, Green=MANY)
    enact(contest, 345, f"Secret {CANARY}.", "secret")
    do(murphy, "offer", to=["Madrid"], gives={"Red": 7}, takes={"Green": 1}, anonymous=True)
    for one, other in ((murphy, "Madrid"), (madrid, "Murphy")):
        do(one, "ally", others=[other])
    do(murphy, "request_judgement", text="Was that right?")
    do(master, "judge", request=1, judgement="No.")
    do(master, "table_remedy", request=1, kind="destroy", giver="Murphy", cards={"Red": 5})
    return contest


def facts_of(game: Game) -> dict[str, Any]:
    game.refresh_from_db()
    return REPORT.all_facts(glance(game))


@pytest.mark.thorough
def test_the_report_tells_all_that_is_public(played: Game):
    facts = facts_of(played)
    assert json.loads(json.dumps(facts)) == facts
    assert facts["contestants"] == ["Murphy", "Madrid", "Alexia"]
    assert facts["hands"]["Murphy"] == MANY + 2
    assert facts["dealt"] == {"Murphy": 7, "Madrid": 7, "Alexia": 7}
    assert {each["kind"] for each in facts["transfers"]} >= {"dealt", "made", "transferred"}
    told = {each["number"]: each for each in facts["proposals"]}
    assert (told[1]["status"], told[1]["for"], told[1]["against"]) == ("in force", 3, 0)
    assert told[2]["visibility"] == "private"
    assert "for" not in told[3]
    assert [each["size"] for each in facts["alliances"]] == [2]
    assert {each["number"]: each["visibility"] for each in facts["regulations"]}[345] == "secret"
    assert facts["tabled"][0]["kind"] == "destroy"
    assert facts["reckoning"]["done"] is False


def test_the_report_tells_no_secret_in_any_form(played: Game):
    facts = facts_of(played)
    forms = {
        "text": REPORT.text(facts),
        "html": str(REPORT.html(facts)),
        "json": json.dumps(facts),
        "csv": json.dumps([*REPORT.rows(facts)]),
    }
    for form, said in forms.items():
        for secret in (CANARY, "Red", "Green", "Mauve", "Hearts", "FOR 1", "python"):
            assert secret not in said, (form, secret)
    assert not {"offers", "mine", "votes", "notices"} & facts.keys()
    for each in (*facts["regulations"], *facts["proposals"], *facts["alliances"]):
        assert not {"text", "members", "mine"} & each.keys()


@pytest.mark.thorough
def test_the_report_does_not_change_with_what_is_hidden(played: Game, three: Three):
    before = facts_of(played)
    alexia = three[2]
    vote(played, Proposal.objects.get(contest__game=played, number=3), {alexia: FOR})
    do(alexia, "offer", to=["Madrid"], gives={"Red": 1}, takes={"Green": 1}, anonymous=False)
    do(alexia, "ally", others=["Madrid"])
    after = facts_of(played)
    assert {**after, "at": before["at"]} == before


def test_as_text_its_columns_stand_under_each_other(played: Game):
    text = REPORT.text(facts_of(played))
    assert text.startswith(
        "THE CONTESTMASTER'S WEEKLY REPORT\nThe Ace of Spades, March 2002, as of"
    )
    assert "3 contestants, " in text
    assert "The Moment of Reckoning is 2026-05-" in text
    lines = text.splitlines()
    heading = next(line for line in lines if line.startswith("Contestant"))
    murphy = next(line for line in lines if line.startswith("Murphy"))
    place = heading.index("Cards") + len("Cards")
    assert murphy[:place].split()[-1] == str(MANY + 2)
    assert max(map(len, lines)) <= 100


def test_as_rows_it_has_every_figure(played: Game):
    rows = list(csv.reader(io.StringIO(REPORT.csv(facts_of(played)))))
    assert ["Contestants", "Murphy", "Cards", str(MANY + 2)] in rows
    assert ["Proposals", "1", "FOR", "3"] in rows
    assert any(row[0] == "Tabled acts" and row[-1] == "destroy" for row in rows)


@pytest.mark.thorough
def test_an_anonymous_party_is_a_dash(played: Game, three: Three):
    _, madrid, _ = three
    do(madrid, "accept_offer", offer=Offer.objects.get().code, anonymous=True)
    last = facts_of(played)["transfers"][-1]
    assert last["kind"] == "exchanged"
    assert "from" not in last or "to" not in last
    assert "exchanged" in REPORT.text(facts_of(played))


def test_it_is_published_each_week_and_while_the_contest_is_played(game: Game, three: Three):
    assert REPORT in reports_of(game)
    days(game, 14)
    assert game.entries.filter(outcome__report="contestmaster").count() >= 2
    edition = published(game, "contestmaster")
    assert edition is not None
    assert "3 contestants" in edition.outcome["text"]


def test_an_empty_contest_is_told_in_words(game: Game):
    open_the_contest(game)
    text = REPORT.text(facts_of(game))
    for words in (
        "Nobody has joined.",
        "There has been none.",
        "None waits.",
        "There is none.",
    ):
        assert words in text, words


@pytest.mark.thorough
def test_after_the_reckoning_it_tells_worths_finalists_and_who_is_semigenius(
    game: Game, three: Three
):
    give_cards(game, three[0], Hearts=50)
    reckon(game)
    facts = facts_of(game)
    assert facts["reckoning"]["finalists"] == ["Murphy"]
    text = REPORT.text(facts)
    assert "Finalists: Murphy." in text
    assert "Semigenius: Murphy." in text
    assert "Worth" in text


@pytest.mark.thorough
def test_after_the_reckoning_it_tells_who_was_allied_and_no_point_of_whole_marks(
    game: Game, three: Three
):
    murphy, madrid, alexia = three
    without_secrets(game)
    give_cards(game, murphy, Red=3)
    give_cards(game, madrid, Mauve=2)
    give_cards(game, alexia, Red=9)
    for one, other in ((murphy, "Madrid"), (madrid, "Murphy")):
        do(one, "ally", others=[other])
    reckon(game)
    facts = facts_of(game)
    worths = facts["reckoning"]["worths"]
    assert worths == {"Murphy": -5, "Madrid": -16, "Alexia": 9}
    assert facts["alliances"] == [
        {"number": 1, "size": 2, "members": ["Murphy", "Madrid"], "worth": -21}
    ]
    text = REPORT.text(facts)
    assert "Murphy, Madrid" in text
    assert ".0" not in text.partition("CARDS ON THE MOVE")[0]
    assert ["Alliances", 1, "Worth", -21] in REPORT.rows(facts)


@pytest.mark.thorough
def test_more_contestants_cost_no_more_queries(played: Game):
    def asked() -> int:
        played.refresh_from_db()
        with CaptureQueriesContext(connection) as queries:
            REPORT.all_facts(glance(played))
        return len(queries)

    before = asked()
    for each in crowd(played, 5):
        propose(played, each, 600)
    assert asked() == before

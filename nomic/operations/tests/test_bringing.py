"""Rules that lived elsewhere, brought into a new game: kept by people, known by their numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine.coverage import unfitted
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game
from nomic.games.presets import PRESETS
from nomic.governance.rulebook_keeping import ENTER, ENTER_REPEAL
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.operations.setup import BadSetup, new_game
from nomic.rulebook.formats.values import Brought, BroughtRule
from nomic.rulebook.limits import NoSuchRule
from nomic.rulebook.models import Rule
from tests.kit import WEDNESDAY, Take

LOTTERY = '```python\n@action("win", "Win")\ndef win():\n    give(me, 1, "points")\n```'
RULES = Brought(
    rules=(
        BroughtRule("101", "The Game", "Players MUST play.\nThey CAN win.", power="4"),
        BroughtRule("308.1", "Voting", "Nobody votes.", category="Votes"),
        BroughtRule("2", "Twins", "The first.", power="3.01"),
        BroughtRule("3", "Twins", "The second.", parent="101"),
        BroughtRule("", "Lottery", LOTTERY),
    ),
    repealed=(BroughtRule("2", "Old", "It was."), BroughtRule("2", "Older", "It had been.")),
)


@pytest.fixture
def game(db: None) -> Iterator[Game]:
    made, _ = new_game("table", "nomic", pace="manual", start=WEDNESDAY, brought=RULES)
    yield made
    now = Game.objects.get(pk=made.pk)
    assert [finding for finding in audit(now) if finding.wrong] == []
    assert replay(now)[1] is None


def rules(game: Game) -> list[Rule]:
    return list(game.rules.filter(by_people=True).order_by("pk"))


def test_rules_come_in_exactly_and_an_entry_says_that_they_were_brought(game: Game):
    found = [each for each in rules(game) if each.repealed_in is None]
    told = [(each.number, each.title, each.shown_power, each.text) for each in found]
    assert told == [(each.number, each.title, each.power, each.text) for each in RULES.rules]
    assert [each.category for each in found] == [None, "Votes", None, None, None]
    assert found[3].parent == found[0]
    assert [each.title for each in rules(game) if each.repealed_in] == ["Old", "Older"]
    entry = game.entries.get(seq=2)
    assert (entry.name, entry.kind) == ("games.bring_rules", "system")
    assert entry.text.startswith("5 rules are brought in from a game that lived elsewhere.")


def test_what_came_in_makes_no_duty_and_runs_no_program(game: Game):
    table = glance(Game.objects.get(pk=game.pk))
    assert [each for each in unfitted(table) if each.rule.by_people] == []
    assert [each.name for each in offered(table) if each.name.startswith("rule.")] == []


def offered(table):
    from nomic.engine.actions import all_actions

    return all_actions(table)


def test_many_rules_come_in_with_the_statements_of_few(db: None):
    def statements(slug: str, count: int) -> int:
        numbers = range(1, count + 1)
        rules = [
            BroughtRule(str(number), f"Rule {number}", "Text.", parent="1" if number > 1 else "")
            for number in numbers
        ]
        # Many of them with a number that one in force has, or several had.
        gone = [BroughtRule(str(number % 7), "Old", f"Old {number}.") for number in numbers]
        brought = Brought(tuple(rules), tuple(gone))
        with CaptureQueriesContext(connection) as queries:
            new_game(slug, "nomic", pace="manual", start=WEDNESDAY, brought=brought)
        made = Game.objects.get(slug=slug)
        assert made.rules.filter(by_people=True).count() == len(brought.rules + brought.repealed)
        return len(queries)

    few, many = statements("few", 10), statements("many", 400)
    assert many == few


def test_two_rules_of_one_title_are_known_by_their_numbers(game: Game):
    found = glance(Game.objects.get(pk=game.pk)).rules
    assert found.find_rule("Twins", "3").text == "The second."
    assert found.called(found.find_rule("", "3")) == "3"
    with pytest.raises(NoSuchRule, match="Rules 2 and 3"):
        found.find_rule("Twins")


def test_the_machinery_plays_by_no_rule_of_people_whatever_its_title(game: Game, act: Take):
    found = glance(Game.objects.get(pk=game.pk)).rules
    assert found.find("Voting").title == "Voting (voting law)"
    assert found.find_rule("Voting").text == "Nobody votes."


def test_the_game_moves_on_as_a_file(game: Game):
    file = io.StringIO()
    export_game(Game.objects.get(pk=game.pk), file)
    there = import_game(file.getvalue().splitlines(), slug="there")
    told = [(r.number, r.title, r.text, r.told, r.by_people) for r in rules(there)]
    assert told == [(r.number, r.title, r.text, r.told, r.by_people) for r in rules(game)]


def test_the_keeper_enters_what_people_have_carried_out(game: Game, act: Take, officer):
    act(officer, ENTER, rule="3", text="Another.", power="2", number="4", reason="CFJ 3902.")
    act(officer, ENTER, title="New", text="It is.", number="5", reason="Proposal 1.")
    act(officer, ENTER_REPEAL, rule="101", reason="It repealed itself.")
    found = {each.number: each for each in rules(game) if each.repealed_in is None}
    assert found.keys() == {"308.1", "2", "", "5"}  # with 101 goes what stood under it
    entry = game.entries.order_by("-seq")[2]
    assert entry.text == "snail enters the number, power and text of “Twins”: CFJ 3902."


BAD = {
    "nothing of it is another": {"rule": "2", "text": "The first."},
    "its number is taken": {"rule": "2", "number": "3"},
    "its power is none": {"rule": "2", "power": "3.0.1"},
    "the new one has no text": {"title": "New"},
    "it is the voting law": {"rule": "Voting (voting law)", "text": "Nobody votes."},
}


@pytest.mark.parametrize("why", BAD)
def test_what_cannot_be_entered_is_refused_and_changes_nothing(
    game: Game, act: Take, officer, why: str
):
    before = list(game.rules.order_by("pk").values_list("number", "title", "text", "power"))
    with pytest.raises(Refused):
        act(officer, ENTER, reason="So.", **BAD[why])
    assert list(game.rules.order_by("pk").values_list("number", "title", "text", "power")) == before


@pytest.mark.parametrize(
    ("brought", "preset", "sentence"),
    [
        (RULES, "agora-proposals", "come into one of the preset “nomic”"),
        (Brought(faults=("rules/7: it has no text.",)), "nomic", "rules/7: it has no text."),
        (Brought(), "nomic", "No rule was found in it."),
        (Brought((BroughtRule("1", "A", "x"), BroughtRule("1", "B", "y"))), "nomic", "Rule 1 is"),
        (Brought((BroughtRule("1", "A", "x", parent="9"),)), "nomic", "“A” stands under “9”"),
        (Brought((BroughtRule("1", "A", "x", power="-1"),)), "nomic", "A rule's power is a number"),
    ],
)
def test_what_cannot_come_in_begins_no_game(db: None, brought: Brought, preset: str, sentence: str):
    with pytest.raises(BadSetup, match=sentence):
        new_game("table", preset, brought=brought)
    assert not Game.objects.exists()


@pytest.mark.parametrize("law", PRESETS["nomic"].laws)
def test_a_nomic_votes_by_the_law_that_is_chosen(db: None, law: str):
    made, _ = new_game("table", "nomic", law=law, brought=RULES)
    assert made.edition == PRESETS["nomic"].laws[law].edition
    assert glance(made).rules.in_force("Proposals")


def test_a_law_that_is_none_is_refused_with_those_there_are(db: None):
    with pytest.raises(BadSetup, match="Known: agora, b-nomic-2006, b-nomic-5e33, blognomic"):
        new_game("table", "nomic", law="anarchy")

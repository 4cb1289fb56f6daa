"""The rulebook of a game: its rules are found, enacted, amended, renamed and repealed."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from nomic.engine.table import glance
from nomic.games.models import Game
from nomic.games.presets import PRESETS, Preset
from nomic.operations.audit import audit
from nomic.rulebook.limits import BadRule, NoSuchRule
from nomic.rulebook.models import Rule
from tests.kit import at_the_table

TABLE = "Prices.\n\n| Thing | Price |\n| --- | --- |\n| hat | 3 |\n"


@pytest.fixture
def preset(monkeypatch: pytest.MonkeyPatch) -> str:
    bare = Preset("bare", "Bare", "No rules yet.", rulebooks=())
    monkeypatch.setitem(PRESETS, bare.name, bare)
    return bare.name


def now(game: Game):
    return glance(Game.objects.get(pk=game.pk)).rules


def titles(game: Game) -> list[str]:
    return [rule.title for rule in now(game).public]


def test_a_rule_is_found_by_its_title_and_by_its_number_in_any_case(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Proposals", "Text.\n", number="2-2b")
    rules = now(game)
    for found in (
        rules.find("PROPOSALS"),
        rules.find_rule(title="proposals"),
        rules.find_rule(number="2-2B"),
        rules.find_rule(title="2-2b"),
        rules.find_rule(title="Proposals", number="2-2b"),
    ):
        assert (found.title, found.number) == ("Proposals", "2-2b")


def test_a_title_is_found_in_quotes_of_another_shape_where_one_rule_is_meant(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Kevan’s “Isle”", "Text.\n")
        assert table.rules.find_rule(title='kevan\'s "Isle"').title == "Kevan’s “Isle”"
        table.rules.enact("Kevan‘s “Isle”", "Text.\n")
        assert table.rules.find_rule(title="Kevan’s “Isle”").title == "Kevan’s “Isle”"
        with pytest.raises(NoSuchRule):
            table.rules.find_rule(title="Kevan's “Isle”")


@pytest.mark.parametrize(
    ("meant", "sentence"),
    [
        ({"title": "Votes"}, "No rule “Votes” is in force."),
        ({"number": "9"}, "No rule has the number 9."),
        ({"title": "Proposals", "number": "9"}, "No rule has the number 9."),
        ({"title": "Proposals", "number": "3"}, "Rule 3 is “Seals”, and not “Proposals”."),
    ],
)
def test_a_rule_that_is_not_there_is_named_in_a_sentence(
    game: Game, meant: dict[str, str], sentence: str
):
    with at_the_table(game) as table:
        table.rules.enact("Proposals", "Text.\n", number="2-2")
        table.rules.enact("Seals", "Text.\n", number="3")
        with pytest.raises(NoSuchRule) as none:
            table.rules.find_rule(**meant)
    assert str(none.value) == sentence


def test_a_private_rule_is_found_by_the_machinery_and_not_by_players(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Secrets", "Text.\n", number="7", visibility="private")
        assert table.rules.find("Secrets").text == "Text.\n"
        for meant in ({"title": "Secrets"}, {"number": "7"}):
            with pytest.raises(NoSuchRule):
                table.rules.find_rule(**meant)
    assert titles(game) == []


def test_a_retitled_rule_is_still_the_one_that_the_machinery_knows(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Horses", TABLE)
        table.rules.retitle("Horses", "Ponies")
        table.rules.retitle("Ponies", "Nags")
    rules = now(game)
    assert rules.in_force("Horses", "Nags")
    assert not rules.in_force("Ponies")
    assert rules.table("Horses", "Thing", "Price").rows[0]["Price"] == "3"
    assert titles(game) == ["Nags"]
    with pytest.raises(NoSuchRule) as none:
        rules.find_rule(title="Horses")
    assert str(none.value) == (
        "No rule “Horses” is in force. The rule that had this title is now “Nags”."
    )


def test_a_new_rule_that_takes_an_old_title_is_the_one_that_the_machinery_knows(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "The first.\n")
        table.rules.retitle("Horses", "Ponies")
        table.rules.enact("Horses", "The second.\n")
        assert table.rules.text("Horses") == "The second.\n"
        table.rules.retitle("Horses", "Nags")
        assert table.rules.text("Horses") == "The second.\n"
        table.rules.repeal("Nags")
        assert not table.rules.in_force("Horses")
    assert titles(game) == ["Ponies"]


def test_retitling_is_a_version_with_the_same_text(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "Text.\n")
    with at_the_table(game) as table:
        table.rules.retitle("Horses", "Ponies")
    rule = game.rules.get()
    assert [(v.title, v.text) for v in rule.versions.all()] == [
        ("Horses", "Text.\n"),
        ("Ponies", "Text.\n"),
    ]
    assert rule.played_as == rule.version


def test_many_changes_of_a_rule_in_one_entry_are_one_version_with_the_last_text(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Horses", TABLE)
        table.rules.enact("Seals", "Text.\n")
    with at_the_table(game) as table:
        entry = table.seq
        assert {table.rules.amend("Horses", f"Text {n}.\n").version for n in range(30)} == {2}
        assert {table.rules.retitle("Horses", f"Ponies {n}").version for n in range(30)} == {2}
        table.rules.enact("Goats", "Text.\n")
        assert table.rules.amend("Goats", "Other.\n").version == 1
        assert table.rules.find("Ponies 29").text == "Text 29.\n"
    horses, goats = game.rules.get(title="Ponies 29"), game.rules.get(title="Goats")
    assert [(v.number, v.title, v.text) for v in horses.versions.all()] == [
        (1, "Horses", TABLE),
        (2, "Ponies 29", "Text 29.\n"),
    ]
    assert [(v.number, v.text, v.enacted_in) for v in goats.versions.all()] == [
        (1, "Other.\n", entry)
    ]
    assert (horses.text, horses.version, goats.text) == ("Text 29.\n", 2, "Other.\n")
    assert horses.played_as < horses.version
    assert goats.played_as == goats.version
    assert not any(finding.wrong for finding in audit(Game.objects.get(pk=game.pk)))


def test_what_an_entry_made_of_the_prose_counts_from_before_it(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Prices", TABLE)
    with at_the_table(game) as table:
        assert not table.rules.amend("Prices", TABLE.replace("3", "4")).is_played_otherwise
        assert table.rules.amend("Prices", "Hats are free.\n").is_played_otherwise
        assert not table.rules.amend("Prices", TABLE.replace("3", "5")).is_played_otherwise
    assert now(game).find("Prices").version == 2


def test_versions_that_were_asked_for_early_stay_when_more_follows(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "One.\n")
        table.rules.write_versions()
        table.rules.amend("Horses", "Two.\n")
    versions = game.rules.get().versions.values_list("number", "text")
    assert list(versions) == [(1, "One.\n"), (2, "Two.\n")]


def test_renumbering_is_no_new_version(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "Text.\n", number="1")
        table.rules.renumber("Horses", "2")
        assert table.rules.find_rule(number="2").title == "Horses"
        with pytest.raises(NoSuchRule):
            table.rules.find_rule(number="1")
        table.rules.enact("Seals", "Text.\n", number="1")
        table.rules.renumber("Horses", "")
        assert table.rules.find("Horses").number == ""
    assert game.rules.get(title="Horses").versions.count() == 1


@pytest.mark.parametrize("text", ["nul\0", "half\ud800", "x" * 200_001])
def test_a_text_that_cannot_be_stored_is_refused_with_a_sentence(game: Game, text: str):
    with at_the_table(game) as table:
        table.rules.enact("Horses", "Text.\n")
        with pytest.raises(BadRule):
            table.rules.enact("Seals", text)
        with pytest.raises(BadRule):
            table.rules.amend("Horses", text)


def test_a_subrule_knows_its_parent_by_the_title_that_it_has(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("Visitors", "Text.\n")
        table.rules.enact("Thug", "Text.\n", parent=table.rules.find("Visitors"))
        table.rules.retitle("Visitors", "Guests")
        assert table.rules.find("Thug").parent == "Guests"
    assert now(game).find("Thug").parent == "Guests"


def test_subrules_go_with_their_parent_in_the_same_entry(game: Game):
    with at_the_table(game) as table:
        parent = table.rules.enact("Visitors", "Text.\n")
        child = table.rules.enact("Thug", "Text.\n", parent=parent)
        table.rules.enact("Henchman", "Text.\n", parent=child)
        table.rules.enact("Seals", "Text.\n")
    with at_the_table(game) as table:
        entry = table.seq
        gone = table.rules.repeal("Visitors")
        assert [rule.title for rule in gone] == ["Visitors", "Thug", "Henchman"]
    assert titles(game) == ["Seals"]
    assert set(game.rules.values_list("repealed_in", flat=True)) == {entry, None}


def test_what_the_program_keeps_in_mind_is_what_the_database_has(game: Game):
    with at_the_table(game) as table:
        rules = table.rules
        parent = rules.enact("A", TABLE, number="1")
        rules.enact("B", "Text.\n", parent=parent)
        rules.enact("C", "Text.\n", visibility="private")
        rules.amend("A", TABLE + "\nMore.\n", new_title="Aleph")
        rules.amend("B", "Other.\n")
        rules.renumber("C", "3")
        rules.enact("D", "Text.\n")
        rules.repeal("D")
        kept = {rule.title: rule for rule in rules.public}
    assert {rule.title: rule for rule in now(game).public} == kept
    assert list(kept) == ["Aleph", "B"]


@pytest.mark.thorough
def test_five_hundred_changes_do_not_read_the_rulebook_five_hundred_times(game: Game):
    with at_the_table(game) as table:
        with CaptureQueriesContext(
            connection,
        ) as enacting:
            for number in range(500):
                table.rules.enact(f"Rule {number}", "Text.\n", number=str(number))
        assert len(enacting) <= 3 * 500
        with CaptureQueriesContext(connection) as changing:
            for number in range(500):
                table.rules.amend(f"Rule {number}", "Other.\n")
        assert len(changing) <= 3 * 500
        with CaptureQueriesContext(connection) as repealing:
            table.rules.repeal("Rule 7")
        assert len(repealing) == 1
    assert len(titles(game)) == 499


RULE = (
    "INSERT INTO rulebook_rule (game_id, title, number, known_as, rule_class, visibility, origin,"
)
RULE += " source, position, text, version, played_as, enacted_in, parent_id) VALUES"
AGAINST_THE_BOOK = {
    "two rules with one number": (
        RULE + "(%(game)s, 'B', '1A', '', 'mutable', 'public', '', '', 2, '', 1, 1, 1, NULL)"
    ),
    "two rules with one old title": (
        RULE + "(%(game)s, 'B', '', 'OLD', 'mutable', 'public', '', '', 2, '', 1, 1, 1, NULL)"
    ),
    "a rule without a title": "UPDATE rulebook_rule SET title = '' WHERE game_id = %(game)s",
    "a rule under itself": "UPDATE rulebook_rule SET parent_id = id WHERE game_id = %(game)s",
}


@pytest.mark.parametrize("statement", AGAINST_THE_BOOK)
def test_the_database_refuses(game: Game, statement: str):
    with at_the_table(game) as table:
        table.rules.enact("A", "Text.\n", number="1a", known_as="Old")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(AGAINST_THE_BOOK[statement], {"game": game.pk})


def test_a_number_is_free_again_after_a_repeal(game: Game):
    with at_the_table(game) as table:
        table.rules.enact("A", "Text.\n", number="1")
        table.rules.repeal("A")
        table.rules.enact("A", "Text.\n", number="1")
    assert Rule.objects.filter(game=game, number="1").count() == 2

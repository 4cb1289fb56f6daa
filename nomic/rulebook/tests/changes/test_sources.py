"""The three real proposals among the sources, read from their own files."""

from pathlib import Path

import pytest

from nomic.rulebook.changes.kinds import (
    AddBullets,
    AddRows,
    AddSubrule,
    Enact,
    Give,
    Reading,
    ReplacePassage,
    ReplaceText,
    RuleRef,
)
from nomic.rulebook.changes.reading import read_changes

SOURCES = Path(__file__).parents[5] / "shared/seeds"


def source(number: str) -> str:
    found = list(SOURCES.glob(f"{number}_*"))
    if not found:
        pytest.skip(f"the source {number} is not in this checkout")
    return found[0].read_text()


def marked(body: str) -> Reading:
    """The reading of a body of which its author says what is a remark."""
    return read_changes(body, [each.sentence for each in read_changes(body).unread])


def test_proposal_8822_enacts_seven_rules() -> None:
    body = source("000")
    reading = read_changes(body)
    assert [type(change) for change in reading.changes] == [Enact] * 7
    assert [change.target for change in reading.changes] == [
        "Horses",
        "The Horses Run",
        "Horse Victory",
        "Horse Multiplier",
        "Weekly Race Actions",
        "Motivating Horses",
        "Horse Powers",
    ]
    for change in reading.changes:
        assert isinstance(change, Enact)
        assert change.text == body[change.start : change.end].split("{", 1)[1][:-1].strip()


def test_everything_above_proposal_8822_is_a_header() -> None:
    reading = read_changes(source("000"))
    assert {remark.kind for remark in reading.remarks} == {"header"}
    assert reading.remarks[0].sentence == "PROPOSAL 8822 (Horse Racing)"


def test_the_refresh_draft_replaces_a_rule_and_gives_peter_five_points() -> None:
    body = source("001")
    assert read_changes(body).by_hand == read_changes(body).changes
    replaced, given = marked(body).changes
    assert isinstance(replaced, ReplaceText)
    assert replaced.rule == RuleRef(number="2-2")
    assert replaced.text == body.split("with:\n{{\n")[1].split("\n}}\nGive")[0]
    assert isinstance(given, Give)
    assert (given.receiver, given.amount, given.currency) == ("Peter", 5, "points")
    assert {replaced.group, given.group} == {"Fixing the World"}


def test_the_refresh_draft_itself_is_read_whole_and_its_heading_is_a_comment() -> None:
    letter = source("001")
    draft = letter[letter.index("{{") : letter.index("\n--\nWonko")]
    reading = read_changes(draft)
    assert [type(change) for change in reading.changes] == [ReplaceText, Give]
    assert [(remark.sentence, remark.kind) for remark in reading.remarks] == [
        ("__Fixing the World__", "comment")
    ]
    assert not reading.unread


def test_the_letter_around_the_refresh_draft_is_remarks() -> None:
    reading = marked(source("001"))
    assert any("Wonko" in each.sentence for each in reading.marked)
    assert {remark.kind for remark in reading.remarks} == {"marked", "comment", "place"}
    assert not reading.by_hand


def test_protection_money_changes_four_rules() -> None:
    body = source("003")
    passage, bullets, rows, subrule = marked(body).changes
    assert isinstance(passage, ReplacePassage)
    assert passage.rule.title == "The Gift of the Isle"
    assert passage.old == body.split("replace this text:\n")[1].split("\nwith the")[0]
    assert passage.new == body.split("with the following text:\n")[1].split("\nIn the rule")[0]
    assert isinstance(bullets, AddBullets)
    assert bullets.rule.title == "The Dice Deck"
    assert bullets.text.split("\n") == [
        "* Set the Injured list to contain the same values as the Victims list",
        "* Set the Victims list to empty",
    ]
    assert isinstance(rows, AddRows)
    assert (rows.rule.title, rows.table) == ("Visitors", "Visitors")
    assert rows.rows == "| 4 || Thug\n| 10 || Thug"
    assert isinstance(subrule, AddSubrule)
    assert (subrule.parent.title, subrule.title) == ("Visitors", "Thug")
    assert subrule.text.startswith("Bribe is a variable")


def test_the_thugs_subrule_ends_with_its_list_before_the_authors_remarks() -> None:
    *_, subrule = marked(source("003")).changes
    assert isinstance(subrule, AddSubrule)
    assert subrule.text.endswith("and each Settler’s Bribe Value to 0")

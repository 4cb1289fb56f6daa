"""Changes as an entry of the record keeps them."""

import json

import pytest

from nomic.rulebook.changes import kinds
from nomic.rulebook.changes.kinds import Change, changes_from_json, changes_to_json
from nomic.rulebook.changes.reading import read_changes


@pytest.mark.parametrize(
    "body",
    [
        "Enact a power-2 rule titled “A” with the text: {b}",
        "Add a subrule titled “A” to the rule “X” with the text: {b}",
        "Amend rule 4 by replacing each instance of “a” with “b” and deleting the last paragraph.",
        "In rule 4, after “a”, insert “b”.",
        "Append “b” to the paragraph beginning “a”.",
        "In rule 4, append “b” to the paragraph beginning “a”.",
        "Repeal rules 4 and “X”. Retitle rule 4 to “Y”. Renumber rule 4 to 5.",
        "Change the power of rule 4 to 3.",
        "Take all points from Peter. Destroy all points. Give each player 5 points.",
        "Transfer 5 points from Peter to Paul. Give Alexia to Paul. Increase Peter's points by 3.",
        f"Ratify recalculation {'0a' * 32}.",
        "Set Alexia's Race Position to 3. Frobnicate the rule “X”, hereby.",
        "{ __Group__ To the table in rule 4, add the following rows:\n| a | b |\n }",
        "In rule 4, delete the row “a” and replace the row “b” with “| c | d |”.",
        "Throughout the ruleset, replace “a” with “b”.",
        "To the bullet list in rule 4, add the following:\n* a",
    ],
)
def test_changes_come_back_as_they_were_kept(body: str) -> None:
    changes = read_changes(body).changes
    assert changes
    assert changes_from_json(json.loads(json.dumps(changes_to_json(changes)))) == changes


VERBS = (
    "enact, replace text, replace passage, insert, append, add bullets, add rows, replace row,"
    " replace throughout, add subrule,"
    " repeal, retitle, renumber, set power, transmute, give, take, transfer, destroy, set switch,"
    " hand over, change by, become, ratify, by hand"
)


def test_the_record_has_a_verb_for_each_form_whatever_its_class_is_called() -> None:
    forms = [form for form in vars(kinds).values() if isinstance(form, type)]
    changes = [form for form in forms if issubclass(form, Change) and form is not Change]
    public = [form.verb for form in changes if not form.__name__.startswith("_")]
    assert sorted(public) == sorted(VERBS.split(", "))

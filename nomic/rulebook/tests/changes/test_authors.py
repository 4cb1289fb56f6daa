"""The shapes in which the authors of other nomics write: what becomes of the rules."""

import json

import pytest

from nomic.rulebook.changes.on_paper import changes
from nomic.rulebook.tests.changes.authors import (
    AGORA,
    BLOGNOMIC,
    BLUE_SHEEP,
    EDGES,
    GIT,
    LEFT,
    PREPENDED,
    ROWS,
    RULES,
    THROUGHOUT,
)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [*AGORA, *BLOGNOMIC, *BLUE_SHEEP, *GIT, *EDGES, *ROWS, *THROUGHOUT, *PREPENDED],
)
def test_a_body_makes_of_the_rules_what_it_says_or_is_left(
    body: str, outcome: dict[str, str | None]
) -> None:
    before = {title: text for _, title, text in RULES}
    rules = [{"number": number, "title": title, "text": text} for number, title, text in RULES]
    case, is_throughout = {"id": 1, "body": body, "rules": rules}, body.startswith("Throughout")
    answer = json.loads(changes(json.dumps(case), confirm=is_throughout))
    after = {rule["title"]: rule["text"].rstrip() for rule in answer["rules"]}
    changed = {
        title: after.get(title) for title in before | after if after.get(title) != before.get(title)
    }
    assert changed == outcome
    assert all(change["done"] for change in answer["changes"]) == (outcome is not LEFT)


@pytest.mark.parametrize(
    ("named", "done"),
    [
        ("rule 2, “Cats”,", True),
        ("the rule Cats (rule 2)", True),
        ("rule 2", True),
        ("the rule “Cats”", False),
        ("rule 3, “Cats”,", False),
    ],
)
def test_two_rules_of_one_title_are_told_apart_by_number(named: str, done: bool) -> None:
    rules = [{"number": number, "title": "Cats", "text": "They nap."} for number in (1, 2)]
    body = f"Amend {named} by replacing “nap” with “sleep”."
    answer = json.loads(changes(json.dumps({"id": 1, "body": body, "rules": rules})))
    texts = [rule["text"].strip() for rule in answer["rules"]]
    assert texts == ["They nap.", "They sleep." if done else "They nap."]
    assert answer["changes"][0]["done"] == done

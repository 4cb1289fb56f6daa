"""`manage.py changes`: what bodies ask for, and what becomes of rules that stand in no game."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from nomic.rulebook.changes.on_paper import changes

RULES = [
    {"number": 4, "title": "Horses", "power": 1.0, "text": "Horses run.\n\nThey run fast."},
    {"number": None, "title": "Ponies", "power": None, "text": "Ponies rest."},
]


def on_paper(body: str) -> dict[str, Any]:
    line = json.dumps({"id": "a", "body": body, "rules": RULES})
    told: dict[str, Any] = json.loads(changes(line, confirm=True))
    return told


def test_a_line_without_rules_is_only_read() -> None:
    line = json.dumps({"id": 7, "body": "Repeal rule 4 (Horses). [It is old.]"})
    told = json.loads(changes(line))
    repeal = {"change": "repeal", "rule": {"number": 4, "title": "Horses"}}
    beside = {"remarks": ["[It is old.]"], "unread": [], "units": []}
    assert told == {"id": 7, "changes": [repeal], **beside}


def test_a_sentence_that_is_not_read_leaves_all_to_a_hand_unless_it_is_marked() -> None:
    said = "This happens only if it rains."
    case = {"id": 7, "body": f"Repeal rule 4.\n\n{said}", "rules": RULES}
    told = json.loads(changes(json.dumps(case)))
    assert (told["unread"], told["remarks"]) == ([said], [])
    assert [each["verb"] for each in told["changes"]] == ["unparsed", "unparsed"]
    assert [each["done"] for each in told["changes"]] == [False, False]
    assert [rule["number"] for rule in told["rules"]] == [4, None]
    marked = json.loads(changes(json.dumps({**case, "remarks": [said]})))
    assert (marked["unread"], marked["remarks"]) == ([], [said])
    assert [rule["number"] for rule in marked["rules"]] == [None]


@pytest.mark.parametrize(
    ("remark", "why"),
    [
        ("Well.", "“Well.” is no sentence of the text"),
        ("Repeal rule 4.", "“Repeal rule 4.” is an instruction, and no remark"),
    ],
)
def test_what_is_no_remark_of_the_body_is_refused(remark: str, why: str) -> None:
    case = {"id": 7, "body": "Repeal rule 4.\n\nSo be it.", "remarks": [remark]}
    wrong, no_list = (
        json.loads(changes(json.dumps(asked))) for asked in (case, {**case, "remarks": "Well."})
    )
    assert (wrong.keys(), wrong["id"]) == ({"id", "error"}, 7)
    assert wrong["error"].startswith(f"line 1: remarks: {why}")
    assert no_list["error"].startswith("line 1: remarks: a list")


def test_rules_change_as_by_a_closing_vote_and_new_ones_have_no_number() -> None:
    told = on_paper(
        "Amend rule 4 by deleting the last paragraph and changing its power to 3.1.\n\n"
        "Enact a power-2 rule titled “Mules” with the text: { Mules carry. }\n\n"
        "Repeal the rule “Ponies”.\n\nGive Peter 5 points."
    )
    assert [each["done"] for each in told["changes"]] == [True, True, True, True, False]
    assert told["rules"] == [
        {"number": 4, "title": "Horses", "power": 3.1, "text": "Horses run."},
        {"number": None, "title": "Mules", "power": 2, "text": "Mules carry.\n"},
    ]


def test_all_changes_of_a_rule_are_left_where_one_of_them_is() -> None:
    twice = (
        "In rule 4, replace “run fast” with “jump”.\n\nIn rule 4, replace “run fast” with “fly”."
        "\n\nIn the rule “Ponies”, replace “rest” with “sleep”."
    )
    told = on_paper(twice)
    first, second, other = told["changes"]
    assert (first["done"], second["done"], other["done"]) == (False, False, True)
    assert first["why"].startswith(
        "Another change of this rule is left to the officer: “In rule 4, replace “run fast” with"
    )
    assert "stands nowhere" in second["why"]
    assert [rule["text"].strip() for rule in told["rules"]] == [RULES[0]["text"], "Ponies sleep."]


@pytest.mark.parametrize(
    ("body", "done"),
    [
        ("Retitle rule 4 to “Mules”.\n\nIn the rule “Mules”, delete “fly”.", [False, False]),
        ("Retitle rule 4 to “Mules”.\n\nIn the rule “Horses”, delete “fly”.", [True, False]),
        ("In rule 4, delete “fast”.\n\nRepeal rule 4 (Ponies).", [False, False]),
        ("Enact a rule titled “A” with the text: {b}\n\nIn the rule “A”, delete “c”.", [False] * 2),
        (
            "Throughout the rules, replace “run” with “go”.\n\nIn rule 4, delete “fly”.\n\n"
            "Retitle the rule “Ponies” to “Foals”.",
            [False, False, True],
        ),
    ],
)
def test_a_rule_is_the_same_under_each_of_its_names(body: str, done: list[bool]) -> None:
    told = on_paper(body)
    assert [change["done"] for change in told["changes"]] == done
    assert told["rules"][0]["text"].strip() == RULES[0]["text"]


def test_a_sentence_that_is_quoted_is_its_whole_or_left() -> None:
    for sentence, done in (
        ("“Horses” with “Mules”", False),
        ("“Horses run.” with “Mules run.”", True),
    ):
        told = on_paper(f"In rule 4, replace the sentence {sentence}.")
        (change,) = told["changes"]
        assert (change["edit"], change["done"]) == ("replace", done)


def test_a_number_below_zero_names_its_rule_and_no_range_does() -> None:
    rules = [{**RULES[0], "number": number, "title": number} for number in ("-104", "2", "4")]
    case = {"id": 1, "rules": rules, "body": "Repeal rule -104."}
    assert [rule["number"] for rule in json.loads(changes(json.dumps(case)))["rules"]] == [2, 4]
    for body in ("Repeal rules 2 -4.", "Repeal rule 2 -4.", "Repeal rule -4."):
        told = json.loads(changes(json.dumps({**case, "body": body})))
        assert [change["done"] for change in told["changes"]] == [False]


def test_a_rule_that_was_retitled_is_not_found_by_its_old_title() -> None:
    told = on_paper("Retitle rule 4 to “Mares”.\n\nRepeal the rule “Horses”.")
    assert [each["done"] for each in told["changes"]] == [True, False]
    assert "is now “Mares”" in told["changes"][1]["why"]


def test_a_body_that_cannot_be_taken_apart_is_left_as_a_whole() -> None:
    (left,) = json.loads(changes('{"id": 1, "body": "Repeal { rule 4."}'))["changes"]
    assert (left["change"], left["sentence"]) == ("by_hand", "Repeal { rule 4.")


@pytest.mark.parametrize("before", ['{"Horses" are good}', '{"', '{"' * 20_000 + "}" * 20_000])
def test_a_body_that_begins_with_a_brace_and_a_quote_is_no_json(before: str) -> None:
    assert json.loads(changes(f"{before}\n\nRepeal rule 4."))["id"] is None


def test_the_command_reads_a_file_with_the_text_of_one_proposal(tmp_path: Path) -> None:
    file = tmp_path / "proposal.txt"
    file.write_text("Repeal rule 4.\n")
    written = StringIO()
    call_command("changes", str(file), stdout=written)
    assert json.loads(written.getvalue())["changes"][0]["change"] == "repeal"
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("changes", str(tmp_path / "none"), stdout=written)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ('{"id": 1}', "line 1: an object with id, body"),
        ('{"id": 1, "body": 5}', "line 1: an object with id, body"),
        ('{"id": 1, "body": "x", "rules": 5}', "line 1: rules: a list"),
        ('{"id": 1, "body": "x", "rules": [{}]}', "line 1: rules[0]: a rule is an object"),
        (json.dumps({"id": 1, "body": "x", "rules": [RULES[0]] * 2}), "line 1: rules[1]: Rule 4"),
    ],
)
def test_what_is_no_case_is_answered_with_its_line_and_the_next_is_read(
    source: str, what: str
) -> None:
    bad, good = map(json.loads, changes(f'{source}\n{{"id": 2, "body": "x"}}').splitlines())
    assert (bad.keys(), bad["id"]) == ({"id", "error"}, 1)
    assert bad["error"].startswith(what)
    assert good["id"] == 2


@pytest.mark.parametrize("bad", ['{"', "[", "5", '"x"', "null", "\ufeff{}", "[" * 9_000])
def test_a_line_that_is_no_object_of_json_is_answered_and_the_next_is_read(bad: str) -> None:
    good = '{"id": 2, "body": "Repeal rule 4."}'
    first, wrong, last = map(json.loads, changes(f"{good}\n{bad}\n{good}").splitlines())
    assert (wrong["id"], wrong["error"].partition(":")[0]) == (None, "line 2")
    assert first == last


def test_two_rules_of_one_title_are_told_apart_by_their_numbers() -> None:
    twins = [{**RULES[0], "number": number, "text": f"{number} runs."} for number in (4, 5)]
    case = {"id": 1, "rules": twins, "body": "Amend rule 5 (Horses) by replacing “5” with “It”."}
    told = json.loads(changes(json.dumps(case)))
    assert [rule["text"] for rule in told["rules"]] == ["4 runs.", "It runs."]
    (unclear,) = json.loads(changes(json.dumps({**case, "body": "Repeal the rule “Horses”."})))[
        "changes"
    ]
    assert (unclear["done"], "Rules 4 and 5" in unclear["why"]) == (False, True)


def test_a_rule_of_a_class_is_transmuted_before_it_changes() -> None:
    rules = [{**RULES[0], "class": "immutable"}, RULES[1]]
    amend = "Amend rule 4 by replacing “fast” with “slowly”."

    def told(body: str) -> tuple[list[bool], list[Any]]:
        answer = json.loads(changes(json.dumps({"id": 1, "body": body, "rules": rules})))
        done = [change["done"] for change in answer["changes"]]
        return done, [(rule["class"], rule["text"][-7:]) for rule in answer["rules"]]

    assert told(amend) == ([False], [("immutable", "n fast."), ("mutable", "s rest.")])
    assert told(f"Transmute rule 4.\n{amend}") == (
        [True, True],
        [("mutable", "slowly."), ("mutable", "s rest.")],
    )


def test_rules_without_classes_are_not_transmuted_on_paper() -> None:
    told = on_paper("Transmute rule 4.")
    [change] = told["changes"]
    assert change["why"] == "None of these rules is said to be immutable or mutable."
    assert "class" not in told["rules"][0]


def test_a_class_that_is_none_is_refused_on_paper() -> None:
    case = {"id": 1, "body": "Repeal rule 4.", "rules": [{**RULES[0], "class": "golden"}]}
    assert json.loads(changes(json.dumps(case)))["error"].endswith(
        "a class is mutable or immutable."
    )

"""The marks on paper: `manage.py marks`."""

import io
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from aceofspades.rules.on_paper import MOST_CARDS, marks
from nomic.games.cases import CaseWrong

REDS = "def mark(hands, worth, _): return {n: worth[n] + h['Red'] for n, h in hands.items()}"
CASE = {"hands": {"Goethe": {"Red": 2}, "Steve": {}}, "regulations": []}


def result(case: object) -> dict:
    return json.loads(marks(json.dumps(case)))


def with_(**own: object) -> str:
    return json.dumps({**CASE, **own})


def regulation(**own: object) -> str:
    return with_(regulations=[{"number": 310, "starlark": REDS, **own}])


def test_a_case_tells_worths_and_errors():
    broken = (
        "def mark(hands, worth, alliances):\n    return {'Goethe': worth['Goethe'], 'Steve': 1 / 2}"
    )
    found = result(
        {
            "hands": {"Goethe": {"Red": 2}, "Steve": {"Red": 1, "Mauve": 4}},
            "alliances": [["Goethe", "Steve"]],
            "regulations": [{"number": 320, "starlark": broken}, {"number": 310, "starlark": REDS}],
            "worths": {"Goethe": 1.5},
        }
    )
    assert found == {"worths": {"Goethe": 3.5, "Steve": 0.5}, "errors": {}}


def test_a_program_is_called_python_or_starlark():
    told = [
        result({**CASE, "regulations": [{"number": 310, language: REDS}]})
        for language in ("python", "starlark")
    ]
    assert told[0] == told[1]
    assert told[0]["errors"] == {}


def test_a_regulation_that_fails_is_told_by_number_and_place():
    found = result(
        {**CASE, "regulations": [{"number": 310, "starlark": "def mark(a, b, c): return 1 // 0"}]}
    )
    assert found == {
        "worths": {"Goethe": 0.0, "Steve": 0.0},
        "errors": {"310": "ZeroDivisionError: division by zero (line 1, column 27)."},
    }


def test_a_regulation_of_each_hand_fails_for_that_hand_and_worths_are_told_as_they_are_compared():
    source = "def mark_hand(n, h, w, a): return 0.1 * 3 / h[n]['Red'] * h[n]['Red']"
    found = result({**CASE, "regulations": [{"number": 310, "starlark": source}]})
    assert found["worths"] == {"Goethe": 0.3, "Steve": 0.0}
    assert found["errors"]["310"].startswith("It leaves the worth undefined of Steve: ")


def test_a_block_that_cannot_be_read_is_a_result_and_no_bad_input():
    found = result({**CASE, "regulations": [{"number": 310, "starlark": "def"}]})
    assert "It cannot be read" in found["errors"]["310"]


def test_a_list_of_cases_gives_a_list_of_results():
    assert json.loads(marks(json.dumps([CASE, CASE]))) == [result(CASE)] * 2
    assert json.loads(marks("[]")) == []


def test_hands_and_regulations_may_be_none():
    assert result({"hands": {}, "regulations": []}) == {"worths": {}, "errors": {}}


WRONG = [
    ("{", "not JSON"),
    ("null", "the case has to be an object"),
    ("{}", "hands: it is missing"),
    ('{"hands": {}}', "regulations: it is missing"),
    (with_(hand={}), '"hand" is no field of the case'),
    (with_(hands=[]), "hands: an object with the hands by contestant belongs here, not a list"),
    (with_(hands={"": {}}), 'hands: "" is no name'),
    (with_(hands={"\ud800": {}}), "is no name"),
    (with_(hands={"Goethe": 3}), "hands.Goethe: an object with numbers of cards by suit"),
    (with_(hands={"Goethe": {"": 1}}), 'hands.Goethe: "" is no name'),
    (with_(hands={"Goethe": {"Red": -1}}), "hands.Goethe.Red: a whole number from 0"),
    (with_(hands={"Goethe": {"Red": 1.0}}), "hands.Goethe.Red: a whole number"),
    (with_(hands={"Goethe": {"Red": True}}), "hands.Goethe.Red: a whole number"),
    (with_(hands={"Goethe": {"Red": None}}), "hands.Goethe.Red: a whole number"),
    (with_(hands={"Goethe": {"Red": MOST_CARDS + 1}}), "not a huge number"),
    ('{"hands": {"a": {}, "a": {}}, "regulations": []}', '"a" stands twice'),
    (with_(alliances={}), "alliances: a list of lists"),
    (with_(alliances=["Goethe"]), "alliances[0]: a list of contestants"),
    (with_(alliances=[[], ["Nobody"]]), 'alliances[1]: "Nobody" is no contestant'),
    (with_(alliances=[[3]]), "alliances[0]: 3 is no contestant"),
    (with_(alliances=[[["Goethe"]]]), "a list is no contestant"),
    (with_(alliances=[["Goethe", "Goethe"]]), "stands in it twice"),
    (with_(regulations={}), "regulations: a list of regulations"),
    (with_(regulations=[3]), "regulations[0]: a regulation has to be an object"),
    (with_(regulations=[{"starlark": ""}]), "regulations[0].number: it is missing"),
    (with_(regulations=[{"number": 3}]), "regulations[0].starlark: it is missing"),
    (regulation(text=""), '"text" is no field of a regulation'),
    (regulation(number="310"), "number: a whole number from 0"),
    (regulation(number=-1), "number: a whole number from 0"),
    (regulation(number=True), "number: a whole number from 0"),
    (regulation(number=310.0), "number: a whole number from 0"),
    (regulation(starlark=None), "starlark: a text belongs here, not null"),
    (
        with_(regulations=[{"number": 3, "starlark": ""}] * 2),
        "[1].number: 3 stands twice",
    ),
    (with_(worths=[]), "worths: an object with worths by contestant"),
    (with_(worths={"Nobody": 1}), 'worths: "Nobody" is no contestant'),
    (with_(worths={"Goethe": "1"}), "worths.Goethe: a number from"),
    (with_(worths={"Goethe": True}), "worths.Goethe: a number from"),
    (with_(worths={"Goethe": float("nan")}), "worths.Goethe: a number from"),
    (with_(worths={"Goethe": 1e300}), "worths.Goethe: a number from"),
    (f"[{json.dumps(CASE)}, {{}}]", "case 2: hands: it is missing"),
    ("[" * 200_000, "nested too deeply"),
]


@pytest.mark.parametrize(("source", "words"), WRONG, ids=[words for _, words in WRONG])
def test_bad_input_is_a_sentence_that_names_the_field(source, words):
    with pytest.raises(CaseWrong) as wrong:
        marks(source)
    assert words in str(wrong.value)
    assert len(str(wrong.value)) < 400


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text() | st.sampled_from(["hands", "regulations", "number", "starlark"]), inner
        )
    ),
)


@given(json_values)
def test_whatever_json_comes_the_answer_is_a_result_or_a_sentence(value):
    with suppress(CaseWrong):
        found = json.loads(marks(json.dumps(value)))
        for one in found if isinstance(found, list) else [found]:
            assert one.keys() == {"worths", "errors"}


def test_the_command_reads_a_file(tmp_path, capsys):
    file = tmp_path / "case.json"
    file.write_text(regulation(), encoding="utf-8-sig")
    call_command("marks", str(file))
    assert json.loads(capsys.readouterr().out)["worths"] == {"Goethe": 2.0, "Steve": 0.0}


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read"), (b"\xff\xfe{}", "not text in UTF-8"), (b"[1]", "case 1: ")],
)
def test_the_command_says_what_is_wrong_with_a_file(tmp_path, content, words):
    file = tmp_path / "case.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError) as wrong:
        call_command("marks", str(file), stdout=io.StringIO())
    assert words in str(wrong.value)
    assert wrong.value.returncode == 2


@pytest.mark.thorough
@pytest.mark.parametrize(("case", "code"), [(regulation().encode(), 0), (b"{}", 2)])
def test_the_command_needs_neither_database_nor_broker(case, code):
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "manage.py", "marks", "-"],
        input=case,
        cwd=root,
        env={
            "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
            "REDIS_URL": "redis://127.0.0.1:1",
        },
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code
    assert (b"worths" in done.stdout) == (code == 0)
    assert (b"hands: it is missing" in done.stderr) == (code == 2)


BLACKS = "def mark(hands, worth, _): return {n: h['Black'] + len(h) for n, h in hands.items()}"


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        ({"Red": 2}, 5.0),
        ({}, 5.0),
        ({"Black": 1, "Mauve": 1}, 6.0),
        ({"Black": 1, "Coins": 1}, 3.0),
    ],
)
def test_regulation_205_suits_are_there_unless_the_hands_are_of_others(hand: dict, found: float):
    case = {"hands": {"Goethe": hand}, "regulations": [{"number": 310, "starlark": BLACKS}]}
    assert result(case) == {"worths": {"Goethe": found}, "errors": {}}

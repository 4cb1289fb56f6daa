"""The Thug on paper: `manage.py bribes`."""

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

from nomic.games.cases import CaseWrong
from settlers.rules.on_paper import MOST_ITEMS, bribes


def result(case: object) -> dict:
    return json.loads(bribes(json.dumps(case)))


def test_a_case_tells_values_payments_stockpiles_and_targets():
    found = result(
        {
            "settlers": {
                "Kevan": {"stockpile": {"wheat": 4, "brick": 1}, "bribe": {"wheat": 3}},
                "Josh": {"stockpile": {"wood": 2, "stone": 1}, "bribe": {"wood": 3, "stone": 1}},
                "Raven": {"stockpile": {"wood": 1}},
                "Brendan": {"bribe": {"wood": 1}},
            }
        }
    )
    assert found == {
        "values": {"Kevan": 3, "Josh": 0, "Raven": 0, "Brendan": 0},
        "paid": {
            "Kevan": {"wheat": 3},
            "Josh": {"wood": 2, "stone": 1},
            "Raven": {},
            "Brendan": {},
        },
        "stockpiles": {
            "Kevan": {"wheat": 1, "brick": 1},
            "Josh": {"wood": 0, "stone": 0},
            "Raven": {"wood": 1},
            "Brendan": {},
        },
        "targets": ["Raven"],
    }


def test_an_isle_without_settlers_has_no_targets():
    assert result({"settlers": {}}) == {
        "values": {},
        "paid": {},
        "stockpiles": {},
        "targets": [],
    }


def test_a_list_of_cases_gives_a_list_of_results():
    case = {"settlers": {"Josh": {"stockpile": {"wood": 3}, "bribe": {"wood": 3}}}}
    assert json.loads(bribes(json.dumps([case, case]))) == [result(case)] * 2
    assert json.loads(bribes("[]")) == []


def test_the_largest_amounts_are_reckoned_exactly():
    most = {"stockpile": {"wood": MOST_ITEMS}, "bribe": {"wood": MOST_ITEMS - 1}}
    found = result({"settlers": {"Josh": most}})
    assert found["stockpiles"]["Josh"] == {"wood": 1}
    assert found["values"]["Josh"] == 3


def test_names_may_have_any_letters():
    found = result({"settlers": {"Ö“y\u202e": {"stockpile": {"wood": 1}}, "*": {}}})
    assert found["targets"] == ["Ö“y\u202e"]


def josh(**own: object) -> str:
    return json.dumps({"settlers": {"Josh": own}})


NESTED = "[" * 200_000
WRONG = [
    ("", "not JSON"),
    ("{", "not JSON"),
    ("null", "the case has to be an object"),
    ("true", "the case has to be an object"),
    ('"settlers"', "the case has to be an object"),
    ("{}", "settlers: it is missing"),
    ('{"settlers": []}', "settlers: an object with the Settlers by name belongs here, not a list"),
    ('{"settlers": null}', "settlers: an object"),
    ('{"settlers": {}, "visitor": "Thug"}', '"visitor" is no field of the case'),
    ('{"settlers": {}, "settlers": {}}', '"settlers" stands twice'),
    ('{"settlers": {"Josh": {}, "Josh": {}}}', '"Josh" stands twice'),
    ('{"settlers": {"Josh": {"bribe": {"wood": 1, "wood": 2}}}}', '"wood" stands twice'),
    ('{"settlers": {"": {}}}', 'settlers: "" is no name'),
    ('{"settlers": {" ": {}}}', 'settlers: " " is no name'),
    ('{"settlers": {"Josh": 3}}', "settlers.Josh: a Settler has to be an object"),
    ('{"settlers": {"Josh": null}}', "settlers.Josh: a Settler has to be an object"),
    (josh(bribes={}), '"bribes" is no field of a Settler'),
    (josh(bribe=[]), "settlers.Josh.bribe: an object with amounts by resource"),
    (josh(bribe=None), "settlers.Josh.bribe: an object"),
    (josh(stockpile="3 wood"), 'settlers.Josh.stockpile: an object with amounts'),
    (josh(bribe={"gold": 1}), 'settlers.Josh.bribe: "gold" is no resource; they are wheat, sheep'),
    (josh(bribe={"Wood": 1}), '"Wood" is no resource'),
    (josh(bribe={"": 1}), '"" is no resource'),
    (josh(stockpile={"w" * 9_999: 1}), "is no resource"),
    (josh(bribe={"wood": -1}), "settlers.Josh.bribe.wood: a whole number from 0"),
    (josh(stockpile={"wood": -1}), "settlers.Josh.stockpile.wood: a whole number from 0"),
    (josh(bribe={"wood": 1.5}), "settlers.Josh.bribe.wood"),
    (josh(bribe={"wood": 2.0}), "settlers.Josh.bribe.wood"),
    (josh(bribe={"wood": 1e300}), "settlers.Josh.bribe.wood"),
    (josh(bribe={"wood": True}), "settlers.Josh.bribe.wood"),
    (josh(bribe={"wood": False}), "settlers.Josh.bribe.wood"),
    (josh(bribe={"wood": None}), "settlers.Josh.bribe.wood"),
    (josh(bribe={"wood": "3"}), "settlers.Josh.bribe.wood"),
    (josh(bribe={"wood": [3]}), "settlers.Josh.bribe.wood"),
    (josh(bribe={"wood": 10**12 + 1}), "settlers.Josh.bribe.wood: a whole number from 0 to 1000"),
    (josh(bribe={"wood": 10**4000}), "not a huge number"),
    ('{"settlers": {"Josh": {"bribe": {"wood": NaN}}}}', "settlers.Josh.bribe.wood"),
    ('{"settlers": {"Josh": {"bribe": {"wood": Infinity}}}}', "settlers.Josh.bribe.wood"),
    ('[{"settlers": {}}, {"settler": {}}]', 'case 2: "settler" is no field'),
    ('[{"settlers": {}}, {}]', "case 2: settlers: it is missing"),
    ('[{"settlers": {"Josh": {"bribe": 1}}}]', "case 1: settlers.Josh.bribe"),
    ("[[]]", "case 1: the case has to be an object"),
    (json.dumps({"settlers": {"J" * 9_999: 3}}), "a Settler has to be an object"),
    (NESTED, "nested too deeply"),
    ('{"settlers": {"Josh": {"bribe": {"wood": ' + "9" * 5000 + "}}}}", "not JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "words"), WRONG, ids=[words for _, words in WRONG])
def test_bad_input_is_a_sentence_that_names_the_field(source, words):
    with pytest.raises(CaseWrong) as wrong:
        bribes(source)
    assert words in str(wrong.value)
    assert len(str(wrong.value)) < 400


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text() | st.sampled_from(["settlers", "stockpile", "bribe", "wood"]), inner
        )
    ),
)


@given(json_values)
def test_whatever_json_comes_the_answer_is_a_result_or_a_sentence(value):
    with suppress(CaseWrong):
        found = json.loads(bribes(json.dumps(value)))
        for one in found if isinstance(found, list) else [found]:
            assert one.keys() == {"values", "paid", "stockpiles", "targets"}


def test_the_command_reads_a_file(tmp_path, capsys):
    file = tmp_path / "case.json"
    file.write_text('{"settlers": {"Josh": {"stockpile": {"wood": 1}}}}', encoding="utf-8-sig")
    call_command("bribes", str(file))
    assert json.loads(capsys.readouterr().out)["targets"] == ["Josh"]


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read"), (b"\xff\xfe{}", "not text in UTF-8"), (b"[1]", "case 1: ")],
)
def test_the_command_says_what_is_wrong_with_a_file(tmp_path, content, words):
    file = tmp_path / "case.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError) as wrong:
        call_command("bribes", str(file), stdout=io.StringIO())
    assert words in str(wrong.value)
    assert wrong.value.returncode == 2


@pytest.mark.thorough
@pytest.mark.parametrize(("case", "code"), [(b'{"settlers": {}}', 0), (b"{}", 2)])
def test_the_command_needs_neither_database_nor_broker(case, code):
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "manage.py", "bribes", "-"],
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
    assert (b"targets" in done.stdout) == (code == 0)
    assert (b"settlers: it is missing" in done.stderr) == (code == 2)

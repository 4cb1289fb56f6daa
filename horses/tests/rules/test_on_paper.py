"""Races on paper: `manage.py race`."""

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

from horses.rules.on_paper import race
from nomic.games.cases import CaseWrong


def result(case: object) -> dict:
    return json.loads(race(json.dumps(case)))


def test_a_run_is_told_move_by_move():
    found = result(
        {
            "horses": {"Fargo": {"position": 14, "place": None, "pulls": ["Sugar", "Alexia"]}},
            "runs": [["Fargo", 3]],
        }
    )
    assert found["runs"] == [
        {
            "moves": [["Fargo", 14, 16], ["Alexia", 0, 1], ["Sugar", 0, 1]],
            "crossed": [["Fargo", 1]],
            "race_ended": False,
        }
    ]
    assert found["final"]["Fargo"] == {"position": 16, "place": 1}
    assert found["final"]["Baxter"] == {"position": 0, "place": None}


def test_after_the_end_the_race_starts_anew_with_the_pulls_of_the_table():
    found = result(
        {
            "horses": {
                "Alexia": {"position": 16, "place": 1},
                "Baxter": {"position": 16, "place": 2},
                "Sugar": {"position": 15, "pulls": []},
            },
            "runs": [["Sugar", 1], ["Sugar", 1]],
        }
    )
    assert found["runs"][0]["race_ended"]
    assert found["runs"][1]["moves"] == [["Sugar", 0, 1], ["Baxter", 0, 1], ["Destructor", 0, 1]]
    assert found["final"]["Alexia"] == {"position": 0, "place": None}


def test_a_list_of_cases_gives_a_list_of_results():
    case = {"horses": {}, "runs": [["Alexia", 1]]}
    assert json.loads(race(json.dumps([case, case]))) == [result(case)] * 2
    assert json.loads(race("[]")) == []


def horse(**fields: object) -> dict:
    return {"horses": {"Fargo": fields}, "runs": []}


WRONG = [
    ("", "not JSON"),
    ("{", "not JSON"),
    ("null", "the case has to be an object"),
    ("7", "the case has to be an object"),
    ('{"horses": {}}', "runs: it is missing"),
    ('{"runs": []}', "horses: it is missing"),
    ('{"horses": {}, "runs": [], "races": 1}', '"races" is no field'),
    ('{"horses": {}, "horses": {}, "runs": []}', '"horses" stands twice'),
    ('{"horses": [], "runs": []}', "horses: an object"),
    ('{"horses": {}, "runs": {}}', "runs: a list"),
    ('{"horses": {"Pegasus": {}}, "runs": []}', 'horses: "Pegasus" is no horse'),
    ('{"horses": {"fargo": {}}, "runs": []}', 'horses: "fargo" is no horse'),
    ('{"horses": {"Fargo": 3}, "runs": []}', "horses.Fargo: a horse has to be an object"),
    (json.dumps(horse(colour="red")), '"colour" is no field of a horse'),
    (json.dumps(horse(position=17)), "horses.Fargo.position: a whole number from 0 to 16"),
    (json.dumps(horse(position=-1)), "horses.Fargo.position"),
    (json.dumps(horse(position=True)), "horses.Fargo.position"),
    (json.dumps(horse(position=1.5)), "horses.Fargo.position"),
    (json.dumps(horse(position="3")), "horses.Fargo.position"),
    (json.dumps(horse(position=None)), "horses.Fargo.position"),
    (json.dumps(horse(position=10**4000)), "horses.Fargo.position"),
    ('{"horses": {"Fargo": {"position": NaN}}, "runs": []}', "horses.Fargo.position"),
    (json.dumps(horse(place=4)), "horses.Fargo.place: 1, 2, 3 or null"),
    (json.dumps(horse(place=True)), "horses.Fargo.place"),
    (json.dumps(horse(place="first")), "horses.Fargo.place"),
    (json.dumps(horse(pulls="Alexia")), "horses.Fargo.pulls: a list"),
    (json.dumps(horse(pulls=["Pegasus"])), 'horses.Fargo.pulls: "Pegasus" is no horse'),
    (json.dumps(horse(pulls=[["Alexia"]])), "horses.Fargo.pulls: a list is no horse"),
    (json.dumps(horse(pulls=["Alexia", "Alexia"])), "Alexia stands twice"),
    (
        '{"horses": {"Fargo": {"place": 2}, "Sugar": {"place": 2}}, "runs": []}',
        "horses.Sugar.place: Fargo is second already",
    ),
    ('{"horses": {}, "runs": ["Fargo"]}', "runs[0]: a galloper and a distance"),
    ('{"horses": {}, "runs": [["Fargo"]]}', "runs[0]"),
    ('{"horses": {}, "runs": [["Fargo", 1], ["Fargo", 4]]}', "runs[1][1]: a distance"),
    ('{"horses": {}, "runs": [["Fargo", 0]]}', "runs[0][1]"),
    ('{"horses": {}, "runs": [["Fargo", true]]}', "runs[0][1]"),
    ('{"horses": {}, "runs": [["Pegasus", 1]]}', "runs[0][0]"),
    ('[{"horses": {}, "runs": []}, {"horses": {}}]', "case 2: runs: it is missing"),
    ("[" * 200_000, "nested too deeply"),
    ('{"horses": {"Fargo": {"position": ' + "9" * 5000 + '}}, "runs": []}', "not JSON"),
]


@pytest.mark.parametrize(("source", "words"), WRONG, ids=[words for _, words in WRONG])
def test_bad_input_is_a_sentence_that_names_the_field(source, words):
    with pytest.raises(CaseWrong) as wrong:
        race(source)
    assert words in str(wrong.value)
    assert len(str(wrong.value)) < 400


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("runs"), inner),
)


@given(json_values)
def test_whatever_json_comes_the_answer_is_a_result_or_a_sentence(value):
    with suppress(CaseWrong):
        assert json.loads(race(json.dumps(value))) == []


def test_the_command_reads_a_file(tmp_path, capsys):
    file = tmp_path / "case.json"
    file.write_text('{"horses": {}, "runs": [["Alexia", 1]]}', encoding="utf-8-sig")
    call_command("race", str(file))
    assert json.loads(capsys.readouterr().out)["runs"][0]["moves"] == [
        ["Alexia", 0, 1],
        ["Nacho", 0, 1],
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read"), (b"\xff\xfe{}", "not text in UTF-8"), (b"[1]", "case 1: ")],
)
def test_the_command_says_what_is_wrong_with_a_file(tmp_path, content, words):
    file = tmp_path / "case.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError) as wrong:
        call_command("race", str(file), stdout=io.StringIO())
    assert words in str(wrong.value)
    assert wrong.value.returncode == 2


@pytest.mark.thorough
@pytest.mark.parametrize(("case", "code"), [(b'{"horses": {}, "runs": []}', 0), (b"{}", 2)])
def test_the_command_needs_neither_database_nor_broker(case, code):
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "manage.py", "race", "-"],
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
    assert (b"final" in done.stdout) == (code == 0)
    assert (b"horses: it is missing" in done.stderr) == (code == 2)

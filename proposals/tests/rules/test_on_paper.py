"""Ballots on paper: `manage.py tally`."""

import io
import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from nomic.games.cases import CaseWrong
from proposals.rules import EDITIONS
from proposals.rules.on_paper import tally

EXAMPLE = {
    "vested": 6,
    "quorum": 3,
    "proposals": [
        {
            "number": 1,
            "for": 3,
            "against": 1,
            "present": 0,
            "index": 1.0,
            "conflicts": [2],
            "dependencies": [],
            "status": "Open",
        },
        {
            "number": 2,
            "votes": {"snail": "FOR", "Murphy": "FOR", "juan": "AGAINST", "Jason": "AGAINST"},
            "strengths": {"snail": 7},
        },
    ],
}


def result(edition: str, case: object) -> dict:
    return json.loads(tally(edition, json.dumps(case)))


@pytest.mark.parametrize(
    ("edition", "outcomes", "passed"),
    [
        ("refresh-2006", ["Won", "Lost"], [1]),
        ("rule-5e33", ["Won", "Lost"], [1]),
        ("adoption-index", ["ADOPTED", "ADOPTED"], [1, 2]),
        ("quorum", ["Enacted", "Pending"], [1]),
    ],
)
def test_one_file_is_counted_under_every_edition(edition, outcomes, passed):
    found = result(edition, EXAMPLE)
    assert found.keys() == {"results", "passed_in_order"}
    assert [own["outcome"] for own in found["results"].values()] == outcomes
    assert found["passed_in_order"] == passed


def test_a_result_tells_its_figures_and_its_reasons():
    assert result("adoption-index", EXAMPLE)["results"]["2"] == {
        "outcome": "ADOPTED",
        "passed": True,
        "strength": 0,
        "stamina": 4,
        "for": 2,
        "against": 2,
        "present": 0,
        "ballots": 4,
        "popularity": 0.0,
        "figures": {
            "for_strength": 10,
            "against_strength": 6,
            "ratio": "10/6",
            "adoption_index": "1.0",
            "quorum": 3,
            "counted": {"Jason": "AGAINST", "Murphy": "FOR", "juan": "AGAINST", "snail": "FOR"},
        },
        "reasons": ["Adopted: F/A is 10/6 and the adoption index 1.0."],
    }


def test_proposal_8822_is_twelve_to_six_and_a_third():
    found = result(
        "adoption-index",
        {"proposals": [{"number": 8822, "for": 4, "against": 2, "index": 1.0}]},
    )["results"]["8822"]
    assert (found["outcome"], found["popularity"]) == ("ADOPTED", 0.333)
    assert found["figures"]["ratio"] == "12/6"


def test_without_a_ballot_there_is_no_popularity():
    found = result("refresh-2006", {"proposals": [{"number": 1}]})
    assert found["results"]["1"]["popularity"] is None


def test_a_historical_proposal_is_only_there_to_be_linked_to():
    case = {
        "proposals": [
            {"number": 1, "status": "Lost"},
            {"number": 2, "for": 2, "dependencies": [1]},
        ]
    }
    found = result("refresh-2006", case)
    assert found["results"].keys() == {"2"}
    assert found["results"]["2"]["reasons"] == ["Lost: depends on 1, which is Lost."]


def test_players_emperor_and_ripeness_may_be_told():
    case = {
        "players": ["Kevan", "Josh", "Brendan", "Lulu"],
        "emperor": "Kevan",
        "proposals": [
            {"number": 1, "votes": {"Kevan": "FOR", "Josh": "DEFERENTIAL"}, "ripe": True},
            {"number": 2, "votes": {"Kevan": "VETO", "Zoe": "FOR"}},
        ],
    }
    found = result("quorum", case)["results"]
    assert found["1"]["reasons"][0] == "Enacted when its time was over, with 2 votes to 0."
    assert found["2"]["outcome"] == "Failed"


def test_the_digits_of_an_index_are_taken_as_they_stand():
    case = {"quorum": 0, "proposals": [{"number": 1, "for": 11, "against": 10, "index": 1.1}]}
    assert result("adoption-index", case)["results"]["1"]["outcome"] == "ADOPTED"


def test_a_list_of_cases_gives_a_list_of_results():
    source = json.dumps([EXAMPLE, EXAMPLE])
    assert json.loads(tally("quorum", source)) == [result("quorum", EXAMPLE)] * 2
    assert json.loads(tally("quorum", "[]")) == []


def test_ten_thousand_proposals_with_links_are_read_at_once():
    numbers = range(1, 10_001)
    links = {number: [number % 10_000 + 1] for number in numbers}
    many = [
        {"number": n, "for": 1, "conflicts": links[n], "dependencies": links[n]} for n in numbers
    ]
    since = time.process_time()
    found = result("refresh-2006", {"proposals": many})
    assert time.process_time() - since < 2
    assert len(found["results"]) == 10_000


def one(**fields: object) -> str:
    return json.dumps({"vested": 1, "quorum": 1, "proposals": [{"number": 1, **fields}]})


def case(**fields: object) -> str:
    return json.dumps({"vested": 1, "quorum": 1, "proposals": [], **fields})


WRONG = [
    ("", "not JSON"),
    ("{", "not JSON"),
    ("null", "the case has to be an object"),
    ("7", "the case has to be an object"),
    ('{"vested": 1, "quorum": 1}', "proposals: it is missing"),
    (case(votes={}), '"votes" is no field of the case'),
    ('{"proposals": [], "proposals": []}', '"proposals" stands twice'),
    (case(proposals={}), "proposals: a list"),
    (case(proposals=["1"]), "proposals[0]: a proposal has to be an object"),
    (case(proposals=[{}]), "proposals[0].number: it is missing"),
    (case(vested=-1), "vested: a whole number from 0"),
    (case(vested=True), "vested: a whole number"),
    (case(vested=1.0), "vested: a whole number"),
    (case(vested="six"), "vested: a whole number"),
    (case(vested=[1]), "vested: 1 is no name"),
    (case(quorum=10**9), "quorum: a whole number"),
    (case(quorum=None), "quorum: a whole number"),
    (case(players={}), "players: a whole number from 0 to 1000000 or a list of names"),
    (case(players=["a", None]), "players: null is no name"),
    (case(emperor=3), "emperor: a name"),
    (case(strengths=[]), "strengths: an object"),
    (case(strengths={"snail": 16}), "strengths.snail: a whole number from 0 to 15"),
    (one(number=-1), "proposals[0].number: a whole number"),
    (one(number="1"), "proposals[0].number"),
    (one(number=None), "proposals[0].number"),
    (one(colour="red"), '"colour" is no field of a proposal'),
    (one(**{"for": -1}), "proposals[0].for: a whole number from 0"),
    (one(**{"for": True}), "proposals[0].for"),
    (one(**{"for": 2.5}), "proposals[0].for"),
    (one(against=10**4000), "proposals[0].against"),
    (one(against=10**7), "proposals[0].against"),
    (one(present="1"), "proposals[0].present"),
    (one(present=None), "proposals[0].present"),
    (one(votes=[]), "proposals[0].votes: an object"),
    (one(votes={"snail": "MAYBE"}), 'proposals[0].votes.snail: "MAYBE" is no vote; vote FOR, '),
    (one(votes={"snail": "ENDORSE"}), 'proposals[0].votes.snail: "ENDORSE" is no vote'),
    (one(votes={"snail": None}), "proposals[0].votes.snail: null is no vote"),
    (one(votes={"s" * 999: 1}), "proposals[0].votes.sss"),
    (one(votes={}, **{"for": 1}), "proposals[0].for: the votes stand here by name"),
    (one(strengths={"snail": 3}), "proposals[0].strengths: they belong to votes by name"),
    (one(votes={}, strengths={"snail": -1}), "proposals[0].strengths.snail"),
    (one(index=-1), "proposals[0].index: a number from 0"),
    (one(index="1.0"), "proposals[0].index"),
    (one(index=True), "proposals[0].index"),
    (one(index=10**300), "proposals[0].index"),
    (one(index=1e-300), "proposals[0].index: 1e-300 has more than 20 decimals"),
    ('{"proposals": [{"number": 1, "index": NaN}]}', "proposals[0].index"),
    ('{"proposals": [{"number": 1, "index": Infinity}]}', "proposals[0].index"),
    ('{"proposals": [{"number": 1, "index": 1e999}]}', "proposals[0].index"),
    (one(conflicts=1), "proposals[0].conflicts: a list"),
    (one(conflicts=["1"]), 'proposals[0].conflicts: "1" is no number'),
    (one(conflicts=[True]), "proposals[0].conflicts: true is no number"),
    (one(conflicts=[1]), "proposals[0].conflicts: 1 is the proposal itself"),
    (one(dependencies=[1]), "proposals[0].dependencies: 1 is the proposal itself"),
    (one(dependencies=[7]), "proposals[0].dependencies: 7 is no number of a proposal here"),
    (one(conflicts=[10**30]), "proposals[0].conflicts"),
    (one(status="Pending"), 'proposals[0].status: "Open", "Lost" or "Won"'),
    (one(status=["Open"]), "proposals[0].status"),
    (one(ripe=1), "proposals[0].ripe: true or false"),
    (one(author=1), "proposals[0].author: a text"),
    (case(proposals=[{"number": 1}, {"number": 2}, {"number": 1}]), "proposals[2].number: 1 is"),
    (f"[{case()}, {{}}]", "case 2: "),
    ("[" * 200_000, "nested too deeply"),
    ('{"vested": ' + "9" * 5000 + "}", "not JSON"),
]


@pytest.mark.parametrize("edition", ["refresh-2006", "adoption-index"])
@pytest.mark.parametrize(("source", "words"), WRONG, ids=[words for _, words in WRONG])
def test_bad_input_is_a_sentence_that_names_the_field(edition, source, words):
    with pytest.raises(CaseWrong) as wrong:
        tally(edition, source)
    assert words in str(wrong.value)
    assert len(str(wrong.value)) < 400


@pytest.mark.parametrize(
    ("edition", "words"),
    [
        ("rule-5e33", "vested: it is missing"),
        ("quorum", "quorum: it is missing"),
        ("nomic", 'edition: "nomic" is none; the editions are refresh-2006,'),
        ("", 'edition: "" is none'),
    ],
)
def test_what_an_edition_cannot_do_without_is_asked_for(edition, words):
    with pytest.raises(CaseWrong) as wrong:
        tally(edition, '{"proposals": []}')
    assert words in str(wrong.value)


def test_a_quorum_of_nobody_decides_nothing():
    with pytest.raises(CaseWrong, match="quorum: a whole number from 1"):
        tally("quorum", '{"quorum": 0, "proposals": []}')


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text() | st.sampled_from(["proposals", "number", "votes", "index", "conflicts"]),
            inner,
        )
    ),
)


@given(json_values, st.sampled_from(sorted(EDITIONS)))
def test_whatever_json_comes_the_answer_is_json_or_a_sentence(value, edition):
    with suppress(CaseWrong):
        json.loads(tally(edition, json.dumps(value)))


@given(json_values, st.sampled_from(["votes", "index", "conflicts", "status", "for", "strengths"]))
def test_whatever_stands_in_a_field_the_answer_is_json_or_a_sentence(value, field):
    with suppress(CaseWrong):
        json.loads(tally("adoption-index", one(**{field: value})))


def test_the_command_reads_a_file(tmp_path, capsys):
    file = tmp_path / "case.json"
    file.write_text(json.dumps(EXAMPLE), encoding="utf-8-sig")
    call_command("tally", str(file), edition="rule-5e33")
    assert json.loads(capsys.readouterr().out)["passed_in_order"] == [1]


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read"), (b"\xff\xfe{}", "not text in UTF-8"), (b"[1]", "case 1: ")],
)
def test_the_command_says_what_is_wrong_with_a_file(tmp_path, content, words):
    file = tmp_path / "case.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError) as wrong:
        call_command("tally", str(file), edition="quorum", stdout=io.StringIO())
    assert words in str(wrong.value)
    assert wrong.value.returncode == 2


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess:
    """The command, where neither a database nor a broker can be reached."""
    return subprocess.run(
        [sys.executable, "manage.py", "tally", *arguments],
        input=given,
        cwd=Path(__file__).parents[3],
        env={
            "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
            "REDIS_URL": "redis://127.0.0.1:1",
        },
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.thorough
def test_the_command_needs_neither_database_nor_broker():
    done = run("--edition", "refresh-2006", "-", given=json.dumps(EXAMPLE).encode())
    assert done.returncode == 0
    assert json.loads(done.stdout)["passed_in_order"] == [1]
    assert done.stderr == b""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--edition", "refresh-2006", "-"), b"proposals: it is missing"),
        (("--edition", "refresh-2006"), b"FILE: it is missing"),
        (("--edition", "agora", "-"), b'edition: "agora" is none'),
        (("-",), b'edition: "" is none'),
    ],
)
def test_bad_input_ends_with_two_and_one_sentence(arguments, words):
    done = run(*arguments, given=b"{}")
    assert done.returncode == 2
    assert done.stdout == b""
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("index", ["NaN", "-1", "1001"])
def test_an_index_that_is_none_is_told_what_belongs_there(index):
    case = f'{{"proposals": [{{"number": 1, "index": {index}}}]}}'
    with pytest.raises(CaseWrong, match="a number from 0 to 1000 belongs here, not"):
        tally("adoption-index", case)

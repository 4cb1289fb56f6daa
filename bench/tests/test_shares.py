"""Ways to harm the site are tried against one that runs, and told in a table with their bounds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.benchmarks.shares.people import Answer
from bench.benchmarks.shares.table import BEFORE, BOUNDS, drawn
from bench.benchmarks.shares.ways import ways
from nomic.places import ROOT

TRIED = ("gives-after-comments", "talk")


@pytest.mark.slow
def test_ways_are_tried_against_a_whole_site_and_what_others_met_is_told(tmp_path: Path) -> None:
    told = tmp_path / "bench.json"
    only = [f"shares:{name}" for name in TRIED]
    command = [sys.executable, "-m", "bench", "--size", "tiny", "--json", told, "--only", *only]
    env = {**os.environ, "NOMIC_SHARES_FOLDER": str(tmp_path)}
    process = subprocess.run(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, timeout=500, check=True
    )
    found = json.loads((tmp_path / "shares-tiny.json").read_text())["ways"]
    assert found.keys() == set(TRIED)
    for name, each in found.items():
        assert "stopped" not in each["told"]
        assert each["more"]["requests"] > 0
        assert each["memory"] > 0
        assert f"| shares | {name}, memory |" in process.stdout
    assert set(json.loads(told.read_text())["parts"]) == set(only)


def test_a_cell_tells_what_it_was_and_is_and_what_is_beyond_its_bound_is_bold() -> None:
    [one, other, *_] = [each.name for each in ways()]
    most = BOUNDS["request"].most
    rows = drawn(
        {one: {"request": most + 1, "told": "a | b"}, other: {"request": most, "told": ""}}
    ).splitlines()
    assert len(rows) == 3 + 2
    assert "→ **3**" in rows[3]
    assert rows[3].endswith("| a / b |")
    assert "→ 2 |" in rows[4]


def test_what_each_way_cost_before_is_known_by_its_name() -> None:
    before = json.loads(BEFORE.read_text())
    assert before["machine"]
    assert before["date"]
    assert before["commit"]
    assert set(before["ways"]) <= {each.name for each in ways()}


def test_a_theme_a_way_and_all_of_them_can_be_chosen_and_nothing_else() -> None:
    every = ways()
    names = [each.name for each in every]
    assert len(names) == len(set(names)) > 25
    assert {each.theme for each in ways("previews")} == {"previews"}
    assert [each.name for each in ways(names[0])] == names[:1]
    with pytest.raises(KeyError, match="No way is called noway"):
        ways("noway")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Answer(409, 0.1, b'{"code": "x", "sentence": "Too much."}'), "Too much."),
        (Answer(422, 0.1, b'{"detail": [{"msg": "Too"}, {"msg": "long."}]}'), "Too long."),
        (Answer(500, 0.1, b"<style>p {}</style><p>Broken.</p>"), "500 Broken."),
        (Answer(0, 60.0), "no answer"),
    ],
)
def test_a_refusal_is_told_by_its_sentence(answer: Answer, sentence: str) -> None:
    assert answer.sentence == sentence

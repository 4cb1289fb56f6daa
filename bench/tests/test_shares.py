"""Ways to harm the site are tried against one that runs, and told in a table with their bounds."""

import json
import os
import subprocess
import sys
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest

from bench.benchmarks import shares
from bench.benchmarks.shares.people import Answer
from bench.benchmarks.shares.table import BOUNDS, drawn
from bench.benchmarks.shares.ways import ways
from bench.size import TINY
from bench.timed import Taken, taken
from nomic.infrastructure.paths import ROOT

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
    act = found["gives-after-comments"]["more"]["act"]
    assert act["name"].startswith("proposals.")
    assert 0 < act["own"] <= act["took"]
    assert set(json.loads(told.read_text())["parts"]) == set(only)


def test_what_is_beyond_its_bound_is_bold() -> None:
    [one, other, *_] = [each.name for each in ways()]
    most = BOUNDS["request"].most
    rows = drawn(
        {one: {"request": most + 1, "told": "a | b"}, other: {"request": most, "told": ""}}
    ).splitlines()
    assert len(rows) == 3 + 2
    assert "| **3** |" in rows[3]
    assert rows[3].endswith("| a / b |")
    assert "| 2 |" in rows[4]


def test_a_theme_a_way_and_all_of_them_can_be_chosen_and_nothing_else() -> None:
    every = ways()
    names = [each.name for each in every]
    assert len(names) == len(set(names)) > 25
    assert {each.theme for each in ways("previews")} == {"previews"}
    assert [each.name for each in ways(names[0])] == names[:1]
    with pytest.raises(KeyError, match="No way is called noway"):
        ways("noway")


def test_what_comes_to_no_end_is_told_and_the_others_are_tried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third, *others = [each.name for each in ways("texts")]
    asked: list[list[str]] = []

    def done(names: list[str], *_: Any) -> dict[str, dict[str, Any]]:
        """The second ends its site."""
        asked.append(names)
        told = {name: {"request": 1.0, "told": ""} for name in names}
        return {first: told[first]} if names[0] == first else {} if names[0] == second else told

    monkeypatch.setattr(shares, "_done", done)
    monkeypatch.setattr(shares, "kept", lambda *_: None)
    monkeypatch.setenv("DATABASE_URL", "postgresql:///one")
    figures = shares.measure(TINY, "texts")
    assert asked == [
        [first, second, third, *others], [second, third, *others], [third, *others],
    ]  # fmt: skip
    assert [each.case for each in figures] == [
        f"{name}, request" for name in (first, third, *others)
    ]
    assert "stopped: it came to no end" in capsys.readouterr().out
    monkeypatch.setattr(shares, "_ALL", (0.0, 0.0))
    assert shares.measure(TINY, "talk") == []
    assert "no time left" in capsys.readouterr().out


def test_what_an_event_takes_is_told_apart_from_what_others_do_on_the_machine(
    tmp_path: Path,
) -> None:
    busy = Taken("table", "event", "rule.day", 20.0, took=9.0, ran=0.25, waited=8.5)
    lines = [
        json.dumps(astuple(each)) for each in (busy, replace(busy, at=5.0), replace(busy, at=21.0))
    ]
    (tmp_path / "timed-1.jsonl").write_text("\n".join([*lines, '["table", "ev']))
    found = list(taken(tmp_path, since=20.0))
    assert [each.at for each in found] == [20.0, 21.0]
    assert busy.own == 0.5
    assert replace(busy, waited=8.9).own == 0.25


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

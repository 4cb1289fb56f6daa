"""What real proposals of Agora ask for, against labels by hand and what became of its rules."""

import importlib.util
import json
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nomic.infrastructure.paths import ROOT
from nomic.rulebook.changes.on_paper import changes

CORPORA = ROOT.parent / "shared/corpora"
HISTORY, LABELLED = CORPORA / "agora-history", CORPORA / "agora-proposals"
EXPLAINED = {8476, 8489, 8490, 8505, 8822, 8874, 8881, 8899}  # in docs/changes.md

needs_corpora = pytest.mark.skipif(not CORPORA.exists(), reason=f"there is no {CORPORA}")
pytestmark = needs_corpora


def scorer(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", folder / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines_of(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    told = changes("\n".join(map(json.dumps, cases)), confirm=True)
    return [json.loads(line) for line in told.splitlines()]


@cache
def history() -> list[dict[str, Any]]:
    (file,) = HISTORY.glob("*.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.thorough
def test_the_rules_become_what_they_became_at_agora() -> None:
    cases = history()
    given = [{"id": c["id"], "body": c["body"], "rules": c["before"]} for c in cases]
    found: Counter[str] = Counter()
    wrong = set()
    for case, result in zip(cases, lines_of(given), strict=True):
        judged, bad = scorer(HISTORY).judge(case, result)
        is_left = any(kind.endswith("left") for kind in judged)
        found["wrong" if bad else "left" if is_left else "whole"] += 1
        wrong |= {int(case["id"])} if bad else set()
    assert wrong <= EXPLAINED
    assert found["whole"] >= 0.6 * len(cases)


def test_what_is_labelled_is_read_or_left_and_never_misread() -> None:
    files = [json.loads(file.read_text()) for file in sorted((LABELLED / "dev").glob("*.json"))]
    readings = lines_of([{"id": each["id"], "body": each["body"]} for each in files])
    labels = understood = 0
    for each, read in zip(files, readings, strict=True):
        right, _, misread, _, _ = scorer(LABELLED).score_one(each["changes"], read["changes"])
        assert misread == [], each["id"]
        labels += sum(change["change"] != "by_hand" for change in each["changes"])
        understood += right
    assert understood >= 0.6 * labels

"""Which tests are asked about a fault, and what is told of all."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.mutants.__main__ import note, table, worse
from bench.mutants.mutations import Mutant, Site
from bench.mutants.runs import GONE, KILLED, NOT_YET, SURVIVED, chosen_tests, near_modules
from nomic.infrastructure.paths import ROOT

SITE = Site(Path("nomic/engine/take.py"), "take", "return first", 10, 10)


def seen(failed: tuple[str, ...] = (), **seconds: float) -> dict[str, Any]:
    places = {
        "own": "nomic/engine/tests/test_take.py::test_own",
        "room": "nomic/engine/tests/test_table.py::test_room",
        "far": "horses/tests/test_races.py::test_far",
    }
    tests = {places[name]: {"seconds": took, "ids": ["n01"]} for name, took in seconds.items()}
    return {"tests": tests, "failed": [places[name] for name in failed]}


def chosen(found: dict[str, Any], number: str = "n01", most: int = 60) -> list[str]:
    return [test.rpartition("_")[2] for test in chosen_tests(number, SITE, found, most)]


def test_the_nearest_tests_come_first_and_no_more_than_asked_for() -> None:
    found = seen(far=0.1, room=0.1, own=0.1)
    assert chosen(found) == ["own", "room", "far"]
    assert chosen(found, most=2) == ["own", "room"]


def test_a_test_that_fails_anyway_or_comes_by_other_lines_is_not_asked() -> None:
    found = seen(failed=("own",), own=0.1, room=0.1, far=0.1)
    found["tests"]["nomic/engine/tests/test_table.py::test_room"]["ids"] = ["n02"]
    assert chosen(found) == ["far"]
    assert chosen(found, "n02") == ["room"]


def test_of_a_fault_that_no_test_comes_by_the_nearest_are_asked() -> None:
    assert chosen(seen(own=0.1, far=0.1), "n03") == ["own", "far"]


def test_one_fault_takes_no_more_than_its_time_but_one_test_at_least() -> None:
    assert chosen(seen(own=50.0, room=20.0, far=1.0)) == ["own", "far"]
    assert chosen(seen(room=100.0)) == ["room"]


def test_the_modules_nearest_to_a_fault_have_its_name_or_something_to_do_with_it(
    tmp_path: Path,
) -> None:
    sources = {
        "nomic/engine/tests/test_take.py": "",
        "nomic/engine/tests/test_busy.py": "from nomic.engine.take import take\n",
        "nomic/engine/tests/test_room.py": "",
        "nomic/web/tests/test_often.py": "take(), take()",
        "nomic/web/tests/test_once.py": "take()",
        "nomic/web/tests/test_pages.py": "",
        "nomic/web/tests/test_browser.py": "take()",
        "horses/tests/test_far.py": "from nomic.engine.take import take\n",
    }
    for name, source in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source)
    near = [Path(name).stem.removeprefix("test_") for name in near_modules(tmp_path, SITE)]
    assert near == ["take", "busy", "often", "once", "room"]


def mutant(number: str, module: str) -> Mutant:
    return Mutant(number, "nomic", module, "f", "None returned", "return 1", "return None")


def test_the_table_counts_by_room_and_what_was_not_run_is_said_to_be_so() -> None:
    mutants = [mutant("n01", "nomic/engine/take.py"), mutant("n02", "nomic/dice/cup.py")]
    lines = table(mutants, {"n01": {"outcome": KILLED}}).splitlines()
    assert lines[0] == f"| stands in | mutants | {KILLED} | {SURVIVED} | {GONE} | {NOT_YET} |"
    assert lines[2:] == [
        "| nomic/dice | 1 | 0 | 0 | 0 | 1 |",
        "| nomic/engine | 1 | 1 | 0 | 0 | 0 |",
        "| **all** | 2 | 1 | 0 | 0 | 1 |",
    ]


def test_only_what_was_killed_before_and_survives_now_is_worse() -> None:
    listed = [
        {"id": "n01", "recorded": {"outcome": KILLED}},
        {"id": "n02", "recorded": {"outcome": SURVIVED}},
        {"id": "n03", "recorded": {"outcome": KILLED}},
        {"id": "n04"},
    ]
    now = {number: {"outcome": SURVIVED} for number in ("n01", "n02", "n04")}
    assert worse(listed, now | {"n03": {"outcome": GONE}}) == ["n01"]


def test_what_was_not_tried_keeps_what_was_recorded_of_it() -> None:
    before = {"commit": "a1", "outcome": KILLED}
    listed: list[dict[str, Any]] = [{"id": "n01", "recorded": before}, {"id": "n02"}, {"id": "n03"}]
    note(listed, {"n02": {"outcome": SURVIVED, "tests": 3, "seconds": 9}}, "b2")
    assert [each["recorded"] for each in listed] == [
        before,
        {"commit": "b2", "outcome": SURVIVED, "tests": 3},
        {"commit": "b2", "outcome": NOT_YET},
    ]


@pytest.mark.thorough
def test_a_run_sees_who_comes_by_a_line_also_where_what_they_begin_with_did(tmp_path: Path) -> None:
    tried, module = ROOT / "nomic/dice/roller.py", "nomic/dice/tests/test_purposes.py"
    lines = enumerate(tried.read_text().splitlines(), 1)
    opens = next(number for number, line in lines if "def open_period" in line)
    asked = {str(tried): {number: ["n01"] for number in range(opens, opens + 40)}}
    watch = tmp_path / "watch.json"
    watch.write_text(json.dumps({"lines": asked, "seconds": 0}))
    names = "a_seed_of_a_purpose or dice_of_a_purpose_are_private or nobody_draws_more"
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "bench.mutants.watching", module, "-k", names],
        env=os.environ | {"NOMIC_WATCH": str(watch), "NOMIC_TEST_SUFFIX": f"watched{worker}"},
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    seen = json.loads(watch.with_suffix(".seen").read_text())
    assert seen["failed"] == []
    assert [facts["ids"] for facts in seen["tests"].values()] == [["n01"]] * 3

"""Each benchmark runs to its end, as small as can be, and tells what it should."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from bench.__main__ import BENCHMARKS
from nomic.infrastructure.paths import ROOT, home

FIELDS = {"benchmark", "case", "unit", "ours", "against", "at_most", "at_least", "ratio", "met"}


SERVED = ("posts", "monday", "startup")
"""Those that start processes of the site."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(SERVED, id="served"),
        pytest.param(
            (*(each for each in BENCHMARKS if each not in SERVED), "long", "long:60"),
            id="in one process",
        ),
        pytest.param(
            ("boardgame",),
            id="beside another",
            marks=pytest.mark.skipif(not shutil.which("npm"), reason="there is no node"),
        ),
    ],
)
def test_benchmarks_run_and_leave_nothing_behind(names: tuple[str, ...], tmp_path: Path) -> None:
    told = tmp_path / "bench.json"
    command = [sys.executable, "-m", "bench", "--size", "tiny", "--json", told, "--only", *names]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    found = json.loads(told.read_text())
    assert found.keys() == {"machine", "size", "parts"}
    assert set(found["parts"]) == set(names)
    for part in found["parts"].values():
        assert part.keys() == {"date", "load", "seconds", "figures"}
        assert part["figures"]
        for figure in part["figures"]:
            assert figure.keys() == FIELDS
            assert figure["ours"] >= 0
    assert "| benchmark | case |" in printed
    assert not _databases(process.pid)


def _databases(pid: int) -> list[str]:
    url = os.environ.get("DATABASE_URL") or home().database_url
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT datname FROM pg_database").fetchall()
    return [name for (name,) in rows if name.startswith(f"nomic_bench_{pid}")]

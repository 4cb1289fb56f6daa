"""The suite with one fault in its tree, and the tests that come by each: see `bench.mutants`."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from bench.mutants.mutations import Mutant, Site, applied
from nomic.embedded import servers
from nomic.infrastructure.paths import ROOT, Home

_PLAYED = "not slow and not thorough and not browser"
QUICK = ("-q", "-p", "no:cacheprovider", "-m", _PLAYED, "--reuse-db")
PARTS = ("nomic", "horses", "proposals", "settlers", "aceofspades", "tests")
READ = {".py", ".md", ".html", ".json", ".lark"}
UNREAD = {"var", ".venv", "staticfiles", "__pycache__"}
SEED = 2006
SECONDS_A_TEST = 120  # where a fault may let it go on for ever
MOST_TESTS = 60
MOST_NEAR = 6  # modules of tests
SECONDS_NEAR = 15.0  # for one of them, on an idle machine
MOST_SECONDS = 60.0  # of tests for one fault, as long as they take without it
KILLED, SURVIVED, GONE, NOT_YET = "killed", "survived", "gone", "not yet run"


class Copy:
    """A copy of the tree in which tests run, with its own servers and its own results' place."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._servers = Home(root / "var")
        self._seen = root / "var" / "watch.seen"

    def begin(self) -> None:
        """Servers, and a database with all its tables to copy for each run."""
        servers.up(self._servers)
        with psycopg.connect(self._servers.database("postgres"), autocommit=True) as connection:
            # What tests write they take back: a vacuum in their middle finds tables empty, and
            # from then on queries are planned for no rows.
            connection.execute("ALTER SYSTEM SET autovacuum = off")
            connection.execute("SELECT pg_reload_conf()")
        self._database("clean", "template1")
        subprocess.run(
            [sys.executable, "-W", "ignore", "manage.py", "migrate", "--verbosity=0"],
            cwd=self.root,
            env=self._environment() | {"DATABASE_URL": self._servers.database("clean")},
            check=True,
        )

    def _environment(self) -> dict[str, str]:
        ours = {name: os.environ[name] for name in os.environ if not name.endswith("_URL")}
        more = {"NOMIC_VAR": str(self._servers.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        return ours | more

    def end(self) -> None:
        """Stop what was started."""
        servers.down(self._servers)

    def _database(self, name: str, template: str) -> None:
        with psycopg.connect(self._servers.database("postgres"), autocommit=True) as connection:
            drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))
            make = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
            connection.execute(make.format(sql.Identifier(name), sql.Identifier(template)))

    def clean(self) -> None:
        """Forget what the last run has left."""
        self._database("test_nomic", "clean")
        shutil.rmtree(self.root / ".hypothesis", ignore_errors=True)

    def run(
        self, options: list[str], seconds: float, *, lines: Any = None, a_test: int = 0
    ) -> tuple[int, dict[str, Any]]:
        """Pytest's exit code, or -1 if time was up, and what `watching` saw of the lines.

        Both times are in seconds; 0 lets a test take as long as it likes.
        """
        self._seen.unlink(missing_ok=True)
        watch = self._seen.with_suffix(".json")
        watch.write_text(json.dumps({"lines": lines or {}, "seconds": a_test}))
        command = [sys.executable, "-m", "pytest", "-p", "bench.mutants.watching", *QUICK, *options]
        with open(self.root / "var" / "pytest.log", "wb") as told:
            tests = subprocess.Popen(
                command,
                cwd=self.root,
                env=self._environment() | {"NOMIC_WATCH": str(watch)},
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=told,
                start_new_session=True,
            )
        try:
            code = tests.wait(seconds)
        except subprocess.TimeoutExpired:
            code = -1
        finally:
            if tests.poll() is None:
                os.killpg(tests.pid, signal.SIGKILL)
                tests.wait()
        return code, json.loads(self._seen.read_text()) if self._seen.exists() else {}


@contextmanager
def copied() -> Iterator[Copy]:
    folder = Path(tempfile.mkdtemp(prefix="nomic-mutants-")).resolve()
    named = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    try:
        for name in filter(None, named.stdout.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        (folder / "var").mkdir()
        copy = Copy(folder)
        try:
            yield copy
        finally:
            copy.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def digest(root: Path) -> str:
    """What tells this tree's code and tests from another's; the bench does not count."""
    told = hashlib.sha256()
    named = (path.relative_to(root) for path in root.glob("*/**/*"))
    for name in sorted(name for name in named if not {"bench", "docs", *UNREAD} & set(name.parts)):
        if name.suffix in READ and (root / name).is_file():
            told.update(name.as_posix().encode() + (root / name).read_bytes())
    return told.hexdigest()[:16]


def watched(copy: Copy, part: str, places: dict[str, Site], kept: Path) -> dict[str, Any]:
    """A part of the quick suite without a fault: each test's seconds and faults, and those that
    fail."""
    place = kept / f"{part}.json"
    if not place.exists():
        lines: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for number, site in places.items():
            for line in range(site.first, site.last + 1):
                lines[str(copy.root / site.path)][line].append(number)
        since = time.monotonic()
        copy.clean()
        code, seen = copy.run([part, "--hypothesis-seed=0"], 7200, lines=lines)
        if code not in (0, 1):
            raise RuntimeError((copy.root / "var" / "pytest.log").read_text()[-3000:])
        say(f"{part}: {len(seen['tests'])} tests in {time.monotonic() - since:.0f} s")
        place.write_text(json.dumps(seen))
    return dict(json.loads(place.read_text()))


def near_modules(root: Path, site: Site) -> list[str]:
    """The modules of tests that are most likely to find a fault there, without having run them.

    They are of the same app. Those come first that have the module's name, then by how much they
    have to do with it: import it, name the function (the more often, the better), try its room.
    """
    app, room = site.path.parts[0], site.path.parent
    module = ".".join(site.path.with_suffix("").parts)
    imports = re.compile(rf"^(from|import) {re.escape(module)}\b", re.MULTILINE)
    named = re.compile(rf"\b{re.escape(site.function.rpartition('.')[2])}\b")
    ranked = []
    for path in sorted(root.glob(f"{app}/**/test_*.py")):
        where, source = path.relative_to(root), path.read_text()
        if "browser" in where.stem:
            continue
        times = len(named.findall(source))
        nearness = 6 * where.stem.startswith(f"test_{site.path.stem}")
        nearness += 2 * bool(imports.search(source)) + 2 * bool(times)
        nearness += _room_tried(where) == room
        if nearness:
            ranked.append((-nearness, -times, where.as_posix()))
    return [name for *_, name in sorted(ranked)[:MOST_NEAR]]


def _room_tried(tests: Path) -> Path:
    """The folder whose code that module of tests tries."""
    return Path(*(name for name in tests.parent.parts if name != "tests"))


def chosen_tests(number: str, site: Site, seen: dict[str, Any], most: int) -> dict[str, float]:
    """The nearest tests that come by the fault, with their seconds: so many, not for too long.

    One that no test comes by may stand in what happens at import: then the nearest of all.
    """
    chance = random.Random(f"{SEED} {number}")
    room, stem = site.path.parent, site.path.stem
    sound = {test: facts for test, facts in seen["tests"].items() if test not in seen["failed"]}
    come_by = {test: facts for test, facts in sound.items() if number in facts["ids"]}
    ranked = []
    for test, facts in (come_by or sound).items():
        where = Path(test.partition("::")[0])
        far = (where.stem != f"test_{stem}") + (_room_tried(where) != room)
        far += where.parts[0] != site.path.parts[0]
        ranked.append((far, chance.random(), test, facts["seconds"]))
    found: dict[str, tuple[int, float]] = {}
    for far, _, test, took in sorted(ranked)[:most]:
        seconds = sum(each for _, each in found.values()) + took
        if not found or seconds <= MOST_SECONDS * most / MOST_TESTS:
            found[test] = (far, took)
    return {test: took for test, (_, took) in sorted(found.items(), key=_turn(found))}


def _turn(found: dict[str, tuple[int, float]]) -> Callable[[tuple[str, Any]], Any]:
    """Near ones first, then quick ones; those of a module one after the other."""
    modules: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for test, facts in found.items():
        modules[test.partition("::")[0]].append(facts)
    means = {
        name: (min(own)[0], sum(took for _, took in own) / len(own))
        for name, own in modules.items()
    }
    return lambda own: (means[own[0].partition("::")[0]], own[0].partition("::")[0], own[1])


def tried(
    copy: Copy, mutant: Mutant, site: Site, tests: dict[str, float], failing: Collection[str] = ()
) -> dict[str, Any]:
    """What becomes of one fault by these tests or modules of them, each with its seconds.

    Those that are `failing` without it are not asked.
    """
    if not tests:
        return {"outcome": SURVIVED, "tests": 0}
    place = copy.root / site.path
    source = place.read_text()
    copy.clean()
    since = time.monotonic()
    try:
        place.write_text(applied(source, site, mutant.mutated))
        left_out = [f"--deselect={test}" for test in failing]
        options = ["-x", "--hypothesis-seed=0", *left_out, *tests]
        code, seen = copy.run(options, 120 + 4 * sum(tests.values()), a_test=SECONDS_A_TEST)
    finally:
        place.write_text(source)
    played = len(seen.get("tests", ()))
    took = {"tests": played, "seconds": round(time.monotonic() - since)}
    failed = seen.get("failed", [])
    match code:
        case 0 | pytest.ExitCode.NO_TESTS_COLLECTED:
            return {"outcome": SURVIVED, **took}
        case 1 if failed:
            return {"outcome": KILLED, "by": failed, **took}
        case -1:
            return {"outcome": NOT_YET, "why": "the tests took too long", **took}
        case _:  # it cannot even be imported
            told = (copy.root / "var" / "pytest.log").read_text().splitlines()
            return {"outcome": KILLED, "by": [], "why": "\n".join(told[-3:]), **took}


def doubtful(copy: Copy, results: dict[str, Any]) -> set[str]:
    """Tests that found a fault and fail without any as well."""
    killers = {test for found in results.values() for test in found.get("by", ())}
    if not killers:
        return set()
    copy.clean()
    code, again = copy.run(["--hypothesis-seed=0", *sorted(killers)], 3600)
    if code not in (0, 1):
        raise RuntimeError((copy.root / "var" / "pytest.log").read_text()[-3000:])
    return set(again["failed"])


def say(line: str) -> None:
    """Tell how far it is."""
    print(line, file=sys.stderr, flush=True)

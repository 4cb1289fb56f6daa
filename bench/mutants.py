"""Which of a fixed random sample of faults the suite finds: `python -m bench.mutants`.

The sample stands in bench/mutants.json, drawn once from the code of rules, legality, disclosure,
ledger and engine (`--draw`), and with it what a run found that was recorded (`--record`). A fault
is found again wherever its statement stands now; one whose statement is no more is told as gone.

A run takes place in a copy of the tree, with servers of its own. It lets the quick suite run once
to see which tests come by which fault's lines; then each fault is put in its place, alone, and
those tests run, the nearest first, until one fails. What was found so far is kept in var/mutants,
so that `--resume` goes on with the same tree. Browser tests and the bench's own are left out, and
so is a test that fails without a fault.

Prints JSON and a table; exits 1 where one that was killed when it was recorded survives now.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.mutant_runs import (
    GONE,
    KILLED,
    MOST_TESTS,
    NOT_YET,
    SEED,
    SURVIVED,
    chosen_tests,
    copied,
    digest,
    doubtful,
    say,
    tried,
    watched,
)
from bench.mutations import Mutant, Site, draw, find, production, sites
from nomic.embedded.places import ROOT, home

LIST = ROOT / "bench" / "mutants.json"
PAGE = ROOT / "docs" / "performance.md"
_PLACE = re.compile(r"(?<=<!-- mutants -->\n).*?(?=<!-- end of mutants -->)", re.DOTALL)
STRATA = {
    "horses and settlers": (
        30,
        (
            "horses/rules.py",
            "horses/legality.py",
            "horses/payouts.py",
            "settlers/rules.py",
            "settlers/legality.py",
            "settlers/thug.py",
            "settlers/injuries.py",
            "settlers/charts.py",
        ),
    ),
    "proposals": (
        30,
        ("proposals/rules/*.py", "proposals/closing.py", "proposals/retally.py"),
    ),
    "aceofspades": (
        40,
        (
            "aceofspades/rules.py",
            "aceofspades/decisions.py",
            "aceofspades/knowledge.py",
            "aceofspades/disclosure.py",
            "aceofspades/secrets.py",
            "aceofspades/marks.py",
            "aceofspades/reckoning.py",
            "aceofspades/vault.py",
        ),
    ),
    "nomic": (
        50,
        (
            "nomic/ledger/*.py",
            "nomic/record/*.py",
            "nomic/dice/*.py",
            "nomic/play/take.py",
            "nomic/play/catch_up.py",
            "nomic/play/diary.py",
            "nomic/play/actions.py",
            "nomic/play/table.py",
            "nomic/play/powers.py",
            "nomic/standard/rules.py",
            "nomic/standard/motions.py",
            "nomic/standard/corrections.py",
            "nomic/standard/offices.py",
        ),
    ),
}


class _Stop(Exception):
    """Somebody asked to end; what was found so far is kept."""


def _run(mutants: list[Mutant], chosen: argparse.Namespace) -> dict[str, Any]:
    """The outcome of each fault, as far as time allows."""
    tree = sites(ROOT, production(ROOT))
    found = {mutant.id: find(mutant, tree) for mutant in mutants}
    places = {number: site for number, site in found.items() if isinstance(site, Site)}
    kept = home().folder / "mutants" / digest(ROOT)
    if not (chosen.resume and kept.exists()):
        shutil.rmtree(kept.parent, ignore_errors=True)
        kept.mkdir(parents=True)
    results = _kept(kept / "results.json", {})
    for number, why in found.items():
        if isinstance(why, str):
            results[number] = {"outcome": GONE, "why": why}
    todo = [each for each in mutants if each.id in places and _is_open(each, results, chosen)]
    random.Random(SEED).shuffle(todo)
    until = time.monotonic() + 60 * chosen.minutes
    try:
        with copied() as copy:
            copy.begin()
            seen = watched(copy, places, kept)
            while todo:
                seen["failed"] += _kept(kept / "doubtful.json", [])
                for mutant in todo:
                    if time.monotonic() > until:
                        break
                    tests = chosen_tests(mutant.id, places[mutant.id], seen, chosen.tests)
                    results[mutant.id] = tried(copy, mutant, places[mutant.id], tests)
                    say(f"{mutant.id} {results[mutant.id]}")
                    _keep(kept / "results.json", results)
                todo = _in_doubt(mutants, results, doubtful(copy, results), kept)
                _keep(kept / "results.json", results)
    except _Stop as stop:
        say(f"Stopped by {stop}.")
    return results


def _in_doubt(
    mutants: list[Mutant], results: dict[str, Any], tests: set[str], kept: Path
) -> list[Mutant]:
    """Those found by a test that fails without them as well: nothing is known of them any more."""
    _keep(kept / "doubtful.json", [*_kept(kept / "doubtful.json", []), *sorted(tests)])
    again = [each for each in mutants if tests & set(results.get(each.id, {}).get("by", ()))]
    for mutant in again:
        say(f"{mutant.id}: {results.pop(mutant.id)['by']} fails without it as well")
    return again


def _kept(place: Path, otherwise: Any) -> Any:
    return json.loads(place.read_text()) if place.exists() else otherwise


def _keep(place: Path, what: Any) -> None:
    place.write_text(json.dumps(what, indent=1))


def _is_open(mutant: Mutant, results: dict[str, Any], chosen: argparse.Namespace) -> bool:
    if chosen.only:
        return mutant.id in chosen.only
    outcome = results.get(mutant.id, {}).get("outcome", NOT_YET)
    return outcome == NOT_YET or (chosen.again and outcome == SURVIVED)


def _draw() -> list[dict[str, Any]]:
    numbers: Counter[str] = Counter()
    drawn = []
    for area, site, operator, mutated in draw(ROOT, STRATA, SEED):
        numbers[area] += 1
        number = f"{area[0]}{numbers[area]:02}"
        module = site.path.as_posix()
        drawn.append(
            asdict(Mutant(number, area, module, site.function, operator, site.head, mutated))
        )
    return drawn


def _room(mutant: Mutant) -> str:
    parts = mutant.module.split("/")
    return "/".join(parts[:2]) if parts[0] == "nomic" else parts[0]


def table(mutants: list[Mutant], results: dict[str, Any]) -> str:
    """How many of each room were killed, as Markdown."""
    kinds = (KILLED, SURVIVED, GONE, NOT_YET)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant in mutants:
        outcome = results.get(mutant.id, {}).get("outcome", NOT_YET)
        rows[_room(mutant)][outcome] += 1
        rows["**all**"][outcome] += 1
    lines = [f"| drawn from | mutants | {' | '.join(kinds)} |", "| --- |" + " ---: |" * 5]
    for room, count in sorted(rows.items(), key=lambda row: (row[0][0] == "*", row[0])):
        lines.append(f"| {room} | {count.total()} | {' | '.join(str(count[k]) for k in kinds)} |")
    return "\n".join(lines)


def worse(listed: list[dict[str, Any]], results: dict[str, Any]) -> list[str]:
    """Those that were killed when they were recorded and survive now."""
    return [
        each["id"]
        for each in listed
        if each.get("recorded", {}).get("outcome") == KILLED
        and results.get(each["id"], {}).get("outcome") == SURVIVED
    ]


def _record(listed: list[dict[str, Any]], results: dict[str, Any], told: str) -> None:
    """Into the list, with the last commit that changed more than the bench; a table on the page."""
    command = ["git", "log", "-1", "--format=%h", "--", ".", ":!bench", ":!docs"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    commit = asked.stdout.strip()
    for each in listed:
        found = results.get(each["id"], {"outcome": NOT_YET})
        kept = {name: found[name] for name in ("outcome", "by", "why", "tests") if name in found}
        each["recorded"] = {"commit": commit, **kept}
    LIST.write_text(json.dumps(listed, indent=1) + "\n")
    day = datetime.now(UTC).date()
    whole = f"\nRecorded at commit {commit}, {day}.\n\n{told}\n\n"
    PAGE.write_text(_PLACE.sub(lambda _: whole, PAGE.read_text()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__)
    parser.add_argument("--draw", action="store_true", help="draw the sample anew, and end")
    parser.add_argument("--find", action="store_true", help="say where each stands now, and end")
    parser.add_argument("--resume", action="store_true", help="go on with the same tree")
    parser.add_argument("--again", action="store_true", help="with it: what survived as well")
    parser.add_argument("--only", nargs="+", metavar="ID")
    parser.add_argument("--tests", type=int, default=MOST_TESTS, help="at most, for one fault")
    parser.add_argument("--minutes", type=float, default=24 * 60, help="of faults, after the suite")
    parser.add_argument("--record", action="store_true", help="write what was found into the list")
    return parser.parse_args()


def main() -> int:
    chosen = _arguments()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    if chosen.draw:
        LIST.write_text(json.dumps(_draw(), indent=1) + "\n")
        return 0
    listed = json.loads(LIST.read_text())
    mutants = [Mutant(**{name: each[name] for name in Mutant.__slots__}) for each in listed]
    if chosen.find:
        tree = sites(ROOT, production(ROOT))
        for mutant in mutants:
            site = find(mutant, tree)
            print(mutant.id, site if isinstance(site, str) else f"{site.path}:{site.first}")
        return 0
    results = _run(mutants, chosen)
    found_less = worse(listed, results)
    if chosen.record:
        _record(listed, results, table(mutants, results))
    print(json.dumps({"results": results, "worse": found_less}, indent=1))
    print(table(mutants, results))
    return 1 if found_less else 0


def _stop(number: int, frame: object) -> None:
    raise _Stop(signal.Signals(number).name)


if __name__ == "__main__":
    sys.exit(main())

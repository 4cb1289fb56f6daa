"""Which of a fixed random sample of faults the suite finds: `python -m bench.mutants`.

The sample stands in bench/mutants.json, drawn once from the code of rules, legality, disclosure,
ledger and engine (`--draw`), and with it what a run found that was recorded (`--record`). A fault
is found again wherever its statement stands now; one whose statement is no more is told as gone.

A run takes place in a copy of the tree, with servers of its own. Each fault is put in its place,
alone, and the modules of tests nearest to it run until one test fails. For those that survive this
the quick suite runs once without a fault, to see which tests come by which line; those tests run
then, the nearest first. What was found so far is kept in var/mutants, so that `--resume` goes on
with the same tree. Browser tests and the bench's own are left out, and so is a test that fails
without a fault.

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
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

from bench.mutants.mutations import Mutant, Site, draw, find, production, sites
from bench.mutants.runs import (
    GONE,
    KILLED,
    MOST_TESTS,
    NOT_YET,
    PARTS,
    SECONDS_NEAR,
    SEED,
    SURVIVED,
    Copy,
    chosen_tests,
    copied,
    digest,
    doubtful,
    near_modules,
    say,
    tried,
    watched,
)
from nomic.infrastructure.paths import ROOT, home

LIST = ROOT / "bench" / "mutants.json"
PAGE = ROOT / "docs" / "performance.md"
_KEPT = ("outcome", "by", "why", "tests")
_LEFT = "survived the modules of tests near it"
_PLACE = re.compile(r"(?<=<!-- mutants -->\n).*?(?=<!-- end of mutants -->)", re.DOTALL)
STRATA = {
    "horses and settlers": (
        30,
        (
            "horses/rules/race.py",
            "horses/rules/legality.py",
            "horses/rules/payouts.py",
            "settlers/rules/isle.py",
            "settlers/rules/legality.py",
            "settlers/rules/thug.py",
            "settlers/rules/injuries.py",
            "settlers/rules/charts.py",
        ),
    ),
    "proposals": (
        30,
        (
            "proposals/rules/*.py",
            "proposals/events/closing.py",
            "proposals/events/adopting.py",
            "proposals/state/retally.py",
        ),
    ),
    "aceofspades": (
        40,
        (
            "aceofspades/rules/contest.py",
            "aceofspades/rules/marks.py",
            "aceofspades/events/decisions.py",
            "aceofspades/events/reckoning.py",
            "aceofspades/actions/knowledge.py",
            "aceofspades/secrecy/*.py",
        ),
    ),
    "nomic": (
        50,
        (
            "nomic/ledger/*.py",
            "nomic/record/*.py",
            "nomic/dice/*.py",
            "nomic/engine/take.py",
            "nomic/engine/catch_up.py",
            "nomic/engine/schedule.py",
            "nomic/engine/actions.py",
            "nomic/engine/table.py",
            "nomic/governance/powers.py",
            "nomic/governance/rules.py",
            "nomic/governance/motions.py",
            "nomic/governance/corrections.py",
            "nomic/governance/offices.py",
        ),
    ),
}


class _Stop(Exception):
    """Somebody asked to end; what was found so far is kept."""


@dataclass
class _Trials:
    """Faults that are tried one after the other until the time is up."""

    copy: Copy
    places: dict[str, Site]
    kept: Path
    results: dict[str, Any]
    most: int
    until: float
    seen: dict[str, Any] = field(default_factory=lambda: {"tests": {}, "failed": []})

    def try_all(self, mutants: list[Mutant], *, near_only: bool) -> None:
        """First by the modules of tests near each one, then by those tests that come by its line.

        The suite is run once without a fault only where some are left to the latter.
        """
        self.seen["failed"] += _kept(self.kept / "doubtful.json", [])
        for mutant in self._in_time(mutants):
            if not self._is_left(mutant):
                modules = near_modules(self.copy.root, self.places[mutant.id])
                self._try(mutant, dict.fromkeys(modules, SECONDS_NEAR))
                if self.results[mutant.id]["outcome"] == SURVIVED:
                    self.results[mutant.id] |= {"outcome": NOT_YET, "why": _LEFT}
        left = [each for each in mutants if self._is_left(each)]
        if near_only or not any(self._in_time(left)):
            return
        for part in PARTS:
            seen = watched(self.copy, part, self.places, self.kept)
            self.seen["tests"] |= seen["tests"]
            self.seen["failed"] += seen["failed"]
        for mutant in self._in_time(left):
            site, before = self.places[mutant.id], self.results[mutant.id]["tests"]
            self._try(mutant, chosen_tests(mutant.id, site, self.seen, self.most))
            self.results[mutant.id]["tests"] += before

    def _in_time(self, mutants: list[Mutant]) -> Iterator[Mutant]:
        return takewhile(lambda _: time.monotonic() < self.until, mutants)

    def _is_left(self, mutant: Mutant) -> bool:
        return bool(self.results.get(mutant.id, {}).get("why") == _LEFT)

    def _try(self, mutant: Mutant, tests: dict[str, float]) -> None:
        site, failing = self.places[mutant.id], self.seen["failed"]
        found = tried(self.copy, mutant, site, tests, failing)
        self.results[mutant.id] = found
        say(f"{mutant.id} {found}")
        _keep(self.kept / "results.json", self.results)


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
    for each in todo:
        if results.get(each.id, {}).get("why") != _LEFT:
            results.pop(each.id, None)
    random.Random(SEED).shuffle(todo)
    until = time.monotonic() + 60 * chosen.minutes
    try:
        with copied() as copy:
            copy.begin()
            while todo:
                trials = _Trials(copy, places, kept, results, chosen.tests, until)
                trials.try_all(todo, near_only=chosen.near)
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
    if chosen.only and mutant.id not in chosen.only:
        return False
    outcome = results.get(mutant.id, {}).get("outcome", NOT_YET)
    return outcome == NOT_YET or (chosen.again and outcome == SURVIVED)


def _draw() -> list[dict[str, Any]]:
    numbers: Counter[str] = Counter()
    listed = []
    for area, site, operator, mutated in draw(ROOT, STRATA, SEED):
        numbers[area] += 1
        listed.append(_listed(f"{area[0]}{numbers[area]:02}", area, site, operator, mutated))
    return listed


def _listed(number: str, area: str, site: Site, operator: str, mutated: str) -> dict[str, Any]:
    module = site.path.as_posix()
    return asdict(Mutant(number, area, module, site.function, operator, site.head, mutated))


def _follow(listed: list[dict[str, Any]], mutants: list[Mutant]) -> None:
    """Say of each where its statement stands now; where it is no more, draw another of its app."""
    tree = sites(ROOT, production(ROOT))
    found = [find(mutant, tree) for mutant in mutants]
    kept = [site for site in found if isinstance(site, Site)]
    for place, (mutant, site) in enumerate(zip(mutants, found, strict=True)):
        if isinstance(site, Site):
            listed[place] |= {"module": site.path.as_posix(), "function": site.function}
            continue
        app, every = mutant.module.split("/")[0], STRATA[mutant.area][1]
        own = tuple(each for each in every if each.startswith(f"{app}/"))
        for _, another, operator, mutated in draw(ROOT, {mutant.id: (1, own or every)}, SEED, kept):
            kept.append(another)
            listed[place] = {
                **_listed(mutant.id, mutant.area, another, operator, mutated),
                "instead_of": f"{mutant.module}: {mutant.original}",
            }


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
    lines = [f"| stands in | mutants | {' | '.join(kinds)} |", "| --- |" + " ---: |" * 5]
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


def note(listed: list[dict[str, Any]], results: dict[str, Any], commit: str) -> None:
    """Put what was found at that commit into the list.

    What was not tried now keeps what was recorded of it before.
    """
    for each in listed:
        found = results.get(each["id"], {"outcome": NOT_YET})
        if found["outcome"] != NOT_YET or "recorded" not in each:
            kept = {name: found[name] for name in _KEPT if name in found}
            each["recorded"] = {"commit": commit, **kept}


def _record(listed: list[dict[str, Any]], results: dict[str, Any]) -> None:
    """Into the list, with the last commit that changed more than the bench; a table on the page."""
    command = ["git", "log", "-1", "--format=%h", "--", ".", ":!bench", ":!docs"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    commit = asked.stdout.strip()
    note(listed, results, commit)
    LIST.write_text(json.dumps(listed, indent=1) + "\n")
    others = sum(each["recorded"]["commit"] != commit for each in listed)
    before = f", {others} of them at other commits" if others else ""
    whole = f"Recorded at commit {commit}, {datetime.now(UTC).date()}{before}."
    told = table(list(map(_mutant, listed)), {each["id"]: each["recorded"] for each in listed})
    PAGE.write_text(_PLACE.sub(lambda _: f"\n{whole}\n\n{told}\n\n", PAGE.read_text()))


def _mutant(listed: dict[str, Any]) -> Mutant:
    return Mutant(**{name: listed[name] for name in Mutant.__slots__})


def _is_untried(listed: dict[str, Any]) -> bool:
    return bool(listed.get("recorded", {}).get("outcome", NOT_YET) == NOT_YET)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__)
    parser.add_argument("--draw", action="store_true", help="draw the sample anew, and end")
    parser.add_argument("--follow", action="store_true", help="what moved or is gone, and end")
    parser.add_argument("--find", action="store_true", help="say where each stands now, and end")
    parser.add_argument("--resume", action="store_true", help="go on with the same tree")
    parser.add_argument("--again", action="store_true", help="with it: what survived as well")
    parser.add_argument("--only", nargs="+", metavar="ID", help="of those that are still to try")
    parser.add_argument("--untried", action="store_true", help="only what is not recorded yet")
    parser.add_argument("--near", action="store_true", help="by the modules near each alone")
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
    mutants = [_mutant(each) for each in listed]
    if chosen.follow:
        _follow(listed, mutants)
        LIST.write_text(json.dumps(listed, indent=1) + "\n")
        return 0
    if chosen.find:
        tree = sites(ROOT, production(ROOT))
        for mutant in mutants:
            site = find(mutant, tree)
            print(mutant.id, site if isinstance(site, str) else f"{site.path}:{site.first}")
        return 0
    if chosen.untried:
        chosen.only = [each["id"] for each in listed if _is_untried(each)]
    results = _run(mutants, chosen)
    found_less = worse(listed, results)
    if chosen.record:
        _record(listed, results)
    print(json.dumps({"results": results, "worse": found_less}, indent=1))
    print(table(mutants, results))
    return 1 if found_less else 0


def _stop(number: int, frame: object) -> None:
    raise _Stop(signal.Signals(number).name)


if __name__ == "__main__":
    sys.exit(main())

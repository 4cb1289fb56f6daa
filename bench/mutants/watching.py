"""A pytest plugin for `bench.mutants`: which tests come by given lines, and which test fails.

`NOMIC_WATCH` names a JSON file: the lines, `{path: {line: [ids]}}`, and how many seconds a test may
take (0: as many as it likes). What was seen is put beside it, with the ending `.seen`. Only
functions that hold one of the lines are watched (`sys.monitoring`): a run takes hardly longer.

What a layer of `tests.kit.worlds` came by when it was built counts for each test upon it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable
from functools import wraps
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

_TOOL = 4
_WATCH = "NOMIC_WATCH"
_EVENTS = sys.monitoring.events
_OUTSIDE = "outside of a test"


class Watch:
    """Who came by which line."""

    def __init__(self, place: Path) -> None:
        asked = json.loads(place.read_text())
        self._place = place.with_suffix(".seen")
        self._lines = {
            path: {int(line): ids for line, ids in lines.items()}
            for path, lines in asked["lines"].items()
        }
        self.seconds = int(asked["seconds"])
        self._now = _OUTSIDE
        self._seen: dict[str, set[str]] = defaultdict(set)
        self._took: dict[str, float] = {}
        self._failed: list[str] = []

    def begin(self) -> None:
        """From here on every function is looked at once, and those with our lines line by line."""
        sys.monitoring.use_tool_id(_TOOL, "mutants")
        sys.monitoring.register_callback(_TOOL, _EVENTS.PY_START, self._started)
        sys.monitoring.register_callback(_TOOL, _EVENTS.LINE, self._came_by)
        sys.monitoring.set_events(_TOOL, _EVENTS.PY_START)

    def _started(self, code: CodeType, offset: int) -> Any:
        lines = self._lines.get(code.co_filename)
        if lines and any(line in lines for _, _, line in code.co_lines()):
            sys.monitoring.set_local_events(_TOOL, code, _EVENTS.LINE)
        return sys.monitoring.DISABLE

    def _came_by(self, code: CodeType, line: int) -> Any:
        ids = self._lines[code.co_filename].get(line)
        if ids is None:
            return sys.monitoring.DISABLE
        self._seen[self._now].update(ids)
        return None

    def watch_worlds(self, worlds: type, steps: Callable[[pytest.Item], Iterable[Any]]) -> None:
        """Let each test that begins with a layer have come by what the layer came by."""
        build, prepare = worlds._build, worlds.prepare  # type: ignore[attr-defined]

        @wraps(build)
        def builds(piled: Any, step: Any, around: Any) -> bool:
            before, self._now = self._now, f"layer {step.mark}"
            try:
                return bool(build(piled, step, around))
            finally:
                self._now = before

        @wraps(prepare)
        def prepares(piled: Any, item: pytest.Item) -> None:
            prepare(piled, item)
            for step in steps(item):
                if step.make in piled.values:
                    self._seen[self._now] |= self._seen.get(f"layer {step.mark}", set())

        worlds._build, worlds.prepare = builds, prepares  # type: ignore[attr-defined]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._now = item.nodeid
        since = time.perf_counter()
        signal.signal(signal.SIGALRM, _too_long)
        signal.setitimer(signal.ITIMER_REAL, self.seconds, self.seconds)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._took[item.nodeid] = round(time.perf_counter() - since, 3)
            self._now = _OUTSIDE

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        sys.monitoring.free_tool_id(_TOOL)
        tests = {
            test: {"seconds": took, "ids": sorted(self._seen.get(test, ()))}
            for test, took in self._took.items()
        }
        found = {"tests": tests, "failed": sorted(set(self._failed))}
        self._place.write_text(json.dumps(found))


def _too_long(number: int, frame: object) -> None:
    pytest.fail("It takes too long.")


def pytest_configure(config: pytest.Config) -> None:
    watch = Watch(Path(os.environ[_WATCH]))
    for plugin in config.pluginmanager.get_plugins():
        if hasattr(plugin, "Worlds"):
            watch.watch_worlds(plugin.Worlds, plugin.steps)
    config.pluginmanager.register(watch)
    watch.begin()

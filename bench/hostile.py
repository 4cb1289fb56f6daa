"""What hostile programs take of the sandbox: `python -m bench.hostile` runs the tests' own.

Each marks two hands as a page has it done. Told are the time, with the start of the process, and
the most memory that the process had, which is looked at every few milliseconds (on Linux).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from aceofspades.rules.marks import SECONDS, MarkingProgram, Question, mark
from aceofspades.tests.rules.test_hostile_blocks import ENDLESS, HANDS, TOO_MUCH

_ENDS = {
    "longer than": "the guard of time",
    "MiB of memory": "the limit of memory",
    "each other more": "the limit of depth",
    "cannot be read": "the check before the run",
}


def main() -> None:
    found: dict[str, list[tuple[float, int, str]]] = {}
    programs = {**ENDLESS, **{name: source for name, (source, _) in TOO_MUCH.items()}}
    for name, source in programs.items():
        began = time.perf_counter()
        with _Peak() as peak:
            [told] = mark(Question(HANDS, (), (MarkingProgram(310, source),))).errors.values()
        took = time.perf_counter() - began
        end = next((end for word, end in _ENDS.items() if word in told), "an error, or no worth")
        found.setdefault(end, []).append((took, peak.most, name))
    print(f"Time at most {SECONDS:g} s, {len(programs)} programs.\n")
    print("| ended by | programs | seconds, at most | by | MiB, at most | by |")
    print("| --- | ---: | ---: | --- | ---: | --- |")
    for end, several in found.items():
        took, _, slowest = max(several)
        most, largest = max((most, name) for _, most, name in several)
        print(f"| {end} | {len(several)} | {took:.2f} | {slowest} | {most} | {largest} |")


class _Peak(threading.Thread):
    """Looks at how much memory the processes of this one have had."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self._over = 0, threading.Event()

    def run(self) -> None:
        while not self._over.wait(0.002):
            self.most = max([self.most, *_peaks()])

    def __enter__(self) -> _Peak:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()


def _peaks() -> Iterator[int]:
    for child in psutil.Process().children():
        try:
            lines = Path(f"/proc/{child.pid}/status").read_text().splitlines()
        except OSError:
            continue
        yield from (int(line.split()[1]) >> 10 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()

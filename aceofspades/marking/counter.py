"""The process that counts: `python -m aceofspades.counter SECONDS`, a question on standard input.

Writes `["through", [number, error or null]]` in a line for each program, and `["answer", …]` in
the last. It knows neither Django nor the site's environment.
"""

from __future__ import annotations

import json
import math
import resource
import sys
import time

from aceofspades.rules.marks import Question, mark

MEMORY = 2 * 2**30  # bytes of address space; what the steps allow takes less than half of it


def main() -> None:
    seconds = float(sys.argv[1])
    _limit(seconds)
    question = Question.from_json(sys.stdin.buffer.read().decode())
    end = time.monotonic() + seconds
    answer = mark(question, late=lambda: time.monotonic() > end, done=_through)
    _tell("answer", json.loads(answer.as_json()))


def _limit(seconds: float) -> None:
    """No more memory, CPU time, files or processes than counting needs."""
    cpu = math.ceil(seconds) + 1
    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for which, most in limits.items():
        _, hard = resource.getrlimit(which)
        resource.setrlimit(
            which, (most if hard == resource.RLIM_INFINITY else min(most, hard),) * 2
        )


def _through(number: int, why: str | None) -> None:
    _tell("through", [number, why])


def _tell(kind: str, told: object) -> None:
    sys.stdout.write(json.dumps([kind, told]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Two games whose rules cost more than they may, beside a healthy one."""

from __future__ import annotations

import time
from threading import Thread

from bench.benchmarks.shares.people import Person
from bench.benchmarks.shares.sentences import enactment
from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way
from bench.figures import percentile

_CLIENTS = 24
_ROLLS, _FUNCTIONS = 990, 99
_QUIET = (60.0, 20.0)  # seconds of the healthy games alone
_PATIENCE = 100.0  # seconds in which the operator tries to pause a game
DICE = "".join(
    f'@every("day")\ndef f{number}():\n    for i in range({_ROLLS}): roll(1000)\n'
    for number in range(_FUNCTIONS)
)


@way(
    "two games, each alone at its table: a rule of 6 kB with 99 `@every(\"day\")` of 990 rolls;"
    " 24 acts at once in one of them",
    whole=240.0,
    quick=60.0,
    alone=True,
)  # fmt: skip
def two_bad_games(stage: Stage) -> None:
    hosts = [stage.newcomer() for _ in range(2)]
    slugs = [host.start(f"bad {number}") for number, host in enumerate(hosts)]
    stage.wait(_QUIET[stage.quick])
    quiet = percentile(stage.watch.before.seconds, 99)
    stage.attack()
    for host, slug in zip(hosts, slugs, strict=True):
        stage.adoptions.append(_adopted(host, slug))
    pausing = Thread(target=_pause, args=(stage, slugs[1], stage.newcomer(operator=True)))
    pausing.start()
    stage.on_and_on(
        lambda: hosts[0].act(slugs[0], "proposals.comment", proposal="p1", text="And so on."),
        _CLIENTS,
        pause=1.5,
    )
    pausing.join()
    stage.notes["ratio"] = percentile(stage.watch.elsewhere.seconds, 99) / quiet


def _adopted(host: Person, slug: str) -> str:
    """Why the rule is not adopted; "" where it is."""
    answer = host.act(slug, "proposals.submit", title="Dice", body=enactment("Dice", DICE))
    if answer.status == 201:
        answer = host.act(slug, "proposals.vote", proposal="p1", choice="FOR")
    return "" if answer.status == 201 else answer.sentence


def _pause(stage: Stage, slug: str, operator: Person) -> None:
    """When half of the time has gone, the operator pauses one of the games."""
    stage.wait(stage.seconds / 2)
    since = time.monotonic()
    while time.monotonic() - since < _PATIENCE:
        answer = operator.act(slug, "games.pause", reason="It costs too much.")
        if answer.status == 201:
            break
        time.sleep(1.0)
    stage.notes["pause"] = time.monotonic() - since

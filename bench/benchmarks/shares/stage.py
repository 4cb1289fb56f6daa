"""What each way stands on: a site with two healthy games, newcomers, and the watch over all."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.benchmarks.shares.people import Answer, Asked, Person
from bench.benchmarks.shares.site import Site, playing
from bench.benchmarks.shares.watching import Watch

ELSEWHERE, CLOCK = "elsewhere", "clock"
_WARMING, _FIRST_ACTS = 90.0, 40  # seconds at most
_ON_TIME = 2.0  # seconds
_WEEK = 20  # seconds that a week of the healthy games lasts
_EACH_DAY = """
Each day is told.
```python
@every("day")
def told():
    state["days"] = state.get("days", 0) + 1
```
"""


@dataclass
class Stage:
    """One way's turn at a running site; `seconds` is for how long an attack goes on that could go
    on for ever."""

    ground: Ground
    seconds: float
    quick: bool
    watch: Watch
    notes: dict[str, object] = field(default_factory=dict)
    adoptions: list[str] = field(default_factory=list)

    def newcomer(self, *, operator: bool = False) -> Person:
        """Somebody who has signed up just now (written into the tables, with a token)."""
        self.ground.people += 1
        name = f"newcomer{self.ground.people}"
        return person(name, self.ground.site.port, self.watch, operator=operator)

    def attack(self) -> None:
        """The setting up is over: from now on all counts."""
        self.watch.attack()

    def at_once(self, work: Sequence[Callable[[], Answer]]) -> list[Answer]:
        """All of them at the same time, each by somebody of their own."""
        with ThreadPoolExecutor(len(work)) as pool:
            return [each.result() for each in [pool.submit(one) for one in work]]

    def on_and_on(self, work: Callable[[], object], clients: int = 1, pause: float = 0.0) -> None:
        """So many clients do it again and again until the time is up or the disk has enough."""
        until = time.monotonic() + self.seconds

        def go() -> None:
            while time.monotonic() < until and not self.watch.enough.wait(pause):
                work()

        with ThreadPoolExecutor(clients) as pool:
            for each in [pool.submit(go) for _ in range(clients)]:
                each.result()

    def wait(self, seconds: float) -> None:
        """Let so many seconds go by, unless the disk has enough before."""
        self.watch.enough.wait(seconds)


def person(name: str, port: int, watch: Watch | None, *, operator: bool = False) -> Person:
    """A user with a session and a token."""
    from django.contrib.auth.models import User

    from bench import cast
    from nomic.web.tokens import make_token

    user = User.objects.create_user(name, is_superuser=operator, is_staff=operator)
    token = make_token(user, "shares")[1]
    return Person(name, token, cast.session(user), port, watch.heard if watch else _nobody_hears)


def _nobody_hears(what: str, answer: Answer) -> None:
    """What bystanders ask is counted where they act."""


@dataclass
class Ground:
    """A running site with two healthy games and two bystanders, on which ways have their turns."""

    site: Site
    bystanders: list[Person]
    people: int = 0

    @contextmanager
    def turn(self, seconds: float, *, quick: bool) -> Iterator[Stage]:
        """The bystanders act, and what is asked of the site is watched; nobody attacks yet."""
        self.site.forget_peaks()
        watch = Watch(
            self.site,
            os.environ["DATABASE_URL"],
            [(each, ELSEWHERE) for each in self.bystanders],
            [ELSEWHERE, CLOCK],
        )
        watch.begin()
        _warm(watch)
        try:
            yield Stage(self, seconds, quick, watch)
        finally:
            watch.stop()

    def quieten(self) -> None:
        """Pause all games but the healthy ones: the next way has the site for itself."""
        from nomic.engine.outcomes import Busy, Refused
        from nomic.engine.take import take
        from nomic.games.models import Game

        others = Game.objects.exclude(slug__in=[ELSEWHERE, CLOCK]).filter(paused_at=None)
        for slug in others.values_list("slug", flat=True):
            with suppress(Busy, Refused):
                take(slug, None, "games.pause", {"reason": "The way is over."})


@contextmanager
def ground(folder: Path, env: dict[str, str]) -> Iterator[Ground]:
    """A whole site with two healthy games."""
    with playing(folder, **env) as site:
        bystanders = [person(f"bystander{number}", site.port, None) for number in (1, 2)]
        for slug in (ELSEWHERE, CLOCK):
            _healthy_game(slug, [each.name for each in bystanders])
        yield Ground(site, bystanders)


def _warm(watch: Watch) -> None:
    """Let the first acts go by, at which each process reads what it will have at hand, and let the
    healthy games come to be on time."""
    until = time.monotonic() + _WARMING
    while time.monotonic() < until and (
        watch.before.statuses.get(201, 0) < _FIRST_ACTS or watch.late() > _ON_TIME
    ):
        time.sleep(0.5)
    watch.before = Asked()


def _healthy_game(slug: str, names: list[str]) -> None:
    """Races and proposals at a fast pace, with a program, and a proposal to speak of."""
    from nomic.engine.take import take
    from nomic.games.models import Game
    from nomic.operations.setup import new_game
    from tests.kit import user_of

    new_game(slug, "agora", pace="fast", rate=7 * 24 * 3600 // _WEEK)
    for name in names:
        take(slug, user_of(name), "games.join", {"name": name})
    rule = Game.objects.get(slug=slug).rules.get(title="Weekly Race Actions")
    amended = {"rule": rule.title, "text": rule.text + _EACH_DAY, "reason": "a program in play"}
    take(slug, None, "rulebook.amend", amended)
    said = {"title": "A subject", "body": "That all may speak of it."}
    take(slug, user_of(names[0]), "proposals.submit", said)

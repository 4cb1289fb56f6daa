"""What the site waits for outside: webhooks and mail servers that take the call and say nothing."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from bench.benchmarks.shares.people import Person, Refused
from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way

_HERE = "127.0.0.1"
_MAIL_PORT = 18925  # where nobody answers who is asked to take mail


@contextmanager
def _silent(port: int = 0) -> Iterator[int]:
    """A server that takes every connection and never says a word; its port."""
    kept: list[socket.socket] = []
    with socket.create_server((_HERE, port), backlog=200) as server:

        def take() -> None:
            with suppress(OSError):
                while True:
                    kept.append(server.accept()[0])

        Thread(target=take, daemon=True).start()
        yield int(server.getsockname()[1])
    for each in kept:
        each.close()


def _told_of(stage: Stage, author: Person, people: list[Person]) -> None:
    """Proposals and votes in a game of theirs, of each of which everybody is told."""
    slug = author.start("told", pace="hour")
    for person in people:
        person.must(slug, "games.join", name=person.name)
    stage.on_and_on(lambda: author.act(slug, "proposals.submit", title="T", body="So."), pause=0.2)


@way("webhooks of 20 players that never answer", NOMIC_WEBHOOK_NETWORKS="127.0.0.0/8", whole=25)
def webhooks(stage: Stage) -> None:
    author, people = stage.newcomer(), [stage.newcomer() for _ in range(20)]
    stage.attack()
    with _silent() as port:
        for number, person in enumerate(people):
            chosen = {"webhook": f"http://{_HERE}:{port}/{number}", "fast": "on"}
            kinds = {"webhook_kinds": "vote"}
            answer = person.post("/settings/notices/", {**chosen, **kinds})
            if answer.status >= 400:
                raise Refused(answer.sentence)
        _told_of(stage, author, people)


@way("a mail server that never answers, and 20 players who want mail",
     NOMIC_MAIL_URL=f"smtp://{_HERE}:{_MAIL_PORT}", whole=25)  # fmt: skip
def mail(stage: Stage) -> None:
    from django.contrib.auth.models import User

    author, people = stage.newcomer(), [stage.newcomer() for _ in range(20)]
    for person in people:
        User.objects.filter(username=person.name).update(email=f"{person.name}@example.org")
        person.post("/settings/notices/", {"mail": "on", "fast": "on", "mail_kinds": "vote"})
    stage.attack()
    with _silent(_MAIL_PORT):
        _told_of(stage, author, people)

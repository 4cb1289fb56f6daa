"""What programs do by themselves, and after others' acts."""

from __future__ import annotations

from bench.benchmarks.shares.people import Person
from bench.benchmarks.shares.sentences import enactment
from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way

_GIVES = "    p = players()[0]\n    for i in range(990): give(p, 1, 'wood')\n"


def _each_day(count: int, what: str) -> str:
    return "".join(f'@every("day")\ndef f{n}():\n{what}' for n in range(count))


def _comment(author: Person, slug: str, handle: str) -> None:
    author.act(slug, "proposals.comment", proposal=handle, text="And so on.")


@way('1,000 `give` in each of 99 `@every("day")`, in two games', whole=55, quick=50)
def gives_each_day(stage: Stage) -> None:
    authors = [stage.newcomer() for _ in range(2)]
    slugs = [author.start(f"gives {n}") for n, author in enumerate(authors)]
    stage.attack()
    for author, slug in zip(authors, slugs, strict=True):
        author.adopt(slug, enactment("Gifts", _each_day(99, _GIVES)))
    stage.wait(stage.seconds)


@way("1,000 `give` in each of twelve `@after` of a comment, and 24 comments at once")
def gives_after_comments(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("gives after")
    program = "".join(
        f'@after("proposals.comment")\ndef f{n}(me: Player):\n{_GIVES}' for n in range(12)
    )
    stage.attack()
    author.adopt(slug, enactment("Gifts", program))
    handle = author.propose(slug, "To speak of it.")
    _comment(author, slug, handle)
    stage.on_and_on(lambda: _comment(author, slug, handle), 24, pause=1.0)


@way("ten thousand appointments at one moment", alone=True, whole=55, quick=50)
def appointments(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("appointments")
    stage.attack()
    programs = [_each_day(99, "    pass\n") for _ in range(10 if stage.quick else 101)]
    for first in range(0, len(programs), 40):
        body = "".join(
            enactment(f"Rule {first + n}", program)
            for n, program in enumerate(programs[first : first + 40])
        )
        author.adopt(slug, body)
    stage.wait(stage.seconds)


@way("chains of `state_of`: 60 rules, each of which rewrites what the others keep", whole=15)
def states(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("states")
    stage.attack()
    program = """
@after("proposals.comment")
def chain(me: Player):
    for n in range(60):
        other = state_of(f"Rule {n}")
        other["x"] = [str(i) * 40 for i in range(1200)]
"""
    author.adopt(slug, "".join(enactment(f"Rule {n}", program) for n in range(60)))
    handle = author.propose(slug, "To speak of it.")
    stage.on_and_on(lambda: _comment(author, slug, handle), 4, pause=0.3)


@way("chains of hooks: 40 rules with 50 `@after` of a comment, each of which says a lot", whole=15)
def hooks(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("hooks")
    stage.attack()
    program = "".join(
        f'@after("proposals.comment")\ndef h{n}(me: Player):\n'
        "    for i in range(900): say('x' * 2000)\n"
        for n in range(50)
    )
    author.adopt(slug, "".join(enactment(f"Rule {n}", program) for n in range(40)))
    handle = author.propose(slug, "To speak of it.")
    stage.on_and_on(lambda: _comment(author, slug, handle), 4, pause=0.3)

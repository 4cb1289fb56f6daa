"""What anybody may ask of a proposal, and what its reading costs."""

from __future__ import annotations

from bench.benchmarks.shares.sentences import enactment
from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way

_AT_ONCE = 16
_MANY = 450


def hard(number: int) -> str:
    """A small program whose types take the checker longer than it may take."""
    calls = " or ".join(f"g{each}({number})" for each in range(150))
    return f'@view("View {number}")\ndef view():\n    return {calls}\n'


def harmless(number: int) -> str:
    """A small program with nothing wrong in it."""
    return f'@view("View {number}")\ndef view():\n    return bars({{"one": {number}}})\n'


def _body(programs: list[str]) -> str:
    return "".join(enactment(f"Rule {n}", program) for n, program in enumerate(programs))


def _looked_at(stage: Stage, bodies: list[str]) -> None:
    """Proposals with these bodies, each of somebody else's, and by a stranger one look at each, all
    at once."""
    authors, reader = [stage.newcomer() for _ in bodies], stage.newcomer()
    slug = authors[0].start("previewed")
    for author in authors[1:]:
        author.must(slug, "games.join", name=author.name)
    stage.attack()
    found = [author.propose(slug, body) for author, body in zip(authors, bodies, strict=True)]
    addresses = [f"/g/{slug}/proposals/{each}/changes/" for each in found]
    addresses += [f"/api/v1/games/{slug}/proposals/{each}" for each in found]
    for each in (addresses[: len(found)], addresses[len(found) :]):
        stage.at_once([lambda path=path: reader.get(path) for path in each])
    stage.wait(stage.seconds)  # what is done elsewhere goes on meanwhile
    stage.at_once([lambda path=path: reader.get(path) for path in addresses[: len(found)]])


@way("the preview of a proposal with 40 small programs whose types are hard to check", whole=10)
def preview_of_hard_programs(stage: Stage) -> None:
    _looked_at(stage, [_body([hard(number) for number in range(40)])])


@way("the preview of a proposal with 450 harmless programs", whole=10)
def preview_of_many_programs(stage: Stage) -> None:
    _looked_at(stage, [_body([harmless(number) for number in range(_MANY)])])


@way("sixteen such previews at once", whole=20)
def sixteen_previews(stage: Stage) -> None:
    bodies = [
        _body([hard(40 * turn + number) for number in range(40)])
        if turn % 2
        else _body([harmless(_MANY * turn + number) for number in range(_MANY)])
        for turn in range(_AT_ONCE)
    ]
    _looked_at(stage, bodies)


@way("24 texts of 200 kB at once in the form, each another at each key that is typed", quick=4)
def typing(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("typed")
    stage.attack()
    text = _body([hard(number) for number in range(20)]) + "Give each player 5 wood. " * 5000
    turn = iter(range(10**9))
    stage.on_and_on(
        lambda: author.post(
            f"/g/{slug}/proposals/preview/",
            {"title": "T", "body": f"{text}{next(turn)}"[-199_000:], "key": "k", "window": "w"},
            htmx=True,
        ),
        24,
        pause=0.1,
    )

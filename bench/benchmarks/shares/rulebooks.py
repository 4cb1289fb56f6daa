"""Large rulebooks: kept by processes, amended many times at once, calculated anew."""

from __future__ import annotations

from itertools import batched

from bench.benchmarks.shares.people import Person
from bench.benchmarks.shares.sentences import amendment, lasting
from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way

_LONG = 190_000  # characters of a rule
_WORDS = "The spoons of the players are silver, and they shine where they stand. "


def _grow(author: Person, slug: str, rules: int) -> None:
    """A rulebook of so many long rules, and a short one."""
    author.adopt(slug, lasting("Short", "A spoon."))
    for number in range(rules):
        text = (f"Spoon {number}. " + _WORDS * (_LONG // len(_WORDS) + 1))[:_LONG]
        author.adopt(slug, lasting(f"Long {number}", text))


@way("an 8 MB rulebook in many versions, each of them read", alone=True, whole=90, quick=15)
def versions(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("versions")
    stage.attack()
    _grow(author, slug, 5 if stage.quick else 42)
    version = iter(range(10**9))

    def amend() -> None:
        author.adopt(slug, amendment("Short", f"Spoon {next(version)}."))
        stage.at_once([lambda: author.get(f"/g/{slug}/")] * 4)

    stage.on_and_on(amend)


@way("twenty proposals of 499 amendments that are adopted at one moment")
def closings(stage: Stage) -> None:
    authors = [stage.newcomer() for _ in range(1 if stage.quick else 3)]
    slug = authors[0].start("closings")
    authors[0].adopt(slug, lasting("Short", "A spoon."))
    for author in authors[1:]:
        author.must(slug, "games.join", name=author.name)
    stage.attack()
    proposals = [
        authors[turn % len(authors)].propose(
            slug, "".join(amendment("Short", f"Spoon {turn} {each}.") for each in range(499))
        )
        for turn in range(4 if stage.quick else 20)
    ]
    for handle in proposals[::-1]:  # the first one in the queue last, which lets all others pass
        for author in authors:
            author.act(slug, "proposals.vote", proposal=handle, choice="FOR")
    stage.wait(stage.seconds)


@way("one recalculation of a game with a rulebook of 8 MB", alone=True, whole=60, quick=20)
def recalculation(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("recalculated")
    stage.attack()
    _grow(author, slug, 5 if stage.quick else 42)
    for turn in range(10 if stage.quick else 30):
        author.adopt(slug, amendment("Short", f"Spoon {turn}."))
    asked = {"entry": "3", "verb": "strike"}
    author.post(f"/g/{slug}/recalculations/", asked)
    stage.wait(stage.seconds)


@way("7,500 sentences left by hand, and the report of the week", whole=70, quick=20)
def by_hand(stage: Stage) -> None:
    author, reader = stage.newcomer(), stage.newcomer()
    # A Sunday: the week ends three quarters of a minute later.
    slug = author.start("by hand", first_day="2026-03-01")
    stage.attack()
    sentences = 700 if stage.quick else 7_500
    for some in batched(range(sentences), 2_500):
        author.adopt(slug, "\n\n".join(f"Moon {n} is of cheese." for n in some))
    for page in ("", "reports/", "proposals/", "proposals/p1/", "rules/"):
        reader.get(f"/g/{slug}/{page}")
    stage.wait(stage.seconds)

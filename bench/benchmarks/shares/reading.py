"""Pages that anybody may look at: searches, homes, feeds, exports."""

from __future__ import annotations

import random
from itertools import count

from bench.benchmarks.shares.sentences import enactment
from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way


@way("a search over the whole site, and 24 of them at once", whole=15)
def searches(stage: Stage) -> None:
    authors = [stage.newcomer() for _ in range(4)]
    drawn = random.Random(1)
    words = [f"{drawn.randrange(10**9):x}" for _ in range(20_000)]
    for author in authors:
        slug = author.start(f"search {author.name}")
        for _ in range(2 if stage.quick else 5):
            body = ("spoon " + " ".join(drawn.choices(words, k=25_000)))[:199_000]
            author.act(slug, "proposals.submit", title="Spoons", body=body)
    stage.attack()
    numbers = count()
    authors[0].get("/search/?q=spoon")
    look = lambda: authors[0].get(f"/search/?q=spoon%20{words[next(numbers)]}")  # noqa: E731
    stage.at_once([look] * 24)
    stage.on_and_on(look, 24)


@way("homes of 17 MB by wide views, which eight onlookers ask for again and again")
def homes(stage: Stage) -> None:
    author, onlooker = stage.newcomer(), stage.newcomer()
    slug = author.start("homes")
    program = "".join(
        f'@view("View {n}")\ndef view{n}():\n'
        "    return table([str(n) for n in range(12)], [['&' * 60] * 12 for i in range(100)])\n"
        for n in range(60)
    )
    stage.attack()
    author.adopt(slug, enactment("Views", program))
    onlooker.get(f"/g/{slug}/")
    stage.on_and_on(lambda: onlooker.get(f"/g/{slug}/"), 8)


@way("feeds and records over entries of 1.9 MB, at once")
def feeds(stage: Stage) -> None:
    author, onlooker = stage.newcomer(), stage.newcomer()
    slug = author.start("feeds")
    program = (
        '@action("talk", "Talk")\ndef talk(me: Player):\n'
        "    for i in range(950): say(str(i) + 'x' * 1990)\n"
    )
    stage.attack()
    author.adopt(slug, enactment("Talk", program))
    for _ in range(5 if stage.quick else 12):
        author.act(slug, "rule.talk.talk")
    pages = [
        f"/g/{slug}/record/feed/",
        f"/g/{slug}/record/",
        f"/api/v1/games/{slug}/record",
        f"/g/{slug}/",
        f"/g/{slug}/receipts/",
    ]
    for page in pages:
        onlooker.get(page)
    numbers = count()
    stage.on_and_on(lambda: onlooker.get(pages[next(numbers) % len(pages)]), 8)


@way("exports and downloads of a large game, twelve at once")
def downloads(stage: Stage) -> None:
    author, onlooker = stage.newcomer(), stage.newcomer()
    slug = author.start("downloads")
    drawn = random.Random(1)
    for _ in range(4 if stage.quick else 12):
        author.act(slug, "proposals.submit", title="Long", body=drawn.randbytes(95_000).hex())
    stage.attack()
    pages = [f"/g/{slug}/whole/", f"/api/v1/games/{slug}/record?limit=1000"]
    pages += [f"/api/v1/games/{slug}/proposals", f"/g/{slug}/reports/"]
    numbers = count()
    look = lambda: onlooker.get(pages[next(numbers) % len(pages)])  # noqa: E731
    stage.at_once([look] * 12)
    stage.on_and_on(look, 12)

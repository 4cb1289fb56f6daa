"""What is asked for before anybody plays: passwords that are hashed, rulebooks that are read."""

from __future__ import annotations

import io
import json
import zipfile
from itertools import count, cycle

from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way

_AT_ONCE = 16
_LETTERS = 2_900_000  # of one text


@way(
    "wrong passwords for names that nobody has and for one that somebody has, 16 at once", whole=15
)
def wrong_passwords(stage: Stage) -> None:
    stranger, owner = stage.newcomer(), stage.newcomer()
    stage.attack()
    numbers = count()

    def knock() -> None:
        turn = next(numbers)
        name = owner.name if turn % 2 else f"nobody{turn}"
        stranger.post("/accounts/login/", {"login": name, "password": f"wrong{turn}"})

    stage.on_and_on(knock, _AT_ONCE)


def _yaml(files: int) -> bytes:
    into = io.BytesIO()
    told = "- change: enactment\n  date: 2020-01-01\n- change: repeal\n" * 20
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(files):
            rule = f"id: {number}\ntitle: T\ntext: x\nhistory:\n{told}"
            archive.writestr(f"rules/{number}", rule)
    return into.getvalue()


def _hard() -> dict[str, bytes]:
    """Rulebooks that once took a process's time and memory, by their files' names."""
    return {
        "headings.md": b"# a\n" * (_LETTERS // 4),
        "blocks.md": (b"# a\n" + b"> a\n\n" * 39_000) * 15,
        "lists.wiki": b"== a ==\n" + b"*#:;" * (_LETTERS // 4),
        "open.wiki": b"== a ==\n" + b"{{a|" * (_LETTERS // 4),
        "numbers.txt": "".join(f"Rule {n}: a\n\n" for n in range(_LETTERS // 16)).encode(),
        "archive.zip": _yaml(4_000),
        "wide.json": b"[" + b"{}," * 3_000_000 + b"{}]",
    }


@way("rulebooks that are hard to read, by two accounts, 16 at once", whole=25, quick=10)
def hard_rulebooks(stage: Stage) -> None:
    people = [stage.newcomer() for _ in range(2)]
    files = cycle(_hard().items())
    stage.attack()
    numbers = count()

    def bring() -> None:
        person = people[next(numbers) % len(people)]
        name, content = next(files)
        person.upload("/start/rules/", name, content)
        person.get("/start/rules/")
        person.post("/start/rules/", {"forget": "1"})

    stage.on_and_on(bring, _AT_ONCE)


@way(
    "a rulebook of nearly as many rules as one may have, from which games are begun at once",
    whole=25,
)
def many_rules(stage: Stage) -> None:
    person = stage.newcomer()
    rule = {"text": "Players obey it.", "history": [{"change": "enactment"}]}
    rulebook = {
        "format": "nomic rulebook 1",
        "rules": [{**rule, "title": f"T {n}", "number": str(n)} for n in range(1_900)],
        "repealed": [{**rule, "title": f"R {n}"} for n in range(5_000)],
    }
    stage.attack()
    person.upload("/start/rules/", "rules.json", json.dumps(rulebook).encode())
    for _ in range(30):
        if "rules in rules.json" in " ".join(person.get("/start/rules/").text.split()):
            break
        stage.wait(1.0)

    def begin() -> None:
        page = person.get("/start/?preset=nomic").text
        digest = page.partition('name="rules" value="')[2].partition('"')[0]
        chosen = {"preset": "nomic", "rules": digest, "title": "Many", "pace": "minutes"}
        access = {"seen_by": "everybody", "joined_by": "everybody", "offices": "open", "bots": "0"}
        person.post("/start/", {**chosen, **access})

    stage.on_and_on(begin, 4)

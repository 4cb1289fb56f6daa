"""Long texts: their differences, bodies without number, and texts that are hard to read."""

from __future__ import annotations

import random
import re
from itertools import count

from bench.benchmarks.shares.people import Person, Refused
from bench.benchmarks.shares.sentences import amendment, enactment, lasting
from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way

_LINES = 4_900  # of two characters; a rule may have some more, and had 99,000 once
_LONGEST = 199_000  # characters of a body, to stay below what it may have


def _letters(seed: int) -> str:
    drawn = random.Random(seed)
    return "\n".join(drawn.choice("abcdefgh") for _ in range(_LINES))


def _two_versions(stage: Stage) -> tuple[Person, str]:
    """A stranger, and the address of the difference of two long texts of a rule."""
    author, reader = stage.newcomer(), stage.newcomer()
    slug = author.start("differences")
    author.adopt(slug, lasting("Long", _letters(1)))
    author.adopt(slug, amendment("Long", _letters(2)))
    pages = re.findall(r"/rules/(long-\d+)/", author.get(f"/g/{slug}/rules/").text)
    if not pages:
        raise Refused("The rule has no page.")
    return reader, f"/g/{slug}/rules/{pages[0]}/?from=1&to=2"


@way("the difference of two versions of as many short lines as a rule may have")
def difference(stage: Stage) -> None:
    reader, address = _two_versions(stage)
    stage.attack()
    reader.get(address)


@way("24 such differences at once")
def differences(stage: Stage) -> None:
    reader, address = _two_versions(stage)
    stage.attack()
    stage.at_once([lambda: reader.get(address)] * 24)


@way("bodies of 200 kB without number")
def bodies(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("bodies")
    numbers = count()
    drawn = random.Random(1)
    stage.attack()

    def submit() -> None:
        words = f"{next(numbers)} {drawn.randbytes(70_000).hex()}"[:_LONGEST]
        author.act(slug, "proposals.submit", title="Long", body=words)

    stage.on_and_on(submit, 4)


_HARD_TEXTS = {
    "brackets": "[" * _LONGEST,
    "brackets and back": "[" * (_LONGEST // 2) + "](" * (_LONGEST // 4),
    "lists in lists": "\n".join(" " * n + "- x" for n in range(600)),
    "quotes": "> " * (_LONGEST // 2),
    "stars": "*a " * (_LONGEST // 3),
    "stars by turns": "*a_" * (_LONGEST // 3),
    "ticks": "".join("`" * n + " " for n in range(1, 620)),
    "titles": "Enact a new rule titled “" * (_LONGEST // 25),
    "braces": "{" * (_LONGEST // 2) + "}" * (_LONGEST // 2),
    "amended": "Amend the rule “Rule by replacing “" * (_LONGEST // 36),
    "white space": "Give each player" + " " * (_LONGEST - 100) + "5 wood",
    "tables": "| a " * (_LONGEST // 4),
    "rows": "| a |\n" * (_LONGEST // 6),
    "addresses": "http://" * (_LONGEST // 7),
    "entities": "&amp" * (_LONGEST // 4),
    "tags": "<a " * (_LONGEST // 3),
    "quotation marks": "“" * _LONGEST,
    "sentences": "a. " * (_LONGEST // 3),
    "commas": "Give A, " * (_LONGEST // 8),
}


@way("texts of 200 kB that regular expressions and Markdown may be slow to read: typed, submitted,"
     " looked at")  # fmt: skip
def hard_texts(stage: Stage) -> None:
    author, reader = stage.newcomer(), stage.newcomer()
    slug = author.start("hard texts")
    stage.attack()
    texts = list(_HARD_TEXTS.values())
    for text in texts[: 6 if stage.quick else None]:
        form = {"title": "T", "body": text[:_LONGEST], "key": "k", "window": "w"}
        author.post(f"/g/{slug}/proposals/preview/", form, htmx=True)
        answer = author.act(slug, "proposals.submit", title="T", body=text[:_LONGEST])
        if answer.status == 201:
            handle = answer.told["outcome"]["id"]
            for page in ("", "changes/"):
                reader.get(f"/g/{slug}/proposals/{handle}/{page}")
            author.act(slug, "proposals.withdraw", proposal=handle)
        reader.get(f"/search/?q={text[:200].encode().hex()}")


@way("a rule of 48,000 short paragraphs: adopted, amended and looked at")
def paragraphs(stage: Stage) -> None:
    author, reader = stage.newcomer(), stage.newcomer()
    slug = author.start("paragraphs")
    stage.attack()
    for text in ("a.\n\n" * 48_000, "# A\n" * 4_900, "a.\n\n" * 1_600):
        author.adopt(slug, lasting("Many", text))
        author.adopt(slug, amendment("Many", f"{text}b."))
        for page in ("rules/", "", "proposals/p1/changes/"):
            reader.get(f"/g/{slug}/{page}")


@way("programs that search patterns for ever, and read long texts again and again", quick=10,
     whole=15)  # fmt: skip
def patterns(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("patterns", first_day="2026-03-01")
    search = (
        "    import re\n    while True: re.match('(a*)*(a*)*(a*)*b', 'a' * 60)\n"
        "    rule_text('Proposals')\n"
    )
    program = "".join(
        f'@after("proposals.comment")\ndef c{n}(me: Player):\n{search}'
        f'@every("day")\ndef d{n}():\n{search}'
        for n in range(30)
    )
    stage.attack()
    author.adopt(slug, enactment("Patterns", program))
    author.propose(slug, "To speak of it.")
    stage.on_and_on(
        lambda: author.act(slug, "proposals.comment", proposal="p2", text="So."), 4, pause=0.3
    )

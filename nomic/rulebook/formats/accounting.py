"""What came of a rulebook, counted against what stands in its files, line by line: by the words
that came, and not by what a reader says that it has done with them."""

import json
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from nomic.rulebook.formats.heading_words import without_tags
from nomic.rulebook.formats.values import Account, BroughtRule, Category, Count

_MOST_LINES = 300  # that are told
_SIGNS = dict.fromkeys(map(ord, string.punctuation + string.whitespace + "–—‐“”‘’§·•…"))
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+")
_UNSAID = frozenset(("rule", "r", "regulation", "power", "no"))  # in a heading beside its facts
_NUMBERED = re.compile(r"[\W_]*(?:rule|regulation|no|r)?[\W_]*[0-9]", re.IGNORECASE)
_HEADING = re.compile(r" {0,3}#{1,6}\s+\S"), re.compile(r"={1,6}[^=\n]+=+\s*\Z")
_KINDS = {
    "table rows": re.compile(r"\s*[|!]\s*\S"),
    "list items": re.compile(r"\s*(?:[-*+•#:;]+|\(?[0-9]{1,4}[.)]|\(?[a-z]{1,3}[.)])\s+\S"),
}


@dataclass(slots=True)
class FileContents:
    """What stands in the files of a rulebook.

    `texts` are whole files by their names, and whether they are of a wiki, `facts` the words of
    fields by where they stand. `heads` has, by the name of a file and a line, what came of a line
    that is told by facts of a rule.
    """

    texts: list[tuple[str, str, bool]] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    heads: dict[tuple[str, int], str] = field(default_factory=dict)
    reworded: list[str] = field(default_factory=list)  # lines that came in other words
    unread: list[str] = field(default_factory=list)  # files, each a sentence
    rules: int = 0
    numbers: int = 0  # in fields

    def add_facts(self, facts: object, where: str) -> None:
        """Let all words in these nested fields be accounted for."""
        self.facts += ((place, words) for place, words in leaves(facts, where) if words)

    def lines(self) -> Iterator[tuple[tuple[str, int], str, bool]]:
        """Each line with the file and the number of the line, 0 in a field, and whether it is of a
        wiki."""
        for name, text, is_wiki in self.texts:
            for number, line in enumerate(text.split("\n"), 1):
                yield (name, number), line, is_wiki
        for place, words in self.facts:
            for line in words.split("\n"):
                yield (place, 0), line, False


def account(
    contents: FileContents, rules: Iterable[BroughtRule], categories: Iterable[Category]
) -> Account:
    """How many of each kind stand in the files and how many came, and each line that did not."""
    rules = list(rules)
    came = Counter(filter(None, map(_key, _words_of(rules, categories))))
    counted, arrived = Counter[str](), Counter[str]()
    came.update(filter(None, map(_key, contents.reworded)))
    lines, missing = contents.unread[:_MOST_LINES], len(contents.unread)
    counted["rules"], arrived["rules"] = contents.rules, len(rules)
    counted["numbers"] = arrived["numbers"] = contents.numbers
    for place, line, is_wiki in contents.lines():
        key = _key(line)
        if not key:
            continue
        head = contents.heads.get(place)
        if head is not None and _tokens(without_tags(line)) <= _tokens(head) | _UNSAID:
            is_here = True
        elif is_here := came[key] > 0:
            came[key] -= 1
        if head is not None or _HEADING[is_wiki].match(line):
            kinds = ["headings", *(["numbers"] if head and _NUMBERED.match(line) else [])]
        else:
            kinds = [kind for kind, pattern in _KINDS.items() if pattern.match(line)]
        counted.update({"letters and figures": len(key), **dict.fromkeys(kinds, 1)})
        if is_here:
            arrived.update({"letters and figures": len(key), **dict.fromkeys(kinds, 1)})
            continue
        missing += 1
        if len(lines) < _MOST_LINES:
            where = f"{place[0]}, line {place[1]}" if place[1] else place[0]
            bare = line.strip()
            lines.append(f"{where}: {bare[:100]}{'…' * (len(bare) > 100)}")
    kinds = ["rules", "numbers", "headings", *_KINDS, "letters and figures"]
    counts = tuple(Count(kind, counted[kind], arrived[kind]) for kind in kinds)
    return Account(counts, tuple(lines), missing)


def signs_left(
    contents: FileContents, rules: Iterable[BroughtRule], categories: Iterable[Category]
) -> list[str]:
    """A sentence for each text of which lines of signs alone stand in no rule and no category."""
    lines = (line.strip() for line in _words_of(rules, categories))
    came = Counter(line for line in lines if line and not _key(line))
    left: dict[str, list[tuple[int, str]]] = {}
    for (name, number), line, _ in contents.lines():
        bare = line.strip()
        if not number or not bare or (name, number) in contents.heads or _key(bare):
            continue
        if came[bare]:
            came[bare] -= 1
        else:
            left.setdefault(name, []).append((number, bare))
    return [
        f"{name}: {len(places):,} lines of signs alone stand in no text, the first"
        f" “{places[0][1][:20]}” in line {places[0][0]}."
        for name, places in left.items()
    ]


def _words_of(rules: Iterable[BroughtRule], categories: Iterable[Category]) -> Iterator[str]:
    """Each line of what came."""
    parts: list[BroughtRule | Category] = [*rules, *categories]
    for part in parts:
        facts = part.facts()
        facts.pop("filed", None)  # the whole file would account for each of its lines
        for _, words in leaves(facts):
            yield from words.split("\n")


def leaves(facts: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """The words in nested facts with the way to them, those included that are kept as JSON."""
    waiting = [(where, facts)]
    while waiting:
        place, fact = waiting.pop()
        if isinstance(fact, str):
            yield place, fact
        elif isinstance(fact, Mapping):
            for name, inner in reversed([*fact.items()]):
                if name in ("more", "source") and isinstance(inner, str):
                    with suppress(ValueError):
                        inner = json.loads(inner)
                waiting.append((f"{place}, {name}", inner))
        elif isinstance(fact, list | tuple):
            waiting += [(place, inner) for inner in reversed(fact)]


def _key(line: str) -> str:
    """The letters and figures of a line."""
    if not line.isascii():
        line = unicodedata.normalize("NFC", line)
    return line.translate(_SIGNS)


def _tokens(words: str) -> set[str]:
    return set(_TOKEN.findall(unicodedata.normalize("NFC", words).casefold()))

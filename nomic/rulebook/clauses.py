"""Sentences that a program reads: a number or a word of a rule's text, found by a declared pattern.

A subgame declares for each clause the words that identify its sentence, such as “gain {n} dollaries
by announcement”, in as many wordings as there are: phrases (phrases.py). A wording is compared with
one passage at a time, without regard to case, spacing, quotes and emphasis; numbers up to twelve
may be words, and “twice” is “2 times”. Wordings are written as they are compared: in small letters,
with figures.

What a passage forbids it does not say: nothing is read in one that begins with “no” or “nobody”,
has “not” or “never” beside the wording, or “cannot” before it.

Nothing here knows Django.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.passages import PassageKind, normalised, passages_of
from nomic.rulebook.phrases import NUMBERS, PhraseBlank, expression, read

type Values = Mapping[str, tuple[str, ...]]

_LONGEST = 2_000  # of a passage that is compared, so that it takes no time worth telling
_SAYING = frozenset({PassageKind.SENTENCE, PassageKind.ITEM})
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b")
_TIMES_WORDS = {"once": 1, "twice": 2, "thrice": 3}
_TIMES = re.compile(r"\b(?:once|twice|thrice)\b")
_NUMBER = r"[0-9]{1,6}(?![.,]?[0-9])"
_WORD = r"[\w#][\w#-]*"
_SOME_WORDS = r"[\w-]+(?: [\w-]+){0,2}"
_FORBIDS = re.compile(r"^(?:no|none|nobody|nothing|neither)\b|\b(?:cannot|cant) $")
_DENIES = re.compile(r"\b(?:not|never)\b")
_LINKS = re.compile(r",? (?:or|and) |, ")


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """A sentence of the rule titled `rule` that says a cell of one of the rule's tables.

    `table` is the first column of that table. `row`, `column` and `cell` say where the cell stands
    and what is in it; `{n}` in them is what a wording found as `n`. Of a list, each makes a row.
    """

    rule: str
    table: str
    row: str
    column: str
    wordings: tuple[str, ...]
    cell: str = "{n}"

    def rows(self, values: Values) -> dict[str, str]:
        """The cells of its column, by row, for the values that a wording found."""
        count = max(map(len, values.values()), default=1)
        if any(len(words) not in (1, count) for words in values.values()):
            return {}
        row_values = [
            {name: words[place % len(words)] for name, words in values.items()}
            for place in range(count)
        ]
        return {self.row.format(**fields): self.cell.format(**fields) for fields in row_values}

    def match_in(self, passage: str) -> re.Match[str] | None:
        """Where a wording of it stands in a plain passage that does not deny it."""
        matches = filter(None, (_pattern(wording).search(passage) for wording in self.wordings))
        return next((match for match in matches if not _is_denied(match)), None)


def clauses_in(path: Path) -> tuple[Clause, ...]:
    """The clauses of a TOML file: below rule, table and column, the wordings of each row's cell.

    Where that is not `{n}` itself, there stand tables with what is `said` and the `cell`.
    """
    return tuple(
        Clause(rule, table, row, column, tuple(wording["said"]), wording.get("cell", "{n}"))
        for rule, tables in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for table, columns in tables.items()
        for column, rows in columns.items()
        for row, wordings in rows.items()
        for wording in (wordings if isinstance(wordings[0], dict) else [{"said": wordings}])
    )


@dataclass(frozen=True, slots=True)
class Match:
    """The values that clauses read in a passage.

    `frame` is the passage as it is compared, with `{}` where it holds what was read: two passages
    with the same frame say the same of other numbers.
    """

    reads: tuple[tuple[Clause, Values], ...]
    frame: str


@memoized(share=0.04, shared=(Clause,))
def clause_of(passage: str, clauses: tuple[Clause, ...]) -> Match | None:
    """The values that these clauses read in the passage; None where it is no sentence of theirs."""
    plain_passage = _plain(passage)
    if len(plain_passage) > _LONGEST:
        return None
    reads: list[tuple[Clause, Values]] = []
    spans: set[tuple[int, int]] = set()
    for clause in clauses:
        if match := clause.match_in(plain_passage):
            values = {name: tuple(_LINKS.split(words)) for name, words in match.groupdict().items()}
            reads.append((clause, values))
            spans |= {match.span(name) for name in values}
    parts, at = [], 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):  # first the longer
        if start >= at:
            parts += [plain_passage[at:start], "{}"]
            at = end
    return Match(tuple(reads), "".join([*parts, plain_passage[at:]])) if reads else None


def cells_of(text: str, clauses: Iterable[Clause]) -> dict[tuple[str, str], set[str]]:
    """The cells that sentences of that text say by these clauses, by row and column.

    More than one of a cell where they contradict each other. Tables and programs say nothing here.
    """
    cells: dict[tuple[str, str], set[str]] = {}
    wanted = tuple(clauses)
    for passage in passages_of(text) if wanted else ():
        match = clause_of(passage.text, wanted) if passage.kind in _SAYING else None
        for clause, values in match.reads if match else ():
            for row, cell in clause.rows(values).items():
                cells.setdefault((row, clause.column), set()).add(cell)
    return cells


def unread_cells(text: str, clauses: Iterable[Clause]) -> dict[tuple[str, str], str]:
    """Where that text has the sentence of a clause with other words in the place of its number:
    those words, by row and column."""
    words: dict[tuple[str, str], str] = {}
    wanted = [clause for clause in clauses if "{" not in clause.row and "{" in clause.cell]
    for passage in _plain_passages(text) if wanted else ():
        for clause in wanted:
            loose = filter(
                None, (_pattern(wording, loose=True).search(passage) for wording in clause.wordings)
            )
            if (match := next(loose, None)) and not _is_denied(match):
                words.setdefault((clause.row, clause.column), " ".join(match.groups()))
    return words


def _is_denied(match: re.Match[str]) -> bool:
    """Whether the words around a wording forbid what it says."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    return bool(_FORBIDS.search(before) or _DENIES.search(before) or _DENIES.search(after))


@memoized(share=0.03)
def _plain_passages(text: str) -> tuple[str, ...]:
    """The passages of that text that may say something, as they are compared."""
    saying = (_plain(passage.text) for passage in passages_of(text) if passage.kind in _SAYING)
    return tuple(words for words in saying if len(words) <= _LONGEST)


def _plain(text: str) -> str:
    """The text without regard to case, and its number words as figures."""
    words = normalised(text).casefold().replace("'", "").replace('"', "")
    words = _TIMES.sub(lambda match: f"{_TIMES_WORDS[match[0]]} times", words)
    return _NUMBER_WORD.sub(lambda match: NUMBERS[match[0]], words)


@cache
def _pattern(wording: str, *, loose: bool = False) -> re.Pattern[str]:
    """The wording as an expression over plain passages; if `loose`, with some words in the place of
    each number."""

    def blank(piece: PhraseBlank) -> str:
        single = _WORD if piece.is_word else _NUMBER
        many = rf"(?:(?:, (?!or |and )|,? (?:or|and) ){single})*" if piece.several else ""
        expected = _SOME_WORDS if loose else f"{single}{many}"
        return rf"(?P<{piece.name}>{expected})" if piece.name else expected

    return re.compile(rf"(?<![\w-]){expression(read(wording), blank)}(?![\w-])")

"""Who carries out what a rule says: a mark for each passage of its text. Pure.

The program is fitted to passages that it knows by their fingerprints: those of the texts that a
game starts with, and of the sources' own. A passage of a rule that the program plays by and does
not know, and one that it knows and that the text has no more, are not carried out as they read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache

from nomic.rulebook.clauses import Clause, clause_of
from nomic.rulebook.passages import (
    Kind,
    Passage,
    Settled,
    fingerprint,
    normalised,
    passages_of,
)
from nomic.rulebook.tables import WIDE_GAP, Cells, is_ruler, pipe_cells, plain, wiki_cells

type Columns = tuple[str, ...]

PEOPLE = "people"
PROGRAM = "program"
_PYTHON = re.compile(r"(?:`{3,}|~{3,})\s*python\b")
_SAID = frozenset({Kind.SENTENCE, Kind.ITEM})


class Mark(StrEnum):
    """Who carries a passage out."""

    TABLE = "table"
    CLAUSE = "clause"
    PROGRAM = "program"
    BUILT_IN = "built in"
    PEOPLE = "people"
    UNFITTED = "not carried out as it reads"

    @property
    def is_carried_out(self) -> bool:
        """Whether the program does it, as it reads."""
        return self in (Mark.TABLE, Mark.CLAUSE, Mark.PROGRAM, Mark.BUILT_IN)


class End(StrEnum):
    """What was found of a passage that the program does not know, or misses."""

    NOTHING = "it changes nothing"
    BY_HAND = "kept by hand"


@dataclass(frozen=True, slots=True)
class Known:
    """A passage that the program knows, of one wording of the rule.

    `parts` are the actions and events that do what it says; none where people do.
    """

    key: str
    wording: str
    parts: tuple[str, ...] = ()
    by_program: bool = False


@dataclass(frozen=True, eq=False)
class Machinery:
    """What the program knows of one rule.

    `tables` are those that it reads there, by their columns; of `open_tables`, by their first
    column, it reads whatever rows there are, of others those that a shipped text has. `blocks`
    tells whether it runs the rule's programs. Where it is not `fitted` to the rule's own text, it
    plays by the rule's tables and programs alone, and people carry out the rest.
    """

    known: tuple[Known, ...] = ()
    tables: tuple[Columns, ...] = ()
    open_tables: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    clauses: tuple[Clause, ...] = ()
    blocks: bool = False
    fitted: bool = True

    @property
    def otherwise(self) -> Mark:
        """The mark of a passage of which it knows nothing."""
        return Mark.UNFITTED if self.fitted else Mark.PEOPLE

    @cached_property
    def by_key(self) -> Mapping[str, Known]:
        return {each.key: each for each in reversed(self.known)}

    @cached_property
    def wordings(self) -> Mapping[str, tuple[Known, ...]]:
        found: dict[str, list[Known]] = {}
        for each in self.known:
            found.setdefault(each.wording, []).append(each)
        return {name: tuple(own) for name, own in found.items()}

    def reads(self, first_column: str, row: str) -> bool:
        """Whether it reads this row of the table that begins with this column."""
        return first_column in self.open_tables or row_key(first_column, row) in self.rows


@dataclass(frozen=True, slots=True)
class Program:
    """The program that a rule carries: whether it `runs`, and what of the game it is `around`, that
    is before, after or instead of, by the names of actions, events and decisions."""

    runs: bool
    around: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Marked:
    """A passage and who carries it out; `passage` is None where the program does something that
    the text says no more. `parts` are the actions and events that have to do with it."""

    key: str
    mark: Mark
    passage: Passage | None = None
    parts: tuple[str, ...] = ()
    settled: Settled | None = None

    @property
    def is_unfitted(self) -> bool:
        return self.mark is Mark.UNFITTED

    @property
    def is_said(self) -> bool:
        """Whether it is a sentence or a list item, which are counted."""
        return self.passage is not None and self.passage.kind in _SAID


@dataclass(frozen=True, slots=True)
class Marks:
    """The passages of a text with their marks, and what is `gone` from it."""

    passages: tuple[Marked, ...]
    gone: tuple[Marked, ...] = ()

    @property
    def unfitted(self) -> list[Marked]:
        """What is not carried out as it reads, in the order of the text, what is gone last."""
        return [each for each in (*self.passages, *self.gone) if each.is_unfitted]

    @property
    def said(self) -> int:
        """How many sentences and list items there are."""
        return sum(each.is_said for each in self.passages)

    @property
    def carried_out(self) -> int:
        """How many of them the program carries out."""
        return sum(each.is_said and each.mark.is_carried_out for each in self.passages)

    @property
    def kept_by_hand(self) -> dict[str, Settled]:
        """The actions and events that are switched off, with why."""
        return {
            part: each.settled
            for each in (*self.passages, *self.gone)
            if each.settled is not None and each.settled.end == End.BY_HAND
            for part in each.settled.parts
        }


def key_of(passage: str, clauses: Iterable[Clause] = ()) -> str:
    """By what the program knows the passage: its words, but for what a clause reads in it."""
    match = clause_of(passage, clauses)
    return fingerprint(match.frame if match else normalised(passage))


def marks_of(
    text: str,
    machinery: Machinery | None,
    settled: Mapping[str, Settled] | None = None,
    program: Program | None = None,
) -> Marks:
    """Who carries out each passage of that text; people do all of it where no `machinery` is, but
    for the rule's own `program`."""
    marks = _marks(text, machinery)
    if not settled and program is None:
        return marks
    return Marks(
        tuple(_ended(each, settled or {}, program) for each in marks.passages),
        tuple(_ended(each, settled or {}, program) for each in marks.gone),
    )


def _ended(marked: Marked, settled: Mapping[str, Settled], program: Program | None) -> Marked:
    if program is not None:
        marked = _programmed(marked, program)
    found = settled.get(marked.key) if marked.is_unfitted else None
    if found is None:
        return marked
    is_built_in = found.end == End.NOTHING and marked.parts
    return replace(marked, mark=Mark.BUILT_IN if is_built_in else Mark.PEOPLE, settled=found)


def _programmed(marked: Marked, program: Program) -> Marked:
    """A block of the program is run if it can be; and what it stands before or after does what
    the program says."""
    passage = marked.passage
    if passage is not None and passage.kind is Kind.PROGRAM and _PYTHON.match(passage.text):
        return replace(marked, mark=Mark.PROGRAM if program.runs else Mark.UNFITTED)
    if marked.is_unfitted and marked.parts and program.around.issuperset(marked.parts):
        return replace(marked, mark=Mark.PROGRAM)
    return marked


@lru_cache(maxsize=1024)
def _marks(text: str, machinery: Machinery | None) -> Marks:
    passages = passages_of(text)
    if machinery is None:
        return Marks(tuple(Marked("", Mark.PEOPLE, each) for each in passages))
    return _Fitting(machinery, text, passages).marks()


@dataclass
class _Fitting:
    """Lays a text beside the wording of its rule that it shares most passages with."""

    machinery: Machinery
    text: str
    passages: tuple[Passage, ...]
    base: tuple[Known, ...] = ()
    keys: list[str] = field(init=False)
    has_block: bool = field(init=False)

    def __post_init__(self) -> None:
        self.has_block = any(each.kind is Kind.PROGRAM for each in self.passages)
        clauses = self.machinery.clauses
        self.keys = [
            key_of(each.text, clauses if each.kind in _SAID else ()) for each in self.passages
        ]
        own = set(self.keys)
        wordings = self.machinery.wordings.values()
        if self.machinery.fitted:
            self.base = max(wordings, key=lambda each: _shared(each, own), default=())

    def marks(self) -> Marks:
        rows_read = _rows_read(self.text, self.passages, self.machinery)
        marked = [self._mark(place, key, rows_read) for place, key in enumerate(self.keys)]
        return self._with_what_is_gone(marked)

    def _mark(self, place: int, key: str, rows_read: Collection[int]) -> Marked:
        passage = self.passages[place]
        if passage.kind is Kind.ROW:
            is_read = place in rows_read
            return Marked(key, Mark.TABLE if is_read else self.machinery.otherwise, passage)
        if passage.kind is Kind.PROGRAM and self.machinery.blocks:
            return Marked(key, Mark.PROGRAM, passage)
        known = self.machinery.by_key.get(key)
        if known is None or (known.by_program and not self.has_block):
            return Marked(key, self.machinery.otherwise, passage)
        return Marked(key, self._fitted(known, passage), passage, known.parts)

    def _fitted(self, known: Known, passage: Passage) -> Mark:
        if clause_of(passage.text, self.machinery.clauses):
            return Mark.CLAUSE
        if known.by_program:
            return Mark.PROGRAM
        return Mark.BUILT_IN if known.parts else Mark.PEOPLE

    def _with_what_is_gone(self, marked: list[Marked]) -> Marks:
        """What the program does and the text says no more goes to the passages in its place."""
        missing = self._missing()
        here = {each.key: place for place, each in enumerate(self.base)}
        slot = -1
        waiting: dict[int, list[int]] = {}
        for place, each in enumerate(marked):
            if each.is_unfitted and each.is_said:
                waiting.setdefault(slot, []).append(place)
            else:
                slot = here.get(each.key, slot)
        gone: list[Marked] = []
        for after, known in missing:
            places = waiting.get(after)
            if not places:
                gone.append(Marked(known.key, Mark.UNFITTED, None, known.parts))
                continue
            place = places[0] if len(places) == 1 else places.pop(0)
            parts = dict.fromkeys((*marked[place].parts, *known.parts))
            marked[place] = replace(marked[place], parts=tuple(parts))
        return Marks(tuple(marked), tuple(gone))

    def _missing(self) -> list[tuple[int, Known]]:
        """What of the wording is built in and not in the text, each with the place in the wording
        of what stands before it there and is in the text.

        What another wording says there instead counts as said.
        """
        own = set(self.keys)
        ours = {each.key for each in self.base}
        said = {
            part
            for key in own - ours
            if (known := self.machinery.by_key.get(key)) is not None
            for part in known.parts
        }
        found: list[tuple[int, Known]] = []
        slot = -1
        for place, each in enumerate(self.base):
            if each.key in own:
                slot = place
            elif each.parts and not said.issuperset(each.parts):
                found.append((slot, each))
        return found


def _shared(wording: Iterable[Known], keys: Collection[str]) -> int:
    return sum(each.key in keys for each in wording)


# Tables


def row_key(first_column: str, row: str) -> str:
    """By what a row of the table that begins with this column is known."""
    return f"{plain(first_column)} | {plain(_cells(row)[0])}"


def tables_of(text: str) -> dict[Columns, list[str]]:
    """The tables of a text that have a heading: by their columns, the rows as they are written."""
    found: dict[Columns, list[str]] = {}
    rows: list[str] = []
    for passage in passages_of(text):
        if passage.kind is Kind.ROW and _is_head(passage.text):
            rows = found.setdefault(tuple(_cells(_head_line(passage.text))), [])
        elif passage.kind is Kind.ROW:
            rows.append(passage.text)
    return found


def _head_line(head: str) -> str:
    return head.partition("\n")[0].removeprefix("!").replace("!!", "||")


def _rows_read(text: str, passages: tuple[Passage, ...], machinery: Machinery) -> set[int]:
    """The places of the rows that the program reads, those of heads among them.

    Of two tables with the same columns it reads the first.
    """
    found: set[int] = set()
    unread = list(machinery.tables)
    columns: Columns | None = None
    before: Passage | None = None
    for place, passage in enumerate(passages):
        if passage.kind is Kind.ROW:
            is_head = _is_head(passage.text)
            if is_head or before is None or _parted(text, before, passage):
                columns = _columns_of(passage.text, unread) if is_head else _bare(unread)
                if columns is not None:
                    unread.remove(columns)
            if columns is not None and (is_head or machinery.reads(columns[0], passage.text)):
                found.add(place)
        before = passage if passage.kind is Kind.ROW else None
    return found


def _parted(text: str, before: Passage, row: Passage) -> bool:
    return text.count("\n", before.end, row.start) > 1


def _is_head(row: str) -> bool:
    return row.startswith("!") or is_ruler(row.rpartition("\n")[2])


def _columns_of(head: str, tables: Iterable[Columns]) -> Columns | None:
    line = _head_line(head)
    names = {plain(cell) for cell in (*_cells(line), *line.split())}
    return next((own for own in tables if {plain(name) for name in own} <= names), None)


def _bare(tables: list[Columns]) -> Columns | None:
    """What rows under no heading are read as."""
    return tables[0] if tables else None


def _cells(line: str) -> Cells:
    if "||" in line:
        return wiki_cells(line)
    return pipe_cells(line) if "|" in line else WIDE_GAP.split(line.strip())

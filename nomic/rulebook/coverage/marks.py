"""Who carries out what a rule says: a mark for each passage of its text. Pure.

The program is fitted to passages that it knows by their fingerprints: those of the texts that a
game starts with, and of the sources' own. A passage of a rule that the program plays by and does
not know, and one that it knows and that the text has no more, are not carried out as they read.
Nor is what a vote has put into rules by which no part of the program plays, whatever it says.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.clauses import Clause, clause_of
from nomic.rulebook.coverage.rows import Columns, rows_read
from nomic.rulebook.increasing import longest_increasing
from nomic.rulebook.passages import (
    Passage,
    PassageKind,
    Settled,
    fingerprint,
    normalised,
    passages_of,
)

PEOPLE = "people"
PROGRAM = "program"
_PYTHON = re.compile(r"(?:`{3,}|~{3,})\s*python\b")
SAID = frozenset({PassageKind.SENTENCE, PassageKind.ITEM})
_GOES_ON = ("…", "...")


class Mark(StrEnum):
    """Who carries a passage out."""

    TABLE = "table"
    CLAUSE = "clause"
    PROGRAM = "program"
    CLAIMED = "claimed by its program"
    BUILT_IN = "built in"
    PEOPLE = "people"
    UNREAD = "cannot be read"
    UNFITTED = "not carried out as it reads"

    @property
    def is_carried_out(self) -> bool:
        """Whether the program does it, as it reads."""
        return self in (Mark.TABLE, Mark.CLAUSE, Mark.PROGRAM, Mark.BUILT_IN)


class End(StrEnum):
    """An officer's finding on a passage that the program does not know, or misses."""

    NOTHING = "it changes nothing"
    BY_HAND = "kept by hand"


@dataclass(frozen=True, slots=True)
class KnownPassage:
    """A passage that the program knows, of one wording of the rule.

    `parts` are the actions and events that do what it says; none where people do.
    """

    key: str
    wording: str
    parts: tuple[str, ...] = ()
    by_program: bool = False


@dataclass(frozen=True, eq=False)
class Machinery:
    """The program's knowledge of one rule.

    `tables` are those that it reads there, by their columns; of `open_tables`, by their first
    column, it reads whatever rows there are, of others `rows`, with what is empty in each. `blocks`
    tells whether it runs the rule's programs. Where it is not `fitted` to the rule's own text, it
    plays by the rule's tables and programs alone, and people carry out the rest.
    """

    known: tuple[KnownPassage, ...] = ()
    tables: tuple[Columns, ...] = ()
    open_tables: frozenset[str] = frozenset()
    rows: Mapping[str, frozenset[str]] = field(default_factory=dict)
    clauses: tuple[Clause, ...] = ()
    blocks: bool = False
    fitted: bool = True

    @property
    def otherwise(self) -> Mark:
        """The mark of a passage of which it knows nothing."""
        return Mark.UNFITTED if self.fitted else Mark.PEOPLE

    @cached_property
    def by_key(self) -> Mapping[str, KnownPassage]:
        # A passage that several wordings have counts as that of the first in the list.
        return {passage.key: passage for passage in reversed(self.known)}

    @cached_property
    def wordings(self) -> Mapping[str, tuple[KnownPassage, ...]]:
        by_wording: dict[str, list[KnownPassage]] = {}
        for passage in self.known:
            by_wording.setdefault(passage.wording, []).append(passage)
        return {name: tuple(passages) for name, passages in by_wording.items()}


@dataclass(frozen=True, slots=True)
class CarriedProgram:
    """The program that a rule carries: whether it `runs`, and what of the game it is `around`, that
    is before, after or instead of, by the names of actions, events and decisions. `carries` are the
    sentences of the rule that it says it carries out."""

    runs: bool
    around: frozenset[str] = frozenset()
    carries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedPassage:
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
        return self.passage is not None and self.passage.kind in SAID


@dataclass(frozen=True, slots=True)
class PassageMarks:
    """The passages of a text with their marks, and what is `gone` from it."""

    passages: tuple[MarkedPassage, ...]
    gone: tuple[MarkedPassage, ...] = ()

    @property
    def unfitted(self) -> list[MarkedPassage]:
        """The passages that are not carried out as they read, in order, those gone last."""
        return [marked for marked in (*self.passages, *self.gone) if marked.is_unfitted]

    @property
    def said(self) -> int:
        """How many sentences and list items there are."""
        return sum(marked.is_said for marked in self.passages)

    @property
    def carried_out(self) -> int:
        """How many of them the program carries out."""
        return sum(marked.is_said and marked.mark.is_carried_out for marked in self.passages)

    @property
    def claimed(self) -> list[MarkedPassage]:
        """The passages of which the rule's program says that it carries them out, in order."""
        return [marked for marked in self.passages if marked.mark is Mark.CLAIMED]

    @property
    def claims(self) -> int:
        """How many sentences and list items are among these."""
        return sum(marked.is_said for marked in self.claimed)

    @property
    def kept_by_hand(self) -> dict[str, Settled]:
        """The actions and events that are switched off, with why."""
        return {
            part: marked.settled
            for marked in (*self.passages, *self.gone)
            if marked.settled is not None and marked.settled.end == End.BY_HAND
            for part in marked.settled.parts
        }


def is_quoted(words: str, passage: str) -> bool:
    """Whether these are the passage's words, or with “…” behind them its first ones,
    each of them whole."""
    plain = normalised(words)
    if not plain.endswith(_GOES_ON):
        return plain == normalised(passage)
    begins = plain.rstrip("….").rstrip()
    whole = normalised(passage)
    cut = begins[-1:].isalnum() and whole[len(begins) :][:1].isalnum()
    return bool(begins) and whole.startswith(begins) and not cut


def key_of(passage: str, clauses: Iterable[Clause] = ()) -> str:
    """By what the program knows the passage: its words, but for what a clause reads in it."""
    match = clause_of(passage, tuple(clauses))
    return fingerprint(match.frame if match else normalised(passage))


def marks_of(
    text: str,
    machinery: Machinery | None,
    settled: Mapping[str, Settled] | None = None,
    program: CarriedProgram | None = None,
) -> PassageMarks:
    """Who carries out each passage of that text; people do all of it where no `machinery` is, but
    for the rule's own `program`."""
    marks = _marks(text, machinery)
    if not settled and program is None:
        return marks
    return PassageMarks(
        tuple(_ended(marked, settled or {}, program) for marked in marks.passages),
        tuple(_ended(marked, settled or {}, program) for marked in marks.gone),
    )


def as_of(marks: PassageMarks, played: str) -> PassageMarks:
    """The marks of a rule that cannot be read and is played by another text: the program reads what
    stands there in the same words alone."""
    read = {normalised(passage.text) for passage in passages_of(played)}
    passages = []
    for marked in marks.passages:
        is_read = marked.passage is not None and normalised(marked.passage.text) in read
        by_text = marked.mark in (Mark.TABLE, Mark.CLAUSE)
        passages.append(replace(marked, mark=Mark.UNREAD) if by_text and not is_read else marked)
    return replace(marks, passages=tuple(passages))


def with_new_prose(
    marks: PassageMarks,
    text: str,
    began_as: str,
    settled: Mapping[str, Settled],
    read: Callable[[], Collection[int]],
) -> PassageMarks:
    """The marks of that text, with what waits in it: what does not stand in the text with which the
    game `began`, and nothing carries out. Of `read` rows, those of tables that programs read, the
    programs claim that they carry them out."""
    new = _new(text, began_as)
    free = {at: key for at, key in new.items() if marks.passages[at].mark is Mark.PEOPLE}
    if not free:
        return marks
    passages = list(marks.passages)
    free_passages = (passages[at].passage for at in free)
    has_rows = any(
        passage is not None and passage.kind is PassageKind.ROW for passage in free_passages
    )
    claimed = read() if has_rows else ()
    for at, key in free.items():
        if at in claimed:
            passages[at] = replace(passages[at], mark=Mark.CLAIMED)
            continue
        ended = settled.get(key)
        mark = Mark.PEOPLE if ended else Mark.UNFITTED
        passages[at] = replace(passages[at], key=key, mark=mark, settled=ended)
    return replace(marks, passages=tuple(passages))


@memoized(share=0.01)
def _new(text: str, began_as: str) -> dict[int, str]:
    """The keys of what is new, by its place among the passages."""
    if text == began_as:
        return {}
    keys_then = {fingerprint(passage.text) for passage in passages_of(began_as)}
    keys = enumerate(fingerprint(passage.text) for passage in passages_of(text))
    return {at: key for at, key in keys if key not in keys_then}


def _ended(
    marked: MarkedPassage, settled: Mapping[str, Settled], program: CarriedProgram | None
) -> MarkedPassage:
    passage, mark = marked.passage, marked.mark
    if program is not None:
        # A block of the program is run if it can be. That it carries out what it stands before or
        # after, and what it says it does where nothing else does, is its claim: nobody reads code.
        is_free = marked.is_said and not mark.is_carried_out and not marked.parts
        if (
            passage is not None
            and passage.kind is PassageKind.PROGRAM
            and _PYTHON.match(passage.text)
        ):
            mark = Mark.PROGRAM if program.runs else Mark.UNFITTED
        elif marked.is_unfitted and marked.parts and program.around.issuperset(marked.parts):
            mark = Mark.CLAIMED
        elif passage is not None and is_free and program.runs:
            is_carried = any(is_quoted(words, passage.text) for words in program.carries)
            mark = Mark.CLAIMED if is_carried else mark
        marked = replace(marked, mark=mark)
    finding = settled.get(marked.key) if marked.is_unfitted else None
    if finding is None:
        return marked
    is_built_in = finding.end == End.NOTHING and marked.parts
    return replace(marked, mark=Mark.BUILT_IN if is_built_in else Mark.PEOPLE, settled=finding)


@memoized(share=0.04, shared=(Machinery,))
def _marks(text: str, machinery: Machinery | None) -> PassageMarks:
    passages = passages_of(text)
    if machinery is None:
        return PassageMarks(tuple(MarkedPassage("", Mark.PEOPLE, passage) for passage in passages))
    return _Fitting(machinery, text, passages).marks()


@dataclass
class _Fitting:
    """Lays a text beside the wording of its rule that it shares most passages with."""

    machinery: Machinery
    text: str
    passages: tuple[Passage, ...]
    base: tuple[KnownPassage, ...] = ()
    keys: list[str] = field(init=False)
    has_block: bool = field(init=False)
    places: list[int | None] = field(init=False)  # in the wording, of each passage that is there

    def __post_init__(self) -> None:
        clauses = self.machinery.clauses
        self.keys = [
            key_of(passage.text, clauses if passage.kind in SAID else ())
            for passage in self.passages
        ]
        kinds = zip(self.passages, self.keys, strict=True)
        blocks = [key for passage, key in kinds if passage.kind is PassageKind.PROGRAM]
        recognised = blocks if self.machinery.fitted else self.machinery.by_key
        self.has_block = any(key in recognised for key in blocks)
        keys = set(self.keys)
        wordings = self.machinery.wordings.values()
        if self.machinery.fitted:

            def shared(wording: tuple[KnownPassage, ...]) -> int:
                return sum(passage.key in keys for passage in wording)

            self.base = max(wordings, key=shared, default=())
        free: dict[str, list[int]] = {}
        for place in range(len(self.base) - 1, -1, -1):
            free.setdefault(self.base[place].key, []).append(place)
        # Twins take their places in turn, and the last serves all that follow: with one place for
        # all of them the second would look displaced.
        self.places = [
            (unused.pop() if len(unused) > 1 else unused[0]) if (unused := free.get(key)) else None
            for key in self.keys
        ]

    @cached_property
    def displaced(self) -> frozenset[int]:
        """The passages by which the program plays and that stand in another order than it knows."""
        ordered = [
            (place, place_then)
            for place, place_then in enumerate(self.places)
            if place_then is not None and self.base[place_then].parts
        ]
        in_order = set(longest_increasing([place_then for _, place_then in ordered]))
        return frozenset(place for at, (place, _) in enumerate(ordered) if at not in in_order)

    def marks(self) -> PassageMarks:
        """The marks. Parts of the program that the text no longer says go to the passages in their
        place; those that have none there are gone."""
        machinery = self.machinery
        tables = machinery.tables, machinery.open_tables, machinery.rows
        read = rows_read(self.text, self.passages, *tables)
        marked = [self._mark(place, key, read) for place, key in enumerate(self.keys)]
        places_then = {passage.key: place for place, passage in enumerate(self.base)}
        slot = -1
        waiting: dict[int, list[int]] = {}
        for place, reading in enumerate(marked):
            if reading.is_unfitted and reading.is_said:
                waiting.setdefault(slot, []).append(place)
            else:
                slot = places_then.get(reading.key, slot)
        gone: list[MarkedPassage] = []
        for after, missing in self._missing():
            places = waiting.get(after)
            if not places:
                gone.append(MarkedPassage(missing.key, Mark.UNFITTED, None, missing.parts))
                continue
            place = places[0] if len(places) == 1 else places.pop(0)
            parts = dict.fromkeys((*marked[place].parts, *missing.parts))
            marked[place] = replace(marked[place], parts=tuple(parts))
        return PassageMarks(tuple(marked), tuple(gone))

    def _mark(self, place: int, key: str, read: Collection[int]) -> MarkedPassage:
        passage = self.passages[place]
        if passage.kind is PassageKind.ROW:
            is_read = place in read
            return MarkedPassage(key, Mark.TABLE if is_read else self.machinery.otherwise, passage)
        if passage.kind is PassageKind.PROGRAM and self.machinery.blocks:
            return MarkedPassage(key, Mark.PROGRAM, passage)
        recognised = self.machinery.by_key.get(key)
        if recognised is None or (recognised.by_program and not self.has_block):
            return MarkedPassage(key, self.machinery.otherwise, passage)
        if place in self.displaced:
            mark = Mark.UNFITTED
        elif clause_of(passage.text, self.machinery.clauses):
            mark = Mark.CLAUSE
        elif recognised.by_program:
            mark = Mark.PROGRAM
        else:
            mark = Mark.BUILT_IN if recognised.parts else Mark.PEOPLE
        return MarkedPassage(key, mark, passage, recognised.parts)

    def _missing(self) -> list[tuple[int, KnownPassage]]:
        """The passages of the wording that are built in and not in the text, each with the place in
        the wording of the passage before it that is in the text; -1 where there is none.

        A passage of another wording that the text has in that place instead counts as said, once.
        """
        # In another wording's words, by the place of the passage before them.
        otherwise_said: dict[int, list[KnownPassage]] = {}
        slot = -1
        for at, key in enumerate(self.keys):
            known_at = self.places[at]
            if known_at is not None:
                slot = slot if at in self.displaced else known_at
            elif recognised := self.machinery.by_key.get(key):
                otherwise_said.setdefault(slot, []).append(recognised)
        keys = set(self.keys)
        missing: list[tuple[int, KnownPassage]] = []
        slot = -1
        for place, passage in enumerate(self.base):
            if passage.key in keys:
                slot = place
            elif passage.parts and not _taken(otherwise_said.get(slot, []), passage.parts):
                missing.append((slot, passage))
        return missing


def _taken(sentences: list[KnownPassage], parts: Collection[str]) -> bool:
    """Whether sentences say that these parts do; those that do are taken away."""
    wanted = set(parts)
    used = []
    for sentence in sentences:
        if wanted.intersection(sentence.parts):
            used.append(sentence)
            wanted.difference_update(sentence.parts)
    if wanted:
        return False
    for sentence in used:
        sentences.remove(sentence)
    return True

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

from nomic.infrastructure.caching.memory import kept
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
        return {each.key: each for each in reversed(self.known)}

    @cached_property
    def wordings(self) -> Mapping[str, tuple[KnownPassage, ...]]:
        found: dict[str, list[KnownPassage]] = {}
        for each in self.known:
            found.setdefault(each.wording, []).append(each)
        return {name: tuple(own) for name, own in found.items()}


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
    def claimed(self) -> list[MarkedPassage]:
        """The passages of which the rule's program says that it carries them out, in order."""
        return [each for each in self.passages if each.mark is Mark.CLAIMED]

    @property
    def claims(self) -> int:
        """How many sentences and list items are among these."""
        return sum(each.is_said for each in self.claimed)

    @property
    def kept_by_hand(self) -> dict[str, Settled]:
        """The actions and events that are switched off, with why."""
        return {
            part: each.settled
            for each in (*self.passages, *self.gone)
            if each.settled is not None and each.settled.end == End.BY_HAND
            for part in each.settled.parts
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
        tuple(_ended(each, settled or {}, program) for each in marks.passages),
        tuple(_ended(each, settled or {}, program) for each in marks.gone),
    )


def as_of(marks: PassageMarks, played: str) -> PassageMarks:
    """The marks of a rule that cannot be read and is played by another text: the program reads what
    stands there in the same words alone."""
    read = {normalised(each.text) for each in passages_of(played)}
    found = []
    for each in marks.passages:
        is_read = each.passage is not None and normalised(each.passage.text) in read
        by_text = each.mark in (Mark.TABLE, Mark.CLAUSE)
        found.append(replace(each, mark=Mark.UNREAD) if by_text and not is_read else each)
    return replace(marks, passages=tuple(found))


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
    found = list(marks.passages)
    free_passages = (found[at].passage for at in free)
    has_rows = any(each is not None and each.kind is PassageKind.ROW for each in free_passages)
    claimed = read() if has_rows else ()
    for at, key in free.items():
        if at in claimed:
            found[at] = replace(found[at], mark=Mark.CLAIMED)
            continue
        ended = settled.get(key)
        mark = Mark.PEOPLE if ended else Mark.UNFITTED
        found[at] = replace(found[at], key=key, mark=mark, settled=ended)
    return replace(marks, passages=tuple(found))


@kept(0.01)
def _new(text: str, began_as: str) -> dict[int, str]:
    """The keys of what is new, by its place among the passages."""
    if text == began_as:
        return {}
    had = {fingerprint(passage.text) for passage in passages_of(began_as)}
    keys = enumerate(fingerprint(passage.text) for passage in passages_of(text))
    return {at: key for at, key in keys if key not in had}


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
    found = settled.get(marked.key) if marked.is_unfitted else None
    if found is None:
        return marked
    is_built_in = found.end == End.NOTHING and marked.parts
    return replace(marked, mark=Mark.BUILT_IN if is_built_in else Mark.PEOPLE, settled=found)


@kept(0.06, shared=(Machinery,))
def _marks(text: str, machinery: Machinery | None) -> PassageMarks:
    passages = passages_of(text)
    if machinery is None:
        return PassageMarks(tuple(MarkedPassage("", Mark.PEOPLE, each) for each in passages))
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
            key_of(each.text, clauses if each.kind in SAID else ()) for each in self.passages
        ]
        kinds = zip(self.passages, self.keys, strict=True)
        blocks = [key for each, key in kinds if each.kind is PassageKind.PROGRAM]
        known = blocks if self.machinery.fitted else self.machinery.by_key
        self.has_block = any(key in known for key in blocks)
        own = set(self.keys)
        wordings = self.machinery.wordings.values()
        if self.machinery.fitted:
            self.base = max(
                wordings, key=lambda each: sum(known.key in own for known in each), default=()
            )
        free: dict[str, list[int]] = {}
        for place in range(len(self.base) - 1, -1, -1):
            free.setdefault(self.base[place].key, []).append(place)
        self.places = [  # of what stands in the wording several times, in turn
            (left.pop() if len(left) > 1 else left[0]) if (left := free.get(key)) else None
            for key in self.keys
        ]

    @cached_property
    def displaced(self) -> frozenset[int]:
        """The passages by which the program plays and that stand in another order than it knows."""
        ordered = [
            (place, known)
            for place, known in enumerate(self.places)
            if known is not None and self.base[known].parts
        ]
        kept = set(longest_increasing([known for _, known in ordered]))
        return frozenset(place for at, (place, _) in enumerate(ordered) if at not in kept)

    def marks(self) -> PassageMarks:
        """The marks. Parts of the program that the text no longer says go to the passages in their
        place; those that have none there are gone."""
        own = self.machinery
        read = rows_read(self.text, self.passages, own.tables, own.open_tables, own.rows)
        marked = [self._mark(place, key, read) for place, key in enumerate(self.keys)]
        here = {each.key: place for place, each in enumerate(self.base)}
        slot = -1
        waiting: dict[int, list[int]] = {}
        for place, each in enumerate(marked):
            if each.is_unfitted and each.is_said:
                waiting.setdefault(slot, []).append(place)
            else:
                slot = here.get(each.key, slot)
        gone: list[MarkedPassage] = []
        for after, known in self._missing():
            places = waiting.get(after)
            if not places:
                gone.append(MarkedPassage(known.key, Mark.UNFITTED, None, known.parts))
                continue
            place = places[0] if len(places) == 1 else places.pop(0)
            parts = dict.fromkeys((*marked[place].parts, *known.parts))
            marked[place] = replace(marked[place], parts=tuple(parts))
        return PassageMarks(tuple(marked), tuple(gone))

    def _mark(self, place: int, key: str, read: Collection[int]) -> MarkedPassage:
        passage = self.passages[place]
        if passage.kind is PassageKind.ROW:
            is_read = place in read
            return MarkedPassage(key, Mark.TABLE if is_read else self.machinery.otherwise, passage)
        if passage.kind is PassageKind.PROGRAM and self.machinery.blocks:
            return MarkedPassage(key, Mark.PROGRAM, passage)
        known = self.machinery.by_key.get(key)
        if known is None or (known.by_program and not self.has_block):
            return MarkedPassage(key, self.machinery.otherwise, passage)
        if place in self.displaced:
            mark = Mark.UNFITTED
        elif clause_of(passage.text, self.machinery.clauses):
            mark = Mark.CLAUSE
        elif known.by_program:
            mark = Mark.PROGRAM
        else:
            mark = Mark.BUILT_IN if known.parts else Mark.PEOPLE
        return MarkedPassage(key, mark, passage, known.parts)

    def _missing(self) -> list[tuple[int, KnownPassage]]:
        """The passages of the wording that are built in and not in the text, each with the place in
        the wording of the passage before it that is in the text; -1 where there is none.

        A passage of another wording that the text has in that place instead counts as said, once.
        """
        said: dict[
            int, list[KnownPassage]
        ] = {}  # in another wording's words, by the passage before them
        slot = -1
        for at, key in enumerate(self.keys):
            known_at = self.places[at]
            if known_at is not None:
                slot = slot if at in self.displaced else known_at
            elif known := self.machinery.by_key.get(key):
                said.setdefault(slot, []).append(known)
        own = set(self.keys)
        found: list[tuple[int, KnownPassage]] = []
        slot = -1
        for place, each in enumerate(self.base):
            if each.key in own:
                slot = place
            elif each.parts and not _taken(said.get(slot, []), each.parts):
                found.append((slot, each))
        return found


def _taken(said: list[KnownPassage], parts: Collection[str]) -> bool:
    """Whether sentences say that these parts do; those that do are taken away."""
    wanted = set(parts)
    used = []
    for each in said:
        if wanted.intersection(each.parts):
            used.append(each)
            wanted.difference_update(each.parts)
    if wanted:
        return False
    for each in used:
        said.remove(each)
    return True

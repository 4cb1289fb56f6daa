"""The spots of a rule's text: what is changed by itself, a cell, a figure or a sentence. Pure.

A spot is known by what it is and not by where it stands, so that it is found again in another
version of the text: a cell by its table, row and column, a figure by the words around it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.coverage.marks import SAID, Mark, PassageMarks
from nomic.rulebook.edits.rows import rows_in
from nomic.rulebook.passages import Passage, passages_of
from nomic.rulebook.phrases import NUMBERS
from nomic.rulebook.tables import Cells

_FIGURE = re.compile(rf"(?<![\w.,-])(?:[0-9]{{1,6}}|{'|'.join(NUMBERS)})(?![\w-]|[.,][0-9])")
_BLANK = "\0"


class SpotKind(StrEnum):
    """What a spot is."""

    CELL = "cell"
    FIGURE = "figure"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a text, from its character `start` to that before `end`, with the `words` there.

    Of a cell, `table` is the first column of its table, `row` the first cell of its row, and
    `cells` are all in that row, of which it is the one at `place`, under `column`. Of a figure,
    `row` is its sentence, from `within[0]` to before `within[1]`, with a blank for each of its
    figures, of which it is the one at `place`.
    """

    kind: SpotKind
    start: int
    end: int
    words: str
    table: str = ""
    row: str = ""
    column: str = ""
    place: int = 0
    cells: tuple[str, ...] = ()
    within: tuple[int, int] = (0, 0)

    @property
    def name(self) -> tuple[str, ...]:
        """By what it is known in another version of the text."""
        words = self.words if self.kind is SpotKind.SENTENCE else ""
        return self.kind, self.table, self.row, self.column, str(self.place), words

    def with_words(self, words: str) -> "Spot":
        """The same spot with other words in it, as it is named then."""
        if self.kind is not SpotKind.CELL:
            return replace(self, words=words)
        cells = (*self.cells[: self.place], words, *self.cells[self.place + 1 :])
        return replace(self, words=words, cells=cells, row=cells[0])


@memoized(share=0.02)
def spots_of(text: str) -> tuple[Spot, ...]:
    """All spots of a text, in its order."""
    if "\r" in text:  # lines of tables are counted without it
        return ()
    of_sentences = (
        spot for passage in passages_of(text) if passage.kind in SAID for spot in _within(passage)
    )
    spots = [*of_sentences, *_cells(text)]
    return tuple(sorted(spots, key=lambda spot: (spot.start, -spot.end)))


def spot_at(text: str, start: int, kind: str) -> Spot | None:
    """The spot of that kind that begins with that character, if one does."""
    return next((s for s in spots_of(text) if (s.start, s.kind) == (start, kind)), None)


def same_spot(spot: Spot, text: str) -> Spot | None:
    """The one spot of a text that is known by the same as this one; None where not one is."""
    alike = [other for other in spots_of(text) if other.name == spot.name]
    return alike[0] if len(alike) == 1 else None


def played_by(text: str, marks: PassageMarks | None) -> list[Spot]:
    """The spots that are worth changing by themselves: all sentences, the figures in those that the
    program reads, and the cells of tables by which it plays."""
    read: dict[Mark, list[range]] = {Mark.TABLE: [], Mark.CLAUSE: []}
    for marked in marks.passages if marks else ():
        passage = marked.passage
        if passage is not None and marked.mark in read:
            read[marked.mark].append(range(passage.start, passage.end))
    wanted = {SpotKind.CELL: read[Mark.TABLE], SpotKind.FIGURE: read[Mark.CLAUSE]}
    starts = {
        kind: {place for passage in passages for place in passage}
        for kind, passages in wanted.items()
    }
    return [
        spot
        for spot in spots_of(text)
        if spot.kind is SpotKind.SENTENCE or spot.start in starts[spot.kind]
    ]


def _within(passage: Passage) -> Iterator[Spot]:
    """A sentence, and the figures in it."""
    start = passage.words_at
    words = passage.text[start - passage.start :]
    if not words:
        return
    yield Spot(SpotKind.SENTENCE, start, passage.end, words)
    frame, within = _FIGURE.sub(_BLANK, words), (start, passage.end)
    for place, figure in enumerate(_FIGURE.finditer(words)):
        ends = start + figure.start(), start + figure.end()
        yield Spot(SpotKind.FIGURE, *ends, figure[0], row=frame, place=place, within=within)


def _cells(text: str) -> Iterator[Spot]:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for table, number, cells in rows_in(text):
        names = tuple(table.columns)
        for place, (start, end) in enumerate(_places(lines[number], cells)):
            if start < end:
                at = starts[number]
                yield Spot(
                    SpotKind.CELL,
                    at + start,
                    at + end,
                    cells[place],
                    table=names[0],
                    row=cells[0],
                    column=names[place],
                    place=place,
                    cells=tuple(cells),
                )


def _places(line: str, cells: Cells) -> Iterator[tuple[int, int]]:
    """Where each cell stands in its line; what is empty stands nowhere."""
    at = 0
    for cell in cells:
        written = cell.replace("|", "\\|") if cell not in line else cell
        start = line.find(written, at) if written else -1
        yield (start, start + len(written)) if start >= 0 else (at, at)
        at = max(at, start + len(written))

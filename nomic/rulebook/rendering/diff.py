"""The changes between two versions of a text, by line and within the lines by word.

Lines that are unique on both sides hold the comparison together (patience diff); only short
stretches between them are compared each with each. So the time stays near linear, also for
texts made to be slow. A page has a bound for all that it compares, and for all that it shows of it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import Literal

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from nomic.games.bounds import COMPARED_CHARACTERS, COMPARED_LINES, DIFFERENCE_KILOBYTES
from nomic.rulebook.increasing import longest_increasing
from nomic.rulebook.rendering.colours import colours_of_lines, draw

type Kind = Literal["same", "added", "removed"]
type Pair = tuple[int, int]

_WORDS = re.compile(r"\w+|[^\w\s]")
_PIECES = re.compile(r"\w+|[^\w\s]|\s+")
_COMPARED_EACH_WITH_EACH = 10_000  # pairs; a stretch with more counts as replaced
_DEPTH = 12  # stretches within stretches that are searched for lines of their own


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a line. `changed`: the other version does not have these words here."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of either version, without its line end. `colours`: a program's, a class for each
    character; None where it is no program's line."""

    kind: Kind
    spans: tuple[Span, ...]
    colours: tuple[str, ...] | None = None

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


def _whole(kind: Kind, lines: Iterable[str]) -> Iterator[DiffLine]:
    """Lines of whose words nothing is told."""
    for line in lines:
        yield DiffLine(kind, (Span(line, kind != "same"),))


def _lines(text: str) -> list[str]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    return text.split("\n") if text else []


def _marked(kind: Kind, lines: list[str], shared: set[int]) -> Iterator[DiffLine]:
    """`lines` in spans; `kept` are the numbers of the words that both versions have."""
    number = 0
    for line in lines:
        pieces: list[tuple[str, bool | None]] = []
        for piece in _PIECES.findall(line):
            if piece.isspace():
                pieces.append((piece, None))
            else:
                pieces.append((piece, number not in shared))
                number += 1
        settled = []
        for place, (text, changed) in enumerate(pieces):
            if changed is None:  # a space is changed where the words on both its sides are
                around = pieces[max(place - 1, 0) : place] + pieces[place + 1 : place + 2]
                changed = len(around) == 2 and all(side for _, side in around)
            settled.append((text, changed))
        groups = groupby(settled, key=lambda piece: piece[1])
        spans = [Span("".join(text for text, _ in group), changed) for changed, group in groups]
        yield DiffLine(kind, tuple(spans))


# Finding what both have


def _matches(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Pairs of places at which both sequences have the same, rising on both sides."""
    return list(_between(old, new, 0, len(old), 0, len(new), _DEPTH))


def _between(
    old: Sequence[str], new: Sequence[str], a: int, b: int, c: int, d: int, depth: int
) -> Iterator[Pair]:
    """The pairs of old[a:b] and new[c:d]."""
    while a < b and c < d and old[a] == new[c]:
        yield a, c
        a, c = a + 1, c + 1
    tail = 0
    while a < b - tail and c < d - tail and old[b - tail - 1] == new[d - tail - 1]:
        tail += 1
    b, d = b - tail, d - tail
    if a < b and c < d:
        anchors: list[Pair] = []
        if depth:  # the longest rising row of pairs whose text stands once on each side
            in_old, in_new = Counter(old[a:b]), Counter(new[c:d])
            places = {new[column]: column for column in range(c, d) if in_new[new[column]] == 1}
            pairs = [
                (row, places[old[row]])
                for row in range(a, b)
                if in_old[old[row]] == 1 and old[row] in places
            ]
            rising = longest_increasing([column for _, column in pairs])
            anchors = [pairs[place] for place in rising]
        if anchors:
            for row, column in anchors:
                yield from _between(old, new, a, row, c, column, depth - 1)
                yield row, column
                a, c = row + 1, column + 1
            yield from _between(old, new, a, b, c, d, depth - 1)
        elif (b - a) * (d - c) <= _COMPARED_EACH_WITH_EACH:
            yield from _longest_common(old, new, a, b, c, d)
    yield from zip(range(b, b + tail), range(d, d + tail), strict=True)


def _longest_common(
    old: Sequence[str], new: Sequence[str], a: int, b: int, c: int, d: int
) -> Iterator[Pair]:
    """The longest common subsequence, by the table of lengths of what follows."""
    lengths = [[0] * (d - c + 1) for _ in range(b - a + 1)]
    for row_at in range(b - 1, a - 1, -1):
        row, below = lengths[row_at - a], lengths[row_at - a + 1]
        for column_at in range(d - 1, c - 1, -1):
            if old[row_at] == new[column_at]:
                row[column_at - c] = below[column_at - c + 1] + 1
            else:
                row[column_at - c] = max(below[column_at - c], row[column_at - c + 1])
    while a < b and c < d:
        size = len(lengths) - (b - a) - 1
        across = len(lengths[0]) - (d - c) - 1
        if old[a] == new[c]:
            yield a, c
            a, c = a + 1, c + 1
        elif lengths[size + 1][across] >= lengths[size][across + 1]:
            a += 1
        else:
            c += 1


# Showing it

_SHOWN = {
    "same": ("span", "", ""),
    "added": ("ins", "+", "added: "),
    "removed": ("del", "−", "removed: "),
}
_SHOWN_WHOLE = 500  # lines; of more, only what changed is shown, with so many lines around it:
_AROUND = 3
_MOST_IN_COLOUR = 200_000  # characters of the texts of a page
_LONGEST_LINE = 4000  # characters
_MOST_REPLACED = 3000  # lines of each text that are not compared; no page has room for so many
_COARSE = "Too much differs here for the page to tell of each word or line what became of it."

_TABLE_ROW = re.compile(r"\s*\|.*\|\s*")
_RULER = re.compile(r"\s*\|(?:\s*:?-{3,}:?\s*\|)+\s*")  # below the head of a table
_BETWEEN_CELLS = "\0"  # no text has it

type Piece = int | DiffLine  # a line, or how many that both have are left out


class Differences:
    """The differences that one page shows; its bounds are for all of them together."""

    def __init__(self) -> None:
        self._lines, self._characters = COMPARED_LINES.count, COMPARED_CHARACTERS.count
        self._bytes = DIFFERENCE_KILOBYTES.count * 1000
        self._uncoloured = _MOST_IN_COLOUR
        self._untold = 0  # lines for which there is no room anyway

    def show(self, old: str, new: str) -> SafeString:
        """The difference of two texts as HTML, with a sentence where not all of it is told."""
        whole = old.count("\n") + new.count("\n") <= _SHOWN_WHOLE
        pieces = self.pieces(old, new, None if whole else _AROUND)
        is_coarse = min(self._lines, self._characters) < 0
        note = format_html('<p class="muted">{}</p>', _COARSE) if is_coarse else ""
        self._uncoloured -= len(old) + len(new)
        in_colour = not is_coarse and self._uncoloured >= 0
        before, after = (
            colours_of_lines("\n".join(_lines(text))) if in_colour else {} for text in (old, new)
        )
        coloured: list[Piece] = []  # each line of a program, as the version has it where it stands
        row = column = 0  # of the lines of `old` and `new`
        for piece in pieces:
            if isinstance(piece, int):
                row, column = row + piece, column + piece
                coloured.append(piece)
                continue
            has = before.get(row) if piece.kind == "removed" else after.get(column)
            row, column = row + (piece.kind != "added"), column + (piece.kind != "removed")
            coloured.append(piece if has is None else replace(piece, colours=tuple(has)))
        return format_html("{}{}", note, self.render(coloured))

    def pieces(self, old: str, new: str, around: int | None = None) -> list[Piece]:
        """The lines of both versions in their order; where lines were replaced, the removed first.

        Those that are `same` or `removed` make up `old`, those `same` or `added` make up `new`; but
        no more than so many are given that are `around` those that changed. Where the page has
        compared too much already, words are not compared; and of too many lines all count as
        replaced from the first to the last that differs.
        """
        before, after = _lines(old), _lines(new)
        shorter = min(len(before), len(after))
        head = next((at for at in range(shorter) if before[at] != after[at]), shorter)
        rest = range(1, shorter - head + 1)
        tail = next((at for at in rest if before[-at] != after[-at]), len(rest) + 1) - 1
        changed = self._changed(before[head : len(before) - tail], after[head : len(after) - tail])
        shown = [*_near(before[:head], 0, around)]
        for is_same, run in groupby(changed, key=lambda line: line.kind == "same"):
            lines = list(run)
            shown += _near([line.text for line in lines], around, around) if is_same else lines
        return [*shown, *_near(before[len(before) - tail :], around, 0)]

    def _changed(self, before: list[str], after: list[str]) -> Iterator[DiffLine]:
        if before and after:
            self._lines -= len(before) + len(after)
        if self._lines < 0:
            yield from _whole("removed", before[:_MOST_REPLACED])
            yield from _whole("added", after[:_MOST_REPLACED])
            for lines in (before, after):
                self._untold += max(len(lines) - _MOST_REPLACED, 0)
            return
        row = column = 0
        for place, counterpart in [*_matches(before, after), (len(before), len(after))]:
            removed, added = before[row:place], after[column:counterpart]
            if removed and added:
                self._characters -= sum(map(len, removed)) + sum(map(len, added))
            if removed and added and self._characters >= 0:
                old = [word for line in removed for word in _WORDS.findall(line)]
                new = [word for line in added for word in _WORDS.findall(line)]
                shared = _matches(old, new)
                if 3 * len(shared) < max(len(old), len(new)):
                    shared = []  # a new text that shares some small words with the old one
                yield from _marked("removed", removed, {at for at, _ in shared})
                yield from _marked("added", added, {at for _, at in shared})
            else:
                yield from _whole("removed", removed)
                yield from _whole("added", added)
            yield from _whole("same", before[place : place + 1])
            row, column = place + 1, counterpart + 1

    def render(self, pieces: Iterable[Piece]) -> SafeString:
        """Lines as HTML: a list, each changed line an <ins> or <del>, changed words in <mark>.

        A sign stands before each changed line, and for those who listen a word, so that colour is
        not all that tells. Where there is no line, a sentence says so, and where lines are left
        out, or the page has no room for more.
        """
        shown: list[SafeString] = []
        rows: list[str] = []
        unshown, self._untold = self._untold, 0
        is_full = False
        for piece in pieces:
            if isinstance(piece, int):
                shown += [_list_of(rows), _left_out(piece)] if rows else [_left_out(piece)]
                rows = []
                continue
            row = "" if is_full else _row(piece)
            self._bytes -= len(row.encode())
            is_full = is_full or self._bytes < 0
            if is_full:
                unshown += 1
            else:
                rows.append(row)
        if rows:
            shown.append(_list_of(rows))
        if unshown:
            sentence = "And {} more {}, for which this page has no room."
            note = sentence.format(f"{unshown:,}", "line" if unshown == 1 else "lines")
            shown.append(format_html('<p class="muted">{}</p>', note))
        return format_html_join("", "{}", ((part,) for part in shown)) or _list_of([])


def _near(lines: list[str], first: int | None, last: int | None) -> Iterator[Piece]:
    """Of lines that both have the first and the last ones, and how many are left out between; all
    where one of these is None."""
    if first is None or last is None or first + last >= len(lines):
        yield from _whole("same", lines)
        return
    yield from _whole("same", lines[:first])
    yield len(lines) - first - last
    yield from _whole("same", lines[len(lines) - last :])


def _left_out(count: int) -> SafeString:
    sentence = "1 unchanged line" if count == 1 else f"{count:,} unchanged lines"
    return format_html('<p class="muted">{}</p>', sentence)


def _list_of(rows: Sequence[str]) -> SafeString:
    if not rows:
        return mark_safe('<p class="differences">Both versions are empty.</p>')
    listed = '<ol class="differences">' + "".join(rows) + "</ol>"
    return mark_safe(listed)  # noqa: S308 - the texts are escaped in _row


def _row(line: DiffLine) -> str:
    whole = all(span.changed for span in line.spans)
    words, room = "", _LONGEST_LINE
    is_code, colours, at = line.colours is not None, line.colours or (), 0
    if len(line.spans) == 1 and not is_code and _RULER.fullmatch(line.text):
        return ""  # it says nothing to who sees the cells in their columns
    is_row = not is_code and len(line.text) < room and bool(_TABLE_ROW.fullmatch(line.text))
    for span in line.spans:
        shown = span.text[:room]
        drawn = draw(shown, colours[at : at + len(shown)]) if is_code else escape(shown)
        cells = drawn.split("|") if is_row else [drawn]
        at += len(shown)
        # A mark ends with its cell: one around several would not be well-formed in the grid.
        if span.changed and not whole:
            cells = [f"<mark>{piece}</mark>" for piece in cells]
        words += _BETWEEN_CELLS.join(cells)
        room -= len(span.text)
        if room < 0:
            words += "…"
            break
    tag, sign, spoken = _SHOWN[line.kind]
    before = f'<span class="sign" aria-hidden="true">{sign}</span>'
    if spoken:
        before += f'<span class="visually-hidden">{spoken}</span>'
    if is_row:
        inside = "".join(
            f"<span>{cell.strip()}</span>" for cell in words.split(_BETWEEN_CELLS)[1:-1]
        )
        words = f'<span class="cells">{inside}</span>'
    kind = f"{line.kind} code" if is_code else line.kind
    return f'<li class="{kind}">{before}<{tag}>{words}</{tag}></li>'

"""What changed between two versions of a text, line by line and within the lines word by word.

Lines that are unique on both sides hold the comparison together (patience diff); only short
stretches between them are compared each with each. So the time stays near linear, also for
texts made to be slow.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Literal

from django.utils.safestring import SafeString, mark_safe

from nomic.rulebook.rising import longest_rising

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
class Line:
    """A line of either version, without its line end."""

    kind: Kind
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


def differences(old: str, new: str) -> list[Line]:
    """The lines of both versions in reading order; where lines were replaced, the removed first.

    The lines that are `same` or `removed` make up `old`, those `same` or `added` make up `new`.
    """
    before, after = _lines(old), _lines(new)
    result: list[Line] = []
    row = column = 0
    for here, there in [*_matches(before, after), (len(before), len(after))]:
        result += _replaced(before[row:here], after[column:there])
        if here < len(before):
            result.append(Line("same", (Span(before[here]),)))
        row, column = here + 1, there + 1
    return result


def _lines(text: str) -> list[str]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    return text.split("\n") if text else []


def _replaced(removed: list[str], added: list[str]) -> Iterator[Line]:
    """Lines that were taken out and those put in their place, their words compared."""
    old = [word for line in removed for word in _WORDS.findall(line)]
    new = [word for line in added for word in _WORDS.findall(line)]
    kept = _matches(old, new) if removed and added else []
    if 3 * len(kept) < max(len(old), len(new)):
        kept = []  # a new text that shares some small words with the old one
    yield from _marked("removed", removed, {here for here, _ in kept})
    yield from _marked("added", added, {there for _, there in kept})


def _marked(kind: Kind, lines: list[str], kept: set[int]) -> Iterator[Line]:
    """`lines` in spans; `kept` are the numbers of the words that both versions have."""
    number = 0
    for line in lines:
        pieces: list[tuple[str, bool | None]] = []
        for piece in _PIECES.findall(line):
            if piece.isspace():
                pieces.append((piece, None))
            else:
                pieces.append((piece, number not in kept))
                number += 1
        yield Line(kind, _spans(pieces))


def _spans(pieces: list[tuple[str, bool | None]]) -> tuple[Span, ...]:
    """Join neighbours; a space is changed where the words on both its sides are."""
    settled = []
    for place, (text, changed) in enumerate(pieces):
        if changed is None:
            around = pieces[max(place - 1, 0) : place] + pieces[place + 1 : place + 2]
            changed = len(around) == 2 and all(side for _, side in around)
        settled.append((text, changed))
    groups = groupby(settled, key=lambda piece: piece[1])
    return tuple(Span("".join(text for text, _ in group), changed) for changed, group in groups)


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
        anchors = _anchors(old, new, a, b, c, d) if depth else []
        if anchors:
            for here, there in anchors:
                yield from _between(old, new, a, here, c, there, depth - 1)
                yield here, there
                a, c = here + 1, there + 1
            yield from _between(old, new, a, b, c, d, depth - 1)
        elif (b - a) * (d - c) <= _COMPARED_EACH_WITH_EACH:
            yield from _longest_common(old, new, a, b, c, d)
    yield from zip(range(b, b + tail), range(d, d + tail), strict=True)


def _anchors(old: Sequence[str], new: Sequence[str], a: int, b: int, c: int, d: int) -> list[Pair]:
    """The longest rising row of pairs whose text stands once on each side."""
    in_old, in_new = Counter(old[a:b]), Counter(new[c:d])
    places = {new[there]: there for there in range(c, d) if in_new[new[there]] == 1}
    pairs = [
        (here, places[old[here]])
        for here in range(a, b)
        if in_old[old[here]] == 1 and old[here] in places
    ]
    return [pairs[place] for place in longest_rising([there for _, there in pairs])]


def _longest_common(
    old: Sequence[str], new: Sequence[str], a: int, b: int, c: int, d: int
) -> Iterator[Pair]:
    """The longest common subsequence, by the table of lengths of what follows."""
    lengths = [[0] * (d - c + 1) for _ in range(b - a + 1)]
    for here in range(b - 1, a - 1, -1):
        row, below = lengths[here - a], lengths[here - a + 1]
        for there in range(d - 1, c - 1, -1):
            if old[here] == new[there]:
                row[there - c] = below[there - c + 1] + 1
            else:
                row[there - c] = max(below[there - c], row[there - c + 1])
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

_SIGNS = {"same": ("", ""), "added": ("+", "added: "), "removed": ("−", "removed: ")}
_ELEMENTS = {"same": "span", "added": "ins", "removed": "del"}


def render_differences(lines: Iterable[Line]) -> SafeString:
    """`lines` as HTML: a list, each changed line an <ins> or <del>, changed words in <mark>.

    A sign stands before each changed line, and for those who listen a word, so that colour is not
    all that tells. Where there is no line, a sentence says so.
    """
    rows = [_row(line) for line in lines]
    if not rows:
        return mark_safe('<p class="differences">Both versions are empty.</p>')
    listed = '<ol class="differences">' + "".join(rows) + "</ol>"
    return mark_safe(listed)  # noqa: S308 - the texts are escaped in _row


def _row(line: Line) -> str:
    whole = all(span.changed for span in line.spans)
    words = "".join(
        f"<mark>{escape(span.text)}</mark>" if span.changed and not whole else escape(span.text)
        for span in line.spans
    )
    sign, spoken = _SIGNS[line.kind]
    before = f'<span class="sign" aria-hidden="true">{sign}</span>'
    if spoken:
        before += f'<span class="visually-hidden">{spoken}</span>'
    element = _ELEMENTS[line.kind]
    return f'<li class="{line.kind}">{before}<{element}>{words}</{element}></li>'

"""The passages of a rule's text: what it says, piece by piece. Pure.

A passage is a sentence, a list item, a row of a table, a fenced block or a heading. Every
character that is no white space belongs to exactly one of them.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.edits.parts import straight
from nomic.rulebook.tables import FENCES, is_markdown_head, is_ruler


class PassageKind(StrEnum):
    """The kind of a passage; a table's head is a row like the others."""

    SENTENCE = "sentence"
    ITEM = "list item"
    ROW = "table row"
    PROGRAM = "program block"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text, from its character `start` to that before `end`."""

    kind: PassageKind
    text: str
    start: int
    end: int

    @property
    def said(self) -> str:
        """Its words on one line, without a list item's marker."""
        return _MARKER.sub("", " ".join(self.text.split()))


@dataclass(frozen=True, slots=True)
class Settled:
    """An officer's finding on a passage: its end, why, and in which entry."""

    end: str
    reason: str
    entry: int
    parts: tuple[str, ...] = ()


type _Line = tuple[int, str]

_LINE = re.compile(r"[^\n]*\n?")
_HEADING = re.compile(r"#{1,6}\s|=+[^=\n]+=+$|\*\*[^*\n]+\*\*:?$|__[^_\n]+__:?$|'''[^'\n]+'''$")
_BULLET = re.compile(r"(?:[*+•-]|[0-9]{1,3}[.)])(?=\s)")
_FIRST_ITEM = re.compile(r"(?:[*+•-]|1[.)])(?=\s)")
_SENTENCE_END = re.compile(
    # Begun within a row of dots, it would take the square of the row's length.
    r"(?<![.!?])[.!?]++[\"'”’»)\]}*_]*(?:\s{0,2}(?:\*/|[\])](?=\s|$)))?(?=\s+(?![a-z]))"
)
_NOT_AN_END = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|[A-Z])|^[0-9]{1,3})\.$")
_WIDE = re.compile(r"\S(?: {2,}|\t)\s*\S")
_EMPHASIS = re.compile(r"\*{1,3}|`|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_MARKER = re.compile(r"^(?:[*+•-]|[0-9]{1,3}[.)])\s+")
_FINGERPRINT_DIGITS = 12


@memoized(0.06)
def passages_of(text: str) -> tuple[Passage, ...]:
    """The passages of `text` in their order. Takes time in proportion to its length."""
    return tuple(_Divider(text).passages())


def pieces_in(text: str) -> int:
    """How many passages the text has at most, without reading it: its lines and the signs that may
    end a sentence."""
    return 1 + sum(map(text.count, "\n.!?"))


@memoized(0.05)
def normalised(text: str) -> str:
    """The form in which passages are compared.

    White space, emphasis, a list item's marker and the style of quotes and dashes say nothing;
    every word, its case, and every other sign counts.
    """
    folded = straight(unicodedata.normalize("NFC", text)).replace("–", "-").replace("—", "-")
    folded = _MARKER.sub("", " ".join(folded.split()))
    return " ".join(_EMPHASIS.sub("", folded).split())


def fingerprint(text: str) -> str:
    """The normalised passage as twelve hexadecimal digits, by which it is known again."""
    return sha256(normalised(text).encode()).hexdigest()[:_FINGERPRINT_DIGITS]


class _Divider:
    """Goes through the lines of a text once, block by block."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: list[_Line] = [
            (line.start(), line.group().strip()) for line in _LINE.finditer(text)
        ]
        self._at = 0

    def passages(self) -> Iterator[Passage]:
        while self._at < len(self._lines):
            line = self._line()
            if not line:
                self._at += 1
            elif line.startswith(FENCES):
                below = range(self._at + 1, len(self._lines))
                ends = (at + 1 for at in below if self._lines[at][1].startswith(line[:3]))
                yield from self._piece(PassageKind.PROGRAM, next(ends, len(self._lines)))
            elif self._opens_table():
                yield from self._table()
            elif _HEADING.match(line):
                yield from self._piece(PassageKind.HEADING, self._at + 1)
            elif _BULLET.match(line):
                while _BULLET.match(self._line()):
                    yield from self._piece(PassageKind.ITEM, self._end_of_paragraph(_BULLET))
            else:
                yield from self._sentences(self._end_of_paragraph(_FIRST_ITEM))

    def _line(self, further: int = 0) -> str:
        number = self._at + further
        return self._lines[number][1] if number < len(self._lines) else ""

    def _piece(self, kind: PassageKind, stop: int) -> Iterator[Passage]:
        """The lines up to `stop` as one passage."""
        yield from self._stripped(kind, *self._go_to(stop))

    def _go_to(self, stop: int) -> tuple[int, int]:
        """Where the lines up to `stop` begin and end in the text; they are done."""
        start = self._lines[self._at][0]
        end = self._lines[stop][0] if stop < len(self._lines) else len(self._text)
        self._at = stop
        return start, end

    def _stripped(self, kind: PassageKind, start: int, end: int) -> Iterator[Passage]:
        piece = self._text[start:end]
        if bare := piece.strip():
            start += len(piece) - len(piece.lstrip())
            yield Passage(kind, bare, start, start + len(bare))

    def _opens_table(self) -> bool:
        line, below = self._line(), self._line(1)
        if line.startswith(("|", "!")):
            return "|" in line[1:] or "!!" in line or below.startswith(("|", "!"))
        if is_markdown_head(line, below):
            return True
        return bool(_WIDE.search(line)) and is_ruler(below) and "---" in below

    def _table(self) -> Iterator[Passage]:
        """The head with its ruler, then row by row up to a blank line.

        Of wiki rows, the first line that is none ends them.
        """
        is_wiki = self._line().startswith("!") or "||" in self._line()
        while line := self._line():
            if line.startswith(FENCES) or (is_wiki and not line.startswith(("|", "!"))):
                return
            size = 1
            while (below := self._line(size)) and (is_ruler(below) or below.startswith("|-")):
                size += 1
            yield from self._piece(PassageKind.ROW, self._at + size)

    def _end_of_paragraph(self, marker: re.Pattern[str]) -> int:
        """The line after the paragraph, which ends where a line begins something else."""
        begun, number = self._at, self._at + 1
        while number < len(self._lines):
            line = self._lines[number][1]
            self._at = number  # from where `_opens_table` looks; it is put back below
            ends = not line or line.startswith(FENCES) or self._opens_table()
            if ends or _HEADING.match(line) or marker.match(line):
                break
            number += 1
        self._at = begun
        return number

    def _sentences(self, stop: int) -> Iterator[Passage]:
        start, end = self._go_to(stop)
        begun = start
        for sign in _SENTENCE_END.finditer(self._text, start, end):
            if _NOT_AN_END.search(self._text[max(start, sign.start() - 6) : sign.start() + 1]):
                continue
            yield from self._stripped(PassageKind.SENTENCE, begun, sign.end())
            begun = sign.end()
        yield from self._stripped(PassageKind.SENTENCE, begun, end)

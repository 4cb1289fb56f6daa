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
from nomic.rulebook.units import BlockKind, Sureness, blocks_of, sentence_ends


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
        return _on_one_line(self.text)

    @property
    def words_at(self) -> int:
        """The character at which its words begin, behind a list item's marker."""
        marker = _MARKER.match(self.text)
        return self.start + (marker.end() if marker else 0)


@dataclass(frozen=True, slots=True)
class Settled:
    """An officer's finding on a passage: its end, why, and in which entry."""

    end: str
    reason: str
    entry: int
    parts: tuple[str, ...] = ()


_KINDS = {
    BlockKind.ITEM: PassageKind.ITEM,
    BlockKind.ROW: PassageKind.ROW,
    BlockKind.FENCE: PassageKind.PROGRAM,
    BlockKind.HEADING: PassageKind.HEADING,
    BlockKind.LINE: PassageKind.HEADING,  # it parts what stands around it, and says nothing
}
_EMPHASIS = re.compile(r"\*{1,3}|`|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_EMPHASISED = re.compile(r"(\*{1,3}|`|(?<!\w)_{1,3})(?=\S)(.{1,300}?)(?<=\S)\1")
_MARKER = re.compile(r"^(?:[*+•-]|[0-9]{1,3}[.)])\s+")
_FINGERPRINT_DIGITS = 12


@memoized(share=0.05)
def passages_of(text: str) -> tuple[Passage, ...]:
    """The passages of `text` in their order. Takes time in proportion to its length."""
    return tuple(_divided(text))


def words_of(text: str) -> str:
    """The words of a passage as a page quotes them: on one line, without a list item's marker and
    marks of emphasis."""
    return _EMPHASISED.sub(r"\2", _on_one_line(text))


def _on_one_line(text: str) -> str:
    return _MARKER.sub("", " ".join(text.split()))


def pieces_in(text: str) -> int:
    """How many passages the text has at most, without reading it: its lines and the signs that may
    end a sentence."""
    return 1 + sum(map(text.count, "\n.!?"))


@memoized(share=0.05)
def normalised(text: str) -> str:
    """The form in which passages are compared.

    White space, emphasis, a list item's marker and the style of quotes and dashes say nothing;
    every word, its case, and every other sign counts.
    """
    folded = straight(unicodedata.normalize("NFC", text)).replace("–", "-").replace("—", "-")
    return " ".join(_EMPHASIS.sub("", _on_one_line(folded)).split())


def fingerprint(text: str) -> str:
    """The normalised passage as twelve hexadecimal digits, by which it is known again."""
    return sha256(normalised(text).encode()).hexdigest()[:_FINGERPRINT_DIGITS]


def _divided(text: str) -> Iterator[Passage]:
    for block in blocks_of(text):
        if block.kind is BlockKind.PARAGRAPH:
            yield from _sentences(text, block.start, block.end)
        else:
            yield _passage(_KINDS[block.kind], text, block.start, block.end)


def _sentences(text: str, start: int, end: int) -> Iterator[Passage]:
    for place, sureness in sentence_ends(text, start, end):
        if sureness is not Sureness.UNLIKELY:
            yield _passage(PassageKind.SENTENCE, text, start, place)
            start = place
    yield _passage(PassageKind.SENTENCE, text, start, end)


def _passage(kind: PassageKind, text: str, start: int, end: int) -> Passage:
    written = text[start:end]
    start += len(written) - len(written.lstrip())
    return Passage(kind, written.strip(), start, start + len(written.strip()))

"""Where a passage or part that a change names stands in a rule's text. Pure."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans({**dict.fromkeys("“”„‟″", '"'), **dict.fromkeys("‘’‚‛′", "'")})
_QUOTED = 60  # characters of a passage that a sentence quotes
MARKER = re.compile(
    r"[ \t]*(?:[*+•·–-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])[ \t]+(?=\S)", re.IGNORECASE
)
ANY_MARKER = re.compile("^" + MARKER.pattern, re.IGNORECASE | re.MULTILINE)
# Begun at a line's beginning alone: a line of spaces would take the square of its length.
_PARAGRAPH = re.compile(r"^[^\S\n]*+\S[^\n]*(?:\n[^\S\n]*+\S[^\n]*)*", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?][\"”’)]*(?=\s+[\"“(]?[^\sa-z])")
_ABBREVIATED = re.compile(r"(?:\b[A-Za-z]|\b(?:[Ee]\.g|[Ii]\.e|etc|vs|no|No))\.$")
_HARD_WRAPPED = 100  # characters; a text with longer lines is not broken by hand
_HEAD = 60  # characters of a passage by which its places in a text are found
_FEW = 20  # such places, which are looked at one by one
_LIKE = {quote: f"[{group}]" for group in ('"“”„‟″', "'‘’‚‛′") for quote in group}


@dataclass(frozen=True, slots=True)
class TextPart:
    """Which part of a text is meant by a passage's words; by default these words, standing once.

    `unit` is "paragraph", "sentence", "item", "line" or "word"; `which` is "whole", "beginning",
    "ending" or "containing" (with the words), a number counted from 1, -1 for the last, or 0 for
    the only one. Without a unit, `which` is "each" for each instance of the words, or which of
    them.
    """

    unit: str = ""
    which: str | int = ""


WORDS = TextPart()


class EditFailed(ValueError):
    """A change cannot be made to a text; the sentence says why."""


def places_of(text: str, words: str, part: TextPart, where: str) -> list[tuple[int, int]]:
    """Where a passage or part stands, once unless each instance is meant; raises."""
    kind = f"whole {part.unit}" if part.which == "whole" else "passage"
    shown = f"The {kind} “{beginning(words)}”" if words.strip() else "The part that is named"
    spans = _units(text, words, part, where) if part.unit in _CUTTERS else _instances(text, words)
    if part.unit == "word":
        # “art” is no word of “party”: neither end of it may stand between two letters.
        ends = {at for span in spans for at in span if 0 < at < len(text)}
        within_word = {at for at in ends if text[at - 1 : at + 1].isalnum()}
        spans = [span for span in spans if within_word.isdisjoint(span)]
    nth = part.which if isinstance(part.which, int) else 0
    if len(spans) < max(abs(nth), 1):
        raise EditFailed(f"{shown} stands nowhere {where}.")
    if part.which == "each" and not part.unit:
        return spans
    if nth:
        return [spans[nth - (nth > 0)]]
    if len(spans) > 1:
        often = "twice" if len(spans) == 2 else f"{len(spans)} times"
        raise EditFailed(f"{shown} stands {often} {where}: quote more of it.")
    return spans


def _instances(text: str, words: str) -> list[tuple[int, int]]:
    wanted = _folded(words.strip())
    if not wanted:
        return []
    # Where its first words stand: much cheaper than to fold a long text.
    pattern = re.compile(r"\s++".join(map(_in_any_quotes, wanted[:_HEAD].split(" "))))
    starts: list[int] = []
    match = pattern.search(text)
    while match and len(starts) <= _FEW:
        starts.append(match.start())
        match = pattern.search(text, match.start() + 1)
    if len(starts) <= _FEW:
        ends = ((start, _end_of(text, start, wanted)) for start in starts)
        return [(start, end) for start, end in ends if end]
    folded, places = _folded(text), _Places(text)
    spans = []
    start = folded.find(wanted)
    while start >= 0:
        end = places.original(start + len(wanted) - 1) + 1
        spans.append((places.original(start), end))
        start = folded.find(wanted, start + 1)
    return spans


def _in_any_quotes(word: str) -> str:
    """The word as a pattern that takes each quote in it for any like it."""
    return "".join(_LIKE.get(letter) or re.escape(letter) for letter in word)


def _end_of(text: str, start: int, wanted: str) -> int:
    """Where a folded passage ends that stands at that place; 0 where it does not stand there."""
    length = len(wanted)
    while True:
        piece = text[start : start + length]
        folded = _folded(piece)
        if len(folded) >= len(wanted) or start + length >= len(text):
            break
        length *= 2
    if not folded.startswith(wanted):
        return 0
    return start + _Places(piece).original(len(wanted) - 1) + 1


def _units(text: str, words: str, part: TextPart, where: str) -> list[tuple[int, int]]:
    """The paragraphs, sentences or list items that are meant."""
    spans = list(_CUTTERS[part.unit](text))
    if isinstance(part.which, int):  # where a list stands among them, how they count is in doubt
        if part.unit == "sentence" and ANY_MARKER.search(text):
            raise EditFailed(f"A list stands {where}: name the sentence by its beginning.")
        counted = spans[-1:] if part.which == -1 else spans[: part.which or None]
        lists = (ANY_MARKER.search(text, start, end) for start, end in counted)
        if part.unit == "paragraph" and any(lists):
            raise EditFailed(f"A list stands {where}: name the paragraph by its beginning.")
        return spans
    wanted = _folded(words.strip().rstrip("….").rstrip())
    match: dict[str, Callable[[str], bool]] = {
        "whole": lambda unit: unit == _plain(words),
        "beginning": lambda unit: unit.startswith(wanted),
        "ending": lambda unit: unit.rstrip(".;,").endswith(wanted.rstrip(".;,")),
        "containing": lambda unit: wanted in unit,
    }
    fits = match[str(part.which)]
    meant = [(start, end) for start, end in spans if wanted and fits(_plain(text[start:end]))]
    if part.unit == "paragraph" and any(MARKER.match(text, start) for start, _ in meant):
        raise EditFailed(f"What is called a paragraph is a list's item {where}: say so.")
    return meant


def _plain(unit: str) -> str:
    marker = MARKER.match(unit)
    return _folded(unit[marker.end() if marker else 0 :].strip())


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    for paragraph in _PARAGRAPH.finditer(text):
        lead = len(paragraph[0]) - len(paragraph[0].lstrip())
        yield paragraph.start() + lead, paragraph.start() + len(paragraph[0].rstrip())


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for start, end in _paragraphs(text):
        marker = MARKER.match(text, start)
        begins = marker.end() if marker else start
        for stop in _SENTENCE_END.finditer(text, begins, end):
            if not _ABBREVIATED.search(text, max(start, stop.start() - 6), stop.start() + 1):
                yield begins, stop.end()
                begins = (
                    stop.end() + len(text[stop.end() : end]) - len(text[stop.end() : end].lstrip())
                )
        if begins < end:
            yield begins, end


def _lines(text: str) -> Iterator[tuple[int, int]]:
    for line in re.finditer(r"[^\s][^\n]*", text):
        yield line.start(), line.start() + len(line[0].rstrip())


def _list_items(text: str) -> Iterator[tuple[int, int]]:
    """Each item of a list from its marker to its last line; lines that go on belong to it."""
    lines = text.split("\n")
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    width = max(map(len, lines))
    for number, line in enumerate(lines):
        if not MARKER.match(line):
            continue
        last = number
        depth = len(line) - len(line.lstrip())
        while last + 1 < len(lines) and lines[last + 1].strip():
            below = lines[last + 1]
            deeper = len(below) - len(below.lstrip()) > depth
            if MARKER.match(below) and not deeper:
                break
            if not deeper and not goes_on(lines[last], below, width):
                break
            last += 1
        yield starts[number] + depth, starts[last] + len(lines[last].rstrip())


_CUTTERS: dict[str, Callable[[str], Iterator[tuple[int, int]]]] = {
    "paragraph": _paragraphs,
    "sentence": _sentences,
    "item": _list_items,
    "line": _lines,
}


class _Places:
    """From places in a folded text to those in the original."""

    def __init__(self, text: str) -> None:
        self._folded, self._shift = [0], [0]
        for run in _SPACES.finditer(text):
            longer = len(run[0]) - 1
            if longer:
                self._folded.append(run.start() - self._shift[-1] + 1)
                self._shift.append(self._shift[-1] + longer)

    def original(self, place: int) -> int:
        return place + self._shift[bisect_right(self._folded, place) - 1]


def _folded(text: str) -> str:
    return straight(_SPACES.sub(" ", text))


def straight(text: str) -> str:
    """The text with straight quotes for typographic ones, at the same places."""
    return text if text.isascii() else text.translate(_QUOTES)


def beginning(passage: str) -> str:
    return shortened(" ".join(passage.split()))


def shortened(words: str) -> str:
    """The words as a sentence quotes them."""
    return words if len(words) <= _QUOTED else words[:_QUOTED].rstrip() + "…"


def goes_on(above: str, line: str, width: int) -> bool:
    """Whether a line under an item is still the item's: indented, or broken off by hand.

    It is broken by hand where it begins with a small letter, or where its first word had no
    room in the line above.
    """
    if line[0] in " \t":
        return True
    first = line.split()[0]
    is_wrapped = width <= _HARD_WRAPPED and len(above) + 1 + len(first) > width
    return bool(above.strip()) and (first[0].islower() or is_wrapped)

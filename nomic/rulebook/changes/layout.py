"""Where braces, comments, quotes and lines of a body begin and end; each found in one pass."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from string import ascii_lowercase
from textwrap import dedent

from nomic.rulebook.tables import lines_of

DEEPEST = 100  # braces within braces

ITEM = re.compile(
    r"[ \t]*(?:[*•+–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5}|[IVX]{1,5})[.)])[ \t]+(?=\S)"
)
HEADING = re.compile(
    r"__[^\n]*\S__[ \t\r]*$|==[^\n]*\S==[ \t\r]*$|#{1,6} |-{3,}[ \t\r]*$|={3,}[ \t\r]*$", re.M
)
RULED = re.compile(
    r"(?:[-=_*#–— \t]+|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)][ \t]*)(?=\r?$)", re.MULTILINE
)
"""A line of dashes, or an item's mark on a line of its own."""
SECTION = re.compile(
    r"(?:\#{1,6}[ ]*|={2,6}[ ]*|__|\*\*)?(?:rationale|comments?|notes?|justification)"
    r"[ ]*:?[ ]*(?:={2,6}|__|\*\*)?:?[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""The heading of a section that is a comment."""
_MARKS = re.compile(r"/\*|[{}\[]|[\"“‘'][{}]+[\"”’']|^[ \t]*(?:>|//[^\n{}]*$)", re.MULTILINE)
_TICKS = ("x", "X")  # in the box of an item that is to be chosen, which is no comment
_BRACKETS = re.compile(r"[\[\]]")
_CURLY = re.compile(r"[“”]")
_DOUBLE, _STRAIGHT = re.compile(r"[\"“”]"), re.compile('"')
# A straight quote looks the same at both ends: the signs beside it tell whether it opens or closes.
_OPENS = re.compile(r"(?<![^\s(\[{—–/:])[\"'](?=\S)|(?<=: )\"(?= )")
_CLOSES = {mark: re.compile(rf"(?<=\S){mark}(?=[\s.,;:!?)\]}}]|\Z)") for mark in "\"'’"}
_BEFORE_QUOTE, _BEHIND_QUOTE = re.compile(r"[\s(\[{—–/:]"), re.compile(r"[\s.,;:!?)\]}]|\Z")
_EMPTY_QUOTES = re.compile(r'""(?!")')
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n")
_WITH_LINE = re.compile(r"^with\b[^\n]{0,60}:[ \t\r]*$", re.M)
_LONE_WITH = re.compile(r"with(?: the (?:text|following(?: text)?))?(?::[-–—]?)?[ \t\r]*$", re.M)
_FIRST_ON_LINE = re.compile(r"(?:\n|\A)([ \t]*+)(?=\S)")
_SPACE = re.compile(r"\s+")
_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = [f"{tens}{units}" for tens in ("", "x") for units in _UNITS]
_COUNTED = ("", *ascii_lowercase)


class Unreadable(Exception):
    """A body whose braces do not fit, or with too many changes; `line`, `column` count from 1."""

    def __init__(self, sentence: str, line: int, column: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.line = line
        self.column = column


class BraceMisfit(Unreadable):
    """A body with a brace that is never closed, or closes nothing."""


@dataclass
class Layout:
    """A body with its braces matched. BraceMisfit where they do not fit, Unreadable where they are
    too deep."""

    text: str
    closing: dict[int, int] = field(default_factory=dict)  # from an opening brace to its closing
    comments: dict[int, int] = field(default_factory=dict)  # from where each begins to behind it
    looks: int = 0  # that were taken at whether words are a sentence, or announce a text

    def __post_init__(self) -> None:
        self._match_braces()
        self._curly = dict(_pairs(_CURLY, "“", self.text))
        self._curly_ends = frozenset(self._curly.values())
        self._turns: dict[int, dict[int, int]] = {}  # by paragraph, as far as they were asked for
        self._opens = [mark.start() for mark in _OPENS.finditer(self.text)]
        self._closes = {
            mark: [mark.start() for mark in pattern.finditer(self.text)]
            for mark, pattern in _CLOSES.items()
        }
        self._comments = list(self.comments)
        self._with_lines = [mark.start() for mark in _WITH_LINE.finditer(self.text)]
        self._paragraphs = [mark.start() for mark in _PARAGRAPH.finditer(self.text)]

    def _match_braces(self) -> None:
        open_braces: list[int] = []
        brackets = dict(_pairs(_BRACKETS, "[", self.text))
        # Behind the last “*/” no “/*” is looked for: many would take the square of the length.
        at, last_comment, quoted_until = 0, self.text.rfind("*/"), 0
        while mark := _MARKS.search(self.text, at):
            at = mark.end()
            sign = mark.group().lstrip()
            match sign:
                case _ if sign.startswith("//"):
                    if any(map(str.isalpha, sign)):
                        self.comments[at - len(sign)] = at
                case ">":
                    line_ends = self.text.find("\n", at)
                    quoted_until = line_ends if line_ends >= 0 else len(self.text)
                case _ if not open_braces and mark.start() < quoted_until:
                    pass  # of a text whose lines are marked by themselves
                case "/*" if at <= last_comment:
                    at = self.text.index("*/", at) + 2
                    self.comments[mark.start()] = at
                case "[" if mark.start() in brackets and not open_braces:
                    at = brackets[mark.start()] + 1
                    words = self.text[mark.end() : at - 1].strip()
                    # “[x]” belongs to its item, and “[/s]” only ends what “[s]” has begun.
                    is_said = words not in _TICKS and not words.startswith("/")
                    if is_said and any(map(str.isalpha, words)):
                        self.comments[mark.start()] = at
                case "{":
                    open_braces.append(mark.start())
                    if len(open_braces) > DEEPEST:
                        deep = f"stands more than {DEEPEST} braces deep; use fewer"
                        raise self.unreadable(mark.start(), self._of_brace(mark.start(), deep))
                case "}":
                    if not open_braces:
                        raise self._misfit(
                            mark.start(), "closes nothing; remove it, or add a { where it begins"
                        )
                    self.closing[open_braces.pop()] = mark.start()
        if open_braces:
            raise self._misfit(open_braces[-1], "is never closed; add a } where its text ends")

    def _misfit(self, at: int, fault: str) -> BraceMisfit:
        return BraceMisfit(*self._placed(at, self._of_brace(at, fault)))

    def _of_brace(self, at: int, fault: str) -> str:
        begin = self.line_start(at)
        beginning = self.text[begin : begin + 60].split("\n")[0].strip()
        return f"the brace in “{beginning}” {fault}."

    def unreadable(self, at: int, complaint: str) -> Unreadable:
        """The error that says this of that place, for the caller to raise."""
        return Unreadable(*self._placed(at, complaint))

    def _placed(self, at: int, complaint: str) -> tuple[str, int, int]:
        line, column = self.text.count("\n", 0, at) + 1, at - self.line_start(at) + 1
        return f"Line {line}, column {column}: {complaint}", line, column

    def quoted(self, at: int) -> int | None:
        """The place of the quote that closes the one at `at`; None where it opens nothing.

        A quote ends in its paragraph, unless it begins a line or stands behind a colon. One with
        other quotes inside, not all closed, ends nowhere for sure. One that a mark of its own kind
        does not close is closed by the next mark of the other, where that closes and opens nothing.
        """
        mark = self.text[at]
        if mark == "“":
            return self._curly[at] if at in self._curly else self._closed_otherwise(at)
        if mark == '"' and _EMPTY_QUOTES.match(self.text, at):
            return at + 1
        if mark == '"' and (close := self._in_turns(at)) is not None:
            return close
        close = self._quoted_straight(at, mark)
        return self._closed_otherwise(at) if close is None and mark == '"' else close

    def _closed_otherwise(self, at: int) -> int | None:
        """The place of the next double quote where that closes, opens nothing, and is of the other
        kind than the one at `at`."""
        if self.text[at] == '"' and not _OPENS.match(self.text, at):
            return None
        mark = _DOUBLE.search(self.text, at + 1, self.paragraph_end(at))
        if mark is None or mark[0] in ("“", self.text[at]):
            return None
        close = mark.start()
        is_apart = not self.text[close - 1].isspace() and _BEHIND_QUOTE.match(self.text, close + 1)
        return close if is_apart and close not in self._curly_ends else None

    def _in_turns(self, at: int) -> int | None:
        """The place of the straight quote that closes the one at `at`, where those of the paragraph
        open and close in turns, and one of them has a space at its inner edge."""
        place = bisect_left(self._paragraphs, at)
        if place not in self._turns:
            begin = self._paragraphs[place - 1] if place else 0
            self._turns[place] = dict(self._pairs_in_turns(begin, self.paragraph_end(at)))
        return self._turns[place].get(at)

    def _pairs_in_turns(self, begin: int, end: int) -> list[tuple[int, int]]:
        text, marks = (
            self.text,
            [mark.start() for mark in _STRAIGHT.finditer(self.text, begin, end)],
        )
        opening, closing = marks[::2], marks[1::2]
        fits = (
            len(opening) == len(closing)
            and all(_BEFORE_QUOTE.match(text[mark - 1 : mark] or " ") for mark in opening)
            and all(_BEHIND_QUOTE.match(text, mark + 1) for mark in closing)
        )
        pairs = list(zip(opening, closing, strict=True)) if fits else []
        has_edge = any(text[a + 1].isspace() or text[b - 1].isspace() for a, b in pairs)
        return pairs if has_edge else []

    def _quoted_straight(self, at: int, mark: str) -> int | None:
        if mark == "‘":
            mark = "’"
        elif not _OPENS.match(self.text, at):
            return None
        closes = self._closes[mark]
        place = bisect_left(closes, at + 1)
        if place == len(closes):
            return None
        before = self.text[self.line_start(at) : at].strip()
        begins_line = not before or before.endswith(":")
        if closes[place] > self.paragraph_end(at) and not begins_line:
            return None
        inner = bisect_left(self._opens, closes[place]) - bisect_left(self._opens, at + 1)
        return None if inner and mark == '"' else closes[place]

    def without_comments(self, at: int, end: int) -> str:
        """The text between two places without the comments in it."""
        pieces = []
        place = bisect_left(self._comments, at)
        while place < len(self._comments) and self._comments[place] < end:
            pieces.append(self.text[at : self._comments[place]])
            at = self.comments[self._comments[place]]
            place += 1
        pieces.append(self.text[at:end])
        return "".join(pieces)

    def opens(self, at: int) -> bool:
        """Whether a double quote there looks as if it opened something."""
        mark = self.text[at]
        return mark == "“" or (mark == '"' and _OPENS.match(self.text, at) is not None)

    def with_line(self, at: int) -> int | None:
        """Where the next line “with the following:” of the paragraph of `at` begins, or such a line
        that stands alone right below it."""
        place, end = bisect_left(self._with_lines, at), self.paragraph_end(at)
        if place < len(self._with_lines) and self._with_lines[place] <= end:
            return self._with_lines[place]
        below = self.skip(end, len(self.text))
        is_alone = _LONE_WITH.match(self.text, below) and self.paragraph_end(below) <= (
            self.line_end(below, len(self.text))
        )
        return self.line_start(below) if is_alone else None

    def paragraph_end(self, at: int) -> int:
        """Where the paragraph of `at` ends."""
        place = bisect_left(self._paragraphs, at)
        return self._paragraphs[place] if place < len(self._paragraphs) else len(self.text)

    def gap(self, at: int, limit: int) -> tuple[int, int]:
        """The first place from `at` on that is neither white space nor within a comment, and how
        many line breaks stand before it; those of a comment do not count."""
        breaks = 0
        while at < limit:
            if at in self.comments:
                at = self.comments[at]
            elif space := _SPACE.match(self.text, at, limit):
                at = space.end()
                breaks += space[0].count("\n")
            else:
                break
        return min(at, limit), breaks

    def skip(self, at: int, limit: int) -> int:
        """The first place from `at` on that is neither white space nor within a comment."""
        return self.gap(at, limit)[0]

    def line_start(self, at: int) -> int:
        """Where the line of `at` begins."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int, limit: int) -> int:
        """Where the line of `at` ends, before its break."""
        end = self.text.find("\n", at, limit)
        return limit if end < 0 else end

    def lines(self, start: int, limit: int) -> Iterator[tuple[int, int]]:
        """Where each line begins and ends, before its break, from the one that begins there on."""
        while start < limit:
            end = self.line_end(start, limit)
            yield start, end
            start = end + 1

    def indent(self, at: int) -> int:
        """How far the line of `at` is indented, in columns."""
        start = self.line_start(at)
        # Not the whole line: one of a hundred thousand spaces is asked about at each of them.
        line = self.text[start : start + 200].expandtabs(8)
        return len(line) - len(line.lstrip(" "))

    def column(self, at: int) -> int:
        """How many columns stand before a place on its line."""
        return len(self.text[self.line_start(at) : at].expandtabs(8))

    def margin(self, start: int, end: int) -> int:
        """The column at which the leftmost line begins, of those behind a place; 0 without any."""
        lines = _FIRST_ON_LINE.finditer(self.text, start, end)
        return min((len(line[1].expandtabs(8)) for line in lines), default=0)

    def words(self, start: int, end: int) -> str:
        """The text between two places with white space folded."""
        return " ".join(self.text[start:end].split())

    def block(self, at: int) -> tuple[int, int, int]:
        """The braces that open at `at`: how many stand together, and where the last one closes.

        Returns (number, start of the closing ones, end of them).
        """
        number, close = 1, self.closing[at]
        while self.closing.get(at + number) == close - number:
            number += 1
        return number, close - number + 1, close + 1


def _pairs(pattern: re.Pattern[str], opening: str, text: str) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    openers: list[int] = []
    for mark in pattern.finditer(text):
        if mark.group() == opening:
            openers.append(mark.start())
        elif openers:
            pairs.append((openers.pop(), mark.start()))
    return pairs


def block_text(text: str) -> str:
    """A marked text without empty lines around it, and without an indent of all its lines."""
    lines = lines_of(text.rstrip())
    while lines and not lines[0].strip():
        lines.pop(0)
    if not lines or text.startswith(("\n", "\r", " ", "\t")):
        return dedent("\n".join(lines))
    rest = [dedent("\n".join(lines[1:]))] if lines[1:] else []
    return "\n".join([lines[0], *rest])


class ItemMarks:
    """The marks of a body's items so far."""

    def __init__(self) -> None:
        self._marks: set[str] = set()

    def count(self, marker: re.Match[str], *, alone: bool = False) -> bool:
        """Whether the mark of one more counts it, behind those so far.

        Letters do in their order; “y” and “n”, “x” and “o” tell what is to be done, and so do “+”
        and “-” in one body, which may be a difference. Numbers do in any order, unless they stand
        `alone` on their lines.
        """
        mark = marker[0].strip(" \t\r().")
        counts = True
        if mark in ("+", "-"):
            counts = ("-" if mark == "+" else "+") not in self._marks
        elif mark.isdigit() and alone:
            counts = mark == "1" or str(int(mark) - 1) in self._marks
        elif mark.isalpha():
            cased = str.upper if mark.isupper() else str
            before = [
                order[order.index(mark.lower()) - 1]
                for order in (_COUNTED, _ROMAN)
                if mark.lower() in order
            ]
            counts = any(not letter or cased(letter) in self._marks for letter in before)
        self._marks.add(mark)
        return counts

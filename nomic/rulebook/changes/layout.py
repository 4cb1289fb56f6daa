"""Where braces, comments, quotes and lines of a body begin and end; each found in one pass."""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

DEEPEST = 100  # braces within braces

_MARKS = re.compile(r"/\*|[{}]|[\"“‘'][{}]+[\"”’']|^-- ?\r?$", re.MULTILINE)
SIGNATURE = re.compile(r"^-- ?\r?$", re.MULTILINE)
_CURLY = re.compile(r"[“”]")
_CLOSERS = {
    '"': re.compile(r'"'),
    "‘": re.compile(r"(?<=\S)’(?!\w)"),
    "'": re.compile(r"(?<=\S)'(?!\w)"),
}
_GAP = re.compile(r"\s+")


class Unreadable(Exception):
    """A body whose braces do not fit, or with too many changes; `line`, `column` count from 1."""

    def __init__(self, sentence: str, line: int, column: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.line = line
        self.column = column


@dataclass
class Layout:
    """A body with its braces matched. Unreadable where they do not fit or are too deep."""

    text: str
    closing: dict[int, int] = field(default_factory=dict)  # from an opening brace to its closing
    comments: dict[int, int] = field(default_factory=dict)  # from “/*” to behind “*/”

    def __post_init__(self) -> None:
        self._match_braces()
        self._quotes = self._match_quotes()
        self._closers = {
            mark: [m.start() for m in pattern.finditer(self.text)]
            for mark, pattern in _CLOSERS.items()
        }

    def _match_braces(self) -> None:
        open_braces: list[int] = []
        at, last_comment = 0, self.text.rfind("*/")
        while mark := _MARKS.search(self.text, at):
            at = mark.end()
            if mark.group().startswith("--") and not open_braces:
                break
            match mark.group():
                case "/*" if at <= last_comment:
                    at = self.text.index("*/", at) + 2
                    self.comments[mark.start()] = at
                case "{":
                    open_braces.append(mark.start())
                    if len(open_braces) > DEEPEST:
                        raise self._unreadable(
                            mark.start(), f"stands more than {DEEPEST} braces deep; use fewer"
                        )
                case "}":
                    if not open_braces:
                        raise self._unreadable(
                            mark.start(), "closes nothing; remove it, or add a { where it begins"
                        )
                    self.closing[open_braces.pop()] = mark.start()
        if open_braces:
            raise self._unreadable(open_braces[-1], "is never closed; add a } where its text ends")

    def _unreadable(self, at: int, fault: str) -> Unreadable:
        line, column = self.line_and_column(at)
        begin = at - column + 1
        beginning = self.text[begin : begin + 60].split("\n")[0].strip()
        return Unreadable(
            f"Line {line}, column {column}: the brace in “{beginning}” {fault}.", line, column
        )

    def line_and_column(self, at: int) -> tuple[int, int]:
        """Where a place stands in the body, both counted from 1."""
        return self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)

    def _match_quotes(self) -> dict[int, int]:
        found: dict[int, int] = {}
        openers: list[int] = []
        for mark in _CURLY.finditer(self.text):
            if mark.group() == "“":
                openers.append(mark.start())
            elif openers:
                found[openers.pop()] = mark.start()
        return found

    def quoted(self, at: int) -> int | None:
        """The place of the quote that closes the one at `at`, or None where it opens nothing."""
        mark = self.text[at]
        if mark == "“":
            return self._quotes.get(at)
        if mark in "'‘" and not re.match(r"(?<!\w).\S", self.text[at : at + 2]):
            return None
        closers = self._closers[mark]
        place = bisect_left(closers, at + 1)
        return closers[place] if place < len(closers) else None

    def skip(self, at: int, limit: int) -> int:
        """The first place from `at` on that is neither white space nor within a comment."""
        while at < limit:
            if at in self.comments:
                at = self.comments[at]
            elif gap := _GAP.match(self.text, at, limit):
                at = gap.end()
            else:
                break
        return min(at, limit)

    def line_end(self, at: int, limit: int) -> int:
        """Where the line of `at` ends, before its break."""
        end = self.text.find("\n", at, limit)
        return limit if end < 0 else end

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

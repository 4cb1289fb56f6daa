"""Places at which headings begin, in any markup; and rules without a heading of their own, which
begin with a number within the text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from nomic.rulebook.formats.checking import MOST_RULES, Enough
from nomic.rulebook.formats.heading_words import heading_words

MOST_HEADINGS = 2 * MOST_RULES  # a category has a heading as well
WITHIN_TEXT = 7  # the level of a heading that is none of the markup's, below all that are
FACTS = r"(?:(?P<facts>[ \t]*[*_']{0,3}\([^()\n]{1,60}\)[*_']{0,3})(?=[ \t]*(?:[.:–—-]|$)))?"
RULER = re.compile(r"[ \t]*(?:={5,}|-{5,}|_{5,}|\*{5,})[ \t]*")
OF_CATEGORY = re.compile(
    r"\b(?:immutable|mutable|core|dynastic|part|chapter|section|article|category)\b", re.IGNORECASE
)
MARK = re.compile(r"<!-- (?P<kind>rule|category)(?P<sign>\.*) -->\s*$")
"""What says in a heading what that is; its sign is none of the texts'."""
_SEPARATOR = re.compile(r"(?:[.:–—]|--?(?=\s))?[ \t]*")


@dataclass(frozen=True, slots=True)
class Start:
    """Where a heading begins and ends, its level and its words. `taken` is "category" where its
    place says so; `is_item`, where the text below it is indented as an item's."""

    begins: int
    ends: int
    level: int
    words: str
    taken: str = ""
    is_item: bool = False

    @property
    def number(self) -> str:
        """The rule's number that its words give, "" for none."""
        return heading_words(self.words).number


@dataclass(frozen=True, slots=True)
class Split:
    """A text with its headings in order. `doubts` are the lines with numbers that begin no rule,
    and why; of `frames`, tags that are no text, as many were taken out. `offers` are
    places that may be said to begin rules."""

    text: str
    starts: list[Start]
    is_wiki: bool = False
    has_rulers: bool = False
    frames: int = 0
    doubts: tuple[tuple[int, str], ...] = ()
    offers: tuple[Start, ...] = ()


def too_many(name: str, line: int) -> Enough:
    """Why reading ends at the heading in that line."""
    return Enough(
        f"{name}, line {line}: heading {MOST_HEADINGS + 1:,} stands there, and {MOST_HEADINGS:,}"
        f" for {MOST_RULES:,} rules are the most. Nothing behind it was read."
    )


def in_order(starts: list[Start], others: list[Start]) -> list[Start]:
    """Both together, as they stand in their text."""
    return sorted([*starts, *others], key=lambda start: start.begins)


def lines_of(text: str, starts: Iterable[Start]) -> list[int]:
    """The lines, from 1 on, in which these begin, which are in order."""
    lines, line, before = [], 1, 0
    for start in starts:
        line, before = line + text.count("\n", before, start.begins), start.begins
        lines.append(line)
    return lines


def start_in_bold(line: re.Match[str], offset: int, *, is_item: bool) -> Start | None:
    """The rule that this line of a text begins, None where what is in bold is no number."""
    if not heading_words(line["words"]).number:
        return None
    words, ends = line["words"] + (line["facts"] or ""), line.start("rest")
    if words.rstrip()[-1] not in ".:–—-":
        separator = _SEPARATOR.match(line["rest"])
        ends += separator.end() if separator else 0
    return Start(offset + line.start(), offset + ends, WITHIN_TEXT, words, is_item=is_item)


def are_rules(numbered: list[Start], headings: list[Start]) -> bool:
    """Whether numbers within the text begin the rules, and headings the categories of them: they
    differ, more of them are numbered than headings, and most of what has a heading has one."""
    if len(numbered) < 2 or len({start.number for start in numbered}) < len(numbered):
        return False
    if sum(bool(heading.number) for heading in headings) * 2 > len(numbered):
        return False
    leaves, filled = _filled(numbered, headings)
    return filled * 2 > leaves or not leaves


def are_counted(items: list[Start], headings: list[Start]) -> bool:
    """Whether the items of numbered lists are the rules: their numbers go on from list to list, and
    no other heading than those above them has a text; there are more than two, below one heading.
    """
    if len(items) < 2 + (len(headings) < 2) or not are_rising(items):
        return False
    leaves, filled = _filled(items, headings)
    return len(headings) < 2 or filled == leaves


def are_rising(starts: list[Start]) -> bool:
    """Whether their numbers are whole, and each is greater than the one before."""
    numbers = [start.number for start in starts]
    if not all(number.isdecimal() for number in numbers):
        return False
    order = [*map(int, numbers)]
    return order == sorted({*order})


def _filled(numbered: list[Start], headings: list[Start]) -> tuple[int, int]:
    """How many headings have no other below them, and how many have a rule next."""
    starts = in_order(headings, numbered)
    leaves = filled = 0
    for at, start in enumerate(starts):
        if start.level == WITHIN_TEXT:
            continue
        below = starts[at + 1] if at + 1 < len(starts) else None
        is_filled = below is not None and below.level == WITHIN_TEXT
        leaves += is_filled or below is None or below.level <= start.level
        filled += is_filled
    return leaves, filled

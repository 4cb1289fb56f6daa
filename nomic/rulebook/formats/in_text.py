"""Rules without a heading of their own: those that begin with a number in bold, or are the items of
a numbered list."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from markdown_it.token import Token

from nomic.rulebook.formats.checking import MOST_RULES
from nomic.rulebook.formats.heading_words import heading_words

MOST_HEADINGS = 2 * MOST_RULES  # a category has a heading as well
WITHIN_TEXT = 7  # the level of a heading that is none of the markup's, below all that are
_FACTS = r"(?:(?P<facts>[ \t]*[*_']{0,3}\([^()\n]{1,60}\)[*_']{0,3})(?=[ \t]*(?:[.:–—-]|$)))?"
_BOLD = re.compile(
    r" {0,3}(?P<item>[-*+][ \t]+)?(?P<mark>\*\*|__)(?P<words>(?:[^*_\n]|(?<=\w)_(?=\w)){1,200})"
    rf"(?P=mark){_FACTS}[ \t]*(?P<rest>.*)"
)
_WIKI_BOLD = re.compile(
    r"^\0{0,600}(?P<item>[*:;#]{0,4}[ \t]*)'''(?P<words>(?:[^'\n]|'(?!'')){1,200})'''(?!')"
    rf"{_FACTS}[ \t]*(?P<rest>[^\n]*)",
    re.MULTILINE,
)
_TIGHT = re.compile(
    r"(?P<level>\#{1,6})(?P<words>(?:Rule |R|§)?[0-9][^\n]{0,300}?)\#*[ \t]*$", re.MULTILINE
)
_SEPARATOR = re.compile(r"(?:[.:–—]|--?(?=\s))?[ \t]*")
_MANY_BOLD = re.compile(r"^ {0,3}(?:[-*+][ \t]+)?(?:\*\*|__)(?:Rule |R|§ ?)?-?[0-9]", re.MULTILINE)
_ITEM_MARK = re.compile(r"[ \t]*[0-9]{1,9}[.)][ \t]*")
_RUN_IN = re.compile(
    r"(?P<mark>\*\*|__)(?P<title>[^*_\n]{1,118}[^*_\s.:–—-])[.:]?(?P=mark)[.:]?[ \t]*"
)


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


def tight_headings(text: str, tokens: list[Token], offsets: list[int]) -> Iterator[Start]:
    """Lines such as `##101. Title`, which were headings before CommonMark, with numbers."""
    for token in tokens:
        if token.type != "paragraph_open" or token.level != 0 or not token.map:
            continue
        for line in range(*token.map):
            begun = _TIGHT.match(text, offsets[line])
            if begun and heading_words(begun["words"]).number:
                level = len(begun["level"])
                yield Start(offsets[line], offsets[line + 1], level, begun["words"].strip())


def may_be_bold(text: str) -> bool:
    """Whether rules may begin with numbers in bold: there are some, and no more than may be."""
    many = sum(1 for _ in islice(_MANY_BOLD.finditer(text), MOST_HEADINGS + 1))
    return 1 < many <= MOST_HEADINGS


def bold(text: str, tokens: list[Token], offsets: list[int]) -> Iterator[Start]:
    """Lines of paragraphs, or of items of the outermost lists, that begin with a number in bold."""
    for at, token in enumerate(tokens):
        if token.type != "paragraph_open" or token.level not in (0, 2) or not token.map:
            continue
        if token.level == 2 and tokens[at - 1].type != "list_item_open":
            continue
        for line in range(*token.map):
            written = text[offsets[line] : offsets[line + 1]].rstrip("\n")
            begun = _BOLD.fullmatch(written)
            if begun and (start := _begun(begun, offsets[line], is_item=bool(begun["item"]))):
                yield start


def wiki_bold(text: str, hidden: list[tuple[int, int]]) -> list[Start]:
    """Lines of a page of MediaWiki that begin with a number in bold, where they are shown; none
    where they are more than there may be."""
    spans = iter(hidden)
    begins, ends = next(spans, (len(text), len(text)))
    starts: list[Start] = []
    for line in _WIKI_BOLD.finditer(text):
        while ends <= line.start() and begins < len(text):
            begins, ends = next(spans, (len(text), len(text)))
        if line.start() < begins and (start := _begun(line, 0, is_item=False)):
            starts.append(start)
            if len(starts) > MOST_HEADINGS:
                return []
    return starts


def _begun(line: re.Match[str], offset: int, *, is_item: bool) -> Start | None:
    """The rule that this line of a text begins, None where what is in bold is no number."""
    if not heading_words(line["words"]).number:
        return None
    words, ends = line["words"] + (line["facts"] or ""), line.start("rest")
    if words.rstrip()[-1] not in ".:–—-":
        separator = _SEPARATOR.match(line["rest"])
        ends += separator.end() if separator else 0
    return Start(offset + line.start(), offset + ends, WITHIN_TEXT, words, is_item=is_item)


def items(text: str, tokens: list[Token], offsets: list[int]) -> Iterator[Start]:
    """The items of the outermost numbered lists, with what is in bold at their beginning as title.

    They have the numbers that are written, or those that are shown where one is written twice.
    """
    lists: list[list[Token]] = []
    for token in tokens:
        if token.type == "ordered_list_open" and token.level == 0:
            lists.append([])
        elif token.type == "list_item_open" and token.level == 1 and token.info and token.map:
            lists[-1].append(token)
    for listed in lists:
        is_counted = len({token.info for token in listed}) < len(listed)
        for at, token in enumerate(listed):
            number = int(listed[0].info) + at if is_counted else int(token.info)
            begins = offsets[token.map[0]] if token.map else 0
            marker = _ITEM_MARK.match(text, begins)
            if marker:
                run_in = _RUN_IN.match(text, marker.end())
                title = f" {run_in['title']}" if run_in else ""
                ends = run_in.end() if run_in else marker.end()
                yield Start(begins, ends, WITHIN_TEXT, f"{number}.{title}", is_item=True)


def are_rules(begun: list[Start], headings: list[Start]) -> bool:
    """Whether numbers within the text begin the rules, and headings the categories of them: they
    differ, more of them are numbered than headings, and most of what has a heading has one."""
    numbers = {heading_words(start.words).number for start in begun}
    if len(begun) < 2 or len(numbers) < len(begun):
        return False
    if sum(bool(heading_words(start.words).number) for start in headings) * 2 > len(begun):
        return False
    leaves, filled = _filled(begun, headings)
    return filled * 2 > leaves or not leaves


def are_counted(listed: list[Start], headings: list[Start]) -> bool:
    """Whether the items of numbered lists are the rules: their numbers go on from list to list, and
    no other heading than those above them has a text; there are more than two, below one heading.
    """
    if len(listed) < 2 + (len(headings) < 2) or not are_rising(listed):
        return False
    leaves, filled = _filled(listed, headings)
    return len(headings) < 2 or filled == leaves


def are_rising(begun: list[Start]) -> bool:
    """Whether their numbers are whole, and each is greater than the one before."""
    numbers = [heading_words(start.words).number for start in begun]
    if not all(number.isdecimal() for number in numbers):
        return False
    order = [*map(int, numbers)]
    return order == sorted({*order})


def _filled(begun: list[Start], headings: list[Start]) -> tuple[int, int]:
    """How many headings have no other below them, and how many have a rule next."""
    places = sorted([*headings, *begun], key=lambda start: start.begins)
    leaves = filled = 0
    for at, start in enumerate(places):
        if start.level == WITHIN_TEXT:
            continue
        below = places[at + 1] if at + 1 < len(places) else None
        is_filled = below is not None and below.level == WITHIN_TEXT
        leaves += is_filled or below is None or below.level <= start.level
        filled += is_filled
    return leaves, filled

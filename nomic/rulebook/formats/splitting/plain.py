"""The rules and categories of plain text: lines with numbers, underlined titles, dashes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, pairwise

from nomic.rulebook.formats.heading_words import heading_words
from nomic.rulebook.formats.splitting.starts import (
    MOST_HEADINGS,
    OF_CATEGORY,
    RULER,
    WITHIN_TEXT,
    Split,
    Start,
    are_rising,
    are_rules,
    too_many,
)

_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\s*")
_RULE_LINE = re.compile(r"(?:Rule|RULE)\s+-?[0-9]")
_SENTENCE = re.compile(r"(?:Rule|RULE)\s+[0-9][\w.\-]*,?\s+[a-z]")
_SHORT_LINE = re.compile(r"R[0-9]{1,6}\s*(?:[:.–—]|-\s)")
_DIGITS_LINE = re.compile(r"-?[0-9]{1,6}(?:\.[0-9]{1,4})*[a-z]?(?:/[0-9]{1,6})?(?=[.:)–—\s]|$)")
_TITLED = re.compile(r"R(?:ule |ULE )?-?[0-9][\w.\-/]{0,30}\s*:")
_KIND_LINE = re.compile(
    r"(?:Act|Amendment|Article|Clause|Law|Section|Statute)\s+(?:#?[0-9]{1,6}|[IVXLC]{1,8})"
    r"(?:\s*(?:[.:–—]|-\s)\s*|\s*$)"
)
_COUNTED = re.compile(r"([0-9]{1,6})[.):](?=\s)")
_LONGEST_HEADING = 120
_OF_PROGRAM = 4  # columns by which one is indented
_LONGEST_NAME = 60
_LONGEST_NOTE = 40  # lines of what stands below a category's name in a plain text


def split_plain(text: str, name: str) -> Split:
    """Plain text: rules that begin with their numbers, or titles that are underlined; lines of
    dashes between rules, and names of categories between such lines. Raises Enough."""
    lines = text.split("\n")
    rulers = [bool(RULER.fullmatch(line)) for line in lines]
    begins = [at for at in range(len(lines)) if _is_alone(lines, rulers, at)]
    pattern = _DIGITS_LINE
    if any(_RULE_LINE.match(lines[at].strip()) for at in begins):
        pattern = _RULE_LINE
    elif sum(bool(_SHORT_LINE.match(lines[at].strip())) for at in begins) > 1:
        pattern = _SHORT_LINE
    elif _are_of_kind([lines[at].strip() for at in begins]):
        pattern = _KIND_LINE
    numbered = [at for at in begins if pattern.match(lines[at].strip())]
    left = min((_indented(lines[at]) for at in numbered), default=0)
    # What is indented as a program is part of a text, as in Markdown.
    numbered = [at for at in numbered if _indented(lines[at]) < left + _OF_PROGRAM]
    begins = [
        at
        for at in begins
        if not pattern.match(lines[at].strip()) or _indented(lines[at]) < left + _OF_PROGRAM
    ]
    if pattern is _DIGITS_LINE:
        begins = sorted({*begins, *_tight(lines, numbered)})
    for at in numbered:
        if _is_underlined(lines, at):
            rulers[at + 1] = False
    named = _category_names(lines, begins, {*numbered})
    behind_ruler = sum(_is_behind_ruler(lines, rulers, at) for at in numbered)
    has_rulers = bool(behind_ruler) and behind_ruler * 2 >= len(numbered)
    is_named = pattern is not _DIGITS_LINE
    underlined = [
        at
        for at in begins
        if _is_underlined(lines, at) and (not has_rulers or at == 0 or rulers[at - 1])
    ]
    are_few = len(numbered) <= MOST_HEADINGS and not is_named
    are_categories = are_few and _are_counted_below(lines, numbered, underlined)
    is_underlined = bool(underlined) and not is_named and not are_categories
    starts: list[Start] = []
    doubts: list[tuple[int, str]] = []
    offers: list[Start] = []
    last: tuple[int, ...] = ()
    offsets = list(accumulate((len(line) + 1 for line in lines), initial=0))
    until, marks = 0, {*underlined}
    for at in begins:
        offset, ends, bare = offsets[at], offsets[at + 1], lines[at].strip()
        start = None
        banner = _banner(lines, rulers, at) if has_rulers else 0
        if at < until or rulers[at]:
            pass
        elif is_named and _SENTENCE.match(bare) and _ends_as_text(lines, at):
            doubts.append((at + 1, "it is a sentence about a rule"))
            if len(offers) < MOST_HEADINGS:
                offers.append(Start(offset, ends, WITHIN_TEXT, bare))
        elif pattern is _KIND_LINE and (kind := pattern.match(bare)):
            start = _kind_start(lines[at], offset, bare, kind)
        elif is_named and pattern.match(bare) and (words := heading_words(bare)).number:
            start = _numbered_start(lines, rulers, at, offset, words.number, bare)
        elif named.get(at):
            start = Start(offset, ends, 1, bare, "category")
        elif banner:
            start, until = Start(offset, ends, 1, bare, "category"), banner
        elif at in marks:
            level = "=-~".index(lines[at + 1].strip()[0]) + 1
            start = Start(offset, ends + len(lines[at + 1]) + 1, level, bare)
        elif not is_underlined and not is_named and pattern.match(bare):
            number = heading_words(bare).number
            order = tuple(int(part) for part in re.findall(r"-?[0-9]{1,18}", number))
            if number and order > last:
                last = order
                start = _numbered_start(lines, rulers, at, offset, number, bare)
            elif number:
                doubts.append((at + 1, f"{number} does not come after that rule's number"))
                if len(offers) < MOST_HEADINGS:
                    offers.append(_numbered_start(lines, rulers, at, offset, number, bare))
        elif at in named and len(offers) < MOST_HEADINGS:
            offers.append(Start(offset, ends, 1, bare))
        if start:
            starts.append(start)
            if len(starts) > MOST_HEADINGS:
                raise too_many(name, at + 1)
    starts = [replace(start, ends=min(start.ends, len(text))) for start in starts]
    return Split(text, starts, has_rulers=has_rulers, doubts=tuple(doubts), offers=tuple(offers))


def _category_names(lines: list[str], begins: list[int], numbered: set[int]) -> dict[int, bool]:
    """The lines alone that stand next before a rule and may name a category, and whether they do:
    a word says so, or several are in capitals. The first is none where it is the only one."""
    named: dict[int, bool] = {}
    for at, below in pairwise(begins):
        bare = lines[at].strip()
        is_line = at not in numbered and below in numbered and not lines[at + 1].strip()
        if (
            is_line
            and len(bare) <= _LONGEST_NAME
            and bare[-1] not in ".:;,!?)"
            and bare[0].isalnum()
        ):
            named[at] = not lines[at][0].isspace() and (
                bare.isupper() or bool(OF_CATEGORY.search(bare))
            )
    capitals = [at for at in named if named[at] and not OF_CATEGORY.search(lines[at])]
    if len(capitals) == 1:  # “THE END” is a rule's
        named[capitals[0]] = False
    does = [at for at in named if named[at]]
    if len(does) == 1 and not any(at < does[0] for at in numbered):
        named[does[0]] = False
    return named


def _are_counted_below(lines: list[str], numbered: list[int], underlined: list[int]) -> bool:
    """Whether numbers at the left begin the rules, and underlined titles the categories of them."""
    titles = {*underlined}
    begun = [Start(at, at, WITHIN_TEXT, lines[at].strip()) for at in numbered if at not in titles]
    headings = [Start(at, at, 1, lines[at].strip()) for at in underlined]
    return are_rules(begun, headings) and are_rising(begun)


def _tight(lines: list[str], numbered: list[int]) -> Iterator[int]:
    """The lines that begin rules right below another's text: those whose number comes next, from
    101 on, or where no more than the first begins behind an empty line."""
    last = -1
    for at, line in enumerate(lines):
        counted = _COUNTED.match(line)
        number = int(counted[1]) if counted else -1
        if number == last + 1 and (number > 100 or len(numbered) < 2):
            yield at
        if number == last + 1 or at in numbered[:1] or number > max(last, 100):
            last = number


def _ends_as_text(lines: list[str], at: int) -> bool:
    """Whether the paragraph that begins there goes on as a text, or ends as a sentence does."""
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    return lines[at].strip()[-1] in ".:;," or below[:1].islower()


def _indented(line: str) -> int:
    """Its columns before the first word."""
    line = line.expandtabs(_OF_PROGRAM)
    return len(line) - len(line.lstrip())


def _is_alone(lines: list[str], rulers: list[bool], at: int) -> bool:
    """Whether a line may begin a rule: what stands above it is nothing, or a line of dashes."""
    return bool(lines[at].strip()) and (at == 0 or rulers[at - 1] or not lines[at - 1].strip())


def _is_behind_ruler(lines: list[str], rulers: list[bool], at: int) -> bool:
    """Whether a line of dashes stands above it, with nothing or empty lines between."""
    above = at - 1
    while above >= max(0, at - 3) and not lines[above].strip():
        above -= 1
    return above >= 0 and rulers[above]


def _banner(lines: list[str], rulers: list[bool], at: int) -> int:
    """The line behind the name of a category that stands there, with what is said of it, between
    two lines of dashes; 0 where none does."""
    if not (lines[at].strip() and _is_behind_ruler(lines, rulers, at)):
        return 0
    if len(lines[at].strip()) > _LONGEST_HEADING:
        return 0
    name = lines[at].strip()
    above = next(line for line in reversed(lines[max(0, at - 3) : at]) if line.strip())
    is_great, filled = above.strip()[0] == "=", 0
    for below in range(at, min(at + 2 * _LONGEST_NOTE, len(lines))):
        if rulers[below]:
            return below
        bare = lines[below].strip()
        if _RULE_LINE.match(bare) or _SHORT_LINE.match(bare):
            is_name = filled == 1 and lines[at][0].isalnum() and name[-1] not in ".:;,"
            return at + 1 if is_name else 0
        filled += bool(bare)
        # What is said of a category is indented, or its name stands below a greater line.
        is_note = is_great or (lines[below][:1].isspace() and not lines[at][0].isspace())
        if filled > _LONGEST_NOTE or (filled > 1 and bare and not is_note):
            return 0
    return 0


def _is_underlined(lines: list[str], at: int) -> bool:
    ends = at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1])
    return bool(ends and lines[at].strip() and not _UNDERLINE.fullmatch(lines[at]))


def _are_of_kind(begins: list[str]) -> bool:
    """Whether “Article 1” and such begin the rules: there are several, and more than numbers."""
    of_kind = sum(bool(_KIND_LINE.match(line)) for line in begins)
    return of_kind > 1 and of_kind > sum(bool(_DIGITS_LINE.match(line)) for line in begins)


def _kind_start(line: str, offset: int, bare: str, kind: re.Match[str]) -> Start:
    """A rule that begins with “Article 1”, with a title behind it, or with its text at once."""
    is_title = len(bare) <= _LONGEST_HEADING and (bare == kind[0].strip() or bare[-1] not in ".;,:")
    if is_title:
        return Start(offset, offset + len(line) + 1, 4, bare)
    begins = offset + len(line) - len(line.lstrip())
    return Start(offset, begins + kind.end(), 4, kind[0].strip())


def _numbered_start(
    lines: list[str], rulers: list[bool], at: int, offset: int, number: str, bare: str
) -> Start:
    """A rule that begins with its number: with a title behind it or on the next line, or with its
    text at once."""
    level, ends = 4 + number.count("."), offset + len(lines[at]) + 1
    title = heading_words(bare).title
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    if title == f"Rule {number}" and len(bare) <= _LONGEST_HEADING:
        rest = lines[at + 2].strip() if at + 2 < len(lines) else ""
        is_title = below and not rest and len(below) <= _LONGEST_HEADING
        if is_title and below[-1] not in ".:;," and not rulers[at + 1]:
            return Start(offset, ends + len(lines[at + 1]) + 1, level, f"{bare}: {below}")
        return Start(offset, ends, level, bare)
    if _is_underlined(lines, at):
        return Start(offset, ends + len(lines[at + 1]) + 1, level, bare)
    goes_on = below and below[0].islower() and not _TITLED.match(bare)
    if len(title) > 80 or bare[-1] in ".;," or goes_on:
        begins = offset + lines[at].index(title[:20]) if title[:20] in lines[at] else ends
        return Start(offset, begins, level, f"Rule {number}")
    return Start(offset, ends, level, bare)

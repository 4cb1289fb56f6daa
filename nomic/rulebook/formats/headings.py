"""The rules of one text: each heading as a rule, a category, a part of the text above it, or what
is told of a rule's past."""

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import count, repeat, takewhile
from textwrap import dedent

from nomic.rulebook.formats.checking import Fault, Findings
from nomic.rulebook.formats.heading_words import HeadingWords, heading_words
from nomic.rulebook.formats.splitting.split import split
from nomic.rulebook.formats.splitting.starts import (
    MARK,
    MOST_HEADINGS,
    OF_CATEGORY,
    RULER,
    WITHIN_TEXT,
    Split,
    Start,
    lines_of,
    too_many,
)
from nomic.rulebook.formats.splitting.wiki import unframed
from nomic.rulebook.formats.values import Category, Heading, compact

LARGEST_TEXT = 3_000_000  # characters
_PAST = {
    "history": "history",
    "amendment history": "history",
    "changes": "history",
    **dict.fromkeys(("judgments", "judgements", "annotations", "cfjs", "rulings"), "annotations"),
}
_OF_PAST = frozenset(_PAST.values())
_ITEM = re.compile(r" {0,3}(?:[-*+•]|[0-9]{1,4}[.)])[ \t]+")
_LIST_MARK = re.compile(r"[ \t]*(?:[-*+•#:;>]{1,6}[ \t]+){0,3}")
_ISO_DAY = re.compile(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DAY = re.compile(rf"{_MONTH}\.? [0-9]{{1,2}},? [0-9]{{4}}|[0-9]{{1,2}} {_MONTH}\.? [0-9]{{4}}")
_LEFT_RULER = re.compile(r"^[=_*-]{5,}[ \t]*$", re.MULTILINE)
_LEFT_TAIL = re.compile(
    r"^(?:(?P<history>History)|(?:Annotations|CFJs|Judge?ments))[ \t]*:[ \t]*$"
    r"|^(?=\[|CFJ [0-9])",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class HeadedSection:
    """A heading, what it was taken as, and the text below it until the next that is no part of its
    text, exactly as it stands. `line` counts from 1; `level` is 1 for the greatest."""

    level: int
    head: HeadingWords
    index: int  # among the findings' headings
    line: int
    last_line: int
    text: str
    taken: str


def read_text(
    text: str,
    name: str,
    findings: Findings,
    category: str = "",
    *,
    is_of_several: bool = False,
) -> None:
    """Add the rules of the text to the findings; raises Fault. One that `is_of_several` is a file
    beside others."""
    if len(text) > LARGEST_TEXT:
        raise Fault(f"{name} has {len(text):,} characters; {LARGEST_TEXT:,} are the most.")
    read_parts(split(text, name), name, findings, category, is_of_several=is_of_several)


def read_parts(
    parts: Split, name: str, findings: Findings, category: str, *, is_of_several: bool
) -> None:
    """Add the rules of a text whose headings are found to the findings, as `read_text` does."""
    parts = _with_chosen(_as_marked(parts, name, findings), name, findings)
    first_heading = len(findings.headings)
    if not parts.starts:
        raise Fault(
            f"{name}: no heading was found. A rule begins with a line such as “# Title”,"
            " “== Title ==”, “Rule 101: Title”, “**101.**”, or a title underlined with =====."
        )
    findings.contents.texts.append((name, parts.text.replace("\0", ""), parts.is_wiki))
    if parts.frames:
        findings.note(f"{name}: {parts.frames:,} tags <div> of the wiki page are left out.")
    for line_number, why in parts.doubts:
        findings.note(
            f"{name}, line {line_number}: taken as part of the rule above it, since {why}."
        )
    before, sections = _sections(parts, name, findings)
    if parts.has_rulers:
        before = re.sub(r"(?:\n|\A)[=_*-]{5,}\n*\Z", "\n", before)
    if before.strip():
        no_rule = "no rule, and kept as what stands before all of them"
        whys = (f"{name}, line {number}: {no_rule}" for number in count(1))
        _keep(unframed(before), "", findings, whys)
    _add(sections, name, findings, parts, category, is_of_several=is_of_several)
    _offer(parts, name, findings, first_heading)


def _as_marked(parts: Split, name: str, findings: Findings) -> Split:
    """The text with its headings as their marks say what they are, “<!-- rule -->”, as a rulebook
    goes out of here: those without the mark of the first are text."""
    marks = [MARK.search(start.words) for start in parts.starts]
    sign = next((mark["sign"] for mark in marks if mark), None)
    if sign is None:
        return parts
    headings, starts = {}, []
    lines = lines_of(parts.text, parts.starts)
    for start, line, mark in zip(parts.starts, lines, marks, strict=True):
        is_marked = mark is not None and mark["sign"] == sign
        headings[f"{name}:{line}"] = mark["kind"] if mark and is_marked else "text"
        if mark and is_marked:
            findings.contents.reworded.append(parts.text[start.begins : start.ends].strip())
            start = replace(start, words=start.words[: mark.start()].rstrip())
        starts.append(start)
    chosen = {**headings, **findings.choices.headings}
    findings.choices = replace(findings.choices, headings=chosen)
    return replace(parts, starts=starts, offers=())


def _with_chosen(parts: Split, name: str, findings: Findings) -> Split:
    """The text with what is said to begin a rule or a category where no heading was found."""
    places = (
        place.rpartition(":")
        for place, taken in findings.choices.headings.items()
        if taken != "text"
    )
    lines = [int(line) for file, _, line in places if file == name and line.isdecimal()]
    if not lines:
        return parts
    offsets = [0, *(line.end() for line in re.finditer("\n", parts.text)), len(parts.text)]
    offered = dict(zip(lines_of(parts.text, parts.offers), parts.offers, strict=True))
    starts = list(parts.starts)
    for line in {*lines}.difference(lines_of(parts.text, starts)):
        if 0 < line < len(offsets):
            begins, ends = offsets[line - 1], offsets[line]
            words = _LIST_MARK.sub("", parts.text[begins:ends], count=1).strip()
            if words:
                starts.append(offered.get(line) or Start(begins, ends, WITHIN_TEXT, words))
    return replace(parts, starts=sorted(starts, key=lambda start: start.begins))


def _offer(parts: Split, name: str, findings: Findings, first: int) -> None:
    """Let be said what could begin rules in the text as well, each in its place among the headings
    of the text, of which that is the `first`."""
    headings = findings.headings[first:]
    places = {heading.place for heading in headings}
    offers = parts.offers[:MOST_HEADINGS]
    for start, line in zip(offers, lines_of(parts.text, offers), strict=True):
        if f"{name}:{line}" not in places:
            words = parts.text[start.begins : start.begins + 200].partition("\n")[0]
            headings.append(Heading(f"{name}:{line}", words, "text"))
    headings.sort(key=lambda heading: int(heading.place.rpartition(":")[2]))
    findings.headings[first:] = headings


def _sections(parts: Split, name: str, findings: Findings) -> tuple[str, list[HeadedSection]]:
    """The text before the first heading, and the sections; what each heading was taken as goes to
    the findings. Raises Enough where there are too many."""
    text, starts = parts.text, parts.starts
    lines = lines_of(text, starts)
    if len(starts) > MOST_HEADINGS:
        raise too_many(name, lines[MOST_HEADINGS])
    heads = _loosely(starts, [heading_words(start.words) for start in starts])
    kinds = _taken(parts, lines, heads, name, findings)
    first_index = len(findings.headings)
    findings.headings += (
        Heading(f"{name}:{line}", start.words[:200], taken)
        for start, line, taken in zip(starts, lines, kinds, strict=True)
    )
    begun = [at for at, taken in enumerate(kinds) if taken != "text"]
    ends = [*(starts[at].begins for at in begun), len(text)]
    sections = []
    for at, until in zip(begun, ends[1:], strict=True):
        start, line = starts[at], lines[at]
        last_line = line + max(0, text.count("\n", start.begins, start.ends) - 1)
        body = _body(text[start.ends : until], parts, start)
        sections.append(
            HeadedSection(
                start.level, heads[at], first_index + at, line, last_line, body, kinds[at]
            )
        )
    return text[: ends[0]], sections


def _body(body: str, parts: Split, start: Start) -> str:
    """The lines below a heading without the empty ones around them, and without the dashes before
    the next rule where such lines stand between rules."""
    lines = unframed(body).split("\n")
    if start.is_item:
        lines = [lines[0], *dedent("\n".join(lines[1:])).split("\n")]
    filled = [at for at, words in enumerate(lines) if words.strip()]
    while parts.has_rulers and filled and RULER.fullmatch(lines[filled[-1]]):
        filled.pop()
    while parts.has_rulers and filled and RULER.fullmatch(lines[filled[0]]):
        filled.pop(0)
    return "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""


# What a heading is


def _taken(
    parts: Split, lines: list[int], heads: list[HeadingWords], name: str, findings: Findings
) -> list[str]:
    """What each heading is taken as, decided for the text as a whole.

    Where rules have numbers, one without a number is a part of the rule above it, if it is smaller,
    and a category of those below it, if it is greater.
    """
    starts = parts.starts
    levels = Counter(start.level for start, head in zip(starts, heads, strict=True) if head.number)
    main = min((level for level, many in levels.items() if many == max(levels.values())), default=0)
    on_main = sum(start.level == main for start in starts)
    is_numbered = levels[main] > 1 and levels[main] * 2 >= on_main
    has_clauses = _have_clauses(starts, heads)
    names = Counter(_plain_words(start.words) for start in starts)
    takens = []
    above: list[tuple[int, str]] = []  # level and number of each heading in which another stands
    for at, (start, head) in enumerate(zip(starts, heads, strict=True)):
        within = [heading for heading in above if heading[0] < start.level]
        under = next((number for _, number in reversed(within) if number), "")
        plain = _plain_words(start.words)
        is_smaller = bool(under) and (is_numbered or plain in _PAST)
        taken = start.taken or "rule"
        if not plain:
            taken = "text"
        elif plain in _PAST and bool(within) and (is_smaller or names[plain] > 1):
            taken = _PAST[plain]
        elif is_smaller and (not head.number or (has_clauses and _is_clause(head, under))):
            taken = "text"
        elif is_numbered and not head.number and start.level < main and _holds(starts, heads, at):
            taken = "category"
        taken = findings.choices.headings.get(f"{name}:{lines[at]}", taken)
        if taken == "text" and not above:
            taken = "rule"  # of no rule above it can it be a part
        takens.append(taken)
        if taken != "text" and taken not in _OF_PAST:
            above = [*within, (start.level, head.number)]
    return takens


def _is_clause(head: HeadingWords, under: str) -> bool:
    """Whether the number counts a part of the rule with that number, and goes not on from it."""
    return bool(head.number) and not head.number.startswith((f"{under}.", f"{under}-"))


def _have_clauses(starts: list[Start], heads: list[HeadingWords]) -> bool:
    """Whether rules count their parts by headings, since such a number stands in several."""
    numbers = Counter(head.number for head in heads if head.number)
    above: list[tuple[int, str]] = []
    for start, head in zip(starts, heads, strict=True):
        while above and above[-1][0] >= start.level:
            above.pop()
        under = next((number for _, number in reversed(above) if number), "")
        if under and _is_clause(head, under) and numbers[head.number] > 1:
            return True
        above.append((start.level, head.number))
    return False


def _loosely(starts: list[Start], heads: list[HeadingWords]) -> list[HeadingWords]:
    """What the headings say, a number before a space counted as a rule's where most headings of
    that level begin so and their numbers rise."""
    loose = [heading_words(start.words, loose=True) for start in starts]
    mixed = list(heads)
    for level in {start.level for start in starts}:
        on_level = [at for at, start in enumerate(starts) if start.level == level]
        new = [at for at in on_level if loose[at].number and not heads[at].number]
        order = [int(re.sub(r"[^0-9]", "", loose[at].number)[:18]) for at in new]
        if len(new) > 1 and len(new) * 2 > len(on_level) and order == sorted({*order}):
            for at in new:
                mixed[at] = loose[at]
    return mixed if any(head.number for head in mixed) else _of_kind(starts, mixed)


def _of_kind(starts: list[Start], heads: list[HeadingWords]) -> list[HeadingWords]:
    """What the headings say, numbers behind a word such as “Article” counted as the rules' on the
    smallest level where most begin so and rise."""
    of_kind = [heading_words(start.words, of_kind=True) for start in starts]
    for level in sorted({start.level for start in starts}, reverse=True):
        on_level = [at for at, start in enumerate(starts) if start.level == level]
        new = [at for at in on_level if of_kind[at].number]
        order = [int(of_kind[at].number) for at in new]
        if len(new) > 1 and len(new) * 2 > len(on_level) and order == sorted({*order}):
            numbered = {*new}
            return [of_kind[at] if at in numbered else heads[at] for at in range(len(heads))]
    return heads


def _plain_words(words: str) -> str:
    return words.strip(" *_'`:").casefold()


def _holds(starts: list[Start], heads: list[HeadingWords], at: int) -> bool:
    """Whether a rule with a number stands below that heading."""
    for below in range(at + 1, len(starts)):
        if starts[below].level <= starts[at].level:
            return False
        if heads[below].number:
            return True
    return False


# Sections as rules


def _add(
    sections: list[HeadedSection],
    name: str,
    findings: Findings,
    parts: Split,
    category: str,
    *,
    is_of_several: bool,
) -> None:
    """Add each section to the findings; raises Enough."""
    title = _title_of_all(sections, parts, is_alone=not is_of_several)
    if title and _chosen(title, findings):
        title = None
    above: list[tuple[int, str, bool]] = []  # level, name and whether it is a rule
    at = 0
    while at < len(sections):
        section, head = sections[at], sections[at].head
        at += 1
        while above and above[-1][0] >= section.level:
            above.pop()
        under = next((rule_name for _, rule_name, is_rule in reversed(above) if is_rule), "")
        holds_others = at < len(sections) and sections[at].level > section.level
        is_bare = holds_others and not (section.text or under or head.number)
        _mark(section, name, findings)
        if section is title:
            _retake(section, "title", findings)
            findings.note(f"{name}, line {section.line}: the title of all, “{head.title[:100]}”")
            below = f"{name}, below the title “{head.title[:100]}”: no rule, and kept with it"
            findings.categories.append(Category("", head.name))
            _keep(section.text, "", findings, repeat(below))
        elif section.taken == "category" or (
            section.taken == "rule" and is_bare and _chosen(section, findings) != "rule"
        ):
            above.append((section.level, head.name, False))
            _retake(section, "category", findings)
            path = _path(above, category)
            below = f"{name}, below “{path[:100]}”: no rule, and kept with the category"
            if section.text:
                _keep(section.text, path, findings, repeat(below))
        else:
            past = list(takewhile(lambda later: later.taken in _OF_PAST, sections[at:]))
            at += len(past)
            number = _add_rule(
                section, past, name, findings, parts, under=under, category=_path(above, category)
            )
            above.append((section.level, number or head.title, True))


def _add_rule(
    section: HeadedSection,
    past: list[HeadedSection],
    name: str,
    findings: Findings,
    parts: Split,
    *,
    under: str,
    category: str,
) -> str:
    """Add the section as a rule, with the sections that tell of its past; returns the number by
    which it came in. Raises Enough."""
    head, text, tail, behind = section.head, section.text, "", ""
    if parts.has_rulers:
        text, tail, behind = _parted(text)
    if behind:
        no_rule = f"{name}, below the dashes behind {head.title[:100]}: no rule, and kept with all"
        _keep(behind, "", findings, repeat(no_rule))
    history, annotations = _tail(tail)
    findings.contents.reworded += [label[0] for label in _LEFT_TAIL.finditer(tail)]
    for part in past:
        into = history if part.taken == "history" else annotations
        into += _entries(part.text)
        _mark(part, name, findings)
    findings.contents.reworded += (line for entry in history for line in entry.split("\n"))
    count_before = len(findings.rules)
    findings.add(
        {
            "number": head.number,
            "title": head.title,
            "power": head.power,
            "rule_class": head.rule_class,
            "parent": under,
            "category": category,
            "text": "\n\n".join(filter(None, (head.text, text))),
            "history": [
                {"date": _day_in(entry), "change": " ".join(entry.split())} for entry in history
            ],
            "annotations": [{"date": _day_in(entry), "text": entry} for entry in annotations],
            "more": compact(head.more) if head.more else "",
        },
        f"{name}, line {section.line}",
        markup="wiki" if parts.is_wiki else "",
        headed=True,
    )
    return findings.rules[-1].number if len(findings.rules) > count_before else head.number


def _chosen(section: HeadedSection, findings: Findings) -> str:
    """What who brings it says that its heading is, "" for nothing."""
    return findings.choices.headings.get(findings.headings[section.index].place, "")


def _retake(section: HeadedSection, taken: str, findings: Findings) -> None:
    """Let its heading be taken as that instead."""
    findings.headings[section.index] = replace(findings.headings[section.index], taken=taken)


def _title_of_all(
    sections: list[HeadedSection], parts: Split, *, is_alone: bool
) -> HeadedSection | None:
    """The heading that is the title of the whole page, if one is: it alone is the greatest, and it
    has a text of its own, or categories below it, or is no category's name and the text `is_alone`
    all that was brought."""
    first = sections[0]
    topmost = min(start.level for start in parts.starts)
    alike = sum(start.level == topmost for start in parts.starts)
    if alike > 1 or len(sections) == 1 or first.level != topmost or first.head.number:
        return None
    if first.taken not in ("rule", "category"):
        return None
    for at, section in enumerate(sections[1:-1], 1):
        is_empty = not section.text and not section.head.number
        if section.taken == "category" or (is_empty and sections[at + 1].level > section.level):
            return first
    is_name = is_alone and sections[1].level > topmost and not OF_CATEGORY.search(first.head.title)
    return first if first.text or is_name else None


def _path(above: list[tuple[int, str, bool]], category: str) -> str:
    """The categories in which a rule stands, the greatest first."""
    names = [title for _, title, is_rule in above if not is_rule]
    return " / ".join(filter(None, (category, *names)))


def _keep(text: str, category: str, findings: Findings, whys: Iterable[str]) -> None:
    """Keep a text that is no rule's with its category, or with the whole, and say of each line
    where it stands."""
    findings.categories.append(Category(category, text.strip("\n")))
    for line, why in zip(text.split("\n"), whys, strict=False):
        if line.strip():
            findings.note(f"{why}: {line.strip()[:100]}")


def _mark(section: HeadedSection, name: str, findings: Findings) -> None:
    """Account for the lines of its heading by what it says."""
    words = section.head.words
    if section.taken in _OF_PAST:
        words = f"{section.taken} {section.head.title}"
    first = section.text.split("\n", 1)[0]
    for line in range(section.line, section.last_line + 1):
        findings.contents.heads[name, line] = f"{words} {first}"


# What is told of a rule's past


def _parted(text: str) -> tuple[str, str, str]:
    """The indented lines of a rule, what is told of its past at the left below them, and what
    stands behind a line of dashes there; all of it and nothing else, where it is not indented."""
    if not text.startswith(("  ", "\t")):
        return text, "", ""
    ruler = _LEFT_RULER.search(text)
    behind = text[ruler.end() :].strip("\n") if ruler else ""
    text = text[: ruler.start()].rstrip() if ruler else text
    tail = _LEFT_TAIL.search(text)
    if not tail:
        return text, "", behind
    return text[: tail.start()].rstrip(), text[tail.start() :], behind


def _tail(tail: str) -> tuple[list[str], list[str]]:
    """The entries of a history, and the annotations, of what stands below a rule's text."""
    history: list[str] = []
    annotations: list[str] = []
    labels = list(_LEFT_TAIL.finditer(tail))
    for at, label in enumerate(labels):
        until = labels[at + 1].start() if at + 1 < len(labels) else len(tail)
        is_history = bool(label["history"])
        into = history if is_history else annotations
        into += _entries(tail[label.end() : until], is_lines=is_history)
    return history, annotations


def _entries(text: str, *, is_lines: bool = False) -> list[str]:
    """The items and paragraphs of a text, or each of its lines that is not indented."""
    entries: list[list[str]] = []
    is_begun = False
    for line in text.split("\n"):
        item = _ITEM.match(line)
        if not line.strip():
            is_begun = False
        elif is_begun and not item and (not is_lines or line[0].isspace()):
            entries[-1].append(line)
        else:
            entries.append([line[item.end() :] if item else line])
            is_begun = True
    return ["\n".join(lines).strip() for lines in entries]


def _day_in(entry: str) -> str:
    """The day that is named in it, "" for none."""
    for day in _ISO_DAY.finditer(entry):
        with suppress(ValueError):
            return date.fromisoformat(day[0]).isoformat()
    named = _DAY.search(entry)
    return named[0] if named else ""

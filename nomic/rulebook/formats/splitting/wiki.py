"""The headings of a page of MediaWiki, and its rules whose numbers stand in bold."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from nomic.rulebook.formats.splitting.starts import (
    FACTS,
    MOST_HEADINGS,
    WITHIN_TEXT,
    Split,
    Start,
    are_counted,
    are_rules,
    in_order,
    start_in_bold,
    too_many,
)

_WIKI_LINE = re.compile(r"^=[^\n]*", re.MULTILINE)
_WIKI_BOLD = re.compile(
    r"^\0{0,600}(?P<item>[*:;#]{0,4}[ \t]*)'''(?P<words>(?:[^'\n]|'(?!'')){1,200})'''(?!')"
    rf"{FACTS}[ \t]*(?P<rest>[^\n]*)",
    re.MULTILINE,
)
_NUMBERED_LINE = re.compile(r"^#[^\n]*", re.MULTILINE)
_WIKI_ITEM = re.compile(
    r"#(?![#*:;])[ \t]*(?:\'\'\'(?P<title>[^'\n]{1,118}?)[.:]?\'\'\'[.:]?[ \t]*)?"
)
_VERBATIM = ("nowiki", "pre", "source", "syntaxhighlight", "math")
_HIDES = re.compile(
    rf"<!--|<(?P<tag>{'|'.join(_VERBATIM)})\b[^<>\n]*>|\{{\{{|\}}\}}", re.IGNORECASE
)
_COMMENT_ENDS = re.compile("-->")
_TAG_ENDS = {tag: re.compile(rf"</{tag}[ \t]*>", re.IGNORECASE) for tag in _VERBATIM}
_DIV = re.compile(r"</?div\b[^<>\n]{0,500}>", re.IGNORECASE)
_ONLY_FILLED = re.compile(r"^[ \t]*\0[\0 \t]*(?:\n|\Z)", re.MULTILINE)


def split_wiki(text: str, name: str) -> Split:
    """A page of MediaWiki; raises Enough.

    A whole parser of it builds each sign of each list, for 30 µs and 800 bytes a character. Where
    headings are is known by the lines that begin with `=`, and by what hides such a line. The
    page's `<div>`s are taken out: they are its frames, and one ends in another rule's text.
    """
    hidden = _hidden_parts(text)
    frames = 0
    if "\0" not in text:
        text, frames = _without_frames(text, hidden)
    starts = []
    for line in _WIKI_LINE.finditer(text):
        at = line.start()
        words = _without_comments(line[0])
        inner = words.strip("=")
        before, after = (len(words) - len(strip("=")) for strip in (words.lstrip, words.rstrip))
        level = min(6, before, after)
        if level and inner and _is_shown(at, hidden):
            starts.append(Start(at, line.end(), level, words[level:-level].strip()))
            if len(starts) > MOST_HEADINGS:
                raise too_many(name, text.count("\n", 0, at) + 1)
    in_bold = _starts_in_bold(text, hidden)
    if are_rules(in_bold, starts):
        starts, in_bold = in_order(starts, in_bold), []
    elif any(start.number for start in starts):
        in_bold = []
    else:
        items = list(islice(_starts_of_items(text, hidden), MOST_HEADINGS + 1))
        if are_counted(items, starts):
            items = [start for start in items if not starts or start.begins > starts[0].begins]
            starts, in_bold = in_order(starts, items), []
        elif len(items) <= MOST_HEADINGS:
            in_bold = in_order(in_bold, items)
    return Split(text, starts, is_wiki=True, frames=frames, offers=tuple(in_bold))


def unframed(body: str) -> str:
    """A part of a wiki page without what its frames have left."""
    return _ONLY_FILLED.sub("", body).replace("\0", "") if "\0" in body else body


def _without_frames(text: str, hidden: list[tuple[int, int]]) -> tuple[str, int]:
    """The text with as many NUL in place of each `<div …>` and `</div>` that is not shown as it
    stands, so that all else is where it was; and how many they are."""
    as_written = [part for part in hidden if not text.startswith("{{", part[0])]
    parts, at = [], 0
    for tag in _DIV.finditer(text):
        if _is_shown(tag.start(), as_written):
            parts += [text[at : tag.start()], "\0" * len(tag[0])]
            at = tag.end()
    return "".join([*parts, text[at:]]), len(parts) // 2


def _without_comments(line: str) -> str:
    """The line without the comments and the space at its end."""
    line = line.rstrip()
    while line.endswith("-->") and "<!--" in line:
        line = line[: line.rindex("<!--")].rstrip()
    return line


def _hidden_parts(text: str) -> list[tuple[int, int]]:
    """Where on a page of MediaWiki no heading is: in comments, templates, and what is shown as it
    stands. In order, each from where it begins to where it ends; what does not end hides nothing.
    """
    parts: list[tuple[int, int]] = []
    templates: list[int] = []
    endless: set[str] = set()  # what begins and does not end is looked for once, not each time
    at = 0
    while sign := _HIDES.search(text, at):
        at = sign.end()
        kind = (sign["tag"] or sign[0]).casefold()
        begins = sign.start()
        if kind == "{{":
            templates.append(begins)
            continue
        if kind == "}}":
            if not templates:
                continue
            begins = templates.pop()
        elif kind in endless or sign[0].endswith("/>"):
            continue
        elif end := (_COMMENT_ENDS if kind == "<!--" else _TAG_ENDS[kind]).search(text, at):
            at = end.end()
        else:
            endless.add(kind)
            continue
        while parts and parts[-1][0] > begins:
            parts.pop()
        parts.append((begins, at))
    return parts


def _is_shown(at: int, hidden: list[tuple[int, int]]) -> bool:
    """Whether what stands at that place is in none of the hidden parts."""
    before = bisect_right(hidden, at, key=lambda part: part[0])
    return not before or hidden[before - 1][1] <= at


def _starts_of_items(text: str, hidden: list[tuple[int, int]]) -> Iterator[Start]:
    """The items of numbered lists, with what is in bold at their beginning as title. Each list is
    counted anew."""
    number, end = 0, -1
    for line in _NUMBERED_LINE.finditer(text):
        number = number if line.start() == end + 1 else 0
        end = line.end()
        item = _WIKI_ITEM.match(text, line.start(), end)
        if item and _is_shown(item.start(), hidden):
            number += 1
            title = f" {item['title']}" if item["title"] else ""
            yield Start(item.start(), item.end(), WITHIN_TEXT, f"{number}.{title}", is_item=True)


def _starts_in_bold(text: str, hidden: list[tuple[int, int]]) -> list[Start]:
    """Lines of a page of MediaWiki that begin with a number in bold, where they are shown; none
    where they are more than there may be."""
    starts: list[Start] = []
    for line in _WIKI_BOLD.finditer(text):
        is_shown = _is_shown(line.start(), hidden)
        if is_shown and (start := start_in_bold(line, 0, is_item=False)):
            starts.append(start)
            if len(starts) > MOST_HEADINGS:
                return []
    return starts

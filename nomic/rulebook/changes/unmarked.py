"""Texts and lists whose end nothing marks: what surely belongs to one."""

import re

from nomic.rulebook.changes.layout import SECTION, Layout

LINES = re.compile(r"[ \t]*(?:\||[*•+–-][ \t]+\S)")
_BULLETS = re.compile(r"[ \t]*[*•+–-][ \t]+\S")
_FENCE = re.compile(r"[ \t]*(?:`{3}|~{3}|[-=_*]{3})")
_WRAPPED, _HARD_WRAPPED = 40, 100  # characters of a line that is broken by hand: least and most
_STOPS = re.compile(r"[.!?][\"”’')\]]*$")


def list_ends_above(text: str, start: int, line: int, end: int) -> bool:
    """Whether right above a line of a text that is not wrapped by hand a list ends."""
    above = text[text.rfind("\n", 0, line - 1) + 1 : line - 1]
    is_item = _BULLETS.match(above) is not None and line > start
    return is_item and end - line > _HARD_WRAPPED and not _BULLETS.match(text, line)


def lines_end(layout: Layout, line: int, limit: int) -> int | None:
    """Where the bullets or rows end that begin there, which have one mark; None where others stand
    apart below, which may be of them or not."""
    text, own = layout.text, layout.indent(line)
    end = here = line
    mark = text[line : layout.line_end(line, limit)].lstrip()[:1]
    while here < limit:
        line_end = layout.line_end(here, limit)
        depth, begins = layout.indent(here), text[here:line_end].lstrip()[:1]
        is_one = depth > own or (depth == own and begins == mark)
        is_one = is_one and LINES.match(text, here, limit) is not None
        if is_one and here > end + 1:
            return None
        goes_on = end == here - 1 and text[here:line_end][:1] in (" ", "\t") and line_end > here
        if is_one or goes_on:
            end = line_end
        elif text[here:line_end].strip():
            break
        here = line_end + 1
    return end


def is_one_text(layout: Layout, start: int, end: int) -> bool:
    """Whether these lines are one text, as far as its form tells: no line is empty, and each goes
    on in small letters with the sentence above it, is an item or row of a list, or too long to be
    broken by hand, as all of them are then. None has a comment in its middle."""
    text = layout.without_comments(start, end).strip()
    lines = text.splitlines()
    is_one = text in layout.text[start:end] and all(map(_goes_on, lines, lines[1:]))
    return not layout.is_whole or (is_one and not _FENCE.match(text))


def _goes_on(above: str, line: str) -> bool:
    """Whether a line surely belongs to the text of the one above it."""
    if not line.strip() or not above.strip():
        return False
    if LINES.match(line):
        return LINES.match(above) is not None or above.rstrip().endswith(":")
    if len(line) > _HARD_WRAPPED:
        return len(above) > _HARD_WRAPPED
    is_wrapped = len(above) >= _WRAPPED and not _STOPS.search(above.rstrip())
    return is_wrapped and line.lstrip()[0].islower()


def ends_surely(layout: Layout, start: int, end: int, limit: int, replaced: str) -> bool:
    """Whether such a text ends with its last line: that of a list, or with a full stop, or as the
    one `replaced`. With nothing below it is one paragraph: what follows may be said of it."""
    *others, last = layout.without_comments(start, end).strip().splitlines() or [""]
    below = layout.skip(end, limit)
    if LINES.match(last) or not layout.is_whole:
        return True
    if below >= limit or SECTION.match(layout.text, below, limit):
        return not others or len(last) <= _HARD_WRAPPED
    return _STOPS.search(last) is not None or last[-1:] == replaced[-1:]

"""Texts and lists whose end nothing marks: what surely belongs to one."""

import re
from itertools import pairwise

from nomic.rulebook.changes.layout import Layout

LINES = re.compile(r"[ \t]*(?:\||[*•+–-][ \t]+\S)")
_BULLETS = re.compile(r"[ \t]*[*•+–-][ \t]+\S")
_ROWS = re.compile(r"[ \t]*[|!]")
_HARD_WRAPPED = 100  # characters; a longer line is not broken by hand
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


def is_one_text(text: str) -> bool:
    """Whether all these lines are one text, as far as its form tells: no line is empty, and each
    goes on with the sentence above it, is an item or row, or too long to be broken by hand."""
    lines = text.strip().splitlines()
    width = max(map(len, lines), default=0)
    return all(_goes_on(above, line, width) for above, line in pairwise(lines))


def _goes_on(above: str, line: str, width: int) -> bool:
    """Whether a line belongs to the text of the one above it, in a text so many characters wide."""
    if not line.strip() or not above.strip():
        return False
    if len(line) > _HARD_WRAPPED or _BULLETS.match(line) or _ROWS.match(line):
        return True
    if _STOPS.search(above.rstrip()):
        return False
    word = line.split(maxsplit=1)[0]
    return word[0].islower() or len(above.rstrip()) + 1 + len(word) > width

"""Where a text or list ends that neither braces nor quotes mark: each form has its own scanner.

A scanner goes over the lines from the first one on and gives where the last one ends, before its
break. It gives None where a line below may be of the text or not: an officer looks then, since a
rule may not get another text than was voted on.
"""

import re
from itertools import pairwise

from nomic.rulebook.changes.layout import SECTION, Layout

_WITH_LINE = re.compile(r"with\b[^\n]{0,60}:[ \t\r]*$", re.M)
"""“with the following:”, between an old passage and its new text."""
ROW_OR_BULLET = re.compile(r"[ \t]*(?:\||[*•+–-][ \t]+\S)")
_BULLET = re.compile(r"[ \t]*[*•+–-][ \t]+\S")
_FENCE = re.compile(r"[ \t]*(?:`{3}|~{3}|[-=_*]{3})")
_WRAPPED, _HARD_WRAPPED = 40, 100  # characters of a line that is broken by hand: from, to
_STOPS = re.compile(r"[.!?][\"”’')\]]*$")


def quoted_lines_end(layout: Layout, line: int, limit: int) -> int | None:
    """Where the lines end that begin with “>”; None where more of them stand apart below."""
    end = line
    for start, stop in layout.lines(line, limit):
        words = layout.text[start:stop].lstrip()
        if not words:
            continue
        if not words.startswith(">"):
            break
        if start > end + 1:
            return None
        end = stop
    return end


def indented_end(layout: Layout, line: int, margin: int, limit: int) -> int | None:
    """Where the lines end that are indented by more than the margin, at the latest above a line
    “with …:” that is indented no more than the first; None where a paragraph below is indented less
    than all above it."""
    end, first = line, layout.indent(line)
    leftmost = first
    for start, stop in layout.lines(line, limit):
        if not layout.text[start:stop].strip():
            continue
        indent = layout.indent(start)
        if indent <= margin or (indent <= first and _is_with_line(layout, start, stop, limit)):
            break
        if indent < leftmost and start > end + 1:
            return None
        end, leftmost = stop, min(indent, leftmost)
    return end


def goes_on_below(layout: Layout, end: int, limit: int) -> bool:
    """Whether words stand in the line right below one that ends there, which are no “with …:”."""
    start = end + 1
    stop = layout.line_end(start, limit)
    has_words = start < limit and bool(layout.text[start:stop].strip())
    return has_words and not _is_with_line(layout, start, stop, limit)


def _is_with_line(layout: Layout, start: int, stop: int, limit: int) -> bool:
    words = start + len(layout.text[start:stop]) - len(layout.text[start:stop].lstrip())
    return _WITH_LINE.match(layout.text, words, limit) is not None


def list_end(layout: Layout, line: int, limit: int, may_be_apart: bool) -> int | None:
    """Where the bullets or rows end that have one mark; None where others stand apart below, unless
    they may."""
    end, margin = line, layout.indent(line)
    mark = layout.text[line : layout.line_end(line, limit)].lstrip()[:1]
    for start, stop in layout.lines(line, limit):
        words, indent = layout.text[start:stop], layout.indent(start)
        is_inner = indent > margin or (indent == margin and words.lstrip()[:1] == mark)
        is_listed = is_inner and ROW_OR_BULLET.match(layout.text, start, limit) is not None
        if is_listed and start > end + 1 and not may_be_apart:
            return None
        is_more_of_one_above = start == end + 1 and words.startswith((" ", "\t"))
        if is_listed or is_more_of_one_above:
            end = stop
        elif words.strip():
            break
    return end


def list_ends_above(layout: Layout, line: int, end: int) -> bool:
    """Whether a list ends right above a line that is too long to be broken by hand."""
    above = layout.text[layout.line_start(line - 1) : line - 1]
    is_below_item = _BULLET.match(above) is not None and not _BULLET.match(layout.text, line)
    return is_below_item and end - line > _HARD_WRAPPED


def is_one_text(layout: Layout, start: int, end: int) -> bool:
    """Whether these lines are one text, as far as its form tells: each goes on with the one above,
    none is empty, and none has a comment in its middle."""
    text = layout.without_comments(start, end).strip()
    if text not in layout.text[start:end] or _FENCE.match(text):
        return False
    return all(_goes_on(above, line) for above, line in pairwise(text.splitlines()))


def _goes_on(above: str, line: str) -> bool:
    """Whether a line goes on with the one above it: in small letters with its sentence, as an item
    or row of a list, or as one too long to be broken by hand, which both have to be then."""
    if not line.strip() or not above.strip():
        return False
    if ROW_OR_BULLET.match(line):
        return ROW_OR_BULLET.match(above) is not None or above.rstrip().endswith(":")
    if len(line) > _HARD_WRAPPED:
        return len(above) > _HARD_WRAPPED
    is_wrapped = len(above) >= _WRAPPED and not _STOPS.search(above.rstrip())
    return is_wrapped and line.lstrip()[0].islower()


def ends_surely(layout: Layout, start: int, end: int, limit: int, replaced: str) -> bool:
    """Whether such a text ends with its last line: that of a list, or with a full stop, or as the
    one `replaced`. With nothing below it is one paragraph: what follows may be said of it."""
    *above, last = layout.without_comments(start, end).strip().splitlines() or [""]
    below = layout.skip(end, limit)
    if ROW_OR_BULLET.match(last):
        return True
    if below >= limit or SECTION.match(layout.text, below, limit):
        return not above or len(last) <= _HARD_WRAPPED
    return _STOPS.search(last) is not None or last[-1:] == replaced[-1:]

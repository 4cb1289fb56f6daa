"""The headings of reStructuredText."""

import re

from nomic.rulebook.formats.splitting.starts import MOST_HEADINGS, Start, too_many

_RST_LINE = re.compile(r"([!-/:-@\[-`{-~])\1+\s*")


def split_rst(text: str, name: str) -> list[Start]:
    """The headings of reStructuredText: lines of one sign below a line, or above it as well, whose
    levels are in the order in which they first stand. Raises Enough."""
    lines = text.split("\n")
    starts, levels, at, offset = [], dict[tuple[str, bool], int](), 0, 0
    while at < len(lines):
        rulers = [line for line in lines[at : at + 3] if _RST_LINE.fullmatch(line)]
        over = bool(_RST_LINE.fullmatch(lines[at])) and len(rulers) == 2
        title = lines[at + over].rstrip() if at + over < len(lines) else ""
        under = lines[at + over + 1].rstrip() if at + over + 1 < len(lines) else ""
        is_alone = at == 0 or not lines[at - 1].strip()
        is_title = title.strip() and not _RST_LINE.fullmatch(title)
        is_title = is_title and (over or not title[0].isspace())
        is_title = is_title and (not over or lines[at].rstrip() == under)
        if is_alone and is_title and _RST_LINE.fullmatch(under) and len(under) >= len(title):
            level = levels.setdefault((under[0], over), len(levels) + 1)
            last = at + over + 2
            ends = offset + sum(len(line) + 1 for line in lines[at:last])
            starts.append(Start(offset, min(ends, len(text)), level, title.strip()))
            if len(starts) > MOST_HEADINGS:
                raise too_many(name, at + 1)
        else:
            last = at + 1
            ends = offset + len(lines[at]) + 1
        at, offset = last, ends
    return starts

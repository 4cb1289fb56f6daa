"""The headings of Org and AsciiDoc: lines that begin with stars, or with equals signs."""

import re
from collections.abc import Callable

from nomic.rulebook.formats.splitting.starts import MOST_HEADINGS, Start, too_many

_ORG = re.compile(r"(\*{1,6})[ \t]+(\S.*)")
_ORG_BLOCK = re.compile(r"[ \t]*#\+begin_(\w+)", re.IGNORECASE)
_ASCIIDOC = re.compile(r"(={1,6})[ \t]+(\S.*)")
_ASCIIDOC_BLOCK = re.compile(r"([-.=+*_/])\1{3,}[ \t]*")


def split_org(text: str, name: str) -> list[Start]:
    """The headings of Org, but in its blocks. Raises Enough."""

    def end_of(line: str) -> str:
        block = _ORG_BLOCK.match(line)
        return f"#+end_{block[1]}" if block else ""

    return _split(text, name, _ORG, end_of)


def split_asciidoc(text: str, name: str) -> list[Start]:
    """The headings of AsciiDoc, but between lines of the same signs. Raises Enough."""

    def end_of(line: str) -> str:
        return line.strip() if _ASCIIDOC_BLOCK.fullmatch(line) else ""

    return _split(text, name, _ASCIIDOC, end_of)


def _split(
    text: str, name: str, heading: re.Pattern[str], end_of: Callable[[str], str]
) -> list[Start]:
    """The headings outside the blocks, each of which ends with the line that `end_of` gives."""
    starts: list[Start] = []
    offset, end = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        if end:
            end = "" if line.strip().casefold() == end.casefold() else end
        elif end := end_of(line):
            pass
        elif match := heading.fullmatch(line.rstrip()):
            ends = min(offset + len(line) + 1, len(text))
            starts.append(Start(offset, ends, len(match[1]), match[2]))
            if len(starts) > MOST_HEADINGS:
                raise too_many(name, number)
        offset += len(line) + 1
    return starts

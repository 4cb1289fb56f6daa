"""One text, parted by its headings: which markup it is in, by its name or by its lines."""

import re
from dataclasses import replace

from nomic.rulebook.formats.splitting.markdown import may_be_bold, split_markdown
from nomic.rulebook.formats.splitting.marked import split_asciidoc, split_org
from nomic.rulebook.formats.splitting.plain import split_plain
from nomic.rulebook.formats.splitting.restructured import split_rst
from nomic.rulebook.formats.splitting.starts import Split
from nomic.rulebook.formats.splitting.wiki import split_wiki
from nomic.rulebook.formats.values import kind_of

_BY_LINES = {"rst": split_rst, "org": split_org, "asciidoc": split_asciidoc}
_WIKI = re.compile(r"^(={1,6})[^=\n].*?\1[ \t]*$", re.MULTILINE)
_ATX = re.compile(r"^ {0,3}#{1,6}\s+\S|^#{2,6}(?:Rule |R|§)?[0-9]", re.MULTILINE)


def split(text: str, name: str) -> Split:
    """The text, parted in the way in which its headings are written; the ending of its name decides
    first. Raises Enough."""
    kind = kind_of(name)
    if kind == "wiki":
        parts = split_wiki(text, name)
        return parts if parts.starts else replace(split_plain(text, name), is_wiki=True)
    if kind == "markdown":
        parts = split_markdown(text, name)
        return parts if parts.starts else split_plain(text, name)
    if by_lines := _BY_LINES.get(kind):
        titled = by_lines(text, name)
        return Split(text, titled) if titled else split_plain(text, name)
    wiki = len(_WIKI.findall(text))
    if wiki > 1 or wiki > len(_ATX.findall(text)):  # `# ` is an item of a list there
        return split_wiki(text, name)
    if _ATX.search(text) or may_be_bold(text):
        parts = split_markdown(text, name)
        if parts.starts:
            return parts
    return split_plain(text, name)  # where `# ` is within a program alone, too

"""The blocks that a page draws of a text: Markdown and its charts. No Django."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from nomic.rulebook.tables import TableBroken, wiki_heading, wiki_rows

type Lines = tuple[int, int]
"""From which line on, and before which."""


@dataclass(frozen=True, slots=True)
class DrawnBlocks:
    """The lines of the paragraphs that a page draws on their own, and of the items of its lists."""

    paragraphs: tuple[Lines, ...]
    items: tuple[Lines, ...]


def drawn_blocks(text: str) -> DrawnBlocks:
    """The blocks of a text. Takes time in proportion to its length."""
    written, tokens = text.split("\n"), _BLOCKS.parse(text)
    return DrawnBlocks(
        tuple(_lines_of(tokens, "paragraph_open", 0, written)),
        tuple(_lines_of(tokens, "list_item_open", 1, written)),
    )


def with_charts(markdown: MarkdownIt) -> MarkdownIt:
    """That Markdown, which draws charts and wiki rows as well."""
    markdown.block.ruler.before("table", "chart", _chart, {"alt": ["paragraph", "reference"]})
    return markdown


def _lines_of(
    tokens: Iterable[Token], kind: str, level: int, written: Sequence[str]
) -> Iterator[Lines]:
    """The lines of each block of a kind on a level, without empty ones below it."""
    for token in tokens:
        if token.map and token.type == kind and token.level == level:
            first, stop = token.map[0], min(token.map[1], len(written))
            while stop > first and not written[stop - 1].strip():
                stop -= 1
            yield first, stop


def _chart(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A chart that is aligned by spaces over a line of dashes, or a block of wiki rows."""
    if state.is_code_block(start) or start + 1 >= end or state.isEmpty(start + 1):
        return False
    first, second = _line(state, start), _line(state, start + 1)
    has_head = first.startswith("!") and ("!!" in first or second.startswith(("!", "|-")))
    has_rows = all(line.startswith("|") and "||" in line for line in (first, second))
    is_wide = "  " in first or "\t" in first
    has_ruler = set(second) <= {"-", " "} and "---" in second and is_wide
    if not has_head and not has_rows and not has_ruler:
        return False
    stop = start + 2
    while stop < end and not state.isEmpty(stop) and state.sCount[stop] >= state.blkIndent:
        stop += 1
    if not silent:
        written = state.getLines(start, stop, state.blkIndent, True)
        table = _wiki_table(written.splitlines())
        if table is None:
            token = state.push("code_block", "", 0)
            token.attrSet("class", "chart")
            token.content = written
            token.map = [start, stop]
        else:
            _draw(state, start, stop, *table)
        state.line = stop
    return True


def _wiki_table(lines: list[str]) -> tuple[list[str], list[list[str]]] | None:
    """The heading, perhaps empty, and the rows of a block of wiki rows; None where it is no such
    block, or where not every row has as many cells as the heading or the first row."""
    if not lines[0].lstrip().startswith(("!", "|")):
        return None
    heading, first = wiki_heading(lines, 0)
    try:
        numbered, end = wiki_rows(lines, first, len(heading) or lines[0].count("||") + 1)
    except TableBroken:
        return None
    rows = [cells for _, cells in numbered]
    widths = {len(cells) for cells in (*rows, *filter(None, [heading]))}
    return (heading, rows) if rows and len(widths) == 1 and end == len(lines) else None


def _draw(
    state: StateBlock, start: int, stop: int, heading: list[str], rows: list[list[str]]
) -> None:
    """The tokens of a table; what a cell says is read as Markdown."""
    state.push("table_open", "table", 1).map = [start, stop]
    for part, cell, lines in (("thead", "th", [heading] if heading else []), ("tbody", "td", rows)):
        if not lines:
            continue
        state.push(f"{part}_open", part, 1)
        for cells in lines:
            state.push("tr_open", "tr", 1)
            for words in cells:
                state.push(f"{cell}_open", cell, 1)
                inline = state.push("inline", "", 0)
                inline.content, inline.children, inline.map = words, [], [start, stop]
                state.push(f"{cell}_close", cell, -1)
            state.push("tr_close", "tr", -1)
        state.push(f"{part}_close", part, -1)
    state.push("table_close", "table", -1)


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()


_BLOCKS = with_charts(MarkdownIt("commonmark", {"html": False}).enable("table"))
_BLOCKS.disable("html_block")
_BLOCKS.core.ruler.enableOnly(["normalize", "block"])

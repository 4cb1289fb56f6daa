"""Texts of rules from MediaWiki pages as Markdown, to be read on a page: the record keeps them as
they are. What it does not know stays as it was written."""

import re

_IS_WIKI = re.compile(r"'''|\[\[[^\[\]\n]+\]\]|^\{\||^[#*][^\n]*\n[#]", re.MULTILINE)
_LIST = re.compile(r"([*#:;]+)\s*(.*)")
_HEADING = re.compile(r"(={2,6})\s*(.*?)\s*\1\s*")
_INLINE = (
    (re.compile(r"'''''(.+?)'''''"), r"***\1***"),
    (re.compile(r"'''(.+?)'''"), r"**\1**"),
    (re.compile(r"''(.+?)''"), r"*\1*"),
    (re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]"), r"\1"),
    (re.compile(r"\[(https?://[^\s\]]+)\s+([^\[\]]+)\]"), r"[\2](\1)"),
    (re.compile(r"</?nowiki ?/?>|</?div\b[^<>\n]{0,500}>", re.IGNORECASE), ""),
)


def reads_as_wiki(text: str) -> bool:
    """Whether it has signs of MediaWiki that are none of Markdown."""
    return "```" not in text and bool(_IS_WIKI.search(text))


def as_markdown(text: str) -> str:
    """Its emphasis, links, headings, lists and tables in Markdown."""
    lines, table = [], list[list[str]]()
    is_in_table = was_listed = False
    depth = 0
    for line in text.split("\n"):
        bare, listed = line.strip(), None
        if bare.startswith("{|"):
            is_in_table, table = True, []
        elif is_in_table and bare.startswith("|}"):
            is_in_table = False
            lines += ["", *_table(table), ""]
        elif is_in_table:
            _read_row(bare, table)
        else:
            listed = _LIST.fullmatch(bare)
            if (listed and not was_listed) or (was_listed and not listed and bare):
                lines.append("")
            if listed:
                marks, words = listed.groups()
                mark = "1. " if marks[-1] == "#" else "- "
                # Deeper by more than one is what Markdown would show as code.
                depth = min(len(marks), depth + 1 if was_listed else 1)
                bare = "    " * (depth - 1) + mark + words
            elif heading := _HEADING.fullmatch(bare):
                bare = f"{'#' * len(heading[1])} {heading[2]}"
            lines.append(bare)
        was_listed = listed is not None
    lines += _table(table) if is_in_table else ()
    return "\n".join(map(_inline, lines)).strip("\n")


def _read_row(bare: str, table: list[list[str]]) -> None:
    """Add what a line within a table has: a new row, or cells of the last one."""
    if bare.startswith("|-") or not table:
        table.append([])
    if not bare.startswith("|-") and bare[:1] in ("|", "!"):
        for cell in re.split(r"\|\||!!" if bare[0] == "!" else r"\|\|", bare[1:]):
            looks, bar, words = cell.partition("|")  # looks: `style="…" |`
            has_looks = bar and "=" in looks and "[[" not in looks
            table[-1].append((words if has_looks else cell).strip())


def _table(rows: list[list[str]]) -> list[str]:
    rows = [row for row in rows if row]
    if not rows:
        return []
    width = max(map(len, rows))
    filled = ([*map(_inline, row), *[""] * (width - len(row))] for row in rows)
    lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in filled]
    return [lines[0], "|" + " --- |" * width, *lines[1:]]


def _inline(text: str) -> str:
    for pattern, becomes in _INLINE:
        text = pattern.sub(becomes, text)
    return text

"""Reading a rulebook in any of its shapes: one text, or a folder or archive with a file a rule."""

import csv
import json
import re
from decimal import Decimal
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from nomic.rulebook.formats.checking import (
    MOST_REPEALED,
    MOST_RULES,
    Fault,
    Findings,
    as_text,
)
from nomic.rulebook.formats.folders import (
    check_size,
    is_of_mappings,
    read_file,
    read_files,
    read_folder,
    rules_within,
    unpacked,
)
from nomic.rulebook.formats.headings import LARGEST_TEXT, read_text
from nomic.rulebook.formats.splitting.split import split
from nomic.rulebook.formats.values import FORMAT, Brought, Category, FileChoices, kind_of
from nomic.rulebook.formats.web_page import as_markdown
from nomic.rulebook.units import with_signs

_ZIP = b"PK\x03\x04"
_HTML = re.compile(r"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_EXPORT = re.compile(r"\s*(?:<\?xml[^<>]*>\s*)?<mediawiki\b")
_EXPORTED_TITLE = re.compile(r"<title>([^<]{1,300})</title>")
_CELL_STYLE = re.compile(r"^(?: *[\w-]++ ?= ?(?:\"[^\"|]*+\"|[\w%-]++))++ *\|")
_COLUMNS = {
    **dict.fromkeys(("number", "no", "no.", "#", "id", "rule"), "number"),
    **dict.fromkeys(("title", "name"), "title"),
    "text": "text",
}
"""The fields that the columns of a wiki's table are."""
_MOST_COLUMNS, _MOST_ROWS = 100, MOST_RULES + MOST_REPEALED  # of comma-separated values
_JSON = re.compile(r"\s*(?:\[\s*(?:[\[{\]]|\Z)|\{\s*[\"}])")


def read(source: Path | bytes, name: str = "", choices: FileChoices | None = None) -> Brought:
    """The rulebook in that folder or file, or in these bytes of a file of that name, as far as it
    is understood; pasted words have no name. `choices` are what its bringer says of it.

    What cannot be understood is among its faults; nothing is raised but OSError.
    """
    findings = Findings(choices=choices)
    try:
        if isinstance(source, bytes):
            _read(source, name or "The text", findings)
        elif source.is_dir():
            read_files(read_folder(source, findings), findings, read_json)
        else:
            check_size(source.stat().st_size, name or source.name)
            _read(source.read_bytes(), name or source.name, findings)
    except Fault as fault:
        findings.end(fault)
    return findings.brought()


def _read(content: bytes, name: str, findings: Findings) -> None:
    check_size(len(content), name)
    if content.startswith(_ZIP):
        read_files(unpacked(content, name, findings), findings, read_json)
        return
    text = as_text(content, name, findings.note)
    if not text.strip():
        raise Fault(f"{name} is empty.")
    kind = kind_of(name)
    if kind == "html" or _HTML.match(text):
        if len(text) > LARGEST_TEXT:
            raise Fault(f"{name} has {len(text):,} characters; {LARGEST_TEXT:,} are the most.")
        findings.note(
            f"{name}: a page of HTML, of which headings, paragraphs, lists, tables and what is in"
            " bold were taken, as Markdown; links are their words."
        )
        read_text(as_markdown(text), f"{name}.md", findings)
    elif kind == "csv":
        _read_csv(text, name, findings)
    elif _EXPORT.match(text):
        _read_export(text, name, findings)
    elif kind == "yaml":
        read_file(text, name, findings, read_json)
    elif kind == "json" or (not kind and _JSON.match(text)):
        read_json(text, name, findings)
    elif not _read_table(text, name, findings):
        read_text(text, name, findings)


def _read_table(text: str, name: str, findings: Findings) -> bool:
    """Add the rules of a wiki page that has them as rows of its one table, whose first row names a
    column “Text” and one for titles or numbers, to the findings; whether it has such a table, and
    no heading with a number. Raises Fault."""
    begins, ends = text.find("{|"), text.find("\n|}")
    is_table = 0 <= begins < ends and text.find("{|", begins + 1) < 0
    if kind_of(name) not in ("", "wiki") or not is_table or len(text) > LARGEST_TEXT:
        return False
    columns, *rows = _wiki_rows(text[begins:ends]) or [[]]
    fields = [_COLUMNS.get(column.casefold(), column) for column in columns]
    is_of_rules = "text" in fields and not {"title", "number"}.isdisjoint(fields)
    is_even = len({*fields}) == len(fields) and all(len(row) == len(fields) for row in rows)
    around = f"{text[:begins].strip()}\n\n{text[ends + 3 :].strip()}".strip()
    if len(rows) < 2 or not (is_of_rules and is_even):
        return False
    if any(start.number for start in split(around, name).starts):
        return False
    facts = [dict(zip(fields, row, strict=True)) for row in rows]
    findings.contents.add_facts(facts, name)
    findings.contents.texts.append((name, around, True))
    findings.note(f"{name}: each row of its table was taken as a rule.")
    if around:
        findings.note(f"{name}: what stands around the table is no rule, and kept with all.")
        findings.categories.append(Category("", around))
    for at, row in enumerate(facts, 1):
        filled = {field: cell for field, cell in row.items() if cell}
        findings.add(filled, f"{name}, row {at}", markup="wiki")
    return True


def _wiki_rows(written: str) -> list[list[str]]:
    """The rows of a wiki's table, each with its cells; a line without a mark goes on with the cell
    above it."""
    rows: list[list[list[str]]] = [[]]  # of each cell its lines
    for line in written.split("\n")[1:]:
        if line.startswith("|-"):
            rows.append([])
        elif line[:1] in ("|", "!"):
            cells = (
                line[1:].replace("!!", "||").split("||")
                if line[0] == "!"
                else (line[1:].split("||"))
            )
            rows[-1] += ([_CELL_STYLE.sub("", cell)] for cell in cells)
        elif rows[-1]:
            rows[-1][-1].append(line)
    return [["\n".join(lines).strip() for lines in row] for row in rows if row]


def _read_csv(text: str, name: str, findings: Findings) -> None:
    """Add the rules of a table of comma-separated values, whose first line names the columns, to
    the findings; raises Fault."""
    try:
        sign = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.DictReader(StringIO(text), restval="", delimiter=sign, strict=True)
        columns = len(reader.fieldnames or ())
        if columns > _MOST_COLUMNS:  # each row has a cell for each
            raise Fault(f"{name} has {columns:,} columns; {_MOST_COLUMNS} are the most.")
        rows = list(islice(reader, _MOST_ROWS + 1))
    except csv.Error as error:
        raise Fault(f"{name} is no table of comma-separated values: {error}.") from None
    if len(rows) > _MOST_ROWS:
        raise Fault(f"{name} has more than {_MOST_ROWS:,} rows, which are the most.")
    for at, row in enumerate(rows, 1):
        further = row.pop(None, [])
        if further:
            raise Fault(f"{name}, row {at}: it has more cells than the first line names columns.")
    findings.contents.add_facts(rows, name)
    for at, row in enumerate(rows, 1):
        findings.add({column: cell for column, cell in row.items() if cell}, f"{name}, row {at}")


def _read_export(text: str, name: str, findings: Findings) -> None:
    """Add the rules of the pages that a site of MediaWiki has exported, each in its last text, to
    the findings; raises Fault."""
    pages = text.split("<page>")[1:]
    findings.contents.unread.append(f"{name}: of its pages the last texts were read, and no more.")
    for at, page in enumerate(pages, 1):
        titled = _EXPORTED_TITLE.search(page)
        begins = page.rfind("<text")
        begins = page.find(">", begins) + 1 if begins >= 0 else 0
        ends = page.find("</text>", begins)
        title = with_signs(titled[1]) if titled else f"page {at}"
        if not begins or ends < 0:
            findings.contents.unread.append(f"{name}, “{title[:100]}”: this page has no text.")
            continue
        read_text(
            with_signs(page[begins:ends]),
            f"{title[:100]}.wiki",
            findings,
            title if len(pages) > 1 else "",
            is_of_several=len(pages) > 1,
        )


def read_json(text: str, name: str, findings: Findings) -> None:
    """Add the rules of a document of JSON to the findings; raises Fault."""
    try:
        rulebook: Any = json.loads(text, parse_float=Decimal)
    except RecursionError:
        raise Fault(f"{name} is nested too deeply.") from None
    except ValueError as error:
        raise Fault(f"{name} is not JSON: {error}.") from None
    parts: dict[str, Any] = {"rules": rulebook, "repealed": []}
    if isinstance(rulebook, dict) and rulebook.get("format") == FORMAT:
        parts = {part: rulebook.get(part, []) for part in parts}
        _read_categories(rulebook.get("categories"), name, findings)
    elif isinstance(rulebook, dict):
        parts["rules"] = rules_within(rulebook)
        if not parts["rules"]:
            raise Fault(
                f"{name}: a rulebook in JSON is a list of rules, or an object with one such list,"
                f" or it has “{FORMAT}”."
            )
    if isinstance(rulebook, dict):
        # The rules first, so that a word beside them that is a rule's too is the one that is told.
        facts = {part: rulebook[part] for part in rulebook if part not in ("format", "index")}
        names = sorted(facts, key=lambda part: not is_of_mappings(facts[part]))
        findings.contents.add_facts({part: facts[part] for part in names}, name)
    else:
        findings.contents.add_facts(rulebook, name)
    for part, rules in parts.items():
        if not isinstance(rules, list):
            raise Fault(f"{name}: `{part}` is a list of rules.")
        which = "rule" if part == "rules" else "repealed rule"
        for at, rule in enumerate(rules, 1):
            findings.add(rule, f"{name}, {which} {at}", repealed=part == "repealed")


def _read_categories(categories: object, name: str, findings: Findings) -> None:
    """Keep what our own schema has of categories; raises Fault."""
    for at, category in enumerate(categories if isinstance(categories, list) else (), 1):
        if not isinstance(category, dict) or not all(
            isinstance(category.get(field, ""), str) for field in ("name", "note", "more")
        ):
            raise Fault(f"{name}, category {at}: a category has `name`, `note` and `more`.")
        facts = {field: category.get(field, "") for field in ("name", "note", "more")}
        findings.categories.append(Category(**facts))

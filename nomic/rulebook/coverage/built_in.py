"""The lists by which shipped code says what of a rule it carries out: `built_in.txt` in the folder
of the rule texts.

A line `== Title | Wording` begins what the program knows of the rule of that title in that wording;
`ours` is the text beside the list, others are sources'. Each line below is of one sentence, list
item, heading or program block, in the order of the text:

    3f0c5a11d2b7 horses.bet horses.nudge # Every week each player CAN

First the passage's fingerprint (its words are not repeated, since a source's are not ours to
repeat), then who carries it out, then how it begins. Who is `people`, `program` for what a block of
code of the same rule does, or the actions and events that do it.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from nomic.rulebook.clauses import Clause
from nomic.rulebook.coverage.marks import PEOPLE, PROGRAM, KnownPassage, Machinery
from nomic.rulebook.coverage.rows import empty_cells, row_key, tables_of
from nomic.rulebook.in_force import name_key
from nomic.rulebook.shipped import shipped_rules

OURS = "ours"
FILE = "built_in.txt"
_HEAD = re.compile(r"== (.+) \| (.+)")
_LINE = re.compile(r"([0-9a-f]{12}) ([a-z_. ]+?) # .*")


class BadList(ValueError):
    """Raised where a line of a built-in list cannot be read."""


@cache
def machinery_in(
    folder: Path, open_tables: frozenset[str] = frozenset(), clauses: tuple[Clause, ...] = ()
) -> Mapping[str, Machinery]:
    """The program's knowledge of the rules in that folder, by their titles' keys.

    The tables that it reads are those of the rule texts there; of `open_tables`, by their first
    column, whatever rows there are. Programs in rules that have one there are run.
    """
    if not (folder / FILE).exists():
        return {}
    texts = {rule.title: rule.text for rule in shipped_rules(folder, "")}
    machinery = {}
    for title, passages in built_in(folder).items():
        tables = tables_of(texts.get(title, ""))
        empty = {
            row_key(columns[0], row): empty_cells(columns, row)
            for columns, rows in tables.items()
            for row in rows
        }
        rule_clauses = tuple(clause for clause in clauses if clause.rule == title)
        blocks = any(passage.by_program for passage in passages)
        machinery[name_key(title)] = Machinery(
            passages, tuple(tables), open_tables, empty, rule_clauses, blocks=blocks
        )
    return machinery


@cache
def built_in(folder: Path) -> dict[str, tuple[KnownPassage, ...]]:
    """The known passages of the list in that folder, by the rules' titles."""
    by_title: dict[str, list[KnownPassage]] = {}
    passages: list[KnownPassage] = []
    wording = ""
    for number, line in enumerate((folder / FILE).read_text(encoding="utf-8").splitlines(), 1):
        if head := _HEAD.fullmatch(line):
            wording = head[2]
            passages = by_title.setdefault(head[1], [])
        elif passage := _LINE.fullmatch(line):
            carriers = passage[2].split()
            is_part = carriers not in ([PEOPLE], [PROGRAM])
            parts = tuple(carriers) if is_part else ()
            passages.append(
                KnownPassage(passage[1], wording, parts, by_program=carriers == [PROGRAM])
            )
        elif line and not line.startswith("#"):
            raise BadList(f"Line {number} of {folder.name}/{FILE} is neither a head nor a passage.")
    return {title: tuple(passages) for title, passages in by_title.items()}

"""The tables of regulations, and in which of them each part of the contest finds its own.

Nothing here knows Django; the headings' rows are in charts.py.
"""

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from aceofspades.rules.clauses import CLAUSES
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.charts import RuleTable, find_rule_table, unless_broken, with_cells
from nomic.rulebook.tables import TableBroken

_FILE = Path(__file__).with_name("parts.toml")
_PARTS: dict[str, tuple[str, str, str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
TABLES = {part: (first, second) for part, (first, second, _) in _PARTS.items()}
DECIDES = {part: decides for part, (_, _, decides) in _PARTS.items() if decides}
_WIKI_HEAD = re.compile(r"\n[ \t]*!")
_GAP = re.compile(r"\||!!|\s\s")


class _HiddenTable(RuleTable):
    """A table of a regulation that is not public: what is wrong with it, no sentence says."""

    def broken(self, words: str) -> TableBroken:
        return _unread(self.rule)

    def absent(self, sentence: str) -> TableBroken:
        return _unread(self.rule)


@dataclass(frozen=True)
class Tables:
    """The tables of some regulations, numbers and texts. Each is searched for once, in the order of
    precedence: immutable ones first, each kind ascending (101). Errors quote no hidden one.

    The hidden ones are searched for tables of worths alone.
    """

    regulations: tuple[tuple[int, str], ...]
    hidden: frozenset[int] = frozenset()
    immutable: frozenset[int] = frozenset()

    @cached_property
    def texts(self) -> dict[int, str]:
        """The regulations by their numbers, in the order of precedence."""
        return dict(sorted(self.regulations, key=lambda row: (row[0] not in self.immutable, row)))

    def prevails(self, number: int, rival: int) -> bool:
        """Whether the one regulation prevails over the other."""
        return (number not in self.immutable, number) < (rival not in self.immutable, rival)

    @cached_property
    def _parts(self) -> dict[int, frozenset[str]]:
        return {number: _parts_in(text) for number, text in self.texts.items()}

    @cached_property
    def _found(self) -> dict[str, tuple[int, RuleTable] | None]:
        return {}

    def of(self, part: str) -> tuple[int, RuleTable] | None:
        """The part's table, and the number of the regulation that has it before others.

        None where no regulation has; raises TableBroken where that table cannot be read.
        """
        if part not in self._found:
            tables = ((number, self.within(number, part)) for number in self.texts)
            self._found[part] = next(((n, table) for n, table in tables if table), None)
        return self._found[part]

    def within(self, number: int, part: str) -> RuleTable | None:
        """The table that the regulation of that number has for the part; raises TableBroken."""
        if part not in self._parts.get(number, ()):
            return None
        rule, text = f"Regulation {number}", self.texts[number]
        if number not in self.hidden:
            return find(part, text, rule)
        if part in DECIDES:
            return None
        try:
            table = find(part, text, rule)
        except TableBroken:
            raise _unread(rule) from None
        return table and _HiddenTable(table.rule, table.columns, table.rows)

    def has(self, part: str, rule: str, text: str) -> bool:
        """Whether that text has, or had, a table for the part that can be read."""
        found = partial(find, part, text, rule)
        return unless_broken(found, None) is not None


def decided_in(text: str) -> str:
    """The first part that a table of that text decides and everybody is told; "" for none."""
    has = (part for part in DECIDES if unless_broken(partial(find, part, text, ""), True))
    return next(has, "")


def find(part: str, text: str, rule: str) -> RuleTable | None:
    """The part's table in that text, or what its sentences say of one. A heading has to stand
    there: rows alone are no table. A table without one of its rows cannot be read."""
    if part not in _parts_in(text):
        return None
    return _looked_for(part, text, rule)


@memoized(share=0.01)
def _parts_in(text: str) -> frozenset[str]:
    """The parts that have a table in that text, be it one that cannot be read."""
    return frozenset(
        part for part in TABLES if unless_broken(partial(_looked_for, part, text, ""), True)
    )


def _looked_for(part: str, text: str, rule: str) -> RuleTable | None:
    columns, table = TABLES[part], None
    wanted = [column.casefold() for column in columns]
    if any(all(column in line for column in wanted) for line in _lines_with_cells(text)):
        table = find_rule_table(rule, text, columns)
    own = [each for each in CLAUSES if each.table == columns[0]]
    found = with_cells(rule, columns, table, text, own)
    return found and replace(found, whole_rows=True)


@memoized(share=0.01)
def _lines_with_cells(text: str) -> tuple[str, ...]:
    """The lines that may be of a table, folded; a wiki heading of several lines is one."""
    lines = _WIKI_HEAD.sub(" !!", f"\n{text.casefold()}").splitlines()
    return tuple(line for line in lines if _GAP.search(line))


def _unread(rule: str) -> TableBroken:
    return TableBroken(f"A table of {rule}, which is not public, cannot be read.", rule)

"""What the cells of rules' tables mean for who plays, as sentences that a subgame declares. Pure.

“A nudge would cost {new} (hoof|hooves) instead of {old}.”: in parentheses stand the words
for one and for other numbers.
"""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nomic.rulebook.in_force import name_key
from nomic.rulebook.spots import Spot, SpotKind
from nomic.rulebook.tables import plain

type _Place = tuple[str, str, str]  # rule, first column of its table, and column

_OTHERWISE = "Under {column}, {row} would have {new} instead of {old}."
_FIRST = "The row {old} would be called {new}."
_COUNTED = re.compile(r"(?P<number>\S+) \((?P<one>[\w ]+)\|(?P<several>[\w ]+)\)")


@dataclass(frozen=True, slots=True)
class CellWords:
    """Sentences on other words in a cell: by its place, of any row and of rows by their first
    cells."""

    of_columns: Mapping[_Place, str] = field(default_factory=dict)
    of_rows: Mapping[tuple[_Place, str], str] = field(default_factory=dict)

    def of(self, titles: Collection[str], spot: Spot, new: str) -> str:
        """The sentence on that cell of a rule that has, or had, one of these titles; "" where none
        is declared."""
        for title in titles:
            place = name_key(title), plain(spot.table), plain(spot.column)
            sentence = self.of_rows.get((place, plain(spot.row))) or self.of_columns.get(place)
            if sentence:
                return _filled(sentence, spot, new)
        return ""


def cell_words_in(path: Path) -> CellWords:
    """Those of a TOML file: below rule, table and column a sentence, or one for each row."""
    of_columns: dict[_Place, str] = {}
    of_rows: dict[tuple[_Place, str], str] = {}
    for rule, tables in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for table, columns in tables.items():
            for column, sentences in columns.items():
                place = name_key(rule), plain(table), plain(column)
                if isinstance(sentences, str):
                    of_columns[place] = sentences
                else:
                    of_rows |= {
                        (place, plain(row)): sentence for row, sentence in sentences.items()
                    }
    return CellWords(of_columns, of_rows)


def in_any_case(spot: Spot, new: str) -> str:
    """The sentence on other words in a cell of which nothing is declared; "" of other spots."""
    if spot.kind is not SpotKind.CELL:
        return ""
    return _filled(_OTHERWISE if spot.place else _FIRST, spot, new)


def _filled(said: str, spot: Spot, new: str) -> str:
    numbers = {"row": spot.row, "column": spot.column, "old": spot.words, "new": new}

    def counted(words: re.Match[str]) -> str:
        number = words["number"].format(**numbers)
        return f"{number} {words['one' if number == '1' else 'several']}"

    # The words for numbers are chosen first: what is typed may have parentheses of its own.
    pieces, at = [], 0
    for words in _COUNTED.finditer(said):
        pieces += [said[at : words.start()].format(**numbers), counted(words)]
        at = words.end()
    return "".join([*pieces, said[at:].format(**numbers)])

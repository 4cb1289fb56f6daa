"""Tables by which any rule declares switches and currencies: what players write there is played by
the program, without a program of their own. Nothing here knows Django.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nomic.games.wording import enumerated
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.charts import Columns, RuleTable, cut
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.last_readable import Unread
from nomic.rulebook.tables import TableBroken, TextTable, find_table, plain

SWITCHES: Columns = ("Switch", "Of", "Values", "Default", "Kept by")
CURRENCIES: Columns = ("Currency", "Below zero")
_SET, _PLURAL = "Set", "Plural"  # columns that may stand beside these
MOST_VALUES = 100
HIGHEST = 1_000_000_000
LONGEST = 40  # characters of a name, and of a value
PLAYER, GAME, ASSET = "player", "game", "asset"
_OF = {"players": PLAYER, "assets": ASSET}
_EACH = re.compile(r"(?:the|an?|each|every) ")
_RANGE = re.compile(r"([-−]?[0-9,]{1,13}) ?(?:to|–|…|\.\.\.?) ?([-−]?[0-9,]{1,13})")
_WHOLE = re.compile(r"-?[0-9]{1,10}")
_NAME = re.compile(r"[^\W_](?:[^\n|\"“”*`:;,.]*[^\W_])?")
_YES_OR_NO = {"yes": True, "no": False}
_WAYS = {"at once": True, "by correction": False}
_NOTHING = frozenset({"", "-", "–", "—"})


@dataclass(frozen=True, slots=True)
class DeclaredCurrency:
    """A currency of a rule's table: its name for one and for several, and whether its holders may
    have less than nothing."""

    name: str
    plural: str
    may_owe: bool


@dataclass(frozen=True, slots=True)
class DeclaredSwitch:
    """A switch of a rule's table, `of` each player, the game or each asset. It has one of the
    `values`, or where there are none a whole number from `least` to `most`. The office that is its
    `keeper`, or the rulebook's where that is "", sets it `at_once` or by a correction."""

    name: str
    of: str
    values: tuple[str, ...]
    least: int
    most: int
    default: str
    keeper: str
    at_once: bool

    def reads(self, words: str) -> str | None:
        """The value that these words mean, as the table has it; None where it has no such."""
        return _value(words, self.values, self.least, self.most)

    @property
    def range(self) -> str:
        """Its values, as part of a sentence."""
        return _range(self.values, self.least, self.most)


@memoized(share=0.01)
def switches_in(rule: str, text: str) -> tuple[DeclaredSwitch, ...]:
    """The switches that a text of that rule declares; raises TableBroken."""
    table = table_in(rule, text, SWITCHES)
    return tuple(_switches(table)) if table else ()


@memoized(share=0.01)
def currencies_in(rule: str, text: str) -> tuple[DeclaredCurrency, ...]:
    """The currencies that a text of that rule declares; raises TableBroken."""
    table = table_in(rule, text, CURRENCIES)
    return tuple(_currencies(table)) if table else ()


def declared[Kind](
    read: Callable[[str, str], Sequence[Kind]],
    columns: Columns,
    rule: RuleText,
    earlier: Callable[[RuleText], Iterable[tuple[int, str]]],
) -> tuple[Sequence[Kind], Unread | None]:
    """What `read` finds declared in a rule's text, and no fault; or what it finds in its newest
    earlier version that can be read, and the fault of the text.

    A table that still has the first of the `columns`, and not all that it had, cannot be read; one
    that is gone declares nothing more.
    """
    if columns[0].casefold() not in rule.played.casefold():
        return (), None
    try:
        declarations = read(rule.title, rule.played)
        if declarations or not _has_column(rule.played, columns[0]):
            return declarations, None
        fault, is_broken = f"The table “{columns[0]}” of {rule.title} has lost a column.", False
    except TableBroken as broken:
        fault, is_broken = broken.sentence, True
    for version, text_then in earlier(rule):
        try:
            declarations = read(rule.title, text_then)
        except TableBroken:
            continue
        if declarations:
            return declarations, Unread(rule.title, version, fault, text_then, rule.pk)
    return (), Unread(rule.title, None, fault, pk=rule.pk) if is_broken else None


def table_in(rule: str, text: str, columns: Columns) -> RuleTable | None:
    """The table with these columns in a text of that rule, if it has one; raises TableBroken."""
    headed = headed_in(rule, text, columns)
    if headed is None:
        return None
    return RuleTable(rule, columns, _by_first(rule, headed, columns))


def headed_in(rule: str, text: str, columns: Columns) -> TextTable | None:
    """The same with its rows as they stand there, whether or not two have the same first cell."""
    if not all(column.casefold() in text.casefold() for column in columns):
        return None
    try:
        return _headed(text, *columns)
    except TableBroken as broken:
        raise _cannot_be_read(rule, columns, broken) from broken


def _by_first(rule: str, table: TextTable, columns: Columns) -> dict[str, dict[str, str]]:
    try:
        return table.by(columns[0])
    except TableBroken as broken:
        raise _cannot_be_read(rule, columns, broken) from broken


def _cannot_be_read(rule: str, columns: Columns, broken: TableBroken) -> TableBroken:
    sentence = f"The table “{columns[0]}” of {rule} cannot be read: {broken.sentence}."
    return TableBroken(sentence, rule)


def _headed(text: str, *columns: str) -> TextTable | None:
    """The table that names these columns: rows under no head could be anything."""
    table = find_table(text, *columns)
    return None if table is None or table.head == table.first else table


def _has_column(text: str, column: str) -> bool:
    try:
        return column.casefold() in text.casefold() and _headed(text, column) is not None
    except TableBroken:
        return True


def _switches(table: RuleTable) -> Iterator[DeclaredSwitch]:
    names: set[str] = set()
    for row in table.rows:
        name = _name_of(table, row, names)
        of = _EACH.sub("", _cell(table, row, "Of").casefold(), count=1)
        of = _OF.get(of, of)
        if of not in (PLAYER, GAME, ASSET):
            raise table.unfit(of, f" under Of for {cut(row)}", "player, game or asset")
        values, least, most = _values(table, row)
        default = _value(_cell(table, row, "Default"), values, least, most)
        if default is None:
            cell = _cell(table, row, "Default")
            raise table.unfit(cell, f" under Default for {cut(row)}", _range(values, least, most))
        keeper = " ".join(_cell(table, row, "Kept by").split())
        keeper = "" if keeper in _NOTHING else re.sub("^[Tt]he ", "", keeper)
        at_once = _choice(table, row, _SET, _WAYS)
        yield DeclaredSwitch(name, of, values, least, most, default, keeper, at_once)


def _currencies(table: RuleTable) -> Iterator[DeclaredCurrency]:
    names: set[str] = set()
    for row in table.rows:
        name = _name_of(table, row, names)
        plural = " ".join(_cell(table, row, _PLURAL).split())
        plural = plural_of(name) if plural in _NOTHING else plural
        if len(plural) > LONGEST or not _NAME.fullmatch(plural):
            raise table.unfit(plural, f" under {_PLURAL} for {cut(row)}", _a_name())
        yield DeclaredCurrency(name, plural, _choice(table, row, "Below zero", _YES_OR_NO))


def plural_of(name: str) -> str:
    """The word for several of what one is called so, where nobody says another."""
    if re.search("(?:[^s]s|ies)$", name):  # “coins” are several already
        return name
    if re.search("[^aeiou]y$", name):
        return f"{name[:-1]}ies"
    return f"{name}es" if re.search("(?:s|x|z|ch|sh)$", name) else f"{name}s"


def _name_of(table: RuleTable, row: str, names: set[str]) -> str:
    name = " ".join(row.strip().strip("*_`").split())
    if len(name) > LONGEST or not _NAME.fullmatch(name):
        raise table.unfit(row, f" under {table.columns[0]}", _a_name())
    if name_key(name) in names:
        raise table.broken(f"has “{cut(name)}” twice.")
    names.add(name_key(name))
    return name


def _a_name() -> str:
    return f"a name of at most {LONGEST} characters, letters and digits at its ends"


def _cell(table: RuleTable, row: str, column: str) -> str:
    cells: Mapping[str, str] = table.rows[row]
    named = next((name for name in cells if plain(name) == plain(column)), None)
    return cells[named].strip() if named else ""


def _choice(table: RuleTable, row: str, column: str, words: Mapping[str, bool]) -> bool:
    cell = _cell(table, row, column).casefold()
    if cell in _NOTHING:
        return False
    if cell not in words:
        raise table.unfit(cell, f" under {column} for {cut(row)}", enumerated([*words], "or"))
    return words[cell]


def _values(table: RuleTable, row: str) -> tuple[tuple[str, ...], int, int]:
    """The words that are values, or none and the least and the most number."""
    cell = _cell(table, row, "Values")
    where = f" under Values for {cut(row)}"
    if bounds := _RANGE.fullmatch(cell):
        least, most = (_whole(bound.replace(",", "")) for bound in bounds.groups())
        if least is None or most is None or not -HIGHEST <= least <= most <= HIGHEST:
            wanted = f"a range, the least first, within {-HIGHEST:,} to {HIGHEST:,}"
            raise table.unfit(cell, where, wanted)
        return (), least, most
    values = [" ".join(part.split()) for part in cell.split(",")]
    if len(values) > MOST_VALUES:
        raise table.broken(
            f"has {len(values):,} values for {cut(row)}; {MOST_VALUES} are the most."
        )
    keys = [name_key(value) for value in values]
    if not all(values) or len({*keys}) < len(keys) or max(map(len, values)) > LONGEST:
        wanted = (
            f"a range such as “0 to 10”, or words with commas, each once and of at most {LONGEST}"
            " characters"
        )
        raise table.unfit(cell, where, wanted)
    return tuple(values), 0, 0


def _value(words: str, values: Sequence[str], least: int, most: int) -> str | None:
    words = " ".join(words.split())
    if values:
        key = name_key(words)
        return next((value for value in values if name_key(value) == key), None)
    number = _whole(words)
    return None if number is None or not least <= number <= most else str(number)


def _whole(words: str) -> int | None:
    digits = words.replace("−", "-")
    return int(digits) if _WHOLE.fullmatch(digits) else None


def _range(values: Sequence[str], least: int, most: int) -> str:
    return enumerated(values, "or") if values else f"a whole number from {least:,} to {most:,}"

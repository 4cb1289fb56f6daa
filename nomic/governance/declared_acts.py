"""The tables by which any rule lets acts be announced first, or done on behalf of others, and says
who is deputy of an office: what they say, with words for acts, players and offices. No Django here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from nomic.governance.rules import Method
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.charts import EMPTY_CELLS, Columns, RuleTable, cut
from nomic.rulebook.declared import headed_in
from nomic.rulebook.tables import TextTable, plain

ACTS: Columns = ("Act", "Who", "How", "Days")
DEPUTIES: Columns = ("Deputy of", "Who", "Late by", "Notice")
_VACANT = "Vacant"  # a column that may stand beside these
_WITHIN, _DONE_BY = "Within", "Done by"  # columns that may stand beside these
PLAYERS, OFFICERS = "players", "officers"
WHO_LETS_THEM = "whoever lets them"
ANY_ACT = "any act"
ANY_OFFICE = "office"  # what “any office” is called
MOST_ACTS = 60
MOST_DAYS = 400
LONGEST_NOTICE = 14  # days
_MOST_VOICES = 100
LONGEST = 80  # characters of an act's name, and of an office's
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_NUMBER = rf"(?:(?P<number>[0-9]{{1,3}}(?:\.[0-9])?|{'|'.join(_NUMBERS)}) )?"
_METHODS = {
    re.compile(rf"without {_NUMBER}objections?"): "objections",
    re.compile(rf"with {_NUMBER}support(?:ers?)?"): "support",
    re.compile(rf"with {_NUMBER}(?:agoran )?consent"): "consent",
    re.compile("with notice"): "notice",
}
_ON_BEHALF = re.compile(r"on behalf of (?P<whom>.+)", re.IGNORECASE)
_LETS = re.compile("(?:who|whoever|anybody who|each player who) (?:lets|let|allows) (?:them|it)")
EACH = re.compile(r"(?:the|an?|any|each|every|all) ", re.IGNORECASE)
_DOERS = {"the system": False, "system": False, "announcer": True, "the announcer": True}


@dataclass(frozen=True, slots=True)
class DeclaredAct:
    """A row: `who` may do that `act`, a name or title, “players”, “officers” or an office each.

    They announce it, and it takes the `method`, not before `wait` days and only `within` so many,
    and is done by whoever announced it where that is `by_hand`, else by itself. Or without a method
    they do it at once, on `behalf` of players, officers, who holds an office or
    whoever lets them; that may be `any act`.
    """

    act: str
    who: str
    method: Method | None = None
    behalf: str = ""
    wait: int = 0
    within: int | None = None
    by_hand: bool = False

    @property
    def how(self) -> str:
        """How it is done, as the row's cell says it."""
        return str(self.method) if self.method else f"on behalf of {self.behalf}"


@memoized(share=0.01)
def acts_in(rule: str, text: str) -> tuple[DeclaredAct, ...]:
    """The rows of that table in a text of that rule, in their order; raises TableBroken."""
    table = headed_in(rule, text, ACTS)
    return tuple(_rows(rule, table)) if table else ()


def _rows(rule: str, table: TextTable) -> Iterator[DeclaredAct]:
    chart = RuleTable(rule, ACTS, {})
    if len(table.rows) > MOST_ACTS:
        raise chart.broken(f"has {len(table.rows)} rows, and at most {MOST_ACTS} are read.")
    keys: set[tuple[str, str]] = set()
    for row in table.rows:
        declared = _row(chart, row)
        key = declared.act.casefold(), "" if declared.method else declared.how.casefold()
        if key in keys:
            raise chart.broken(f"has “{cut(declared.act)}” twice.")
        keys.add(key)
        yield declared


def _row(chart: RuleTable, row: Mapping[str, str]) -> DeclaredAct:
    act = " ".join(cell_of(row, "Act").strip('*_`“”"').split())
    if not act or len(act) > LONGEST:
        raise chart.unfit(act, " under Act", "the title or the name of an act")
    who = whom_of(chart, cell_of(row, "Who"), f" under Who for {cut(act)}")
    how, where = cell_of(row, "How"), f" for {cut(act)}"
    if on_behalf := _ON_BEHALF.fullmatch(how):
        whom = on_behalf["whom"]
        if _LETS.fullmatch(whom.casefold()):
            return DeclaredAct(act, who, behalf=WHO_LETS_THEM)
        return DeclaredAct(act, who, behalf=whom_of(chart, whom, f" under How{where}"))
    if act.casefold() == ANY_ACT:
        raise chart.unfit(how, f" under How{where}", f"“on behalf of {WHO_LETS_THEM}”")
    method = method_of(how)
    if method is None:
        wanted = (
            "“without 2 objections”, “with 2 support”, “with 1.5 consent”, “with notice” or “on"
            " behalf of” somebody"
        )
        raise chart.unfit(how, f" under How{where}", wanted)
    wait = days_of(chart, row, "Days", where)
    if wait is None and not method.support:
        raise chart.unfit("nothing", f" under Days{where}", "the days that it waits")
    by = cell_of(row, _DONE_BY).casefold()
    if wait == 0 and not method.support and not _DOERS.get(by):
        raise chart.unfit("0", f" under Days{where}", "a day or more, after which it is done")
    within = days_of(chart, row, _WITHIN, where)
    if within is not None and within <= (wait or 0):
        raise chart.unfit(str(within), f" under {_WITHIN}{where}", "more days than it waits")
    if by not in EMPTY_CELLS and by not in _DOERS:
        raise chart.unfit(by, f" under {_DONE_BY}{where}", "the system or the announcer")
    return DeclaredAct(act, who, method, "", wait or 0, within, _DOERS.get(by, False))


def cell_of(row: Mapping[str, str], column: str) -> str:
    """The words in that cell, on one line; "" where the row has none."""
    named = next((name for name in row if plain(name) == plain(column)), None)
    return " ".join(row[named].split()) if named else ""


def whom_of(chart: RuleTable, cell: str, where: str) -> str:
    """Players, officers or an office, as the cell names them; raises TableBroken."""
    whom = EACH.sub("", cell, count=1)
    kind = whom.casefold()
    if kind in ("player", PLAYERS, "anybody", "anyone", "everybody", "other player"):
        return PLAYERS
    if kind in ("officer", OFFICERS):
        return OFFICERS
    if not whom or len(whom) > LONGEST:
        raise chart.unfit(cell, where, "players, officers or an office")
    return whom


def method_of(how: str) -> Method | None:
    """The method that the cell says; None where it says none."""
    for shape, kind in _METHODS.items():
        if match := shape.fullmatch(how.casefold()):
            words = match.groupdict().get("number") or "1"
            number = Fraction(_NUMBERS.get(words, words))
            if kind == "notice":
                return Method()
            if kind == "consent":
                return Method(consent=number) if number and number <= _MOST_VOICES else None
            if not 1 <= number <= _MOST_VOICES or number.denominator > 1:
                return None
            return Method(int(number)) if kind == "objections" else Method(support=int(number))
    return None


def days_of(chart: RuleTable, row: Mapping[str, str], column: str, where: str) -> int | None:
    """The days in that cell; None where it is empty. Raises TableBroken."""
    cell = cell_of(row, column)
    if cell in EMPTY_CELLS:
        return None
    return chart.as_whole(cell, f" under {column}{where}", 0, MOST_DAYS)


@dataclass(frozen=True, slots=True)
class DeclaredDeputy:
    """A row: `who` may do for that `office` what is `late` by so many days, or by so many while the
    office is `vacant`; None for never. Where the office is
    held they give `notice` of it so many days before, 0 for none."""

    office: str
    who: str
    late: int | None
    vacant: int | None
    notice: int


@memoized(share=0.01)
def deputies_in(rule: str, text: str) -> tuple[DeclaredDeputy, ...]:
    """The rows of that table in a text of that rule, in their order; raises TableBroken."""
    table = headed_in(rule, text, DEPUTIES)
    return tuple(_deputies(rule, table)) if table else ()


def _deputies(rule: str, table: TextTable) -> Iterator[DeclaredDeputy]:
    chart = RuleTable(rule, DEPUTIES, {})
    if len(table.rows) > MOST_ACTS:
        raise chart.broken(f"has {len(table.rows)} rows, and at most {MOST_ACTS} are read.")
    offices: set[str] = set()
    for row in table.rows:
        office = EACH.sub("", cell_of(row, DEPUTIES[0]), count=1)
        if not office or len(office) > LONGEST:
            raise chart.unfit(office, f" under {DEPUTIES[0]}", "an office or “any office”")
        if office.casefold() in offices:
            raise chart.broken(f"has “{cut(office)}” twice.")
        if office.casefold().startswith("deputy"):
            sentence = "is about a deputy, and a deputy has no deputy: name an office."
            raise chart.broken(sentence)
        offices.add(office.casefold())
        where = f" for {cut(office)}"
        late, vacant = (days_of(chart, row, column, where) for column in ("Late by", _VACANT))
        if late is None and vacant is None:
            raise chart.unfit("nothing", f" under Late by{where}", "the days that it is late by")
        who = whom_of(chart, cell_of(row, "Who"), f" under Who{where}")
        notice = days_of(chart, row, "Notice", where) or 0
        if notice > LONGEST_NOTICE:
            wanted = f"at most {LONGEST_NOTICE} days, for which a notice lasts"
            raise chart.unfit(str(notice), f" under Notice{where}", wanted)
        yield DeclaredDeputy(office, who, late, vacant, notice)

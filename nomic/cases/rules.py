"""What the rule “Cases” says: who calls, assigns and judges one, the verdicts that there are, and
by what a judgement is opened again. No Django here."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Protocol

from nomic.cases.rulebook import shipped_texts
from nomic.games.refusal import Refusal
from nomic.games.wording import counted
from nomic.rulebook.charts import Columns, RuleTable, unless_off
from nomic.rulebook.last_readable import Figure, RuleCharts, whole

CASES = "Cases"
LONGEST_NAME = 60  # of a verdict, a motion or an office
MOST_ROWS = 30
MOST_BARRED = 10  # from one case
MOST_CONSEQUENCES = 50  # of one case
MOST_ARGUMENTS = 20  # of one player in one case
PLAYERS, OFFICERS, JUDGE = "players", "officers", "judge"
ANYBODY = "anybody"  # also who has left the game
TURNS, DICE = "turns", "dice"
CALLER, BARRED, NAMED, PARTIES = "caller", "barred", "named", "parties"
ITS_JUDGE, ANOTHER_JUDGE = "its judge", "another judge"
AT_ONCE, BY_SUPPORT = "at once", "by support"
_ANY, _NONE = "any", "none"
_MOST_DAYS = 3_650
_MOST_SUPPORT = 1_000
_HOW = "HOW"
_SETTINGS = ("CASES", _HOW)
_VERDICTS = ("VERDICT", "MEANS", "OPPOSITE")
_MOTIONS = ("MOTION", "BY", "SUPPORT", "EACH WEEK", "DAYS", "AT MOST", "GOES TO")
# A capital first: no office is ever called like what the site itself has, as “host”.
_OFFICE = re.compile(r"[A-Z][A-Za-z' -]{1,39}")
_NUMBERED = re.compile(r"\b(Document|Contract)s? ([1-9][0-9]{0,8})\b", re.IGNORECASE)
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class VerdictKind:
    """A verdict that a judge may give, what it means, and the one that says the opposite, if one
    does."""

    name: str
    means: str
    opposite: str


@dataclass(frozen=True, slots=True)
class Reopening:
    """A motion by which a judgement is opened again.

    It is filed `by` the judge or by players, within so many `days` of the judgement and `at_most`
    so often in one case (None: at any time, any number of times), and takes the support of
    `support` others, and of `each_week` more for each whole week since. `keeps_judge` tells whether
    the case goes back to its judge.
    """

    name: str
    by: str
    support: int
    each_week: int
    days: int | None
    at_most: int | None
    keeps_judge: bool

    def needs(self, age: timedelta) -> int:
        """The number of others who have to support it when the judgement is that old."""
        return self.support + self.each_week * (age // _WEEK)

    def is_late(self, age: timedelta) -> bool:
        """Whether a judgement of that age is not opened again by it any more."""
        return self.days is not None and age > timedelta(days=self.days)


class CaseCharts(RuleCharts):
    """The tables of the rule “Cases”."""

    titles = (CASES,)
    shipped_texts = staticmethod(shipped_texts)
    known: ClassVar[Mapping[str, tuple[Columns, ...]]] = {CASES: (_SETTINGS, _VERDICTS, _MOTIONS)}
    open_tables = frozenset({_VERDICTS[0], _MOTIONS[0]})

    calls_a_week = whole(CASES, _SETTINGS[0], "Calls a week", _HOW)
    may_bar = whole(CASES, _SETTINGS[0], "May bar", _HOW, most=MOST_BARRED, off=0)
    days_to_assign = whole(CASES, _SETTINGS[0], "Days to assign", _HOW, most=_MOST_DAYS)
    days_to_judge = whole(CASES, _SETTINGS[0], "Days to judge", _HOW, most=_MOST_DAYS)

    @property
    def _settings(self) -> RuleTable:
        return self.tables.table(CASES, _SETTINGS[0])

    @Figure
    def called_by(self) -> str:
        """Who may call one: “anybody”, “players”, “officers” or an office's name."""
        return self._somebody("Called by", ANYBODY, PLAYERS, OFFICERS)

    @Figure
    def assigned_by(self) -> str:
        """What assigns a judge: “turns”, “dice” or an office's name."""
        return self._somebody("Assigned by", TURNS, DICE)

    @Figure
    def never_its_judge(self) -> frozenset[str]:
        """The kinds of people who judge no case: the caller, who is barred, who is named in the
        statement, the parties of what it is about."""
        cell = self._settings.cell("Never its judge", _HOW)
        kinds = frozenset(word.strip().casefold() for word in cell.split(",")) - {"", _NONE}
        if not kinds <= {CALLER, BARRED, NAMED, PARTIES}:
            where = f" under {_HOW} for Never its judge"
            choices = f"some of {CALLER}, {BARRED}, {NAMED} and {PARTIES}"
            raise self._settings.unfit(cell, where, choices)
        return kinds

    def _somebody(self, row: str, *words: str) -> str:
        """The cell of that row: one of these words, or an office's name."""
        cell = self._settings.cell(row, _HOW)
        if cell.casefold() in words:
            return cell.casefold()
        if not _OFFICE.fullmatch(cell):
            wanted = f"{', '.join(words)} or the name of an office"
            raise self._settings.unfit(cell, f" under {_HOW} for {row}", wanted)
        return cell

    @property
    def office(self) -> str:
        """The office that assigns cases; "" where none does. Raises TableBroken."""
        return "" if self.assigned_by in (TURNS, DICE) else self.assigned_by

    @Figure
    def follows(self) -> int | None:
        """After how many days comes to force what its judge lets follow from a judgement, unless a
        player objects: 0 for at once, None where it takes support."""
        return unless_off(self._follows, None)

    def _follows(self) -> int | None:
        cell = self._settings.cell("What follows", _HOW)
        if cell.casefold() == BY_SUPPORT:
            return None
        if cell.casefold() == AT_ONCE:
            return 0
        return self._settings.as_whole(cell, f" under {_HOW} for What follows", 1, _MOST_DAYS)

    @Figure
    def verdicts(self) -> dict[str, VerdictKind]:
        """The verdicts by their names, in the table's order."""
        table = self._rows_of(_VERDICTS[0])
        verdicts = {}
        for name in table.rows:
            opposite = table.cell(name, "OPPOSITE")
            opposite = "" if opposite.casefold() == _NONE else opposite
            if opposite and opposite not in table.rows:
                where = f" under OPPOSITE for {name}"
                raise table.unfit(opposite, where, f"another verdict or {_NONE}")
            verdicts[name] = VerdictKind(name, table.cell(name, "MEANS"), opposite)
        return verdicts

    @Figure
    def motions(self) -> dict[str, Reopening]:
        """The motions by their names, in the table's order."""
        table = self._rows_of(_MOTIONS[0])
        motions = {}
        for name in table.rows:
            by, goes_to = (table.cell(name, column).casefold() for column in ("BY", "GOES TO"))
            if by not in (JUDGE, PLAYERS):
                raise table.unfit(by, f" under BY for {name}", f"{JUDGE} or {PLAYERS}")
            if goes_to not in (ITS_JUDGE, ANOTHER_JUDGE):
                wanted = f"{ITS_JUDGE} or {ANOTHER_JUDGE}"
                raise table.unfit(goes_to, f" under GOES TO for {name}", wanted)
            motions[name] = Reopening(
                name,
                by,
                table.whole(name, "SUPPORT", most=_MOST_SUPPORT),
                table.whole(name, "EACH WEEK", most=_MOST_SUPPORT),
                _whole_or_any(table, name, "DAYS"),
                _whole_or_any(table, name, "AT MOST"),
                goes_to == ITS_JUDGE,
            )
        return motions

    def _rows_of(self, first: str) -> RuleTable:
        table = self.tables.table(CASES, first)
        if len(table.rows) > MOST_ROWS:
            raise table.broken(f"has {len(table.rows)} rows, and at most {MOST_ROWS} are read.")
        for name in table.rows:
            if len(name) > LONGEST_NAME:
                raise table.unfit(name, "", f"a name of at most {LONGEST_NAME} characters")
        return table


def _whole_or_any(table: RuleTable, row: str, column: str) -> int | None:
    cell = table.cell(row, column)
    return None if cell.casefold() == _ANY else table.whole(row, column, most=_MOST_DAYS)


def call_refusal(
    charts: CaseCharts,
    offices: Collection[str],
    called_this_week: int,
    *,
    is_officer: bool,
) -> Refusal | None:
    """Why who holds these offices, and has called so many cases this week, calls none now; None if
    they may."""
    callers = charts.called_by
    is_one = is_officer if callers == OFFICERS else callers in offices
    if not (is_one or callers in (ANYBODY, PLAYERS)):
        wording = OFFICERS if callers == OFFICERS else f"the {callers}"
        return Refusal("not_the_caller", f"Cases are called by {wording}.", CASES)
    if called_this_week >= charts.calls_a_week:
        sentence = f"Nobody calls more than {charts.calls_a_week} cases a week: call it next week."
        return Refusal("too_many", sentence, CASES)
    return None


class Open(Protocol):
    """What legality asks of a case."""

    number: int
    verdict: str


def not_open(case: Open) -> Refusal | None:
    """Why nothing more is done in that case, which is judged; None while it is open."""
    if not case.verdict:
        return None
    sentence = f"Case {case.number} is judged {case.verdict}: only a motion opens it again."
    return Refusal("is_judged", sentence, CASES)


def barring_refusal(charts: CaseCharts, number: int) -> Refusal | None:
    """Why a caller does not bar so many players from a case; None if they may."""
    if number <= charts.may_bar:
        return None
    allowance = counted(charts.may_bar, "player") if charts.may_bar else "nobody"
    return Refusal("too_many_barred", f"The rule lets a caller bar {allowance} from a case.", CASES)


def names_in(statement: str, names: Collection[str]) -> set[str]:
    """Those of these names that stand in the statement as whole words, in whatever case."""
    folded = statement.casefold()
    return {
        name for name in names if re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", folded)
    }


def numbered_in(statement: str) -> set[tuple[str, str]]:
    """What the statement names by a number, as “Contract 3”: each as its kind, which is the plural
    in small letters, and its number."""
    return {(f"{kind.casefold()}s", number) for kind, number in _NUMBERED.findall(statement)}


def reopening_refusal(
    motion: Reopening, age: timedelta, filed_before: int, *, is_judge: bool
) -> Refusal | None:
    """Why a judgement of that age is not opened again by that motion now, which opened the case so
    often before; None if it may be asked for."""
    if motion.by == JUDGE and not is_judge:
        return Refusal("not_the_judge", f"“{motion.name}” is for the judge of the case.", CASES)
    if motion.is_late(age):
        sentence = f"“{motion.name}” is filed within {motion.days} days of the judgement."
        return Refusal("too_late", sentence, CASES)
    if motion.at_most is not None and filed_before >= motion.at_most:
        times = counted(filed_before, "time")
        sentence = f"“{motion.name}” has opened this case {times} already, and may no more."
        return Refusal("too_often", sentence, CASES)
    return None

"""The rules of each edition as they are read: their tables and sentences, and the terms in these:
waits, thresholds, voting strengths.

A sentence of `clauses.toml`, in the sources' words and in ours, stands for a cell of a table.
"""

import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Self

from nomic.rulebook.charts import Columns, Needed, RuleTable, cut, unless_off
from nomic.rulebook.clauses import clauses_in
from nomic.rulebook.last_readable import Earlier, RuleCharts, faults
from nomic.rulebook.tables import Lack, TableBroken
from proposals.rulebook import shipped_texts

PROPOSALS = "Proposals"
VOTING = "Voting"
CLOCK = "The Clock"
VESTED = "Vested Players"
EMPEROR = "The Emperor"
DECISIONS = "Decisions"
POWER = "Power"

CLAUSES = clauses_in(Path(__file__).with_name("clauses.toml"))
OPEN_TABLES = frozenset({"CLASS"})
_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_NUMBER = re.compile(r"[0-9]+([.,][0-9]+)?")
_ANSWERS = {"yes": True, "no": False}
_MOST_NDAYS = 1_000
_MOST_HOURS = 10_000
_MOST_DAYS = 1_000
_MOST_VOTES = 100_000
# What a proposal, a version and a strength have columns for in models.py.
_MOST_STRENGTH = 30_000
_MOST_INDEX = Decimal("99.9")
_LONGEST_CLASS = 60
# 114 years: an nweek that begins at the end of a game's time still ends in a year that has a date.
_LONGEST_NWEEK = 1_000_000
LONGEST_WAIT = 24 * _MOST_DAYS + _MOST_HOURS  # hours from a submission to the end of its vote

_CLOCK_TABLES: tuple[Columns, ...] = (
    ("LENGTH", "NDAYS", "HOURS"),
    ("THE CLOCK TURNS OFF", "ANSWER"),
)
_SEEN_TABLE: Columns = ("VOTES ARE SEEN", "ANSWER")
_VOTING_TABLES: tuple[Columns, ...] = (("VOTING", "NDAY"), _SEEN_TABLE)
# An nday is the day in which an nweek is counted.
_ALWAYS: Mapping[str, tuple[tuple[str, str, str], ...]] = {"LENGTH": (("An nday", "NDAYS", "1"),)}
_CLOCK_OFF = (CLOCK, "THE CLOCK TURNS OFF")
_SENTENCE = re.compile(r"[^.!?\n]+")
_WITHDRAWAL = re.compile(r"\bwithdr(?:aw|ew)", re.IGNORECASE)
_FORBIDDEN = re.compile(r"\b(?:cannot|never|(?:can|may|must|shall) not)\b", re.IGNORECASE)


def names_withdrawal(text: str) -> bool:
    """Whether a sentence of that rule speaks of withdrawing proposals and does not forbid it."""
    spoken = (match[0] for match in _SENTENCE.finditer(text) if _WITHDRAWAL.search(match[0]))
    return any(not _FORBIDDEN.search(sentence) for sentence in spoken)


@dataclass(frozen=True, slots=True)
class Terms:
    """An edition's terms: the numbers and words in the tables of its rules."""

    @property
    def wait(self) -> int:
        """How long at least a proposal waits that all are for, in hours."""
        return 0


@dataclass(frozen=True, slots=True)
class NweekTerms(Terms):
    """B Nomic's calendar: the nweek in ndays, the nday in hours, when Voting and the clock turn."""

    nweek_ndays: int
    nday_hours: int
    voting_from_nday: int
    clock_off_at_voting: bool
    clock_off_at_end: bool
    votes_seen: bool

    @property
    def wait(self) -> int:
        return self.nweek_ndays * self.nday_hours


@dataclass(frozen=True, slots=True)
class Rule5E33Terms(NweekTerms):
    """Also the least Stamina: so many votes for so many Vested players."""

    stamina_votes: int
    stamina_vested: int

    @property
    def stamina_share(self) -> str:
        """The least Stamina as a share of the Vested players, in words."""
        if (self.stamina_votes, self.stamina_vested) == (1, 2):
            return "one half"
        return f"{self.stamina_votes}/{self.stamina_vested}"


@dataclass(frozen=True, slots=True)
class EachTerms(Terms):
    """Votes of their own: days are game days, hours game hours."""

    distribution_hours: int
    voting_days: int
    votes_seen: bool

    @property
    def wait(self) -> int:
        return self.distribution_hours + 24 * self.voting_days


@dataclass(frozen=True, slots=True)
class AdoptionTerms(EachTerms):
    """Strengths and quorum are in votes and ballots.

    `classes` gives each class its least adoption index; the first class is that of a proposal
    whose author names none.
    """

    default_strength: int
    most_strength: int
    quorum: int
    classes: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class MajorityTerms(EachTerms):
    """More than `majority_part` of `majority_whole` votes, and a quorum in ballots."""

    majority_part: int
    majority_whole: int
    quorum: int


@dataclass(frozen=True, slots=True)
class ConsentTerms(EachTerms):
    """Fewer than so many `objections`, and at least so many `supporters`."""

    objections: int
    supporters: int


@dataclass(frozen=True, slots=True)
class QuorumTerms(Terms):
    """A quorum is more than `quorum_part` of `quorum_whole` active players each.

    After `timed_hours` a proposal need not wait for it, but needs `least_votes` valid votes.
    """

    timed_hours: int
    least_votes: int
    quorum_part: int
    quorum_whole: int

    @property
    def votes_seen(self) -> bool:
        """Always: whoever counts whether a quorum is reached sees who voted what."""
        return True

    def quorum(self, players: int) -> int:
        """The least number of votes that is more than that part of the players."""
        return players * self.quorum_part // self.quorum_whole + 1

    def most_players(self, quorum: int) -> int:
        """The largest number of players with that quorum."""
        return -(-quorum * self.quorum_whole // self.quorum_part) - 1


class VotingTable(RuleTable):
    """A table of a rule by which votes are held."""

    def tenths(self, row: str, column: str, highest: Decimal) -> Decimal:
        """The number in a cell, 0 to `most` in tenths, such as 1.0."""
        cell = self.cell(row, column)
        number = Decimal(cell) if _DECIMAL.fullmatch(cell) else None
        if number is None or number > highest or number != round(number, 1):
            raise self.unfit(
                cell, f" under {column} for {cut(row)}", f"a number in tenths, from 0 to {highest}"
            )
        return number

    def answer(self, row: str, column: str) -> bool:
        """Whether a cell says yes. Raises TableBroken where it says neither yes nor no."""
        cell = self.cell(row, column)
        if cell.casefold() not in _ANSWERS:
            raise self.unfit(cell, f" under {column} for {cut(row)}", "yes or no")
        return _ANSWERS[cell.casefold()]

    def unfit(self, cell: str, where: str, wanted: str) -> TableBroken:
        broken = super().unfit(cell, where, wanted)
        if not _NUMBER.fullmatch(cell):
            return broken
        return TableBroken(broken.sentence, broken.rule, Lack.UNPLAYABLE)


class TermCharts[T: Terms](RuleCharts):
    """The rules of an `edition`, the main one first. Without a rule or table that is not needed,
    what it says counts as off."""

    edition: ClassVar[str]
    clauses = CLAUSES
    open_tables = OPEN_TABLES

    @property
    @abstractmethod
    def terms(self) -> T:
        """The terms in their tables and sentences; raises TableBroken."""

    @classmethod
    def shipped_texts(cls) -> Mapping[str, str]:
        return shipped_texts(cls.edition)

    @classmethod
    def of(
        cls,
        texts: Mapping[str, str],
        earlier: Earlier = lambda rule: (),  # none
    ) -> Self:
        """The same, and no earlier version where the terms can be read of all rules together."""
        charts = cls._read(texts)
        if not faults([lambda: charts.terms]) and not charts.gaps:
            return charts
        return super().of(texts, earlier)

    @classmethod
    @cache
    def needed(cls) -> tuple[Needed, ...]:
        tables = super().needed()
        return tuple(replace(table, always=_ALWAYS.get(table.columns[0], ())) for table in tables)

    @cached_property
    def faults(self) -> list[TableBroken]:
        """The faults of each rule beside the others as they are shipped, and of all together."""
        shipped = self.shipped_texts()
        alone = [{**shipped, title: self.texts.get(title, "")} for title in self.titles]
        broken = faults(
            partial(getattr, type(self)(texts), "terms") for texts in (*alone, self.texts)
        )
        return [TableBroken(fault.sentence, fault.rule) for fault in broken]  # without a traceback

    def table(self, rule: str, first: str) -> VotingTable:
        """The table of that rule whose first column is `first`; raises TableBroken."""
        plain = self.tables.table(rule, first)
        return VotingTable(plain.rule, plain.columns, plain.rows, plain.whole_rows)

    def needed_table(self, rule: str, first: str) -> VotingTable:
        """A table without which no vote opens or closes: where its rule is in force and has it no
        more, that is a fault, so that the last version counts that has it."""
        try:
            return replace(self.table(rule, first), whole_rows=True)
        except TableBroken as broken:
            if not broken.is_missing or not self.texts.get(rule):
                raise
            raise TableBroken(broken.sentence, broken.rule) from None

    def number(self, rule: str, first: str, row: str, column: str, highest: int) -> int:
        """The whole number in a cell, up to `most`; 0 where no rule in force says it."""
        return unless_off(lambda: self.table(rule, first).whole(row, column, 0, highest), 0)

    def says(self, rule: str, first: str, row: str, *, unless: bool) -> bool:
        """Whether a table's answer in that row is yes; `unless` where no rule in force says it."""
        return unless_off(lambda: self.table(rule, first).answer(row, "ANSWER"), unless)

    def votes_seen(self, rule: str) -> bool:
        """Whether that rule lets votes be seen while voting lasts."""
        return self.says(rule, _SEEN_TABLE[0], "While voting lasts", unless=True)


class _NweekCharts[T: NweekTerms](TermCharts[T]):
    """The rules of B Nomic, of which that on `voting` has the Voting Period."""

    voting: ClassVar[str]

    def of_the_nweek(self) -> dict[str, Any]:
        """The terms that both editions have."""
        lengths = self.needed_table(CLOCK, "LENGTH")
        ndays = lengths.whole("An nweek", "NDAYS", 1, _MOST_NDAYS)
        hours = lengths.whole("An nday", "HOURS", 1, _MOST_HOURS)
        if ndays * hours > _LONGEST_NWEEK:
            long = f"{lengths} makes an nweek of {ndays * hours:,} hours"
            raise TableBroken(f"{long}; it has at most {_LONGEST_NWEEK:,}.", CLOCK, Lack.UNPLAYABLE)
        begins = self.needed_table(self.voting, "VOTING")
        return {
            "nweek_ndays": ndays,
            "nday_hours": hours,
            "voting_from_nday": begins.whole("Begins", "NDAY", 1, ndays),
            "clock_off_at_voting": self.says(*_CLOCK_OFF, "When Voting begins", unless=False),
            "clock_off_at_end": self.says(*_CLOCK_OFF, "When an nweek ends", unless=False),
            "votes_seen": self.votes_seen(self.voting),
        }


class RefreshCharts(_NweekCharts[NweekTerms]):
    """The rules of the Refresh Prop of 2006."""

    edition = "refresh-2006"
    titles = (PROPOSALS, CLOCK)
    known: ClassVar = {CLOCK: _CLOCK_TABLES, PROPOSALS: _VOTING_TABLES}
    voting = PROPOSALS

    @cached_property
    def terms(self) -> NweekTerms:
        return NweekTerms(**self.of_the_nweek())


class Rule5E33Charts(_NweekCharts[Rule5E33Terms]):
    """Rule 5E33 and its companions; without Vested players nothing is Discarded."""

    edition = "rule-5e33"
    titles = (PROPOSALS, VOTING, CLOCK, VESTED)
    known: ClassVar = {
        CLOCK: _CLOCK_TABLES,
        VOTING: _VOTING_TABLES,
        PROPOSALS: (("STAMINA", "VOTES", "VESTED PLAYERS"),),
    }
    voting = VOTING

    @cached_property
    def terms(self) -> Rule5E33Terms:
        def least() -> tuple[int, int]:
            table = self.table(PROPOSALS, "STAMINA")
            votes = table.whole("At least", "VOTES", 0, _MOST_VOTES)
            return votes, table.whole("At least", "VESTED PLAYERS", 1, _MOST_VOTES)

        votes, vested = unless_off(least, (0, 1)) if self.texts.get(VESTED) else (0, 1)
        return Rule5E33Terms(**self.of_the_nweek(), stamina_votes=votes, stamina_vested=vested)


class _EachCharts[T: EachTerms](TermCharts[T]):
    """The rules of an edition in which each proposal has a vote of its own."""

    titles = (PROPOSALS, VOTING)

    def of_each(self) -> dict[str, Any]:
        """The terms that all such editions have."""
        period = self.needed_table(VOTING, "VOTING PERIOD")
        distribution = PROPOSALS, "DISTRIBUTION", "After submission", "HOURS"
        return {
            "distribution_hours": self.number(*distribution, _MOST_HOURS),
            "voting_days": period.whole("From distribution", "DAYS", 1, _MOST_DAYS),
            "votes_seen": self.votes_seen(VOTING),
        }

    @property
    def quorum(self) -> int:
        """The quorum in ballots."""
        return self.number(VOTING, "QUORUM", "At least", "BALLOTS", _MOST_VOTES)


class AdoptionCharts(_EachCharts[AdoptionTerms]):
    """The rules of the edition with an adoption index."""

    edition = "adoption-index"
    known: ClassVar = {
        PROPOSALS: (("DISTRIBUTION", "HOURS"), ("CLASS", "LEAST ADOPTION INDEX")),
        VOTING: (
            ("VOTING PERIOD", "DAYS"),
            ("VOTING STRENGTH", "VOTES"),
            ("QUORUM", "BALLOTS"),
            _SEEN_TABLE,
        ),
    }

    @cached_property
    def terms(self) -> AdoptionTerms:
        strengths = self.needed_table(VOTING, "VOTING STRENGTH")
        strongest = strengths.whole("At most", "VOTES", 1, _MOST_STRENGTH)
        return AdoptionTerms(
            **self.of_each(),
            default_strength=strengths.whole("Unless set otherwise", "VOTES", 0, strongest),
            most_strength=strongest,
            quorum=self.quorum,
            classes=self._classes(),
        )

    def _classes(self) -> dict[str, Decimal]:
        """The least adoption index of each class, in the table's order."""
        table = self.needed_table(PROPOSALS, "CLASS")
        if not table.rows:
            sentence = f"{table} has no rows: a proposal has to have some class."
            raise TableBroken(sentence, PROPOSALS, Lack.UNPLAYABLE)
        for name in table.rows:
            if not 1 <= len(name) <= _LONGEST_CLASS or not name.isprintable():
                has = f"{table} has a class “{cut(name)}” of {len(name)} characters"
                sentence = f"{has} instead of 1 to {_LONGEST_CLASS} visible ones."
                raise TableBroken(sentence, PROPOSALS, Lack.UNPLAYABLE)
        column = "LEAST ADOPTION INDEX"
        return {name: table.tenths(name, column, _MOST_INDEX) for name in table.rows}


class MajorityCharts(_EachCharts[MajorityTerms]):
    """The rules of the edition with a majority."""

    edition = "majority"
    known: ClassVar = {
        PROPOSALS: (("DISTRIBUTION", "HOURS"),),
        VOTING: (
            ("VOTING PERIOD", "DAYS"),
            ("MAJORITY", "VOTES", "OUT OF"),
            ("QUORUM", "BALLOTS"),
            _SEEN_TABLE,
        ),
    }

    @cached_property
    def terms(self) -> MajorityTerms:
        majority = self.needed_table(VOTING, "MAJORITY")
        whole = majority.whole("More than", "OUT OF", 1, _MOST_VOTES)
        return MajorityTerms(
            **self.of_each(),
            majority_part=majority.whole("More than", "VOTES", 0, whole),
            majority_whole=whole,
            quorum=self.quorum,
        )


class ConsentCharts(_EachCharts[ConsentTerms]):
    """The rules of the edition by consent."""

    edition = "consent"
    known: ClassVar = {
        PROPOSALS: (("DISTRIBUTION", "HOURS"),),
        VOTING: (("VOTING PERIOD", "DAYS"), ("CONSENT", "PLAYERS"), _SEEN_TABLE),
    }

    @cached_property
    def terms(self) -> ConsentTerms:
        consent = self.needed_table(VOTING, "CONSENT")
        return ConsentTerms(
            **self.of_each(),
            objections=consent.whole("Objections fewer than", "PLAYERS", 1, _MOST_VOTES),
            supporters=consent.whole("Supporters at least", "PLAYERS", 0, _MOST_VOTES),
        )


class QuorumCharts(TermCharts[QuorumTerms]):
    """The rules of the edition with a quorum."""

    edition = "quorum"
    titles = (PROPOSALS, EMPEROR)
    known: ClassVar = {
        PROPOSALS: (
            ("QUORUM", "PLAYERS", "OUT OF"),
            ("WITHOUT A QUORUM", "HOURS"),
            ("THEN IT NEEDS", "VALID VOTES"),
        )
    }

    @cached_property
    def terms(self) -> QuorumTerms:
        quorum = self.needed_table(PROPOSALS, "QUORUM")
        part = quorum.whole("More than", "PLAYERS", 1, _MOST_VOTES)
        whole = quorum.whole("More than", "OUT OF", 1, _MOST_VOTES)
        if part >= whole:
            asks = f"{quorum} asks for more than {part} out of {whole} players"
            raise TableBroken(f"{asks}; nobody is left.", PROPOSALS, Lack.UNPLAYABLE)
        waits = self.needed_table(PROPOSALS, "WITHOUT A QUORUM")
        needed = PROPOSALS, "THEN IT NEEDS", "At least", "VALID VOTES"
        return QuorumTerms(
            timed_hours=waits.whole("Decided after", "HOURS", 0, _MOST_HOURS),
            least_votes=self.number(*needed, _MOST_VOTES),
            quorum_part=part,
            quorum_whole=whole,
        )

"""The terms in the tables of each edition's rule texts: waits, thresholds, voting strengths."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from nomic.rulebook.charts import Columns, cut, unless_off
from proposals.rules.tables import Texts, Unplayable
from proposals.rules.titles import CLOCK, PROPOSALS, VESTED, VOTING

_MOST_NDAYS = 1_000
_MOST_HOURS = 10_000
_MOST_DAYS = 1_000
_MOST_VOTES = 100_000
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
_STAMINA_TABLE: Columns = ("STAMINA", "VOTES", "VESTED PLAYERS")
_VOTING_TABLES: tuple[Columns, ...] = (("VOTING", "NDAY"), _SEEN_TABLE)
REFRESH_TABLES: Mapping[str, tuple[Columns, ...]] = {
    CLOCK: _CLOCK_TABLES,
    PROPOSALS: _VOTING_TABLES,
}
RULE_5E33_TABLES: Mapping[str, tuple[Columns, ...]] = {
    CLOCK: _CLOCK_TABLES,
    VOTING: _VOTING_TABLES,
    PROPOSALS: (_STAMINA_TABLE,),
}
# An nday is the day in which an nweek is counted.
ALWAYS: Mapping[str, tuple[tuple[str, str, str], ...]] = {"LENGTH": (("An nday", "NDAYS", "1"),)}
OPEN_TABLES = frozenset({"CLASS"})
ADOPTION_TABLES: Mapping[str, tuple[Columns, ...]] = {
    PROPOSALS: (("DISTRIBUTION", "HOURS"), ("CLASS", "LEAST ADOPTION INDEX")),
    VOTING: (
        ("VOTING PERIOD", "DAYS"),
        ("VOTING STRENGTH", "VOTES"),
        ("QUORUM", "BALLOTS"),
        _SEEN_TABLE,
    ),
}
MAJORITY_TABLES: Mapping[str, tuple[Columns, ...]] = {
    PROPOSALS: (("DISTRIBUTION", "HOURS"),),
    VOTING: (
        ("VOTING PERIOD", "DAYS"),
        ("MAJORITY", "VOTES", "OUT OF"),
        ("QUORUM", "BALLOTS"),
        _SEEN_TABLE,
    ),
}
CONSENT_TABLES: Mapping[str, tuple[Columns, ...]] = {
    PROPOSALS: (("DISTRIBUTION", "HOURS"),),
    VOTING: (("VOTING PERIOD", "DAYS"), ("CONSENT", "PLAYERS"), _SEEN_TABLE),
}
QUORUM_TABLES: Mapping[str, tuple[Columns, ...]] = {
    PROPOSALS: (
        ("QUORUM", "PLAYERS", "OUT OF"),
        ("WITHOUT A QUORUM", "HOURS"),
        ("THEN IT NEEDS", "VALID VOTES"),
    )
}
_CLOCK_OFF = (CLOCK, "THE CLOCK TURNS OFF")
_SEEN = ("VOTES ARE SEEN", "While voting lasts")
_SENTENCE = re.compile(r"[^.!?\n]+")
_WITHDRAWAL = re.compile(r"\bwithdr(?:aw|ew)", re.IGNORECASE)
_FORBIDDEN = re.compile(r"\b(?:cannot|never|(?:can|may|must|shall) not)\b", re.IGNORECASE)


def names_withdrawal(text: str) -> bool:
    """Whether a sentence of that rule speaks of withdrawing proposals and does not forbid it."""
    spoken = (found[0] for found in _SENTENCE.finditer(text) if _WITHDRAWAL.search(found[0]))
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


def rule_5e33_terms(texts: Texts) -> Rule5E33Terms:
    """The terms of Rule 5E33 and its companions; without Vested players nothing is Discarded."""

    def least() -> tuple[int, int]:
        table = texts.table(PROPOSALS, "STAMINA")
        votes = table.whole("At least", "VOTES", 0, _MOST_VOTES)
        return votes, table.whole("At least", "VESTED PLAYERS", 1, _MOST_VOTES)

    is_discarding = texts.shipped or texts.given.get(VESTED)
    votes, vested = unless_off(least, (0, 1)) if is_discarding else (0, 1)
    return Rule5E33Terms(
        **asdict(nweek_terms(texts, VOTING)), stamina_votes=votes, stamina_vested=vested
    )


def nweek_terms(texts: Texts, voting: str) -> NweekTerms:
    """The terms of a B Nomic edition whose Voting Period stands in the rule `voting`."""
    lengths = texts.needed(CLOCK, "LENGTH")
    ndays = lengths.whole("An nweek", "NDAYS", 1, _MOST_NDAYS)
    hours = lengths.whole("An nday", "HOURS", 1, _MOST_HOURS)
    if ndays * hours > _LONGEST_NWEEK:
        raise Unplayable(
            CLOCK,
            f"{lengths} makes an nweek of {ndays * hours:,} hours; it has at most"
            f" {_LONGEST_NWEEK:,}.",
        )
    return NweekTerms(
        nweek_ndays=ndays,
        nday_hours=hours,
        voting_from_nday=texts.needed(voting, "VOTING").whole("Begins", "NDAY", 1, ndays),
        clock_off_at_voting=texts.says(*_CLOCK_OFF, "When Voting begins", unless=False),
        clock_off_at_end=texts.says(*_CLOCK_OFF, "When an nweek ends", unless=False),
        votes_seen=texts.says(voting, *_SEEN, unless=True),
    )


def adoption_terms(texts: Texts) -> AdoptionTerms:
    """The terms of the edition with an adoption index. Raises ChartBroken."""
    strengths = texts.needed(VOTING, "VOTING STRENGTH")
    most = strengths.whole("At most", "VOTES", 1, _MOST_STRENGTH)
    common = _each(texts)
    default_strength = strengths.whole("Unless set otherwise", "VOTES", 0, most)
    quorum = texts.number(VOTING, "QUORUM", "At least", "BALLOTS", _MOST_VOTES)
    # The least adoption index of each class, in the table's order.
    table = texts.needed(PROPOSALS, "CLASS")
    if not table.rows:
        raise Unplayable(PROPOSALS, f"{table} has no rows: a proposal has to have some class.")
    for name in table.rows:
        if not 1 <= len(name) <= _LONGEST_CLASS or not name.isprintable():
            raise Unplayable(
                PROPOSALS,
                f"{table} has a class “{cut(name)}” of {len(name)} characters instead of 1 to"
                f" {_LONGEST_CLASS} visible ones.",
            )
    classes = {name: table.tenths(name, "LEAST ADOPTION INDEX", _MOST_INDEX) for name in table.rows}
    return AdoptionTerms(
        **common,
        default_strength=default_strength,
        most_strength=most,
        quorum=quorum,
        classes=classes,
    )


def majority_terms(texts: Texts) -> MajorityTerms:
    """The terms of the edition with a majority. Raises ChartBroken."""
    majority = texts.needed(VOTING, "MAJORITY")
    whole = majority.whole("More than", "OUT OF", 1, _MOST_VOTES)
    return MajorityTerms(
        **_each(texts),
        majority_part=majority.whole("More than", "VOTES", 0, whole),
        majority_whole=whole,
        quorum=texts.number(VOTING, "QUORUM", "At least", "BALLOTS", _MOST_VOTES),
    )


def consent_terms(texts: Texts) -> ConsentTerms:
    """The terms of the edition by consent. Raises ChartBroken."""
    consent = texts.needed(VOTING, "CONSENT")
    return ConsentTerms(
        **_each(texts),
        objections=consent.whole("Objections fewer than", "PLAYERS", 1, _MOST_VOTES),
        supporters=consent.whole("Supporters at least", "PLAYERS", 0, _MOST_VOTES),
    )


def _each(texts: Texts) -> dict[str, Any]:
    """The terms of editions in which each proposal has a vote of its own."""
    period = texts.needed(VOTING, "VOTING PERIOD")
    return {
        "distribution_hours": texts.number(
            PROPOSALS, "DISTRIBUTION", "After submission", "HOURS", _MOST_HOURS
        ),
        "voting_days": period.whole("From distribution", "DAYS", 1, _MOST_DAYS),
        "votes_seen": texts.says(VOTING, *_SEEN, unless=True),
    }


def quorum_terms(texts: Texts) -> QuorumTerms:
    """The terms of the edition with a quorum. Raises ChartBroken."""
    quorum = texts.needed(PROPOSALS, "QUORUM")
    part = quorum.whole("More than", "PLAYERS", 1, _MOST_VOTES)
    whole = quorum.whole("More than", "OUT OF", 1, _MOST_VOTES)
    if part >= whole:
        raise Unplayable(
            PROPOSALS, f"{quorum} asks for more than {part} out of {whole} players; nobody is left."
        )
    return QuorumTerms(
        timed_hours=texts.needed(PROPOSALS, "WITHOUT A QUORUM").whole(
            "Decided after", "HOURS", 0, _MOST_HOURS
        ),
        least_votes=texts.number(
            PROPOSALS, "THEN IT NEEDS", "At least", "VALID VOTES", _MOST_VOTES
        ),
        quorum_part=part,
        quorum_whole=whole,
    )

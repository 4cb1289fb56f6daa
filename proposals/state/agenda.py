"""When proposals come to the vote, when the vote ends, and by which terms, as pages tell it."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from nomic.games.clock import Clock
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.tables import TableBroken
from proposals.models import Proposal, Status
from proposals.rules.terms import (
    AdoptionTerms,
    ConsentTerms,
    EachTerms,
    MajorityTerms,
    NweekTerms,
    QuorumTerms,
    Rule5E33Terms,
)
from proposals.rules.words import names_in_words, votes_in_words
from proposals.state.offices import CLOCK, COUNTING, DISTRIBUTION, DUTIES, NUMBERS
from proposals.state.reading import State

Fact = tuple[str, str]
_DUTIES = {
    NUMBERS: DUTIES[NUMBERS],
    DISTRIBUTION: DUTIES[DISTRIBUTION],
    CLOCK: "turns the Clock on again",
    COUNTING: "announces the results of votes",
}


@dataclass(frozen=True, slots=True)
class Ahead:
    """The next event for a proposal: at the game moment `due`, None where no moment is set.

    `wall` is the wall moment of it; None where time stands still.
    """

    event: str
    due: datetime | None = None
    wall: datetime | None = None


@dataclass(frozen=True, slots=True)
class Calendar:
    """B Nomic's calendar now. `opens` and `closes` are game moments, None while the Clock is off;
    `opens` is None as well when Voting has begun."""

    nweek: int
    nday: int
    ndays: int
    voting_from: int
    voting: bool
    is_on: bool
    ndelay: int
    opens: datetime | None
    closes: datetime | None


def calendar(state: State) -> Calendar | None:
    """The calendar; None in an edition that has no nweeks, or whose tables cannot be read."""
    if state.edition.period != "nweek":
        return None
    row, now = state.clock, state.table.now
    with suppress(TableBroken):
        terms = state.terms
        if row is None:
            return None
        nday = timedelta(hours=terms.nday_hours)
        begins = row.moment_after((terms.voting_from_nday - 1) * nday)
        return Calendar(
            nweek=row.nweek,
            nday=row.nday(now, nday, terms.nweek_ndays),
            ndays=terms.nweek_ndays,
            voting_from=terms.voting_from_nday,
            voting=row.voting,
            is_on=row.is_on,
            ndelay=row.ndelay(now, nday),
            opens=None if row.voting else begins,
            closes=row.moment_after(terms.nweek_ndays * nday),
        )
    return None


def next_event(state: State, proposal: Proposal, period: Calendar | None) -> Ahead | None:
    """The next event for that proposal; None for a Historical one."""
    if proposal.status == Status.HISTORICAL:
        return None
    event, due = _next(state, proposal, period)
    if due is None or proposal.awaits_since:
        return Ahead(event, due)
    return ahead_at(state.game.clock, event, due)


def ahead_at(clock: Clock, event: str, due: datetime) -> Ahead:
    """The event at that game moment, with its wall moment by the game's clock."""
    return Ahead(event, due, clock.wall(due) if clock.rate else None)


def _next(state: State, proposal: Proposal, period: Calendar | None) -> tuple[str, datetime | None]:
    if proposal.awaits_since:
        return (
            f"Waits for the {state.officer(COUNTING)}’s announcement since",
            proposal.awaits_since,
        )
    if state.edition.period == "nweek":
        if period is None:
            return "Waits until the rule’s tables can be read", None
        if not period.is_on:
            return "Waits until the Clock is turned on", None
        if proposal.status == Status.OPEN:
            return "Voting closes", period.closes
        if period.voting:
            return f"Comes to the vote in nweek {period.nweek + 1}", None
        return "Voting opens", period.opens
    if proposal.status == Status.PENDING:
        if state.by_hand(DISTRIBUTION):
            return f"Comes to the vote when the {state.officer(DISTRIBUTION)} distributes it", None
        hours = unless_broken(lambda: getattr(state.terms, "distribution_hours", 0), None)
        if hours is None:
            return "Waits until the rule’s tables can be read", None
        return "Comes to the vote", proposal.submitted_at + timedelta(hours=hours)
    if state.edition.period == "each":
        return "Voting closes", proposal.closes_at
    if proposal.closes_at is not None and proposal.closes_at > state.table.now:
        return "Decided at the latest", proposal.closes_at
    return "Decided when its turn comes", None


def duties_by_hand(state: State) -> list[str]:
    """A sentence for each duty that the officer keeps, which the system does otherwise."""
    return [
        f"The {state.officer(duty)} {does} by hand."
        for duty, does in _DUTIES.items()
        if state.by_hand(duty)
    ]


def when_pending_open(state: State) -> str:
    """A sentence, with a space before it, that says when Pending proposals open together."""
    if state.edition.period != "nweek":
        return ""
    return " Those that are Pending open when the voting period of the nweek begins."


def why_not_open(state: State, proposal: Proposal) -> str:
    """Why that proposal is not voted on."""
    if proposal.awaits_since:
        sentence = f"The vote on {proposal.label} is over"
        return f"{sentence}; it waits for the {state.officer(COUNTING)}'s announcement."
    if proposal.status == Status.HISTORICAL:
        return f"The vote on {proposal.label} is over."
    return f"{proposal.label} is Pending: it cannot be voted on yet.{when_pending_open(state)}"


# By which terms


def voting_terms(state: State) -> list[Fact]:
    """Each thing with what it is now, and the rules that are played as of an earlier version; what
    is broken, where the tables cannot be read."""
    return [("Not as it reads", str(unread)) for unread in state.unread] + _terms(state)


def _terms(state: State) -> list[Fact]:
    try:
        terms = state.terms
    except TableBroken as broken:
        return [("Off" if broken.is_missing else "Cannot be read", str(broken))]
    if isinstance(terms, AdoptionTerms):
        return _adoption(state, terms)
    if isinstance(terms, QuorumTerms):
        players = state.electorate.headcount or 0
        quorum = state.electorate.quorum or terms.quorum(players)
        valid_votes = f"with at least {votes_in_words(terms.least_votes)}"
        return [
            ("Quorum", f"{votes_in_words(quorum)} FOR, of {players} players"),
            *([("Emperor", state.electorate.emperor or "nobody")] if state.has_throne else []),
            ("Without a quorum", f"decided after {terms.timed_hours} hours, {valid_votes}"),
        ]
    if isinstance(terms, EachTerms):
        facts = [("Voting", f"{terms.voting_days} days for each proposal")]
        if isinstance(terms, ConsentTerms):
            facts.append(("Objections", f"fewer than {terms.objections}"))
            facts.append(("Supporters", f"at least {terms.supporters}"))
        elif isinstance(terms, MajorityTerms):
            share = f"more than {terms.majority_part} of {terms.majority_whole}"
            facts.append(("Majority", share))
            facts.append(("Quorum", f"{state.electorate.quorum or terms.quorum} ballots"))
        return facts
    assert isinstance(terms, NweekTerms)
    ndays = f"from nday {terms.voting_from_nday} to the end of nday {terms.nweek_ndays}"
    facts = [("Voting", ndays)]
    if isinstance(terms, Rule5E33Terms) and terms.stamina_votes:
        vested = state.electorate.vested
        names = sorted(vested) if isinstance(vested, frozenset) else ()
        facts.append(("Vested", f"{len(names)}: {names_in_words(names)}" if names else "nobody"))
        facts.append(("Least Stamina", f"{terms.stamina_share} of the Vested players"))
    return facts


def _adoption(state: State, terms: AdoptionTerms) -> list[Fact]:
    exceptions = [
        f"{name} {strength}" for name, strength in sorted(state.electorate.strengths.items())
    ]
    but = f", but {names_in_words(exceptions)}" if exceptions else ""
    classes = [f"{index} for {name}" for name, index in terms.classes.items()]
    return [
        ("Voting", f"{terms.voting_days} days for each proposal"),
        ("Voting strength", f"{terms.default_strength} each{but}"),
        ("Quorum", f"{state.electorate.quorum or terms.quorum} ballots"),
        ("Least index", names_in_words(classes)),
    ]

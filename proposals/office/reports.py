"""The weekly report of the officer who keeps the proposals."""

from collections.abc import Iterable

from nomic.engine.table import Table
from nomic.games.bounds import LISTED
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.governance.reports import (
    Column,
    Facts,
    Report,
    Row,
    Section,
    publications,
    report,
    to_the_minute,
)
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.rulebook.charts import cut, unless_broken
from proposals.api import running_results
from proposals.models import Proposal, Status
from proposals.state.agenda import calendar, next_event, voting_terms
from proposals.state.offices import CHAIRMAN, officer_of
from proposals.state.reading import MAIN, State, state_of
from proposals.state.workload import first_undone, waiting_by_hand

NAME = "proposals"
_MOST_DECIDED = 300
_LONG = ("body", "effects")
_DECIDED = CompiledQuery(
    lambda: Proposal.objects.order_by("-closed_in", "-number"), "author", without=_LONG
)
_UNDECIDED = CompiledQuery(
    lambda: Proposal.objects.exclude(status=Status.HISTORICAL).order_by("status", "serial"),
    "author",
    without=_LONG,
)


@report
class ChairmanReport(Report):
    """Proposals that wait and were decided, who may vote how, and the work left (Proposals)."""

    name = NAME
    title = "The weekly report on proposals"
    subgame = "proposals"
    office = CHAIRMAN
    rule = MAIN

    def office_in(self, game: Game) -> str:
        return officer_of(game)

    def facts(self, table: Table) -> Facts:
        state = state_of(table)
        since = publications(table.game, NAME).values_list("seq", flat=True).first() or 0
        newest = _DECIDED.some(_MOST_DECIDED, game=table.game, closed_in__gt=since)[::-1]
        is_long = len(newest) == _MOST_DECIDED
        decided = state.proposals().filter(closed_in__gt=since)
        return {
            "officer": state.edition.officer,
            "edition": state.edition.title,
            "calendar": _calendar(state),
            "terms": [[term, meaning] for term, meaning in voting_terms(state)],
            "since": since,
            **_waiting(state),
            "decided": [
                {
                    "proposal": proposal.handle,
                    "title": proposal.title,
                    "author": proposal.author.name,
                    "outcome": proposal.outcome,
                    "for": proposal.figures.get("for"),
                    "against": proposal.figures.get("against"),
                    "entry": proposal.closed_in,
                    "why": next(iter(proposal.reasons), ""),
                }
                for proposal in newest
            ],
            "decided_more": decided.count() - len(newest) if is_long else 0,
            "players": _players(state),
            **_errands(table.game),
        }

    def heading(self, facts: Facts) -> str:
        return f"{facts['officer']}’s weekly report"

    def about(self, facts: Facts) -> list[str]:
        calendar_line = [facts["calendar"]] if facts["calendar"] else []
        return [*super().about(facts), facts["edition"], *calendar_line]

    def parts(self, facts: Facts) -> Iterable[Section]:
        open_ones = [row for row in facts["waiting"] if row["status"] == Status.OPEN]
        pending = [row for row in facts["waiting"] if row["status"] == Status.PENDING]
        since = f"entry {facts['since']}" if facts["since"] else "the game began"
        yield Section(
            "What counts now", ("What", "Now"), facts["terms"], "The rules have no table for it."
        )
        counts = {"FOR": _count("for"), "AGAINST": _count("against")}
        comes = {"Due (UTC)": to_the_minute("due"), "Next": "next"}
        yield Section.of("Open", {**_WHICH, **counts, **comes}, open_ones, "No proposal is Open.")
        omitted = facts.get("waiting_more", 0)
        title = f"Pending, without {omitted} more that wait" if omitted else "Pending"
        yield Section.of(title, {**_WHICH, **comes}, pending, "No proposal is Pending.")
        shown, older = len(facts["decided"]), facts["decided_more"]
        newest = f", the newest {shown} of {shown + older}" if older else ""
        yield Section.of(
            f"Decided since {since}{newest}",
            {**_WHICH, "FOR": "for", "AGAINST": "against", "Outcome": "outcome", "Entry": "entry"},
            facts["decided"],
            "Nothing was decided.",
        )
        yield from _voters(facts["players"])
        listed, omitted = len(facts["errands"]), facts.get("errands_more", 0)
        yield Section.of(
            "Sentences to be carried out by hand"
            f"{f', the first {listed} of {listed + omitted}' if omitted else ''}",
            {
                "Proposal": _number,
                "Change": "place",
                "Passed in": "entry",
                "Sentence": lambda row: cut(row["sentence"], 120),
            },
            facts["errands"],
            "There are none.",
        )


# The facts


def _calendar(state: State) -> str:
    """Where the nweek stands, as a sentence; empty in an edition without one."""
    period = calendar(state)
    if period is None:
        return ""
    clock = "the Clock is on" if period.is_on else f"the Clock is off, ndelay {period.ndelay}"
    voting = (
        "Voting has begun" if period.voting else f"Voting begins with nday {period.voting_from}"
    )
    return f"Nweek {period.nweek}, nday {period.nday} of {period.ndays}; {clock}. {voting}."


def _waiting(state: State) -> Facts:
    """The Open and Pending proposals, with how the vote stands as far as it may be seen, and how
    many more there are than are listed, of which none is Open where one is Pending here."""
    limit = LISTED.of(state.table.game)
    # The Open ones first where not all can be listed, then as they were submitted.
    first = _UNDECIDED.some(limit, game=state.game)
    proposals = sorted(first, key=lambda proposal: proposal.serial)
    period = calendar(state)
    running = running_results(
        state, [proposal for proposal in proposals if proposal.status == Status.OPEN]
    )
    listed = []
    for proposal in proposals:
        ahead, as_of_now = next_event(state, proposal, period), running.get(proposal.pk)
        listed.append(
            {
                "proposal": proposal.handle,
                "title": proposal.title,
                "author": proposal.author.name,
                "status": proposal.status,
                "next": ahead.event if ahead else "",
                "due": iso(ahead.due) if ahead and ahead.due else "",
                "for": as_of_now.votes_for if as_of_now else None,
                "against": as_of_now.votes_against if as_of_now else None,
            }
        )
    undecided = state.proposals().exclude(status=Status.HISTORICAL)
    omitted = undecided.count() - limit if len(listed) == limit else 0
    return {"waiting": listed, **({"waiting_more": omitted} if omitted else {})}


def _players(state: State) -> list[Row]:
    """Each active player with what the edition knows of them as a voter."""
    voters = state.electorate
    assert isinstance(voters.players, frozenset)
    assert isinstance(voters.vested, frozenset)
    everybodys = unless_broken(lambda: getattr(state.terms, "default_strength", None), None)
    return [
        {
            "player": name,
            "vested": name in voters.vested if state.edition.name == "rule-5e33" else None,
            "strength": voters.strengths.get(name, everybodys),
            "emperor": name == voters.emperor,
        }
        for name in sorted(voters.players)
    ]


def _errands(game: Game) -> Facts:
    """The sentences of proposals that passed which nobody has carried out yet, oldest first, and
    how many more there are than are listed."""
    errands = first_undone(game, LISTED.of(game))
    listed = [
        {
            "proposal": errand.proposal.handle,
            "place": errand.place,
            "sentence": errand.sentence,
            "entry": errand.made_in,
        }
        for errand in errands
    ]
    omitted = waiting_by_hand(game) - len(listed) if len(listed) == LISTED.of(game) else 0
    return {"errands": listed, **({"errands_more": omitted} if omitted else {})}


# The tables


def _voters(players: list[Row]) -> Iterable[Section]:
    """The edition's table of voters: who is Vested, or with which strength they vote."""
    if any(row["vested"] is not None for row in players):
        rows = [(row["player"], "yes" if row["vested"] else "no") for row in players]
        yield Section("Vested players", ("Player", "Vested"), rows, "There are no players.")
    if any(row["strength"] is not None for row in players):
        strengths = [(row["player"], row["strength"]) for row in players]
        columns = ("Player", "Strength")
        yield Section("Voting strengths", columns, strengths, "There are no players.")


def _count(side: str) -> Column:
    return lambda row: "?" if row[side] is None else row[side]


def _number(row: Row) -> str:
    return str(row["proposal"])


_WHICH: dict[str, Column] = {
    "No.": _number,
    "Title": lambda row: cut(row["title"] or "(untitled)", 40),
    "Author": "author",
}

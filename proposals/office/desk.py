"""The desk of the officer who keeps the proposals: duties, turnout, and the books."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, ClassVar

from nomic.engine.table import Table
from nomic.games.calendars import next_week
from nomic.games.models import Game
from nomic.governance.desks import Desk, Duty, Picture, desk
from nomic.rulebook.charts import cut
from proposals.actions.counting import ANNOUNCE
from proposals.actions.manual_changes import CARRY_OUT, cited_by
from proposals.events.closing import REMINDED
from proposals.events.opening import distribution_terms
from proposals.models import Proposal, Status
from proposals.state.agenda import calendar, next_event
from proposals.state.offices import (
    CHAIRMAN,
    CLOCK,
    COUNTING,
    DISTRIBUTION,
    DUTIES,
    NUMBERS,
    RULEBOOK,
    officer_of,
)
from proposals.state.reading import MAIN, State, state_of
from proposals.state.retally import prepared_result
from proposals.state.workload import MOST, undone, unnumbered

_SHOWN = 12
_QUOTED = 160


@desk
class ChairmansDesk(Desk):
    """The desk of the office that keeps the proposals, by whatever name (Proposals)."""

    subgame = "proposals"
    office = CHAIRMAN

    def office_in(self, game: Game) -> str:
        return officer_of(game)

    def duties(self, table: Table) -> Iterable[Duty]:
        officer, all_duties = officer_of(table.game), table.once(_all_duties)
        return (duty for kind, duty in all_duties if officer_of(table.game, kind) == officer)

    def pictures(self, table: Table) -> Iterable[Picture]:
        state = state_of(table)
        counted = state.proposals().filter(strength__isnull=False).defer("body", "effects")
        last = list(counted.order_by("-closed_in", "-number")[:_SHOWN])[::-1]
        # How many voted on each of the last decided proposals, against the players of that time.
        heads = [
            (
                _named(proposal),
                proposal.figures.get("ballots", 0),
                proposal.figures.get("players") or 0,
            )
            for proposal in last
        ]
        bars = [
            {
                "name": name,
                "amount": f"{count} of {players}",
                "width": 100 * count // max(players, count, 1),
                "whole": True,
            }
            for name, count, players in heads
        ]
        title = "Turnout of the last votes: voters, of the active players of that time"
        yield _spans(title, bars, ("Proposal", "Voters", "Active players"), heads)
        yield _strengths(last)


# Duties


class _DeskOfADuty(Desk):
    """The desk of another office to which a game has given one duty of that one."""

    subgame = "proposals"
    office = CHAIRMAN
    duty: ClassVar[str]

    def office_in(self, game: Game) -> str:
        officer = officer_of(game, self.duty)
        return "" if officer == officer_of(game) else officer

    def duties(self, table: Table) -> Iterable[Duty]:
        if not self.office_in(table.game):
            return ()
        return (duty for kind, duty in table.once(_all_duties) if kind == self.duty)


for _duty_given in DUTIES:
    desk(type("DeskOfADuty", (_DeskOfADuty,), {"duty": _duty_given}))


def duties_of(state: State) -> Iterator[tuple[str, Duty]]:
    """All of them, each with the part of the office's work (`DUTIES`) that it belongs to; of those
    of one kind the first twenty, and how many more there are."""
    period = calendar(state)
    if period is not None and not period.is_on:
        title = f"The Clock is off (ndelay {period.ndelay}): nweek {period.nweek} waits for it"
        turn = Duty(title, rule=MAIN, action="proposals.turn_clock", inputs={"to": "on"})
        yield CLOCK, turn
    yield from _votes(state)
    # Sentences to be carried out, by the report after they were left to the officer.
    errands = state.errands if state.counts["passed"] else []
    cited = cited_by(errands[:MOST])
    made_in = {errand.made_in for errand in errands[:MOST]}
    entries = state.game.entries.filter(seq__in=made_in).values_list("seq", "at")
    moments = dict(entries) if made_in else {}
    for errand in errands[:MOST]:
        proposal, begun = errand.proposal, {"place": errand.place}
        title = f"Carry out “{cut(errand.sentence, _QUOTED)}” of {proposal} (change {errand.place})"
        if entry := cited.get(errand.pk):
            title = f"{title}: entry {entry} cites it, so state that it is done"
            begun["entry"] = entry
        due = next_week(moments[errand.made_in])
        yield RULEBOOK, _duty(title, due, CARRY_OUT, proposal, **begun)
    if len(errands) > MOST:
        count = undone(state.game).count()
        yield from _and_more(RULEBOOK, count, "sentences to be carried out by hand")


def _all_duties(table: Table) -> list[tuple[str, Duty]]:
    """The same, which the desks of several offices may ask for."""
    return list(duties_of(state_of(table)))


def _votes(state: State) -> Iterator[tuple[str, Duty]]:
    """Numbers to be given, proposals to be distributed, and results to be announced."""
    count = state.counts["unnumbered"] if state.by_hand(NUMBERS) else 0
    period = calendar(state) if count else None
    for proposal in unnumbered(state.game)[:MOST] if count else ():
        # Before its vote; where that has begun it was due then.
        comes = None if proposal.opened_at else next_event(state, proposal, period)
        due = comes.due if comes else proposal.opened_at
        title = f"{proposal} by {proposal.author} has no number yet"
        yield NUMBERS, _duty(title, due, "proposals.assign_number", proposal)
    yield from _and_more(NUMBERS, count, "proposals without a number")
    if state.edition.period != "nweek" and state.by_hand(DISTRIBUTION):
        count = state.counts["pending"]
        rows = state.proposals().filter(status=Status.PENDING).order_by("serial")
        pending = list(rows[:MOST]) if count else []
        terms = distribution_terms(state.game, pending)
        for proposal in pending:
            title = f"{proposal} by {proposal.author} waits to be distributed"
            due = terms.get(proposal.serial)
            yield DISTRIBUTION, _duty(title, due, "proposals.distribute", proposal)
        yield from _and_more(DISTRIBUTION, count, "proposals to be distributed")
    count = state.counts["awaiting"]
    for proposal in state.awaiting[:MOST] if count else ():
        assert proposal.awaits_since is not None
        outcome = prepared_result(proposal).outcome
        title = f"Announce the result of {proposal}: the system has counted {outcome}"
        due = proposal.awaits_since + REMINDED
        yield COUNTING, _duty(title, due, ANNOUNCE, proposal, outcome=outcome)
    yield from _and_more(COUNTING, count, "results to be announced")


def _duty(
    title: str, due: datetime | None, action: str, proposal: Proposal, **inputs: object
) -> Duty:
    return Duty(title, due, MAIN, action, {"proposal": proposal.handle, **inputs})


def _and_more(kind: str, count: int, work: str) -> Iterable[tuple[str, Duty]]:
    return [(kind, Duty(f"And {count - MOST} more {work}"))] if count > MOST else []


# Pictures


def _strengths(last: list[Proposal]) -> Picture:
    """FOR less AGAINST by heads, to the right of the middle where it is positive."""
    strengths = {_named(proposal): proposal.strength or 0 for proposal in last}
    spread = max([1, *map(abs, strengths.values())])
    bars = [
        {
            "name": name,
            "amount": f"{strength:+d}".replace("-", "−") if strength else "0",
            "x": 50 + min(0, 50 * strength // spread),
            "width": abs(50 * strength) // spread,
            "below": strength < 0,
        }
        for name, strength in strengths.items()
    ]
    figures = [
        (proposal.figures.get("for", 0), proposal.figures.get("against", 0)) for proposal in last
    ]
    rows = [
        (_named(proposal), *sides, proposal.strength, proposal.outcome)
        for proposal, sides in zip(last, figures, strict=True)
    ]
    title = "Strengths of the last votes: FOR less AGAINST, by heads"
    return _spans(title, bars, ("Proposal", "FOR", "AGAINST", "Strength", "Outcome"), rows)


def _spans(title: str, bars: list[Any], headings: tuple[str, ...], rows: list[Any]) -> Picture:
    facts = {"bars": bars, "empty": "No vote has been counted yet. The last ones stand here."}
    return Picture(title, "offices/_spans.html", facts, headings, rows)


def _named(proposal: Proposal) -> str:
    return f"{proposal.handle} {proposal.title}".strip()

"""What the officer who keeps the proposals owes, each duty with its moment where it has one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from nomic.games.calendars import next_week
from nomic.play.desks import Duty
from proposals.agenda import ahead, calendar
from proposals.chair import unnumbered
from proposals.errands import CARRY_OUT, cited_by, undone
from proposals.models import Errand, Proposal, Status
from proposals.opening import last_number
from proposals.rules import TermsBroken
from proposals.state import MAIN, State

_MOST = 20
_QUOTED = 160


def duties(state: State) -> Iterator[Duty]:
    """All of them; of those of one kind the first twenty, and how many more there are."""
    yield from _clock(state)
    yield from _numbers(state)
    yield from _distribution(state)
    yield from _by_hand(state)


def _clock(state: State) -> Iterator[Duty]:
    period = calendar(state)
    if period is not None and not period.is_on:
        title = f"The Clock is off (ndelay {period.ndelay}): nweek {period.nweek} waits for it"
        yield Duty(title, rule=MAIN, action="proposals.turn_clock", inputs={"to": "on"})


def _numbers(state: State) -> Iterator[Duty]:
    if not state.by_hand("numbers"):
        return
    period = calendar(state)
    waiting = unnumbered(state)
    number = last_number(state.table) + 1 if waiting else 0
    for proposal in waiting[:_MOST]:
        comes = ahead(state, proposal, period)
        yield Duty(
            f"{proposal} by {proposal.author} has no number yet",
            comes.due if comes else None,
            rule=MAIN,
            action="proposals.assign_number",
            inputs={"proposal": proposal.handle, "number": number},
        )
    yield from _and_more(len(waiting), "proposals without a number")


def _distribution(state: State) -> Iterator[Duty]:
    if state.edition.period == "nweek" or not state.by_hand("distribution"):
        return
    pending = state.those(Status.PENDING)
    for proposal in pending[:_MOST]:
        yield Duty(
            f"{proposal} by {proposal.author} waits to be distributed",
            _distributed_by(state, proposal),
            rule=MAIN,
            action="proposals.distribute",
            inputs={"proposal": proposal.handle},
        )
    yield from _and_more(len(pending), "proposals to be distributed")


def _distributed_by(state: State, proposal: Proposal) -> datetime | None:
    """When the rule's table has it distributed."""
    try:
        hours = getattr(state.terms, "distribution_hours", 0)
    except TermsBroken:
        return None
    return proposal.submitted_at + timedelta(hours=hours)


def _by_hand(state: State) -> Iterator[Duty]:
    """Sentences to be carried out, by the report after the proposal passed, which lists them."""
    waiting = undone(state.game).select_related("proposal__game")
    found = list(islice(waiting, _MOST + 1))
    cited = cited_by(found[:_MOST])
    for errand in found[:_MOST]:
        yield _errand(errand, cited.get(errand.pk))
    if len(found) > _MOST:
        yield from _and_more(waiting.count(), "sentences to be carried out by hand")


def _errand(errand: Errand, cited: int | None) -> Duty:
    proposal = errand.proposal
    quoted = errand.sentence
    quoted = quoted if len(quoted) <= _QUOTED else f"{quoted[: _QUOTED - 1]}…"
    title = f"Carry out “{quoted}” of {proposal} (change {errand.place})"
    inputs = {"proposal": proposal.handle, "place": errand.place}
    if cited:
        title = f"{title}: entry {cited} cites it, so state that it is done"
        inputs["entry"] = cited
    due = next_week(proposal.closed_at) if proposal.closed_at else None
    return Duty(title, due, rule=MAIN, action=CARRY_OUT, inputs=inputs)


def _and_more(count: int, what: str) -> Iterable[Duty]:
    return [Duty(f"And {count - _MOST} more {what}")] if count > _MOST else []

"""What the officer who keeps the proposals owes, each duty with its moment where it has one."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from nomic.games.calendars import next_week
from nomic.rulebook.charts import cut, unless_broken
from nomic.standard.desks import Duty
from proposals.actions.counting import ANNOUNCE
from proposals.actions.manual_changes import CARRY_OUT, cited_by
from proposals.events.counting import REMINDED
from proposals.models import Errand, Proposal, Status
from proposals.state.agenda import ahead, calendar
from proposals.state.reading import MAIN, State
from proposals.state.retally import prepared_result
from proposals.state.workload import MOST, undone, unnumbered

_QUOTED = 160
_TO_DISTRIBUTE = timedelta(days=1)  # a hand is slower than the system


def duties(state: State) -> Iterator[Duty]:
    """All of them; of those of one kind the first twenty, and how many more there are."""
    yield from _clock(state)
    yield from _numbers(state)
    yield from _distribution(state)
    yield from _results(state)
    yield from _by_hand(state)


def _clock(state: State) -> Iterator[Duty]:
    period = calendar(state)
    if period is not None and not period.is_on:
        title = f"The Clock is off (ndelay {period.ndelay}): nweek {period.nweek} waits for it"
        yield Duty(title, rule=MAIN, action="proposals.turn_clock", inputs={"to": "on"})


def _numbers(state: State) -> Iterator[Duty]:
    count = state.workload.counts.unnumbered if state.by_hand("numbers") else 0
    period = calendar(state) if count else None
    for proposal in unnumbered(state.game)[:MOST] if count else ():
        comes = ahead(state, proposal, period)
        title = f"{proposal} by {proposal.author} has no number yet"
        yield _duty(title, comes.due if comes else None, "proposals.assign_number", proposal)
    yield from _and_more(count, "proposals without a number")


def _distribution(state: State) -> Iterator[Duty]:
    if state.edition.period == "nweek" or not state.by_hand("distribution"):
        return
    count = state.workload.counts.pending
    pending = state.proposals().filter(status=Status.PENDING).order_by("serial")
    for proposal in pending[:MOST] if count else ():
        title = f"{proposal} by {proposal.author} waits to be distributed"
        yield _duty(title, _distributed_by(state, proposal), "proposals.distribute", proposal)
    yield from _and_more(count, "proposals to be distributed")


def _results(state: State) -> Iterator[Duty]:
    for proposal in state.awaiting[:MOST]:
        assert proposal.awaits_since is not None
        outcome = prepared_result(proposal).outcome
        title = f"Announce the result of {proposal}: the system has counted {outcome}"
        due = proposal.awaits_since + REMINDED
        yield _duty(title, due, ANNOUNCE, proposal, outcome=outcome)
    yield from _and_more(len(state.awaiting), "results to be announced")


def _duty(
    title: str, due: datetime | None, action: str, proposal: Proposal, **more: object
) -> Duty:
    return Duty(title, due, MAIN, action, {"proposal": proposal.handle, **more})


def _distributed_by(state: State, proposal: Proposal) -> datetime | None:
    """When the rule's table has it distributed, and a day later at the earliest."""
    hours = unless_broken(lambda: getattr(state.terms, "distribution_hours", 0), None)
    if hours is None:
        return None
    return proposal.submitted_at + max(timedelta(hours=hours), _TO_DISTRIBUTE)


def _by_hand(state: State) -> Iterator[Duty]:
    """Sentences to be carried out, by the report after the proposal passed, which lists them."""
    found = state.workload.errands
    cited = cited_by(found[:MOST])
    for errand in found[:MOST]:
        yield _errand(errand, cited.get(errand.pk))
    if len(found) > MOST:
        yield from _and_more(undone(state.game).count(), "sentences to be carried out by hand")


def _errand(errand: Errand, cited: int | None) -> Duty:
    proposal = errand.proposal
    title = f"Carry out “{cut(errand.sentence, _QUOTED)}” of {proposal} (change {errand.place})"
    begun = {"place": errand.place}
    if cited:
        title = f"{title}: entry {cited} cites it, so state that it is done"
        begun["entry"] = cited
    due = next_week(proposal.closed_at) if proposal.closed_at else None
    return _duty(title, due, CARRY_OUT, proposal, **begun)


def _and_more(count: int, what: str) -> Iterable[Duty]:
    return [Duty(f"And {count - MOST} more {what}")] if count > MOST else []

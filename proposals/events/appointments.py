"""Events of the proposals: voting opens and closes, terms run out."""

from collections.abc import Iterable

from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.calendars import WEEK
from nomic.games.wording import counted
from nomic.governance.breaches import breach, tells_of_breaches, week_of
from proposals.events import clock, opening
from proposals.events.adopting import (
    SENTENCES_WAIT,
    TAKES_EFFECT,
    left_this_week,
    take_effect_next,
)
from proposals.events.closing import (
    ANNOUNCED,
    QUEUE,
    REMINDED,
    REMINDER,
    announce,
    close,
    move_the_queue,
)
from proposals.models import Proposal, Status
from proposals.state.offices import COUNTING, DISTRIBUTION, NUMBERS, RULEBOOK, officer_of
from proposals.state.reading import MAIN, drop_state, state_of

_MOST_LISTED = 50


@appointment(tells_of_breaches(clock.OPENS), title="Voting opens", rule=MAIN)
def voting_opens(table: Table, subject: str) -> Outcome:
    """The beginning of an nweek's Voting Period: every Pending proposal becomes Open."""
    opened = opening.open_all_pending(table)
    clock.voting_has_begun(table)
    state = state_of(table)
    assert state.clock is not None
    number, off = state.clock.nweek, state.terms.clock_off_at_voting and state.by_hand(clock.CLOCK)
    if off:
        clock.turn_the_clock(table, on=False)
    drop_state(table)
    listed = ", ".join(str(proposal.handle) for proposal in opened[:_MOST_LISTED])
    announcement = f"Voting of nweek {number} begins: {len(opened)} proposals are Open ({listed})."
    if len(opened) == 1:
        announcement = f"Voting of nweek {number} begins: {opened[0].label} is Open."
    if not opened:
        announcement = f"Voting of nweek {number} begins, and no proposal is Pending."
    if off:
        announcement += " The Clock is off until it is turned on by hand."
    handles = [proposal.handle for proposal in opened]
    breached = _unnumbered(table, opened, f"the time before the voting of nweek {number}")
    announcement = f"{announcement} {breached.text}".rstrip()
    return Outcome(announcement, {"nweek": number, "proposals": handles, **breached.figures})


@appointment(opening.CLOSES, title="Voting closes", rule=MAIN)
def voting_closes(table: Table, subject: str) -> Outcome:
    """The end of an nweek with its Voting Period, or of the vote on one proposal (`subject`)."""
    if subject:
        proposal = _proposal(table, subject)
        if proposal.status != Status.OPEN or proposal.awaits_since:
            return Outcome(f"{proposal.label} was decided already.")
        return close(table, [proposal])
    state = state_of(table)
    assert state.clock is not None
    number, terms, by_hand = state.clock.nweek, state.terms, state.by_hand(clock.CLOCK)
    ended = close(table, state.open)
    off = by_hand and terms.clock_off_at_end
    following = clock.begin_the_next_nweek(table, terms, on=not off)
    announcement = f"Voting of nweek {number} closes. {ended.text or 'No proposal was Open.'}"
    begins = "begins when the Clock is turned on by hand" if off else "begins"
    announcement += f" Nweek {following} {begins}."
    return Outcome(announcement, {"nweek": number, **ended.figures})


@appointment(tells_of_breaches(opening.DISTRIBUTED), title="A proposal is distributed", rule=MAIN)
def a_proposal_is_distributed(table: Table, subject: str) -> Outcome:
    """A proposal's own vote begins, so long after it was submitted as the rule says."""
    proposal = _proposal(table, subject)
    if proposal.status != Status.PENDING:
        return Outcome(f"{proposal.label} is {proposal.status} already.")
    breached = _unnumbered(table, [proposal], f"the time before the vote on {proposal.label}")
    text = f"{opening.open_by_itself(table, proposal)} {breached.text}".rstrip()
    return Outcome(text, {"proposal": proposal.handle, **breached.figures})


@appointment(
    tells_of_breaches(opening.WAITS), title="The time to distribute a proposal is over", rule=MAIN
)
def a_proposal_waits_for_distribution(table: Table, subject: str) -> Outcome:
    """Tell that the officer has let the time go by in which they were to distribute it."""
    proposal, officer = _proposal(table, subject), officer_of(table.game, DISTRIBUTION)
    sentence = f"{proposal.label} waits to be distributed."
    breached = breach(table, officer, f"the time for {proposal.label}", "distributing it")
    return Outcome(breached.text or sentence, {"proposal": proposal.handle, **breached.figures})


@appointment(
    tells_of_breaches(SENTENCES_WAIT),
    title="The time to carry sentences out by hand is over",
    rule=MAIN,
    priority=10,  # before a vote that ends at that moment leaves new ones
)
def sentences_wait(table: Table, subject: str) -> Outcome:
    """The week is over in which sentences were left to the officer, and some of them wait still."""
    officer, count = officer_of(table.game, RULEBOOK), left_this_week(table).count()
    sentences = f"{counted(count, 'sentence')} of what was adopted"
    breached = breach(table, officer, week_of(table.now - WEEK), f"carrying out {sentences}")
    verb = "waits" if count == 1 else "wait"
    return Outcome(breached.text or f"{sentences} {verb} to be carried out.", breached.figures)


@appointment(opening.TIMED_OUT, title="A proposal's time to reach quorum is over", rule=MAIN)
def a_proposal_times_out(table: Table, subject: str) -> Outcome:
    """From now on a proposal in the queue is decided without a quorum when its turn comes."""
    proposal = _proposal(table, subject)
    if proposal.status == Status.OPEN:
        proposal.closes_at = table.now
        proposal.save(update_fields=["closes_at"])
    moved = move_the_queue(table)
    return Outcome(moved.text or f"{proposal.label} waits for its turn.", moved.figures)


@appointment(ANNOUNCED, title="Results are announced for the office", rule=MAIN, at_once=True)
def results_are_announced(table: Table, subject: str) -> Outcome:
    """Announce the results that the system has counted where no officer announces any more."""
    state = state_of(table)
    unannounced = [proposal for proposal in state.awaiting if not state.counts_by_hand(proposal)]
    if not unannounced:
        return Outcome("No result is left to be announced.")
    return announce(table, unannounced)


@appointment(
    TAKES_EFFECT, title="Adopted proposals take effect", rule=MAIN, priority=1, at_once=True
)
def adopted_proposals_take_effect(table: Table, subject: str) -> Outcome:
    """Go on with proposals that were adopted together and were too much for one event, before
    anything else at that moment."""
    return take_effect_next(table)


@appointment(QUEUE, title="The queue moves on", rule=MAIN, priority=1, at_once=True)
def the_queue_moves_on(table: Table, subject: str) -> Outcome:
    """Decide those of the queue that can be decided and were too much for one event."""
    moved = move_the_queue(table)
    return Outcome(moved.text or "Nothing in the queue can be decided now.", moved.figures)


@appointment(tells_of_breaches(REMINDER), title="A reminder of a result to be announced", rule=MAIN)
def a_result_is_waited_for(table: Table, subject: str) -> Outcome:
    """A day after a vote has ended, and each day after it, the officer is reminded."""
    proposal, officer = _proposal(table, subject), officer_of(table.game, COUNTING)
    if proposal.awaits_since is None:
        return Outcome(f"The result of {proposal.label} is announced.")
    table.appointments.make(REMINDER, table.now + REMINDED, subject)
    days = max((table.now - proposal.awaits_since).days, 1)
    ago = "a day" if days == 1 else f"{days} days"
    sentence = f"The vote on {proposal.label} ended {ago} ago"
    sentence = f"{sentence} and waits for the {officer}'s announcement of the result."
    if days > 1:
        return Outcome(sentence)
    omission = f"announcing the result of {proposal.label}"
    breached = breach(table, officer, "a day after the vote", omission)
    return Outcome(f"{sentence} {breached.text}".rstrip(), breached.figures)


def _unnumbered(table: Table, proposals: Iterable[Proposal], period: str) -> Outcome:
    """The breach where the officer numbers proposals, and has let that time go by."""
    without = [proposal for proposal in proposals if proposal.number is None]
    if not (without and state_of(table).by_hand(NUMBERS)):
        return Outcome("")
    omission = f"giving {counted(len(without), 'proposal')} a number"
    return breach(table, officer_of(table.game, NUMBERS), period, omission)


def _proposal(table: Table, serial: str) -> Proposal:
    return state_of(table).read_anew(int(serial))

"""How a proposal is decided: by majorities of the current contestants (Regulations 110–112)
who may vote in the game."""

from datetime import datetime

from aceofspades.events import book
from aceofspades.models import Contestant, Proposal
from aceofspades.rules import contest
from aceofspades.secrecy import reader
from aceofspades.state.book import grant_need_to_know
from aceofspades.state.reading import drop_book, drop_state, state_of
from nomic.engine.events import appointment
from nomic.engine.models import CountedIn
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table

DECISION = "aceofspades.decision"
PUT_UP, ANNOUNCE = "put_up_for_vote", "announce"


def put_up(table: Table, proposal: Proposal) -> Outcome:
    """Put the proposal, which may be a new one, up for vote, and tell it; it is looked at when its
    hours are over (108, 110). Raises TableBroken.
    """
    proposal.up_at, proposal.up_in = table.now, table.seq
    proposal.save()
    due = state_of(table).decided_from(proposal)
    if due is not None:
        _schedule_decision(table, proposal, due)
    drop_state(table)
    return Outcome(f"{proposal}, for {_named(proposal)}, is up for vote.", figures_of(proposal))


def decide_ripe_proposals(table: Table) -> None:
    """Let every proposal that a majority now decides be decided at once: after a vote, a joining
    or a leaving. What has no majority makes nothing happen, so that nobody learns of a vote.

    Raises TableBroken.
    """
    state = state_of(table)
    up = state.up_for_vote
    if not up or state.charts.decided_after is None:
        return
    # A pause does not shift the hours: that they are over is known by the appointment.
    # Nor is that looked at twice which another part of this moment has made ripe.
    waits = {subject.partition("/")[0] for subject in table.appointments.subjects(DECISION)}
    ripe = [proposal for proposal in up if str(proposal.number) not in waits]
    counts = reader.tallies(state, ripe)
    decided = [proposal for proposal in ripe if _verdict(table, proposal, counts[proposal.pk])]
    if decided:
        schedule_decisions(table, decided)


def schedule_decisions(table: Table, proposals: list[Proposal]) -> None:
    """Let these proposals be looked at as soon as this entry is made."""
    # The entry tells this look from the one when the hours were over, at the same moment.
    subjects = [f"{proposal.number}/{table.seq}" for proposal in proposals]
    table.appointments.make(DECISION, table.now, subjects)


def release_waiting_proposals(table: Table) -> None:
    """Let the proposals that waited for a Contestmaster go on: there is none now."""
    state = state_of(table)
    waiting = [
        proposal
        for proposal in state.proposals
        if (proposal.up_in is None and not state.by_hand(PUT_UP))
        or (proposal.waits_for_effect and not state.by_hand(ANNOUNCE))
    ]
    if waiting:
        schedule_decisions(table, waiting)


@appointment(
    DECISION, title="A proposal of the contest is looked at", rule="Regulation 110", at_once=True
)
def decide(table: Table, subject: str) -> Outcome:
    """Look at a proposal, named by its number, and do with it what is to be done now.

    Adopted, it takes effect at once unless the Contestmaster keeps the announcing (112).
    """
    state = state_of(table)
    number = int(subject.partition("/")[0])
    proposal = state.proposal(number)
    assert proposal is not None, f"There is no Proposal {number} to be looked at."
    if state.is_reckoned:
        return Outcome(f"The Moment of Reckoning has been, and decides nothing on {proposal}.")
    if not state.is_on:
        return Outcome(f"The contest is not played any more: nothing is decided on {proposal}.")
    if proposal.up_in is None and not state.by_hand(PUT_UP):
        return put_up(table, proposal)
    if proposal.waits_for_effect and not state.by_hand(ANNOUNCE):
        announcement = announce(table, proposal)
        return Outcome(
            f"{proposal} is adopted. {announcement}", figures_of(proposal, effective=True)
        )
    if not proposal.is_up:
        return Outcome(f"Nothing is to be decided on {proposal} now.")
    return _decide_by_votes(table, proposal)


def _decide_by_votes(table: Table, proposal: Proposal) -> Outcome:
    state = state_of(table)
    counts = reader.tallies(state, [proposal])[proposal.pk]
    verdict = "" if state.charts.decided_after is None else _verdict(table, proposal, counts)
    if not verdict:
        return Outcome(
            f"Neither FOR nor AGAINST has a majority of the contestants on {proposal} yet."
        )
    proposal.for_votes, proposal.against_votes = counts
    proposal.verdict, proposal.decided_in = verdict, table.seq
    proposal.save(update_fields=["for_votes", "against_votes", "verdict", "decided_in"])
    drop_book(table)
    counted = f"{counts[0]} FOR, {counts[1]} AGAINST"
    figures = {"for": counts[0], "against": counts[1], "verdict": verdict, "effective": False}
    if verdict == Proposal.Verdict.FAILED:
        return Outcome(f"{proposal} fails: {counted}.", figures_of(proposal, **figures))
    if state.by_hand(ANNOUNCE):
        text = f"{proposal} is adopted: {counted}. The Contestmaster announces it."
        return Outcome(text, figures_of(proposal, **figures))
    announcement = announce(table, proposal)
    figures["effective"] = True
    return Outcome(
        f"{proposal} is adopted: {counted}. {announcement}", figures_of(proposal, **figures)
    )


def announce(table: Table, proposal: Proposal) -> str:
    """Let an adopted proposal take effect, and tell it (112)."""
    number, state = proposal.regulation_number, state_of(table)
    hours, replaced = state.charts.decided_after, state.regulation(number)
    # A hidden one that has become immutable by its number gives way to a new one.
    if replaced and replaced.is_public and contest.needs_consent_of_all(number, state.charts):
        book.amend(table, replaced, proposal.text)
        announcement = f"{_named(proposal)} has a new text by the consent of all."
    else:
        regulation = book.take_effect(
            table, number, proposal.text, proposal.visibility, proposal=proposal
        )
        if proposal.visibility == "private" and proposal.by_id is not None:
            # Limited need to know for it, since no regulation makes it full (107, 240).
            proposer = Contestant.objects.get(player_id=proposal.by_id)
            grant_need_to_know(regulation.pk, proposer, table.seq, full=False)
        older = ", and the older one of that number is repealed" if replaced else ""
        hidden = "" if proposal.visibility == "public" else f" It is {proposal.visibility}."
        announcement = f"{_named(proposal)} takes effect{older}.{hidden}"
    proposal.effective_in = table.seq
    proposal.save(update_fields=["effective_in"])
    drop_book(table)
    state = state_of(table)
    # Appointments stand at the hours of the old regulations, and nothing else looks at them when
    # these change.
    for waiting in state.up_for_vote if state.charts.decided_after != hours else ():
        due = state.decided_from(waiting)
        table.appointments.cancel(DECISION, str(waiting.number))
        if due is not None and due > table.now:
            _schedule_decision(table, waiting, due)
        elif due is not None:
            schedule_decisions(table, [waiting])
    return announcement


def _verdict(table: Table, proposal: Proposal, counts: tuple[int, int]) -> str:
    """`adopted`, `failed`, or empty while neither has a majority."""
    state = state_of(table)
    needs_all = contest.needs_consent_of_all(proposal.regulation_number, state.charts)
    voters = state.voters if needs_all else state.counted_voters
    return contest.verdict(*counts, len(voters), needs_all=needs_all) or ""


def _schedule_decision(table: Table, proposal: Proposal, due: datetime) -> None:
    table.appointments.make(DECISION, due, str(proposal.number), counted_in=CountedIn.HOURS)


def _named(proposal: Proposal) -> str:
    return f"Regulation {proposal.regulation_number}"


def figures_of(proposal: Proposal, **more: object) -> dict[str, object]:
    """The figures of an entry about a proposal, as plain values: its number, and `more`."""
    return {"proposal": proposal.number, "regulation": proposal.regulation_number, **more}

"""How proposals get their numbers and come to the vote (Proposals), and when the next could at the
earliest be adopted."""

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max

from nomic.engine.models import AppointmentStatus, CountedIn
from nomic.engine.table import Table
from nomic.games.models import NUMBERS_FROM, Game
from nomic.infrastructure.database.compiled_queries import CompiledValues, write
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.tables import TableBroken
from proposals.models import Proposal, Status
from proposals.state.offices import DISTRIBUTION, NUMBERS
from proposals.state.reading import MAIN, State, state_of

# One statement for however many an nweek opens: `bulk_update` composes a CASE of all of them.
_NUMBER = """
UPDATE proposals_proposal p SET number = n.number
  FROM unnest(%s::bigint[], %s::integer[]) AS n (id, number)
 WHERE p.id = n.id
"""
# Without the model's order, by which the database would group the proposals as well.
_LAST_NUMBER = CompiledValues(
    lambda: (
        Proposal.objects.order_by()
        .values("game")
        .annotate(Max("number"))
        .values_list("number__max")
    )
)
DISTRIBUTED = "proposals.distributed"
WAITS = "proposals.distribution_waits"
CLOSES = "proposals.voting_closes"
TIMED_OUT = "proposals.timed_out"
_BY_HAND = timedelta(days=1)  # a hand is slower than the system


def last_number(table: Table) -> int:
    """The greatest Proposal Number ever used in the game; 0 where none was."""
    last = _LAST_NUMBER.first(game=table.game.pk)
    begin = int(table.game.setting(NUMBERS_FROM, 1))
    return max((last and last[0]) or 0, begin - 1)


def assign_numbers(table: Table, proposals: Iterable[Proposal]) -> None:
    """Give those without a number the next ones, in the order in which they were submitted."""
    without = [proposal for proposal in proposals if proposal.number is None]
    without.sort(key=lambda proposal: proposal.serial)
    if not without:
        return
    for number, proposal in enumerate(without, last_number(table) + 1):
        proposal.number = number
    write(
        _NUMBER, [[proposal.pk for proposal in without], [proposal.number for proposal in without]]
    )


def distribute(table: Table, proposal: Proposal) -> str:
    """Bring a submitted proposal to the vote as soon as its edition's rules let it.

    Returns what there is to say of it. Raises TableBroken.
    """
    wait = getattr(state_of(table).terms, "distribution_hours", 0)
    if not wait:
        return open_by_itself(table, proposal)
    appoint_next(table, proposal)
    return f"It is distributed in {wait} {'hour' if wait == 1 else 'hours'}."


def wait_for_distribution(state: State) -> timedelta:
    """How long after its submission a proposal comes to a vote of its own. Raises TableBroken."""
    hours = 0 if state.by_hand(DISTRIBUTION) else getattr(state.terms, "distribution_hours", 0)
    return timedelta(hours=hours)


def await_distribution(table: Table, proposals: Iterable[Proposal]) -> None:
    """Give the officer their time to distribute these, from now on: as long as the rules have it, a
    day at least. While no table says how long, none is given."""
    state = state_of(table)
    hours = unless_broken(lambda: getattr(state.terms, "distribution_hours", 0), None)
    serials = [str(proposal.serial) for proposal in proposals]
    if hours is not None and serials:
        time = max(timedelta(hours=hours), _BY_HAND)
        table.appointments.make(WAITS, table.now + time, serials)


def distribution_terms(game: Game, proposals: Collection[Proposal]) -> dict[int, datetime]:
    """The moments at which the officer's time to distribute these is over, or was, by their
    serials, without those that have no such time. One query, or none."""
    serials = [str(proposal.serial) for proposal in proposals]
    terms = game.appointments.filter(kind=WAITS, subject__in=serials)
    terms = terms.exclude(status=AppointmentStatus.CANCELLED).order_by("due")
    return {int(serial): due for serial, due in terms.values_list("subject", "due")}


def open_by_itself(table: Table, proposal: Proposal) -> str:
    """Open a proposal whose vote is its own, and appoint its end; returns what to say of it."""
    state = state_of(table)
    assign_numbers(table, [proposal])
    if state.by_hand(DISTRIBUTION):
        table.appointments.cancel(WAITS, str(proposal.serial))
    proposal.status = Status.OPEN
    proposal.opened_at, proposal.opened_in = table.now, table.seq
    proposal.secret, proposal.law = not state.terms.votes_seen, state.law_now()
    proposal.closes_at = table.now + vote_length(state)
    proposal.save()
    if proposal.secret:
        table.begin_book(proposal.book)
    appoint_next(table, proposal)
    return f"{proposal.label} is open to votes."


def vote_again(table: Table, proposals: Iterable[Proposal]) -> None:
    """Give Open proposals whose end was skipped as long again. Raises TableBroken."""
    appointed = table.appointments.subjects(CLOSES, TIMED_OUT)
    for proposal in proposals:
        if str(proposal.serial) not in appointed:
            proposal.closes_at = table.now + vote_length(state_of(table))
            proposal.save(update_fields=["closes_at"])
            appoint_next(table, proposal)


def ends_of_votes(table: Table, proposals: Iterable[Proposal]) -> dict[int, datetime]:
    """The game moments at which the votes on these end that are voted on, by their keys: each its
    own, else that at which all end together; none where somebody has to end them."""
    voted_on = [
        proposal
        for proposal in proposals
        if proposal.status == Status.OPEN and proposal.awaits_since is None
    ]
    is_shared = any(proposal.closes_at is None for proposal in voted_on)
    together = table.appointments.due(CLOSES) if is_shared else None
    ends = {proposal.pk: proposal.closes_at or together for proposal in voted_on}
    return {key: due for key, due in ends.items() if due is not None}


def vote_length(state: State) -> timedelta:
    """How long the vote on a proposal lasts that has one of its own; in a queue, if it reaches no
    quorum. Raises TableBroken."""
    if state.edition.period == "queue":
        return timedelta(hours=state.terms.timed_hours)
    return timedelta(days=state.terms.voting_days)


def appoint_next(table: Table, proposal: Proposal) -> None:
    """See to it that what is next for a proposal with a vote of its own is appointed, if the system
    does it.

    What is due already happens now. Raises TableBroken.
    """
    state = state_of(table)
    subject = str(proposal.serial)
    if proposal.closes_at is None:
        kind, due = DISTRIBUTED, proposal.submitted_at + wait_for_distribution(state)
        counted = CountedIn.GAME
    elif state.edition.period == "queue":
        kind, due, counted = TIMED_OUT, proposal.closes_at, CountedIn.HOURS
        if due <= table.now:  # its time is over: it is decided when its turn comes
            return
    else:
        kind, due, counted = CLOSES, proposal.closes_at, CountedIn.GAME
    if not table.appointments.waiting(kind, subject):
        table.appointments.make(kind, max(due, table.now), subject, counted_in=counted)


def open_all_pending(table: Table) -> list[Proposal]:
    """Every Pending proposal becomes Open, as at the beginning of a Voting Period.

    A fixed number of queries however many there are. Returns them.
    """
    state = state_of(table)
    pending = state.undecided_in(Status.PENDING)
    if not state.by_hand(NUMBERS):
        assign_numbers(table, pending)
    secret = not state.terms.votes_seen
    Proposal.objects.filter(pk__in=[proposal.pk for proposal in pending]).update(
        status=Status.OPEN,
        opened_at=table.now,
        opened_in=table.seq,
        secret=secret,
        law=state.law_now(),
    )
    if secret:
        for proposal in pending:
            table.begin_book(proposal.book)
    return pending


TOO_LONG = 3  # times as long as it takes now
_NEVER = "Without the rule “Proposals” nobody makes proposals."
_BEYOND = "That would be after the last day that has a date."


@dataclass(frozen=True, slots=True)
class Earliest:
    """A proposal made at the game moment `now` could be adopted at `due`, None for never, with why;
    where that `moves`, one made later could be as much later."""

    now: datetime
    due: datetime | None
    moves: bool = True
    never: str = ""

    @property
    def wait(self) -> timedelta:
        """The time until `due`; AssertionError where there is none."""
        assert self.due is not None
        return self.due - self.now

    def at(self, now: datetime) -> "Earliest":
        """The same for a proposal that is made at that moment."""
        if self.due is None:
            return self
        due = self.due + (now - self.now) if self.moves else max(self.due, now)
        return Earliest(now, due, self.moves)

    def is_much_later_than(self, reference: "Earliest") -> bool:
        """Whether it takes more than three times as long as the other, or for ever."""
        if reference.due is None:
            return False
        return self.due is None or self.wait > TOO_LONG * reference.wait


def earliest(state: State) -> Earliest:
    """Of a proposal made now: when it is adopted if all who may vote are FOR it as soon as they
    may, and officers do at once what they do by hand."""
    now = state.table.now
    impasse = _NEVER
    if state.table.rules.in_force(MAIN):
        impasse = state.impasse
    if impasse:
        return Earliest(now, None, never=impasse)
    try:
        if state.edition.period == "nweek":
            return Earliest(now, _end_of_its_nweek(state, now), moves=False)
        queues = state.edition.period == "queue"
        wait = timedelta() if queues else wait_for_distribution(state)
        # In a queue it takes nothing where the votes of all who vote now come to the quorum.
        tally = state.edition.with_all_for
        if not (queues and tally(state.electorate, state.terms, ripe=False).passed):
            wait += vote_length(state)
        return Earliest(now, now + wait)
    except TableBroken as broken:
        return Earliest(now, None, never=broken.sentence)
    except OverflowError:
        return Earliest(now, None, never=_BEYOND)


def _end_of_its_nweek(state: State, now: datetime) -> datetime:
    """The end of this nweek, or of the next where Voting has begun in this one."""
    assert state.clock is not None
    row, terms = copy(state.clock), state.terms
    nday = timedelta(hours=terms.nday_hours)
    length = terms.nweek_ndays * nday
    if not row.is_on:
        row.turn(now, on=True)
    ends = row.moment_after(length)
    if ends is not None and ends <= now:
        row.go_on(now, on=True)
        ends = now + length
    begins = row.moment_after((terms.voting_from_nday - 1) * nday)
    assert ends is not None
    assert begins is not None
    return ends + length if row.voting or begins <= now else ends

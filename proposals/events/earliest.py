"""When the next proposal could at the earliest be adopted, by all rules together."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from nomic.rulebook.charts import ChartBroken
from proposals.events.opening import vote_length, wait_for_distribution
from proposals.state.reading import MAIN, State

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

    def is_much_later_than(self, other: "Earliest") -> bool:
        """Whether it takes more than three times as long as the other, or for ever."""
        if other.due is None:
            return False
        return self.due is None or self.wait > TOO_LONG * other.wait


def earliest(state: State) -> Earliest:
    """Of a proposal made now: when it is adopted if all who may vote are FOR it as soon as they
    may, and officers do at once what they do by hand."""
    now = state.table.now
    why = _NEVER
    if state.table.rules.in_force(MAIN):
        why = state.impasse
    if why:
        return Earliest(now, None, never=why)
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
    except ChartBroken as broken:
        return Earliest(now, None, never=broken.sentence)
    except OverflowError:
        return Earliest(now, None, never=_BEYOND)


def _end_of_its_nweek(state: State, now: datetime) -> datetime:
    """The end of this nweek, or of the next where Voting has begun in this one."""
    row, nweek, terms = state.clock, state.nweek, state.terms
    assert row is not None
    assert nweek is not None
    nday, is_voting = timedelta(hours=terms.nday_hours), row.voting
    length = terms.nweek_ndays * nday
    if not nweek.is_on:
        nweek = nweek.turned(now, on=True)
    ends = nweek.moment_after(length)
    if ends is not None and ends <= now:
        nweek, ends, is_voting = nweek.next(now, on=True), now + length, False
    begins = nweek.moment_after((terms.voting_from_nday - 1) * nday)
    assert ends is not None
    assert begins is not None
    return ends + length if is_voting or begins <= now else ends

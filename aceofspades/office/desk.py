"""The Contestmaster's desk: what is due, public figures, books; secrets to them alone.

There is no book of offers, votes, notices, pacts or alliances.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from aceofspades.actions.knowledge import secret_numbers
from aceofspades.api import status_of
from aceofspades.events.carrying import TABLED_ACTS
from aceofspades.office.contestmaster import secret_pictures
from aceofspades.secrecy.view import View
from aceofspades.state.reading import CONTESTMASTER, DECK, TABLED_ACT, State, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.standard.desks import MOST_SHOWN, Desk, Duty, Picture, bars, desk, lines
from nomic.standard.standing import most_urgent_first

R106, R108, R112, R114 = "Regulation 106", "Regulation 108", "Regulation 112", "Regulation 114"
_MOST_DUTIES = 20  # of a kind


@desk
class ContestmastersDesk(Desk):
    """The desk of the office that keeps the contest (Regulations 101 to 125)."""

    subgame = "aceofspades"
    office = CONTESTMASTER

    def duties(self, table: Table) -> Iterable[Duty]:
        state = state_of(table)
        if state.found is None:
            return
        # The first table that cannot be played by. A hidden regulation or an immutable one is
        # amended by nobody alone: it is replaced by a proposal. Of what is played as of an earlier
        # version, every desk tells.
        for broken in state.told.faults[:1] if not state.unread else ():
            title = f"A regulation cannot be played as it reads: {broken.sentence}"
            theirs = next((each for each in state.regulations if each.title == broken.rule), None)
            if theirs is not None and theirs.is_public and not theirs.is_immutable:
                inputs = {"rule": broken.rule}
                yield Duty(title, rule=broken.rule, action="rulebook.amend", inputs=inputs)
            else:
                yield Duty(title, rule=broken.rule)
        if not state.is_reckoned:
            for due in (_proposals, _requests, _yet_to_be_written, _tabled):
                yield from islice(due(state), _MOST_DUTIES)

    def pictures(self, table: Table) -> Iterable[Picture]:
        state = state_of(table)
        counts = state.counts
        hands = [
            (each.player.name, counts.get(each.player.holder.pk, 0)) for each in state.contestants
        ]
        rows = [(DECK, counts.get(state.deck.pk, 0)), *sorted(hands, key=lambda row: -row[1])]
        yield bars("Cards", "cards", ("Whose", "Cards"), rows, MOST_SHOWN + 1)
        # Where the last proposals stand, with the votes of those that are decided.
        view = View(table, None)
        last = [
            (
                str(each),
                each.regulation_number,
                each.visibility,
                each.by.name if each.by else CONTESTMASTER,
                status_of(view.state, each),
                *(view.counts(each) or ("", "")),
            )
            for each in view.state.proposals[: -MOST_SHOWN - 1 : -1]
        ]
        told = [
            (
                name,
                f"for Regulation {number} ({visibility}), by {by}: {status}",
                f"{fors} FOR, {against} AGAINST" if fors != "" else "",
            )
            for name, number, visibility, by, status, fors, against in last
        ]
        headings = ("Proposal", "Regulation", "Visibility", "By", "Status", "FOR", "AGAINST")
        empty = "Nobody has proposed a regulation yet."
        yield lines("The last proposals", told, headings, last, empty)

    def private(self, table: Table, viewer: Player) -> Iterable[Picture]:
        return secret_pictures(View(table, viewer))


def _proposals(state: State) -> Iterator[Duty]:
    """Proposals that the Contestmaster has received, and those whose adoption waits to be told."""
    for each in state.proposals:
        what = f"{each}, for Regulation {each.regulation_number},"
        inputs = {"proposal": each.number}
        if each.up_in is None:
            title = f"{what} waits to be put up for vote"
            yield Duty(title, rule=R108, action="aceofspades.put_up_for_vote", inputs=inputs)
        elif each.waits_for_effect:
            title = f"{what} is adopted: its regulation takes effect when that is announced"
            yield Duty(title, rule=R112, action="aceofspades.announce", inputs=inputs)


def _requests(state: State) -> Iterator[Duty]:
    for each in state.requests:
        if each.judgement:
            continue
        title, inputs = f"{each} waits for a judgement", {"request": each.number}
        yield Duty(title, rule=R114, action="aceofspades.judge", inputs=inputs)


def _yet_to_be_written(state: State) -> Iterator[Duty]:
    """The secret regulations that may be written anew as long as nobody has joined."""
    if not state.contest.opened or not state.has_contestmaster or state.has_begun:
        return
    numbers = secret_numbers(state)
    if numbers:
        title = (
            f"Chance drew the secret Regulations {', '.join(map(str, numbers))}. Until somebody"
            " joins, the Contestmaster may write others in their places, and reads those alone"
        )
        inputs = {"regulation": numbers[0]}
        yield Duty(title, rule=R106, action="aceofspades.write_secret_regulation", inputs=inputs)


def _tabled(state: State) -> Iterator[Duty]:
    for each in most_urgent_first(state.table, TABLED_ACT):
        title = f"{TABLED_ACTS.told(each)}, is done unless enough object"
        yield Duty(title, each.due, rule=R114)


# The pictures

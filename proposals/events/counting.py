"""Counts that the officer announces: prepared by the system as the vote ends, and kept."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from datetime import timedelta

from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from proposals.models import Proposal
from proposals.rules.ballots import Result
from proposals.rules.words import listed
from proposals.state.reading import state_of
from proposals.state.retally import Basis, electorate_of

ANNOUNCED = "proposals.count_announced"
REMINDER = "proposals.count_reminder"
REMINDED = timedelta(days=1)  # after the end of the vote, and after each reminder


def hold(
    table: Table, proposals: Collection[Proposal], results: Mapping[int, Result], basis: Basis
) -> Outcome:
    """Keep what the votes on these come to until the officer announces it. Nobody votes on them."""
    for each in proposals:
        each.awaits_since, each.secret = table.now, False
        prepare(each, results[each.number or 0], basis)
        table.appointments.make(REMINDER, table.now + REMINDED, str(each.serial))
    officer, labels = state_of(table).edition.officer, [each.label for each in proposals]
    wait = "waits" if len(labels) == 1 else "wait"
    said = f"{listed(labels)} {wait} for the {officer}'s announcement of the result."
    return Outcome(said, {"awaiting": [each.handle for each in proposals]})


def prepare(proposal: Proposal, result: Result, basis: Basis) -> None:
    """Keep that result with a proposal that waits, and by what it was counted."""
    players = electorate_of(basis).headcount
    counted = replace(result, figures={**result.figures, "players": players})
    proposal.prepared = {"result": asdict(counted), "basis": basis}
    proposal.save(update_fields=["awaits_since", "secret", "prepared"])


def leave_to_the_system(table: Table) -> None:
    """Let what waits and is no longer counted by hand be announced as it was counted, at once."""
    state = state_of(table)
    if any(not state.counts_by_hand(each) for each in state.awaiting):
        table.appointments.make(ANNOUNCED, table.now, str(table.seq))

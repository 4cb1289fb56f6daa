"""Counting a vote again after a correction: what would have come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nomic.play.table import Table
from proposals.models import Proposal
from proposals.state import state_of


@dataclass(frozen=True, slots=True)
class Recount:
    """A proposal whose result would be another one. The game is not changed by it."""

    proposal: Proposal
    outcome: str
    passed: bool | None
    reason: str

    @property
    def sentence(self) -> str:
        """What would change, for the record."""
        then = f"{self.proposal.label} was {self.proposal.outcome} and would be {self.outcome}"
        return f"{then}: {self.reason}" if self.reason else f"{then}."

    def facts(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "number": self.proposal.number,
            "was": self.proposal.outcome,
            "would_be": self.outcome,
            "passed": self.passed,
        }


def retally(table: Table, proposal: Proposal) -> list[Recount]:
    """What the votes as they stand now would make of all that was decided with that proposal.

    Under the rules' present tables and among the present players. Raises TermsBroken.
    """
    state = state_of(table)
    together = list(
        state.proposals()
        .filter(closed_in=proposal.closed_in, opened_in__isnull=False)
        .order_by("number")
    )
    results = state.tally(together).results
    return [
        Recount(
            each,
            results[each.number or 0].outcome,
            results[each.number or 0].passed,
            next(iter(results[each.number or 0].reasons), ""),
        )
        for each in together
        if results[each.number or 0].outcome != each.outcome
    ]

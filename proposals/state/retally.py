"""Counting a vote again after a correction: what would have come of it.

The votes are counted as they stand now, and everything else as it was at the close: who might vote,
what the rules' tables said, what had become of the proposals that links name.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any

from nomic.engine.table import Table
from proposals.models import Proposal
from proposals.rules.ballots import Electorate, Result
from proposals.state.decisions import DECIDED, as_decided
from proposals.state.reading import State, state_of

Basis = dict[str, Any]


def basis_of(state: State, proposals: Iterable[Proposal]) -> Basis:
    """By what these proposals are counted now, as the entry that decides them keeps it.

    Raises TableBroken.
    """
    electorate = state.electorate
    assert isinstance(electorate.players, frozenset)
    assert isinstance(electorate.vested, frozenset)
    return {
        "proposals": [f"p{proposal.serial}" for proposal in proposals],
        "players": sorted(electorate.players),
        "vested": sorted(electorate.vested),
        "strengths": dict(sorted(electorate.strengths.items())),
        "emperor": electorate.emperor,
        "terms": json.loads(json.dumps(asdict(state.terms), default=str)),
        **({} if electorate.throne else {"throne": False}),
        **({} if electorate.quorum is None else {"quorum": electorate.quorum}),
        **({"words": state.vocabulary} if state.is_spoken_otherwise else {}),
    }


def abbreviate_alike(bases: Iterable[Basis]) -> None:
    """Let each that is like the one before it name the first of these by a proposal (`like`)."""
    whole: Basis | None = None
    for basis in bases:
        proposals = basis["proposals"]
        if whole is not None and whole == {**basis, "proposals": whole["proposals"]}:
            basis.clear()
            basis |= {"proposals": proposals, "like": whole["proposals"][0]}
        else:
            whole = basis


@dataclass(frozen=True, slots=True)
class Recount:
    """A proposal whose result would be another one. The game is not changed by it."""

    proposal: Proposal
    result: Result

    @property
    def sentence(self) -> str:
        """The other result in a sentence, for the record."""
        verdict = f"{self.proposal.label} was {self.proposal.outcome} and"
        if self.result.passed is None:
            verdict = f"{verdict} would not have been decided then"
        else:
            verdict = f"{verdict} would be {self.result.outcome}"
        reason = next(iter(self.result.reasons), "")
        return f"{verdict}: {reason}" if reason else f"{verdict}."

    def facts(self) -> dict[str, Any]:
        """Both results as plain values, for the entry of the record."""
        return {
            "number": self.proposal.number,
            "was": self.proposal.outcome,
            "would_be": self.result.outcome,
            "passed": self.result.passed,
        }


def retally(table: Table, proposal: Proposal) -> list[Recount]:
    """The other results, by the votes as they stand now, of proposals counted with that one."""
    counted = count_again(table, proposal, basis_kept(table, proposal))
    return [
        Recount(counterpart, result)
        for counterpart, result in counted
        if counterpart.closed_in and result.outcome != counterpart.outcome
    ]


def count_again(table: Table, proposal: Proposal, basis: Basis) -> list[tuple[Proposal, Result]]:
    """The results by that basis and the votes as they stand now, by number; what a program has
    decided stays."""
    state = state_of(table)
    serials = [int(name[1:]) for name in basis["proposals"]]
    together = list(state.proposals().filter(serial__in=serials).order_by("number"))
    # The ballots without what became Historical later, and those ripe that were ripe then.
    counted_at = proposal.awaits_since or proposal.closed_at
    assert counted_at is not None
    ballots = state.ballots(together, basis.get("words", {}))
    historical = [ballot.number for ballot in ballots if ballot.status != "Open"]
    unknown: set[int | None] = set()
    if historical and proposal.closed_in:
        later = state.proposals().filter(number__in=historical, closed_in__gte=proposal.closed_in)
        unknown = set(later.values_list("number", flat=True))
    ripe = proposal.closes_at is not None and proposal.closes_at <= counted_at
    ballots = [
        replace(counterpart, ripe=ripe)
        for counterpart in ballots
        if counterpart.number not in unknown
    ]
    recorded = dict(basis["terms"])
    if "classes" in recorded:
        recorded["classes"] = {name: Decimal(index) for name, index in recorded["classes"].items()}
    terms = replace(state.edition.shipped_terms(), **recorded)
    results = state.edition.tally(ballots, electorate_of(basis), terms).results
    counted = []
    for counterpart in together:
        # The tally knows votes alone: without it each result that a program decided would be told
        # as changed.
        prepared = counterpart.prepared.get("result", {}) if counterpart.awaits_since else {}
        verdict = str(prepared.get("figures", counterpart.figures).get(DECIDED, ""))
        as_counted = as_decided(state.edition, results[counterpart.number or 0], verdict)
        counted.append((counterpart, as_counted))
    return counted


def basis_kept(table: Table, proposal: Proposal) -> Basis:
    """The basis of the count, as the entry that decided the proposal keeps it."""
    closing = table.game.entries.get(seq=proposal.closed_in or 0)
    name = f"p{proposal.serial}"
    by_proposal = {
        handle: basis for basis in closing.outcome["counted_by"] for handle in basis["proposals"]
    }
    basis: Basis = by_proposal[name]
    return {**by_proposal[basis.get("like", name)], "proposals": basis["proposals"]}


def prepared_result(proposal: Proposal) -> Result:
    """The result that the system has counted of a proposal that waits for its announcement."""
    columns: dict[str, Any] = proposal.prepared["result"]
    return Result(**{**columns, "reasons": tuple(columns["reasons"])})


def electorate_of(basis: Basis) -> Electorate:
    """Those who could vote then, and how strongly."""
    return Electorate(
        players=frozenset(basis["players"]),
        vested=frozenset(basis["vested"]),
        strengths=basis["strengths"],
        emperor=basis["emperor"],
        quorum=basis.get("quorum"),
        throne=basis.get("throne", True),
    )

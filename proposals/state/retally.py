"""Counting a vote again after a correction: what would have come of it.

The votes are counted as they stand now, and everything else as it was at the close: who might vote,
what had been in force as the vote opened, what had become of the proposals that links name.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nomic.engine.table import Table
from proposals.models import Proposal
from proposals.rules.ballots import Electorate, LawAtOpening, Result
from proposals.state.decisions import DECIDED, as_decided
from proposals.state.laws import terms_of, terms_to_json
from proposals.state.reading import State, state_of

Basis = dict[str, Any]


def bases_of(state: State, proposals: Iterable[Proposal]) -> list[Basis]:
    """By what these proposals are counted now, as the entry that decides them keeps it: one for
    each law by which their votes are held."""
    by_law: dict[str, list[Proposal]] = {}
    for proposal in proposals:
        by_law.setdefault(json.dumps(proposal.law, sort_keys=True), []).append(proposal)
    return [_basis_of(state, alike) for alike in by_law.values()]


def basis_with(bases: Sequence[Basis], name: str) -> Basis:
    """That of these for the proposal of that name, and `beside` it those counted together with
    it."""
    basis = next(basis for basis in bases if name in basis["proposals"])
    beside = [another for another in bases if another is not basis]
    return {**basis, "beside": beside} if beside else basis


def _basis_of(state: State, proposals: Sequence[Proposal]) -> Basis:
    first = proposals[0]
    electorate, words = state.electorate_for(first), state.vocabulary_for(first)
    usual = {word: word for word in state.edition.words}
    assert isinstance(electorate.players, frozenset)
    assert isinstance(electorate.vested, frozenset)
    return {
        "proposals": [f"p{proposal.serial}" for proposal in proposals],
        "players": sorted(electorate.players),
        "vested": sorted(electorate.vested),
        "strengths": dict(sorted(electorate.strengths.items())),
        "emperor": electorate.emperor,
        "terms": terms_to_json(state.terms_for(first)),
        **({} if electorate.throne else {"throne": False}),
        **({"away": sorted(electorate.away)} if electorate.away else {}),
        **({} if electorate.quorum is None else {"quorum": electorate.quorum}),
        **({"words": dict(words)} if words != usual else {}),
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
    bases = {int(name[1:]): of for of in together_with(basis) for name in of["proposals"]}
    together = list(state.proposals().filter(serial__in=bases).order_by("number"))
    # The ballots without what became Historical later, and those ripe that were ripe then.
    counted_at = proposal.awaits_since or proposal.closed_at
    assert counted_at is not None
    ballots = state.ballots(together)
    historical = [ballot.number for ballot in ballots if ballot.status != "Open"]
    unknown: set[int | None] = set()
    if historical and proposal.closed_in:
        later = state.proposals().filter(number__in=historical, closed_in__gte=proposal.closed_in)
        unknown = set(later.values_list("number", flat=True))
    ripe = proposal.closes_at is not None and proposal.closes_at <= counted_at
    laws = {
        counterpart.number: _law_of(state, bases[counterpart.serial]) for counterpart in together
    }
    ballots = [
        replace(counterpart, ripe=ripe, law=laws.get(counterpart.number))
        for counterpart in ballots
        if counterpart.number not in unknown
    ]
    terms = terms_of(state.edition, basis["terms"])
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


def together_with(basis: Basis) -> list[Basis]:
    """The basis and those that were counted together with it."""
    by_itself = {name: fact for name, fact in basis.items() if name != "beside"}
    return [by_itself, *basis.get("beside", [])]


def _law_of(state: State, basis: Basis) -> LawAtOpening:
    return LawAtOpening(electorate_of(basis), terms_of(state.edition, basis["terms"]), frozenset())


def basis_kept(table: Table, proposal: Proposal) -> Basis:
    """The basis of the count, as the entry that decided the proposal keeps it."""
    closing = table.game.entries.get(seq=proposal.closed_in or 0)
    name = f"p{proposal.serial}"
    bases: list[Basis] = closing.outcome["counted_by"]
    by_proposal = {handle: basis for basis in bases for handle in basis["proposals"]}
    basis = by_proposal[name]
    if state_of(table).edition.period == "nweek" and "beside" not in basis:
        return basis_with(bases, name)
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
        away=frozenset(basis.get("away", ())),
    )

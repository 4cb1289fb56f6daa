"""What an edition's tables and players come to now, in a few words each, beside the list."""

from __future__ import annotations

from proposals.rules import (
    AdoptionTerms,
    NweekTerms,
    QuorumTerms,
    Rule5E33Terms,
    TermsBroken,
    TermsMissing,
)
from proposals.rules.words import listed, votes
from proposals.state.reading import State

Fact = tuple[str, str]


def voting_terms(state: State) -> list[Fact]:
    """Each thing with what it is now, and the rules that are played as of an earlier version; what
    is broken, where the tables cannot be read."""
    return [("Not as it reads", str(each)) for each in state.unread] + _terms(state)


def _terms(state: State) -> list[Fact]:
    try:
        terms = state.terms
    except TermsMissing as missing:
        return [("Off", str(missing))]
    except TermsBroken as broken:
        return [("Cannot be read", str(broken))]
    if isinstance(terms, AdoptionTerms):
        return _adoption(state, terms)
    if isinstance(terms, QuorumTerms):
        return _quorum(state, terms)
    facts = _nweek(terms)
    if isinstance(terms, Rule5E33Terms) and terms.stamina_votes:
        facts.append(_vested(state))
        facts.append(("Least Stamina", f"{terms.stamina_share} of the Vested players"))
    return facts


def _nweek(terms: NweekTerms) -> list[Fact]:
    return [
        ("Voting", f"from nday {terms.voting_from_nday} to the end of nday {terms.nweek_ndays}")
    ]


def _vested(state: State) -> Fact:
    names = (
        sorted(state.electorate.vested) if isinstance(state.electorate.vested, frozenset) else ()
    )
    return "Vested", f"{len(names)}: {listed(names)}" if names else "nobody"


def _adoption(state: State, terms: AdoptionTerms) -> list[Fact]:
    set_otherwise = [
        f"{name} {strength}" for name, strength in sorted(state.electorate.strengths.items())
    ]
    strength = f"{terms.default_strength} each"
    facts = [
        ("Voting", f"{terms.voting_days} days for each proposal"),
        (
            "Voting strength",
            f"{strength}, but {listed(set_otherwise)}" if set_otherwise else strength,
        ),
        ("Quorum", f"{state.electorate.quorum or terms.quorum} ballots"),
    ]
    classes = [f"{index} for {name}" for name, index in terms.classes.items()]
    return [*facts, ("Least index", listed(classes))] if classes else facts


def _quorum(state: State, terms: QuorumTerms) -> list[Fact]:
    players = state.electorate.headcount or 0
    quorum = state.electorate.quorum or terms.quorum(players)
    return [
        ("Quorum", f"{votes(quorum)} FOR, of {players} players"),
        *([("Emperor", state.electorate.emperor or "nobody")] if state.has_throne else []),
        (
            "Without a quorum",
            f"decided after {terms.timed_hours} hours, with at least {votes(terms.least_votes)}",
        ),
    ]

"""What an edition's tables and players come to now, in a few words each, beside the list."""

from nomic.rulebook.charts import ChartBroken, ChartMissing
from proposals.rules.terms import AdoptionTerms, QuorumTerms, Rule5E33Terms
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
    except ChartMissing as missing:
        return [("Off", str(missing))]
    except ChartBroken as broken:
        return [("Cannot be read", str(broken))]
    if isinstance(terms, AdoptionTerms):
        return _adoption(state, terms)
    if isinstance(terms, QuorumTerms):
        return _quorum(state, terms)
    ndays = f"from nday {terms.voting_from_nday} to the end of nday {terms.nweek_ndays}"
    facts = [("Voting", ndays)]
    if isinstance(terms, Rule5E33Terms) and terms.stamina_votes:
        vested = state.electorate.vested
        names = sorted(vested) if isinstance(vested, frozenset) else ()
        facts.append(("Vested", f"{len(names)}: {listed(names)}" if names else "nobody"))
        facts.append(("Least Stamina", f"{terms.stamina_share} of the Vested players"))
    return facts


def _adoption(state: State, terms: AdoptionTerms) -> list[Fact]:
    others = [f"{name} {own}" for name, own in sorted(state.electorate.strengths.items())]
    but = f", but {listed(others)}" if others else ""
    classes = [f"{index} for {name}" for name, index in terms.classes.items()]
    return [
        ("Voting", f"{terms.voting_days} days for each proposal"),
        ("Voting strength", f"{terms.default_strength} each{but}"),
        ("Quorum", f"{state.electorate.quorum or terms.quorum} ballots"),
        ("Least index", listed(classes)),
    ]


def _quorum(state: State, terms: QuorumTerms) -> list[Fact]:
    players = state.electorate.headcount or 0
    quorum = state.electorate.quorum or terms.quorum(players)
    least = f"with at least {votes(terms.least_votes)}"
    return [
        ("Quorum", f"{votes(quorum)} FOR, of {players} players"),
        *([("Emperor", state.electorate.emperor or "nobody")] if state.has_throne else []),
        ("Without a quorum", f"decided after {terms.timed_hours} hours, {least}"),
    ]

"""What is in force as a vote opens and binds it: its words, voters, strengths and quorum, the terms
of the edition, and the programs that decide its outcome. A proposal keeps it as plain values.

Who is a player, Vested or the Emperor is a fact and no law: it counts as it is at the end of the
vote, as the rules say.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any

from proposals.rules.ballots import Electorate
from proposals.rules.edition import Edition
from proposals.rules.terms import Terms
from proposals.rules.words import Vocabulary

type LawFacts = dict[str, Any]


def terms_to_json(terms: Terms) -> dict[str, Any]:
    """The terms as JSON can hold them."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(terms), default=str))
    return plain


def terms_of(edition: Edition[Any], facts: Mapping[str, Any]) -> Terms:
    """The terms that were kept so."""
    kept = dict(facts)
    if "classes" in kept:
        kept["classes"] = {name: Decimal(index) for name, index in kept["classes"].items()}
    terms: Terms = replace(edition.shipped_terms(), **kept)
    return terms


def law_facts(
    words: Vocabulary, terms: Terms, players: Electorate, voters: Electorate, deciders: list[str]
) -> LawFacts:
    """The law as a proposal keeps it. `players` vote by the rules' own words, `voters` as they and
    programs of rules say together."""
    facts: LawFacts = {
        # In their order, which JSON's objects do not keep in the database.
        "words": [list(pair) for pair in words.items()],
        "terms": terms_to_json(terms),
        "strengths": dict(sorted(voters.strengths.items())),
        "throne": voters.throne,
        "deciders": deciders,
    }
    if voters.players != players.players and isinstance(voters.players, frozenset):
        facts["voters"] = sorted(voters.players)
    if voters.quorum is not None:
        facts["quorum"] = voters.quorum
    return facts


def electorate_by(facts: LawFacts, players: Electorate) -> Electorate:
    """Who may vote by that law, of those who are `players` now. It never needs more than they
    are."""
    voters, vested, quorum = players.players, players.vested, facts.get("quorum")
    assert isinstance(voters, frozenset)
    assert isinstance(vested, frozenset)
    if "voters" in facts:
        voters = voters & {*facts["voters"]}
        vested = vested & voters
    away = players.away if voters - players.away else frozenset[str]()
    return replace(
        players,
        players=voters,
        vested=vested,
        strengths=facts["strengths"],
        throne=facts["throne"] and players.throne,  # without its rule it is off
        quorum=None if quorum is None else min(quorum, len(voters - away)),
        away=away,
    )


_PARTS = {
    "words": "words",
    "voters": "voters",
    "strengths": "voting strengths",
    "terms": "figures",
    "quorum": "quorum",
    "throne": "Emperor",
    "deciders": "program that decides its outcome",
}


def parts_otherwise(facts: LawFacts, now: LawFacts) -> list[str]:
    """What of the law of a vote is otherwise than what is in force now, in words."""
    return [noun for part, noun in _PARTS.items() if facts.get(part) != now.get(part)]

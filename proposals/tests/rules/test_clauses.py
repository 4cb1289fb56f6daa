"""The sources' own texts say the numbers of their editions, and another number there counts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from nomic.rulebook.tables import TableBroken
from proposals.rulebook import shipped_texts
from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Electorate
from proposals.rules.terms import CLOCK, PROPOSALS, VOTING

SEEDS = Path(__file__).parents[4] / "shared/seeds"


@cache
def source(name: str) -> str:
    path = SEEDS / name
    if not path.exists():
        pytest.skip("the source document is not beside this repository")
    return path.read_text()


def refresh() -> str:
    """The text that the draft gives to rule 2-2."""
    text = source("001_ae1c2f3baf3300e7.txt")
    return text.split("rule 2-2 with:\n{{\n")[1].split("\n}}\n")[0]


def rule_5e33() -> str:
    return source("002_d8f05e8cf8a9c0ff.txt")


def played(edition: str, **texts: str):
    """The terms of the edition's texts with these in their rules' places."""
    own = dict(shipped_texts(edition)) | {
        title.replace("_", " "): text for title, text in texts.items()
    }
    return EDITIONS[edition].terms({title: text for title, text in own.items() if text})


def test_the_drafts_own_text_says_when_voting_begins() -> None:
    assert played("refresh-2006", Proposals=refresh()).voting_from_nday == 9
    later = refresh().replace("nday 9", "nday 10")
    assert played("refresh-2006", Proposals=later).voting_from_nday == 10
    assert EDITIONS["refresh-2006"].charts({PROPOSALS: later}).faults == []


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        ("one half", "one half", (1, 2)),
        ("one half", "two thirds", (2, 3)),
        ("one half", "half", (1, 2)),
        ("one half", "one third", (1, 3)),
        ("one half", "1 quarter", (1, 4)),
    ],
)
def test_rule_5e33s_own_text_says_the_least_stamina(old: str, new: str, share) -> None:
    terms = played("rule-5e33", Proposals=rule_5e33().replace(old, new))
    assert (terms.stamina_votes, terms.stamina_vested) == share


def test_our_sentences_may_say_the_numbers_of_their_tables() -> None:
    voting = shipped_texts("rule-5e33")[VOTING]
    said = voting.replace("from the beginning of an nday", "from the beginning of nday nine")
    assert said != voting
    assert played("rule-5e33", Voting=said).voting_from_nday == 9
    contradicted = {VOTING: said.replace("nine", "ten")}
    (fault,) = EDITIONS["rule-5e33"].charts({**shipped_texts("rule-5e33"), **contradicted}).faults
    assert "has 10 and 9 under NDAY for Begins" in fault.sentence


# Off means off


def test_without_the_clock_no_nweek_has_a_length() -> None:
    for edition in ("refresh-2006", "rule-5e33"):
        with pytest.raises(TableBroken, match="The rule The Clock is not in force"):
            played(edition, The_Clock="")


def test_without_vested_players_nothing_is_discarded() -> None:
    edition, everybody = EDITIONS["rule-5e33"], frozenset("abcdefgh")
    ballots = [Ballot(1, {"a": "FOR"})]
    electorate = Electorate(players=everybody, vested=everybody)
    with_it = edition.tally(ballots, electorate, played("rule-5e33"))
    without = edition.tally(ballots, electorate, played("rule-5e33", Vested_Players=""))
    assert with_it.results[1].outcome == "Discarded"
    assert without.results[1].outcome == "Won"


def test_without_a_throne_nobody_vetoes_or_defers() -> None:
    edition = EDITIONS["quorum"]
    electorate = Electorate(players=frozenset("abc"), emperor="a", throne=False)
    assert edition.words_for("a", electorate) == ("FOR", "AGAINST")
    for word in ("VETO", "DEFERENTIAL"):
        refusal = edition.vote_refusal(word, "a", electorate)
        assert refusal is not None
        assert refusal.code == "no_such_vote"
    ballot = Ballot(1, {"a": "VETO", "b": "FOR", "c": "DEFERENTIAL"})
    result = edition.tally([ballot], electorate, played("quorum")).results[1]
    assert (result.passed, result.votes_for, result.votes_against) == (None, 1, 0)


@pytest.mark.parametrize(
    ("edition", "rule", "table", "number", "off"),
    [
        ("adoption-index", VOTING, "QUORUM", "quorum", 0),
        ("adoption-index", VOTING, "VOTES ARE SEEN", "votes_seen", True),
        ("adoption-index", PROPOSALS, "DISTRIBUTION", "distribution_hours", 0),
        ("quorum", PROPOSALS, "THEN IT NEEDS", "least_votes", 0),
        ("refresh-2006", CLOCK, "THE CLOCK TURNS OFF", "clock_off_at_end", False),
        ("rule-5e33", PROPOSALS, "STAMINA", "stamina_votes", 0),
    ],
)
def test_what_a_table_alone_made_possible_is_off_without_it(
    edition: str, rule: str, table: str, number: str, off: object
) -> None:
    text = shipped_texts(edition)[rule].replace(f"| {table} |", "| FORMERLY |")
    terms = EDITIONS[edition].terms({**shipped_texts(edition), rule: text})
    assert getattr(terms, number) == off

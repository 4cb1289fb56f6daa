"""Votes that the officer sets, and findings that say what is so already."""

from __future__ import annotations

from typing import Any

import pytest

from nomic.engine.actions import find_action
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Vote
from proposals.state.results import results_of, struck_since, votes_cast
from proposals.tests.actions.test_chair import (  # noqa: F401 - fixtures among them
    AFTER_A_WEEK,
    preset,
    refused,
    the,
    under,
)
from tests.kit import Take, seat


@pytest.fixture
def voted(game: Game, player: Player, rival: Player, officer: Player, act: Take) -> Game:
    """Of Murphy, Madrid and snail on Proposal 1: two FOR it, Madrid AGAINST it."""
    act(player, "proposals.submit", body="Nothing.")
    for voter, word in ((player, "FOR"), (rival, "AGAINST"), (officer, "FOR")):
        act(voter, "proposals.vote", proposal=1, choice=word)
    return game


def correction(voter: str, word: str, **others: Any) -> dict[str, Any]:
    return {"proposal": 1, "voter": voter, "word": word, "reason": "by mail", **others}


def test_a_vote_is_set_while_it_is_open_and_that_one_counts(
    voted: Game, officer: Player, act: Take
) -> None:
    told = act(officer, "proposals.correct_vote", **correction("Madrid", "present")).entry.text
    assert told == (
        "snail corrects the vote of Madrid on Proposal 1 from AGAINST to PRESENT: by mail."
    )
    advance(voted.slug, AFTER_A_WEEK)
    assert the(voted).figures["counted"]["Madrid"] == "PRESENT"
    assert replay(voted)[1] is None
    assert not [finding for finding in audit(voted) if finding.wrong]


def test_a_vote_that_was_struck_is_set_again(voted: Game, officer: Player, act: Take) -> None:
    act(officer, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a sock")
    told = act(officer, "proposals.correct_vote", **correction("Madrid", "AGAINST")).entry.text
    assert "from none to AGAINST" in told
    advance(voted.slug, AFTER_A_WEEK)
    assert the(voted).figures["counted"]["Madrid"] == "AGAINST"


def test_after_the_close_it_is_told_what_a_new_count_would_give_and_the_result_stays(
    voted: Game, officer: Player, act: Take
) -> None:
    advance(voted.slug, AFTER_A_WEEK)
    decided = the(voted)
    before = results_of(voted, decided.closed_in)
    for voter in ("Murphy", "snail"):
        receipt = act(officer, "proposals.correct_vote", **correction(voter, "AGAINST"))
    assert "Proposal 1 was ADOPTED and would be REJECTED" in receipt.entry.text
    assert results_of(voted, decided.closed_in) == before
    assert len(struck_since(voted, decided.closed_in)) == 2
    late = [cast for cast in votes_cast(the(voted), the(voted).figures) if cast.is_late]
    assert [(cast.voter, cast.stands) for cast in late] == [("snail", False), ("Murphy", False)]
    assert replay(voted)[1] is None


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        (
            correction("Madrid", "AGAINST"),
            "There is nothing to correct: the vote of Madrid on Proposal 1 is AGAINST.",
        ),
        (correction("Madrid", "BANANA"), "BANANA"),
        (correction("Madrid", "FOR", proposal=7), "This game has no proposal 7."),
    ],
)
def test_what_is_so_already_or_is_no_vote_is_refused(
    voted: Game, officer: Player, act: Take, inputs: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Refused) as caught:
        act(officer, "proposals.correct_vote", **inputs)
    assert sentence in caught.value.refusal.sentence
    assert Vote.objects.count() == 3


def test_sealed_votes_are_corrected_after_the_close_only(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    text = game.rules.get(title="Voting").text
    sealed = text.replace("While voting lasts | yes", "While voting lasts | no")
    act(None, "rulebook.amend", rule="Voting", text=sealed, reason="as it was voted")
    act(player, "proposals.submit", body="Nothing.")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    for voter, word in (("Murphy", "FOR"), ("Murphy", "AGAINST"), ("snail", "FOR")):
        with refused("^Nobody may see yet who voted what on Proposal 1: wait for the close.$"):
            act(officer, "proposals.correct_vote", **correction(voter, word))
    advance(game.slug, AFTER_A_WEEK)
    act(officer, "proposals.correct_vote", **correction("Murphy", "AGAINST"))
    assert replay(game)[1] is None


@under("agora")
def test_a_voting_strength_is_not_set_to_what_it_is(game: Game, player: Player, act: Take) -> None:
    officer = seat(game, "snail")
    act(officer, "games.take_office", office="Assessor")
    act(player, "proposals.submit", body="Nothing.")
    inputs = {"who": "Murphy", "strength": 2, "reason": "?"}
    act(officer, "proposals.set_strength", **inputs)
    with refused("^There is nothing to correct: the voting strength of Murphy is 2.$"):
        act(officer, "proposals.set_strength", **inputs)


def test_the_form_offers_the_words_of_the_edition(game: Game, officer: Player) -> None:
    form = find_action("proposals.correct_vote").Form(glance(game), officer)
    drawn = str(form["word"])
    for word in ("FOR", "AGAINST", "PRESENT"):
        assert f'<option value="{word}">' in drawn
    assert "One of FOR, AGAINST" in str(form.fields["word"].help_text)

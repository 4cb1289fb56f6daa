"""Whoever changes a vote or a result behind the program's back is found out."""

from datetime import timedelta

import pytest

from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from nomic.operations.tests.test_tampering import around_the_triggers, first_wrong, undone
from tests.kit import WEDNESDAY, Take

TAMPERED = {
    "a vote": "UPDATE proposals_vote SET word = 'AGAINST'",
    "a vote that is gone": "DELETE FROM proposals_vote",
    "a result": "UPDATE proposals_proposal SET strength = 9",
    "a success": "UPDATE proposals_proposal SET success = 'Lost', passed = false",
    "its reasons": "UPDATE proposals_proposal SET reasons = '[]'",
    "its effects": "UPDATE proposals_proposal SET effects = '[]'",
    "a text that was voted on": "UPDATE proposals_version SET body = 'Forks.'",
    "the Clock": "UPDATE proposals_nweekclock SET nweek = nweek + 1",
    "a number": "UPDATE proposals_proposal SET number = 7",
    "a comment": "UPDATE proposals_comment SET text = 'No.'",
}


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


@pytest.mark.thorough
def test_an_honest_vote_is_found_honest_and_every_tampered_one_out(
    transactional_db: None,
    game: Game,
    player: Player,
    act: Take,
    subtests: pytest.Subtests,
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Give Murphy 3 points.")
    act(player, "proposals.comment", proposal=1, text="Yes.")
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    act(player, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + timedelta(days=12))
    assert first_wrong(game) == ""
    for what, statement in TAMPERED.items():
        with subtests.test(what), undone():
            around_the_triggers(statement)
            assert first_wrong(game) != ""
    assert first_wrong(game) == ""

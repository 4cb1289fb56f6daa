"""What the database refuses of proposals and votes, whoever asks it."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Take, seat

NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
_OF = "(SELECT id FROM proposals_proposal WHERE title = '{}')"
SPOONS, FORKS, STRANGE = (_OF.format(title) for title in ("Spoons", "Forks", "Strange"))
STRANGER = "(SELECT id FROM games_player WHERE name = 'Stranger')"

WRONG = {
    "a vote is changed": "UPDATE proposals_vote SET word = 'AGAINST'",
    "a vote is deleted": "DELETE FROM proposals_vote",
    "all votes are swept away": "TRUNCATE proposals_vote CASCADE",
    "a vote stands in no book": "INSERT INTO proposals_vote"
    " (game_id, proposal_id, player_id, word, at)"
    " SELECT game_id, proposal_id, player_id, word, at FROM proposals_vote",
    "a vote stands in both books": "INSERT INTO proposals_vote"
    " (game_id, proposal_id, player_id, word, at, entry, sealed)"
    " SELECT game_id, proposal_id, player_id, word, at, 1, 1 FROM proposals_vote",
    "a vote is another game's player's": "INSERT INTO proposals_vote"
    " (game_id, proposal_id, player_id, word, at, entry)"
    f" SELECT game_id, id, {STRANGER}, 'FOR', now(), 1 FROM proposals_proposal WHERE id = {SPOONS}",
    "a version is changed": "UPDATE proposals_version SET body = 'Forks.'",
    "a version is deleted": "DELETE FROM proposals_version",
    "a version has another's number": "INSERT INTO proposals_version (game_id, proposal_id, number,"
    " title, body, conflicts, dependencies, index, proposal_class, coauthors, entry)"
    " SELECT game_id, proposal_id,"
    " number, title, body, conflicts, dependencies, index, proposal_class, coauthors, entry"
    " FROM proposals_version",
    "a comment is changed": "UPDATE proposals_comment SET text = 'Never mind.'",
    "a comment is deleted": "DELETE FROM proposals_comment",
    "a strike is changed": "UPDATE proposals_strike SET reason = 'none'",
    "a strike is deleted": "DELETE FROM proposals_strike",
    "a vote is struck twice": "INSERT INTO proposals_strike (game_id, vote_id, reason, entry)"
    " SELECT game_id, vote_id, reason, entry FROM proposals_strike",
    "a proposal is deleted": f"DELETE FROM proposals_proposal WHERE id = {FORKS}",
    "one is Open that was never opened": "UPDATE proposals_proposal SET status = 'Open'"
    f" WHERE id = {FORKS}",
    "one is Historical that was never closed": "UPDATE proposals_proposal"
    f" SET status = 'Historical' WHERE id = {FORKS}",
    "one is closed and not Historical": "UPDATE proposals_proposal SET closed_in = 1"
    f" WHERE id = {FORKS}",
    "one is Won while it is Pending": "UPDATE proposals_proposal SET success = 'Won'"
    f" WHERE id = {FORKS}",
    "one has passed without being Won": "UPDATE proposals_proposal SET success = 'Lost'"
    f" WHERE id = {SPOONS}",
    "two have one number": "UPDATE proposals_proposal SET number = 1 WHERE title = 'Forks'",
    "two have one place in the order": "UPDATE proposals_proposal SET serial = 1"
    " WHERE title = 'Forks'",
    "one is linked to itself": "INSERT INTO proposals_link (game_id, proposal_id, other_id, kind)"
    f" SELECT game_id, id, id, 'conflict' FROM proposals_proposal WHERE id = {FORKS}",
    "one is linked to another game's": "INSERT INTO proposals_link (game_id, proposal_id,"
    f" other_id, kind) SELECT game_id, id, {STRANGE}, 'dependency' FROM proposals_proposal"
    f" WHERE id = {FORKS}",
    "a link is turned to another": f"UPDATE proposals_link SET other_id = {STRANGE}",
    "a link stands twice": "INSERT INTO proposals_link (game_id, proposal_id, other_id, kind)"
    " SELECT game_id, proposal_id, other_id, kind FROM proposals_link",
    "an errand stands twice": "INSERT INTO proposals_errand (game_id, proposal_id, place, sentence,"
    " why, made_in, note) SELECT game_id, proposal_id, place, sentence, why, made_in, note"
    " FROM proposals_errand",
    "a player has two voting strengths": "INSERT INTO proposals_votingstrength"
    " (game_id, player_id, strength) SELECT game_id, id, 3 FROM games_player UNION ALL"
    " SELECT game_id, id, 4 FROM games_player",
    "a game has two Clocks": "INSERT INTO proposals_nweekclock"
    " (game_id, nweek, began_at, is_on, since, gone, voting)"
    " SELECT game_id, nweek, began_at, is_on, since, gone, voting FROM proposals_nweekclock",
}


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


@pytest.fixture
def played(game: Game, player: Player, rival: Player, act: Take) -> Game:
    """A game with everything that a vote leaves behind, and another game beside it."""
    other = new_game("another", "b-nomic-2006", pace="manual", start=WEDNESDAY)[0]
    stranger = seat(other, "Stranger")
    take("another", stranger, "proposals.submit", {"title": "Strange", "body": "Strange."})
    body = "Replace the text of the rule “Nowhere” with: { Nothing. }"
    act(player, "proposals.submit", title="Spoons", body=body)
    act(player, "proposals.comment", proposal=1, text="Well.")
    advance(game.slug, NDAY_9)
    act(player, "proposals.vote", proposal=1, choice="AGAINST")
    act(None, "proposals.strike_vote", proposal=1, voter="Murphy", reason="a slip")
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, THE_END)
    act(player, "proposals.submit", title="Forks", body="Forks.", conflicts=[1])
    act(player, "proposals.submit", title="Knives", body="Knives.")
    return game


def test_the_database_refuses_what_no_vote_can_be(played: Game, subtests: pytest.Subtests) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    for what, statement in WRONG.items():
        with (
            subtests.test(what),
            pytest.raises(IntegrityError),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)

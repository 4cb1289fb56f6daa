"""What the database refuses of the races (Horses), whoever asks it."""

import pytest
from django.db import IntegrityError, connection, transaction

from horses.tests.conftest import Stage
from nomic.games.models import Player
from tests.kit import Take

WRONG = [
    "UPDATE horses_runner SET position = 17 WHERE name = 'Fargo'",
    "UPDATE horses_runner SET position = -1 WHERE name = 'Fargo'",
    "UPDATE horses_runner SET place = 4 WHERE name = 'Fargo'",
    "UPDATE horses_runner SET place = 0 WHERE name = 'Fargo'",
    "UPDATE horses_runner SET place = 1 WHERE name IN ('Fargo', 'Sugar')",
    "INSERT INTO horses_runner (game_id, race_id, asset_id, name, position, finish, pulls)"
    " SELECT game_id, race_id, asset_id, name, position, finish, pulls FROM horses_runner",
    "INSERT INTO horses_race (game_id, number, started_in)"
    " SELECT game_id, number + 1, started_in FROM horses_race",
    "INSERT INTO horses_gear (game_id, race_id, player_id, horse, kind, entry)"
    " SELECT game_id, race_id, player_id, horse, kind, entry FROM horses_gear",
    "INSERT INTO horses_turn (game_id, player_id, what, period, entry)"
    " SELECT game_id, player_id, what, period, entry FROM horses_turn",
    "INSERT INTO horses_motivation (game_id, week, galloper, distance, entry)"
    " SELECT game_id, week, galloper, distance, entry FROM horses_motivation",
    "INSERT INTO horses_bet (game_id, race_id, player_id, horse, dollaries, entry)"
    " SELECT game_id, race_id, player_id, horse, 0, entry FROM horses_gear",
]


@pytest.mark.parametrize("statement", WRONG)
def test_the_database_refuses_what_no_race_can_be(
    act: Take, player: Player, stage: Stage, statement: str
):
    stage.give(player, hooves=1)
    act(player, "horses.get_helmet", horse="Fargo")
    act(player, "horses.motivate")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)

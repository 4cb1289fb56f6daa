"""Practice players: they come on the host's word, are known by their names, and hold no office."""

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.bots import MOST_BOTS, REMOVE_BOT, NotAskedFor, add_bots, bots_of
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from tests.kit import Take, user_of


@pytest.fixture
def offices() -> str:
    return "open"


def test_practice_players_come_by_names_that_tell_what_they_are(game: Game) -> None:
    seated = add_bots(game, 3)
    assert seated == ["Ada-bot", "Basil-bot", "Cleo-bot"]
    assert {(bot.bot, bot.user) for bot in bots_of(game)} == {(True, None)}
    for name in seated:
        take(game.slug, None, REMOVE_BOT, {"bot": name})
    assert not bots_of(game).exists()
    assert add_bots(game, 1) == ["Ada-bot"]
    assert game.players.filter(bot=True).count() == 3, "who left came back to the old seat"
    agreed, difference = replay(game)
    assert difference is None
    assert agreed == Game.objects.get(pk=game.pk).last_entry


def test_there_is_an_end_to_practice_players(game: Game) -> None:
    with pytest.raises(Refused) as refused:
        add_bots(game, MOST_BOTS + 1)
    assert refused.value.refusal.code == "too_many_bots"
    assert bots_of(game).count() == MOST_BOTS


def test_a_game_at_real_pace_gets_practice_players_from_its_host_alone(db: None) -> None:
    host = user_of("landlord")
    game, _ = new_game("slow", "agora", pace="real", offices="host", host=host)
    with pytest.raises(NotAskedFor):
        add_bots(game, 1)
    assert add_bots(game, 2, by=host) == ["Ada-bot", "Basil-bot"]
    with pytest.raises(Refused) as refused:
        add_bots(game, 1, by=user_of("guest"))
    assert refused.value.refusal.code == "not_a_player"


def test_a_practice_player_holds_no_office(game: Game, act: Take) -> None:
    add_bots(game, 2)
    office = next(iter(game.offices.values_list("name", flat=True)))
    with pytest.raises(Refused) as refused:
        act(bots_of(game)[0], "games.take_office", office=office)
    assert refused.value.refusal.code == "is_a_bot"

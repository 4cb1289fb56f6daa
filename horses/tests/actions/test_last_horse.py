"""Twenty connections buy the last horse at one moment, with the game's lock and without."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError

from horses.rules.payouts import DOLLARY
from horses.tests.conftest import Stage
from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from tests.kit import again_while_busy, all_at_once, seat, take_away_the_lock

CROWD = 20
PURSE = 50
LAST = "Fargo"


@pytest.fixture
def crowd(transactional_db: None, game: Game, stage: Stage) -> list[Player]:
    """Twenty players with 50 dollaries each; all horses but Fargo are a twenty-first's."""
    owner = seat(game, "Owner")
    stage.give_horses(owner, *(name for name in stage.state["horses"] if name != LAST))
    players = [seat(game, f"player{number}") for number in range(1, CROWD + 1)]
    for player in players:
        stage.give(player, dollaries=PURSE - stage.holdings(player)[0])
    return players


def buy(player: Player) -> Callable[[], Receipt]:
    return again_while_busy(lambda: take("table", player.user, "horses.buy", {"horse": LAST}))


def is_fair(game: Game, ends: list[Any]) -> bool:
    """One has bought the horse and paid for it, and each of the others has read why not."""
    bought = [end.entry.actor for end in ends if isinstance(end, Receipt)]
    ledger = glance(Game.objects.get(pk=game.pk)).ledger
    owner = ledger.owner_of(LAST)
    purses = ledger.balances(DOLLARY)
    charged = [name for name, held in purses.items() if name != "Owner" and held < PURSE]
    return (
        len(bought) == 1
        and sum(isinstance(end, Refused) for end in ends) == CROWD - 1
        and charged == [bought[0].name]
        and owner is not None
        and owner.player == bought[0]
    )


def test_one_of_twenty_gets_the_last_horse_and_only_they_pay(
    game: Game, crowd: list[Player]
) -> None:
    ends = all_at_once(*(buy(player) for player in crowd))
    assert is_fair(game, ends), ends


def test_with_the_lock_taken_away_that_goes_wrong(
    game: Game, crowd: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    take_away_the_lock(monkeypatch, CROWD)
    ends = all_at_once(*(buy(player) for player in crowd))
    assert not is_fair(game, ends)
    assert any(isinstance(end, IntegrityError | OperationalError) for end in ends), ends

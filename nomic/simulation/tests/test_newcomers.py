"""Who comes late to the demonstration can bet at once: a rule that its players adopted says so."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from horses.rules.payouts import DOLLARY
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game
from nomic.simulation.demonstration.demonstration import AT_THE_RACES
from tests.kit import WEDNESDAY

pytestmark = pytest.mark.django_db


def test_a_newcomer_finds_a_purse_once(db: None) -> None:
    game = new_game("demo", "demo", pace="manual", start=WEDNESDAY)[0]
    first = User.objects.create_user("First")
    take("demo", first, "games.join", {"name": "First"})
    bill = AT_THE_RACES[0]
    take(
        "demo",
        first,
        "proposals.submit",
        {"title": bill.title, "body": bill.body.partition("Give snail")[0]},
    )
    take("demo", first, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    take("demo", first, "horses.motivate")
    advance("demo", WEDNESDAY + timedelta(days=15))
    assert game.rules.filter(title="Newcomers").exists()
    late = User.objects.create_user("Late")
    take("demo", late, "games.join", {"name": "Late"})
    assert _dollaries("Late") == 4
    take("demo", late, "games.leave")
    take("demo", late, "games.join", {"name": "Late"})
    assert _dollaries("Late") == 4


def _dollaries(name: str) -> int:
    game = Game.objects.get(slug="demo")
    return glance(game).ledger.balance(game.players.get(name=name), DOLLARY)

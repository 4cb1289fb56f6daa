"""What must stay secret is in no answer of the API, whoever asks."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.dice.models import Master
from nomic.dice.seeds import commitment, period_seed
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.ledger.models import AssetVisibility
from nomic.operations.setup import advance
from nomic.web.api.tests.conftest import V1, Program, ProgramOf
from nomic.web.models import Token
from tests.kit import WEDNESDAY, at_the_table

CANARY = "canary-in-the-coal-mine"
AMOUNT = 918_273_645_546
PATHS = [
    V1,
    f"{V1}/table",
    *(
        f"{V1}/table/{part}"
        for part in (
            "actions",
            "record",
            "balances",
            "rules",
            "dice",
            "horses",
            "reports",
            "reports/horsened",
            "reports/horsened?format=text",
            "reports/horsened?format=html",
            "reports/horsened?format=csv",
        )
    ),
    "/api/openapi.json",
    "/api/docs",
]


@pytest.fixture
def told(game: Game, player: Player, rival: Player, officer: Player) -> Game:
    """A game with something secret in every place that has secrets."""
    with at_the_table(game) as table:
        table.dice.choose("public", [1, 2, 3])
        table.dice.open_period(private=True)
        table.dice.choose(CANARY, [CANARY, 2], private=True)
        table.dice.open_period(private=True, purpose="the feast")
        table.dice.choose(CANARY, [CANARY, 2], private=True, purpose="the feast")
        table.note_sealed({CANARY: CANARY}, CANARY)
        asset = table.ledger.define(f"{CANARY} card", visibility=AssetVisibility.PRIVATE)
        table.ledger.create(player, AMOUNT, asset.name)
        table.rules.enact(CANARY, CANARY, visibility="private")
        table.seal("testing.whisper", player, {"words": CANARY}, Outcome(CANARY))
    advance(game.slug, WEDNESDAY + timedelta(weeks=1))
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def programs(program_of: ProgramOf, told: Game, rival: Player, officer: Player) -> list[Program]:
    """Nobody's, an outsider's, another player's and an officer's."""
    outsider = program_of(User.objects.create_user("Jason"))
    return [Program(told), outsider, program_of(rival), program_of(officer)]


def secrets_of(game: Game) -> Iterator[str]:
    """Everything that nobody may be told, as it would be written."""
    master = bytes(Master.objects.get(game=game).key)
    yield CANARY
    yield str(AMOUNT)
    yield master.hex()
    for period in game.dice_periods.filter(seed=None):
        seed = period_seed(master, period.number, private=period.private, purpose=period.purpose)
        assert commitment(seed) == period.commitment
        yield seed.hex()
    for sealed in game.sealed_entries.all():
        yield sealed.salt
    for name in ("testing.whisper", "record.note"):
        yield game.sealed_entries.get(name=name).hash
    yield from Token.objects.values_list("digest", flat=True)
    yield from User.objects.exclude(email="").values_list("email", flat=True)


def test_no_answer_has_a_secret_in_it(
    told: Game, programs: list[Program], subtests: pytest.Subtests
) -> None:
    User.objects.update(email="murphy@example.invalid")
    kept = list(secrets_of(told))
    assert len(kept) > 8
    for path, program in product(PATHS, programs):
        with subtests.test(path):
            response = program.get(path)
            assert response.status_code == 200
            said = response.content.decode()
            assert [secret for secret in kept if secret in said] == []
            assert not program.token or program.token not in said


@pytest.mark.parametrize("path", [f"{V1}/table/{part}" for part in ("record", "dice", "balances")])
def test_a_private_act_changes_no_answer(path: str, told: Game, rival: Player) -> None:
    """Neither count, length nor anything else tells that somebody acted in private."""

    def asked() -> Any:
        return Client().get(path).content

    before = asked()
    with_more = Game.objects.get(pk=told.pk)
    _whisper(with_more, rival)
    assert asked() == before


def _whisper(game: Game, who: Player) -> None:
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        table.seal("testing.whisper", who, {"words": "more"}, Outcome("more"))
        for purpose in ("", "the feast"):
            table.dice.choose("more", [1, 2, 3], private=True, purpose=purpose)

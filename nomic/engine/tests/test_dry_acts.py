"""What an act would do is told beforehand, unless chance or something hidden decides it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any

import pytest
from django.db import connection

from nomic.engine import dry_acts
from nomic.engine.dry_acts import DICE, DUE_AT_ONCE, HIDDEN, PRIVATE, foresee
from nomic.engine.dry_run import Covered
from nomic.engine.effects import Effects, Then
from nomic.engine.fairness import locks
from nomic.engine.fairness.locks import GaveWay, locked_game
from nomic.engine.outcomes import Busy, Refused, UnknownAction, UnknownGame
from nomic.engine.table import Table
from nomic.engine.tests.tiny import COIN, PRICE, BuyTheCup
from nomic.games.models import Game, Player
from nomic.record.models import SealedEntry
from tests.kit import all_at_once, at_the_table
from tests.kit.database import all_rows

Follow = Callable[[Table], Any]


@pytest.fixture
def rich(game: Game, player: Player) -> Player:
    """The player, who can buy the Cup."""
    with at_the_table(game) as table:
        table.ledger.create(player, PRICE, COIN)
    return player


def buying(monkeypatch: pytest.MonkeyPatch, follow: Follow) -> None:
    """Let whoever buys the Cup bring that about, too."""
    effects = Effects(Then(follow), say="The Cup is bought.")
    monkeypatch.setattr(BuyTheCup, "judge", lambda *_, **__: effects)


def test_what_it_moves_is_told_and_has_not_moved(game: Game, rich: Player) -> None:
    before = all_rows()
    foreseen = foresee(game.slug, rich, "tiny.buy_cup", {})
    assert all_rows() == before
    assert foreseen.price == f"{PRICE} coins"
    assert (foreseen.now.text, foreseen.now.unknown) == ("Murphy buys the Cup.", ())
    assert foreseen.now.seen is not None
    shifts = [(it.asset, it.before, it.after) for it in foreseen.now.seen.shifts]
    assert shifts == [(COIN, PRICE, 0), ("the Cup", 0, 1)]
    assert foreseen.later is None


def test_a_private_act_tells_what_it_says_alone(game: Game, player: Player) -> None:
    foreseen = foresee(game.slug, player, "tiny.whisper", {"words": "psst"})
    assert foreseen.now.text == "Murphy whispers psst."
    assert (foreseen.now.entry, foreseen.now.seen) == (None, None)
    assert foreseen.now.unknown == (PRIVATE,)


def _roll(table: Table) -> None:
    table.dice.choose("which", [1, 2])


def _roll_and_go_on(table: Table) -> None:
    with suppress(Covered):
        _roll(table)


def _read(table: Table) -> None:
    SealedEntry.objects.filter(game=table.game).count()


def _read_and_refuse(table: Table) -> None:
    with suppress(LookupError):
        _read(table)
    raise ValueError("of what it has not read")


def _read_in_sql(table: Table) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM games_game g LEFT JOIN record_sealedentry s ON true")


@pytest.mark.parametrize(
    ("follow", "reason"),
    [
        (_roll, DICE),
        (_roll_and_go_on, DICE),
        (_read, HIDDEN),
        (_read_and_refuse, HIDDEN),
        (_read_in_sql, HIDDEN),
    ],
)
def test_what_asks_for_it_is_unknown_also_where_it_goes_on_without(
    follow: Follow, reason: str, game: Game, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    buying(monkeypatch, follow)
    before = all_rows()
    now = foresee(game.slug, player, "tiny.buy_cup", {}).now
    assert all_rows() == before
    assert (now.text, now.entry, now.seen) == ("The Cup is bought.", None, None)
    assert now.unknown == (reason,)


def test_a_fault_that_has_another_cause_is_one(
    game: Game, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(table: Table) -> None:
        raise ZeroDivisionError

    buying(monkeypatch, fail)
    with pytest.raises(ZeroDivisionError):
        foresee(game.slug, player, "tiny.buy_cup", {})


def test_what_it_makes_due_at_once_is_told_not_to_be_told(
    game: Game, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    buying(monkeypatch, lambda table: table.appointments.make("tiny.scripted", table.now, "then"))
    now = foresee(game.slug, player, "tiny.buy_cup", {}).now
    assert now.unknown == (DUE_AT_ONCE,)
    assert now.entry is not None


def test_what_there_is_not_is_not_tried(game: Game, player: Player) -> None:
    with pytest.raises(UnknownGame):
        foresee("nowhere", player, "tiny.buy_cup", {})
    with pytest.raises(UnknownAction):
        foresee(game.slug, player, "tiny.fly", {})
    with pytest.raises(Refused):
        foresee(game.slug, player, "tiny.buy_cup", {})


@pytest.mark.django_db(transaction=True)
def test_it_gives_way_to_whoever_waits_for_the_game(
    game: Game, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "_A_LOOK", 0)
    monkeypatch.setattr(locks, "_EACH", 0)
    had = Event()

    def look_for_ever(table: Table) -> None:
        had.set()
        while True:
            Game.objects.filter(pk=game.pk).exists()

    buying(monkeypatch, look_for_ever)

    def act() -> str:
        had.wait(20)
        with locked_game(pk=game.pk) as locked:
            return str(locked and locked.slug)

    gave_way, acted = all_at_once(lambda: foresee(game.slug, player, "tiny.buy_cup", {}), act)
    assert isinstance(gave_way, GaveWay)
    assert acted == game.slug


def test_it_lasts_no_longer_than_it_may(game: Game, rich: Player, settings: Any) -> None:
    settings.BOUNDS = {**settings.BOUNDS, dry_acts.DRY_RUN_SECONDS.name: 0}
    with pytest.raises(Busy, match="too long"):
        foresee(game.slug, rich, "tiny.buy_cup", {})

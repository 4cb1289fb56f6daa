"""Many connections at one moment: what there is once goes to one, and each act counts once."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError, connection

from nomic.engine.catch_up import catch_up
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Busy, Receipt, Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.engine.tests.tiny import COIN, COINS, CUP, PRICE
from nomic.games.models import Game, Player
from nomic.infrastructure.caching.memory import BoundedCache
from nomic.ledger.books import Ledger
from nomic.operations.setup import advance, new_game
from tests.kit import (
    again_while_busy,
    all_at_once,
    at_the_table,
    seat,
    take_away_the_lock,
    user_of,
)

CROWD = 20


@pytest.fixture
def crowd(transactional_db: None, game: Game) -> list[Player]:
    """Twenty players who can each pay for the Cup."""
    players = [seat(game, f"player{number}") for number in range(1, CROWD + 1)]
    with at_the_table(game) as table:
        table.ledger.create_for_each(game.players.all(), PRICE, COIN)
    return players


def buy(player: Player, key: str = "") -> Callable[[], Receipt]:
    return again_while_busy(lambda: take("table", player.user, "tiny.buy_cup", key=key))


def charged(game: Game) -> int:
    """How many have paid for the Cup."""
    books = Ledger(Game.objects.get(pk=game.pk), None)
    return CROWD - len(books.balances(COIN))


def is_fair(game: Game, ends: list[Any]) -> bool:
    """One has bought the Cup and paid for it, and each of the others has read why not."""
    bought = [end for end in ends if isinstance(end, Receipt)]
    refused = [end for end in ends if isinstance(end, Refused)]
    owner = Ledger(game, None).owner_of(CUP)
    return (
        len(bought) == 1
        and len(refused) == CROWD - 1
        and charged(game) == 1
        and owner is not None
        and owner.player == bought[0].entry.actor
    )


def test_of_twenty_who_buy_the_last_one_at_once_one_gets_it_and_only_they_pay(
    game: Game, crowd: list[Player]
) -> None:
    ends = all_at_once(*(buy(player) for player in crowd))
    assert is_fair(game, ends), ends
    assert {end.refusal.code for end in ends if isinstance(end, Refused)} == {"owned"}


def test_with_the_lock_taken_away_that_goes_wrong(
    game: Game, crowd: list[Player], without_the_lock: None
) -> None:
    ends = all_at_once(*(buy(player) for player in crowd))
    assert not is_fair(game, ends)
    errors = [end for end in ends if isinstance(end, IntegrityError | OperationalError)]
    assert errors or charged(game) > 1


@pytest.fixture
def without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `take` see the game without its lock, and all see it before anybody acts."""
    take_away_the_lock(monkeypatch, CROWD)


def test_one_key_sent_twenty_times_at_once_is_one_entry_and_twenty_equal_receipts(
    game: Game, crowd: list[Player]
) -> None:
    ends = all_at_once(*[buy(crowd[0], "the same")] * CROWD)
    assert all(isinstance(end, Receipt) for end in ends), ends
    assert len({end.entry.pk for end in ends}) == 1
    assert sorted(end.repeated for end in ends) == [False] + [True] * (CROWD - 1)
    assert charged(game) == 1


def test_a_vacant_office_that_twenty_take_at_once_has_one_holder(
    game: Game, crowd: list[Player]
) -> None:
    def take_it(player: Player) -> Callable[[], Receipt]:
        return again_while_busy(
            lambda: take("table", player.user, "games.take_office", {"office": "Keeper"})
        )

    ends = all_at_once(*(take_it(player) for player in crowd))
    taken = [end.entry.actor for end in ends if isinstance(end, Receipt)]
    assert taken == [game.offices.get(name="Keeper").holder]


def test_one_name_that_twenty_newcomers_want_at_once_seats_one(
    transactional_db: None, game: Game
) -> None:
    def join(user: User) -> Callable[[], Receipt]:
        return again_while_busy(lambda: take("table", user, "games.join", {"name": "Same"}))

    ends = all_at_once(*(join(user_of(f"newcomer{number}")) for number in range(CROWD)))
    assert sum(isinstance(end, Receipt) for end in ends) == 1
    assert {end.refusal.code for end in ends if isinstance(end, Refused)} == {"name_taken"}
    assert game.players.count() == 1


def test_those_who_wait_for_a_game_get_it_in_their_order(
    transactional_db: None, game: Game
) -> None:
    """So each waits once, and no longer than it may."""
    came: list[int] = []

    def enter(number: int) -> None:
        with locked_game(pk=game.pk, wait=20):
            came.append(number)
            Game.objects.filter(pk=game.pk).update(title=f"No. {number}")
        connection.close()

    threads = [Thread(target=enter, args=(number,)) for number in range(5)]
    with locked_game(pk=game.pk), connection.cursor() as cursor:
        Game.objects.filter(pk=game.pk).update(title="Nobody's")
        for number, thread in enumerate(threads):
            thread.start()
            for _ in range(100_000):
                cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
                if cursor.fetchone()[0] > number:
                    break
    for thread in threads:
        thread.join(20)
    assert came == [0, 1, 2, 3, 4]


def test_a_game_whose_lock_is_held_too_long_is_busy_and_nothing_has_changed(
    game: Game, crowd: list[Player]
) -> None:
    def impatient(act: Callable[[], Any]) -> Callable[[], Any]:
        def run() -> Any:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '50ms'")
            return act()

        return run

    before = game.entries.count()
    with locked_game(pk=game.pk):
        act = partial(take, "table", crowd[0].user, "tiny.buy_cup")
        ends = all_at_once(impatient(act), impatient(lambda: catch_up(game.pk)))
    assert [type(end) for end in ends] == [Busy, Busy]
    assert str(ends[0]) == "The game is busy with another action. Please try again."
    assert game.entries.count() == before
    assert isinstance(buy(crowd[0])(), Receipt)


def test_a_rulebook_that_others_push_off_the_shelf_at_once_is_read_all_the_same(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomic.rulebook.text_cache.SHELF", BoundedCache(0))
    assert glance(Game.objects.get(pk=game.pk)).rules.in_force(COINS)


def test_acts_in_one_game_do_not_wait_for_another(game: Game, crowd: list[Player]) -> None:
    new_game("other", "tiny", pace="manual", start=game.anchor_game)
    with locked_game(slug="other"):
        assert isinstance(all_at_once(buy(crowd[0]))[0], Receipt)


def test_time_that_is_moved_while_people_act_keeps_the_record_in_order(
    game: Game, crowd: list[Player]
) -> None:
    def pay(number: int) -> Callable[[], Any]:
        to = crowd[number - 1].name
        return again_while_busy(
            lambda: take("table", crowd[number].user, "tiny.pay", {"coins": 1, "to": to})
        )

    later = game.anchor_game + timedelta(weeks=3)
    ends = all_at_once(
        again_while_busy(lambda: advance("table", later)), *(pay(n) for n in range(12))
    )
    assert not [end for end in ends if isinstance(end, Exception)], ends
    entries = list(game.entries.order_by("seq"))
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    ats = [entry.at for entry in entries]
    assert ats == sorted(ats)
    weeks = [entry.at for entry in entries if entry.name == "tiny.week"]
    assert [at.isoformat()[:10] for at in weeks] == ["2026-03-09", "2026-03-16", "2026-03-23"]

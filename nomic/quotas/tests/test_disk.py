"""Each game's share of the disk, and its host's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, override_settings

from nomic.engine.requests import OverItsShare
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.quotas import disk, holds, usage
from nomic.quotas.holds import goes_on
from nomic.quotas.models import Hold, UsageKind, What
from nomic.web.tokens import make_token
from tests.kit import Visitor, user_of

BURST, A_DAY = 1_000_000, 86_400_000  # so 1,000 bytes a second go


@pytest.fixture(autouse=True)
def _small_shares(db: None, settings: Any) -> None:
    settings.BOUNDS = {"disk_burst": BURST, "disk_a_day": A_DAY}


def waits(game: Game) -> bool:
    return disk.waiting_reason(game.pk, game.host_id) is not None


def test_a_share_is_met_exactly_and_passed_by_one(game: Game) -> None:
    disk.fill(game.pk, None, BURST)
    assert not waits(game)
    disk.fill(game.pk, None, 2_000)
    assert waits(game)


def test_it_leaks_and_the_game_goes_on_when_there_is_room(game: Game, settings: Any) -> None:
    disk.fill(game.pk, None, 2 * BURST)
    until = Hold.objects.get().until
    assert until
    seconds = (until - wall_now()).total_seconds()
    assert 1_090 < seconds < 1_110  # until a tenth of the share is free
    assert not Game.objects.filter(goes_on(wall_now()), pk=game.pk).exists()
    assert Game.objects.filter(goes_on(until + timedelta(seconds=1)), pk=game.pk).exists()
    assert holds.held(What.DISK, UsageKind.GAME, game.pk, until + timedelta(seconds=1)) is None


def test_acts_are_answered_with_503_and_when_to_come_back_and_nothing_is_lost(
    game: Game, player: Player, visit: Visitor
) -> None:
    disk.fill(game.pk, None, 2 * BURST)
    with pytest.raises(OverItsShare, match="has written more than its share of the disk"):
        take(game.slug, player, "games.take_office", {"office": "Horsened"})
    sent = {"office": "Horsened", "key": "a"}
    answer = visit(player).post(f"/g/{game.slug}/act/games.take_office/", sent)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 1_000
    assert "Nothing was done; try again in 19 minutes." in answer.content.decode()
    assert player.user
    _, plain = make_token(player.user, "script")
    refused = Client().post(
        f"/api/v1/games/{game.slug}/actions/games.take_office",
        {"office": "Horsened"},
        content_type="application/json",
        headers={"Authorization": f"Bearer {plain}"},
    )
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 1_000
    assert visit(player).get(f"/g/{game.slug}/").status_code == 200
    disk.let_go_on(UsageKind.GAME, game.pk, "root")
    take(game.slug, player, "games.take_office", {"office": "Horsened"})


def test_many_games_take_no_more_than_their_hosts_share(game: Game) -> None:
    host = user_of("host")
    for number in range(6):
        disk.fill(1_000_000 + number, host.pk, 400_000)
    assert not Hold.objects.filter(kind=UsageKind.GAME).exists()
    Game.objects.filter(pk=game.pk).update(host=host)
    game.refresh_from_db()
    assert waits(game)
    assert not Game.objects.filter(goes_on(wall_now()), pk=game.pk).exists()
    assert not holds.locked_out(UsageKind.USER, host.pk)


def test_what_commands_write_fills_nobodys_share(game: Game) -> None:
    with disk.exempt():
        usage.note(game.pk, entries=1, written=9 * BURST, host=None)
    assert not waits(game)


def test_a_program_of_the_operator_acts_where_players_wait(game: Game, player: Player) -> None:
    disk.fill(game.pk, None, 2 * BURST)
    take(game.slug, None, "games.pause", {"reason": "To look at it."})
    assert Game.objects.get(pk=game.pk).paused_at


def test_a_share_that_is_spent_is_told_once_however_often_it_is_passed(game: Game) -> None:
    for _ in range(5):
        disk.fill(game.pk, None, BURST)
    assert Hold.objects.count() == 1
    assert disk.shares_used(UsageKind.GAME, [game.pk])[game.pk] == pytest.approx(5, abs=0.1)


def test_without_the_cache_nothing_is_counted_and_nothing_fails(game: Game) -> None:
    dead = {
        "BACKEND": "nomic.infrastructure.caching.backend.Cache",
        "LOCATION": "unix:///nowhere/valkey.sock?db=0",
        "OPTIONS": {"IGNORE_EXCEPTIONS": True, "SOCKET_CONNECT_TIMEOUT": 0.5},
    }
    with override_settings(CACHES={"default": dead}):
        disk.fill(game.pk, None, 9 * BURST)
        assert not waits(game)
        assert disk.shares_used(UsageKind.GAME, [game.pk]) == {game.pk: 0.0}

"""The cache: what becomes of acts without it, and what it may forget."""

from django.conf import settings
from django.core.cache import cache, caches
from django.test import override_settings

from nomic.engine import watch
from nomic.games.models import Game, Player
from tests.kit import Take


def test_a_dead_cache_stops_nobody(game: Game, player: Player, act: Take) -> None:
    dead = {
        "BACKEND": "nomic.infrastructure.caching.backend.Cache",
        "LOCATION": "unix:///nowhere/valkey.sock?db=0",
        "OPTIONS": {"IGNORE_EXCEPTIONS": True, "SOCKET_CONNECT_TIMEOUT": 0.5},
    }
    with override_settings(CACHES={"default": dead}):
        act(player, "games.take_office", office="Keeper")
        watch.bump(game.pk, 7)
        watch.bump_stuck(game.pk, 7, 1)
        assert watch.mark(game.pk) is None
        assert not watch.is_worker_running()


def test_clearing_the_cache_leaves_what_others_keep_beside_it() -> None:
    redis = caches["default"].client.get_client()  # type: ignore[attr-defined]
    others = settings.CACHES["default"] | {"KEY_PREFIX": "other"}
    with override_settings(CACHES={"default": others}):
        cache.set("said", "by another")
        theirs = cache.make_key("said")
    cache.set("said", "here")
    try:
        cache.clear()
        assert cache.get("said") is None
        assert redis.exists(theirs)
    finally:
        redis.delete(theirs)

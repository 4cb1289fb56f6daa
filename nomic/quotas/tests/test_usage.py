"""What games, users, tokens and rules are told to have cost."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.test import override_settings

from nomic.engine.outcomes import Refused
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.quotas import usage
from nomic.quotas.models import UsageKind, Used
from nomic.quotas.usage import UsedAmounts, Whose
from tests.kit import Take, all_at_once

pytestmark = pytest.mark.django_db

GAME = Whose(UsageKind.GAME, 1)


@pytest.fixture(autouse=True)
def _nothing_counted() -> Iterator[None]:
    """Nothing was counted on this day, which does not end while the test counts."""
    with time_machine.travel(wall_now(), tick=False):
        cache.counted(usage._key(wall_now().date()), anew=True)  # type: ignore[attr-defined]
        yield


def today(whose: Whose) -> UsedAmounts:
    return usage.costs_by_day(whose, 1)[0][1]


def test_what_is_noted_is_seen_at_once_and_stays_when_it_is_kept() -> None:
    usage.note(1, rule="Meteor", seconds=0.5, entries=1, written=700)
    usage.note(1, seconds=0.25, entries=2)
    expected = UsedAmounts(microseconds=750_000, entries=3, bytes=700)
    assert today(GAME) == expected
    assert usage.store() == 2
    assert today(GAME) == expected
    usage.note(1, seconds=1)
    assert today(GAME).seconds == 1.75
    usage.store()
    assert Used.objects.get(kind=UsageKind.GAME, number=1).microseconds == 1_750_000
    assert today(Whose(UsageKind.RULE, 1, "Meteor")) == UsedAmounts(500_000, entries=1, bytes=700)


def test_a_rule_may_have_any_title() -> None:
    title = "1/2 of “all” / tout"
    usage.note(3, rule=title, seconds=1)
    usage.store()
    assert usage.costliest(UsageKind.RULE, wall_now().date(), 5) == [
        (Whose(UsageKind.RULE, 3, title), UsedAmounts(1_000_000))
    ]


def test_a_request_counts_once_for_all_who_asked_for_it() -> None:
    user, token = Whose(UsageKind.USER, 5), Whose(UsageKind.TOKEN, 6)
    with usage.of_a_request() as noted:
        usage.note(1, rule="Meteor", seconds=0.125, entries=1, written=500)
        assert today(GAME) == UsedAmounts()
    usage.end_request(noted, [user, token], 0.25)
    assert today(GAME) == UsedAmounts(250_000, requests=1, entries=1, bytes=500)
    assert today(user) == today(token) == UsedAmounts(250_000, requests=1, bytes=500)
    assert today(Whose(UsageKind.RULE, 1, "Meteor")).seconds == 0.125


def test_who_used_most_comes_first_whether_it_is_kept_already_or_not() -> None:
    for game, seconds in ((1, 3), (2, 1), (3, 2)):
        usage.note(game, seconds=seconds)
    usage.store()
    usage.note(2, seconds=4)
    usage.note(4, seconds=0.5)
    found = usage.costliest(UsageKind.GAME, wall_now().date(), 3)
    assert [(whose.number, cost.seconds) for whose, cost in found] == [(2, 5), (1, 3), (3, 2)]


def test_each_day_is_its_own_and_a_month_is_kept() -> None:
    day = wall_now().date()
    for back in (0, 1, usage.KEPT_DAYS, usage.KEPT_DAYS + 1):
        Used.objects.create(day=day - timedelta(days=back), kind="game", number=1, entries=back + 1)
    usage.store()
    assert [cost.entries for _, cost in usage.costs_by_day(GAME, 3)] == [1, 2, 0]
    assert Used.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_of_two_who_keep_at_once_each_keeps_its_part() -> None:
    for game in range(50):
        usage.note(game, entries=1)
    kept = all_at_once(*[usage.store] * 4)
    assert sum(kept) == 50
    assert sorted(Used.objects.values_list("entries", flat=True)) == [1] * 50


def test_without_the_cache_nothing_is_counted_and_nothing_fails() -> None:
    dead = {
        "BACKEND": "nomic.infrastructure.caching.backend.Cache",
        "LOCATION": "unix:///nowhere/valkey.sock?db=0",
        "OPTIONS": {"IGNORE_EXCEPTIONS": True, "SOCKET_CONNECT_TIMEOUT": 0.5},
    }
    with override_settings(CACHES={"default": dead}):
        usage.note(1, seconds=1)
        assert usage.store() == 0
        assert today(GAME) == UsedAmounts()


@pytest.mark.django_db(transaction=True)
def test_an_entry_weighs_what_it_is_and_a_refused_act_nothing(
    game: Game, player: Player, act: Take
) -> None:
    whose = Whose(UsageKind.GAME, game.pk)
    before = today(whose)
    entry = act(player, "games.take_office", office="Horsened").entry
    cost = today(whose)
    assert cost.entries - before.entries == 1
    assert len(entry.text) < cost.bytes - before.bytes < 5_000
    with pytest.raises(Refused):
        act(player, "games.take_office", office="Horsened")
    assert today(whose).entries == cost.entries

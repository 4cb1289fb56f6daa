"""A practice game can be removed whole, and no other loses anything by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.utils import InternalError

from nomic.engine.outcomes import UnknownGame
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.governance.bots import add_bots
from nomic.operations.audit import audit, audit_guards
from nomic.operations.replay import replay
from nomic.operations.scratch import NotRemoved, remove_game
from nomic.operations.setup import advance, new_game
from nomic.record.models import Entry
from nomic.simulation.practice import play
from tests.kit import user_of

_BEGINS = datetime(2022, 8, 8, tzinfo=UTC)


def counted() -> dict[str, int]:
    """How many rows each table has, but those of users, who stay."""
    return {
        model._meta.label: model._base_manager.count()
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and model._meta.app_label not in ("auth", "account")
    }


def lived(slug: str, moves: int) -> Game:
    game, _ = new_game(slug, "demo", pace="manual", start=_BEGINS)
    take(slug, user_of("visitor"), "games.join", {"name": "visitor"})
    advance(slug, _BEGINS + timedelta(hours=1))
    add_bots(game, 4)
    for _ in range(moves):
        game.refresh_from_db()
        advance(slug, game.now(wall_now()) + timedelta(hours=6))
        play(game, wall_now())
    game.refresh_from_db()
    return game


@pytest.mark.thorough
@pytest.mark.django_db
def test_nothing_is_left_of_a_game_that_is_removed_and_all_of_the_others() -> None:
    kept = lived("kept", 3)
    before = counted()
    gone = lived("gone", 24)
    assert sum(counted().values()) > sum(before.values()) + 200
    assert remove_game(gone) > 200
    assert counted() == before
    assert not [finding for finding in audit(kept) if finding.wrong]
    assert audit_guards().wrong == ""
    assert replay(kept)[1] is None
    with pytest.raises(UnknownGame):
        remove_game(gone)


@pytest.mark.thorough
@pytest.mark.django_db
def test_after_a_removal_what_is_kept_for_good_is_guarded_again() -> None:
    remove_game(lived("gone", 0))
    lived("kept", 0)
    with pytest.raises((IntegrityError, InternalError)), transaction.atomic():
        Entry.objects.all().delete()


@pytest.mark.django_db
def test_a_game_at_real_pace_is_not_removed() -> None:
    game, _ = new_game("slow", "agora", pace="real")
    with pytest.raises(NotRemoved):
        remove_game(game)
    assert Game.objects.filter(pk=game.pk).exists()

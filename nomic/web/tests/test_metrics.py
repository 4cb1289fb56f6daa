"""The operator's figures: true, and for nobody else."""

from __future__ import annotations

from datetime import timedelta
from math import inf
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings as settings_of_the_site
from django.core.cache import cache
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families as parse
from redis.backoff import NoBackoff
from redis.retry import Retry

from nomic.engine import watch
from nomic.engine.models import Appointment
from nomic.engine.outcomes import Refused
from nomic.engine.schedule import Schedule
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices.models import Notice, Outgoing
from nomic.operations.monitoring import metrics
from tests.kit import Take, Visitor, user_of


@pytest.fixture
def operator(db: None) -> Client:
    user = user_of("operator")
    user.is_superuser = True
    user.save()
    client = Client()
    client.force_login(user)
    return client


def figures(client: Client, **headers: str) -> dict[str, float]:
    """The samples by name and labels."""
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    return {
        " ".join((sample.name, *sample.labels.values())): sample.value
        for family in parse(answer.content.decode())
        for sample in family.samples
    }


def test_nobody_but_the_operator_finds_anything_there(
    player: Player, officer: Player, visit: Visitor, operator: Client, settings: Any
) -> None:
    for client in (visit(), visit(player), visit(officer)):
        answer = client.get("/metrics")
        assert answer.status_code == 404
        assert "No game, rule, entry or page has this address." in " ".join(answer.text.split())
        assert "Http404" not in answer.text
        assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = "a token"
    wrong = ("Bearer a toke", "a token", "Basic a token", "Bearer é")
    for sent in wrong:
        assert visit().get("/metrics", headers={"Authorization": sent}).status_code == 404
    assert figures(visit(), Authorization="Bearer a token")
    assert figures(operator)


def test_actions_refusals_and_notices_are_counted_for_all_processes_together(
    player: Player, act: Take, operator: Client
) -> None:
    cache.clear()
    act(player, "horses.gain_dollaries")
    for _ in range(2):
        with pytest.raises(Refused):
            act(player, "horses.gain_dollaries")
    found = figures(operator)
    assert found["nomic_action_seconds_count"] == 3
    assert found["nomic_action_seconds_bucket +Inf"] == 3
    assert 0 < found["nomic_action_seconds_sum"] < 60
    refused = {name: n for name, n in found.items() if name.startswith("nomic_refusals_total")}
    assert list(refused.values()) == [2]
    assert found["nomic_notices_untold"] == Outgoing.objects.count()
    assert found["nomic_notices_waiting mail"] == 0
    assert found["nomic_notices_sending mail"] == 0


def test_a_letter_that_a_worker_began_and_never_ended_is_counted(
    player: Player, game: Game, operator: Client
) -> None:
    told = Notice.objects.create(
        user=player.user, game=game, kind="vote", text="x", url="/", at=wall_now(), about="x"
    )
    told.deliveries.create(way="mail", due_at=wall_now(), state="sending", claim=told.number)
    assert figures(operator)["nomic_notices_sending mail"] == 1


def test_how_late_the_clock_is_and_how_much_is_due(game: Game, operator: Client) -> None:
    before = figures(operator)
    assert (before["nomic_clock_lateness_seconds"], before["nomic_appointments_due"]) == (0, 0)
    late = wall_now() - timedelta(days=15)
    Game.objects.filter(pk=game.pk).update(
        pace="real", rate=1, anchor_wall=late, anchor_game=game.now(wall_now())
    )
    game.refresh_from_db()
    Schedule(game, game.now(late)).note_next_due()
    found = figures(operator)
    assert found["nomic_clock_lateness_seconds"] > 24 * 60 * 60
    now = game.now(wall_now())
    due = Appointment.objects.filter(game=game, status="waiting", due__lte=now).count()
    assert found["nomic_appointments_due"] == due > 0


def test_requests_are_counted_by_kind_and_status(game: Game, operator: Client) -> None:
    figures(operator)  # tells the cache what this process has counted before
    cache.clear()
    for path in ("/", "/g/table/", "/nowhere/", "/api/v1/games", "/healthz"):
        operator.get(path)
    found = figures(operator)
    asked = {name: n for name, n in found.items() if name.startswith("nomic_requests_total")}
    assert asked == {
        "nomic_requests_total page 200": 2,
        "nomic_requests_total page 404": 1,
        "nomic_requests_total api 200": 1,
        "nomic_requests_total probe 200": 2,  # and that for the figures before
    }
    assert found["nomic_request_seconds_count page"] == 3
    assert found["nomic_request_seconds_bucket page +Inf"] == 3


def test_the_queue_the_broker_and_the_sweeps_are_told(operator: Client) -> None:
    watch.beat(wall_now() - timedelta(seconds=40))
    found = figures(operator)
    assert found["nomic_broker_up"] == 1
    assert {name.split()[1] for name in found if name.startswith("nomic_queue_length")} == set(
        settings_of_the_site.CELERY_TASK_QUEUES
    )
    assert 39 < found["nomic_sweep_age_seconds"] < 100


def test_a_broker_that_is_away_is_told(operator: Client, monkeypatch: Any) -> None:
    away = redis.Redis(host="127.0.0.1", port=1, retry=Retry(NoBackoff(), 0))
    monkeypatch.setattr(metrics, "get_redis_connection", lambda: away)
    found = figures(operator)
    assert found["nomic_broker_up"] == 0
    assert not [name for name in found if name.startswith("nomic_queue_length")]


def test_how_old_the_newest_backup_is(operator: Client, settings: Any, tmp_path: Path) -> None:
    assert "nomic_backup_age_seconds" not in figures(operator)
    settings.BACKUPS = str(tmp_path)
    assert figures(operator)["nomic_backup_age_seconds"] == inf
    (tmp_path / "nomic-1.dump").touch()
    assert figures(operator)["nomic_backup_age_seconds"] < 60

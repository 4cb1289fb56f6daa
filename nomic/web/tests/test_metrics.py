"""The operator's figures: true, and for nobody else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families as parse

from nomic.engine.models import Appointment
from nomic.engine.outcomes import Refused
from nomic.engine.schedule import Schedule
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices.models import Notice, Outgoing
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

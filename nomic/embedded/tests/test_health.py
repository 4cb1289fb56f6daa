from datetime import timedelta

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory

from nomic.engine import watch
from nomic.engine.outcomes import Busy
from nomic.games.clock import wall_now
from nomic.operations.monitoring import health


@pytest.mark.django_db
def test_healthz_says_that_web_and_database_work(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"web": True, "database": True}


def test_a_busy_game_is_asked_for_again_and_a_bug_is_no_outage(rf: RequestFactory) -> None:
    def answer_to(error: Exception, path: str = "/g/races/") -> HttpResponse:
        try:
            raise error
        except Exception:
            return health.server_error(rf.get(path))

    busy = answer_to(Busy())
    assert busy.status_code == 503
    assert "Try again" in busy.text or "try again" in busy.text
    assert b"The game is busy" in answer_to(Busy(), "/api/v1/games").content

    gone = answer_to(OperationalError("server closed the connection unexpectedly"))
    assert gone.status_code == 503
    assert "database does not answer" in gone.text

    assert answer_to(ZeroDivisionError()).status_code == 500


def test_what_cannot_be_answered_now_says_when_to_ask_again(rf: RequestFactory) -> None:
    middleware = health.ask_to_come_back(lambda request: HttpResponse(status=503))
    assert middleware(rf.get("/")).headers["Retry-After"] == "2"
    middleware = health.ask_to_come_back(lambda request: HttpResponse())
    assert "Retry-After" not in middleware(rf.get("/")).headers


@pytest.mark.django_db
def test_readyz_wants_a_worker_that_swept_lately(client: Client) -> None:
    assert client.get("/readyz").json() == {
        "web": True,
        "database": True,
        "broker": True,
        "worker": False,
        "on_time": True,
        "late": 0.0,
    }
    watch.beat(wall_now())
    assert client.get("/readyz").status_code == 200
    watch.beat(wall_now() - timedelta(minutes=1))
    assert client.get("/readyz").status_code == 503

"""Reports are made one after the other, so that the worker has time for games that go on."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.revision import CannotRecalculate, Revision, ask, progress
from nomic.operations import tasks
from nomic.operations.tasks import LOCK


@pytest.fixture
def asked(young: Game, monkeypatch: pytest.MonkeyPatch) -> Recalculation:
    """One that no worker has heard of yet."""
    monkeypatch.setattr("nomic.governance.recalculation.revision._CALCULATORS", [])
    bet = young.entries.filter(name="horses.bet").earliest("seq")
    return ask(young, young.players.get(name="player1"), Revision("strike", bet.seq))


@pytest.mark.thorough
def test_one_waits_while_another_is_made(
    asked: Recalculation, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Any] = []
    monkeypatch.setattr(tasks.recalculate, "apply_async", lambda *given, **how: later.append(given))
    other = connection.copy()  # that of another process, which makes one
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, hashtext(''))", [LOCK])
            tasks.recalculate(asked.pk)
            assert later == [((asked.pk,),)]
            assert not Recalculation.objects.get().is_done
            cursor.execute("SELECT pg_advisory_unlock(%s, hashtext(''))", [LOCK])
    finally:
        other.close()
    tasks.recalculate(asked.pk)
    assert Recalculation.objects.get().is_done


@pytest.mark.thorough
def test_nothing_outlives_a_transaction_on_a_connection_that_a_pooler_lends(
    asked: Recalculation,
) -> None:
    with CaptureQueriesContext(connection) as said:
        tasks.recalculate(asked.pk)
    words = [each["sql"] for each in said]
    assert any(each.startswith("SET LOCAL") for each in words)
    lasting = re.compile(r"SET (?!LOCAL|TRANSACTION|CONSTRAINTS)|RESET|LISTEN|.*advisory_(un)?lock")
    assert [each for each in words if lasting.match(each)] == []


def test_how_far_it_is_is_told_to_its_end(asked: Recalculation) -> None:
    assert progress(asked) is None
    tasks.recalculate(asked.pk)
    assert progress(asked) == (25, 25)


@pytest.mark.parametrize(
    ("bound", "most", "said"),
    [
        ("recalculated", 24, "This past has 25 acts, and this site plays 24 again at most."),
        ("recalculation_seconds", -1, "This takes longer than the -1 seconds"),
    ],
)
def test_what_takes_too_long_for_a_worker_says_what_to_do(
    asked: Recalculation, settings: Any, bound: str, most: int, said: str
) -> None:
    settings.BOUNDS = {bound: most}
    tasks.recalculate(asked.pk)
    refused = Recalculation.objects.get()
    assert refused.refusal.startswith(said)
    assert f"`manage.py recalculate {asked.game.slug}`" in refused.refusal
    assert list(Game.objects.all()) == [asked.game], "nothing is left of its copy"


def test_so_many_are_asked_for_within_a_day(
    asked: Recalculation, young: Game, settings: Any
) -> None:
    settings.BOUNDS = {"recalculations_of_player": 2, "recalculations": 3}
    one, other = (young.players.get(name=name) for name in ("player1", "player2"))
    revision = Revision.of(asked.revision)
    for player, who in ((one, "A player"), (other, "A game")):
        Recalculation.objects.update(refusal="It is over.")
        ask(young, player, revision)
        Recalculation.objects.update(refusal="It is over.")
        with pytest.raises(CannotRecalculate, match=f"{who} asks for at most . recalculations"):
            ask(young, player, revision)
    Recalculation.objects.update(asked_at=wall_now() - timedelta(days=2))
    ask(young, one, revision)

"""What an act has made due happens at once, and never costs its actor the receipt."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import Error, OperationalError, connection
from django.test.utils import CaptureQueriesContext

from nomic.engine.actions import _ACTIONS, Action, action
from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.effects import Appoint, Effects
from nomic.engine.outcomes import Busy, Outcome
from nomic.engine.table import Table
from nomic.engine.tests.scales import KIND, WEDNESDAY, Works, told, wrong_with
from nomic.engine.tests.tiny import SCRIPTS
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from tests.kit import Take


class Ring(Action):
    """Make something happen at once."""

    name = "tiny.ring"
    title = "Ring"

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.preset == "tiny")

    def judge(self, table: Table, player: Player) -> Effects:
        bell = f"bell {table.seq}"
        rings = (Appoint(kind, table.now, bell) for kind in self.kinds)
        return Effects(*rings, say=f"{player} rings.")

    kinds: tuple[str, ...] = ("tiny.scripted", "tiny.early")


@pytest.fixture
def bell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ring]:
    action(Ring)
    ring = _ACTIONS["tiny.ring"]
    assert isinstance(ring, Ring)
    yield ring
    del _ACTIONS["tiny.ring"]


def test_what_an_act_makes_due_happens_at_once(
    game: Game, player: Player, act: Take, bell: Ring
) -> None:
    receipt = act(player, "tiny.ring", key="k1")
    number = receipt.entry.seq
    assert receipt.entry.text == "Murphy rings."
    assert told(game) == [f"bell {number} happens first.", f"bell {number} happens."]
    assert act(player, "tiny.ring", key="k1").repeated
    assert catch_up(game.pk) == 0
    assert wrong_with(game) == ""


def test_an_act_whose_event_cannot_happen_is_done_all_the_same(
    game: Game, player: Player, act: Take, bell: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    bell.kinds = ("tiny.scripted",)
    subject = f"bell {game.last_entry + 2}"
    monkeypatch.setitem(SCRIPTS, subject, lambda table: 1 / 0)  # type: ignore[arg-type,return-value]
    entry = act(player, "tiny.ring").entry
    game.refresh_from_db()
    assert (entry.text, game.state, game.stuck_at) == ("Murphy rings.", "stuck", WEDNESDAY)
    assert game.last_entry == entry.seq


def test_an_act_after_which_the_game_is_busy_or_the_database_gone_has_its_receipt(
    game: Game, player: Player, act: Take, bell: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(error: Exception) -> Callable[..., int]:
        def catch_up(*_: Any, **__: Any) -> int:
            raise error

        return catch_up

    errors: list[Exception] = [Busy(), OperationalError("gone"), Error("gone")]
    for error in errors:
        with monkeypatch.context() as broken:
            broken.setattr("nomic.engine.take.catch_up", fail(error))
            assert act(player, "tiny.ring").entry.text == "Murphy rings."
        catch_up(game.pk)
    assert game.entries.filter(name="tiny.scripted").count() == len(errors)


def test_what_has_to_be_prepared_is_left_to_the_next_sweep(
    game: Game, player: Player, act: Take, bell: Ring, works: Works
) -> None:
    bell.kinds = (KIND,)
    assert act(player, "tiny.ring").entry.text == "Murphy rings."
    assert works.calls == told(game) == []
    Game.objects.filter(pk=game.pk).update(wakes_at=wall_now())
    assert sweep() == 1


def test_events_without_end_do_not_keep_an_actor_waiting(
    game: Game, player: Player, act: Take, bell: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(table: Table) -> Outcome:
        table.appointments.make("tiny.scripted", table.now, f"bell {table.seq}")
        return Outcome("again")

    class Endless(dict[str, Any]):
        def __missing__(self, key: str) -> Any:
            return again

    monkeypatch.setattr("nomic.engine.tests.tiny.SCRIPTS", Endless())
    monkeypatch.setattr("nomic.engine.take._MOST_AT_ONCE", 3)
    bell.kinds = ("tiny.scripted",)
    assert act(player, "tiny.ring").entry.text == "Murphy rings."
    assert told(game) == ["again"] * 3


def test_an_act_that_makes_nothing_due_costs_nothing_more(
    game: Game, player: Player, act: Take, bell: Ring
) -> None:
    bell.kinds = ()
    act(player, "tiny.ring")
    with CaptureQueriesContext(connection) as queries:
        act(player, "tiny.ring")
    locks = [each for each in queries if "FOR NO KEY UPDATE" in each["sql"]]
    assert len(locks) == 1

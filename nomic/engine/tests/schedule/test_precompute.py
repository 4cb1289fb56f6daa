"""Events that are prepared: what takes long is worked out before anybody has to wait for it."""

import io
import json
from collections.abc import Callable
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.dry_run import rehearse
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Busy, Outcome, Receipt
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.engine.tests.scales import (
    FRIDAY,
    KIND,
    THURSDAY,
    Work,
    Works,
    let_it_be_late,
    no_scales,
    told,
    weigh,
    wrong_with,
)
from nomic.engine.tests.tiny import COIN
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.ledger.books import ReadOnly
from nomic.operations.exports import export_game, import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.setup import set_pace
from tests.kit import Take, all_at_once, at_the_table, seat

# What happens

pytestmark = pytest.mark.usefixtures("works")


def test_what_was_prepared_is_at_the_table_and_in_the_entry(late: Game, works: Works) -> None:
    assert catch_up(late.pk) == 2
    entry = late.entries.get(name=KIND)
    prepared = {"coins": {"Murphy": 3}, "at": THURSDAY.isoformat()}
    assert entry.inputs == {"subject": "scales", "prepared": prepared}
    assert entry.text == f"scales: {json.dumps(prepared, sort_keys=True)}"
    assert works.calls == ["scales"]
    assert wrong_with(late) == ""
    assert works.calls == ["scales", "scales"], "a replay prepares it again, and compares"


def test_a_sweep_and_the_command_that_moves_time_prepare_it_as_well(
    late: Game, player: Player, works: Works
) -> None:
    assert sweep() == 2
    Game.objects.filter(pk=late.pk).update(anchor_game=THURSDAY)
    take(late.slug, player, "tiny.appoint", {"day": 6})
    call_command("advance", late.slug, to="2026-03-07")
    assert works.calls == ["scales", "scales"]
    assert wrong_with(late) == ""


def test_what_json_makes_of_it_is_what_the_handler_sees(late: Game, works: Works) -> None:
    works.work = lambda table, subject: {"pair": (1, 2), "by": {7: "seven"}}  # type: ignore[dict-item]
    catch_up(late.pk)
    assert told(late)[0] == 'scales: {"by": {"7": "seven"}, "pair": [1, 2]}'
    assert wrong_with(late) == ""


def test_who_prepares_has_no_lock_and_no_transaction_and_writes_nothing(
    transactional_db: None, game: Game, works: Works
) -> None:
    player = seat(game, "Murphy")
    let_it_be_late(game, player)
    seen: list[Any] = []

    def look_around(table: Table, subject: str) -> dict[str, Any]:
        seen.append(connection.in_atomic_block)
        seen.append(connection.connection.info.transaction_status.name)
        with pytest.raises(ReadOnly):
            table.ledger.create(player, 1, COIN)
        (free,) = all_at_once(lambda: can_be_locked(game))
        seen.append(free)
        return {}

    works.work = look_around
    assert catch_up(game.pk) == 2
    assert seen == [False, "IDLE", True]


def can_be_locked(game: Game) -> bool:
    free = Game.objects.select_for_update(no_key=True, skip_locked=True)
    with transaction.atomic():
        return free.filter(pk=game.pk).first() is not None


def test_a_game_on_its_way_costs_as_much_as_before(game: Game, player: Player) -> None:
    """What needs no preparing takes one transaction and nothing more."""
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", THURSDAY, "first")
        table.appointments.make(KIND, THURSDAY, "scales")
    Game.objects.filter(pk=game.pk).update(anchor_game=FRIDAY)
    with CaptureQueriesContext(connection) as plain:
        assert catch_up(game.pk, limit=1) == 1
    with CaptureQueriesContext(connection) as prepared:
        assert catch_up(game.pk, limit=1) == 1
    looked_again = 4  # at the game and at what is next, within a transaction
    assert len(prepared) <= len(plain) + looked_again + 1


# Those who only want to act


def test_who_acts_does_not_prepare_but_is_asked_to_try_again(
    late: Game, player: Player, act: Take, works: Works
) -> None:
    before = late.last_entry
    with pytest.raises(Busy):
        act(player, "tiny.whisper", words="plugh")
    late.refresh_from_db()
    assert (late.last_entry, late.sealed_count, works.calls) == (before, 0, [])
    sweep()
    assert act(player, "tiny.whisper", words="plugh").entry.text == "Murphy whispers plugh."


def test_who_looks_at_a_preview_does_not_prepare_either(
    game: Game, officer: Player, works: Works
) -> None:
    let_it_be_late(game, officer)
    with pytest.raises(Busy):
        rehearse(game.slug, officer.user, "games.resume", {})
    assert works.calls == []


def test_a_change_of_pace_by_the_operator_comes_after_it(late: Game, works: Works) -> None:
    set_pace(late.slug, "fast")
    assert works.calls == ["scales"]


# Somebody else acts meanwhile


def test_what_was_prepared_while_somebody_acted_is_prepared_anew(late: Game, works: Works) -> None:
    def with_a_tip(table: Table, subject: str) -> dict[str, Any]:
        if len(works.calls) < 3:
            tip(late)
        return weigh(table, subject)

    works.work = with_a_tip
    assert catch_up(late.pk) == 2
    assert works.calls == ["scales"] * 3
    assert late.entries.get(name=KIND).inputs["prepared"]["coins"] == {"Murphy": 5}


def tip(game: Game) -> None:
    """One coin more for everybody, as an entry of the record."""
    with at_the_table(game) as table:
        table.ledger.create_for_each(game.players.all(), 1, COIN)


def test_a_private_act_meanwhile_counts_as_well(late: Game, works: Works) -> None:
    def with_a_whisper(table: Table, subject: str) -> dict[str, Any]:
        if len(works.calls) < 2:
            with locked_game(pk=late.pk) as locked:
                assert locked is not None
                there = Table(locked, locked.now(wall_now()), wall_now(), locked=True)
                there.seal("tiny.whisper", None, {}, Outcome("psst"))
        return weigh(table, subject)

    works.work = with_a_whisper
    catch_up(late.pk, limit=1)
    assert works.calls == ["scales"] * 2


def test_a_game_in_which_somebody_always_acts_meanwhile_is_busy(late: Game, works: Works) -> None:
    def with_a_tip(table: Table, subject: str) -> dict[str, Any]:
        tip(late)
        return weigh(table, subject)

    works.work = with_a_tip
    with pytest.raises(Busy):
        catch_up(late.pk)
    assert len(works.calls) == 5
    assert sweep() == 0
    works.work = weigh
    assert sweep() == 2


def test_what_is_cancelled_while_it_is_prepared_does_not_happen(late: Game, works: Works) -> None:
    def in_vain(table: Table, subject: str) -> dict[str, Any]:
        with at_the_table(late) as other:
            other.appointments.cancel(KIND, "scales")
        return weigh(table, subject)

    works.work = in_vain
    assert catch_up(late.pk) == 1
    assert told(late) == ["afterwards happens."]


def test_people_act_and_another_worker_prepares_while_one_takes_long(
    transactional_db: None, game: Game, works: Works
) -> None:
    player = seat(game, "Murphy")
    let_it_be_late(game, player)
    begun, may_end = Signal(), Signal()

    def take_long(table: Table, subject: str) -> dict[str, Any]:
        found = weigh(table, subject)
        if len(works.calls) == 1:
            begun.set()
            may_end.wait(20)
        return found

    works.work = take_long
    ends: list[Any] = []
    slow = Thread(target=lambda: ends.append(on_its_own(lambda: catch_up(game.pk))))
    slow.start()
    assert begun.wait(20)
    (quick,) = all_at_once(lambda: sweep())
    (paid,) = all_at_once(lambda: take(game.slug, player.user, "games.leave"))
    may_end.set()
    slow.join(30)
    assert (quick, ends) == (2, [0])
    assert isinstance(paid, Receipt)
    assert game.entries.filter(name=KIND).count() == 1
    assert wrong_with(game) == ""


def on_its_own(call: Callable[[], Any]) -> Any:
    try:
        return call()
    finally:
        connection.close()


# The past again


def lines_of(game: Game) -> list[dict[str, Any]]:
    file = io.StringIO()
    export_game(game, file)
    return [json.loads(line) for line in file.getvalue().splitlines()]


def test_what_was_prepared_goes_elsewhere_with_the_game(late: Game, works: Works) -> None:
    catch_up(late.pk)
    late.refresh_from_db()
    copy = import_game([json.dumps(line) for line in lines_of(late)], slug="copy")
    assert copy.record_head == late.record_head
    assert wrong_with(copy) == ""


@pytest.mark.parametrize("preparing", [no_scales, lambda table, subject: {"coins": {}}])
def test_what_is_prepared_otherwise_or_not_at_all_where_it_goes_is_not_taken_in(
    late: Game, works: Works, preparing: Work
) -> None:
    """A file is believed in nothing that can be worked out anew."""
    catch_up(late.pk)
    late.refresh_from_db()
    lines = [json.dumps(line) for line in lines_of(late)]
    works.work = preparing
    with pytest.raises(BadRecording, match=r"no such number|it was prepared as .* and is now as"):
        import_game(lines, slug="copy")
    assert not Game.objects.filter(slug="copy").exists()
    assert works.calls == ["scales", "scales"]


@pytest.mark.parametrize("inputs", [{"subject": "scales"}, {"prepared": {}}, {"prepared": 7}])
def test_a_file_in_which_it_was_tampered_with_is_not_taken_in(
    late: Game, works: Works, inputs: dict[str, Any]
) -> None:
    catch_up(late.pk)
    late.refresh_from_db()
    lines = lines_of(late)
    entries = [line["entry"] for line in lines if "entry" in line]
    next(entry for entry in entries if entry["name"] == KIND)["inputs"] = inputs
    with pytest.raises(BadRecording):
        import_game([json.dumps(line) for line in lines], slug="copy")

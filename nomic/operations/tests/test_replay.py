"""The past again: whatever may happen to a game, its recorded inputs rebuild it."""

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.digest import state_of
from nomic.engine.events import find_event
from nomic.engine.models import CountedIn
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.engine.tests.tiny import COIN, COINS, TINY
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import replay
from nomic.operations.setup import new_game, set_pace
from nomic.record.heads import Head
from tests.kit import Take, open_at_real_pace, seat

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
WEEK = timedelta(weeks=1)


@pytest.fixture
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        yield wall


@pytest.fixture
def game(db: None, wall: time_machine.Traveller) -> Game:
    """A game at real pace, which shifts by outages."""
    return open_at_real_pace("table", TINY, after_outage="shift")


@pytest.fixture
def eventful(
    game: Game, wall: time_machine.Traveller, act: Take, monkeypatch: pytest.MonkeyPatch
) -> Game:
    """A game to which everything has happened that can happen to one."""
    murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")
    act(murphy, "games.take_office", key="k1", office="Keeper")
    give = {"amount": 20, "asset": COIN, "giver": "Mint", "receiver": "Madrid"}
    act(murphy, "ledger.correct", **give, reason="a start")
    act(madrid, "tiny.buy_cup")
    act(madrid, "tiny.whisper", key="k2", words="xyzzy")
    wall.move_to(WEDNESDAY + WEEK)
    sweep()
    wall.shift(timedelta(seconds=90))
    act(murphy, "games.pause", reason="holidays")
    wall.shift(timedelta(days=1))
    act(murphy, "games.resign_office", office="Keeper")
    wall.shift(timedelta(days=2))
    act(murphy, "games.take_office", office="Keeper")
    act(murphy, "games.resume")
    wall.move_to(WEDNESDAY + 5 * WEEK)
    sweep()
    with monkeypatch.context() as broken:
        broken.setattr("nomic.ledger.books.Ledger.create_for_each", None)
        wall.shift(WEEK)
        sweep()
        act(murphy, "ledger.correct", **{**give, "receiver": "Murphy"}, reason="while stuck")
        act(murphy, "games.resign_office", office="Keeper")
        act(murphy, "games.take_office", office="Keeper")
        act(murphy, "games.retry_appointment")
        catch_up(game.pk)
        act(murphy, "games.skip_appointment", reason="no coins this week")
    act(madrid, "tiny.whisper", words="plugh")
    act(None, "rulebook.amend", rule=COINS, text="No coins any more.", reason="as voted")
    act(murphy, "games.resign_office", office="Keeper")
    act(madrid, "games.leave")
    act(madrid.user, "games.join", name="Madrid")
    wall.shift(WEEK)
    sweep()
    game.refresh_from_db()
    return game


def test_an_eventful_game_replays_to_the_same_state(eventful: Game) -> None:
    agreed, difference = replay(eventful)
    assert difference is None
    assert (
        agreed
        == eventful.entries.count() + eventful.sealed_entries.exclude(name="record.anchor").count()
    )


@pytest.mark.thorough
def test_an_eventful_game_passes_the_audit(eventful: Game) -> None:
    assert [str(finding) for finding in audit(eventful) if finding.wrong] == []


@pytest.mark.parametrize("name", ["tiny.whisper", "games.leave"])
@pytest.mark.parametrize(
    ("saw", "sentence"),
    [
        ([2, "f" * 64], "had seen another entry 2"),
        ([9999, "f" * 64], "had seen another entry 9999"),
        ([2, None], "is no head"),
        ([9, "f" * 64, "0" * 16, "f" * 128], "had seen another entry 9"),
    ],
)
def test_the_audit_looks_at_what_actors_had_seen(
    game: Game, player: Player, name: str, saw: list[object], sentence: str
) -> None:
    before = Head(game.last_entry, game.record_head)
    made = take(game.slug, player, name, {"words": "plugh"}, saw=before).entry
    game.refresh_from_db()
    assert [str(finding) for finding in audit(game) if finding.wrong] == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        type(made).objects.filter(pk=made.pk).update(saw=saw)
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert any(sentence in finding.wrong for finding in audit(game))


@pytest.mark.thorough
def test_a_replay_leaves_no_trace(eventful: Game) -> None:
    before = state_of(eventful)
    replay(eventful)
    assert Game.objects.count() == 1
    assert state_of(eventful) == before


def test_a_game_goes_on_elsewhere_from_one_file(eventful: Game) -> None:
    file = io.StringIO()
    export_game(eventful, file)
    copy = import_game(file.getvalue().splitlines(), slug="copy", seat_users=True)
    assert state_of(copy) == state_of(eventful)
    assert list(copy.entries.values_list("hash")) == list(eventful.entries.values_list("hash"))
    assert replay(copy)[1] is None
    assert [str(finding) for finding in audit(copy) if finding.wrong] == []
    assert (copy.clock, copy.next_due) == (eventful.clock, eventful.next_due)


def test_hours_that_pass_in_a_pause_pass_in_the_replay(
    db: None, wall: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The week's event, run again, makes the same appointments again."""
    hand_out = find_event("tiny.week").handler

    def ring(table: Table, subject: str) -> Outcome:
        for hours in (1, 2, 50):
            due = table.now + timedelta(hours=hours)
            table.appointments.make("tiny.early", due, "bell", counted_in=CountedIn.HOURS)
        return hand_out(table, subject)

    monkeypatch.setattr(find_event("tiny.week"), "handler", ring)
    game, _ = new_game("hours", TINY, pace="real", after_outage="shift")
    wall.move_to(WEDNESDAY + timedelta(days=4, hours=12))
    sweep()
    wall.shift(timedelta(minutes=30))
    take("hours", None, "games.pause", {"reason": "holidays"})
    wall.shift(timedelta(hours=20))
    take("hours", None, "games.resume")
    wall.shift(timedelta(hours=29, minutes=30))
    sweep()
    assert game.entries.filter(name="games.shift").count() == 1
    wall.shift(timedelta(seconds=1))
    sweep()
    assert game.entries.filter(name="tiny.early").count() == 3
    game.refresh_from_db()
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_a_change_of_pace_replays(db: None, wall: time_machine.Traveller) -> None:
    game, _ = new_game("fast", TINY, pace="fast", start=WEDNESDAY)
    seat(game, "Murphy")
    wall.shift(timedelta(minutes=7))
    set_pace("fast", "fast", rate=10_000)
    wall.shift(timedelta(minutes=7))
    sweep()
    set_pace("fast", "manual")
    game.refresh_from_db()
    assert game.entries.filter(name="tiny.week").count() > 5
    assert replay(game)[1] is None


def test_hours_of_a_pause_are_counted_at_the_pace_that_the_game_had(
    db: None, wall: time_machine.Traveller
) -> None:
    game, _ = new_game("fast", TINY, pace="manual", start=WEDNESDAY)
    take("fast", None, "games.pause", {"reason": "holidays"})
    wall.shift(60)
    take("fast", None, "games.resume")
    set_pace("fast", "fast", rate=100)
    game.refresh_from_db()
    assert replay(game)[1] is None
    copy = import_game([json.dumps(line) for line in lines_of(game)], slug="copy")
    assert (copy.pace, copy.rate, copy.clock) == ("fast", 100, game.clock)


def test_a_pace_that_no_entry_tells_of_is_found(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(pace="fast", rate=7)
    game.refresh_from_db()
    assert "pace" in str(replay(game)[1])
    with pytest.raises(BadRecording, match="another pace"):
        import_game([json.dumps(line) for line in lines_of(game)], slug="copy")


def lines_of(game: Game) -> list[dict[str, Any]]:
    file = io.StringIO()
    export_game(game, file)
    return [json.loads(line) for line in file.getvalue().splitlines()]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("place", "changes"),
    [
        (0, {"format": "something else"}),
        (0, {"master": "00" * 32}),
        (0, {"rate": "fast"}),
        (3, {"text": "Nothing happened."}),
        (3, {"inputs": {}}),
        (3, {"actor": "nobody"}),
        (3, {"name": "games.fly"}),
        (3, {"at": "yesterday"}),
        (3, {"hash": "0" * 64}),
    ],
)
def test_a_file_that_was_tampered_with_is_not_taken_in(
    eventful: Game, place: int, changes: dict[str, object]
) -> None:
    lines = lines_of(eventful)
    altered = lines[place]
    if place:
        (altered,) = altered.values()
    altered |= changes
    with pytest.raises(BadRecording):
        import_game([json.dumps(line) for line in lines], slug="copy")
    assert Game.objects.count() == 1


@pytest.mark.thorough
def test_a_file_that_is_cut_or_doubled_is_not_taken_in(eventful: Game) -> None:
    lines = [json.dumps(line) for line in lines_of(eventful)]
    half = len(lines) // 2
    spoilt = {
        "its last line is missing": lines[:-1],
        "half of it is missing": lines[:half],
        "cut within a line": [*lines[:half], lines[half][:-9]],
        "twice": lines * 2,
        "a line twice": [*lines[:half], lines[half - 1], *lines[half:]],
        "a line left out": [*lines[: half - 1], *lines[half:]],
    }
    for file in spoilt.values():
        with pytest.raises(BadRecording, match=r"\w+ .+"):
            import_game(file, slug="copy")
    assert Game.objects.get() == eventful
    assert import_game(lines, slug="copy").last_entry == eventful.last_entry


@pytest.mark.parametrize("form", ["nomic game 1", "nomic game 2"])
def test_a_file_of_before_1_0_is_refused_in_a_sentence(eventful: Game, form: str) -> None:
    lines = lines_of(eventful)
    lines[0]["format"] = form
    before = f"This file (“{form}”) was made before version 1.0 of the program, and this version"
    with pytest.raises(BadRecording) as refused:
        import_game([json.dumps(line) for line in lines], slug="copy")
    assert str(refused.value) == f"{before} cannot read it."
    assert Game.objects.get() == eventful


@pytest.mark.parametrize("form", [2, 0, "1", True, None])
def test_a_record_of_another_format_is_refused_in_a_sentence(eventful: Game, form: Any) -> None:
    lines = lines_of(eventful)
    lines[1]["entry"]["inputs"]["format"] = form
    with pytest.raises(BadRecording) as refused:
        import_game([json.dumps(line) for line in lines], slug="copy")
    only = "and this version of the program reads format 1 alone."
    assert str(refused.value) == f"The record is of format {form}, {only}"
    assert Game.objects.get() == eventful


@pytest.mark.parametrize("lines", [[], ["{}"], ["[]"], ["not JSON"], ["\x00"], ["null"]])
def test_a_file_that_is_none_is_not_taken_in(db: None, lines: list[str]) -> None:
    with pytest.raises(BadRecording):
        import_game(lines)


def test_a_game_is_not_taken_in_over_another(game: Game, player: Player) -> None:
    with pytest.raises(BadRecording, match="a game “table” here already"):
        import_game([json.dumps(line) for line in lines_of(game)])

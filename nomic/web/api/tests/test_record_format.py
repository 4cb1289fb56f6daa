"""docs/record-format.md is true: its two programs run as they stand there, against the API."""

import io
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.db.models import Q
from django.test import Client

from nomic.dice.models import Period
from nomic.engine.actions import find_action
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table, locked_game
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from nomic.record.models import Kind
from nomic.testing import WEDNESDAY, Take, at_the_table
from nomic.web.api.tests.conftest import V1

BLOCKS = re.compile(r"```python\n# (\S+)\n(.*?)```", re.DOTALL)
Change = Callable[[bytes], bytes]


def programs() -> dict[str, str]:
    """The document's programs by the file names that they have in it."""
    root = Path(__file__).resolve().parents[4]
    return dict(BLOCKS.findall((root / "docs" / "record-format.md").read_text(encoding="utf-8")))


@contextmanager
def answering(change: Change) -> Iterator[None]:
    """Let a program's requests reach the API, and change what it is answered."""

    def urlopen(address: str) -> io.BytesIO:
        assert address.startswith("https://nomic.example/")
        response = Client().get(address.removeprefix("https://nomic.example"))
        assert response.status_code == 200
        return io.BytesIO(change(response.content))

    with patch("urllib.request.urlopen", urlopen):
        yield


def run(name: str, change: Change = bytes) -> str:
    """What the program prints; raises what it raises."""
    said = io.StringIO()
    address = f"https://nomic.example{V1}/table"
    with (
        answering(change),
        patch.object(sys, "argv", [name, address]),
        redirect_stdout(said),
        suppress(SystemExit),
    ):
        exec(compile(programs()[name], name, "exec"), {"__name__": "__main__"})  # noqa: S102
    return said.getvalue()


def write_oddly(game: Game) -> None:
    """An entry with whatever JSON can hold."""
    odd = {
        "z": 'Tab\there,\r\n"quotes", \\, \x01\x1f\x7f\u2028 and 💥',
        "Ä": [None, True, {"b": 1, "a": 2}],
    }
    with locked_game(Q(pk=game.pk)) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        figures = {"fraction": 0.1, "hour": 3600.0, "tiny": 1e-7, "big": 2**70, "below": -3}
        table.write(Kind.SYSTEM, "testing.odd", None, odd, Outcome("Odd.\n“x”", figures))


def _announce(game: Game, touch: Callable[[Table], Period]) -> None:
    """An entry that tells of a period's commitment in its figures."""
    with locked_game(Q(pk=game.pk)) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        outcome = Outcome("Dice are sealed.", {"commitment": touch(table).commitment})
        table.write(Kind.SYSTEM, "testing.dice", None, {}, outcome)


@pytest.fixture
def played(game: Game, player: Player, rival: Player, act: Take) -> Game:
    """Some weeks of play, with odd characters, fractions, rolls, and a paused hour."""
    with at_the_table(game) as table:
        for label in ("first", "second \\ ‘label’"):
            table.dice.choose(label, ["Alexia", "Fargo", "Nacho"])
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    act(None, "games.pause", reason='Zwölf “quoted”, "straight", \\ and 💥')
    act(None, "games.resume")
    write_oddly(game)
    with at_the_table(game) as table:
        table.dice.choose("after", list(range(1000)))
    act(rival, "games.leave")
    return Game.objects.get(pk=game.pk)


def test_there_are_three_programs_of_some_twenty_lines() -> None:
    found = programs()
    assert set(found) == {"check_record.py", "check_dice.py", "check_opened.py"}
    for program in found.values():
        assert len([line for line in program.splitlines() if line.strip()]) <= 20


def test_the_record_is_verified_to_its_head(played: Game) -> None:
    said = run("check_record.py")
    assert said.startswith(f"{played.last_entry} entries")
    assert played.record_head in said


def test_the_record_is_verified_page_by_page(played: Game) -> None:
    with patch("nomic.web.api.record.MOST", 3):
        assert played.record_head in run("check_record.py")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"Murphy joins", b"Madrid joins"),
        (b'"kind":"action"', b'"kind":"system"'),
        (b'"actor":"Madrid"', b'"actor":"Murphy"'),
        (b'"seq":3', b'"seq":4'),
    ],
)
def test_a_changed_entry_is_noticed(played: Game, before: bytes, after: bytes) -> None:
    def change(content: bytes) -> bytes:
        assert before in content
        return content.replace(before, after)

    with pytest.raises(AssertionError, match="is wrong"):
        run("check_record.py", change)


def test_the_dice_are_verified(played: Game) -> None:
    said = run("check_dice.py")
    assert "Period 1: as committed" in said
    assert "Period 2: the seed is secret yet" in said


def test_the_dice_are_verified_page_by_page(played: Game) -> None:
    with patch("nomic.web.api.dice.MOST", 1):
        assert "Period 2" in run("check_dice.py")


def test_sealed_dice_are_verified_when_their_seed_is_out(game: Game) -> None:
    for purpose in ("the feast", "the fair"):
        _announce(game, lambda table, of=purpose: table.dice.open_period(private=True, purpose=of))
    with at_the_table(game) as table:
        table.dice.choose("guest", [1, 2, 3], private=True, purpose="the feast")
    _announce(game, lambda table: table.dice.close_period(private=True, purpose="the feast"))
    said = run("check_dice.py")
    assert "Period 1 of the feast: as committed" in said
    assert "Period 1 of the fair: the seed is secret yet" in said


def test_a_changed_roll_is_noticed(played: Game) -> None:
    roll = played.dice_periods.get(number=1).rolls.get(label="first")
    other = (roll.value + 1) % 3

    def change(content: bytes) -> bytes:
        return content.replace(f'"value":{roll.value}}}'.encode(), f'"value":{other}}}'.encode())

    with pytest.raises(AssertionError):
        run("check_dice.py", change)


def test_another_seed_than_the_committed_one_is_noticed(played: Game) -> None:
    seed: Any = played.dice_periods.get(number=1).seed

    with pytest.raises(AssertionError):
        run("check_dice.py", lambda content: content.replace(seed.encode(), b"ab" * 32))


@pytest.fixture
def disclosed(game: Game, player: Player) -> Game:
    """Two acts in private with anchors before, between and after them, and all of it opened."""
    for week, words in enumerate(("hush", "‘still’ 💥"), 1):
        advance(game.slug, WEDNESDAY + timedelta(weeks=week))
        with at_the_table(game) as table:
            table.seal("testing.whisper", player, {"words": words}, Outcome(words))
    advance(game.slug, WEDNESDAY + timedelta(weeks=3))
    with at_the_table(game) as table:
        table.open_sealed(game.sealed_entries.all())
    return Game.objects.get(pk=game.pk)


def test_opened_entries_are_verified(disclosed: Game) -> None:
    assert f"up to sealed entry {disclosed.sealed_count}," in run("check_opened.py")
    with patch("nomic.web.api.record.MOST", 2):
        assert f"up to sealed entry {disclosed.sealed_count}," in run("check_opened.py")


@pytest.mark.parametrize("before", [b"hush", b'"salt":"', b'"sealed_head":"', b'"opened":[[1'])
def test_an_opened_entry_that_was_changed_is_noticed(disclosed: Game, before: bytes) -> None:
    with pytest.raises(AssertionError):
        run("check_opened.py", lambda content: content.replace(before, before + b"0"))


def test_an_opened_part_is_verified_by_the_entry_that_names_it(
    game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_action("games.leave"), "private_side", True)
    part = act(player, "games.leave").entry.outcome["part"]
    with at_the_table(game) as table:
        table.open_sealed(game.sealed_entries.all())
    assert "up to sealed entry 1," in run("check_opened.py")
    named = f'"part":"{part}"'.encode()
    with pytest.raises(AssertionError, match=r"record\.part"):
        run("check_opened.py", lambda content: content.replace(named, b'"part":"another"'))


def test_what_was_not_opened_is_not_shown(game: Game, player: Player) -> None:
    for words in ("hush", "still"):
        with at_the_table(game) as table:
            table.seal("testing.whisper", player, {"words": words}, Outcome(words))
    with at_the_table(game) as table:
        table.open_sealed(game.sealed_entries.filter(text="still"))
    shown = Client().get(f"{V1}/table/record/opened").content.decode()
    assert "still" in shown
    assert "hush" not in shown
    assert "All opened entries" in run("check_opened.py")

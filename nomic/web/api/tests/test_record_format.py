"""docs/verify.py, run as it stands there against the API, holds and finds what was changed."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import rfc8785
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from nomic.dice.models import Period
from nomic.engine.actions import _ACTIONS, TwoSidedAction
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.seats import Leave
from nomic.operations.exports import export_game
from nomic.operations.setup import advance
from nomic.record.chain import entry_hash
from nomic.record.models import EntryKind
from nomic.web.api.tests.conftest import V1
from tests.kit import WEDNESDAY, Take, at_the_table

VERIFY = Path(__file__).resolve().parents[4] / "docs" / "verify.py"
_PROGRAM = compile(VERIFY.read_bytes(), VERIFY, "exec")
Change = Callable[[bytes], bytes]


@contextmanager
def answering(change: Change) -> Iterator[None]:
    """Let the program's requests reach the API, and change what it is answered."""

    def urlopen(address: str) -> io.BytesIO:
        assert address.startswith("https://nomic.example/")
        response = Client().get(address.removeprefix("https://nomic.example"))
        assert response.status_code == 200
        return io.BytesIO(change(response.content))

    with patch("urllib.request.urlopen", urlopen):
        yield


def names_of_verify(name: str) -> dict[str, Any]:
    """What docs/verify.py has defined when it has been run under that name."""
    names: dict[str, Any] = {"__name__": name}
    exec(_PROGRAM, names)  # noqa: S102 - our own
    return names


def run(change: Change = bytes, *words: str, of: str = f"https://nomic.example{V1}/table") -> str:
    """What docs/verify.py prints, and what it exits with where something is wrong."""
    said = io.StringIO()
    with (
        answering(change),
        patch.object(sys, "argv", ["verify.py", of, *words]),
        redirect_stdout(said),
    ):
        try:
            names_of_verify("__main__")
        except SystemExit as end:
            return f"{said.getvalue()}{end.code}"
    return said.getvalue()


def write_oddly(game: Game) -> None:
    """An entry with whatever JSON can hold."""
    odd = {
        "z": 'Tab\there,\r\n"quotes", \\, \x01\x1f\x7f\u2028 and 💥',
        "Ä": [None, True, {"b": 1, "a": 2}],
    }
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        figures = {"fraction": 0.1, "hour": 3600.0, "tiny": 1e-7, "big": 2**70, "below": -3}
        table.write(EntryKind.SYSTEM, "testing.odd", None, odd, Outcome("Odd.\n“x”", figures))


def _announce(game: Game, touch: Callable[[Table], Period]) -> None:
    """An entry that tells of a period's commitment in its figures."""
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        outcome = Outcome("Dice are sealed.", {"commitment": touch(table).commitment})
        table.write(EntryKind.SYSTEM, "testing.dice", None, {}, outcome)


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


def test_an_honest_record_is_verified_to_its_head(played: Game) -> None:
    with patch("nomic.web.api.games.MOST", 3), patch("nomic.web.api.games.PERIODS", 1):
        said = run()
    assert "WRONG" not in said
    assert f"{played.last_entry} entries are as they were written" in said
    assert played.record_head in said
    assert "rolls follow from their seeds" in said


def test_a_head_that_somebody_saw_is_of_this_history_or_not(played: Game) -> None:
    head = played.entries.get(seq=4).hash
    assert "WRONG" not in run(bytes, "--head", f"4:{head}", played.record_head)
    for other in (f"5:{head}", "ab" * 32):
        assert "is of another history" in run(bytes, "--head", other)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"Murphy joins", b"Madrid joins"),
        (b'"kind":"action"', b'"kind":"system"'),
        (b'"actor":"Madrid"', b'"actor":"Murphy"'),
        (b'"seq":3', b'"seq":4'),
        (b'"anchors":{"dice":"', b'"anchors":{"dice":"0'),
        (b'["Alexia","Fargo","Nacho"]', b'["Nacho","Fargo","Alexia"]'),
        (b'"label":"first"', b'"label":"last"'),
        (b'"opened_in":1,', b'"opened_in":2,'),
    ],
)
def test_what_the_address_shows_otherwise_is_noticed(
    played: Game, before: bytes, after: bytes
) -> None:
    shown = []

    def change(content: bytes) -> bytes:
        shown.append(before in content)
        return content.replace(before, after)

    assert "WRONG: " in run(change)
    assert any(shown)


def test_a_changed_value_or_seed_of_the_dice_is_noticed(played: Game) -> None:
    seed: Any = played.dice_periods.get(number=1).seed
    assert "WRONG: " in run(lambda content: content.replace(seed.encode(), b"ab" * 32))
    roll = played.dice_periods.get(number=1).rolls.get(label="first")
    was, other = (f'"value":{value}'.encode() for value in (roll.value, (roll.value + 1) % 3))
    assert "WRONG: " in run(lambda content: content.replace(was, other))


def test_a_record_is_verified_whatever_its_players_are_called_by_now(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    with at_the_table(game) as table:
        table.ledger.define("coin", "coins")
        table.ledger.create(player, 5, "coin")
    act(player, "horses.gain_dollaries")
    act(player, "games.rename", name="Murph")
    act(player, "games.leave")
    said = run()
    assert "WRONG" not in said, said
    act(rival, "games.rename", name="Mad")
    act(rival, "games.rename", name="Madrid")  # one that they had
    assert "WRONG" not in run()
    changed = run(lambda content: content.replace(b'"Murph":{"coin":5', b'"Murph":{"coin":6'))
    assert "WRONG: Murph has 6 coin; the entries make 5." in changed
    address = f"{V1}/table/record"
    told = [entry["actor"] for entry in Client().get(address).json()["entries"]]
    assert told[-5:] == ["Murphy", "Murphy", "Murph", "Madrid", "Mad"]
    of_one = Client().get(f"{address}/{len(told) - 3}").json()
    assert of_one["actor"] == "Murphy"
    file = b"".join(Client().get("/g/table/record.jsonl").streaming_content)  # type: ignore[attr-defined]
    assert [json.loads(line).get("actor") for line in file.splitlines()][-3:] == told[-3:]


def test_a_changed_balance_is_noticed(game: Game, player: Player) -> None:
    with at_the_table(game) as table:
        table.ledger.define("coin", "coins")
        table.ledger.create(player, 5, "coin")
    assert "transfers balance, and " in run()
    said = run(lambda content: content.replace(b'"coin":5', b'"coin":6'))
    assert "WRONG: Murphy has 6 coin" in said


def test_a_game_that_moves_while_it_is_read_is_read_on(game: Game, player: Player) -> None:
    with at_the_table(game) as table:
        table.ledger.define("coin", "coins")
    moves = 0

    def pay(content: bytes) -> bytes:
        nonlocal moves
        if b'"last":' in content and moves < most:
            moves += 1
            with at_the_table(Game.objects.get(pk=game.pk)) as table:
                table.ledger.create(player, 1, "coin")
        return content

    most = 2
    assert "WRONG" not in run(pay)
    assert moves == 2
    moves, most = 0, 100
    assert "faster than it can be read" in run(pay)


def test_sealed_dice_are_verified_when_their_seed_is_out(game: Game) -> None:
    for purpose in ("the feast", "the fair"):
        _announce(game, lambda table, of=purpose: table.dice.open_period(private=True, purpose=of))
    with at_the_table(game) as table:
        table.dice.choose("guest", [1, 2, 3], private=True, purpose="the feast")
    assert "WRONG" not in run()
    with at_the_table(game) as table:
        table.open_books(["testing"])
        table.dice.close_period(private=True, purpose="the feast")
    assert "1 roll follows from its seed, 0 are" in run()
    assert "WRONG: " in run(lambda content: content.replace(b'"label":"guest"', b'"label":"x"'))


@pytest.fixture
def disclosed(game: Game, player: Player) -> Game:
    """Two acts in private with anchors before, between and after them, and all of it opened."""
    for week, words in enumerate(("hush", "‘still’ 💥"), 1):
        advance(game.slug, WEDNESDAY + timedelta(weeks=week))
        with at_the_table(game) as table:
            table.seal("testing.whisper", player, {"words": words}, Outcome(words))
    advance(game.slug, WEDNESDAY + timedelta(weeks=3))
    with at_the_table(game) as table:
        table.open_books(["testing"])
    return Game.objects.get(pk=game.pk)


@pytest.mark.thorough
def test_opened_entries_are_verified(disclosed: Game) -> None:
    assert "3 opened sealed entries in 1 book are what was sealed" in run()
    with patch("nomic.web.api.games.MOST", 2):
        assert "3 opened sealed entries in 1 book are what was sealed" in run()


@pytest.mark.parametrize(
    "before", [b"hush", b'"salt":"', b'"testing":"', b'"opened":[["testing",1']
)
def test_an_opened_entry_that_was_changed_is_noticed(disclosed: Game, before: bytes) -> None:
    assert "WRONG: " in run(lambda content: content.replace(before, before + b"0"))


def test_an_act_that_is_left_out_of_an_opening_is_noticed(disclosed: Game) -> None:
    """Whoever leaves one out hashes the opening anew, and all after it."""
    opening = disclosed.entries.get(seq=disclosed.last_entry)
    [[book, number, _], *rest] = opening.outcome["opened"]
    outcome = {"opened": rest}
    content = ""
    for closed in ([], [[book, number, "act", content]]):
        opening.outcome = {**outcome, "closed": closed}
        head = entry_hash(opening)

        def change(shown: bytes, closed: Any = closed, head: str = head) -> bytes:
            page = json.loads(shown)
            if "last" in page and page.get("entries"):
                page["entries"][-1]["outcome"] = {**outcome, "closed": closed}
                page["entries"][-1]["hash"] = head
            elif page and "entries" in page:
                page["entries"] = [each for each in page["entries"] if each["number"] != number]
            return json.dumps(page).encode()

        assert "left out of the opening" in run(change)


class _LeaveInTwoBooks(Leave, TwoSidedAction):
    """Leave, with a private side."""


def test_an_opened_part_is_verified_by_the_entry_that_names_it(
    game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_ACTIONS, "games.leave", _LeaveInTwoBooks())
    act(player, "games.leave")
    with at_the_table(game) as table:
        table.open_books(["games"])
    assert "2 opened sealed entries" in run()


def test_what_was_not_opened_is_not_shown(game: Game, player: Player) -> None:
    for words in ("hush", "still"):
        with at_the_table(game) as table:
            table.seal("testing.whisper", player, {"words": words}, Outcome(words))
    with at_the_table(game) as table:
        table.open_sealed(game.sealed_entries.filter(text="still"))
    shown = Client().get(f"{V1}/table/record/opened?book=testing").content.decode()
    assert "still" in shown
    assert "hush" not in shown
    assert "an act that was left out of the opening" in run()


def exported(game: Game, folder: Path) -> Path:
    path = folder / "game.export"
    with path.open("w", encoding="utf-8") as file:
        export_game(game, file)
    return path


def test_a_file_is_verified_whole_and_every_beginning_of_it_is_refused(
    disclosed: Game, tmp_path: Path
) -> None:
    path = exported(disclosed, tmp_path)
    said = run(of=str(path))
    assert "WRONG" not in said
    assert f"{disclosed.last_entry} entries are as they were written" in said
    lines = path.read_text("utf-8").splitlines(keepends=True)
    for kept in (1, len(lines) // 2, len(lines) - 1):
        path.write_text("".join(lines[:kept]), "utf-8")
        assert "WRONG: " in run(of=str(path))
    for dropped in (3, len(lines) // 2, len(lines) - 2):
        path.write_text("".join(lines[:dropped] + lines[dropped + 1 :]), "utf-8")
        assert "WRONG: " in run(of=str(path))


def test_no_name_that_somebody_picks_changes_what_the_dice_give(game: Game) -> None:
    """With the master in hand, 200,000 names give the same roll: it is not made of them."""
    with at_the_table(game) as table:
        table.dice.choose("first", list(range(1000)))
    cast = game.dice_periods.get(number=1).rolls.get()
    assert cast.words(game.identity)[:5] == (game.identity, "", 1, 0, 0)
    assert cast.label not in map(str, cast.words(game.identity))


CANONICAL = names_of_verify("verify")["canonical"]
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53) + 1, 2**53 - 1)


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), numbers | st.text(max_size=5)))
def test_its_canonical_form_is_that_of_rfc_8785(values: dict[str, Any]) -> None:
    assert CANONICAL(values).encode() == rfc8785.dumps(values)

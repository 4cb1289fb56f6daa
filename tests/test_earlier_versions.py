"""Games of this version on go on as they were: their records say so. `tests/games/make.py` has made
these."""

import json
import tomllib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from nomic.dice.proof import check_all
from nomic.engine.catch_up import catch_up
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.games.presets import __file__ as presets_file
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import Departure, replay
from nomic.operations.setup import advance
from nomic.record.models import CONSEQUENCES
from nomic.record.proof import check_opened
from nomic.web.api.tests.test_record_format import run as verify
from tests.games.make import HERE, PLAYS
from tests.kit import seat

type Line = dict[str, Any]

SMALL = HERE / "majority.export"
_QUICK = ("majority", "secret-votes")


def _marked(name: str) -> Any:
    marks = () if name in _QUICK else pytest.mark.thorough
    return pytest.param(HERE / f"{name}.export", id=name, marks=marks)


def _lines(file: Path) -> list[Line]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("file", [_marked(name) for name in PLAYS])
def test_a_game_of_an_earlier_version_comes_out_with_its_own_hashes_and_goes_on(
    file: Path, tmp_path: Path
) -> None:
    otherwise: list[Departure] = []
    with file.open(encoding="utf-8") as lines:
        game = import_game(lines, departures=otherwise)
    assert otherwise == []
    again = tmp_path / "again.export"
    with again.open("w", encoding="utf-8") as written:
        export_game(game, written)
    assert _lines(again)[1:] == _lines(file)[1:]  # the head also tells who was seated there
    catch_up(game.pk)
    _must_hold(game)

    seat(game, "Newcomer")
    advance(game.slug, game.now(wall_now()) + timedelta(days=1))
    game.refresh_from_db()
    _must_hold(game)
    there = f"https://nomic.example/api/v1/games/{game.slug}"
    with again.open("w", encoding="utf-8") as written:
        export_game(game, written)
    for source in (there, str(again)):
        said = verify(of=source)
        assert "WRONG" not in said
        assert f"{game.last_entry} entries are as they were written" in said
    assert "is not what it was" in verify(_with_other_kinds, of=there)
    assert "WRONG" not in verify(of=str(file))


def _must_hold(game: Game) -> None:
    assert [finding.wrong for finding in audit(game) if finding.wrong] == []
    assert [proof.wrong for proof in check_all(game) if proof.wrong] == []
    assert [proof.wrong for proof in check_opened(game) if proof.wrong] == []
    agreed, difference = replay(game)
    game.refresh_from_db()
    consequences = game.sealed_entries.filter(name__in=CONSEQUENCES).count()
    assert (difference, agreed) == (None, game.last_entry + game.sealed_count - consequences)


def _with_other_kinds(shown: bytes) -> bytes:
    return shown.replace(b'"kind":"event"', b'"kind":"action"')


def test_the_files_have_what_has_to_go_on() -> None:
    presets = tomllib.loads(Path(presets_file).with_suffix(".toml").read_text(encoding="utf-8"))
    assert set(presets) <= {file.stem for file in HERE.glob("*.export")} == set(PLAYS)
    assert sum(file.stat().st_size for file in HERE.glob("*.export")) < 1_500_000
    happened = set()
    for file in HERE.glob("*.export"):
        for line in _lines(file):
            entry = line.get("entry") or line.get("sealed") or {}
            happened |= {name for name in entry.get("outcome", ()) if name in _HAPPENED}
            if "The race ends." in entry.get("text", ""):
                happened.add("a race has ended")
            if "sealed" in line and entry["name"] not in CONSEQUENCES:
                happened.add("a sealed act is open" if entry["opened_in"] else "one is not")
    assert happened == _HAPPENED


_HAPPENED = {
    *("opened", "part", "programs", "read"),
    *("a race has ended", "a sealed act is open", "one is not"),
}


def _of_a_file(form: str) -> Callable[[list[Line]], None]:
    return lambda lines: lines[0].update(format=form)


def _of_format_2(lines: list[Line]) -> None:
    lines[1]["entry"]["inputs"]["format"] = 2


def _by_readings(readings: object) -> Callable[[list[Line]], None]:
    return lambda lines: lines[1]["entry"]["inputs"]["settings"].update(readings=readings)


def _read_by_reader_5(lines: list[Line]) -> None:
    entries = [line["entry"] for line in lines if "entry" in line]
    reading = next(entry["outcome"]["read"] for entry in entries if "read" in entry["outcome"])
    reading[0]["reader"] = 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_of_a_file("nomic game 1"), "made before version 1.0"),
        (_of_a_file("nomic game 2"), "made before version 1.0"),
        (_of_format_2, "format"),
        (_by_readings(8), "readings"),
        (_by_readings(True), "readings"),
        (_read_by_reader_5, "reader 5"),
    ],
)
def test_what_another_version_made_is_refused_in_a_sentence(
    tmp_path: Path, change: Callable[[list[Line]], None], said: str
) -> None:
    lines = _lines(SMALL)
    change(lines)
    text = [json.dumps(line) for line in lines]
    other = tmp_path / "other.export"
    other.write_text("\n".join(text), encoding="utf-8")
    with pytest.raises(BadRecording, match=said) as refused:
        import_game(text)
    told = verify(of=str(other))
    assert "WRONG" in told
    assert said.split()[0] in told
    for sentence in (str(refused.value), told.strip()):
        assert "\n" not in sentence
    assert not Game.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["offices", "objection_hours", "bounds"])
def test_a_game_that_begins_without_a_setting_is_refused(name: str) -> None:
    lines = _lines(SMALL)
    del lines[1]["entry"]["inputs"]["settings"][name]
    with pytest.raises(BadRecording, match="The game's beginning does not set "):
        import_game([json.dumps(line) for line in lines])
    assert not Game.objects.exists()

"""Nonsense in place of a game's file: one sentence, and nothing has changed."""

from __future__ import annotations

import copy
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from nomic.games.models import Game, Player
from nomic.operations.exports import export_game
from nomic.record.models import Entry

_GONE = object()
WRONG: list[Any] = [
    ["a list", "for", "a name"],
    10**30,
    None,
    {"a": {"b": 1}},
    "\0",
    True,
    "x" * 5000,
    float("nan"),
    _GONE,
    [],
    -1,
    "\ud800",
    1e308,
    "",
    {},
    "9999-12-31T23:59:59Z",
    "2026-99-99T00:00:00Z",
]
DEEP = b'{"format": ' + b"[" * 100_000
HEAD = b'{"format": "nomic record 1", '


@pytest.fixture
def lines(game: Game, player: Player, rival: Player) -> list[Any]:
    """The file of a game that has just begun, as values."""
    file = io.StringIO()
    export_game(game, file)
    return [json.loads(line) for line in file.getvalue().splitlines()]


@pytest.fixture
def refused(tmp_path: Path, lines: list[Any]) -> Any:
    """Imports what it is given; returns the one line that says why not, "" where it was taken."""

    def refused(content: bytes, slug: str = "") -> str:
        before = (Game.objects.count(), Entry.objects.count())
        file = tmp_path / "a.export"
        file.write_bytes(content)
        options = ["--slug", slug] if slug else []
        told = ""
        try:
            call_command("import", str(file), *options, stdout=io.StringIO())
        except CommandError as error:
            told = str(error)
        if told:
            assert (Game.objects.count(), Entry.objects.count()) == before
        assert "\n" not in told
        return told

    return refused


def places(value: Any, *at: Any) -> Iterator[tuple[Any, ...]]:
    """The way to each value inside this one, of lists to the first two."""
    if at:
        yield at
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], *at, name)
    elif isinstance(value, list):
        for number in range(min(2, len(value))):
            yield from places(value[number], *at, number)


def changed(lines: list[Any], written: list[str], way: tuple[Any, ...], wrong: Any) -> bytes:
    """The file, whose lines are `written` so, with another value, or none, at that place."""
    number, *within = way
    here = [copy.deepcopy(lines[number])]
    *path, last = (0, *within)
    inside: Any = here
    for step in path:
        inside = inside[step]
    if wrong is _GONE:
        del inside[last]
    else:
        inside[last] = wrong
    told = map(json.dumps, here)
    return "\n".join([*written[:number], *told, *written[number + 1 :]]).encode()


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(4))
def test_a_wrong_value_anywhere_in_a_game_is_told_in_a_sentence(
    lines: list[Any], refused: Any, part: int
) -> None:
    ways = [way for number in range(len(lines)) for way in places(lines[number], number)]
    written = [json.dumps(line) for line in lines]
    said = [
        refused(
            changed(lines, written, way, WRONG[(number * 5 + turn) % len(WRONG)]),
            f"copy-{number}-{turn}",
        )
        for number, way in enumerate(ways)
        if number % 4 == part
        for turn in (0, 1)
    ]
    assert len([sentence for sentence in said if sentence]) > len(said) * 0.8


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not a file of a game"),
        (gzip.compress(b"{}", mtime=0), "Cannot read"),
        (b"\xff\xfe{\x00}\x00", "Cannot read"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (DEEP, "nested too deeply"),
        (HEAD + b'"rate": NaN}', "NaN is not a number of JSON"),
        (HEAD + b'"rate": ' + b"9" * 5000 + b"}", "not JSON"),
        (HEAD[:20], "not JSON"),
        (HEAD + b'"slug": "a"}', "“identity”: it is missing"),
        (HEAD + b'"slug": ["a"]}', "“slug”: Input should be a valid string"),
    ],
)
def test_what_is_no_game_at_all_is_told_in_a_sentence(
    refused: Any, content: bytes, why: str
) -> None:
    assert why in refused(content)


def test_a_file_that_ends_too_early_is_told_in_a_sentence(lines: list[Any], refused: Any) -> None:
    whole = "\n".join(json.dumps(line) for line in lines)
    assert "is not JSON" in refused(whole[:-9].encode(), "copy")
    for kept in range(1, len(lines)):
        beginning = "\n".join(whole.splitlines()[:kept])
        assert "line that closes it is missing" in refused(beginning.encode(), "copy")
    assert "comes after the line that closes" in refused(f"{whole}\n{{}}".encode(), "copy")
    assert refused(whole.encode(), "A name with blanks").startswith("A slug has 1 to 40 of")
    assert refused(whole.encode(), "copy") == ""

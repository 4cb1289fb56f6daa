"""What docs/verify.py refuses of a file an import refuses, and the other way round."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from nomic.games.models import Game
from tests.kit import at_the_table
from tests.tampering.forging import hash_anew, save, undone
from tests.tampering.javascript import verified
from tests.tampering.tools import exported, import_lines, verify_address, verify_file, verify_lines

# No hash covers these, and nothing else in a file tells them.
_FREE = {
    ("head", "slug"),
    ("head", "users"),
    ("head", "clock"),
    ("entry", "key"),
    ("sealed", "key"),
}


def altered(value: Any) -> Any:
    """The value with one digit, letter or thing otherwise."""
    if isinstance(value, bool) or value is None:
        return 7
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value[:-1]}{'1' if value[-1:] != '1' else '2'}"
    if isinstance(value, list):
        return [*value[:-1], altered(value[-1])] if value else [{"more": 7}]
    name = next(iter(value), None)
    return {**value, name: altered(value[name])} if name else {"more": 7}


def told(lines: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Each line's kind and what it holds."""
    kinds = [
        next((kind for kind in ("entry", "sealed", "end") if kind in each), "head")
        for each in lines
    ]
    return [(kind, each.get(kind, each)) for kind, each in zip(kinds, lines, strict=True)]


def cells(lines: list[dict[str, Any]]) -> Iterator[tuple[str, int, str]]:
    """Cells of the file: of each kind of lines, by what its fields hold, some."""
    seen: dict[tuple[str, str, str], int] = {}
    for number, (kind, holds) in enumerate(told(lines)):
        for name, value in holds.items():
            which = kind, name, "full" if value else "empty"
            seen[which] = seen.get(which, 0) + 1
            if (kind, name) not in _FREE and seen[which] == 1:
                yield f"{kind} {name}", number, name


@pytest.mark.slow
@pytest.mark.parametrize("which", ["a visit"])
def test_a_cell_that_is_altered_is_refused_by_both(game: Game) -> None:
    file = exported(game)
    assert (verify_lines(file), import_lines(file)) == ("", "")
    lines = [json.loads(line) for line in file.splitlines()]
    taken = []
    for cell, number, name in cells(lines):
        kind, holds = told(lines)[number]
        changed = {**holds, name: altered(holds[name])}
        whole = changed if kind == "head" else {kind: changed}
        text = "\n".join(map(json.dumps, [*lines[:number], whole, *lines[number + 1 :]]))
        taken += [f"{cell}: verify"] if not verify_lines(text) else []
        taken += [f"{cell}: import"] if not import_lines(text) else []
    assert taken == []


# What of an entry nothing else tells: the moment, within a day, and what its actor had seen.
_FED = {"recorded_at"}
# What verify.py takes where all hashes are made anew: it does not play the rules.
_PLAYED = {"at", "name", "inputs", "outcome", "text", "rule", "effects", "recorded_at", "nonce"}


def otherwise(value: Any) -> Any:
    return value + timedelta(microseconds=1) if isinstance(value, datetime) else altered(value)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["a visit"])
def test_a_cell_that_is_altered_and_hashed_anew_is_refused_by_an_import(game: Game) -> None:
    """So it is the replay that finds it, and no hash; of verify.py the checks that are meant."""
    bribe = game.sealed_entries.filter(name="settlers.bribe", opened_in__isnull=False)[0]
    action, event = (game.entries.filter(kind=kind).latest("seq") for kind in ("action", "event"))
    taken: dict[str, set[str]] = {"verify": set(), "import": set()}
    for entry in (bribe, action, event):
        names = {each.attname for each in type(entry)._meta.fields} & {
            *_PLAYED, "kind", "saw", "anchors",
        }  # fmt: skip
        for name in sorted(names):
            with undone():
                other = type(entry).objects.get(pk=entry.pk)
                setattr(other, name, otherwise(getattr(other, name)))
                save(other)
                hash_anew(game)
                text = exported(Game.objects.get(pk=game.pk))
            taken["verify"] |= {name} if not verify_lines(text) else set()
            taken["import"] |= {name} if not import_lines(text) else set()
    assert taken["import"] <= _FED
    assert taken["verify"] <= _PLAYED


@pytest.mark.parametrize("which", ["a visit"])
def test_a_line_in_which_a_key_stands_twice_is_refused_by_both(game: Game) -> None:
    lines = exported(game).splitlines()
    twice = lines[3].replace('"text":', '"text": "Somebody else won.", "text":', 1)
    assert twice != lines[3]
    text = "\n".join([*lines[:3], twice, *lines[4:]])
    assert "twice" in verify_lines(text)
    assert "twice" in import_lines(text)


@pytest.mark.thorough
@pytest.mark.parametrize("which", ["b-nomic-5e33"])
def test_a_title_that_is_enacted_again_is_no_fault(game: Game) -> None:
    for text in ("A cat is furry.", "A cat has fur."):
        with at_the_table(game) as table:
            table.rules.enact("Cats", text)
        with at_the_table(game) as table:
            table.rules.amend("Cats", f"{text} Yes.")
        with at_the_table(game) as table:
            table.rules.repeal("Cats")
    played = Game.objects.get(pk=game.pk)
    assert verify_file(played) == verify_address(played) == ""
    (found,) = verified((exported(played),))
    assert isinstance(found, dict), found

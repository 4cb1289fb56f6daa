"""Games as a test wants them: what no player could do is set by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import pytest

from nomic.engine.events import find_event
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.seating import number_of
from nomic.operations import setup
from nomic.operations.replayer import WRITTEN
from nomic.operations.setup import new_game
from nomic.record.keys import head_of
from nomic.record.models import Entry, EntryKind, Stamp


def _set_the_stage(table: Table, *_: object) -> Entry:
    return table.write(EntryKind.SYSTEM, "testing.prepare", None, {}, Outcome("The stage is set."))


WRITTEN["testing.prepare"] = _set_the_stage


def open_at_real_pace(slug: str, preset: str, **more: Any) -> Game:
    """A game at real pace with open offices, as none begins on a site."""
    settings = setup._settings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "_settings", lambda preset, pace, _: settings(preset, pace, "open"))
        return new_game(slug, preset, pace="real", **more)[0]


@contextmanager
def at_the_table(game: Game) -> Iterator[Table]:
    """The locked table of the game; what the block does to it is one entry of the record."""
    with setup.locked_table(game.slug) as table:
        yield table
        _set_the_stage(table)


@contextmanager
def failing(kind: str) -> Iterator[None]:
    """Within the block no event of that kind can happen: a game gets stuck at it."""

    def fail(table: Table, subject: str) -> Outcome:
        raise ZeroDivisionError("no such number")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(find_event(kind), "handler", fail)
        yield


def write_anew(game: Game, title: str, old: str, new: str) -> None:
    """Put a rule in the place of that one, with other words: no version stands before its text, so
    that what cannot be read of it is not played as of an earlier one."""
    with at_the_table(game) as table:
        rule = table.rules.find(title)
        assert old in rule.text
        table.rules.repeal(rule.pk)
        parent = table.rules.find(rule.parent_pk) if rule.parent_pk else None
        facts = {"number": rule.number, "origin": rule.origin, "visibility": rule.visibility}
        table.rules.enact(rule.title, rule.text.replace(old, new), parent=parent, **facts)


def put_in_office(game: Game, office: str, player: Player | None) -> None:
    """Let that player hold the office from now on, or nobody, at a time at which nobody can come to
    it any more."""
    with at_the_table(game) as table:
        table.game.offices.filter(name=office).update(holder=player)
        table.drop_directory()
        for subgame in in_play(game):
            subgame.office_changed(table, office)


def stamped(game: Game, answer: bytes = b"\x30\x00") -> Stamp:
    """Keep a stamp of the game's head, as if a service had made it."""
    at = datetime(2026, 3, 4, 12, tzinfo=UTC)
    return Stamp.objects.create(
        game=game,
        **asdict(head_of(game)),
        service="stamps.example",
        at=at,
        kept_at=at,
        answer=answer,
    )


def roll_after_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rolls come after no hash, so that games whose sealed books differ have the same luck."""

    def whose(table: Table) -> tuple[int, str]:
        return number_of(table.actor) if table.actor else 0, ""

    monkeypatch.setattr(Table, "whose_dice", whose)

"""What no hash finds, since all are made anew, is refused by docs/verify.py, for what it is, by an
import, and by the verifier in another language."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from nomic.dice.models import Roll
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.record.models import Entry, SealedEntry
from tests.tampering.forging import hash_anew, save, undone
from tests.tampering.javascript import verified
from tests.tampering.tools import exported, import_lines, verify_address, verify_lines

type Altered = Entry | SealedEntry


def first_sealed(game: Game) -> Altered:
    return game.sealed_entries.order_by("seq")[0]


def act(game: Game) -> Altered:
    return game.entries.filter(kind="action").latest("seq")


def mover(game: Game) -> Altered:
    made = game.entries.order_by("-seq")
    return next(each for each in made if any("moves" in effect for effect in each.effects))


def bribe(game: Game) -> Altered:
    return game.sealed_entries.filter(name="settlers.bribe", opened_in__isnull=False)[0]


def ruled(game: Game) -> Altered:
    return game.entries.get(seq=1)


def event(game: Game) -> Altered:
    return game.entries.filter(kind="event").latest("seq")


def at(**otherwise: Any) -> Callable[[Altered], None]:
    """Sets the columns so."""

    def alter(entry: Altered) -> None:
        for name, value in otherwise.items():
            setattr(entry, name, value)

    return alter


def recorded(year: int) -> Callable[[Altered], None]:
    return lambda entry: at(recorded_at=entry.recorded_at.replace(year=year))(entry)


def played(year: int) -> Callable[[Altered], None]:
    return lambda entry: at(at=entry.at.replace(year=year))(entry)


def of_an_effect(key: str, change: Callable[[Any], Any]) -> Callable[[Altered], None]:
    """Changes what the first effect that has the key says there."""

    def alter(entry: Altered) -> None:
        effect = next(each for each in entry.effects if key in each)
        effect[key] = change(effect[key])

    return alter


def halved(moves: list[Any]) -> list[Any]:
    """The amounts of two holders, with a half more and less."""
    (one, asset, amount), (other, _, _), *more = moves
    return [[one, asset, amount + 0.5], [other, asset, -amount - 0.5], *more]


BEFORE = "was recorded before the one before it"
ALTERED: list[tuple[str, Callable[[Game], Altered], Callable[[Altered], None], str]] = [
    ("the first sealed entry recorded in 1999", first_sealed, recorded(1999), BEFORE),
    ("an entry recorded in 1999", act, recorded(1999), BEFORE),
    ("a private act recorded in 1999", bribe, recorded(1999), BEFORE),
    ("a private act recorded in 2099", bribe, recorded(2099), BEFORE),
    ("an entry before the one before it", act, played(1999), "lies before the one before it"),
    ("no entry seen", act, at(saw=[9999, None]), "had seen is no head"),
    ("an entry seen that is to come", act, at(saw=[9999, "0" * 64]), "had seen another entry"),
    ("half a head seen", act, at(saw=[1]), "had seen is no head"),
    ("a private act that saw nothing", bribe, at(saw=[]), "had seen is no head"),
    ("an amount with a half", mover, of_an_effect("moves", halved), "no whole number"),
    ("a version that is a text", ruled, of_an_effect("version", str), "no whole number"),
    ("a version before which there is none", ruled, of_an_effect("version", lambda _: 7), "1"),
    ("a kind that there is not", act, at(kind="judgement"), "is of no kind"),
    ("fewer anchors", event, at(anchors={}), "anchors"),
]  # fmt: skip


def forged(game: Game, entry: Altered, alter: Callable[[Altered], None]) -> str:
    """The file of the game with that entry so, and all hashed and rolled anew."""
    alter(entry)
    save(entry)
    hash_anew(game)
    return exported(Game.objects.get(pk=game.pk))


def in_another_seat(game: Game) -> str:
    roll = Roll.objects.filter(period__game=game, seat=0, period__private=False).latest("pk")
    roll.seat = 2
    save(roll)
    return forged(game, game.entries.get(seq=roll.entry), of_an_effect("seat", lambda _: 2))


def by_hand(file: str) -> dict[str, tuple[str, str]]:
    """Files that no database holds, whose hashes are as they were."""
    lines = file.splitlines()
    return {
        "another key": (file.replace("a key of Murphy's", "a key of Madrid's"), "another key"),
        "a key twice": (file.replace('"text":', '"text": "I won.", "text":', 1), "a key twice"),
        "no last line": ("\n".join(lines[:-1]), "not whole"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("which", ["a visit"])
def test_what_one_refuses_each_refuses_for_what_it_is(game: Game) -> None:
    take(game.slug, game.players.get(name="Murphy"), "games.leave", {}, "a key of Murphy's")
    game = Game.objects.get(pk=game.pk)
    honest = exported(game)
    files = {}
    for what, entry, alter, why in ALTERED:
        with undone():
            files[what] = forged(game, entry(game), alter), why
    with undone():
        files["a roll in another seat"] = in_another_seat(game), "has another seat"
    files |= by_hand(honest)
    said, *others = verified((honest,), *((file,) for file, _ in files.values()))
    assert isinstance(said, dict), said
    found = {
        what: [
            *(["verify.py"] if why not in verify_lines(file) else []),
            *(["import"] if not import_lines(file) else []),
            *(["verifier.mjs"] if isinstance(other, dict) else []),
        ]
        for (what, (file, why)), other in zip(files.items(), others, strict=True)
    }
    assert {what: tools for what, tools in found.items() if tools} == {}


@pytest.mark.parametrize("which", ["a visit"])
def test_an_address_whose_first_sealed_entry_is_of_another_day_is_refused(game: Game) -> None:
    entry = bribe(game)
    entry.recorded_at -= timedelta(days=9999)
    save(entry)
    hash_anew(game)
    assert BEFORE in verify_address(Game.objects.get(pk=game.pk))

"""What a game that lived elsewhere begins with beside its rules, from a file of TOML."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.removal import remove_game
from nomic.operations.setup import BadSetup
from nomic.standard.hosting.bringing import (
    BRING_BALANCE,
    BRING_OFFICE,
    BRING_PLAYER,
    BRING_SWITCH,
)

_LARGEST = 1_000_000  # bytes
_MOST = 10_000  # entries
_SUBMIT = "proposals.submit"
_ACTS: dict[str, tuple[str, dict[str, type]]] = {
    "player": (BRING_PLAYER, {"name": str}),
    "office": (BRING_OFFICE, {"office": str, "player": str}),
    "balance": (BRING_BALANCE, {"player": str, "amount": int, "asset": str}),
    "switch": (BRING_SWITCH, {"switch": str, "of": str, "value": str}),
    "proposal": (_SUBMIT, {"author": str, "title": str, "body": str}),
}

type Beginning = tuple[str, str, dict[str, Any]]  # where it stands, an action and its inputs


def read_beginnings(path: Path) -> list[Beginning]:
    """What the file asks for, players first; raises BadSetup with a sentence that says where."""
    try:
        if path.stat().st_size > _LARGEST:
            raise BadSetup(f"{path.name} has more than {_LARGEST:,} bytes.")
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetup(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise BadSetup(f"{path.name} is not TOML: {error}.") from None
    if unknown := told.keys() - _ACTS.keys():
        known = ", ".join(f"[[{name}]]" for name in _ACTS)
        raise BadSetup(f"{path.name}: there is no [[{min(unknown)[:40]}]]; there are {known}.")
    found = list(_acts(told, path.name))
    if len(found) > _MOST:
        raise BadSetup(f"{path.name} asks for {len(found):,} entries; {_MOST:,} are the most.")
    return found


def _acts(told: dict[str, Any], name: str) -> Iterator[Beginning]:
    for kind, (act, fields) in _ACTS.items():
        rows = told.get(kind, [])
        if not isinstance(rows, list):
            raise BadSetup(f"{name}: {kind} is written [[{kind}]], once for each.")
        for at, row in enumerate(rows, 1):
            where = f"{name}, {kind} {at}"
            if not isinstance(row, dict) or {key: type(row[key]) for key in row} != fields:
                needs = " and ".join(f"`{key}` ({of.__name__})" for key, of in fields.items())
                raise BadSetup(f"{where}: it has {needs}, and nothing else.")
            yield where, act, row


def bring_beginnings(game: Game, beginnings: list[Beginning]) -> None:
    """Enter them one by one in the record of the game that has just begun; where one cannot be,
    the game is gone again. Raises BadSetup."""
    for where, act, inputs in beginnings:
        try:
            actor = None
            if act == _SUBMIT:
                actor = game.players.filter(name=inputs["author"]).first()
                if actor is None:
                    raise BadSetup(f"{where}: nobody called {inputs['author'][:40]} plays here.")
                inputs = {name: told for name, told in inputs.items() if name != "author"}
            take(game.slug, actor, act, inputs)
        except (Refused, Malformed, BadSetup) as error:
            Game.objects.filter(pk=game.pk).update(scratch=True)
            remove_game(game)
            told = error if isinstance(error, BadSetup) else f"{where}: {error}"
            raise BadSetup(f"{told} Nothing was made.") from None

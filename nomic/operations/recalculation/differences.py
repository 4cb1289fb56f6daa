"""Differences between two games as everybody sees them: side by side, each under its path."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nomic.engine.subgames import all_subgames, all_switches, find_subgame
from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.ledger.models import AssetVisibility, Balance

_KEYS = ("name", "number", "id", "title", "key")  # by which things in a list are known
_PLACES = frozenset({"entry", "seq", "version"})  # where a thing stands in the record
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs; `was` and `now` are None where it is not there at all. `cause` is the
    number of the entry that caused it first, 0 for what has none."""

    part: str
    path: str
    was: Any
    now: Any
    cause: int = 0


def differences(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[Difference]:
    """The differences between two public states, in their order."""
    return [
        Difference(path[0], " › ".join(path[1:]), before, after)
        for path, before, after in _differing(was, now, ())
    ]


def public_state(game: Game, at: datetime, hidden: Collection[str]) -> dict[str, Any]:
    """The game at that moment as anybody sees it, but for what is of the `hidden` parts: with them
    go their assets and rules, and who has won, since wins tell of what was held."""
    table = Table(game, at, at, locked=False)
    rules = {rule.title: rule.text for rule in table.rules.public if rule.origin not in hidden}
    wins = () if hidden else game.wins.select_related("player")
    return {
        "players": {player.name: player.active for player in game.players.all()},
        "offices": dict(table.directory.offices),
        "wins": sorted(f"{win.player.name}: {win.how}" for win in wins),
        "balances": balances(game, hidden),
        "rules": rules,
        **{
            subgame.name: subgame.state(table, None)
            for subgame in all_subgames()
            if subgame.name not in hidden and subgame.is_on(game)
        },
    }


def balances(game: Game, hidden: Collection[str]) -> dict[str, dict[str, int]]:
    """Who has how much of what is public and of no hidden part, but for the Mint."""
    found: dict[str, dict[str, int]] = {}
    parts = [find_subgame(name) for name in hidden]
    assets = game.assets.filter(visibility=AssetVisibility.PUBLIC)
    told = [asset.pk for asset in assets if not any(part.keeps(game, asset) for part in parts)]
    rows = Balance.objects.filter(holder__game=game, asset__in=told, is_mint=False)
    for holder, asset, amount in rows.exclude(amount=0).values_list(
        "holder__name", "asset__name", "amount"
    ):
        found.setdefault(holder, {})[asset] = amount
    return found


def switches(game: Game, at: datetime, hidden: Collection[str]) -> dict[str, dict[str, str]]:
    """How the switches stand that a proposal may set, by name and then by whose they are."""
    table = Table(game, at, at, locked=False)
    return {
        each.name: {subject: each.value(table, subject) for subject in each.subjects(table)}
        for each in all_switches()
        if type(each).__module__.partition(".")[0] not in hidden
    }


def _differing(
    was: Any, now: Any, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    was, now = _by_name(was), _by_name(now)
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys([*was, *now]):
            if str(name) not in _PLACES:
                yield from _differing(was.get(name), now.get(name), (*path, str(name)))
    elif was != now:
        yield path, _shown(was), _shown(now)


def _by_name(value: Any) -> Any:
    """A list of things with names as these things by their names."""
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        return value
    for key in _KEYS:
        names = [each.get(key) for each in value]
        if all(name is not None for name in names) and len({*map(str, names)}) == len(names):
            return {str(name): each for name, each in zip(names, value, strict=True)}
    return value


def _shown(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if not value:
        return None
    said = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"

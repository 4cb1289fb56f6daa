"""Differences between two games as everybody sees them: side by side, each under its path."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nomic.engine.subgames import all_subgames, all_switches, find_subgame
from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.governance.recalculation.revision import BETWEEN_KEYS
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


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """The differences between two public states, in their order."""
    return [
        Difference(path[0], BETWEEN_KEYS.join(path[1:]), before, after)
        for path, before, after in _differing(old, new, ())
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


def shown_assets(game: Game, hidden: Collection[str]) -> list[str]:
    """The names of the public assets that are of no hidden part, in their order."""
    parts = [find_subgame(name) for name in hidden]
    assets = game.assets.filter(visibility=AssetVisibility.PUBLIC)
    return sorted(
        asset.name for asset in assets if not any(part.keeps(game, asset) for part in parts)
    )


def balances(game: Game, hidden: Collection[str]) -> dict[str, dict[str, int]]:
    """Who has how much of what is public and of no hidden part, but for the Mint."""
    amounts: dict[str, dict[str, int]] = {}
    shown = shown_assets(game, hidden)
    rows = Balance.objects.filter(holder__game=game, asset__name__in=shown, is_mint=False)
    for holder, asset, amount in rows.exclude(amount=0).values_list(
        "holder__name", "asset__name", "amount"
    ):
        amounts.setdefault(holder, {})[asset] = amount
    return amounts


def switches(game: Game, at: datetime, hidden: Collection[str]) -> dict[str, dict[str, str]]:
    """How the switches stand that a proposal may set, by name and then by whose they are."""
    table = Table(game, at, at, locked=False)
    return {
        switch.name: {subject: switch.value(table, subject) for subject in switch.subjects(table)}
        for switch in all_switches(table)
        if type(switch).__module__.partition(".")[0] not in hidden
    }


def _differing(
    old: Any, new: Any, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    old, new = _by_name(old), _by_name(new)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in dict.fromkeys([*old, *new]):
            if str(name) not in _PLACES:
                yield from _differing(old.get(name), new.get(name), (*path, str(name)))
    elif old != new:
        yield path, _shown(old), _shown(new)


def _by_name(state: Any) -> Any:
    """A list of things with names as these things by their names."""
    if not isinstance(state, list) or not all(isinstance(part, Mapping) for part in state):
        return state
    for key in _KEYS:
        names = [part.get(key) for part in state]
        if all(name is not None for name in names) and len({*map(str, names)}) == len(names):
            return {str(name): part for name, part in zip(names, state, strict=True)}
    return state


def _shown(figure: Any) -> Any:
    if figure is None or isinstance(figure, bool | int | float | str):
        return figure
    if not figure:
        return None
    text = json.dumps(figure, sort_keys=True, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

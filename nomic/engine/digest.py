"""The whole state of a game as plain values without database ids, to compare two games by."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.apps import apps

from nomic.engine.rows import have_same_rows, have_same_tables, plain_rows, rows_of
from nomic.engine.subgames import all_subgames
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.games.powers import ACCEPTED, voters_of
from nomic.ledger.models import Balance


def state_of(game: Game) -> dict[str, Any]:
    """Everything that the record determines: seats, balances, rules, dice, what is to come."""
    return {name: read(game) for name, read in parts_of_state().items()}


def parts_of_state() -> dict[str, Callable[[Game], Any]]:
    """The same in parts, each to be read by itself: one is smaller than all of them."""
    rows = {name: partial(_read, *columns) for name, columns in _ROWS.items()}
    return {**_PARTS, **rows, **_subgames()}


def parts_alike(first: Game, second: Game) -> set[str]:
    """The parts, of those that grow with a game, of which the database tells that they are the same
    of both games: nothing is read of them."""
    return {
        *(app for app in _subgames() if have_same_tables(app, first, second)),
        *(
            name
            for name, (model, *columns) in _ROWS.items()
            if have_same_rows(apps.get_model(model), first, second, *columns)
        ),
    }


def _subgames() -> dict[str, Callable[[Game], Any]]:
    """All rows of each subgame, by the name of its app."""
    names = (subgame.name for subgame in all_subgames())
    return {name: partial(rows_of, name) for name in names}


def _read(model: str, *columns_and_game: Any) -> list[list[Any]]:
    *columns, game = columns_and_game
    return plain_rows(apps.get_model(model), game, *columns)


def _players(game: Game) -> dict[str, list[Any]]:
    columns = ("name", "active", "vested", "bot", "removed", "joined_at", "left_at")
    return {
        name: [*facts, iso(joined_at), iso(left_at) if left_at else None]
        for name, *facts, joined_at, left_at in game.players.values_list(*columns)
    }


def _absent(game: Game) -> dict[str, list[Any]]:
    rows = game.players.filter(away_in__isnull=False)
    columns = rows.values_list("name", "away_in", "away_until")
    return {name: [away_in, until and iso(until)] for name, away_in, until in columns}


def _voters(game: Game) -> list[str]:
    """Who was let vote, where a setting says that this counts."""
    accepted = game.players.filter(accepted=True) if voters_of(game) in ACCEPTED else ()
    return sorted(player.name for player in accepted)


def _balances(game: Game) -> dict[str, int]:
    rows = Balance.objects.filter(holder__game=game).exclude(amount=0)
    columns = rows.values_list("holder__name", "asset__name", "amount")
    return {f"{holder} {asset}": amount for holder, asset, amount in columns}


def _rules(game: Game) -> dict[str, list[Any]]:
    columns = (
        *("position", "title", "enacted_in", "number", "parent__title", "known_as", "rule_class"),
        *("text", "version", "played_as", "settled", "repealed_in", "visibility", "disclosed_in"),
        *("power", "switched_off", "by_people", "told", "judged"),
    )
    return {
        f"{position}. “{title}” of entry {enacted}": facts
        for position, title, enacted, *facts in game.rules.values_list(*columns)
    }


# Rows of a model, perhaps told by these columns alone; some models stand above the engine.
_ROWS: dict[str, tuple[str, ...]] = {
    "dice periods": ("dice.Period",),
    "wins": ("games.Win",),
    "former names": ("games.FormerName",),
    "motions": ("governance.Motion",),
    "voices": ("governance.Voice", "motion__label", "motion__number", "player__name", "side"),
    "recalculations": ("governance.RecordedReport",),
    "programs": ("play.ProgramState",),
    "switches": ("play.SwitchSetting",),
}
_PARTS: dict[str, Callable[[Game], Any]] = {
    "pace": lambda game: [game.pace, game.rate],
    "players": _players,
    "absent": _absent,
    "voters": _voters,
    "offices": lambda game: {
        name: facts for name, *facts in game.offices.values_list("name", "holder__name", "since")
    },
    "assets": lambda game: {
        name: facts
        for name, *facts in game.assets.values_list(
            *(
                "name",
                "kind",
                "visibility",
                "officer",
                "family",
                "fixed",
                "indestructible",
                "may_owe",
            )
        )
    },
    "balances": _balances,
    "rules": _rules,
    "opened": lambda game: sorted(
        game.sealed_entries.filter(opened_in__isnull=False).values_list("seq", "opened_in")
    ),
    "appointments": lambda game: [
        f"{kind} {subject} {iso(due)}"
        for kind, subject, due in game.appointments.waiting().values_list("kind", "subject", "due")
    ],
}

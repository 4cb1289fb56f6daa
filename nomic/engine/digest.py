"""The whole state of a game as plain values without database ids, to compare two games by."""

from collections.abc import Callable
from typing import Any

from django.apps import apps

from nomic.dice.models import Period
from nomic.engine.models import ProgramState
from nomic.engine.rows import plain_rows
from nomic.engine.subgames import all_subgames
from nomic.games.clock import iso
from nomic.games.models import Game, Win
from nomic.games.powers import ACCEPTED, voters_of
from nomic.ledger.models import Balance


def state_of(game: Game) -> dict[str, Any]:
    """Everything that the record determines: seats, balances, rules, dice, what is to come."""
    return {name: read(game) for name, read in parts_of_state().items()}


def parts_of_state() -> dict[str, Callable[[Game], Any]]:
    """The same in parts, each to be read by itself: one is smaller than all of them."""
    return {**_PARTS, **{subgame.name: subgame.digest for subgame in all_subgames()}}


def _players(game: Game) -> dict[str, list[Any]]:
    columns = ("name", "active", "vested", "bot", "removed", "joined_at", "left_at")
    return {
        name: [*facts, iso(joined), iso(left) if left else None]
        for name, *facts, joined, left in game.players.values_list(*columns)
    }


def _voters(game: Game) -> list[str]:
    """Who was let vote, where a setting says that this counts."""
    accepted = game.players.filter(accepted=True) if voters_of(game) in ACCEPTED else ()
    return sorted(each.name for each in accepted)


def _balances(game: Game) -> dict[str, int]:
    rows = Balance.objects.filter(holder__game=game).exclude(amount=0)
    columns = rows.values_list("holder__name", "asset__name", "amount")
    return {f"{holder} {asset}": amount for holder, asset, amount in columns}


def _rules(game: Game) -> dict[str, list[Any]]:
    columns = (
        *("position", "title", "enacted_in", "number", "parent__title", "known_as", "rule_class"),
        *("text", "version", "played_as", "settled", "repealed_in", "visibility", "disclosed_in"),
        *("power", "switched_off", "by_people", "told"),
    )
    return {
        f"{position}. “{title}” of entry {enacted}": facts
        for position, title, enacted, *facts in game.rules.values_list(*columns)
    }


def _standard(name: str, *columns: str) -> Callable[[Game], Any]:
    """The rows of a model of what can be done in every game, which stands above the engine."""
    return lambda game: plain_rows(apps.get_model("standard", name), game, *columns)


_PARTS: dict[str, Callable[[Game], Any]] = {
    "pace": lambda game: [game.pace, game.rate],
    "players": _players,
    "voters": _voters,
    "offices": lambda game: {
        name: facts for name, *facts in game.offices.values_list("name", "holder__name", "since")
    },
    "assets": lambda game: {
        name: facts
        for name, *facts in game.assets.values_list(
            *("name", "kind", "visibility", "officer", "family", "fixed", "indestructible")
        )
    },
    "balances": _balances,
    "rules": _rules,
    "dice periods": lambda game: plain_rows(Period, game),
    "wins": lambda game: plain_rows(Win, game),
    "motions": _standard("Motion"),
    "voices": _standard("Voice", "motion__label", "motion__number", "player__name", "side"),
    "recalculations": _standard("RecordedReport"),
    "programs": lambda game: plain_rows(ProgramState, game),
    "opened": lambda game: sorted(
        game.sealed_entries.filter(opened_in__isnull=False).values_list("seq", "opened_in")
    ),
    "appointments": lambda game: [
        f"{kind} {subject} {iso(due)}"
        for kind, subject, due in game.appointments.waiting().values_list("kind", "subject", "due")
    ],
}

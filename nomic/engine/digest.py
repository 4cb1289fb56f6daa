"""The whole state of a game as plain values without database ids, to compare two games by."""

from collections.abc import Callable
from typing import Any

from nomic.engine.models import ProgramState
from nomic.engine.rows import plain_rows
from nomic.engine.subgames import all_subgames
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.games.voters import ACCEPTED, voters_of
from nomic.ledger.models import Balance


def state_of(game: Game) -> dict[str, Any]:
    """Everything that the record determines: seats, balances, rules, dice, what is to come."""
    return {name: read(game) for name, read in parts_of_state().items()}


def parts_of_state() -> dict[str, Callable[[Game], Any]]:
    """The same in parts, each to be read by itself: one is smaller than all of them."""
    return {**_PARTS, **{subgame.name: subgame.digest for subgame in all_subgames()}}


_PLAYER = ("name", "active", "vested", "bot", "removed", "joined_at", "left_at")
_ASSET = ("name", "kind", "visibility", "officer", "family", "fixed", "indestructible")
_RULE = (
    *("position", "title", "enacted_in", "number", "parent__title", "known_as", "rule_class"),
    *("text", "version", "played_as", "settled", "repealed_in", "visibility", "disclosed_in"),
    *("power", "switched_off", "by_people", "told"),
)
_PARTS: dict[str, Callable[[Game], Any]] = {
    "pace": lambda game: [game.pace, game.rate],
    "players": lambda game: {
        name: [active, vested, bot, removed, iso(joined), iso(left) if left else None]
        for name, active, vested, bot, removed, joined, left in game.players.values_list(*_PLAYER)
    },
    "voters": lambda game: (
        sorted(game.players.filter(accepted=True).values_list("name", flat=True))
        if voters_of(game) in ACCEPTED
        else []
    ),
    "offices": lambda game: {
        name: held for name, *held in game.offices.values_list("name", "holder__name", "since")
    },
    "assets": lambda game: {name: facts for name, *facts in game.assets.values_list(*_ASSET)},
    "balances": lambda game: {
        f"{holder} {asset}": amount
        for holder, asset, amount in Balance.objects.filter(holder__game=game)
        .exclude(amount=0)
        .values_list("holder__name", "asset__name", "amount")
    },
    "rules": lambda game: {
        f"{position}. “{title}” of entry {enacted}": facts
        for position, title, enacted, *facts in game.rules.values_list(*_RULE)
    },
    "dice periods": lambda game: plain_rows(game.dice_periods.all()),
    "wins": lambda game: plain_rows(game.wins.all()),
    "motions": lambda game: plain_rows(game.motions.all()),
    "voices": lambda game: plain_rows(
        game.motions.filter(voices__isnull=False),
        "label",
        "number",
        "voices__player__name",
        "voices__side",
    ),
    "recalculations": lambda game: plain_rows(game.recorded_reports.all()),
    "programs": lambda game: plain_rows(ProgramState.objects.filter(rule__game=game)),
    "opened": lambda game: list(
        game.sealed_entries.filter(opened_in__isnull=False)
        .order_by("seq")
        .values_list("seq", "opened_in")
    ),
    "appointments": lambda game: [
        f"{kind} {subject} {iso(due)}"
        for kind, subject, due in game.appointments.waiting().values_list("kind", "subject", "due")
    ],
}

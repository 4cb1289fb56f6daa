"""The whole state of a game as plain values without database ids, to compare two games by."""

from collections.abc import Callable, Iterable
from typing import Any

from django.apps import apps
from django.db.models import QuerySet

from nomic.compiled import CompiledValues
from nomic.dice.models import Period
from nomic.engine.models import Appointment, ProgramState
from nomic.engine.rows import Listing, Listings
from nomic.engine.subgames import all_subgames
from nomic.games.clock import iso
from nomic.games.models import Game, Office, Player, Win
from nomic.games.voters import ACCEPTED, voters_of
from nomic.ledger.models import Asset, Balance
from nomic.record.models import SealedEntry
from nomic.rulebook.models import Rule


def state_of(game: Game) -> dict[str, Any]:
    """Everything that the record determines: seats, balances, rules, dice, what is to come."""
    return {name: read(game) for name, read in parts_of_state().items()}


def parts_of_state() -> dict[str, Callable[[Game], Any]]:
    """The same in parts, each to be read by itself: one is smaller than all of them."""
    return {**_PARTS, **{subgame.name: subgame.digest for subgame in all_subgames()}}


def differing_parts(was: Game, again: Game) -> list[str]:
    """The names of the parts that may be otherwise in the one game than in the other: those whose
    rows differ. All others are the same, and nothing is read of them."""
    others = [each.name for each in all_subgames() if not each.is_alike(was, again)]
    read = [name for name in _PARTS.keys() - _ROWS if _PARTS[name](was) != _PARTS[name](again)]
    found = {*others, *read, *_LISTINGS.differing(was, again)}
    if voters_of(was) is not voters_of(again):  # who of the rows are voters, a setting says
        found.add("voters")
    return sorted(found)


def _accepted(game: Game) -> list[str]:
    if voters_of(game) not in ACCEPTED:
        return []
    return sorted(name for (name,) in _ROWS["voters"].of(game))


def _standard(name: str) -> QuerySet[Any]:
    """The rows of a model of what can be done in every game, which stands above the engine."""
    rows: QuerySet[Any] = apps.get_model("standard", name)._default_manager.all()
    return rows


def _by_name(rows: Iterable[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {name: facts for name, *facts in rows}


_ROWS = {
    "players": Listing(
        Player.objects.all, "name", "active", "vested", "bot", "removed", "joined_at", "left_at"
    ),
    "voters": Listing(lambda: Player.objects.filter(accepted=True), "name"),
    "offices": Listing(Office.objects.all, "name", "holder__name", "since"),
    "assets": Listing(
        Asset.objects.all,
        *("name", "kind", "visibility", "officer", "family", "fixed", "indestructible"),
    ),
    "balances": Listing(
        lambda: Balance.objects.exclude(amount=0), "holder__name", "asset__name", "amount"
    ),
    "rules": Listing(
        Rule.objects.all,
        *("position", "title", "enacted_in", "number", "parent__title", "known_as", "rule_class"),
        *("text", "version", "played_as", "settled", "repealed_in", "visibility", "disclosed_in"),
        *("power", "switched_off", "by_people", "told"),
    ),
    "dice periods": Listing(Period.objects.all),
    "wins": Listing(Win.objects.all),
    "motions": Listing(lambda: _standard("Motion")),
    "voices": Listing(
        lambda: _standard("Motion").filter(voices__isnull=False),
        *("label", "number", "voices__player__name", "voices__side"),
    ),
    "recalculations": Listing(lambda: _standard("RecordedReport")),
    "programs": Listing(ProgramState.objects.all),
    "opened": Listing(
        lambda: SealedEntry.objects.filter(opened_in__isnull=False), "seq", "opened_in"
    ),
}
_LISTINGS = Listings(_ROWS)
_WAITING = CompiledValues(
    lambda: Appointment.objects.waiting().values_list("kind", "subject", "due")
)
_PARTS: dict[str, Callable[[Game], Any]] = {
    "pace": lambda game: [game.pace, game.rate],
    "players": lambda game: {
        name: [active, vested, bot, removed, iso(joined), iso(left) if left else None]
        for name, active, vested, bot, removed, joined, left in _ROWS["players"].of(game)
    },
    "voters": _accepted,
    "offices": lambda game: _by_name(_ROWS["offices"].of(game)),
    "assets": lambda game: _by_name(_ROWS["assets"].of(game)),
    "balances": lambda game: {
        f"{holder} {asset}": amount for holder, asset, amount in _ROWS["balances"].of(game)
    },
    "rules": lambda game: {
        f"{position}. “{title}” of entry {enacted}": facts
        for position, title, enacted, *facts in _ROWS["rules"].of(game)
    },
    "dice periods": _ROWS["dice periods"].plain,
    "wins": _ROWS["wins"].plain,
    "motions": _ROWS["motions"].plain,
    "voices": _ROWS["voices"].plain,
    "recalculations": _ROWS["recalculations"].plain,
    "programs": _ROWS["programs"].plain,
    "opened": lambda game: sorted(_ROWS["opened"].of(game)),
    "appointments": lambda game: [
        f"{kind} {subject} {iso(due)}" for kind, subject, due in _WAITING.all(game=game.pk)
    ],
}

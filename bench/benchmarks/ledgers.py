"""Transfers a second, ours against django-hordak's, each with its own triggers.

A transfer of ours belongs to an entry of the record. So there are two comparisons: transfers
alone, many of them in one transaction and under one entry, and whole moves, where each of ours
also takes the game's lock and writes its entry.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from django.db import transaction
from hordak.models import Account, AccountType
from moneyed import Money

from bench import cast
from bench.figures import Figure, median
from bench.size import Size
from nomic.games.models import Game, Player
from nomic.ledger.books import Ledger
from tests.kit import at_the_table

NAME = "ledger transfers"
_TURNS = 5


def measure(size: Size) -> list[Figure]:
    """Transfers between two owners and back, then readings of one's balance, by turns."""
    game = cast.races("ledgers")
    cast.seat(game, 2)
    owners = list(game.players.select_related("holder"))
    accounts = [_account("one", "1"), _account("other", "2")]
    turns, many = _TURNS * size.rounds, max(1, size.transfers // _TURNS)
    alone = _by_turns(lambda: _ours(game, owners, many), lambda: _hordaks(accounts, many), turns)
    moves = _by_turns(
        lambda: [_ours(game, owners, 1) for _ in range(many)],
        lambda: [_hordaks(accounts, 1) for _ in range(many)],
        turns,
    )
    reads = _by_turns(
        lambda: [Ledger(game, None).balance(owners[0], "dollary") for _ in range(many)],
        lambda: [accounts[0].get_balance() for _ in range(many)],
        turns,
    )
    cases = (f"{many} a transaction", "one a transaction, ours with lock and record")
    rates = [[many / seconds for seconds in pair] for pair in (alone, moves, reads)]
    return [
        Figure(NAME, f"{cases[0]}, against django-hordak", "a second", *rates[0], at_least=1.0),
        Figure(NAME, f"{cases[1]}, against django-hordak", "a second", *rates[1]),
        Figure(NAME, "reading a balance, against django-hordak", "a second", *rates[2]),
    ]


def _by_turns(
    ours: Callable[[], object], theirs: Callable[[], object], turns: int
) -> tuple[float, float]:
    """Seconds of each, the middle one of all turns."""
    ours(), theirs()
    took = [(_seconds(ours), _seconds(theirs)) for _ in range(turns)]
    return median([turn[0] for turn in took]), median([turn[1] for turn in took])


def _seconds(work: Callable[[], object]) -> float:
    since = time.perf_counter()
    work()
    return time.perf_counter() - since


def _ours(game: Game, owners: list[Player], many: int) -> None:
    with at_the_table(game) as table:
        for _ in range(many):
            owners.reverse()
            table.ledger.transfer(owners[0], owners[1], 1, "dollary", "bench")


def _hordaks(accounts: list[Account], many: int) -> None:
    with transaction.atomic(durable=True):
        for _ in range(many):
            accounts.reverse()
            accounts[0].transfer_to(accounts[1], Money(1, "EUR"), description="bench")


def _account(name: str, code: str) -> Account:
    return Account.objects.create(name=name, code=code, type=AccountType.income, currencies=["EUR"])

"""What it costs that an act can be proved: its effects in the entry, the head that its actor had
seen, the signature of its receipt; act by act in turn with the same acts without it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from unittest.mock import patch

from bench import cast
from bench.figures import Figure, median
from bench.size import Size
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations import setup
from nomic.record.keys import head_of
from nomic.web.proof.receipts import tag_of

NAME = "an act that can be proved"
_ACTION, _INPUTS = "horses.bet", {"horse": "Alexia", "dollaries": 1}
_MOST = 1.15

Acts = Iterator[tuple[Game, Player]]


def measure(size: Size) -> list[Figure]:
    """Bets in games of both formats, with and without a receipt, one of each kind at a time."""
    with patch.object(setup, "NEWEST_FORMAT", 1):
        old = _game("proof-old", size.actions)
    new, bare = _game("proof-new", size.actions), _game("proof-bare", size.actions)
    kinds = ((old, False), (bare, False), (new, True))
    rounds = [[_seconds(*kind) for kind in kinds] for _ in range(size.actions)]
    before, effects, all_of_it = (median(took) * 1000 for took in zip(*rounds, strict=True))
    return [
        Figure(NAME, "signature and head, against an act without", "ms", all_of_it, effects),
        Figure(NAME, "effects, signature and head", "ms", all_of_it, before, at_most=_MOST),
    ]


def _game(slug: str, players: int) -> Acts:
    game = cast.races(slug)
    cast.seat(game, players)
    return ((game, player) for player in game.players.order_by("pk"))


def _seconds(acts: Acts, proved: bool) -> float:
    """How long the next act takes; reading the game, as a page has before, does not count."""
    game, player = next(acts)
    game.refresh_from_db(fields=["last_entry", "record_head"])
    since = time.perf_counter()
    saw = head_of(game) if proved else None
    receipt = take(game.slug, player, _ACTION, _INPUTS, "once", saw=saw)
    if proved:
        tag_of(receipt.entry)
    return time.perf_counter() - since

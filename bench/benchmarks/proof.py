"""What it costs that an act can be proved to who did it: the head that its actor had seen and the
signature of its receipt; act by act in turn with the same acts without them."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bench import cast
from bench.figures import Figure, median
from bench.size import Size
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.record.keys import head_of
from nomic.web.proof.receipts import tag_of

NAME = "an act that can be proved"
_ACTION, _INPUTS = "horses.bet", {"horse": "Alexia", "dollaries": 1}
_MOST = 1.15

Acts = Iterator[tuple[Game, Player]]


def measure(size: Size) -> list[Figure]:
    """Bets with and without a receipt, one of each kind at a time."""
    bare, proved = _game("proof-bare", size.actions), _game("proof-new", size.actions)
    rounds = [(_seconds(bare, False), _seconds(proved, True)) for _ in range(size.actions)]
    without, whole = (median(took) * 1000 for took in zip(*rounds, strict=True))
    return [Figure(NAME, "signature and head", "ms", whole, without, at_most=_MOST)]


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

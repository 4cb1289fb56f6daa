"""The effects that entries tell of, compared with what the tables hold (format 2)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from nomic.dice.models import Period, Roll
from nomic.dice.roller import describe_period, describe_roll
from nomic.engine.subgames import all_subgames
from nomic.games.models import Game
from nomic.ledger.models import Posting
from nomic.record.canonical import canonical_json
from nomic.record.chain import as_stored
from nomic.record.game_file import in_order
from nomic.record.models import HIDDEN
from nomic.rulebook.models import RuleVersion, digest_of

Place = tuple[bool, int]  # whether it is a sealed entry, and its number
DICE = ("roll", "period")


def compare_effects(game: Game, kinds: Iterable[str] = ()) -> tuple[int, str]:
    """How many effects the entries tell, and the first in which they and the tables differ.

    `kinds` are those that are compared: “moves”, “roll”, “period”, “version”, “vote”; all, where
    none is named.
    """
    wanted = frozenset(kinds)
    said: Counter[tuple[Place, bytes]] = Counter()
    kept: Counter[tuple[Place, bytes]] = Counter()
    for counted, effects in ((said, _said(game)), (kept, _kept(game))):
        for place, effect in effects:
            if wanted and not wanted & effect.keys():
                continue
            for move in effect.get("moves", [None]):  # moves are compared one by one
                one = {**effect, "moves": move} if move else effect
                counted[place, canonical_json(as_stored(one, 2))] += 1
    odd = min((said - kept) + (kept - said), default=None)
    if odd is None:
        return said.total(), ""
    (is_sealed, number), differing = odd
    sealed = game.sealed_entries.filter(seq=number).first() if is_sealed else None
    where = sealed.label if sealed else f"{'sealed entry' if is_sealed else 'entry'} {number}"
    which = "the tables do not have it" if said[odd] > kept[odd] else "the entry does not tell it"
    return said.total(), f"{where}: {differing.decode()[:200]}: {which}"


def _said(game: Game) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The effects in the entries, by place; hidden ones of public entries are in the sealed
    book."""
    for seq, effects in game.entries.values_list("seq", "effects").iterator():
        for effect in effects:
            if "switch" not in effect:  # a switch has no table of its own
                yield (False, seq), effect
    for hidden in in_order(game.sealed_entries.filter(name=HIDDEN)):
        is_sealeds = "of" in hidden.outcome
        place = (True, hidden.seq - 1) if is_sealeds else (False, hidden.after + 1)
        for effect in hidden.effects:
            yield place, effect


def _kept(game: Game) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The effects that the tables hold, by place."""
    moves = Posting.objects.filter(transfer__game=game).values_list(
        *("transfer__entry", "transfer__sealed", "transfer__rule", "transfer__why"),
        *("holder__name", "asset__name", "amount"),
    )
    for entry, sealed, rule, why, *move in moves.order_by():
        yield (sealed is not None, sealed or entry), {"moves": [move], "rule": rule, "why": why}
    for roll in Roll.objects.filter(period__game=game).select_related("period"):
        yield (roll.sealed, roll.entry), describe_roll(roll)
    for period in Period.objects.filter(game=game):
        named = {"period": describe_period(period)}
        yield (False, period.opened_in), {**named, "commitment": period.commitment}
        if period.closed_in is not None:
            yield (False, period.closed_in), {**named, "seed": period.seed}
    for each in RuleVersion.objects.filter(rule__game=game):
        told = {"rule": each.title, "version": each.number, "text": digest_of(each.text)}
        yield (False, each.enacted_in), told
    for subgame in all_subgames():
        yield from subgame.effects_kept(game)

"""The past again: feed a game's recorded inputs to another game and compare."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from nomic.engine.digest import state_of
from nomic.engine.programs.sandbox import ENGINE
from nomic.games.models import Game
from nomic.operations.again import again, begun_again, programs_then, short
from nomic.operations.order import Order
from nomic.operations.recalculation.founded import Reports
from nomic.operations.recording import Act, BadRecording, Recording, act_of, recording_of
from nomic.operations.snapshot import snapshot
from nomic.record.models import Entry, SealedEntry

_COMPARED = (
    "at", "recorded_at", "kind", "name", "actor", "inputs", "outcome", "text", "rule", "hash",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay first departs from the record, as a sentence; `entry` by its number."""

    entry: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.entry}: {self.sentence}" if self.entry else self.sentence


type Told = list[Difference]


def replay(game: Game, told: Told | None = None) -> tuple[int, Difference | None]:
    """Replay the game, as it is at one instant, into a scratch game, which leaves no trace.

    Returns how many entries agreed and the first difference, if there is one; `told` as for
    `rerun`.
    """
    with snapshot(game, read_only=False) as seen:
        scratch, agreed, difference = rerun(
            recording_of(seen), f"replay-{secrets.token_hex(8)}", scratch=True, told=told
        )
        if scratch is not None:
            moved = _other_postings(seen, scratch)
            difference = moved or difference or _other_state(seen, scratch)
        transaction.set_rollback(True)
    return agreed, difference


def rerun(
    recording: Recording, slug: str, *, scratch: bool, told: Told | None = None
) -> tuple[Game | None, int, Difference | None]:
    """Play a recording into a new game, in the caller's transaction, until something differs.

    Returns the game, how many acts agreed, and the difference. `told` is told, with the entry, each
    thing that comes out otherwise today. Raises BadRecording.
    """
    game: Game | None = None
    agreed = 0
    made: Entry | SealedEntry
    order, reports = Order(), Reports()
    for act in recording.acts:
        try:
            if game is None:
                game, made = begun_again(recording, act, slug, scratch=scratch)
            else:
                order.must_go_on(game, act)
                otherwise: list[str] = []
                made = again(game, act, otherwise=otherwise)
                reports.must_be_found(game, act, otherwise)
                if told is not None:
                    told += [Difference(act.label, each) for each in otherwise]
            difference = _compare(act, act_of(made))
        except (BadRecording, OperationalError, InterfaceError):
            raise
        except DatabaseError as error:
            raise BadRecording(f"{act.label} cannot be kept: {short(error)}") from error
        except Exception as error:  # a file may hold anything, and that may break anything
            why = short(error) or type(error).__name__
            sentence = f"cannot happen in the replay: {why}{_by_another_engine([act])}"
            return game, agreed, Difference(act.label, sentence)
        if difference:
            return game, agreed, difference
        agreed += 1
    return game, agreed, None


def _compare(recorded: Act, replayed: Act) -> Difference | None:
    for name in _COMPARED:
        was, is_now = getattr(recorded, name), getattr(replayed, name)
        if was != is_now:
            told = f"{name} is {short(was)} in the record, {short(is_now)} replayed"
            return Difference(recorded.label, told + _by_another_engine([recorded]))
    return None


def _by_another_engine(recorded: Iterable[Act]) -> str:
    """What may have made the difference, where at one of these programs ran in another engine."""
    engines = (programs_then(act).get("engine", ENGINE) for act in recorded)
    engine = next((each for each in engines if each != ENGINE), None)
    if engine is None:
        return ""
    return f"; programs of rules ran in {short(engine)} then, and in {ENGINE} now"


_MOVED = """
SELECT t.sealed IS NOT NULL, COALESCE(t.entry, t.sealed), h.kind, h.name, a.name, SUM(p.amount)
  FROM ledger_transfer t
  JOIN ledger_posting p ON p.transfer_id = t.id
  JOIN ledger_holder h ON h.id = p.holder_id
  JOIN ledger_asset a ON a.id = p.asset_id
 WHERE t.game_id = %s AND (t.entry <= %s OR t.sealed <= %s)
 GROUP BY t.entry, t.sealed, h.kind, h.name, a.name
"""


def _other_postings(game: Game, scratch: Game) -> Difference | None:
    """The first entry that moved other things in the game than in its replay."""
    upto = [scratch.last_entry, scratch.sealed_count]
    sql = f"""
    WITH was AS ({_MOVED}), again AS ({_MOVED})
    SELECT * FROM ((TABLE was EXCEPT TABLE again) UNION ALL (TABLE again EXCEPT TABLE was)) d
    ORDER BY 1, 2, 3, 4, 5 LIMIT 1
    """  # noqa: S608 (no part of it comes from outside)
    with connection.cursor() as cursor:
        cursor.execute(sql, [game.pk, *upto, scratch.pk, *upto])
        row = cursor.fetchone()
    if row is None:
        return None
    is_sealed, entry, _, holder, asset, amount = row
    label = f"{'sealed entry' if is_sealed else 'entry'} {entry}"
    engine = _by_another_engine(act for act in recording_of(game).acts if act.label == label)
    return Difference(label, f"{holder}'s {asset} moved by {amount} in one of the two{engine}")


def _other_state(game: Game, scratch: Game) -> Difference | None:
    """What differs in the end though every entry agrees: somebody wrote around the record."""
    if game.sealed_head != scratch.sealed_head:
        return Difference("", "every entry agrees, but the sealed book ends with another hash")
    was, again = state_of(game), state_of(scratch)
    found = _first_difference(was, again, "")
    if not found:
        return None
    engine = _by_another_engine(recording_of(game).acts)
    return Difference("", f"every entry agrees, but {found}{engine}")


def _first_difference(was: Any, again: Any, path: str) -> str | None:
    if isinstance(was, dict) and isinstance(again, dict):
        names = sorted({*was, *again}, key=str)
        found = (
            _first_difference(was.get(name), again.get(name), f"{path} {name}".strip())
            for name in names
        )
        return next(filter(None, found), None)
    if was == again:
        return None
    return f"{path} is {short(was)}, and {short(again)} by the record"

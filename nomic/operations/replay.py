"""The past again: feed a game's recorded inputs to another game and compare."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from nomic.dice.models import Master
from nomic.dice.roller import Rolls
from nomic.dice.seeds import commitment
from nomic.engine.actions import find_action
from nomic.engine.again.keys import IN_VAIN
from nomic.engine.catch_up import keep
from nomic.engine.digest import state_of
from nomic.engine.events import find_event, is_prepared
from nomic.engine.models import Appointment
from nomic.engine.programs.sandbox import ENGINE
from nomic.engine.schedule import oldest_appointment
from nomic.engine.shares.precompute import prepared_for
from nomic.engine.table import Table
from nomic.engine.take import perform
from nomic.games.models import Game, Player
from nomic.operations.by_itself import by_itself
from nomic.operations.order import Order
from nomic.operations.recording import Act, BadRecording, Recording, act_of, recording_of
from nomic.operations.setup import begin, lay_out
from nomic.operations.snapshot import snapshot
from nomic.record.models import Entry, Kind, SealedEntry
from nomic.record.then import Then

_FREEING = ("games.skip_appointment", "games.retry_appointment")
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
    order = Order()
    for act in recording.acts:
        try:
            if game is None:
                game, made = begun_again(recording, act, slug, scratch=scratch)
            else:
                order.must_go_on(game, act)
                otherwise: list[str] = []
                made = again(game, act, otherwise=otherwise)
                if told is not None:
                    told += [Difference(act.label, each) for each in otherwise]
            difference = _compare(act, act_of(made))
        except (BadRecording, OperationalError, InterfaceError):
            raise
        except DatabaseError as error:
            raise BadRecording(f"{act.label} cannot be kept: {_short(error)}") from error
        except Exception as error:  # a file may hold anything, and that may break anything
            why = _short(error) or type(error).__name__
            sentence = f"cannot happen in the replay: {why}{_by_another_engine([act])}"
            return game, agreed, Difference(act.label, sentence)
        if difference:
            return game, agreed, difference
        agreed += 1
    return game, agreed, None


def begun_again(
    recording: Recording, act: Act, slug: str, *, scratch: bool = True
) -> tuple[Game, Entry]:
    """The game that its first act begins, with its first entry. Raises BadRecording."""
    if act.name != "games.begin":
        raise BadRecording("The record does not start with the game's beginning.")
    # A record that does not say at which pace its game began: at the one that it has now.
    pace = {"pace": recording.pace, "rate": recording.rate}
    game = lay_out(
        slug, {**pace, **act.inputs}, begins=act.at, wall=act.recorded_at, scratch=scratch
    )
    if game.format >= 2 and act.inputs.get("master") != commitment(recording.master):
        raise BadRecording("The master secret is not the one that the game's beginning commits to.")
    if game.format >= 2 and recording.identity != game.identity:
        raise BadRecording("The head tells of another game than the first entry.")
    Master.objects.create(game=game, key=recording.master)
    return game, begin(game, act.inputs, act.at, act.recorded_at)


def again(
    game: Game, act: Act, rolls_then: Rolls | None = None, otherwise: list[str] | None = None
) -> Entry | SealedEntry:
    """Do what the record has next once more; `rolls_then` as `DiceRoller.known` has it.

    What comes out otherwise today, and is no fault, is added to `otherwise`. Raises what the act is
    refused with, and LookupError where another event is due or the record says what cannot be.
    """
    then = Then(_programs_then(act), _read_then(act), [] if otherwise is None else otherwise)
    if act.kind == Kind.EVENT:
        return _keep_again(game, act, then)
    table = Table(game, act.at, act.recorded_at, locked=True)
    if act.kind == Kind.SYSTEM:
        return by_itself(table, act, then.otherwise)
    name, (actor, inputs, key) = act.name, act.whole
    if name == IN_VAIN:
        name, inputs = inputs["action"], inputs["given"]
    if name in _FREEING or _is_freed_by_support(act):
        _stick_again(game, table)
    player = _player(game, actor)
    table.then = then
    table.dice.known = rolls_then or {}
    table.saw, table.nonce = (act.part or act).saw, (act.part or act).nonce
    action = find_action(name, table)
    entry = perform(table, player, action, inputs, key, operator=actor is None).entry
    game.stuck_at = None  # what does not free it only announces that
    return entry


def _is_freed_by_support(act: Act) -> bool:
    """Whether what frees a stuck game was done there after it had been announced."""
    return act.outcome.get("action") in _FREEING and act.outcome.get("end") == "done"


def _keep_again(game: Game, act: Act, then: Then) -> Entry:
    oldest = oldest_appointment(game)
    if oldest is None or oldest.kind != act.name:
        expected = oldest.kind if oldest else "nothing"
        raise LookupError(f"next is {expected}, where the record has {act.name}")
    prepared = act.inputs.get("prepared")
    if is_prepared(oldest.kind):
        _prepare_again(game, oldest, act, then)
    return keep(game, oldest, act.recorded_at, prepared, then)


def _prepare_again(game: Game, due: Appointment, act: Act, then: Then) -> None:
    """Tell where what was prepared is prepared otherwise today; raises LookupError where no other
    machine and no other hour would have made it so."""
    was, is_now = act.inputs["prepared"], prepared_for(game, due, act.recorded_at)
    if was == is_now:
        return
    compare = find_event(due.kind).compare
    why = compare(was, is_now) if compare and is_now is not None else ""
    if not why:
        raise LookupError(f"it was prepared as {_short(was)}, and is now as {_short(is_now)}")
    then.otherwise.append(why)


def _programs_then(act: Act) -> dict[str, Any]:
    """What the record says of programs at it; it may hold anything."""
    told = act.part.programs if act.part else act.outcome.get("programs")
    return told if isinstance(told, dict) else {}


def _read_then(act: Act) -> dict[str, Any]:
    """What was read in bodies then, and by which reader, by what each body is of."""
    return {each["of"]: each for each in act.outcome.get("read", ())}


def _stick_again(game: Game, table: Table) -> None:
    oldest = oldest_appointment(game)
    game.stuck_at = oldest.due if oldest else table.now


def _player(game: Game, name: str | None) -> Player | None:
    if name is None:
        return None
    return game.players.select_related("holder").filter(name=name).first()


def _compare(recorded: Act, replayed: Act) -> Difference | None:
    for name in _COMPARED:
        was, is_now = getattr(recorded, name), getattr(replayed, name)
        if was != is_now:
            told = f"{name} is {_short(was)} in the record, {_short(is_now)} replayed"
            return Difference(recorded.label, told + _by_another_engine([recorded]))
    return None


def _by_another_engine(recorded: Iterable[Act]) -> str:
    """What may have made the difference, where at one of these programs ran in another engine."""
    engines = (_programs_then(act).get("engine", ENGINE) for act in recorded)
    engine = next((each for each in engines if each != ENGINE), None)
    if engine is None:
        return ""
    return f"; programs of rules ran in {_short(engine)} then, and in {ENGINE} now"


def _short(value: Any) -> str:
    shown = " ".join(str(value).split())
    return shown if len(shown) <= 300 else shown[:300] + "…"


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
    return f"{path} is {_short(was)}, and {_short(again)} by the record"

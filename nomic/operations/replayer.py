"""A record done once more, in its order: its beginning, acts, events and what the site wrote.

What the site wrote by itself has its sentence and outcome from the code that wrote them; the inputs
have to be such as it could have had.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from nomic.dice.models import Master
from nomic.dice.roller import Rolls
from nomic.dice.seeds import commitment
from nomic.engine.actions import find_action
from nomic.engine.catch_up import (
    keep,
    moment_of,
    prepared_for,
    set_back,
    shift,
    shifted,
)
from nomic.engine.events import find_event, is_prepared
from nomic.engine.outcomes import Outcome
from nomic.engine.requests import CAME_TO_NOTHING
from nomic.engine.restored import RESTORED, begin_anew
from nomic.engine.schedule import oldest_appointment
from nomic.engine.table import Table
from nomic.engine.take import perform
from nomic.games.clock import iso
from nomic.games.models import AfterOutage, Game, Player
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.operations.moving_in import BRING_RULES, bring_rules
from nomic.operations.recorded_inputs import BadRecording, RecordedAct, Recording
from nomic.operations.setup import BadSetup, begin, change_pace, lay_out
from nomic.record.game_file import PUBLISHED, of_the_clock
from nomic.record.models import Entry, EntryKind, SealedEntry
from nomic.record.original import Original
from nomic.rulebook.changes.reading import READER

_SEATS = CompiledQuery(lambda: Player.objects.order_by("pk"), "holder")
type Written = Callable[[Table, RecordedAct, list[str]], Entry]
_FREEING = ("games.skip_appointment", "games.retry_appointment")


def redo_beginning(recording: Recording, act: RecordedAct, slug: str) -> tuple[Game, Entry]:
    """The scratch game that its first act begins, with its first entry. Raises BadRecording."""
    if act.name != "games.begin":
        raise BadRecording("The record does not start with the game's beginning.")
    try:
        game = lay_out(slug, act.inputs, begins=act.at, wall=act.recorded_at, scratch=True)
    except BadSetup as error:
        raise BadRecording(str(error)) from error
    if act.inputs.get("master") != commitment(recording.master):
        raise BadRecording("The master secret is not the one that the game's beginning commits to.")
    if recording.identity != game.identity:
        raise BadRecording("The head tells of another game than the first entry.")
    Master.objects.create(game=game, key=recording.master)
    return game, begin(game, act.inputs, act.at, act.recorded_at)


def redo(
    game: Game,
    act: RecordedAct,
    rolls_then: Rolls | None = None,
    otherwise: list[str] | None = None,
) -> Entry | SealedEntry:
    """Do what the record has next once more; `rolls_then` as `DiceRoller.known` has it.

    What comes out otherwise today, and is no fault, is added to `otherwise`. Raises what the act is
    refused with, and LookupError where another event is due or the record says what cannot be.
    """
    readings = {reading["of"]: reading for reading in act.outcome.get("read", ())}
    original = Original(recorded_programs(act), readings, [] if otherwise is None else otherwise)
    if act.kind == EntryKind.EVENT:
        return _redo_event(game, act, original)
    table = Table(game, act.at, act.recorded_at, locked=True)
    if act.kind == EntryKind.SYSTEM:
        if act.name not in WRITTEN:
            raise LookupError(f"this program writes no entry “{act.name}” by itself")
        return WRITTEN[act.name](table, act, original.otherwise)
    name, (actor, inputs, key) = act.name, act.whole
    if name == CAME_TO_NOTHING:
        name, inputs = inputs["action"], inputs["given"]
    # A stuck game is freed by an act, or once one is supported that was announced.
    done = act.outcome.get("action") if act.outcome.get("end") == "done" else None
    if name in _FREEING or done in _FREEING or table.overdue:
        # What is not urgent came before what is due in no other game.
        oldest = oldest_appointment(game)
        game.stuck_at = oldest.due if oldest else table.now
    player = None if actor is None else _SEATS.first(game=game, name=actor)
    table.original = original
    table.dice.known = rolls_then or {}
    table.saw, table.nonce = (act.part or act).saw, (act.part or act).nonce
    action = find_action(name, table)
    entry = perform(table, player, action, inputs, key, operator=actor is None).entry
    game.stuck_at = None  # what does not free it only announces that
    return entry


def _redo_event(game: Game, act: RecordedAct, original: Original) -> Entry:
    oldest = oldest_appointment(game)
    if oldest is None or oldest.kind != act.name:
        expected = oldest.kind if oldest else "nothing"
        raise LookupError(f"next is {expected}, where the record has {act.name}")
    if is_prepared(oldest.kind):
        recorded, is_now = act.inputs["prepared"], prepared_for(game, oldest, act.recorded_at)
        if recorded != is_now:  # as another machine or another hour may have made it
            compare = find_event(oldest.kind).compare
            departure = compare(recorded, is_now) if compare and is_now is not None else ""
            if not departure:
                raise LookupError(
                    f"it was prepared as {shortened(recorded)}, and is now as {shortened(is_now)}"
                )
            original.otherwise.append(departure)
    return keep(game, oldest, act.recorded_at, act.inputs.get("prepared"), original)


def recorded_programs(act: RecordedAct) -> dict[str, Any]:
    """The programs that the act's record tells of, {} for none; their parts may be anything."""
    programs = act.part.programs if act.part else act.outcome.get("programs")
    return programs if isinstance(programs, dict) else {}


def shortened(content: Any) -> str:
    """The value as text on one line, of at most 300 characters."""
    shown = " ".join(str(content).split())
    return shown if len(shown) <= 300 else shown[:300] + "…"


# What the site wrote by itself


def _shift(table: Table, act: RecordedAct, otherwise: list[str]) -> Entry:
    """Set the clock back again: by what was late as the entry was recorded, and by what the entry
    says where nothing else tells how the clock went."""
    game, wall, oldest = table.game, act.recorded_at, oldest_appointment(table.game)
    behind = act.inputs.get("behind", False) is True
    nothing_late = LookupError("nothing was late that is shifted in this game")
    if is_timed(game):
        entry = None
        if oldest and not behind:
            entry = shifted(game, oldest, wall)
        elif oldest and (late := game.clock.moment(wall) - table.now) > timedelta():
            entry = set_back(game, wall, late, moment_of(game, oldest))
        if entry is None:
            raise nothing_late
        return entry
    to = datetime.fromisoformat(act.inputs["to"])
    late = timedelta(**{name: act.inputs[name] for name in ("seconds", "microseconds")})
    if behind:
        may_be = table.now == to
    else:
        may_be = bool(oldest and table.now == moment_of(game, oldest) and to >= oldest.due)
        may_be = may_be and game.after_outage == AfterOutage.SHIFT
    if not may_be or late <= timedelta():
        raise nothing_late
    return shift(table, late, to, behind=behind)


def _publish(table: Table, act: RecordedAct, otherwise: list[str]) -> Entry:
    """Say again that the game is public. Where a clock stood that is moved by hand, nothing else
    tells."""
    goes, clock = of_the_clock(table.game), act.outcome["clock"]
    if not is_timed(table.game):
        goes["clock"] = {name: str(clock[name]) for name in ("anchor_game", "anchor_wall")}
    return write_publication(table, act.inputs["reason"], goes)


def write_publication(table: Table, reason: str, clock: dict[str, Any]) -> Entry:
    """Say in the record, at a locked table, that the game is public, and how its time goes; a
    replay calls this as well."""
    closed = table.game.is_closed
    ending = f": {reason.rstrip('.')}." if reason else "; it is over."
    text = f"The operator publishes the whole game with its master secret{ending}"
    if not closed:
        text += " Whoever has it can foretell the dice from now on."
    return table.write(EntryKind.SYSTEM, PUBLISHED, None, {"reason": reason}, Outcome(text, clock))


_LAST_ENTRY = 10**9 - 1  # the largest number that a head has


def _restored(table: Table, act: RecordedAct, otherwise: list[str]) -> Entry:
    """Say again what was lost by a restore, and begin another period of dice."""
    to, is_known, reason = (act.inputs[name] for name in ("to", "known", "reason"))
    is_lost = type(to) is int and table.seq <= to <= _LAST_ENTRY
    if not (is_lost and isinstance(reason, str)):
        raise LookupError("a restore can have taken no such entries")
    return begin_anew(table, to if is_known else None, reason)


WRITTEN: dict[str, Written] = {
    BRING_RULES: lambda table, act, _: bring_rules(table, act.inputs),
    "games.set_pace": lambda table, act, _: change_pace(
        table, act.inputs["pace"], act.inputs["rate"]
    ),
    "games.shift": _shift,
    PUBLISHED: _publish,
    RESTORED: _restored,
}


# The order of what a record has and cannot be made again: moments, seen heads, readers


_OF_THE_OPERATOR = (
    "games.set_pace",
    PUBLISHED,
    RESTORED,
)  # entries of the site's that come as acts do
A_DAY = timedelta(days=1)  # by which the clock of a machine may be set back


class Order:
    """The order of the acts that have been made again so far."""

    def __init__(self) -> None:
        self._recorded_at: datetime | None = None

    def must_go_on(self, game: Game, act: RecordedAct) -> None:
        """Raise LookupError where the act cannot come next in the game: its moment is another, its
        recording lies long before, its actor had seen an entry that is not there, or a reader read
        that this program does not have."""
        _must_be_of_its_moment(game, act)
        last = self._recorded_at
        if last and act.recorded_at < last - A_DAY:
            raise LookupError("it was recorded before what stands before it")
        self._recorded_at = max(last or act.recorded_at, act.recorded_at)
        saw = (act.part or act).saw
        if saw is not None:  # with the site's signature, another one proves two histories
            is_head = len(saw) == 2 and type(saw[0]) is int and saw[0] <= game.last_entry
            if not is_head or not game.entries.filter(seq=saw[0], hash=saw[1]).exists():
                raise LookupError(f"its actor had seen another entry {saw[0] if saw else ''}")
        readings = act.outcome.get("read", ())
        for reading in readings:
            reader = reading.get("reader")
            if type(reader) is not int or not 1 <= reader <= READER:
                raise LookupError(f"it was read by reader {reader}, and this program has {READER}")
        lists = (act.outcome.get(name) for name in ("results", "took_effect"))
        proposals = [proposal for rows in lists if isinstance(rows, list) for proposal in rows]
        # A body was read that asked for changes; other events have results, too.
        was_read = any(
            isinstance(proposal, dict) and proposal.get("passed") and proposal.get("changes")
            for proposal in proposals
        )
        if was_read and not readings:
            raise LookupError("it does not tell how the bodies were read that passed in it")


def is_timed(game: Game) -> bool:
    """Whether the record tells how the game's clock goes. It does not at manual pace."""
    return bool(game.rate)


def _must_be_of_its_moment(game: Game, act: RecordedAct) -> None:
    """Raise LookupError where an event was not due, something was due before an act, or the act is
    of another moment than the game's clock showed as it was recorded."""
    if act.kind == EntryKind.SYSTEM and act.name not in _OF_THE_OPERATOR:
        return
    shown, due, last = game.clock.moment(act.recorded_at), game.next_due, game.last_at or act.at
    if act.at < last:
        raise LookupError("it lies before what stands before it")
    if act.kind == EntryKind.EVENT:
        if game.paused_at or (is_timed(game) and due and shown < due):
            raise LookupError("it was not due")
    elif due and due <= act.at and not game.paused_at:  # then it was urgent, or the game stuck
        if act.at > max(due, last):
            raise LookupError(f"what was due at {iso(due)} was due before it")
    elif is_timed(game) and act.at != max(shown, last):
        raise LookupError(f"it was done at {iso(shown)} by the game's clock")

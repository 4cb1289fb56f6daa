"""A record done once more: its beginning, acts, events and what the site wrote."""

from typing import Any

from nomic.compiled import CompiledQuery
from nomic.dice.models import Master
from nomic.dice.roller import Rolls
from nomic.dice.seeds import commitment
from nomic.engine.actions import find_action
from nomic.engine.catch_up import keep, prepared_for
from nomic.engine.events import find_event, is_prepared
from nomic.engine.schedule import oldest_appointment
from nomic.engine.table import Table
from nomic.engine.take import perform
from nomic.engine.turns.requests import CAME_TO_NOTHING
from nomic.games.models import Game, Player
from nomic.operations.by_itself import by_itself
from nomic.operations.recording import Act, BadRecording, Recording
from nomic.operations.setup import begin, lay_out
from nomic.record.models import Entry, Kind, SealedEntry
from nomic.record.then import Then

_SEATS = CompiledQuery(lambda: Player.objects.order_by("pk"), "holder")
_FREEING = ("games.skip_appointment", "games.retry_appointment")


def begun_again(recording: Recording, act: Act, slug: str) -> tuple[Game, Entry]:
    """The scratch game that its first act begins, with its first entry. Raises BadRecording."""
    if act.name != "games.begin":
        raise BadRecording("The record does not start with the game's beginning.")
    # A record that does not say at which pace its game began: at the one that it has now.
    pace = {"pace": recording.pace, "rate": recording.rate}
    game = lay_out(slug, {**pace, **act.inputs}, begins=act.at, wall=act.recorded_at, scratch=True)
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
    readings = {each["of"]: each for each in act.outcome.get("read", ())}
    then = Then(programs_then(act), readings, [] if otherwise is None else otherwise)
    if act.kind == Kind.EVENT:
        return _keep_again(game, act, then)
    table = Table(game, act.at, act.recorded_at, locked=True)
    if act.kind == Kind.SYSTEM:
        return by_itself(table, act, then.otherwise)
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
    table.then = then
    table.dice.known = rolls_then or {}
    table.saw, table.nonce = (act.part or act).saw, (act.part or act).nonce
    action = find_action(name, table)
    entry = perform(table, player, action, inputs, key, operator=actor is None).entry
    game.stuck_at = None  # what does not free it only announces that
    return entry


def _keep_again(game: Game, act: Act, then: Then) -> Entry:
    oldest = oldest_appointment(game)
    if oldest is None or oldest.kind != act.name:
        expected = oldest.kind if oldest else "nothing"
        raise LookupError(f"next is {expected}, where the record has {act.name}")
    if is_prepared(oldest.kind):
        was, is_now = act.inputs["prepared"], prepared_for(game, oldest, act.recorded_at)
        if was != is_now:  # as another machine or another hour may have made it
            compare = find_event(oldest.kind).compare
            why = compare(was, is_now) if compare and is_now is not None else ""
            if not why:
                raise LookupError(f"it was prepared as {short(was)}, and is now as {short(is_now)}")
            then.otherwise.append(why)
    return keep(game, oldest, act.recorded_at, act.inputs.get("prepared"), then)


def programs_then(act: Act) -> dict[str, Any]:
    """The programs that the act's record tells of, {} for none; their parts may be anything."""
    told = act.part.programs if act.part else act.outcome.get("programs")
    return told if isinstance(told, dict) else {}


def short(value: Any) -> str:
    """The value as text on one line, of at most 300 characters."""
    shown = " ".join(str(value).split())
    return shown if len(shown) <= 300 else shown[:300] + "…"

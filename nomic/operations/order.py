"""The order of what a record has and cannot be made again: moments, seen heads, readers."""

from datetime import datetime, timedelta

from nomic.games.bounds import BOUNDS
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.operations.recording import Act
from nomic.record.game_file import PUBLISHED
from nomic.record.models import Kind
from nomic.rulebook.changes.reading import READER

_OF_THE_OPERATOR = ("games.set_pace", PUBLISHED)  # entries of the site's that come as acts do
A_DAY = timedelta(days=1)  # by which the clock of a machine may be set back


class Order:
    """The order of the acts that have been made again so far."""

    def __init__(self) -> None:
        self._recorded_at: datetime | None = None
        self._reader = 0
        self._is_held: bool | None = None

    def must_go_on(self, game: Game, act: Act) -> None:
        """Raise LookupError where the act cannot come next in the game: its moment is another, its
        recording lies long before, its actor had seen an entry that is not there, or an older
        reader read than had."""
        _must_be_of_its_moment(game, act)
        if self._is_held is None:  # games that began without bounds were never held to it
            self._is_held = BOUNDS in game.settings
        last = self._recorded_at
        if last and self._is_held and act.recorded_at < last - A_DAY:
            raise LookupError("it was recorded before what stands before it")
        self._recorded_at = max(last or act.recorded_at, act.recorded_at)
        saw = (act.part or act).saw
        if saw is not None:  # with the site's signature, another one proves two histories
            is_head = len(saw) == 2 and type(saw[0]) is int and saw[0] <= game.last_entry
            if not is_head or not game.entries.filter(seq=saw[0], hash=saw[1]).exists():
                raise LookupError(f"its actor had seen another entry {saw[0] if saw else ''}")
        readings = act.outcome.get("read", ())
        for reading in readings:
            reader, had = reading.get("reader", 1), self._reader
            if type(reader) is not int or reader < had:
                raise LookupError(f"it was read by reader {reader}, after reader {had} had")
            if reader > READER:
                raise LookupError(f"it was read by reader {reader}, and this program has {READER}")
            self._reader = reader
        must_tell = self._reader > 1 or game.has_readings(6)
        told = (act.outcome.get(name) for name in ("results", "took_effect"))
        results = [each for several in told if isinstance(several, list) for each in several]
        # A body was read that asked for changes; other events have results, too.
        was_read = any(
            isinstance(each, dict) and each.get("passed") and each.get("changes")
            for each in results
        )
        if must_tell and not readings and was_read:
            raise LookupError("it does not tell how the bodies were read that passed in it")


def is_timed(game: Game) -> bool:
    """Whether the record tells how the game's clock goes. It does not at manual pace, nor where a
    game began before the seventh readings."""
    return bool(game.rate) and game.has_readings(7)


def _must_be_of_its_moment(game: Game, act: Act) -> None:
    """Raise LookupError where an event was not due, something was due before an act, or the act is
    of another moment than the game's clock showed as it was recorded."""
    if act.kind == Kind.SYSTEM and act.name not in _OF_THE_OPERATOR:
        return
    shown, due, last = game.clock.moment(act.recorded_at), game.next_due, game.last_at or act.at
    if act.at < last:
        raise LookupError("it lies before what stands before it")
    if act.kind == Kind.EVENT:
        if game.paused_at or (is_timed(game) and due and shown < due):
            raise LookupError("it was not due")
    elif due and due <= act.at and not game.paused_at:  # then it was urgent, or the game stuck
        if act.at > max(due, last):
            raise LookupError(f"what was due at {iso(due)} was due before it")
    elif is_timed(game) and act.at != max(shown, last):
        raise LookupError(f"it was done at {iso(shown)} by the game's clock")

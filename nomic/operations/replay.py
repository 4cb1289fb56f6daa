"""The past again: feed a game's recorded inputs to another game and compare."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, transaction
from django.db.models import Case, F, Q, Sum, Value, When

from nomic.engine.digest import parts_alike, parts_of_state
from nomic.engine.programs.sandbox import ENGINE
from nomic.games.models import Game
from nomic.governance.renaming import RENAME
from nomic.ledger.models import Posting
from nomic.operations.recalculation.report import Reports, is_about_a_report
from nomic.operations.recorded_inputs import (
    BadRecording,
    RecordedAct,
    Recording,
    act_of,
    recording_of,
)
from nomic.operations.replayer import Order, recorded_programs, redo, redo_beginning, shortened
from nomic.operations.scratch import AT_ONCE, Progress, in_haste, no_progress, scratch_game
from nomic.operations.snapshot import snapshot
from nomic.record.models import Entry, SealedEntry

_COMPARED = (
    "at", "recorded_at", "kind", "name", "actor", "inputs", "outcome", "text", "rule", "hash",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Departure:
    """Where a replay first departs from the record, as a sentence; `entry` by its number."""

    entry: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.entry}: {self.sentence}" if self.entry else self.sentence


type Differences = list[Departure]


def replay(
    game: Game, departures: Differences | None = None, progress: Progress = no_progress
) -> tuple[int, Departure | None]:
    """Replay the game into a scratch game, which leaves no trace, and compare the two as they are
    at the instant at which that has come to the record's end.

    Returns how many acts agreed and the first difference, if there is one; `departures` as for
    `Rerun`. `progress` is told how many entries there are again, of how many.
    """
    with scratch_game("replay") as slug:
        current = Game.objects.get(pk=game.pk)
        recording = recording_of(current)
        rerun = Rerun(recording, slug, departures)
        rerun.play(recording.acts, lambda entries: progress(entries, current.last_entry))
        # What was played meanwhile is taken in without a snapshot, which would keep every replaced
        # row from being cleared away for as long as that takes; the little that is left, with one.
        earlier, current = current, Game.objects.get(pk=game.pk)
        rerun.play(_acts_between(earlier, current))
        earlier = current
        with snapshot(game, read_only=False) as current:
            rerun.play(_acts_between(earlier, current))
            difference, scratch = rerun.difference, rerun.game
            if scratch is not None:
                moved = _other_postings(current, scratch)
                difference = moved or difference or _other_state(current, scratch)
            transaction.set_rollback(True)
    return rerun.agreed, difference


def _acts_between(earlier: Game, current: Game) -> Iterable[RecordedAct]:
    """The acts between two looks at a game; nothing is read where its books have not grown."""
    if (earlier.last_entry, earlier.sealed_count) == (current.last_entry, current.sealed_count):
        return ()
    return recording_of(current, earlier).acts


class Rerun:
    """A recording as it is played into the scratch game of that slug, until something differs.

    `agreed` is how many acts came out as they are recorded. To `departures` is added, with the
    entry, each thing that comes out otherwise today.
    """

    def __init__(
        self, recording: Recording, slug: str, departures: Differences | None = None
    ) -> None:
        self.game: Game | None = None
        self.agreed = 0
        self.difference: Departure | None = None
        self._recording = recording
        self._slug = slug
        self._departures: Differences = [] if departures is None else departures
        self._order, self._reports = Order(), Reports()

    def play(
        self, acts: Iterable[RecordedAct], progress: Callable[[int], None] | None = None
    ) -> None:
        """Play these acts too, unless something has differed; `progress` is told how many entries
        there are. Raises BadRecording."""
        for batch in () if self.difference else _batches(acts):
            self._play(batch)
            if self.difference:
                return
            assert self.game is not None
            # A report that the last one is about has to be what a recalculation finds.
            last = batch[-1]
            otherwise: list[str] = []
            try:
                self._reports.must_be_found(self.game, last, otherwise)
            except _FAULTS:
                raise
            except Exception as error:
                self.agreed -= 1
                self.difference = _cannot_happen(last, error)
            self._note(last, otherwise)
            if self.difference:
                return
            if progress:
                progress(self.game.last_entry)

    def _play(self, batch: Sequence[RecordedAct]) -> None:
        """Play these in one transaction. What cannot happen leaves the game as it was before it."""
        agreed, departures_before, order = self.agreed, len(self._departures), copy(self._order)
        act = batch[0]
        try:
            with in_haste():
                for act in batch:
                    try:
                        self.difference = self._again(act)
                    except _FAULTS:
                        raise
                    except Exception as error:
                        raise _CannotHappen(error) from error
                    if self.difference:
                        break
                    self.agreed += 1
        except _CannotHappen as cannot:
            # Those before it in the batch agreed, and were rolled back with it.
            before = batch[: self.agreed - agreed]
            self.agreed, self._order = agreed, order
            del self._departures[departures_before:]
            self.game = Game.objects.filter(slug=self._slug).first()
            if before:
                self._play(before)
            self.difference = self.difference or _cannot_happen(act, cannot.cause)
        except (OperationalError, InterfaceError):
            raise
        except DatabaseError as error:
            raise BadRecording(f"{act.label} cannot be kept: {shortened(error)}") from error

    def _again(self, act: RecordedAct) -> Departure | None:
        """Do the act again; returns the first of its values that comes out otherwise, if any."""
        entry: Entry | SealedEntry
        if self.game is None:
            self.game, entry = redo_beginning(self._recording, act, self._slug)
        else:
            self._order.must_go_on(self.game, act)
            otherwise: list[str] = []
            entry = redo(self.game, act, otherwise=otherwise)
            self._note(act, otherwise)
        replayed = act_of(entry)
        for name in _COMPARED:
            recorded, is_now = getattr(act, name), getattr(replayed, name)
            if recorded != is_now:
                sentence = (
                    f"{name} is {shortened(recorded)} in the record, {shortened(is_now)} replayed"
                )
                return Departure(act.label, sentence + _by_another_engine([act]))
        return None

    def _note(self, act: RecordedAct, otherwise: list[str]) -> None:
        self._departures += [Departure(act.label, sentence) for sentence in otherwise]


_FAULTS = (BadRecording, DatabaseError, InterfaceError)


class _CannotHappen(Exception):
    """An act that failed as it was done again: a file may hold anything, which may break
    anything."""

    def __init__(self, cause: Exception) -> None:
        self.cause = cause


def _cannot_happen(act: RecordedAct, error: Exception) -> Departure:
    fault = shortened(error) or type(error).__name__
    return Departure(act.label, f"cannot happen in the replay: {fault}{_by_another_engine([act])}")


def _batches(acts: Iterable[RecordedAct]) -> Iterator[list[RecordedAct]]:
    """The acts, some between two commits; one that is about a report is the last of some, since
    the recalculation plays transactions of its own."""
    batch: list[RecordedAct] = []
    for act in acts:
        batch.append(act)
        if len(batch) == AT_ONCE or is_about_a_report(act):
            yield batch
            batch = []
    if batch:
        yield batch


def _by_another_engine(recorded: Iterable[RecordedAct]) -> str:
    """The likely cause of a difference, as the end of its sentence, where one of these programs ran
    in another engine; "" where none did."""
    engines = (recorded_programs(act).get("engine", ENGINE) for act in recorded)
    engine = next((name for name in engines if name != ENGINE), None)
    if engine is None:
        return ""
    return f"; programs of rules ran in {shortened(engine)} then, and in {ENGINE} now"


def _other_postings(game: Game, scratch: Game) -> Departure | None:
    """The first entry that moved other things in the game than in its replay."""
    upto = Q(transfer__entry__lte=scratch.last_entry)
    upto |= Q(transfer__sealed__lte=scratch.sealed_count)
    columns = ("transfer__sealed", "transfer__entry", "holder__kind", "named", "asset__name")
    name_now = Case(
        *(When(holder__name=now, then=Value(former)) for now, former in _names_then(game, scratch)),
        default=F("holder__name"),
    )
    postings = Posting.objects.filter(upto).annotate(named=name_now).order_by()
    sums = postings.values_list(*columns).annotate(total=Sum("amount"))
    recorded, replayed = sums.filter(transfer__game=game), sums.filter(transfer__game=scratch)
    odd = [*recorded.difference(replayed).order_by(), *replayed.difference(recorded).order_by()]
    if not odd:
        return None
    sealed, entry, _, holder, asset, amount = min(
        odd, key=lambda row: (row[0] is not None, row[0] or row[1], *row[2:])
    )
    label = f"entry {entry}" if sealed is None else f"sealed entry {sealed}"
    engine = _by_another_engine(act for act in recording_of(game).acts if act.label == label)
    return Departure(label, f"{holder}'s {asset} moved by {amount} in one of the two{engine}")


def _names_then(game: Game, scratch: Game) -> Iterable[tuple[str, str]]:
    """The names of players who took them after the replay's end, each with that which they had
    there."""
    later = game.entries.filter(name=RENAME, seq__gt=scratch.last_entry).order_by("seq")
    names: dict[str, str] = {}
    for before, name in later.values_list("outcome__before", "inputs__name"):
        names[name] = names.pop(before, before)
    return names.items()


def _other_state(game: Game, scratch: Game) -> Departure | None:
    """A difference in the end though every entry agrees, since somebody wrote around the record;
    None where the games end alike."""
    if game.sealed_head != scratch.sealed_head:
        return Departure("", "every entry agrees, but the sealed book ends with another hash")
    alike = parts_alike(game, scratch)
    for name, read in sorted(parts_of_state().items()):
        difference = name not in alike and _first_difference(read(game), read(scratch), name)
        if difference:
            engine = _by_another_engine(recording_of(game).acts)
            return Departure("", f"every entry agrees, but {difference}{engine}")
    return None


def _first_difference(recorded: Any, replayed: Any, path: str) -> str | None:
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        names = sorted({*recorded, *replayed}, key=str)
        differences = (
            _first_difference(recorded.get(name), replayed.get(name), f"{path} {name}".strip())
            for name in names
        )
        return next(filter(None, differences), None)
    if recorded == replayed:
        return None
    return f"{path} is {shortened(recorded)}, and {shortened(replayed)} by the record"

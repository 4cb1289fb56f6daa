"""A game's past played again with one thing otherwise: what then happens, act by act."""

import logging
from dataclasses import dataclass, replace
from itertools import batched, takewhile
from operator import attrgetter
from typing import Any, Literal

from django.db import InterfaceError, OperationalError, transaction
from django.db.models.fields.json import KT

from nomic.dice.models import Roll
from nomic.engine.catch_up import keep, moment_of, prepared_for
from nomic.engine.models import Appointment
from nomic.engine.outcomes import Malformed, Outcome, Refused, UnknownAction
from nomic.engine.requests import is_urgent
from nomic.engine.restoring import THIS_ENTRY
from nomic.engine.schedule import oldest_appointment
from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.governance.recalculation.revision import CannotRecalculate, Covered, Revision
from nomic.operations.recalculation.differences import differences
from nomic.operations.recorded_inputs import RecordedAct, Recording, SealedPart, act_of
from nomic.operations.replayer import recorded_programs, redo, redo_beginning
from nomic.operations.scratch import AT_ONCE, Progress, in_haste, no_progress
from nomic.record.models import CONSEQUENCES, PART, Entry, EntryKind, SealedEntry

log = logging.getLogger(__name__)
type Went = Literal["struck", "changed", "put in", "refused", "otherwise", "not happened", "new"]
type Rolled = dict[str, tuple[list[Any], int]]
type _EventKey = tuple[str, str, Any]
# Figures of an act that only tell of other entries.
_OF_OTHERS = frozenset({"opened", "part", "committed", "commitment", "seed"})


@dataclass(frozen=True, slots=True)
class Deviation:
    """An act or event that went otherwise than the record has it; `entry` is 0 where it has none.

    `was` is what the record says of it and `now` what would be said, a refusal's sentence too, with
    its `rule`.
    """

    entry: int
    name: str
    went: Went
    was: str
    now: str
    rule: str = ""

    @property
    def app(self) -> str:
        """The app of the act or event, such as `proposals`."""
        return self.name.partition(".")[0]


class ReplayedPast:
    """A scratch game that is played from a recording with a revision.

    Its acts are read some at a time, since a record may be larger than a process: what stands in it
    by entry `upto` never changes. With what is `public_alone` it is played without what was sealed
    and not opened by then: nothing that comes of it depends on that.
    """

    def __init__(
        self,
        original: Game,
        recording: Recording,
        upto: int,
        slug: str,
        *,
        public_alone: bool = False,
    ) -> None:
        self.steps: list[Deviation] = []
        self.played = 0
        self.late = False  # whether a call of a program was late that was not so in the record
        self._numbers: dict[int, int] = {}  # of entries that have another number in the record
        self._original = original
        self._recording = recording
        self._upto = upto
        self._events: dict[_EventKey, list[int]] = {}  # the numbers of entries that may happen yet
        self.slug = slug
        self._turned = False  # whether acts are judged from now on, and not done as the record says
        self._public_alone = public_alone
        nothing: tuple[frozenset[int], ...] = frozenset(), frozenset()
        self._closed, self._closed_parts = _closed(original, upto) if public_alone else nothing

    def number_of(self, entry: int) -> int:
        """The number that an entry of the copy has in the record; THIS_ENTRY where it has none."""
        return self._numbers.get(entry, entry)

    def play(self, revision: Revision | None, progress: Progress = no_progress) -> Game:
        """The game as it would be; with no revision, as it was. Raises CannotRecalculate."""
        within = takewhile(lambda act: act.place[0] <= self._upto, self._recording.acts)
        acts = (
            act
            for act in within
            if act.after is None or (act.after < self._upto and act.seq not in self._closed)
        )
        last = next(acts)
        of = self._original.entries.filter(seq__lte=self._upto).count()
        with in_haste():
            game, _ = redo_beginning(self._recording, last, self.slug)
            if self._public_alone:
                self._find_events(last)
                self._turned = True
            if revision and revision.entry == last.seq:
                self._turn(game, last, revision)
        self.played = 1
        progress(self.played, of)
        for batch in batched(acts, AT_ONCE):
            with in_haste():
                for last in batch:
                    if revision and not last.is_sealed and last.seq == revision.entry:
                        self._turn(game, last, revision)
                    else:
                        self._go_on(game, last)
            self.played = last.place[0]  # not what is sealed: how much that is, nobody may know
            # Rounded: where a batch ends would tell it.
            progress(max(1, self.played - self.played % AT_ONCE), of)
        progress(self.played, of)
        if self._turned:
            with in_haste():
                self._let_happen(game, last)
        return game

    def _go_on(self, game: Game, act: RecordedAct) -> None:
        """Do what the record has next, be it judged or as it was."""
        if act.seq in self._closed_parts and not act.is_sealed:
            self._let_happen(game, act)
            self._hold_the_place(game, act, "left out")
        elif self._turned:
            self._judge(game, act)
        else:
            self._as_recorded(game, act)

    def _find_events(self, act: RecordedAct) -> None:
        """Note what happened by itself in the record from that act on, to be found by what it
        was."""
        happened = self._original.entries.filter(kind=EntryKind.EVENT, seq__lte=self._upto)
        events = happened.filter(seq__gte=act.seq).order_by("seq")
        columns = ("name", KT("inputs__subject"), "at", "seq")
        for name, subject, at, seq in events.values_list(*columns).iterator():
            self._events.setdefault((name, subject or "", at), []).append(seq)

    def _turn(self, game: Game, act: RecordedAct, revision: Revision) -> None:
        """Do that act as it is revised, and judge all behind it."""
        if revision.verb == "insert" and act.seq > 1:
            self._go_on(game, act)
        if not self._turned:
            self._find_events(act)
            self._turned = True
        if revision.verb == "strike":
            self._note(act, "struck", "")
            self._hold_the_place(game, act, "struck")
            return
        if revision.verb == "insert":
            act = replace(
                act, seq=0, kind=str(EntryKind.ACTION), name=revision.name, actor=revision.actor,
                text="", key=None, nonce="", part=None,
            )  # fmt: skip
        actor, _, key = act.whole
        revised = replace(act, inputs={}, part=SealedPart(actor, revision.inputs, key))
        self._judge(game, revised, "put in" if revision.verb == "insert" else "changed")

    def _as_recorded(self, game: Game, act: RecordedAct) -> None:
        """Do what comes before the revision; raises CannotRecalculate where that is not the same:
        a record may hold what this program does otherwise by now."""
        # Of a sealed act it names the public one before it, and not that there is one.
        otherwise = CannotRecalculate(
            f"This program does not play entry {act.place[0]}, or what follows, as the record has"
            " it, so it cannot say what would be otherwise."
        )
        try:
            entry = redo(game, act)
        except (OperationalError, InterfaceError):  # of the database, and not of the record
            raise
        except Exception as error:
            raise otherwise from error
        if entry.hash != act.hash:
            raise otherwise

    def _judge(self, game: Game, act: RecordedAct, went: Went | None = None) -> None:
        """Let the act be judged and done in the game as it has become."""
        self._let_happen(game, act)
        if act.kind == EntryKind.EVENT:
            due = (act.name, str(act.inputs.get("subject", "")), act.at)
            waiting = self._events.get(due, [])
            if act.seq in waiting:  # it has not happened by the moment at which it did
                waiting.remove(act.seq)
                self._note(act, "not happened", "")
            return
        try:
            with transaction.atomic():
                entry = redo(game, act, self._rolled(act))
        except (Refused, Malformed, UnknownAction) as refused:
            game.refresh_from_db()
            rule = refused.refusal.rule if isinstance(refused, Refused) else ""
            self._note(act, "refused", str(refused), rule)
            self._hold_the_place(game, act, "refused")
            return
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            game.refresh_from_db()
            name = "A sealed act" if act.is_sealed else act.name
            log.warning("%s fails in a recalculation: %s", name, type(error).__name__)
            self._note(act, "refused", "It cannot be done in that past.")
            self._hold_the_place(game, act, "impossible")
            return
        if (
            went
            and self._public_alone
            and (isinstance(entry, SealedEntry) or "part" in entry.outcome)
        ):
            raise Covered(act.name.partition(".")[0])
        self._note_number(entry, act.seq)
        self._look_at_the_time(act, entry)
        if went:
            self._note(act, went, entry.text)
        else:
            self._compare(act, entry)

    def _let_happen(self, game: Game, act: RecordedAct) -> None:
        """Keep what is due in the game as it has become, up to the moment of the act.

        What is due at that very moment may have happened after it, where the act was urgent.
        """
        while not game.paused_at and not game.stuck_at:
            oldest = oldest_appointment(game)
            if oldest is None or moment_of(game, oldest) > act.at:
                return
            if moment_of(game, oldest) == act.at:
                recorded = self._events.get((oldest.kind, oldest.subject, act.at))
                if act.name == "games.shift":
                    return
                if is_urgent(act.name) and (not recorded or recorded[0] > act.seq):
                    return
            self._keep(game, oldest, act)

    def _keep(self, game: Game, due: Appointment, act: RecordedAct) -> None:
        at = moment_of(game, due)
        numbers = self._events.get((due.kind, due.subject, at))
        entries = self._original.entries.select_related("actor")
        recorded = act_of(entries.get(seq=numbers.pop(0))) if numbers else None
        wall = recorded.recorded_at if recorded else act.recorded_at
        try:
            with transaction.atomic():
                prepared = prepared_for(game, due, wall)
                rolled = self._rolled(recorded) if recorded else {}
                entry = keep(game, due, wall, prepared, original_rolls=rolled)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            game.refresh_from_db()
            game.stuck_at = due.due
            game.save(update_fields=["stuck_at"])
            log.warning("%s fails in a recalculation: %s", due.kind, type(error).__name__)
            self.steps.append(Deviation(0, due.kind, "not happened", "", "It fails in that past."))
            return
        self._note_number(entry, recorded.seq if recorded else THIS_ENTRY)
        self._look_at_the_time(recorded, entry)
        if recorded is None:
            self.steps.append(Deviation(0, due.kind, "new", "", entry.text, entry.rule))
        else:
            self._compare(recorded, entry)

    def _note_number(self, entry: Entry | SealedEntry, recorded: int) -> None:
        if isinstance(entry, Entry) and entry.seq != recorded:
            self._numbers[entry.seq] = recorded

    def _look_at_the_time(self, act: RecordedAct | None, entry: Entry | SealedEntry) -> None:
        parts = entry.game.sealed_entries.filter(name=PART, after=entry.seq - 1)
        now = act_of(entry, parts.first() if "part" in entry.outcome else None)
        self.late = self.late or not _late(now) <= (_late(act) if act else set())

    def _rolled(self, act: RecordedAct) -> Rolled:
        """The rolls that were made for the act, by label: the same roll comes to the same again."""
        entry = Roll.objects.filter(
            period__game=self._original, entry=act.seq, sealed=act.is_sealed
        )
        rolls = entry.values_list("label", "options", "value")
        return {label: (options, total) for label, options, total in rolls}

    def _compare(self, act: RecordedAct, entry: Entry | SealedEntry) -> None:
        """Note where it went otherwise, with the figures where both say the same in words.

        An officer's report only tells what the rest has come to.
        """
        if "facts" in act.outcome:
            return
        if entry.text != act.text:
            self._note(act, "otherwise", entry.text)
            return
        figures = [
            {name: figure for name, figure in side.outcome.items() if name not in _OF_OTHERS}
            for side in (act, entry)
        ]
        changed = differences(*figures)
        if changed:
            before, after = (
                "; ".join(
                    f"{difference.part} {difference.path}".strip() + f": {attribute(difference)}"
                    for difference in changed
                )
                for attribute in (attrgetter("was"), attrgetter("now"))
            )
            self._note(replace(act, text=before), "otherwise", after)

    def _note(self, act: RecordedAct, went: Went, now: str, rule: str = "") -> None:
        if not act.is_sealed:
            self.steps.append(Deviation(act.seq, act.name, went, act.text, now, rule or act.rule))

    @staticmethod
    def _hold_the_place(game: Game, act: RecordedAct, fate: str) -> None:
        """Let the numbers of the entries go on as in the record."""
        if not act.is_sealed and act.seq:
            table = Table(game, act.at, act.recorded_at, locked=True)
            outcome = Outcome(f"Entry {act.seq} is {fate} in this recalculation.")
            table.record.write(table, EntryKind.SYSTEM, "record.blank", None, {}, outcome, "", None)


def _closed(game: Game, upto: int) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of the sealed acts that were not opened by entry `upto`, in the sealed book, and
    of the public entries that have such a part."""
    closed = game.sealed_entries.exclude(opened_in__lte=upto).exclude(name__in=CONSEQUENCES)
    parts = game.sealed_entries.exclude(opened_in__lte=upto).filter(name=PART)
    return (
        frozenset(closed.values_list("seq", flat=True)),
        frozenset(after + 1 for after in parts.values_list("after", flat=True)),
    )


def _late(act: RecordedAct) -> set[int]:
    """The numbers of the calls that were late at that act."""
    return {
        failure["late"] for failure in recorded_programs(act).get("failed", ()) if "late" in failure
    }

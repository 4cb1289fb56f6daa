"""Programs at one table: their calls, what these ask for, and what becomes of what they do."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from nomic.engine.effects import apply
from nomic.engine.fairness.worker_share import spend
from nomic.engine.models import ProgramState
from nomic.engine.outcomes import Outcome, Refused
from nomic.engine.programs import prelude
from nomic.engine.programs.host_functions import (
    Caused,
    Done,
    Questions,
    announcement,
    owners,
    read_result,
)
from nomic.engine.programs.in_force import (
    KeptState,
    Move,
    Program,
    programs_now,
    states_beside_rules,
)
from nomic.engine.programs.sandbox import (
    CANNOT_WAIT,
    ENGINE,
    Limits,
    Meter,
    Problem,
    ProgramWrong,
    shared,
)
from nomic.engine.programs.shelf import shelf_of_documents
from nomic.engine.rule_switches import rule_switches
from nomic.engine.subgames import in_play
from nomic.engine.table import Follower, Table, follow
from nomic.games.bounds import ROLLS
from nomic.games.models import Player
from nomic.games.names import with_name
from nomic.ledger.models import Holder
from nomic.record.original import Original

SECONDS = 0.25  # of a processor, for all that hangs on one act
LONGEST = 0.75  # seconds that go by meanwhile, whatever they go by with; then the sandbox's GRACE
_FOR_DECISIONS = 0.35  # of these are left to what only looks, in a game with decisions
_PATIENCE = 10  # times as long has a replay, on a machine that may have more to do
_LONGEST_TOLD = 100  # characters of what has run or failed, in an entry
_NOTHING: dict[str, Any] = {"balances": {}, "owners": {}, "players": []}
_BUSY = 3  # times as long may a call take that had to wait for a processor
# What `Problem`s say that are late, or of memory.
_SENTENCES = re.compile(
    r"(It takes longer than [\d.]+ s"
    r"|What it asks takes longer than [\d.]+ s to be answered"
    r"|What programs do at one act takes longer than [\d.]+ s in all"
    r"|No worker of the sandbox is free"
    r"|The sandbox could not go on with it"
    r"|It takes more than \d+ MiB of memory)( \(line \d+, column \d+\))?\."
)


class Time:
    """The seconds that are left to the calls at one table, to those that only look by themselves.
    `decides` tells whether the game has programs with decisions."""

    def __init__(self, decides: Callable[[], bool], *, is_replayed: bool) -> None:
        self._decides = decides
        self._patience = _PATIENCE if is_replayed else 1
        self._left = dict.fromkeys((False, True), SECONDS * self._patience)
        self._longest = LONGEST * self._patience

    @contextmanager
    def anew(self) -> Iterator[None]:
        """In the block there is as much time as at the beginning, and nothing of it counts."""
        before = self._left, self._longest
        self._left = dict.fromkeys((False, True), SECONDS * self._patience)
        self._longest = LONGEST * self._patience
        try:
            yield
        finally:
            self._left, self._longest = before

    def left(self, looks: bool) -> float:
        """The seconds of a processor that calls still have, those that only look by themselves."""
        return self._left[looks]

    def is_left(self, looks: bool) -> bool:
        """Whether such calls have any seconds left, of a processor and by the clock."""
        return min(self._left[looks], self._still(looks)) > 0

    def _still(self, looks: bool) -> float:
        """The seconds that may go by with such calls: hooks take none from what decisions need, so
        that no vote comes out otherwise for what they do."""
        reserved = 0.0 if looks or not self._decides() else _FOR_DECISIONS * self._patience
        return self._longest - reserved

    @contextmanager
    def taken(self, title: str, looks: bool, meter: Meter) -> Iterator[None]:
        """Take what the block uses of that rule's program from the seconds that are left."""
        began, used_before = time.monotonic(), time.thread_time()
        try:
            yield
        finally:
            self._left[looks] -= meter.seconds + time.thread_time() - used_before
            gone = time.monotonic() - began
            self._longest -= gone
            spend(title, gone)

    def limits(self, busy: int, looks: bool) -> Limits:
        """How long one run may last on a machine that is so many times as slow."""
        usual = Limits()
        return replace(
            usual,
            seconds=usual.seconds * self._patience,
            busy=busy,
            asking=usual.asking * self._patience,
            remaining=self._still(looks),
        )


def may_be_otherwise(problem: Problem) -> bool:
    """Whether another machine or another hour might not have it."""
    return problem.late or problem.memory


def late_then(past: Original | None) -> dict[int, Mapping[str, Any]]:
    """The failures that the record tells of the calls that were late, by the calls' numbers. Raises
    LookupError where it says of one what no program ever says."""
    failures = past.programs.get("failed", ()) if past else ()
    late = {failure["late"]: failure for failure in failures if "late" in failure}
    for failure in late.values():
        if not _SENTENCES.fullmatch(failure["sentence"]):
            raise LookupError(f"nothing is late in these words: “{failure['sentence']}”")
    return late


def rolled_then(figures: Mapping[str, Any], call: int) -> dict[str, int]:
    """The sides of the dice that the record says this call threw, by their labels."""
    rolled = figures.get("rolled", {})
    return {label: sides for label, sides in rolled.items() if label.startswith(f"program {call}.")}


class _Undone(Exception):
    """A call came to its end: what it did is undone."""


def undone(table: Table, run: Callable[[], object]) -> Problem | None:
    """Why that run comes to nothing; None where it comes to something, which is undone."""
    try:
        with table.tentatively():
            run()
            raise _Undone
    except _Undone:
        return None
    except ProgramWrong as wrong:
        return wrong.problem


def must_have_thrown(
    thrown: Mapping[str, int], recorded: Mapping[str, int], late: Mapping[str, Any], called: str
) -> None:
    """Raise LookupError where the record says that a call threw dice which it does not throw."""
    if late.get("rolled", 0) > len(thrown) or any(
        thrown.get(label) != recorded[label] for label in recorded
    ):
        raise LookupError(f"“{called}” throws other dice than the record says")


def programs_at(table: Table) -> Programs:
    """The programs of the rules as they were when the entry that is being made began, the same ones
    for all that is done at that table."""
    return table.throughout(_as_it_began)


def were_asked(table: Table) -> bool:
    """Whether programs were asked for at that table: one that decides is not of the rules in force
    where it did so as a vote opened."""
    return table.was_read(_as_it_began)


def _as_it_began(table: Table) -> Programs:
    return Programs(table, table.throughout(programs_now))


class RefusedByProgram(Refused):
    """A program refuses the act, or fails in it: everybody may know the sentence."""


# Quotation marks within a quotation, so that none can seem to end it.
_WITHIN = str.maketrans("“”„‟", "‘’‚‛")


def quoted(words: str) -> str:
    """Words of a program as a quotation."""
    return f"“{words.translate(_WITHIN)}”"


@dataclass(slots=True)
class Failure:
    """A call of a program, as it was `called`, that came to nothing. `call` is which of the entry's
    calls it was, and `rolled` the dice that it threw."""

    program: Program
    called: str
    problem: Problem
    call: int
    rolled: int

    def facts(self) -> dict[str, Any]:
        """The failure as the entry tells it. One that is not run again in a replay has its call's
        number, and the dice that it threw, since those count."""
        facts: dict[str, Any] = {"rule": self.program.rule.title}
        facts |= {"what": self.called[:_LONGEST_TOLD], "sentence": str(self.problem)}
        if may_be_otherwise(self.problem):
            facts["late"] = self.call
            facts |= {"rolled": self.rolled} if self.rolled else {}
        return facts


class Programs:
    """The programs of the rules, by default as these are now.

    Each call comes to something as a whole or not at all. What fails is noted, with the entry. In
    a replay a call that took too much time or memory then comes to nothing again, though another
    hour might not end it: it is made all the same, and told where it comes to something now. All
    have more time than they had.
    """

    def __init__(self, table: Table, programs: tuple[Program, ...] | None = None) -> None:
        self._table = table
        self.all = programs_now(table) if programs is None else programs
        self._calls = 0
        self._knows = False  # whether the call that is made now cannot wait to be told
        self._supposes = False
        self._caused = Caused(table.game)
        self._then = table.original.programs if table.original else {}
        self._time = Time(
            lambda: any(program.declared.decisions for program in self.all),
            is_replayed=table.is_replayed,
        )
        self._ran: list[str] = []
        self._failures: list[Failure] = []
        self._rolled: dict[str, int] = {}
        self._rolled_in_vain: dict[str, int] = {}
        self._changed: set[int] = set()
        self._known_owners: dict[str, Holder] = {}
        self.said_meanwhile: list[str] = []
        self.decided: dict[str, tuple[Any] | None] = {}
        self._late = late_then(table.original)
        self._rolled_then = 0  # in calls that count as late
        self._rolled_late: dict[str, int] = {}

    @property
    def rolled(self) -> bool:
        """Whether a call has thrown a die, be it now or, where it was late, then."""
        return bool(self._rolled or self._rolled_late)

    # Calls

    def call(
        self,
        program: Program,
        function: str,
        called: str,
        inputs: Mapping[str, Any],
        *,
        looks: bool = False,
    ) -> Done:
        """Let a function of the program run with what is given. Raises ProgramWrong.

        One that is late and has not run for long is tried once more: it had to wait for a
        processor, or its process was ended. One that only `looks` throws no dice.
        """
        self._calls += 1
        self._knows = False
        self._caused.call(looks)
        if self._calls in self._late:
            failure = self._late[self._calls]
            self._try_again(program, function, called, inputs, looks)
            self._rolled_then += failure.get("rolled", 0)
            raise ProgramWrong(Problem(failure["sentence"], late=True))
        if not self._time.is_left(looks):
            what_all = f"What programs do at one act takes longer than {SECONDS:g} s in all"
            raise ProgramWrong(Problem(what_all, late=True))
        seconds_left = self._time.left(looks)
        try:
            return self._asking(program, function, inputs, looks)
        except ProgramWrong as wrong:
            has_run = seconds_left - self._time.left(looks) > Limits().seconds / 2
            if not wrong.problem.late or has_run or not self._time.is_left(looks):
                raise
            return self._asking(program, function, inputs, looks, busy=_BUSY)

    def _asking(
        self, program: Program, function: str, inputs: Mapping[str, Any], looks: bool, busy: int = 1
    ) -> Done:
        """One run, or another that is told beforehand what it cannot wait to be told, as all that
        follow in the same call."""
        try:
            return self._run(program, function, inputs, looks, busy)
        except ProgramWrong as wrong:
            if self._knows or CANNOT_WAIT not in wrong.problem.message:
                raise
            self._knows = True
            return self._run(program, function, inputs, looks, busy)

    def _try_again(
        self, program: Program, function: str, called: str, inputs: Mapping[str, Any], looks: bool
    ) -> None:
        """Make a call that was late then, undo it, and tell where it comes to something now."""
        rolled = self._rolled.copy()
        with self._time.anew():
            run = partial(self._asking, program, function, inputs, looks)
            problem = undone(self._table, run)
        thrown = {label: self._rolled[label] for label in self._labels()}
        self._rolled = rolled
        recorded = rolled_then(self._then, self._calls)
        if problem is None or not may_be_otherwise(problem):
            must_have_thrown(thrown, recorded, self._late[self._calls], called)
            now = f"fails: {problem}" if problem else "would come to something now."
            self._otherwise(f"“{called}” of “{program.rule.title}” was late then, and {now}")
        self._rolled_late |= recorded

    def _otherwise(self, sentence: str) -> None:
        """Let a replay tell what comes out otherwise today."""
        if self._table.original is not None:
            self._table.original.tell(sentence)

    def _run(
        self, program: Program, function: str, arguments: Mapping[str, Any], looks: bool, busy: int
    ) -> Done:
        """One run of the call, in the seconds that are left. What it rolled and did counts only if
        it comes to its end. Where it `_knows`, it is told before it asks what everybody has."""
        asked = self._questions(program, looks)
        inputs = {
            "function": function,
            "given": dict(arguments),
            "state_text": self._row(program).state,
            "moment": self._table.now,
            "ahead": asked.ahead(program.source) if self._knows else _NOTHING,
        }
        limits = self._time.limits(busy, looks)
        meter = Meter()
        try:
            with self._time.taken(program.rule.title, looks, meter), asked.rolling():
                returned = shared().run(
                    prelude.AROUND,
                    program.source,
                    inputs,
                    limits,
                    calls={"ask": asked.answer},
                    now=self._table.now,
                    meter=meter,
                )
                done = read_result(returned)
                if not done.states.keys() <= {"", *self._by_key}:
                    raise ProgramWrong(Problem("It tells of a rule that has no program"))
                asked.must_be_in_power(done)
                asked.must_allow(done.moves)
                asked.must_turn(done.turns)
                asked.must_publish(done.papers, program.rule.title, program.rule.number)
                by_action = program.declared.only_by_action(function)
                asked.must_announce(done.intents, by_action=by_action)
                done = replace(done, rolls=len(asked.rolled), refused=asked.refused)
                changes = self._changes(program, done)
                if program.power and changes.keys() - {program.key}:
                    raise ProgramWrong(
                        Problem("What a rule keeps in mind is that rule's to change")
                    )
                done = self._caused.allow(done, changes)
        except ProgramWrong as wrong:
            if not wrong.problem.late and not wrong.problem.memory:
                self._caused.asked(asked.asked, looks)
            if not asked.refused:
                raise
            return Done([], [], {}, refused=asked.refused)
        else:
            self._caused.asked(asked.asked, looks)
            return done
        finally:
            self._rolled |= asked.rolled

    def _questions(self, program: Program, looks: bool) -> Questions:
        """The questions of the call that is made now, with the rolls of those before it counted."""
        before = {ROLLS: len(self._rolled.keys() - self._labels()) + self._rolled_then}
        return Questions(
            self._table,
            self._calls,
            partial(self._owners, program),
            partial(self._state, program),
            lambda bound, count: self._caused.ask(bound, count + before.get(bound, 0), looks),
            looks=looks,
            power=program.power,
        )

    def _labels(self) -> set[str]:
        """The labels of the rolls that the call which is made now has thrown already."""
        return {label for label in self._rolled if label.startswith(f"program {self._calls}.")}

    def _changes(self, program: Program, done: Done) -> dict[str, str]:
        """The states of rules that are other ones after the call, by the rules' keys, as JSON."""
        states = {key or program.key: state for key, state in done.states.items()}
        return {key: state for key, state in states.items() if state != self._row_of(key).state}

    def keep(self, program: Program, called: str, done: Done) -> list[str]:
        """Make what a call did part of the game; what it said, as a quotation with its rule."""
        with self._time.taken(program.rule.title, False, Meter()):
            changes = self._changes(program, done)
            self._caused.keep(done, changes)
            if done.moves:
                self._move(program, done.moves)
            for key, of, value in done.turns:
                rule_switches(self._table).by_key[key].turn(self._table, of, value)
            for key, state in changes.items():
                self._row_of(key).state = state
                self._changed.add(self._by_key[key].rule.pk)
            if self._row(program).failures.pop(called, None):
                self._changed.add(program.rule.pk)
            self.ran(program, called)
            sentences = [
                shelf_of_documents().publish(self._table, program.rule.title, paper)
                for paper in done.papers
            ]
            for intent in done.intents:
                announced = apply(self._table, announcement(self._table, intent))
                sentences.append(announced.text)
            sentences += [program.power.do(self._table, it) for it in done.deeds if program.power]
            if done.sentences:
                sentences.append(f"“{program.rule.title}” says: {quoted(' '.join(done.sentences))}")
            return sentences

    def _move(self, program: Program, moves: Iterable[Move]) -> None:
        ledger = self._table.ledger
        before, ledger.rule = ledger.rule, program.rule.title
        try:
            holders = self._owners(program)
            ledger.move_several(
                (holders.get(source or ""), holders.get(target or ""), amount, asset)
                for source, target, amount, asset in moves
            )
            moved = [ledger.asset(name) for name in sorted({asset for *_, asset in moves})]
            for subgame in in_play(self._table.game):  # what follows from it that these have moved
                if any(subgame.keeps(self._table.game, asset) for asset in moved):
                    subgame.corrected(self._table)
        finally:
            ledger.rule = before

    def ran(self, program: Program, called: str) -> None:
        """Note in the entry that this came to something."""
        self._ran.append(f"{program.key} {called[:_LONGEST_TOLD]}")

    def fail(self, program: Program, called: str, problem: Problem) -> None:
        """Note that this came to nothing: the keeper of the rulebook will see to it."""
        late = self._late.get(self._calls)
        rolled = late.get("rolled", 0) if late else len(self._labels())
        self._note(Failure(program, called, problem, self._calls, rolled))

    @contextmanager
    def supposing(self, programs: Iterable[Program]) -> Iterator[list[Failure]]:
        """In the block these are the programs, with all bounds and time to themselves; it gets what
        fails. They only look. Afterwards it is as it was, but that what was late stays noted: a
        replay is late there too."""
        failures: list[Failure] = []
        before = self.all, self._rows, self._caused, self._ran, self._failures, self.decided
        self.all, self._caused = tuple(programs), Caused(self._table.game)
        # What these keep in mind is not saved before the entry ends.
        self._rows = self._rows_of(self.all) | self._rows
        self._ran, self._failures, self.decided, self._supposes = [], failures, {}, True
        self.__dict__.pop("_by_key", None)
        try:
            with self._time.anew():
                yield failures
        finally:
            self.all, self._rows, self._caused, self._ran, self._failures, self.decided = before
            self._failures += [failure for failure in failures if may_be_otherwise(failure.problem)]
            self._supposes = False
            self.__dict__.pop("_by_key", None)

    def _note(self, failure: Failure) -> None:
        self._failures.append(failure)
        if self._supposes or failure.program not in self.all:
            return
        self._row(failure.program).failures[failure.called] = {
            "entry": self._table.seq,
            "version": failure.program.rule.version,
            "sentence": str(failure.problem),
        }
        self._changed.add(failure.program.rule.pk)

    @contextmanager
    def tentatively(self) -> Iterator[None]:
        """Where the block raises, what calls did in it is forgotten, as it has been undone; what
        failed stays noted."""
        said, ran, changed = [*self.said_meanwhile], [*self._ran], {*self._changed}
        states = {pk: (row.state, {**row.failures}) for pk, row in self._rows.items()}
        noted = len(self._failures)
        try:
            yield
        except Exception:
            self.said_meanwhile, self._ran, self._changed = said, ran, changed
            for pk, (state, failures) in states.items():
                self._rows[pk].state, self._rows[pk].failures = state, failures
            new, self._failures = self._failures[noted:], self._failures[:noted]
            for failure in new:
                self._note(failure)
            raise

    def come_to_nothing(self) -> None:
        """Go on as if no call had done anything at this act, which has been undone: what failed
        stays noted, and each die stays as it fell."""
        failures, self._failures, self._ran, self.said_meanwhile = self._failures, [], [], []
        self._changed.clear()
        self.__dict__.pop("_rows", None)
        for failure in failures:
            self._note(failure)
        late = {label: min(sides, prelude.MOST_SIDES) for label, sides in self._rolled_late.items()}
        both = late | self._rolled
        in_order = sorted(  # of the calls, and of each one's own rolls
            both, key=lambda label: [*map(int, label.removeprefix("program ").split("."))]
        )
        self._rolled_in_vain = {label: both[label] for label in in_order}
        self._table.dice.choose_each(
            {label: range(1, sides + 1) for label, sides in self._rolled_in_vain.items()}
        )

    def ended(self, outcome: Outcome, sentences: list[str]) -> Outcome:
        """The outcome of the entry with what programs have said and done at it; what they keep in
        mind is written."""
        for pk in sorted(self._changed):
            row = self._rows[pk]
            row.save(force_insert=row._state.adding)
        self._changed.clear()
        of_programs = self._figures()
        if not of_programs:
            return outcome
        figures = {**outcome.figures, **of_programs}
        text = " ".join([outcome.text, *self.said_meanwhile, *sentences])
        return Outcome(text, figures, outcome.actor, outcome.sealed, outcome.rule)

    def renamed(self, former: str, name: str) -> None:
        """Let what all programs of the game keep in mind know that player by the new name."""
        others = ProgramState.objects.filter(game=self._table.game).exclude(pk__in=self._rows)
        for key, row in (*self._rows.items(), *((None, other) for other in others)):
            state = json.dumps(with_name(json.loads(row.state), former, name))
            if state == row.state:
                continue
            row.state = state
            if key is not None:
                self._changed.add(key)
            else:
                row.save(update_fields=["state"])
        self._known_owners.clear()

    def sealed(self) -> dict[str, Any]:
        """The figures that an act in the sealed book has of programs."""
        return self._figures()

    # Inside

    def _figures(self) -> dict[str, Any]:
        """The figures of what has run and what has failed, if anything has."""
        if not self._ran and not self._failures and not self._rolled_in_vain:
            return {}
        failed: list[dict[str, Any]] = []
        for failure in self._failures:  # each once: one may fail each time that it is called
            if (facts := failure.facts()) not in failed:
                failed.append(facts)
        engine = self._then.get("engine", ENGINE)
        if engine != ENGINE:
            self._otherwise(f"programs ran in “{str(engine)[:60]}” then, and run in {ENGINE} now.")
        perhaps = {"failed": failed, "rolled": self._rolled_in_vain}
        figures = {"engine": engine, "ran": self._ran, **{k: v for k, v in perhaps.items() if v}}
        return {"programs": figures}

    @cached_property
    def _rows(self) -> dict[int, Any]:
        return self._rows_of(self.all)

    def _rows_of(self, programs: Iterable[Program]) -> dict[int, Any]:
        of_contracts = [program for program in programs if program.power]
        game, keys = (
            self._table.game,
            [program.rule.pk for program in programs if program.power is None],
        )
        rows = {row.pk: row for row in ProgramState.objects.filter(pk__in=keys)}
        states = {key: rows.get(key) or ProgramState(game=game, rule_id=key) for key in keys}
        return states | states_beside_rules(self._table, of_contracts)

    @cached_property
    def _by_key(self) -> dict[str, Program]:
        return {program.key: program for program in self.all}

    def _state(self, program: Program, title: str) -> tuple[str, str]:
        """The key of the rule of that title and what it keeps in mind; of the program's own rule
        none."""
        if title == program.rule.title:
            return "", ""
        for neighbour in self.all:
            if neighbour.rule.title == title and neighbour.power is None:
                return neighbour.key, self._row(neighbour).state
        raise ValueError(f"The rule “{title}” has no program, so it keeps nothing in mind")

    def _owners(self, program: Program) -> dict[str, Holder]:
        """Those whose public assets a program may move or ask about, read once."""
        if not self._known_owners:
            self._known_owners = {owner.name: owner for owner in owners(self._table)}
        if program.power and program.power.account not in self._known_owners:
            account = self._table.game.holders.get(name=program.power.account)
            return {**self._known_owners, account.name: account}
        return self._known_owners

    def _row_of(self, key: str) -> KeptState:
        return self._row(self._by_key[key])

    def _row(self, program: Program) -> KeptState:
        row: KeptState = self._rows[program.rule.pk]
        return row


class _Names(Follower):
    """Programs know players by their names alone."""

    def renamed(self, table: Table, player: Player, former: str) -> None:
        programs_at(table).renamed(former, player.name)


follow(_Names())

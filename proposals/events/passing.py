"""How a passed proposal's list of changes occurs, so that the game can go on after it.

A change after which nothing could be adopted any more is left undone, and so is one after which
programs of rules would declare more than the game lets be, or the site's own program fails; the
others are made. Where looking for it would take too long, all are undone.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import InterfaceError, OperationalError

from nomic.engine.dry_run import Covered
from nomic.engine.outcomes import Busy
from nomic.engine.programs.descriptions import ProgramFault, fault_of_decision
from nomic.engine.programs.hooks import fatal_decision
from nomic.engine.programs.in_force import declared_by, declares_too_much, programs_now
from nomic.engine.programs.running import Failure
from nomic.engine.table import Table
from nomic.games.bounds import TRIES
from nomic.rulebook.changes import left_to_officer
from nomic.rulebook.changes.applying import beside_left, is_of_rules
from nomic.rulebook.changes.kinds import ByHand, Change, ChangeBy, Ratify, Reading, SetSwitch
from nomic.rulebook.tables import TableBroken
from proposals.events.effects import Effect, apply, names_an_asset
from proposals.state.reading import drop_state, state_of

# At a list with such a change in it. A turn finds one of them, by going through the list twice
# more; where there are many, each change is tried by itself.
_MOST_TURNS = 4
_MOST_HALVES = 3  # turns in which rules are looked for whose changes are partly left
_PASSING = (OperationalError, InterfaceError, Busy, Covered)  # no fault of what is tried
_MOST_TRIED = 200  # of those that are gone through one by one
_FAULT = "the program fails at it, and nothing has changed by it."
_TOO_MANY = "Too many changes before this one could not be made for the program to try it."
_TOO_LONG = "In so long a list it is not looked for which change makes it so: propose it in parts."
_log = logging.getLogger(__name__)

Enough = Callable[[int], bool]


class _NoWayBack(Exception):
    """After the changes nothing could be adopted any more; the sentence says why, and the `fault`
    whose program decides that."""

    def __init__(self, sentence: str, fault: ProgramFault | None = None) -> None:
        self.fault = fault
        super().__init__(sentence)


class _TooMuch(Exception):
    """After the changes programs of rules would declare too much; the sentence says what."""


class _Strays(Exception):
    """A change names what the game does not have."""

    def __init__(self, effect: Effect) -> None:
        self.effect = effect


class _Halves(Exception):
    """Some changes of a rule are made, and others are left to the officer; `left` are all of them,
    as they are left, by their places."""

    def __init__(self, left: dict[int, ByHand]) -> None:
        self.left = left


class _Undone(Exception):
    """Raised when enough has been seen, to undo what led to it."""


def carry_out(
    table: Table, reading: Reading, *, enough: Enough | None = None, turns: int = _MOST_HALVES
) -> list[Effect]:
    """Make the changes at a locked table, and let all follow the rules; an Effect for each.

    It is the end of the list that counts: a rule may be repealed that a later change replaces. All
    changes of a rule are left to the officer where one of them is; so many `turns` such rules are
    looked for, and then all changes of rules are left. `enough` ends a dry run: it gets how many
    were made.
    """
    if not reading.changes:
        return []
    if len(reading.changes) == len(reading.by_hand):
        return apply(table, reading, enough=enough)
    drop_state(table)
    try:
        with table.tentatively():
            effects = _Passing(table, reading, enough).make(reading.changes, _MOST_TURNS)
            stray = next(
                (e for e in effects if e.strays and not names_an_asset(table, e.change)), None
            )
            if stray and len(effects) > 1:
                raise _Strays(stray)
            if left := _halves(effects, is_last=not turns):
                raise _Halves(left)
            return effects
    except _Halves as halves:
        drop_state(table)
        by_place = enumerate(reading.changes)
        changes = tuple(halves.left.get(place, change) for place, change in by_place)
        whole = replace(reading, changes=changes)
        return carry_out(table, whole, enough=enough, turns=turns - 1)
    except _Strays as strays:
        drop_state(table)
        # All are for the officer, since one may say something else than what it was read as.
        stray = strays.effect
        for_the_officer = left_to_officer.as_by_hand(stray.change, stray.sentence)
        beside_it = left_to_officer.beside(reading.changes, [stray.change.sentence])
        both = zip(reading.changes, beside_it, strict=True)
        by_hand = [for_the_officer if change is stray.change else rest for change, rest in both]
        return [Effect(change, False, change.why) for change in by_hand]


def _halves(effects: Sequence[Effect], *, is_last: bool) -> dict[int, ByHand]:
    """The changes of rules that are partly made, by their places, as the officer gets them; all
    changes of rules with them where it `is_last` that they are looked for."""
    left = [not effect.done and not effect.refused for effect in effects]
    halves = beside_left([effect.touched for effect in effects], left)
    if halves and is_last:
        first = next(iter(halves.values()))
        halves = {
            place: first for place, effect in enumerate(effects) if is_of_rules(effect.change)
        }
    whys = {
        place: left_to_officer.half(effects[by].change.sentence) for place, by in halves.items()
    }
    whys |= {by: effects[by].sentence for by in halves.values()}
    return {
        place: left_to_officer.as_by_hand(effects[place].change, why) for place, why in whys.items()
    }


class _Passing:
    """The passing of one proposal. A game in which nothing can be adopted is past such care."""

    def __init__(self, table: Table, reading: Reading, enough: Enough | None) -> None:
        self._table = table
        self._reading = reading
        self._enough = enough or (lambda number: False)
        self._made = 0
        self._is_careful = not state_of(table).impasse
        self._declared = declared_by(table.rules.public)
        self._sources = {program.source for program in programs_now(table)}
        self._fatal: dict[tuple[str, ...], Failure | None] = {}
        self._tries = TRIES.of(table.game)

    def make(self, changes: Sequence[Change], turns: int) -> list[Effect]:
        """Make these of the changes; what cannot be borne is looked for so many times."""
        if not changes:
            return []
        fault = None
        try:
            with self._table.tentatively():
                effects = self._apply(changes, lambda at: self._enough(self._made + at))
                self._must_go_on(is_all=len(effects) == len(changes))
        except _PASSING:
            raise
        except _NoWayBack as error:
            fault = error.fault
            reason = f"after it nothing could be adopted any more. {error}"
        except _TooMuch as error:
            reason = str(error)
        except TableBroken as error:
            reason = f"the game could not go on after it. {error}"
        except Exception as error:
            # The vote is over, so a fault of ours costs this change alone; the log has it.
            _log.error("A change could not be made", exc_info=error)
            reason = _FAULT
        else:
            self._made += len(effects)
            return effects
        drop_state(self._table)
        return self._make_others(changes, turns, reason, fault)

    def _make_others(
        self, changes: Sequence[Change], turns: int, reason: str, fault: ProgramFault | None
    ) -> list[Effect]:
        if len(changes) == 1:
            self._made += 1
            undone = f"This is left undone: {reason}"
            return [Effect(changes[0], False, undone, refused=True, fault=fault)]
        if len(changes) > self._tries:
            undone = f"This is left undone: {reason} {_TOO_LONG}"
            return [Effect(change, False, undone, refused=True) for change in changes]
        if not turns:
            tried, untried = changes[:_MOST_TRIED], changes[_MOST_TRIED:]
            effects = [effect for change in tried for effect in self.make([change], 0)]
            return effects + [Effect(change, False, _TOO_MANY) for change in untried]
        at = self._culprit(changes)
        parts = changes[:at], changes[at : at + 1], changes[at + 1 :]
        return [effect for part in parts for effect in self.make(part, turns - 1)]

    def _culprit(self, changes: Sequence[Change]) -> int:
        """Which change it is after which, up to the end of the list, the game could not go on."""
        fits: list[bool] = []
        counts: list[int] = []  # how often the rules had changed after each of them

        def look(number: int) -> bool:
            if number:
                # Only rules and switches decide whether the game can go on; asking takes long.
                is_switch = isinstance(changes[number - 1], SetSwitch | ChangeBy | Ratify)
                is_moved = is_switch or self._table.rules.changes not in counts[-1:]
                counts.append(self._table.rules.changes)
                fits.append(self._can_go_on() if is_moved else fits[-1])
            return False

        try:
            with self._table.tentatively():
                self._apply(changes, look)
                look(len(changes))
                raise _Undone
        except _PASSING:
            raise
        except Exception:
            drop_state(self._table)
        # The one behind the last after which it could go on; the first, where it can after all.
        fits += [False] * (len(changes) - len(fits))
        return max((at + 1 for at, fit in enumerate(fits) if fit), default=0) % len(changes)

    def _can_go_on(self) -> bool:
        """Whether the game could go on as it is now."""
        try:
            with self._table.tentatively():
                self._must_go_on()
        except _PASSING:
            raise
        except Exception:
            return False
        return True

    def _fatal_decision(self) -> Failure | None:
        """What a program that comes with these changes decides so that nothing could be adopted."""
        # Asked once for the same programs, since each time may take them all of their seconds.
        sources = tuple(program.source for program in programs_now(self._table))
        if sources not in self._fatal:
            self._fatal[sources] = fatal_decision(self._table, self._sources)
        return self._fatal[sources]

    def _apply(self, changes: Sequence[Change], enough: Enough) -> list[Effect]:
        return apply(self._table, replace(self._reading, changes=tuple(changes)), enough=enough)

    def _must_go_on(self, *, is_all: bool = True) -> None:
        """Let all follow the rules as they read now. Raises _NoWayBack, _TooMuch, and what that
        raises."""
        self._tries -= 1
        drop_state(self._table)
        rules = self._table.rules.public
        if too_much := declares_too_much(self._table.game, self._declared, rules):
            raise _TooMuch(too_much.sentence)
        impasse = state_of(self._table).impasse if self._is_careful and is_all else ""
        if impasse:
            raise _NoWayBack(impasse)
        if self._is_careful and is_all and (failure := self._fatal_decision()):
            fault = fault_of_decision(failure)
            raise _NoWayBack(fault.sentence, fault)
        self._table.follow_the_rules()
        drop_state(self._table)

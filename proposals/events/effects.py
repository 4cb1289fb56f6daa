"""What a passed proposal's list of changes does to the game, one change after the other.

A change that cannot be made changes nothing and says why; the others are made all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from nomic.engine.dry_run import Impossible, Shift, attempt
from nomic.engine.subgames import all_subgames
from nomic.engine.switches import NoSuchSwitch, Switch, find_switch
from nomic.engine.table import Table
from nomic.rulebook.changes import (
    ByHand,
    Change,
    ChangeBy,
    Destroy,
    Give,
    HandOver,
    Reading,
    SetSwitch,
    Take,
    Transfer,
)
from nomic.rulebook.changes.carrying import REASONS, carry, is_of_rules
from nomic.rulebook.tables import TableBroken
from proposals.events.asset_effects import (
    CannotBe,
    Moved,
    change_by,
    forget,
    give,
    hand_over,
    is_currency,
    set_to,
    take,
    transfer,
)

PROPOSALS = "Proposals"
_LONGEST_TOLD = 5_000  # characters of what changed in a text that a stored effect keeps
_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
_REASONS = (CannotBe, NoSuchSwitch, *REASONS)


@dataclass(frozen=True, slots=True)
class Effect:
    """What came of one change.

    `sentence` tells it, or why it cannot be done (`refused`: nor by hand). `rule` is the touched
    rule's title after it and `version` its version; `before` and `after` are its whole texts, empty
    where it was not or is not any more, or the values of a switch. `shifts` are moved balances.
    """

    change: Change
    done: bool
    sentence: str
    rule: str = ""
    version: int = 0
    before: str = ""
    after: str = ""
    shifts: tuple[Shift, ...] = ()
    refused: bool = False

    def facts(self) -> dict[str, Any]:
        """The effect as JSON can hold it; of the texts only the lines that changed, cut short."""
        before, after = _changed_lines(self.before, self.after)
        return {
            "verb": self.change.verb,
            "target": self.change.target,
            "sentence": self.sentence,
            "done": self.done,
            "rule": self.rule,
            "version": self.version,
            "before": before,
            "after": after,
            "shifts": [asdict(shift) for shift in self.shifts],
        }


def apply(
    table: Table, reading: Reading, *, enough: Callable[[int], bool] | None = None
) -> list[Effect]:
    """Make the changes at a locked table, in their order; an Effect for each.

    What players can write raises nothing. Where balances or switches follow new rules, the
    subgames are told of the rules first. `enough` ends a dry run: it gets how many were made.
    """
    rule_before = table.ledger.rule
    forget(table)
    effects: list[Effect] = []
    for place, change in enumerate(reading.changes):
        if enough and enough(place):
            break
        effects.append(_effect(table, change))
    if any(effect.shifts for effect in effects):
        for subgame in all_subgames():
            if subgame.is_on(table.game):
                subgame.corrected(table)
    table.ledger.rule = rule_before
    return effects


def _effect(table: Table, change: Change) -> Effect:
    try:
        if is_of_rules(change):
            made = carry(table.rules, change)
            return Effect(
                change, True, made.sentence, made.rule, made.version, made.before, made.after
            )
        return _DEEDS[type(change)](table, change)
    except _REASONS as reason:
        return Effect(change, False, str(reason))


# Balances and switches


def _give(table: Table, change: Give) -> Effect:
    return _moved(
        table, change, lambda: give(table, change.receiver, change.amount, change.currency)
    )


def _take(table: Table, change: Take) -> Effect:
    return _moved(table, change, lambda: take(table, change.giver, change.amount, change.currency))


def _destroy(table: Table, change: Destroy) -> Effect:
    return _moved(table, change, lambda: take(table, change.owner, change.amount, change.currency))


def _transfer(table: Table, change: Transfer) -> Effect:
    def move() -> Moved:
        return transfer(table, change.giver, change.receiver, change.amount, change.currency)

    return _moved(table, change, move)


def _hand_over(table: Table, change: HandOver) -> Effect:
    return _moved(
        table, change, lambda: hand_over(table, change.thing, change.giver, change.receiver)
    )


def _change_by(table: Table, change: ChangeBy) -> Effect:
    table.follow_the_rules()
    try:
        switch = find_switch(change.switch)
    except NoSuchSwitch:
        if not is_currency(table, change.switch):
            raise
        return _moved(table, change, lambda: change_by(table, change.of, change.by, change.switch))
    now = _standing(table, switch, change.of)
    if not _WHOLE.fullmatch(now):
        raise CannotBe(f"{switch.name} is “{now[:60]}”, which is no number: set it to a value.")
    return _turned(table, change, switch, change.of, str(int(now) + change.by))


def _standing(table: Table, switch: Switch, of: str) -> str:
    try:
        return switch.value(table, _subject(table, switch, of))
    except TableBroken as broken:
        raise CannotBe(f"A table of the rules cannot be read: {broken}") from broken


def _moved(table: Table, change: Change, move: Callable[[], Moved]) -> Effect:
    table.follow_the_rules()
    table.ledger.rule = PROPOSALS
    sentence, shifts = move()
    return Effect(change, True, sentence, shifts=shifts)


def _set_switch(table: Table, change: SetSwitch) -> Effect:
    table.follow_the_rules()
    try:
        switch = find_switch(change.switch)
    except NoSuchSwitch:
        if not is_currency(table, change.switch):
            raise
        return _moved(table, change, lambda: set_to(table, change.of, change.value, change.switch))
    return _turned(table, change, switch, change.of, change.value)


def _turned(table: Table, change: Change, switch: Switch, of: str, value: str) -> Effect:
    table.ledger.rule = PROPOSALS
    try:
        subject = _subject(table, switch, of)
        before = switch.value(table, subject)
        refusal = switch.refusal(table, subject, value)
        if refusal is not None:
            raise CannotBe(refusal.sentence)
        forget(table)
        with attempt():
            switch.set(table, subject, value)
        after = switch.value(table, subject)
    except TableBroken as broken:
        raise CannotBe(f"A table of the rules cannot be read: {broken}") from broken
    except Impossible as impossible:
        raise CannotBe(f"{switch.name} cannot be “{value[:60]}”.") from impossible
    whose = f"{subject}'s {switch.name}" if subject else f"{switch.name}"
    return Effect(
        change, True, f"{whose} is set from {before} to {after}.", before=before, after=after
    )


def _subject(table: Table, switch: Switch, named: str) -> str:
    """The one whose switch is meant, as the game spells it."""
    subjects = switch.subjects(table)
    if not subjects:
        raise CannotBe(f"Nothing in this game has a switch “{switch.name}” now.")
    key = " ".join(named.casefold().split())
    found = next((each for each in subjects if each.casefold() == key), None)
    if found is not None:
        return found
    if not switch.of:
        raise CannotBe(f"{switch.name} is a switch of the whole game, not of “{named[:60]}”.")
    if not key:
        raise CannotBe(f"{switch.name} is a switch of every {switch.of}: say whose.")
    known = ", ".join(subjects[:20])
    raise CannotBe(f"There is no {switch.of} “{named[:60]}”. Known: {known}.")


def _by_hand(table: Table, change: ByHand) -> Effect:
    return Effect(change, False, change.why)


_DEEDS: dict[type[Change], Callable[[Table, Any], Effect]] = {
    Give: _give,
    Take: _take,
    Destroy: _destroy,
    Transfer: _transfer,
    HandOver: _hand_over,
    SetSwitch: _set_switch,
    ChangeBy: _change_by,
    ByHand: _by_hand,
}


def _changed_lines(before: str, after: str) -> tuple[str, str]:
    """What is left of both texts without the lines that they share at their beginning and end."""
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return _short(old[start : len(old) - end]), _short(new[start : len(new) - end])


def _short(lines: list[str]) -> str:
    text = "\n".join(lines)
    return text if len(text) <= _LONGEST_TOLD else text[:_LONGEST_TOLD] + "…"

"""Passages that sentences of a body count or name: what the site takes each for, and what of them
the author has confirmed."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from nomic.rulebook.changes import kinds
from nomic.rulebook.changes.applying import REASONS, carry, find, is_of_rules, rules_meant
from nomic.rulebook.changes.kinds import LONGEST_SAID, Change, Reading, folded, part_of
from nomic.rulebook.charts import cut
from nomic.rulebook.editing import EditableRules
from nomic.rulebook.edits.confirmed import candidates, confirm, places_of, taken_for
from nomic.rulebook.edits.parts import EditFailed, TextPart
from nomic.rulebook.edits.rows import row_meant
from nomic.rulebook.in_force import RuleText

_BEYOND = "Too much text would have to be gone through to say what is meant: quote it."
_BY_HAND = "Its author leaves it to the officer."

type _BySentence = defaultdict[str, deque[Unit]]


@dataclass(frozen=True, slots=True)
class Unit:
    """What a sentence of a body counts or names: the passage that is meant, in the rule of that
    title, how often it stood there then, and whether it surely was a whole one.

    Without a passage an officer carries it out. `why` says why there is none, or why the one that
    was sent cannot be meant; it `is_confirmed` where its author sent it. Of words throughout the
    rules the passage says in how many and which. The `candidates` are passages one of which may be
    meant where the site is not sure.
    """

    sentence: str
    passage: str
    rule: str = ""
    times: int = 0
    sure: bool = False
    why: str = ""
    is_confirmed: bool = False
    candidates: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The unit as its author confirms it."""
        return {"sentence": self.sentence, "passage": self.passage}

    def stored(self) -> dict[str, Any]:
        """The unit as a proposal keeps it."""
        return {**self.to_dict(), "rule": self.rule, "times": self.times, "sure": self.sure}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Unit":
        """The unit that is kept or sent so."""
        names = ("sentence", "passage", "rule", "times", "sure")
        return cls(**{name: facts[name] for name in names if name in facts}, is_confirmed=True)


def confirmed(reading: Reading, units: Iterable[Unit]) -> Reading:
    """The reading with what is confirmed: of equal sentences in the order of the units."""
    waiting, changes = _by_sentence(units), []
    for change in reading.changes:
        unit = _next_unit(waiting, change)
        if unit is not None and unit.passage:
            change = replace(change, part=_part(change, unit))  # type: ignore[call-arg]
        changes.append(change)
    return replace(reading, changes=tuple(changes))


def stray(reading: Reading, units: Iterable[Unit]) -> str:
    """Why one of these is no unit of the body; "" where all are."""
    waiting, matched = _by_sentence(units), set()
    for change in reading.changes:
        if _next_unit(waiting, change) is not None:
            matched.add(folded(change.sentence))
    surplus = next((sentence for sentence, further in waiting.items() if further), None)
    if surplus is None:
        return ""
    shown = cut(surplus, LONGEST_SAID)
    if surplus in matched:
        return f"“{shown}” has more passages than it counts or names: give one for each."
    return f"“{shown}” is no sentence of the text that counts or names a passage: leave it out."


def counts(reading: Reading) -> bool:
    """Whether one of its sentences counts or names a passage."""
    return any(part_of(change).counts for change in reading.changes)


def units_of(
    rules: EditableRules,
    reading: Reading,
    confirmations: Iterable[Unit] = (),
    most: int | None = None,
) -> list[Unit]:
    """What each sentence counts or names, in their order: as confirmed, else as the site takes it.

    The changes are made to these rules on the way, since each counts what those before it leave.
    Behind so many characters of texts, nothing is looked for any more.
    """
    waiting, units = _by_sentence(confirmations), []
    for change in reading.changes:
        is_beyond = most is not None and rules.gone_through > most
        if part_of(change).counts:
            unit = _unit(rules, change, _next_unit(waiting, change), is_beyond)
            units.append(unit)
            if unit.why:
                continue
            change = replace(change, part=_part(change, unit))  # type: ignore[call-arg]
        if is_of_rules(change) and not is_beyond:
            with suppress(*REASONS):
                carry(rules, change)
    return units


def _unit(rules: EditableRules, change: Change, confirmation: Unit | None, is_beyond: bool) -> Unit:
    """The unit of a change, as its author confirmed it, or as the site takes it."""
    passage, is_confirmed = confirmation.passage if confirmation else "", confirmation is not None
    unit = Unit(change.sentence, passage, is_confirmed=is_confirmed)
    if is_confirmed and not passage:
        return replace(unit, why=_BY_HAND)
    if is_beyond:
        return replace(unit, why=_BEYOND)
    if isinstance(change, kinds.ReplaceThroughout):
        return _unit_throughout(rules, change, unit)
    try:
        rule = find(rules, change.rule)  # type: ignore[attr-defined]
        rules.gone_through += len(rule.text)
        unit, where = replace(unit, rule=rule.title), f"in the rule “{rule.title}”"
        part = _part_meant(rule, change, passage, where)
    except EditFailed as reason:
        unit = replace(unit, why=str(reason))
        if passage or isinstance(change, kinds.ReplaceRow):
            return unit
        rules.gone_through += len(rule.text)
        return replace(unit, candidates=candidates(rule.text, *_looked_for(change), where))
    except REASONS as reason:
        return replace(unit, why=str(reason))
    return replace(unit, passage=part.passage, times=part.times, sure=part.sure)


def _unit_throughout(rules: EditableRules, change: kinds.ReplaceThroughout, unit: Unit) -> Unit:
    """The rules that have the words of a change throughout them, as its author confirms them."""
    try:
        meant, count = rules_meant(rules, change)
    except REASONS as reason:
        return replace(unit, why=str(reason))
    if unit.passage and folded(unit.passage) != folded(meant):
        return replace(unit, why=f"It stands in {cut(meant, LONGEST_SAID)}.")
    return replace(unit, passage=meant, times=count, sure=True)


def _part(change: Change, unit: Unit) -> TextPart:
    """The part that a change counts or names, as the unit says."""
    return replace(part_of(change), passage=unit.passage, times=unit.times, sure=unit.sure)


def _part_meant(rule: RuleText, change: Change, passage: str, where: str) -> TextPart:
    """The part that a change counts or names, as that passage, or without one as the site takes it.
    Raises EditFailed."""
    if isinstance(change, kinds.ReplaceRow):
        table = change.table, change.cell
        return row_meant(rule.text, *table, change.part, passage, where, rule.title)
    words, part = _looked_for(change)
    if not passage:
        return taken_for(rule.text, words, part, where)
    part = confirm(rule.text, words, part, passage)
    places_of(rule.text, words, part, where)
    return part


def _looked_for(change: Change) -> tuple[str, TextPart]:
    """The words, and the part with them, that an edit of a text names."""
    assert isinstance(change, kinds.ReplacePassage | kinds.Insert | kinds.Append)
    words = change.old if isinstance(change, kinds.ReplacePassage) else change.anchor.strip()
    return words, change.part


def _by_sentence(units: Iterable[Unit]) -> _BySentence:
    by_sentence: _BySentence = defaultdict(deque)
    for unit in units:
        by_sentence[folded(unit.sentence)].append(unit)
    return by_sentence


def _next_unit(waiting: _BySentence, change: Change) -> Unit | None:
    """The next unit of the change's sentence, if it has one and there is one; it is gone then."""
    units = waiting.get(folded(change.sentence)) if part_of(change).counts else None
    return units.popleft() if units else None

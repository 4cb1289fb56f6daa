"""Rules as files give them, told or found wanting: each fault is a sentence that says where."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from nomic.rulebook.limits import (
    BadRule,
    check_text,
    checked_number,
    checked_power,
    checked_title,
)
from nomic.rulebook.outside.values import (
    Annotation,
    Brought,
    BroughtRule,
    EarlierText,
    PastChange,
    compact,
)

MOST_RULES = 2_000
MOST_FAULTS = 200  # more are counted and not told
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:T[0-9:.Z+-]+)?", re.ASCII)
_BEGINS = ("enactment", "initial", "reenactment")
_WORDS = ("id", "number", "name", "title", "power", "category", "parent", "text", "more")
_KNOWN = frozenset((*_WORDS, "history", "annotations", "versions"))
_LONGEST_WORDS = 20_000  # characters of an annotation or of what the history tells of a change


class Fault(ValueError):
    """Something cannot be understood; the text says where, and what would be right."""


def as_text(given: bytes, name: str) -> str:
    """The text, its lines ended as in UNIX; raises Fault where it is no UTF-8."""
    try:
        return given.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = given.count(b"\n", 0, error.start) + 1
        raise Fault(
            f"{name}, line {line}: the byte 0x{given[error.start]:02X} is not UTF-8. Save the file"
            " as UTF-8 first."
        ) from None


class Findings:
    """The rules, faults and notes found in a rulebook's files while they are read.

    `as_told`: a history that contradicts itself is no fault, since it was kept so.
    """

    def __init__(self, *, as_told: bool = False) -> None:
        self._as_told = as_told
        self.rules: list[BroughtRule] = []
        self.repealed: list[BroughtRule] = []
        self.faults: list[str] = []
        self.notes: list[str] = []

    def add(self, facts: object, where: str, *, repealed: bool = False, category: str = "") -> None:
        """The rule that these fields tell, or why they tell none."""
        try:
            rule = self._rule(facts, where, category, is_gone=repealed)
        except Fault as fault:
            self.faults.append(str(fault))
        else:
            (self.repealed if repealed else self.rules).append(rule)

    def told(self) -> Brought:
        """Everything that was found; of a rulebook with faults, the rules without any."""
        faults = list(self.faults)
        numbered: dict[str, BroughtRule] = {}
        for rule in filter(lambda rule: rule.number, self.rules):
            other = numbered.setdefault(rule.number.casefold(), rule)
            if other is not rule:
                both = f"“{other.title}” and “{rule.title}”"
                faults.append(f"Two rules have the number {rule.number}: {both}.")
        names = {name for rule in self.rules for name in (rule.number, rule.title) if name}
        before: set[str] = set()
        for rule in self.rules:
            if rule.parent and rule.parent not in before:
                why = "comes after it" if rule.parent in names else "is not there"
                faults.append(f"The {rule.name} stands under “{rule.parent}”, which {why}.")
            before |= {rule.number, rule.title}
        if not faults and not self.rules:
            faults = ["There is no rule in it."]
        if len(self.rules) > MOST_RULES:
            faults.append(f"There are {len(self.rules):,} rules; {MOST_RULES:,} are the most.")
        if len(faults) > MOST_FAULTS:
            more = f"And {len(faults) - MOST_FAULTS:,} faults more."
            faults = [*faults[:MOST_FAULTS], more]
        return Brought(tuple(self.rules), tuple(self.repealed), tuple(faults), tuple(self.notes))

    # Inside

    def _rule(self, facts: object, where: str, category: str, *, is_gone: bool) -> BroughtRule:
        """The rule; of one that `is_gone`, what its file lacks is noted. Raises Fault."""
        if not isinstance(facts, Mapping):
            raise Fault(f"{where}: a rule is a mapping of fields, and this is {_kind(facts)}.")
        number = _word(facts, where, "number", "id")
        title = " ".join(_word(facts, where, "title", "name").split())
        called = f"{where} (rule {number})" if number and number not in where else where
        if not title and is_gone and number:
            title = f"Rule {number}"
            self.notes.append(f"{called}: the repealed rule has no title.")
        if not title:
            raise Fault(f"{called}: the rule has no title (`title`, or `name`).")
        if facts.get("text") is None and is_gone:
            self.notes.append(f"{called}: the repealed rule has no text.")
        elif facts.get("text") is None:
            raise Fault(f"{called}: the rule has no `text`.")
        text = _word(facts, called, "text")
        power = _power(_word(facts, called, "power"))
        try:
            checked = checked_number(number), checked_title(title), checked_power(power)
            check_text(text)
        except BadRule as error:
            raise Fault(f"{called}: {error}") from None
        history = _listed(facts, called, "history", _change)
        try:
            _consistent(history, called, self.notes)
        except Fault as fault:
            if not (is_gone or self._as_told):
                raise
            self.notes.append(f"{fault} It is kept as told.")
        return BroughtRule(
            number=checked[0],
            title=checked[1],
            text=text,
            power=power,
            category=_word(facts, called, "category") or category,
            parent=_word(facts, called, "parent"),
            history=tuple(change for change, _ in history),
            annotations=tuple(_listed(facts, called, "annotations", _annotation)),
            versions=tuple(_listed(facts, called, "versions", _earlier)),
            more=_more(facts, called),
        )


def _word(facts: Mapping[Any, Any], where: str, *names: str) -> str:
    """The first of these fields that is there, as text; "" for none."""
    for name in names:
        value = facts.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, int | Decimal | float) and not isinstance(value, bool):
            return str(value)
        if value is not None:
            raise Fault(f"{where}: `{name}` is text or a number, and this is {_kind(value)}.")
    return ""


def _power(power: str) -> str:
    """3 for 3.0; what is no such number, as it is."""
    head, dot, tail = power.partition(".")
    return head + (dot + tail).rstrip("0").rstrip(".") if dot and tail.isdecimal() else power


def _listed(facts: Mapping[Any, Any], where: str, name: str, of: Any) -> list[Any]:
    found = facts.get(name)
    if found is None:
        return []
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise Fault(f"{where}: `{name}` is a list, and this is {_kind(found)}.")
    return [of(each, f"{where}, {name} {at}") for at, each in enumerate(found, 1)]


def _change(facts: object, where: str) -> tuple[PastChange, str]:
    """The change as it is told, and its type."""
    if not isinstance(facts, Mapping) or "change" not in facts:
        raise Fault(f"{where}: a change has `date` and `change`, and this is {_kind(facts)}.")
    change = facts["change"]
    if isinstance(change, str):  # our own schema
        kept = PastChange(
            _date(facts.get("date"), where),
            change,
            _word(facts, where, "agent"),
            _word(facts, where, "source"),
        )
        return kept, change.partition(" ")[0]
    if not isinstance(change, Mapping):
        raise Fault(f"{where}: `change` is a mapping or words, and this is {_kind(change)}.")
    kind = str(change.get("type") or "change")
    others = ", ".join(f"{key} {value}" for key, value in change.items() if key != "type")
    told = PastChange(
        _date(facts.get("date"), where),
        f"{kind} ({others})" if others else kind,
        _said(facts.get("agent", {"proposal": facts["proposal"]} if "proposal" in facts else None)),
        _source(facts, where),
    )
    return told, kind


def _date(value: object, where: str) -> str:
    if isinstance(value, Mapping):
        return _said(value)
    told = "" if value is None else str(value)
    if _DAY.fullmatch(told):
        try:
            date.fromisoformat(told[:10])
        except ValueError:
            raise Fault(f"{where}: {told[:40]} is no day.") from None
    return told


def _said(value: object) -> str:
    """Nested names and values as words: "ratification document SLR agent proposal 7638"."""
    if isinstance(value, Mapping):
        return " ".join(f"{key} {_said(each)}" for key, each in value.items())
    return "" if value is None else str(value)


def _annotation(facts: object, where: str) -> Annotation:
    if not isinstance(facts, Mapping) or not isinstance(facts.get("text"), str):
        raise Fault(f"{where}: an annotation has a `text`, and this is {_kind(facts)}.")
    if "cfjs" not in facts:
        given = _date(facts.get("date"), where), facts["text"], _word(facts, where, "source")
        return Annotation(*given)
    cases = facts["cfjs"]
    if not isinstance(cases, Sequence) or not all(isinstance(each, Mapping) for each in cases):
        raise Fault(f"{where}: `cfjs` is a list of cases with `id` and `called`.")
    numbers = ", ".join(f"CFJ {each.get('id')}" for each in cases)
    called = [_date(each.get("called"), where) for each in cases if each.get("called")]
    text = f"{numbers}: {facts['text'].strip()}" if numbers else facts["text"].strip()
    return Annotation(called[0] if called else "", text, _source(facts, where))


def _earlier(facts: object, where: str) -> EarlierText:
    if not isinstance(facts, Mapping) or not isinstance(facts.get("text"), str):
        raise Fault(f"{where}: an earlier text has `date`, `title` and `text`.")
    return EarlierText(
        _date(facts.get("date"), where), _word(facts, where, "title", "name"), facts["text"]
    )


def _consistent(history: list[tuple[PastChange, str]], where: str, notes: list[str]) -> None:
    """Note dates that run backwards, as in old histories they do; raises Fault where a rule begins
    that is there, or is changed or repealed before it begins."""
    there, last = False, ""
    for at, (change, kind) in enumerate(history, 1):
        place = f"{where}, history {at}"
        if kind in _BEGINS and there:
            raise Fault(f"{place}: {kind} of a rule that is in force then; its history says so.")
        if at > 1 and not there and kind not in _BEGINS:
            raise Fault(f"{place}: {kind} of a rule that is not in force then.")
        there = kind != "repeal"
        if _DAY.fullmatch(change.date):
            if change.date[:10] < last:
                notes.append(f"{place}: {change.date} comes after {last}. It is kept as told.")
            last = change.date[:10]


def _more(facts: Mapping[Any, Any], where: str) -> str:
    """Other fields of the file, in JSON; "" for none."""
    others = {str(name): value for name, value in facts.items() if name not in _KNOWN}
    return _source(others, where) if others else _word(facts, where, "more")


def _source(value: object, where: str) -> str:
    try:
        told = compact(value)
    except TypeError:
        raise Fault(f"{where}: this holds values that are neither text nor numbers.") from None
    if len(told) > _LONGEST_WORDS:
        raise Fault(f"{where}: this has {len(told):,} characters; {_LONGEST_WORDS:,} are the most.")
    return told


def _kind(value: object) -> str:
    names = {dict: "a mapping", list: "a list", str: "text", bool: "true or false"}
    return "nothing" if value is None else names.get(type(value), "a number")

"""Changes on paper: bodies, and perhaps the rules that they change, as lines of JSON.

For communities that keep their rules elsewhere. Needs no game and no database; no Django here.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from nomic.games.on_paper import WrongOnPaper, shortened
from nomic.rulebook.changes import kinds
from nomic.rulebook.changes.applying import (
    REASONS,
    beside_left,
    carry,
    is_of_rules,
    touched_by,
)
from nomic.rulebook.changes.confirming import Unit, confirmed, stray, units_of
from nomic.rulebook.changes.kinds import BodyRemark, ByHand, Change, Reading, RuleRef, part_of
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.left_to_officer import half
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.editing import EditableRules
from nomic.rulebook.in_force import RulesInForce, RuleText, name_key
from nomic.rulebook.limits import CLASSES, MUTABLE

type Json = Any
_NO_KEYS = -(10**9)  # behind which no rule of a game has its key
_LONGEST = 18  # digits of a number that is told as one
_FIELDS = ("id", "body", "rules", "remarks", "units")


class PaperRules(EditableRules):
    """Rules that stand in no game, changed by the same code as those of one."""

    def __init__(self, rules: list[Json], where: str) -> None:
        self._in_force = RulesInForce()
        self._last = 0
        titles = [name_key(str(rule.get("title"))) for rule in rules if isinstance(rule, dict)]
        self._share_titles = len({*titles}) < len(titles)
        self._has_classes = any(isinstance(rule, dict) and rule.get("class") for rule in rules)
        for at, rule in enumerate(rules):
            self._read(rule, f"{where}rules[{at}]: ")

    @property
    def shares_titles(self) -> bool:
        return self._share_titles

    @property
    def has_classes(self) -> bool:
        return self._has_classes or super().has_classes

    def _read(self, rule: Json, where: str) -> None:
        if not isinstance(rule, dict) or not isinstance(rule.get("text"), str):
            raise WrongOnPaper(f"{where}a rule is an object with number, title, power and text.")
        facts: dict[str, Any] = {
            name: "" if rule.get(name) is None else str(rule[name])
            for name in ("number", "power", "title")
        }
        if self._has_classes:
            facts["rule_class"] = rule.get("class") or MUTABLE
            if facts["rule_class"] not in CLASSES:
                raise WrongOnPaper(f"{where}a class is {' or '.join(CLASSES)}.")
        try:
            self.enact(facts.pop("title"), rule["text"], **facts)
        except REASONS as wrong:
            raise WrongOnPaper(f"{where}{wrong}") from None

    def _add(self, parent: RuleText | None, **facts: Any) -> RuleText:
        self._last += 1
        if parent is not None:
            facts |= {"parent": parent.title, "parent_pk": parent.pk}
        facts["by_people"] = self._share_titles
        rule = RuleText(self._last, version=1, played_as=1, **facts)
        self._in_force.put(rule)
        return rule

    def _rules(self) -> RulesInForce:
        return self._in_force

    def _store(self, rule: RuleText, *fields: str) -> None:
        self._in_force.put(rule)

    def to_dicts(self) -> list[Json]:
        """The rules as they are now, in the shape in which they came."""
        return [
            {
                "number": _number(rule.number),
                "title": rule.title,
                "power": _power(rule.power),
                **({"class": rule.rule_class} if self._has_classes else {}),
                "text": rule.text,
            }
            for rule in self._in_force
        ]


class ImaginedRules(PaperRules):
    """The rules of a game, to be changed on paper."""

    def __init__(self, rules: RulesInForce, *, share_titles: bool) -> None:
        self._in_force = rules.copy()
        self._last = _NO_KEYS
        self._share_titles = share_titles
        self._has_classes = False  # but for those that the rules' own say

    def _add(self, parent: RuleText | None, **facts: Any) -> RuleText:
        rule = replace(super()._add(parent, **facts), began_as="")
        self._in_force.put(rule)
        return rule


def changes(source: str, *, confirm: bool = False) -> str:
    """A line of JSON for each line {"id", "body", "rules"?, "remarks"?, "units"?} of the source,
    and {"id", "error"} for one that is none.

    A source whose first line is no object of JSON is one body. To `confirm` is to take what a
    sentence counts or names for what the site does, where `units` do not say.
    """
    first = next((line for line in source.splitlines() if line.strip()), "")
    try:
        is_object = first.lstrip().startswith('{"') and bool(json.loads(first))
    except (ValueError, RecursionError):
        is_object = False
    if not is_object:
        return json.dumps(_read({"id": None, "body": source}, "", confirm), ensure_ascii=False)
    answers = (
        _answer(line, f"line {number}: ", confirm)
        for number, line in enumerate(source.splitlines(), 1)
        if line.strip()
    )
    return "\n".join(json.dumps(answer, ensure_ascii=False) for answer in answers)


def _answer(line: str, where: str, confirm: bool) -> Json:
    """What the case in that line comes to, or why it is none."""
    case: Json = None
    try:
        case = json.loads(line)
        return _read(_checked(case, where), where, confirm)
    except (ValueError, RecursionError) as wrong:
        error = f"{where}this is not JSON: {wrong}."
    except WrongOnPaper as wrong:
        error = str(wrong)
    return {"id": case.get("id") if isinstance(case, dict) else None, "error": error}


def _checked(case: Json, where: str) -> dict[str, Json]:
    """The fields of a case; raises WrongOnPaper."""
    if not isinstance(case, dict) or not isinstance(case.get("body"), str):
        raise WrongOnPaper(f"{where}an object with id, body and perhaps rules belongs here.")
    rules, remarks = case.get("rules"), case.get("remarks")
    if rules is not None and not isinstance(rules, list):
        raise WrongOnPaper(f"{where}rules: a list belongs here, not {shortened(rules)}.")
    is_list = remarks is None or isinstance(remarks, list)
    if not is_list or not all(isinstance(remark, str) for remark in remarks or ()):
        raise WrongOnPaper(f"{where}remarks: a list of sentences belongs here.")
    units = case.get("units")
    if units is not None and not (isinstance(units, list) and all(map(_is_unit, units))):
        raise WrongOnPaper(
            f"{where}units: a list of objects with sentence and passage belongs here."
        )
    return {name: case.get(name) for name in _FIELDS}


def _is_unit(shape: Json) -> bool:
    is_object = isinstance(shape, dict) and shape.keys() == {"sentence", "passage"}
    return is_object and all(isinstance(words, str) for words in shape.values())


def _read(case: dict[str, Json], where: str, confirm: bool) -> Json:
    marked, confirmations = case.get("remarks") or [], list(map(Unit.of, case.get("units") or []))
    try:
        reading = read_changes(case["body"], marked)
    except Unreadable as unreadable:
        whole = ByHand(str(unreadable), sentence=case["body"])
        reading = Reading((whole,), unread=(BodyRemark(case["body"], 0, len(case["body"])),))
    if wrong := reading.stray(marked):
        raise WrongOnPaper(f"{where}remarks: {wrong}")
    if wrong := stray(reading, confirmations):
        raise WrongOnPaper(f"{where}units: {wrong}")
    units = units_of(PaperRules(case.get("rules") or [], where), reading, confirmations)
    reading = confirmed(reading, units if confirm else confirmations)
    printed = [_printed(change) for change in reading.changes]
    answer: dict[str, Json] = {
        "id": case["id"],
        "changes": printed,
        "remarks": [
            remark.sentence for remark in reading.remarks if remark.kind in ("comment", "marked")
        ],
        "unread": [remark.sentence for remark in reading.unread],
        "units": [unit.to_dict() for unit in units],
    }
    if case.get("rules") is None:
        return answer
    whys: dict[int, str] = {}  # of those that are left, by their places
    while True:
        rules = PaperRules(case["rules"], where)
        if not _carried(rules, reading.changes, whys):
            break
    waiting = iter(units)
    for place, (change, facts) in enumerate(zip(reading.changes, printed, strict=True)):
        doubt = next(waiting).why if part_of(change).counts else ""
        facts["done"] = is_of_rules(change) and place not in whys
        facts |= {"why": doubt or whys[place]} if place in whys else {}
    return answer | {"rules": rules.to_dicts()}


def _carried(rules: PaperRules, changes: Sequence[Change], whys: dict[int, str]) -> bool:
    """Make the changes but for those that are left, and add why others of them are to be; whether
    some were made of whose rule another is left."""
    touched: list[tuple[int, ...]] = []
    for place, change in enumerate(changes):
        touched.append(touched_by(rules, change))
        if not is_of_rules(change) or place in whys:
            continue
        try:
            touched[place] += carry(rules, change).touched
        except REASONS as reason:
            whys[place] = str(reason)
    halves = beside_left(touched, [place in whys for place in range(len(changes))])
    halves = {place: by for place, by in halves.items() if is_of_rules(changes[place])}
    whys |= {place: half(changes[by].sentence) for place, by in halves.items()}
    return bool(halves)


def _printed(change: Change) -> dict[str, Json]:
    """A change in the shape in which it is printed."""
    rule, verb = getattr(change, "rule", None), change.verb.replace(" ", "_")
    if not isinstance(rule, RuleRef) or type(change) in _PRINTED:
        kind, *names = _PRINTED.get(type(change), (verb, *change.facts))
        facts = {name: getattr(change, name) for name in names}
        printed = {
            name: _PRINTS[name](fact) if name in _PRINTS else fact for name, fact in facts.items()
        }
        if "parent" in printed:
            printed = {"rule": printed.pop("parent"), **printed}
        is_left = {"verb": "unparsed"} if isinstance(change, ByHand) else {}
        return {"change": kind, **is_left, **printed}
    edit: dict[str, Json]
    match change:
        case kinds.ReplaceText():
            edit = {"edit": "text", "text": change.text}
        case kinds.ReplacePassage():
            kind = "replace" if change.new.strip() else "delete"
            facts = {"old": change.old} | ({"new": change.new} if kind == "replace" else {})
            edit = _of_part(kind, change.part, facts)
        case kinds.Insert():
            facts = {"where": change.where, "anchor": change.anchor, "text": change.text}
            edit = _of_part("insert", change.part, facts)
        case kinds.Append() if change.anchor and change.part.which in ("", "whole"):
            edit = {"edit": "append_to_passage", "old": change.anchor, "text": change.text}
        case kinds.Append():
            old = {"old": change.anchor} if change.anchor else {}
            edit = _of_part("append", change.part, {**old, "text": change.text})
        case kinds.ReplaceRow():
            edit = _of_part(verb, change.part, {"table": change.table, "cell": change.cell})
            edit |= {"row": change.row}
        case _:
            facts = {name: fact for name, fact in change.facts.items() if name != "rule"}
            edit = {"edit": verb, **facts}
    return {"change": "amend", "rule": _rule(rule), **edit}


def _of_part(kind: str, part: Any, facts: dict[str, Json]) -> dict[str, Json]:
    if part.which in ("", "whole"):
        return {"edit": kind, **facts}
    return {"edit": f"{kind}_part", "unit": part.unit, "which": part.which, **facts}


def _rule(ref: RuleRef) -> Json:
    return {"number": _number(ref.number), "title": ref.title or None}


def _number(number: str) -> Json:
    if not number:
        return None
    is_whole = number.isdecimal() and number.isascii() and len(number) <= _LONGEST
    return int(number) if is_whole else number


def _power(power: str | Decimal | None) -> Json:
    if power in ("", None):
        return None
    number = float(str(power))
    return int(number) if number.is_integer() else number


_PRINTED: dict[type[Change], tuple[str, ...]] = {
    kinds.Enact: ("enact", "title", "number", "power", "text"),
    kinds.AddSubrule: ("subrule", "parent", "title", "number", "text"),
    kinds.ReplaceThroughout: ("replace_throughout", "old", "new"),
    kinds.Repeal: ("repeal", "rule"),
    kinds.Retitle: ("retitle", "rule", "title"),
    kinds.Renumber: ("renumber", "rule", "number"),
    kinds.SetPower: ("power", "rule", "power"),
    kinds.Transmute: ("transmute", "rule", "rule_class"),
    ByHand: ("by_hand", "sentence", "why"),
}
"""As what each is printed, and with which of its facts."""
_PRINTS: dict[str, Callable[[Any], Json]] = {
    "rule": _rule,
    "parent": _rule,
    "number": _number,
    "power": _power,
}

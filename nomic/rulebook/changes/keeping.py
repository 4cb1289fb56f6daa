"""Changes as JSON, as an entry of the record keeps them, and back."""

from collections.abc import Iterable
from dataclasses import MISSING, asdict, fields
from typing import Any

from nomic.rulebook.changes import forms
from nomic.rulebook.changes.forms import Change, Reading, Remark, RuleRef
from nomic.rulebook.charts import cut
from nomic.rulebook.edits.parts import TextPart

LONGEST_QUOTE = 300  # characters of a sentence that is no change

_PARTS = {"rule": RuleRef, "parent": RuleRef, "part": TextPart}
_FORMS: dict[str, type[Change]] = {
    form.verb: form
    for form in vars(forms).values()
    if isinstance(form, type) and issubclass(form, Change) and form is not Change
}


def kept(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """The changes as JSON can hold them; what says nothing is left out."""
    return [{"verb": each.verb, **_said(asdict(each))} for each in changes]


def kept_reading(reading: Reading) -> dict[str, Any]:
    """The reading as JSON can hold it; of one of the first reader the changes alone."""
    changes = {"changes": kept(reading.changes)}
    if reading.reader < 2:
        return changes
    beside = [each for each in (*reading.remarks, *reading.unread) if each.kind != "place"]
    said = [[each.start, each.kind, cut(each.sentence, LONGEST_QUOTE)] for each in beside]
    return {"reader": reading.reader, **changes, "beside": sorted(said)}


def reading_of(told: dict[str, Any]) -> Reading:
    """The reading that `kept_reading` told. Raises KeyError, TypeError where it told none."""
    beside = [
        Remark(sentence, start, start + len(sentence), kind)
        for start, kind, sentence in told.get("beside", ())
    ]
    return Reading(
        changes_of(told["changes"]),
        tuple(each for each in beside if each.kind != "prose"),
        tuple(each for each in beside if each.kind == "prose"),
        told.get("reader", 1),
    )


def _said(facts: dict[str, Any]) -> dict[str, Any]:
    told = {name: _said(each) if isinstance(each, dict) else each for name, each in facts.items()}
    return {name: each for name, each in told.items() if each not in ("", {}, ())}


def changes_of(told: Iterable[dict[str, Any]]) -> tuple[Change, ...]:
    """The changes that `kept` told. Raises KeyError, TypeError where it told none."""
    found = []
    for change in told:
        form = _FORMS[change["verb"]]
        facts: dict[str, Any] = {}
        for field in fields(form):
            part = _PARTS.get(field.name)
            if field.name in change:
                given = change[field.name]
                facts[field.name] = part(**given) if part else given
            elif field.default is MISSING:
                facts[field.name] = part() if part else ""
        found.append(form(**facts))
    return tuple(found)

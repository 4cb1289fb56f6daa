"""Changes as JSON, as an entry of the record keeps them, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from nomic.rulebook.changes import forms
from nomic.rulebook.changes.forms import Change, RuleRef
from nomic.rulebook.edits.parts import Part

_PARTS = {"rule": RuleRef, "parent": RuleRef, "part": Part}
_FORMS: dict[str, type[Change]] = {
    form.verb: form
    for form in vars(forms).values()
    if isinstance(form, type) and issubclass(form, Change) and "verb" in vars(form)
}


def kept(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """The changes as JSON can hold them; what says nothing is left out."""
    return [{"verb": each.verb, **_facts(each)} for each in changes]


def _facts(value: Any) -> dict[str, Any]:
    found = {field.name: getattr(value, field.name) for field in fields(value)}
    told = {
        name: _facts(each) if isinstance(each, RuleRef | Part) else each
        for name, each in found.items()
    }
    return {name: each for name, each in told.items() if each not in ("", {}, ())}


def changes_of(told: Iterable[dict[str, Any]]) -> tuple[Change, ...]:
    """The changes that `kept` told. Raises KeyError, TypeError where it told none."""
    return tuple(_change(each) for each in told)


def _change(told: dict[str, Any]) -> Change:
    form = _FORMS[told["verb"]]
    facts: dict[str, Any] = {}
    for field in fields(form):
        given = told.get(field.name)
        if field.name in _PARTS:
            facts[field.name] = _PARTS[field.name](**(given or {}))
        elif given is not None:
            facts[field.name] = given
        elif field.name not in ("start", "end", "amount"):
            facts[field.name] = ""
    return form(**({"amount": None} if "amount" in _names(form) else {}) | facts)


def _names(form: type[Change]) -> set[str]:
    return {field.name for field in fields(form)}

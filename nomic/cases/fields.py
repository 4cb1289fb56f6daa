"""Inputs of the actions on cases: what is chosen as evidence, and the sentences that are read."""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.safestring import SafeString

from nomic.cases.models import LONGEST_PASSAGE, LONGEST_STATEMENT
from nomic.cases.state import is_on, state_of
from nomic.engine.forms import LAST_NUMBER, Parts, Shaped, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.passages import words_of

MOST_CHOSEN = 20
_LONGEST_NAME = 120
PASSAGE, RULE = "passage", "rule"
_SHAPE = (
    'Each of these is an object as {"entry": "12"}, {"documents": "3"} or'
    ' {"rule": "Title", "passage": "A sentence of it."}.'
)

type Choice = dict[str, str]
"""What is chosen: a kind with a name, as `{"entry": "12"}`, and of a rule perhaps a passage."""


class ChosenWidget(Parts):
    """A box for each thing that is chosen. Elsewhere than on the page that looks for them it is not
    drawn."""

    def whole(self, parts: Mapping[str, Any]) -> Any:
        return [*parts.values()]

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return SafeString("")


class ChosenField(Shaped, forms.Field):
    """Things of this game that were chosen, in their order."""

    json_type = list
    json_name = "a list"
    widget = ChosenWidget
    only_passages = False

    def to_python(self, content: Any) -> list[Choice]:
        chosen = choices_in(content or [])
        if self.only_passages and any({*choice} != {RULE, PASSAGE} for choice in chosen):
            raise forms.ValidationError(
                'Each of these is an object as {"rule": "Title", "passage": "A sentence of it."}.'
            )
        return chosen

    def schema(self) -> dict[str, Any]:
        text = {"type": "string"}
        names = (RULE, PASSAGE) if self.only_passages else ("entry", RULE, PASSAGE)
        shape: dict[str, Any] = {"type": "object", "properties": dict.fromkeys(names, text)}
        if self.only_passages:
            shape |= {"required": [*names], "additionalProperties": False}
        return {"type": "array", "maxItems": MOST_CHOSEN, "items": shape}


class PassagesField(ChosenField):
    """Sentences of rules."""

    only_passages = True


def choices_in(content: Any) -> list[Choice]:
    """The choices that are written there, each once; raises ValidationError."""
    if isinstance(content, str):
        content = _parsed(content)
    if not isinstance(content, list):
        raise forms.ValidationError(_SHAPE)
    if len(content) > MOST_CHOSEN:
        raise forms.ValidationError(f"At most {MOST_CHOSEN} of these can be named.")
    chosen: list[Choice] = []
    for written in content:
        choice = _parsed(written) if isinstance(written, str) else written
        if isinstance(choice, dict) and isinstance(choice.get(PASSAGE), str):
            # Rules that lived elsewhere are wrapped: a sentence of theirs may have several lines.
            choice = {**choice, PASSAGE: " ".join(choice[PASSAGE].split())}
        if not isinstance(choice, dict) or not _is_choice(choice):
            raise forms.ValidationError(_SHAPE)
        if choice not in chosen:
            chosen.append(choice)
    return chosen


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise forms.ValidationError(_SHAPE) from None


def _is_choice(choice: dict[Any, Any]) -> bool:
    kinds = choice.keys() - {PASSAGE}
    if len(kinds) != 1 or (PASSAGE in choice and kinds != {RULE}):
        return False
    lengths = {PASSAGE: LONGEST_PASSAGE}
    return all(
        isinstance(kind, str)
        and isinstance(name, str)
        and 0 < len(name.strip()) <= lengths.get(kind, _LONGEST_NAME)
        and name.isprintable()
        for kind, name in choice.items()
    )


def label_of(choice: Choice) -> str:
    """The choice as a page names it: “entry 12”, “rule Title: “A sentence of it.””."""
    ((kind, name),) = ((kind, name) for kind, name in choice.items() if kind != PASSAGE)
    quoted = f": “{words_of(choice[PASSAGE])}”" if PASSAGE in choice else ""
    return f"{kind} {name}{quoted}"


class CaseNumber(WholeNumber):
    """A case by its number."""

    def __init__(self) -> None:
        super().__init__(1, LAST_NUMBER, label="Case")


class VerdictField(TextChoice):
    """A verdict that the rule's table has."""

    noun = "verdict"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [*state_of(table).charts.verdicts] if is_on(table) else []


class MotionNameField(TextChoice):
    """A motion that the rule's table has."""

    noun = "motion"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [*state_of(table).charts.motions] if is_on(table) else []


def statement_field() -> Text:
    """A statement, on one line."""
    return Text(longest=LONGEST_STATEMENT, label="Statement")

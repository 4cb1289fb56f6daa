"""Reading an announcement as players write it: “I bet 3 dollaries on Fargo”.

Every action brings its own grammar: the sentence that its form shows. Its words must be said,
up to their endings and case; its blanks take what the form's fields would take.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import Formatter
from typing import Any

from nomic.play.actions import Action
from nomic.play.forms import ActionForm

_WORD = re.compile(r"[\w'’-]+")
_PLEASANTRIES = frozenset({"i", "please", "hereby", "the", "a", "an", "of"})


@dataclass(frozen=True, slots=True)
class Heard:
    """An action that an announcement may mean, and what it says for its blanks."""

    action: Action
    said: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    choices: tuple[tuple[str, tuple[str, ...]], ...]


def hear(announcement: str, forms: Iterator[tuple[Action, ActionForm]]) -> Heard | None:
    """The action whose sentence the announcement is, the fullest where several fit."""
    words = _words(announcement)
    heard = [
        Heard(act, said)
        for act, form in forms
        for sentence in (act.sentence or act.title, *act.also_said)
        for said in _match(_pattern(sentence, form), words)
        if words
    ]
    return max(heard, key=lambda found: len(found.said), default=None)


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.casefold() not in _PLEASANTRIES]


def _pattern(sentence: str, form: ActionForm) -> list[str | _Slot]:
    pieces: list[str | _Slot] = []
    for literal, name, _, _ in Formatter().parse(sentence):
        pieces += _words(literal)
        if name:
            pieces.append(_Slot(name, _choices(form.fields[name])))
    return pieces


def _choices(field: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a field lets one choose, each with its words; nothing where it takes any text."""
    listed = getattr(field, "choices", ())
    return tuple((str(value), tuple(_words(str(value)))) for value, _ in listed if value != "")


def _match(pattern: list[str | _Slot], words: list[str]) -> Iterator[dict[str, str]]:
    """Every way in which the words are the pattern: what each blank then holds."""
    if not pattern:
        if not words:
            yield {}
        return
    first, rest = pattern[0], pattern[1:]
    if isinstance(first, str):
        if words and _stem(words[0]) == _stem(first):
            yield from _match(rest, words[1:])
        return
    for value, length in _fillings(first, words):
        for more in _match(rest, words[length:]):
            yield {first.name: value, **more}


def _fillings(slot: _Slot, words: list[str]) -> Iterator[tuple[str, int]]:
    """What the blank may hold, and how many words that takes."""
    if not slot.choices:
        for length in range(1, len(words) + 1):
            yield " ".join(words[:length]), length
    for value, spelt in slot.choices:
        said = words[: len(spelt)]
        if spelt and [word.casefold() for word in said] == [word.casefold() for word in spelt]:
            yield value, len(spelt)


def _stem(word: str) -> str:
    """The word without the ending of its number: dollary and dollaries are one."""
    folded = word.casefold()
    for ending, instead in (("ies", "y"), ("ves", "f"), ("s", "")):
        if folded.endswith(ending) and len(folded) > len(ending) + 1:
            return folded.removesuffix(ending) + instead
    return folded

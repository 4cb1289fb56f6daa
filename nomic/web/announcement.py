"""Reading an announcement as players write it: “I bet 3 dollaries on Fargo”.

Every action brings its own grammar: the sentence that its form shows, its title, and what is said
for it besides. Its words must be said, up to their endings and case; its blanks take what the
form's fields would take. Besides `{field}`, what is also said may have `{field:value}`, which
takes no words and fills the field with that value, and `{}`, a number that the form does not ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from string import Formatter

from django.core.exceptions import ValidationError
from django.forms import BoundField, Field

from nomic.engine.actions import Action
from nomic.engine.forms import ActionForm

_WORD = re.compile(r"[\w'’-]+")
_PLEASANTRIES = frozenset({"i", "please", "hereby", "the", "a", "an", "of"})

Words = list[re.Match[str]]
Options = dict[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Heard:
    """An action that an announcement may mean, and what it says for its blanks.

    `wrong` has a sentence for each blank that cannot be filled so; `fixed` is how many words
    stand fixed in the sentence that it is.
    """

    action: Action
    said: dict[str, str]
    wrong: tuple[str, ...] = ()
    fixed: int = 0


@dataclass(frozen=True, slots=True)
class _Blank:
    """A blank of a sentence; one without a name is a number that no field takes."""

    name: str


def hear(announcement: str, forms: Iterable[tuple[Action, ActionForm]]) -> Heard | None:
    """The action whose sentence the announcement is: the one with most fixed words where several
    fit, then the one whose blanks are filled best. None where no action's words are said."""
    words = _words(announcement)
    heard = (each for act, form in forms for each in _meanings(act, form, words))
    return max(
        heard, key=lambda found: (found.fixed, -len(found.wrong), len(found.said)), default=None
    )


def _words(text: str) -> Words:
    return [word for word in _WORD.finditer(text) if word[0].casefold() not in _PLEASANTRIES]


def _meanings(act: Action, form: ActionForm, words: Words) -> Iterator[Heard]:
    """Every way in which the words announce this action."""

    @cache
    def options(name: str) -> Options:
        return _options(form.fields[name])

    @cache
    def filled(name: str, start: int, end: int) -> tuple[str, str]:
        return _filled(form[name], options(name), words[start:end])

    for sentence in dict.fromkeys((act.sentence, act.title, *act.also_said)):
        pattern, said = _pattern(sentence)
        fixed = sum(isinstance(piece, str) for piece in pattern)
        for spans in _match(pattern, words) if pattern else ():
            found = {name: filled(name, *span) for name, span in spans.items()}
            wrong = tuple(error for _, error in found.values() if error)
            values = {name: value for name, (value, error) in found.items() if not error}
            yield Heard(act, {**said, **values}, wrong, fixed)


def _pattern(sentence: str) -> tuple[list[str | _Blank], dict[str, str]]:
    """The words and blanks of a sentence in their order, and what stands fixed besides."""
    pieces: list[str | _Blank] = []
    said = {}
    for literal, name, value, _ in Formatter().parse(sentence):
        pieces += [word[0] for word in _words(literal)]
        if name and value:
            said[name] = value
        elif name is not None:
            pieces.append(_Blank(name))
    return pieces, said


def _match(
    pattern: list[str | _Blank], words: Words, at: int = 0
) -> Iterator[dict[str, tuple[int, int]]]:
    """Every way in which the words from `at` on are the pattern: which of them each blank takes."""
    if not pattern:
        if at == len(words):
            yield {}
        return
    first, rest = pattern[0], pattern[1:]
    if isinstance(first, _Blank) and first.name:
        for end in range(at + 1, len(words) + 1):
            for more in _match(rest, words, end):
                yield {first.name: (at, end), **more}
    elif at < len(words) and _is_said(first, words[at][0]):
        yield from _match(rest, words, at + 1)


def _is_said(piece: str | _Blank, word: str) -> bool:
    return word.isdecimal() if isinstance(piece, _Blank) else _stem(word) == _stem(piece)


def _options(field: Field) -> Options:
    """What the field lists to choose from, by its words; nothing where it takes any text."""
    listed = [str(value) for value, _ in getattr(field, "choices", ())]
    return {_folded(_words(value)): value for value in listed if value}


def _filled(blank: BoundField, options: Options, words: Words) -> tuple[str, str]:
    """What the field takes for these words, or else a sentence that says why it takes nothing."""
    listed = options.get(_folded(words))
    if listed is not None:
        return listed, ""
    text = words[0].string[words[0].start() : words[-1].end()]
    try:
        blank.field.clean(text)
    except ValidationError as error:
        return "", f"{blank.label}: {' '.join(error.messages)}"
    return text, ""


def _folded(words: Words) -> tuple[str, ...]:
    return tuple(word[0].casefold() for word in words)


def _stem(word: str) -> str:
    """The word without the ending of its number: dollary and dollaries are one."""
    folded = word.casefold()
    for ending, instead in (("ies", "y"), ("ves", "f"), ("s", "")):
        if folded.endswith(ending) and len(folded) > len(ending) + 1:
            return folded.removesuffix(ending) + instead
    return folded

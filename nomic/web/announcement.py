"""Reading an announcement as players write it: “I bet 3 dollaries on Fargo via Alexia's power”.

Every action brings its own grammar: the sentence that its form shows, its title, and phrases that
are also said for it (nomic/rulebook/phrases.py). Its words must be said, up to their endings and
case; its blanks take what the form's fields would take.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from django.core.exceptions import ValidationError
from django.forms import BoundField, Field

from nomic.engine.actions import Action
from nomic.engine.forms import ActionForm, CountsField
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.phrases import (
    NUMBERS,
    Phrase,
    PhraseBlank,
    Words,
    formatted,
    in_words,
    read,
    spans_in,
    spelled_out,
    stem,
    words_of,
)

MOST_SAID = 5  # acts of one announcement
_NEAR = 3
_PREFACE = re.compile(
    r"\s*(?:i\b\s*)?(?:hereby\s+)?(?:(?:would|['’]d)\s+like\s+to|want\s+to|wish\s+to|choose\s+to"
    r"|am\s+going\s+to|['’]ll|will|do)\s+",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[.!]\s+|[;\n]+|,?\s+and\s+then\s+|,?\s+and\s+(?=I\b)|,\s+then\s+")
_AS_FOLLOWS = re.compile(r"^(?P<head>.{1,60}?)\s+as follows:\s*", re.IGNORECASE | re.DOTALL)
_EVERYWHERE = frozenset({"to", "for", "on", "with", "from", "it", "it's", "be", "not", "and", "'s"})

Options = dict[tuple[str, ...], str]
Forms = Sequence[tuple[Action, ActionForm]]


@dataclass(frozen=True, slots=True)
class Heard:
    """An action that an announcement may mean, and what it says for its blanks.

    `wrong` has a sentence for each blank that cannot be filled so; `fixed` is how many words
    stand fixed in the sentence that it is.
    """

    action: Action
    inputs: dict[str, str]
    wrong: tuple[str, ...] = ()
    fixed: int = 0


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An action with some of the words that were said, and how one says it."""

    action: Action
    example: str


def understood_acts(announcement: str, forms: Forms) -> list[Heard]:
    """The acts that an announcement does one after the other; none unless all of them are
    understood, or the one that it may mean with what is wrong with it."""
    whole = hear(announcement, forms)
    if whole is not None and not whole.wrong:
        return [whole]
    if listed := _AS_FOLLOWS.match(announcement):  # what stands before it goes for each act
        head, rest = listed["head"], re.split(r"[,;\n]+", announcement[listed.end() :])
        pieces = [f"{head} {piece}" for piece in rest if words_of(piece)]
    else:
        pieces = [piece for piece in _BETWEEN.split(announcement) if words_of(piece)]
    if pieces != [announcement] and len(pieces) <= MOST_SAID:
        heard = [
            meaning for piece in pieces if (meaning := hear(piece, forms)) and not meaning.wrong
        ]
        if heard and len(heard) == len(pieces):
            return heard
    return [whole] if whole else []


def hear(announcement: str, forms: Forms) -> Heard | None:
    """The action whose sentence the announcement is: of those whose blanks are filled best the one
    with most fixed words. None where no action's words are said, and where what is wrong with it
    would be told by several subgames."""
    words = words_of(_PREFACE.sub("", announcement, count=1))
    heard = [meaning for act, form in forms for meaning in _meanings(act, form, words)]
    best = max(
        heard,
        key=lambda meaning: (-len(meaning.wrong), meaning.fixed, len(meaning.inputs)),
        default=None,
    )
    if best is None or not best.wrong:
        return best
    rivals = {_app(meaning) for meaning in heard if len(meaning.wrong) == len(best.wrong)}
    return best if rivals == {_app(best)} else None


def suggestions(announcement: str, forms: Forms) -> list[Suggestion]:
    """The few actions that share most words with an announcement that is none."""
    stems = {stem(word[0]) for word in words_of(announcement)} - _EVERYWHERE
    scored = []
    for act, form in forms:
        act_stems = {
            stem(piece)
            for pattern, _ in _patterns(act.sentence, act.title, act.also_said)
            for piece in pattern
            if isinstance(piece, str)
        }
        scored.append((len(stems & act_stems), act, form))
    best = sorted((score for score in scored if score[0]), key=lambda score: -score[0])[:_NEAR]
    return [Suggestion(act, example(act, form)) for _, act, form in best]


def example(act: Action, form: ActionForm) -> str:
    """The action's sentence with something in each of its blanks that its field takes, or three
    dots."""
    pieces = []
    for piece in formatted(act.sentence or act.title):
        if isinstance(piece, str):
            pieces.append(piece)
            continue
        field = form.fields[piece.name]
        if isinstance(field, CountsField):
            pieces.append(next((f"2 {name}" for name in field.widget.things()), "…"))
            continue
        listed = list(_options(field).values())
        pieces.append(listed[min(1, len(listed) - 1)] if listed else "…")
    return "".join(pieces)


def _app(heard: Heard) -> str:
    return heard.action.name.partition(".")[0]


def _meanings(act: Action, form: ActionForm, words: Words) -> Iterator[Heard]:
    """Every way in which the words announce this action.

    Of a sentence that begins with a blank only those that fill every blank: any words might.
    """

    # The same words are tried in the same blank in many ways to read the sentence.
    @cache
    def options(name: str) -> Options:
        return _options(form.fields[name])

    @cache
    def filled(name: str, start: int, end: int) -> tuple[str, str]:
        return _filled(form[name], options(name), words[start:end])

    for upto, added in _before_what_follows(act, words):
        for pattern, inputs in _patterns(act.sentence, act.title, act.also_said):
            fixed = sum(isinstance(piece, str) for piece in pattern) + len(words) - upto
            for spans in spans_in(pattern, words[:upto]) if pattern else ():
                blanks = {name: filled(name, *span) for name, span in spans.items()}
                wrong = tuple(error for _, error in blanks.values() if error)
                if wrong and isinstance(pattern[0], PhraseBlank):
                    continue
                values = {name: word for name, (word, error) in blanks.items() if not error}
                yield Heard(act, {**inputs, **added, **values}, wrong, fixed)


def _before_what_follows(act: Action, words: Words) -> Iterator[tuple[int, dict[str, str]]]:
    """How many words are the sentence itself, and what those fill that may follow it."""
    yield len(words), {}
    for pattern, inputs in _patterns("", "", act.Form.may_follow):
        for upto in range(1, len(words)):
            if pattern and next(spans_in(pattern, words, upto), None) is not None:
                yield upto, inputs


@memoized(share=0.02)
def _patterns(
    sentence: str, title: str, also_said: tuple[str, ...]
) -> tuple[tuple[Phrase, dict[str, str]], ...]:
    """The patterns that announce an action, word by word, with what each fills besides: of a
    sentence as it is formatted, a title, and phrases in each way in which they can be said."""
    phrases: list[Phrase] = [tuple(formatted(sentence)), (title,)]
    for phrase in also_said:
        phrases += spelled_out(read(phrase))
    return tuple(map(in_words, dict.fromkeys(phrases)))


def _options(field: Field) -> Options:
    """The values that the field lists to choose from, by their words; none where it takes any."""
    listed = [str(choice) for choice, _ in getattr(field, "choices", ())]
    return {_folded(words_of(choice)): choice for choice in listed if choice}


def _filled(blank: BoundField, options: Options, words: Words) -> tuple[str, str]:
    """The field's value for these words, or "" and a sentence that says why it takes nothing."""
    folded = _folded(words)
    listed = options.get(folded) or options.get(tuple(NUMBERS.get(word, word) for word in folded))
    if listed is not None:
        return listed, ""
    text = words[0].string[words[0].start() : words[-1].end()]
    try:
        blank.field.clean(text)
    except ValidationError as error:
        in_digits = NUMBERS.get(text.casefold())
        if in_digits is not None:
            return in_digits, ""
        return "", f"{blank.label}: {' '.join(error.messages)}"
    return text, ""


def _folded(words: Words) -> tuple[str, ...]:
    return tuple(word[0].casefold() for word in words)

"""Phrases: the language in which is declared how something may be said.

What players announce and the sentences of rules that a program reads are written in it:

============  ==================================================================================
``{n}``       a blank, kept as ``n``: a whole number of a rule's text, or what a form's field takes
``{n*}``      several, as “1, 2, or 3”
``{n/w}``     a word of a rule's text, ``{n/w*}`` several
``{n:this}``  nothing that is said; ``n`` is “this” then
``{}``        a number that is kept nowhere
``[words]``   words that may be left out
``(a|b)``     one of these; other parentheses stand for themselves
``…``         any words, or none where it has no spaces on both sides
============  ==================================================================================

A phrase is found in a passage of a rule by a regular expression (`expression`), and in an
announcement word by word (`spans_in`), up to the words' endings and case.

Nothing here knows Django.
"""

import re
import string
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, product

_SPELLED = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: str(number) for number, word in enumerate(_SPELLED.split(), 1)}
"""The figures of numbers that may be words."""

_TOKEN = re.compile(
    r"\{(?P<name>\w*)(?P<word>/w)?(?P<several>\*)?(?::(?P<value>[^{}]*))?\}"
    r"|(?P<choice>\((?=[^()]*\|[^()]*\)))|\] ?|[\[|)…]|[^\[\]|)…({]+|."
)
_WORD = re.compile(r"[\w-]+(?:['’](?!s\b)[\w-]+)*|['’]s\b")
_PLEASANTRIES = frozenset(
    {"i", "please", "hereby", "the", "a", "an", "of", "now", "also", "then", "too", "my"}
)

type Piece = str | PhraseBlank | Alternatives | AnyWords
type Phrase = tuple[Piece, ...]
type Words = list[re.Match[str]]


@dataclass(frozen=True, slots=True)
class PhraseBlank:
    """A blank; one without a name is a number that is kept nowhere, one with a `value` takes no
    words."""

    name: str = ""
    is_word: bool = False
    several: bool = False
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One of these ways is said; the second of what may be left out is empty."""

    ways: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class AnyWords:
    """Any words, or none."""


@cache
def read(text: str) -> Phrase:
    """The phrase that is written so; raises IndexError where a bracket is not closed."""
    return _until("", deque(_TOKEN.finditer(text)))


def formatted(sentence: str) -> list[str | PhraseBlank]:
    """The words and blanks of a sentence that is formatted, such as an action's: blanks are all
    that it has of the language. Raises ValueError where braces do not fit each other."""
    pieces: list[str | PhraseBlank] = []
    for words, name, fixed, _ in string.Formatter().parse(sentence):
        pieces += [words] if words else []
        pieces += [PhraseBlank(name, value=fixed)] if name is not None else []
    return pieces


def _until(ends: str, tokens: deque[re.Match[str]]) -> Phrase:
    """The pieces before one of these signs, which is left. With words that may be left out goes a
    space beside them."""
    pieces: list[Piece] = []
    while tokens and not tokens[0][0].startswith(tuple(ends)):
        token = tokens.popleft()
        if token["name"] is not None:
            is_word, several = bool(token["word"]), bool(token["several"])
            pieces.append(PhraseBlank(token["name"], is_word, several, token["value"]))
        elif token["choice"]:
            ways = [_until("|)", tokens)]
            while tokens.popleft()[0] == "|":
                ways.append(_until("|)", tokens))
            pieces.append(Alternatives(tuple(ways)))
        elif token[0] == "[":
            way = _until("]", tokens)
            if tokens.popleft()[0] == "] ":
                way = (*way, " ")
            elif pieces and isinstance(pieces[-1], str) and pieces[-1].endswith(" "):
                pieces[-1], way = pieces[-1][:-1], (" ", *way)
            pieces.append(Alternatives((way, ())))
        else:
            pieces.append(AnyWords() if token[0] == "…" else token[0])
    return tuple(pieces)


def spelled_out(phrase: Phrase) -> list[Phrase]:
    """Each way in which the phrase can be said, with no choices left."""
    parts = (
        chain.from_iterable(map(spelled_out, piece.ways))
        if isinstance(piece, Alternatives)
        else [(piece,)]
        for piece in phrase
    )
    return [tuple(chain.from_iterable(way)) for way in product(*parts)]


def expression(phrase: Phrase, blank: Callable[[PhraseBlank], str]) -> str:
    """The phrase as a regular expression; `blank` has that of each blank."""

    def part(piece: Piece) -> str:
        match piece:
            case str():
                return re.escape(piece)
            case PhraseBlank():
                return blank(piece)
            case AnyWords():
                return ".*?"
            case Alternatives():
                return f"(?:{'|'.join(expression(way, blank) for way in piece.ways)})"

    return "".join(map(part, phrase))


# Said word by word, as in an announcement


def words_of(text: str) -> Words:
    """The words that count of what is said."""
    return [word for word in _WORD.finditer(text) if word[0].casefold() not in _PLEASANTRIES]


def stem(word: str) -> str:
    """The word without the ending of its number: dollary and dollaries are one."""
    folded = word.casefold().replace("’", "'")
    for ending, instead in (("ies", "y"), ("ves", "f"), ("s", "")):
        if folded.endswith(ending) and len(folded) > len(ending) + 1:
            return folded.removesuffix(ending) + instead
    return folded


def in_words(phrase: Phrase) -> tuple[Phrase, dict[str, str]]:
    """The words and blanks of a phrase without choices, and what stands fixed besides."""
    pieces: list[Piece] = []
    fixed = {}
    for piece in phrase:
        if isinstance(piece, str):
            pieces += [word[0] for word in words_of(piece)]
        elif isinstance(piece, PhraseBlank) and piece.value:
            fixed[piece.name] = piece.value
        else:
            pieces.append(piece)
    return tuple(pieces), fixed


def spans_in(pattern: Phrase, words: Words, at: int = 0) -> Iterator[dict[str, tuple[int, int]]]:
    """Every way in which the words from `at` on are the pattern: which of them each blank takes."""
    if not pattern:
        if at == len(words):
            yield {}
        return
    first, rest = pattern[0], pattern[1:]
    if isinstance(first, AnyWords):
        for end in range(at, len(words) + 1):
            yield from spans_in(rest, words, end)
    elif isinstance(first, PhraseBlank) and first.name:
        for end in range(at + 1, len(words) + 1):
            for spans in spans_in(rest, words, end):
                yield {first.name: (at, end), **spans}
    elif at < len(words):
        word = words[at][0]
        if isinstance(first, str):
            is_said = stem(word) == stem(first)
        else:
            is_said = word.isdecimal() or word.casefold() in NUMBERS
        if is_said:
            yield from spans_in(rest, words, at + 1)

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

Nothing here knows Django.
"""

import re
from collections import deque
from collections.abc import Callable
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


type Piece = str | Blank | Choice | Gap
type Phrase = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Blank:
    """A blank; one without a name is a number that is kept nowhere, one with a `value` takes no
    words."""

    name: str = ""
    is_word: bool = False
    several: bool = False
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these ways is said; the second of what may be left out is empty."""

    ways: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Any words."""


@cache
def read(text: str) -> Phrase:
    """The phrase that is written so; raises IndexError where a bracket is not closed."""
    return _until("", deque(_TOKEN.finditer(text)))


def _until(ends: str, tokens: deque[re.Match[str]]) -> Phrase:
    """The pieces before one of these signs, which is left. With words that may be left out goes a
    space beside them."""
    pieces: list[Piece] = []
    while tokens and not tokens[0][0].startswith(tuple(ends)):
        token = tokens.popleft()
        if token["name"] is not None:
            is_word, several = bool(token["word"]), bool(token["several"])
            pieces.append(Blank(token["name"], is_word, several, token["value"]))
        elif token["choice"]:
            ways = [_until("|)", tokens)]
            while tokens.popleft()[0] == "|":
                ways.append(_until("|)", tokens))
            pieces.append(Choice(tuple(ways)))
        elif token[0] == "[":
            way = _until("]", tokens)
            if tokens.popleft()[0] == "] ":
                way = (*way, " ")
            elif pieces and isinstance(pieces[-1], str) and pieces[-1].endswith(" "):
                pieces[-1], way = pieces[-1][:-1], (" ", *way)
            pieces.append(Choice((way, ())))
        else:
            pieces.append(Gap() if token[0] == "…" else token[0])
    return tuple(pieces)


def spelled_out(phrase: Phrase) -> list[Phrase]:
    """Each way in which the phrase can be said, with no choices left."""
    parts = (
        chain.from_iterable(map(spelled_out, piece.ways))
        if isinstance(piece, Choice)
        else [(piece,)]
        for piece in phrase
    )
    return [tuple(chain.from_iterable(way)) for way in product(*parts)]


def expression(phrase: Phrase, blank: Callable[[Blank], str]) -> str:
    """The phrase as a regular expression; `blank` has that of each blank."""

    def part(piece: Piece) -> str:
        match piece:
            case str():
                return re.escape(piece)
            case Blank():
                return blank(piece)
            case Gap():
                return ".*?"
            case Choice():
                return f"(?:{'|'.join(expression(way, blank) for way in piece.ways)})"

    return "".join(map(part, phrase))

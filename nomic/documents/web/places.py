"""The addresses of the sentences of a document, by which one of them can be linked."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html

from nomic.rulebook.passages import PassageKind, fingerprint, passages_of, pieces_in, words_of

_MOST = 400  # passages; a text of more has no such addresses
_WORD = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Place:
    """A passage that has an address: what it says, its mark in an address, and the character of the
    text at which its first word begins."""

    said: str
    mark: str
    start: int


def places_in(text: str) -> list[Place]:
    """The places of the text's passages that have words, but for rows of tables and programs. A
    mark follows from the words, so it stays while they do; the second of the same has its own."""
    if pieces_in(text) > _MOST:
        return []
    places, times = list[Place](), Counter[str]()
    for passage in passages_of(text):
        first_word = _WORD.search(passage.text)
        if passage.kind in (PassageKind.ROW, PassageKind.PROGRAM) or first_word is None:
            continue
        mark = fingerprint(passage.text)
        times[mark] += 1
        mark = f"says-{mark}" + (f"-{times[mark]}" if times[mark] > 1 else "")
        places.append(Place(words_of(passage.text), mark, passage.start + first_word.start()))
    return places


def notes_at(places: Sequence[Place]) -> list[tuple[int, str]]:
    """These places as notes in the text that is drawn."""
    return [(place.start, format_html('<span id="{}"></span>', place.mark)) for place in places]

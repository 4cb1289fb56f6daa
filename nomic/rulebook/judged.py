"""Passages of a rule that are played otherwise than they read, as a judgement has it. Pure."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.passages import Passage, PassageKind, fingerprint, passages_of

MOST_JUDGED = 20  # passages of a rule


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    """What a passage is played as, since the entry `entry`: a row's as another row, any other's as
    a program of its rule. `in_place_of_all` tells whether the rule's own program rests."""

    words: str
    entry: int
    in_place_of_all: bool = False


def played_text(text: str, judged: Mapping[str, JudgedPassage]) -> str:
    """The rule's text as the machinery plays it, where the passages with these keys are `judged`.

    A passage that the text does not have is left out. Programs stand behind the rule's own.
    """
    return _played_text(text, tuple(judged.items())) if judged else text


@memoized(share=0.005)
def _played_text(text: str, judged: tuple[tuple[str, JudgedPassage], ...]) -> str:
    by_key, present_keys = dict(judged), set[str]()
    pieces, end = list[str](), 0
    programs_rest = False
    passages = passages_of(text)
    for passage in passages:
        key = fingerprint(passage.text)
        if key in by_key:
            present_keys.add(key)
            programs_rest |= by_key[key].in_place_of_all
    for passage in passages:
        key = fingerprint(passage.text)
        if passage.kind is PassageKind.ROW and key in present_keys:
            new = by_key[key].words
        elif passage.kind is PassageKind.PROGRAM and programs_rest:
            new = ""
        else:
            continue
        pieces += [text[end : passage.start], new]
        end = passage.end
    pieces.append(text[end:])
    rows = {fingerprint(row.text) for row in passages if row.kind is PassageKind.ROW}
    programs = [judged.words for key, judged in by_key.items() if key in present_keys - rows]
    return "".join(pieces) + "".join(map(_fenced, programs))


def _fenced(program: str) -> str:
    """The program as a block that nothing within it ends."""
    longest = max(map(len, re.findall("`+", program)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"\n\n{fence}python\n{program.strip()}\n{fence}\n"


def still_judged(
    before: str, text: str, judged: Mapping[str, JudgedPassage]
) -> dict[str, JudgedPassage]:
    """Those of the `judged` passages, by their keys, that the text has, which was another `before`.
    One that stands in place of the rule's own program does so until that program changes."""
    if not judged:
        return {}
    passages = passages_of(text)
    keys = {fingerprint(passage.text) for passage in passages}
    is_same_program = _programs_in(passages) == _programs_in(passages_of(before))
    return {
        key: passage
        for key, passage in judged.items()
        if key in keys and (is_same_program or not passage.in_place_of_all)
    }


def _programs_in(passages: Iterable[Passage]) -> list[str]:
    return [passage.text for passage in passages if passage.kind is PassageKind.PROGRAM]

"""Where a passage stands that a change counts or names, as its author has confirmed it. Pure.

A unit, such as a sentence, is confirmed by all of its words. Instances of words are confirmed by
these with some around them, several parted by “…”.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from nomic.rulebook.edits import doubts, parts
from nomic.rulebook.edits.parts import (
    ANY_MARKER,
    MARKER,
    EditFailed,
    TextPart,
    beginning,
    fits_in_any_case,
    folded_words,
    instances_of,
    lines_of_no_list,
    list_items,
    runs_of,
)
from nomic.rulebook.units import BlockKind, Sureness, blocks_of, cuts_word, sentence_ends

LONGEST_PASSAGE = 10_000  # characters of what one confirms
MOST_CANDIDATES = 12  # passages from which the author chooses one
MOST_INSTANCES = 100  # of words, of which each is meant
_JOINT = " … "
_AROUND = (30, 90, 1_000)  # characters on each side of an instance, until it is told from others
_LINES = ("item", "line")
_UNITS = ("paragraph", "sentence", *_LINES)
_OTHER_STOP = re.compile(
    r"[^\w\s.!?…,;:\"'“‘«„(\[{<*_~`/&–—-](?=\s)|[。！？．｡։۔؟።။།॥\u17d4⁇‼⁉]|\n"
)
"""Where a sentence may end for who says so: at an emoji, another script's stop or a line's end."""
_GAP = re.compile(r"\n[ \t]*\n")

type _Span = tuple[int, int]


def places_of(text: str, words: str, part: TextPart, where: str) -> list[_Span]:
    """Where a passage or part stands: the one that its author has confirmed, or nothing where it
    has not stayed what it was; without one, what the site takes for it. Raises EditFailed."""
    if not part.passage:
        return parts.places_of(text, words, part, where)
    if part.unit in _UNITS:
        return [_unit_place(text, words, part, where)]
    return _instance_places(text, words, part, where)


def taken_for(text: str, words: str, part: TextPart, where: str) -> TextPart:
    """That part with the passage for which the site takes it; raises EditFailed where it is not
    sure."""
    is_unit = part.unit in _UNITS
    instances = [] if is_unit else _instances(text, words, part)
    if len(instances) > MOST_INSTANCES:
        raise EditFailed(f"More than {MOST_INSTANCES} instances stand {where}: quote passages.")
    spans = parts.places_of(text, words, part, where)
    if is_unit:
        passage = text[spans[0][0] : spans[0][1]]
    elif part.which == "each":
        passage = _contexts(text, instances)
    else:
        passage = _in_context(text, instances, instances.index(spans[0]), alone=True)
    confirmed = confirm(text, words, part, passage)
    if len(passage) > LONGEST_PASSAGE or places_of(text, words, confirmed, where) != spans:
        raise EditFailed(f"No words tell for sure which passage is meant {where}: quote it.")
    return confirmed


def candidates(text: str, words: str, part: TextPart, where: str) -> tuple[str, ...]:
    """The passages one of which may be meant where the site is not sure: what may be such a unit,
    or each instance of the words with some around it; each can be confirmed."""
    if part.unit in _UNITS:
        spans = parts.units_that_may_be(text, words, part)
        passages = [text[start:end] for start, end in spans]
    else:
        instances = _instances(text, words, part)
        shown = range(len(instances))[:MOST_CANDIDATES]
        passages = [_in_context(text, instances, place, alone=True) for place in shown]
        if part.which == "each" and 1 < len(instances) <= MOST_CANDIDATES:
            passages.append(_contexts(text, instances))
    distinct = list(dict.fromkeys(passages))
    shown_of = distinct[-MOST_CANDIDATES:] if part.which in (-1, -2) else distinct[:MOST_CANDIDATES]
    return tuple(passage for passage in shown_of if _may_be(text, words, part, passage, where))


def _may_be(text: str, words: str, part: TextPart, passage: str, where: str) -> bool:
    """Whether that passage can be confirmed as the one that is meant."""
    try:
        places_of(text, words, confirm(text, words, part, passage), where)
    except EditFailed:
        return False
    return len(passage) <= LONGEST_PASSAGE


def confirm(text: str, words: str, part: TextPart, passage: str) -> TextPart:
    """That part with the passage that its author has confirmed, which stands in the text so often
    as it does now."""
    confirmed = replace(part, passage=passage)
    is_unit = part.unit in _UNITS
    places = _whole_units(text, confirmed) if is_unit else _instances(text, words, part)
    return replace(confirmed, times=len(places), sure=_are_sure(text, part, places))


def _are_sure(text: str, part: TextPart, places: list[_Span]) -> bool:
    """Whether these places are whole units for sure, whatever stands within them, or words that are
    no part of others, nor in code."""
    if part.unit not in _UNITS:
        return parts.are_apart(text, places)
    if part.unit == "sentence":
        starts, ends = _of_sentences(text, is_sure=True)
        are_whole = all(start in starts and end in ends for start, end in places)
    else:
        are_whole = parts.are_units(text, part.unit, places)
    return are_whole and (part.unit in _LINES or not parts.are_amid(text, places))


# Units


def _unit_place(text: str, words: str, part: TextPart, where: str) -> _Span:
    shown = f"The {part.unit} “{beginning(part.passage)}”, which its author confirmed,"
    places = _whole_units(text, part)
    if not places:
        raise EditFailed(f"{shown} stands nowhere {where}.")
    if isinstance(part.which, str) and not fits_in_any_case(part.passage, words, part.which):
        raise EditFailed(f"{shown} is none {part.which} “{beginning(words)}”.")
    often = "once" if len(places) == 1 else f"{len(places)} times"
    if part.times and len(places) != part.times:
        earlier = "once" if part.times == 1 else f"{part.times} times"
        raise EditFailed(f"{shown} stood {earlier} {where} and stands {often} now.")
    if part.sure and not _are_sure(text, part, places):
        raise EditFailed(f"{shown} was a whole one {where} and may be none now.")
    if _holds_several(text, part, places[0]):
        raise EditFailed(f"{shown} is more than one {where}: confirm one.")
    if len(places) == 1 or part.which == 1:
        return places[0]
    if part.which == -1:
        return places[-1]
    counted = parts.places_of(text, words, replace(part, passage="", times=0), where)
    if counted[0] not in places:
        raise EditFailed(f"{shown} stands {often} {where}, and not where it is counted.")
    return counted[0]


def _holds_several(text: str, part: TextPart, place: _Span) -> bool:
    """Whether a sentence surely ends, or another item or line begins, within that place."""
    start, end = place
    if part.unit == "sentence":
        inner = [span for span in parts.sentences_of(text) if start <= span[0] and span[1] <= end]
        return len(inner) > 1 and not doubts.doubt_of(text, "sentence", inner[:1], is_last=False)
    if part.unit == "item":
        beside = (unit.start for unit in list_items(text) if start < unit.start < end)
        return any(_indent(text, at) <= _indent(text, start) for at in beside)
    return part.unit == "line" and "\n" in text[start:end]


def _whole_units(text: str, part: TextPart) -> list[_Span]:
    """Where the confirmed passage stands as a whole unit: from where one may begin to where one may
    end, however sure that is."""
    starts, ends = _BOUNDS[part.unit](text)
    passages = instances_of(text, part.passage.strip())
    if len(passages) > MOST_INSTANCES:
        shown = beginning(part.passage)
        raise EditFailed(f"“{shown}” stands more than {MOST_INSTANCES} times: quote more of it.")
    others = lines_of_no_list(text) if part.unit == "item" else frozenset[int]()
    spans = ((starts.get(start), end) for start, end in passages)
    return [
        (start, end)
        for start, end in spans
        if start is not None
        and end in ends
        and not (
            _goes_on(text, start, end, others)
            if part.unit == "item"
            else _GAP.search(text, start, end)
        )
        and not (part.unit == "sentence" and _cuts_marks(text, start, end))
    ]


def _goes_on(text: str, start: int, end: int, others: frozenset[int]) -> bool:
    """Whether an item goes on below a place: with a line that is indented, or begins no other.
    The `others` are lines of no list."""
    below = _behind_space(text, end)
    if below == len(text):
        return False
    is_next = text.count("\n", end, below) == 1 and not MARKER.match(text, below)
    is_deeper = _indent(text, below) > _indent(text, start)
    return is_deeper or (is_next and text.count("\n", 0, below) not in others)


def _indent(text: str, at: int) -> int:
    """How far a line is indented that begins at that place, but for its white space."""
    return at - text.rfind("\n", 0, at) - 1


def _cuts_marks(text: str, start: int, end: int) -> bool:
    """Whether emphasis, code or a quote begins within a place and ends behind it."""
    gap = _GAP.search(text, end)
    behind = text[start : gap.start() if gap else len(text)]
    return doubts.is_open(text[start:end]) and not doubts.is_open(behind)


type _Bounds = tuple[dict[int, int], set[int]]
"""Where units may begin, each with where all of it begins, and where they may end."""


def _of_sentences(text: str, *, is_sure: bool = False) -> _Bounds:
    starts, ends = set(), set()
    for run_start, run_end in runs_of(text):
        starts.add(run_start)
        ends.add(run_end)
        for mark in ANY_MARKER.finditer(text, text.rfind("\n", 0, run_start) + 1, run_end):
            starts.add(mark.end())
            ends.add(_before_space(text, mark.start()))
        stops = sentence_ends(text, run_start, run_end)
        places = [at for at, sure in stops if not (is_sure and sure is Sureness.UNLIKELY)]
        if not is_sure:
            places += [sign.end() for sign in _OTHER_STOP.finditer(text, run_start, run_end)]
        for place in places:
            starts.add(_behind_space(text, place))
            ends.add(_before_space(text, place))
    return dict(zip(starts, starts, strict=True)), ends


def _of_paragraphs(text: str) -> _Bounds:
    spans = [*runs_of(text)]
    spans += [
        (block.start, block.end) for block in blocks_of(text) if block.kind is BlockKind.PARAGRAPH
    ]
    return {start: start for start, _ in spans}, {end for _, end in spans}


def _of_items(text: str) -> _Bounds:
    starts: dict[int, int] = {}
    for unit in list_items(text):
        mark = MARKER.match(text, unit.start)
        starts |= dict.fromkeys((unit.start, mark.end() if mark else unit.start), unit.start)
    return starts, _ends_of_lines(text)


def _of_lines(text: str) -> _Bounds:
    return {line.start(): line.start() for line in re.finditer(r"\S[^\n]*", text)}, (
        _ends_of_lines(text)
    )


def _ends_of_lines(text: str) -> set[int]:
    return {_before_space(text, line.end()) for line in re.finditer(r"\S[^\n]*", text)}


_BOUNDS = {
    "sentence": _of_sentences,
    "paragraph": _of_paragraphs,
    "item": _of_items,
    "line": _of_lines,
}


def _before_space(text: str, at: int) -> int:
    while at and text[at - 1].isspace():
        at -= 1
    return at


def _behind_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


# Instances of words


def _instances(text: str, words: str, part: TextPart) -> list[_Span]:
    """The instances of these words; of what is called a word, those that are whole ones."""
    spans = instances_of(text, words)
    if part.unit != "word":
        return spans
    return [span for span in spans if not any(cuts_word(text, at) for at in span)]


def _instance_places(text: str, words: str, part: TextPart, where: str) -> list[_Span]:
    instances, shown = _instances(text, words, part), f"“{beginning(words)}”"
    is_each = part.which == "each"
    if is_each and part.times and len(instances) != part.times:
        raise EditFailed(
            f"{shown} stood {part.times} times {where} as its author confirmed which are meant, and"
            f" stands {len(instances)} times now."
        )
    is_few = 0 < len(instances) <= MOST_INSTANCES
    is_all = is_each and is_few and _alike(_contexts(text, instances), part.passage)
    places = instances if is_all else []
    for piece in [] if is_all else part.passage.split(_JOINT):
        quoted = instances_of(text, piece)
        if len(quoted) != 1:
            often = f"{len(quoted)} times" if quoted else "nowhere"
            raise EditFailed(
                f"“{beginning(piece)}”, which its author confirmed, stands {often} {where}."
            )
        ((start, end),) = quoted
        places += [span for span in instances if start <= span[0] and span[1] <= end]
    if not places or (not is_each and len(places) > 1):
        often = "more than once" if places else "nowhere"
        raise EditFailed(f"{shown} stands {often} in what its author confirmed {where}.")
    places = sorted(set(places))
    if any(cuts_word(text, at) for span in places for at in span) or _overlap(places):
        raise EditFailed(f"{shown} is a part of other words {where}: quote whole words.")
    if part.sure and not _are_sure(text, part, places):
        raise EditFailed(f"{shown} was no part of other words or of code {where} and may be now.")
    return places


def _overlap(spans: Iterable[_Span]) -> bool:
    return any(after[0] < before[1] for before, after in pairwise(spans))


def _contexts(text: str, instances: list[_Span]) -> str:
    return _JOINT.join(_in_context(text, instances, at) for at in range(len(instances)))


def _in_context(text: str, instances: list[_Span], at: int, *, alone: bool = False) -> str:
    """The instance of that place in their list with words of its line around it; with so many that
    it is told `alone` from all others."""
    span = instances[at]
    line = text.rfind("\n", 0, span[0]) + 1, (text + "\n").find("\n", span[1])
    above, below = instances[at - 1 : at] if at else [], instances[at + 1 : at + 2]
    first, last = max([line[0], *(end for _, end in above)]), min([line[1], *(b for b, _ in below)])
    context = ""
    for around in _AROUND if alone else _AROUND[:1]:
        start, end = max(first, span[0] - around), min(last, span[1] + around)
        while first < start < span[0] and cuts_word(text, start):
            start += 1
        while span[1] < end < last and cuts_word(text, end):
            end -= 1
        context = text[start:end].strip()
        if alone and len(instances_of(text, context)) == 1:
            break
    return context


def _alike(one: str, other: str) -> bool:
    return folded_words(one.strip()) == folded_words(other.strip())

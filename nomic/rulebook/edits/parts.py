"""Where a passage or part that a change names stands in a rule's text. Pure."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter

from nomic.rulebook.edits import doubts
from nomic.rulebook.rendering.blocks import Lines, drawn_blocks
from nomic.rulebook.units import (
    Block,
    BlockKind,
    Sureness,
    blocks_of,
    composed,
    cuts_letter,
    cuts_word,
    joins_word,
    sentence_ends,
)

_SPACE = re.compile(r"[ \t]*(?:[ \t]|\n(?![ \t]*(?:\n|\Z)))[ \t]*")
"""What counts as a space: not what parts two paragraphs."""
_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans({**dict.fromkeys("“”„‟″", '"'), **dict.fromkeys("‘’‚‛′", "'")})
_QUOTED = 60  # characters of a passage that a sentence quotes
MARKER = re.compile(
    r"[ \t]*(?:[*+•·–-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])[ \t]+(?=\S)", re.IGNORECASE
)
ANY_MARKER = re.compile("^" + MARKER.pattern, re.IGNORECASE | re.MULTILINE)
_MARKS = re.compile(r"[ \t]*(?P<sign>[*+•·–-]|\(?(?P<count>\w{1,5})(?P<stop>[.)]))[ \t]+(?=\S)")
_TANGLED = re.compile(rf"^(?:{MARKER.pattern}|[ \t]*>[> \t]*)(?:`{{3}}|~{{3}})", re.I | re.M)
"""A block of code within an item or a quotation."""
_UNSURE = re.compile(
    r"(?: {4}| {0,3}\t)|\s*(?:>|<[a-z/!]|\[[^\]\n]+\]:|=+[^=\n]+=+\s*$"
    r"|(?:\*\*|__|'{3})[^\n]*(?:\*\*|__|'{3}):?\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
"""The beginning of what stands like a paragraph, and may be none: code, a quotation, a heading."""
_HARD_WRAPPED = 100  # characters; a text with longer lines is not broken by hand
_MOST_LINES = 5_000  # of a text in which units are looked for
_HEAD = 60  # characters of a passage by which its places in a text are found
_FEW = 20  # such places, which are looked at one by one
_NAMED = ("beginning", "ending", "containing")
_LIKE = {quote: f"[{group}]" for group in ('"“”„‟″', "'‘’‚‛′") for quote in group}


@dataclass(frozen=True, slots=True)
class TextPart:
    """Which part of a text is meant by a passage's words; by default these words, standing once.

    `unit` is "paragraph", "sentence", "item", "line", "row", "word" or, for all of it, "text";
    `which` is "whole", "beginning", "ending" or "containing" (with the words), a number counted
    from 1, -1 for the last, -2 for the one before it, or 0 for the only one. Without a unit, or of
    words, `which` is "each" for each instance of the words; without a unit, it may be which of
    them.

    `passage` is what the author has confirmed to be meant, "" for nothing, and `times` how often
    that stood in the text then, 0 where nobody has looked; `sure` says that each of these was a
    whole unit, or whole words, for sure.
    """

    unit: str = ""
    which: str | int = ""
    passage: str = ""
    times: int = 0
    sure: bool = False

    @property
    def counts(self) -> bool:
        """Whether it counts or names what is meant, instead of quoting it."""
        is_numbered = isinstance(self.which, int) and self.unit != "text"
        return is_numbered or self.which in ("each", *_NAMED)


WORDS, EACH = TextPart(), TextPart("", "each")


class EditFailed(ValueError):
    """A change cannot be made to a text; the sentence says why."""


class StandsNowhere(EditFailed):
    """What a change names is not there."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A paragraph, sentence, item or line; `doubt` says why it may be another one."""

    start: int
    end: int
    doubt: str = ""


def are_apart(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether none of these words is a part of others, or stands in code."""
    fenced = _fences(text)
    return not any(_is_part(text, span) or _is_inside(span, fenced) for span in spans)


def are_units(text: str, unit: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether these places are paragraphs, items or lines, whatever stands within them."""
    return {(part.start, part.end) for part in _CUTTERS[unit](text)}.issuperset(spans)


def are_amid(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether one of these places is within quotes, code or emphasis that began before it, or in
    what may be no paragraph."""
    runs = list(runs_of(text))
    for start, end in spans:
        place = bisect_right(runs, start, key=itemgetter(0)) - 1
        if place < 0 or end > runs[place][1]:
            continue
        run_start, run_end = runs[place]
        above = ANY_MARKER.sub("", text[run_start : start + 1])[:-1]
        line = text.rfind("\n", 0, run_start) + 1
        if _UNSURE.match(text, line, run_end) or doubts.is_open(above):
            return True
    return False


def places_of(text: str, words: str, part: TextPart, where: str) -> list[tuple[int, int]]:
    """Where a passage or part stands, once unless each instance is meant; raises."""
    kind = f"whole {part.unit}" if part.which == "whole" else "passage"
    shown = f"The {kind} “{beginning(words)}”" if words.strip() else "The part that is named"
    if part.unit in _CUTTERS:
        spans = _units(text, words, part, where)
    else:
        instances = instances_of(text, words)
        if part.counts or part.unit == "word":
            visible = doubts.looks_like(text)
            if len(instances_of(visible, doubts.looks_like(words))) > len(instances):
                raise EditFailed(f"{shown} also stands {where} in letters that only look alike.")
        spans = _whole_words(text, instances, part, shown, where)
    nth = part.which if isinstance(part.which, int) else 0
    if len(spans) < max(abs(nth), 1):
        raise StandsNowhere(f"{shown} stands nowhere {where}.")
    if part.which == "each":
        if any(after[0] < before[1] for before, after in pairwise(spans)):
            raise EditFailed(f"The instances of “{beginning(words)}” {where} overlap.")
        return spans
    if nth:
        return [spans[nth - (nth > 0)]]
    if len(spans) > 1:
        often = "twice" if len(spans) == 2 else f"{len(spans)} times"
        raise EditFailed(f"{shown} stands {often} {where}: quote more of it.")
    return spans


def _whole_words(
    text: str, spans: list[tuple[int, int]], part: TextPart, shown: str, where: str
) -> list[tuple[int, int]]:
    """Of these instances those that are meant: what is called a word is one, and of those that
    are counted, or are all meant, none may be a part of a word. Raises."""
    whole = [span for span in spans if not any(cuts_word(text, at) for at in span)]
    if part.unit == "word" or part.which == "each":
        _check_apart(text, whole, part, shown, where)
    if part.unit == "word":
        if any(joins_word(text, at) for span in whole for at in span):
            raise EditFailed(f"{shown} is joined to another word {where}: quote both.")
    elif part.which == "" and len(spans) > 1:
        return spans
    elif len(whole) < len(spans):
        also = " also" if whole else ""
        raise EditFailed(f"{shown}{also} stands within other words {where}: quote whole words.")
    fenced = _fences(text) if whole else []
    inside = sum(_is_inside(span, fenced) for span in whole)
    if 0 < inside < len(whole):
        raise EditFailed(f"{shown} also stands in a block of code {where}: quote more of it.")
    return whole


def _check_apart(
    text: str, spans: list[tuple[int, int]], part: TextPart, shown: str, where: str
) -> None:
    """Raise EditFailed where one of these is a part of a word, number or address for its reader,
    though it is none by its letters."""
    if any(_is_part(text, span) for span in spans):
        raise EditFailed(f"{shown} is a part of a longer word or number {where}: quote all of it.")
    if part.unit == "word" and any(doubts.is_joined(text, *span) for span in spans):
        raise EditFailed(f"{shown} is joined to another word or sign {where}: quote both.")
    if any(doubts.is_in_address(text, start) for start, _ in spans):
        raise EditFailed(f"{shown} also stands in the address of a page {where}: quote more of it.")


def _is_part(text: str, span: tuple[int, int]) -> bool:
    is_cut = any(cuts_word(text, at) for at in span)
    return is_cut or doubts.is_torn(text, *span) or doubts.is_in_number(text, *span)


def _fences(text: str) -> list[Block]:
    return [block for block in blocks_of(text) if block.kind is BlockKind.FENCE]


def _is_inside(span: tuple[int, int], blocks: list[Block]) -> bool:
    place = bisect_right(blocks, span[0], key=lambda block: block.start) - 1
    return place >= 0 and span[0] < blocks[place].end


def instances_of(text: str, words: str) -> list[tuple[int, int]]:
    """Where these words stand, in whichever form letters with accents are written; none cuts one
    from its letter. A space at their edge is a part of them, unlike a line break."""
    wanted = folded_words(words.strip())
    if not wanted:
        return []
    plain, places = composed(text)
    spans = [
        span for span in _spans_in(plain, wanted) if not any(cuts_letter(plain, at) for at in span)
    ]
    spans = [(places[start], places[end]) for start, end in spans] if places else spans
    leading, trailing = words[: -len(words.lstrip())], words[len(words.rstrip()) :]
    if leading and "\n" not in leading:
        before = ((len(text[:start].rstrip()), start, end) for start, end in spans)
        spans = [
            (space, end) for space, start, end in before if _SPACE.fullmatch(text, space, start)
        ]
    if trailing and "\n" not in trailing:
        behind = ((start, _SPACE.match(text, end)) for start, end in spans)
        spans = [(start, space.end()) for start, space in behind if space]
    return spans


def _spans_in(text: str, wanted: str) -> list[tuple[int, int]]:
    # Where its first words stand: much cheaper than to fold a long text.
    pattern = re.compile(r"\s++".join(map(_in_any_quotes, wanted[:_HEAD].split(" "))))
    starts: list[int] = []
    match = pattern.search(text)
    while match and len(starts) <= _FEW:
        starts.append(match.start())
        match = pattern.search(text, match.start() + 1)
    if len(starts) <= _FEW:
        ends = ((start, _end_of(text, start, wanted)) for start in starts)
        return [(start, end) for start, end in ends if end]
    folded, places = folded_words(text), _Places(text)
    spans = []
    start = folded.find(wanted)
    while start >= 0:
        end = places.original(start + len(wanted) - 1) + 1
        spans.append((places.original(start), end))
        start = folded.find(wanted, start + 1)
    return spans


def _in_any_quotes(word: str) -> str:
    """The word as a pattern that takes each quote in it for any like it."""
    return "".join(_LIKE.get(letter) or re.escape(letter) for letter in word)


def _end_of(text: str, start: int, wanted: str) -> int:
    """Where a folded passage ends that stands at that place; 0 where it does not stand there."""
    length = len(wanted)
    while True:
        piece = text[start : start + length]
        folded = folded_words(piece)
        if len(folded) >= len(wanted) or start + length >= len(text):
            break
        length *= 2
    if not folded.startswith(wanted):
        return 0
    return start + _Places(piece).original(len(wanted) - 1) + 1


def _units(text: str, words: str, part: TextPart, where: str) -> list[tuple[int, int]]:
    """The paragraphs, sentences, list items or lines that are meant; raises where it is not sure
    that it is these."""
    units = list(_CUTTERS[part.unit](text))
    if isinstance(part.which, int):
        if part.unit == "sentence" and ANY_MARKER.search(text):
            raise EditFailed(f"A list stands {where}: name the sentence by its beginning.")
        if part.unit == "item":
            _check_one_list(text, units, where)
        if part.unit != "text" and _TANGLED.search(text):
            raise EditFailed(f"A block of code stands in a list or quotation {where}.")
        meant = units[part.which :] if part.which < 0 else units[: part.which or None]
    else:
        meant = _named(text, units, words, part)
    doubt = next((unit.doubt for unit in meant if unit.doubt), "")
    if not doubt and isinstance(part.which, int) and (part.which or len(meant) == 1):
        spans = [(unit.start, unit.end) for unit in meant]
        doubt = doubts.doubt_of(text, part.unit, spans, is_last=part.which < 0)
    if doubt:
        raise EditFailed(f"{doubt} {where}: quote the whole that is meant.")
    if part.unit in ("paragraph", "sentence", "item") and not _are_drawn_so(text, part, meant):
        raise EditFailed(
            f"A page draws the text {where} otherwise than its lines are written, so that it is not"
            f" clear which {part.unit} is meant: quote the passage."
        )
    # It is counted in all of them; `meant` is what has to be beyond doubt for that.
    counted = units if isinstance(part.which, int) else meant
    return [(unit.start, unit.end) for unit in counted]


def _are_drawn_so(text: str, part: TextPart, meant: list[_Unit]) -> bool:
    """Whether a page draws these paragraphs, items, or the paragraphs of these sentences as such;
    where they are counted, whether it draws no other before them."""
    if text.count("\n") > _MOST_LINES:
        return False
    starts = [0, *(match.end() for match in re.finditer(r"\n", text))]

    def lines(start: int, end: int) -> Lines:
        return bisect_right(starts, start) - 1, bisect_right(starts, end - 1)

    drawn, spans = drawn_blocks(text), [lines(unit.start, unit.end) for unit in meant]
    if isinstance(part.which, int) and part.unit == "sentence":
        return [lines(*run) for run in runs_of(text)] == list(drawn.paragraphs)
    if isinstance(part.which, int):
        of_kind = drawn.paragraphs if part.unit == "paragraph" else drawn.items
        if of_kind or part.unit == "paragraph":
            counted = of_kind[part.which :] if part.which < 0 else of_kind[: part.which or None]
            return list(counted) == spans
    around = (*drawn.paragraphs, *drawn.items)
    return all(any(_holds(block, span) for block in around) for span in spans)


def _holds(block: Lines, span: Lines) -> bool:
    return block[0] <= span[0] and span[1] <= block[1]


def _named(text: str, units: list[_Unit], words: str, part: TextPart) -> list[_Unit]:
    """Those of the units that begin or end so, have these words, or are just these."""
    which = str(part.which)
    meant = [unit for unit in units if fits(text[unit.start : unit.end], words, which)]
    if not meant and which in _NAMED:  # in other letters, where these mean one alone
        meant = [
            unit for unit in units if fits_in_any_case(text[unit.start : unit.end], words, which)
        ]
        meant = meant if len(meant) == 1 else []
    if part.which == "whole" and part.unit == "sentence":
        return [replace(unit, doubt="") for unit in meant]  # its words tell where it ends
    return meant


def fits(unit: str, words: str, which: str) -> bool:
    """Whether a unit begins or ends with these words, contains them, or is just these. Only words
    that are broken off with “…” may end within one."""
    wanted, plain = folded_words(words.strip().rstrip("….").rstrip()), plain_unit(unit)
    is_broken_off = words.rstrip().endswith(("…", ".."))
    if which == "whole":
        return bool(wanted) and plain == plain_unit(words)
    if which == "ending":
        wanted, plain = wanted.rstrip(".;,"), plain.rstrip(".;,")
    at = {"beginning": 0, "ending": len(plain) - len(wanted)}.get(which)
    starts = [match.start() for match in re.finditer(f"(?={re.escape(wanted)})", plain)]
    return bool(wanted) and any(
        at in (None, start)
        and not cuts_word(plain, start)
        and (is_broken_off or not cuts_word(plain, start + len(wanted)))
        for start in starts
    )


def fits_in_any_case(unit: str, words: str, which: str) -> bool:
    """Whether it fits but for small letters and capitals."""
    return fits(unit.casefold(), words.casefold(), which)


def plain_unit(unit: str) -> str:
    marker = MARKER.match(unit)
    return folded_words(unit[marker.end() if marker else 0 :].strip())


def runs_of(text: str) -> Iterator[tuple[int, int]]:
    """Where lines stand that are paragraphs or items, with no empty line between; of headings,
    those in bold and such, which a page may draw as paragraphs."""
    above: Block | None = None
    start = 0
    for block in blocks_of(text):
        is_in_run = block.kind in _IN_RUNS or (
            block.kind is BlockKind.HEADING and text[block.start] in "=*_'"
        )
        if above and (block.first > above.stop or not is_in_run):
            yield start, above.end
            above = None
        if is_in_run:
            start = start if above else block.start
            above = block
    if above:
        yield start, above.end


def sentences_of(text: str) -> list[tuple[int, int]]:
    """What may be sentences: those that surely end, with all that may end within them."""
    return [(unit.start, unit.end) for unit in _sentences(text)]


def _paragraphs(text: str) -> Iterator[_Unit]:
    is_below_list = False
    for start, end in runs_of(text):
        line = text.rfind("\n", 0, start) + 1
        is_list, doubt = ANY_MARKER.search(text, line, end) is not None, ""
        if is_list:
            doubt = "A list stands in the paragraph, or is it,"
        elif is_below_list and line < start:
            doubt = "It is not clear whether a paragraph is a list item's"
        elif _UNSURE.match(text, line, end):
            doubt = "It is not clear whether code, a quotation or a heading is a paragraph"
        is_below_list = is_list or (is_below_list and line < start)
        yield _Unit(start, end, doubt)


def _sentences(text: str) -> Iterator[_Unit]:
    for run_start, run_end in runs_of(text):
        line = text.rfind("\n", 0, run_start) + 1
        at, doubt = run_start, ""
        if _UNSURE.match(text, line, run_end):
            doubt = "It is not clear whether code, a quotation or a heading is a sentence"
        for mark in ANY_MARKER.finditer(text, line, run_end):
            yield from _sentences_between(text, at, mark.start(), doubt)
            at = mark.end()
        yield from _sentences_between(text, at, run_end, doubt)


def _sentences_between(text: str, start: int, end: int, of_all: str) -> Iterator[_Unit]:
    doubt = of_all
    end = start + len(text[start:end].rstrip())
    for place, sureness in sentence_ends(text, start, end):
        if sureness is Sureness.SURE:
            yield _Unit(start, place, doubt)
            start = place + len(text[place:end]) - len(text[place:end].lstrip())
            doubt = of_all
        elif not doubt:
            last_words = " ".join(text[max(place - 30, start) : place].split()[-2:])
            doubt = f"It is not clear whether a sentence ends at “{last_words}”"
    if start < end:
        yield _Unit(start, end, doubt)


def units_that_may_be(text: str, words: str, part: TextPart) -> list[tuple[int, int]]:
    """What may be one of the units that are counted, or named so; a sentence also from and to where
    one may end within another."""
    units = list(_CUTTERS[part.unit](text))
    if part.unit == "sentence":
        units = [piece for unit in units for piece in _pieces(text, unit)]
    if isinstance(part.which, str):
        units = _named(text, units, words, part)
    return [(unit.start, unit.end) for unit in units]


def _pieces(text: str, sentence: _Unit) -> Iterator[_Unit]:
    """A sentence, and what would be sentences if it ended wherever it may."""
    yield sentence
    if not sentence.doubt:
        return
    start = sentence.start
    for place, _ in sentence_ends(text, sentence.start, sentence.end):
        yield _Unit(start, place)
        start = place + len(text[place : sentence.end]) - len(text[place : sentence.end].lstrip())
    if start < sentence.end:
        yield _Unit(start, sentence.end)


def _whole_text(text: str) -> Iterator[_Unit]:
    if text.strip():
        yield _Unit(len(text) - len(text.lstrip()), len(text.rstrip()))


def _lines(text: str) -> Iterator[_Unit]:
    for line in re.finditer(r"[^\s][^\n]*", text):
        yield _Unit(line.start(), line.start() + len(line[0].rstrip()))


def list_items(text: str) -> Iterator[_Unit]:
    """Each item of a list from its marker to its last line; lines that go on belong to it."""
    lines = text.split("\n")
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    width = max(map(len, lines))
    others = lines_of_no_list(text)
    below, at = [len(lines)] * len(lines), len(lines)  # the next line that is not empty
    for number in range(len(lines) - 1, -1, -1):
        below[number] = at
        at = number if lines[number].strip() else at
    for number, line in enumerate(lines):
        if number in others or not MARKER.match(line):
            continue
        last, doubt, depth = number, "", _depth(line)
        while last + 1 < len(lines) and last + 1 not in others and lines[last + 1].strip():
            following = lines[last + 1]
            is_deeper = _depth(following) > depth
            if MARKER.match(following):
                if not is_deeper:
                    break
                doubt = "Items stand within an item"
            elif not is_deeper and not goes_on(lines[last], following, width):
                doubt = "It is not clear where an item ends"
                break
            last += 1
        if below[last] < len(lines) and _depth(lines[below[last]]) > depth:
            doubt = doubt or "It is not clear where an item ends"
        yield _Unit(starts[number] + depth, starts[last] + len(lines[last].rstrip()), doubt)


def lines_of_no_list(text: str) -> frozenset[int]:
    """The lines of code, tables, headings and horizontal lines."""
    blocks = (block for block in blocks_of(text) if block.kind not in _IN_RUNS)
    return frozenset(number for block in blocks for number in range(block.first, block.stop))


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _check_one_list(text: str, items: list[_Unit], where: str) -> None:
    """Raise EditFailed unless all items stand in one list, on one level, with one kind of mark."""
    kinds, depths = set(), set()
    for unit in items:
        mark = _MARKS.match(text, unit.start)
        assert mark is not None
        is_number = mark["count"] is not None and mark["count"].isdecimal()
        kinds.add((mark["stop"] or mark["sign"], is_number))
        depths.add(unit.start - text.rfind("\n", 0, unit.start))
    is_parted = any(text[above.end : below.start].strip() for above, below in pairwise(items))
    spans = [(unit.start, unit.end) for unit in items]
    has_others = doubts.has_other_items(text, spans, lines_of_no_list(text))
    if len(kinds) > 1 or len(depths) > 1 or is_parted or has_others:
        raise EditFailed(f"Several lists stand {where}: name the item by its beginning.")


_IN_RUNS = (BlockKind.PARAGRAPH, BlockKind.ITEM)
_CUTTERS: dict[str, Callable[[str], Iterator[_Unit]]] = {
    "paragraph": _paragraphs,
    "sentence": _sentences,
    "item": list_items,
    "line": _lines,
    "text": _whole_text,
}


class _Places:
    """From places in a folded text to those in the original."""

    def __init__(self, text: str) -> None:
        self._folded, self._shift = [0], [0]
        for run in _SPACES.finditer(text):
            longer = len(run[0]) - 1
            if longer:
                self._folded.append(run.start() - self._shift[-1] + 1)
                self._shift.append(self._shift[-1] + longer)

    def original(self, place: int) -> int:
        return place + self._shift[bisect_right(self._folded, place) - 1]


def folded_words(text: str) -> str:
    return straight(_SPACES.sub(" ", unicodedata.normalize("NFC", text)))


def straight(text: str) -> str:
    """The text with straight quotes for typographic ones, at the same places."""
    return text if text.isascii() else text.translate(_QUOTES)


def beginning(passage: str) -> str:
    return shortened(" ".join(passage.split()))


def shortened(words: str) -> str:
    """The words as a sentence quotes them."""
    return words if len(words) <= _QUOTED else words[:_QUOTED].rstrip() + "…"


def goes_on(above: str, line: str, width: int) -> bool:
    """Whether a line under an item is still the item's: indented, or broken off by hand.

    It is broken by hand where it begins with a small letter, or where its first word had no
    room in the line above.
    """
    if line[0] in " \t":
        return True
    first = line.split()[0]
    is_wrapped = width <= _HARD_WRAPPED and len(above) + 1 + len(first) > width
    return bool(above.strip()) and (first[0].islower() or is_wrapped)

"""Why a sentence, paragraph or list item that is counted may not be the one that is meant. Pure.

Where a unit is a plain one only its signs tell. So it is sure of those alone that have none but
usual signs: whatever else there is may end a sentence, or draw a line, for those who read it.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from nomic.games.confusables import LOOKS
from nomic.rulebook.units import STARTERS, with_signs

type Span = tuple[int, int]

_LETTERS = "A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0300-\u036f\u0400-\u0482\u048a-\u052f"
_UNUSUAL = re.compile(
    rf"[^{_LETTERS}0-9 \t\n\r\xa0\u2009\u202f,.;:!?…‽\-‐‑–—'’‘\"“”«»()\[\]{{}}"
    r"%/&+=*_~`@#$€£§°<>|\\^]"
)
"""A sign of which no list of stops tells whether a sentence ends there: an emoji, another
script's, a mark of trade."""
_BREAKS = re.compile(r"[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]|\r(?!\n)|\n[ \t]*:\s")
_WRITTEN_OTHERWISE = re.compile(r"&#?\w+;|<[a-z/!]", re.IGNORECASE)
_RUNS_ON = re.compile(r"(\w)[.!?](\w)|[.!?][\\(:;^]")  # “purr.Dogs bark”, “purr.(1)”
_SHORTENED = re.compile(r"(?:the|an?|our|his|her|its|their|this|that) \w{1,8}\.", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*[(\[]?(?:\d{1,3}|[a-z]|[ivx]{1,4})[)\]]\s", re.IGNORECASE)
_PAIRS = re.compile(r"(?<!\\)(?:\*+|~~+|==+|\"|(?<!\w)_+|_+(?!\w)|`+|\$(?!\d))")
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))
_OPENS_QUOTE, _CLOSES_QUOTE = re.compile(r"(?<!\w)['‘](?=\w)"), re.compile(r"(?<=\S)['’](?!\w)")
_TAG = re.compile(r"<!--(?!.*-->)|<[a-z](?!.*</)", re.IGNORECASE | re.DOTALL)
_HEAD_ENDS = re.compile(r"[.!?…;,][\"'”’»)\]}*_`~]*\Z")
_LONGEST_HEAD = 80  # characters of a line that may be a heading
_WRAPPED = 40  # characters at least of a line that is broken by hand
_NO_WORDS = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|\]\([^)]*\)|&#?\w+;|<[^>]*>")
_OTHER_MARK = re.compile(
    r"^[ \t]*(?:(?:>[ \t]*)+(?:[-*+•]|\d{1,3}[.)])[ \t]"
    r"|[-+•–·](?=\w)|\*(?=\w)(?![^\n]*\*)|[^\w\s\"'“‘«(\[{<*_`|#=~!¿¡\\$&>][ \t]"
    r"|§[ \t]?\d|\d{1,3}(?:\.\d{1,3})+\.?[ \t]"
    r"|[(\[]?(?:\d{1,4}|[a-z]|[ivxl]{1,5})[)\]:.][ \t])",
    re.IGNORECASE | re.MULTILINE,
)
"""The beginning of a line that may be an item for its reader, and is none for a page."""


def doubt_of(text: str, unit: str, spans: Sequence[Span], *, is_last: bool) -> str:
    """Why a unit of these places may be none, or several, or a part of one; "" where all are sure.

    They are the last one of the text (`is_last`), or all from the first to the one that is meant.
    """
    if unit == "paragraph":
        reasons = (_doubt_of_paragraph(text[start:end]) for start, end in spans)
    elif unit == "sentence":
        width = max(_WRAPPED, *map(len, text.split("\n")))
        reasons = (_doubt_of_sentence(text, span, width, is_last) for span in spans)
    else:
        return ""
    return next(filter(None, reasons), "")


def has_other_items(text: str, spans: Sequence[Span], others: Iterable[int]) -> bool:
    """Whether a line looks like an item that is in none of these, and is none of the `others`."""
    starts = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
    lines = set(others)
    for start, end in spans:
        lines.update(range(bisect_right(starts, start) - 1, bisect_right(starts, end)))
    places = (bisect_right(starts, mark.start()) - 1 for mark in _OTHER_MARK.finditer(text))
    return not lines.issuperset(places)


def _doubt_of_paragraph(written: str) -> str:
    if written.startswith("$$"):
        return "It is not clear whether a formula is a paragraph"
    if _BREAKS.search(written) or not any(map(str.isalnum, _NO_WORDS.sub("", written))):
        return "It is not clear whether a line of signs alone parts or is a paragraph"
    return _doubt_of_head(written)


def _doubt_of_sentence(text: str, span: Span, width: int, is_last: bool) -> str:
    start, end = span
    written = text[start:end]
    sign = _UNUSUAL.search(written) or _WRITTEN_OTHERWISE.search(written)
    if sign:
        return f"It is not clear whether a sentence ends at “{sign[0]}”"
    if any(map(_is_two, _RUNS_ON.finditer(written))) or _has_room(text, start, end, width):
        return "It is not clear where a sentence begins and ends"
    following = text[end : end + 20].split()
    if _SHORTENED.fullmatch(written) and following and following[0].lower() not in STARTERS:
        return f"It is not clear whether “{written}” is a sentence or a word that is shortened"
    if _NUMBERED.match(written if is_last else text[end : end + 20]):
        return "It is not clear whether a sentence is one of a list"
    is_quoted = is_last and _CLOSES_QUOTE.search(written[-2:])
    if is_open(written) or is_quoted:
        return "It is not clear whether a sentence ends within quotes, code or emphasis"
    is_all = text[max(start - 20, 0) : start].rstrip(" \t")[-1:] in ("", "\n") and text[
        end : end + 1
    ] in ("", "\n")
    return _doubt_of_head(written) if is_all else ""


def _doubt_of_head(written: str) -> str:
    if written.endswith(":"):
        return "It announces what stands below it, so that it is not clear what is meant"
    is_head = "\n" not in written and len(written) <= _LONGEST_HEAD
    if is_head and not _HEAD_ENDS.search(written):
        return f"It is not clear whether “{written}” is a heading"
    return ""


def _is_two(sign: re.Match[str]) -> bool:
    """Whether a stop without a space behind it may part two sentences, unlike that of “a.org”."""
    before, behind = sign[1], sign[2]
    return not before or behind.isupper() or (before.isalpha() and behind.isdecimal())


def is_open(written: str) -> bool:
    """Whether a pair of signs, a quote or a tag is open at an end of these words."""
    if any(written.count(left) != written.count(right) for left, right in _BRACKETS):
        return True
    pairs = Counter(_PAIRS.findall(written))
    opened, closed = len(_OPENS_QUOTE.findall(written)), len(_CLOSES_QUOTE.findall(written))
    return (
        any(count % 2 for count in pairs.values())
        or _TAG.search(written) is not None
        or (opened > 0 and opened != closed)
    )


def _has_room(text: str, start: int, end: int, width: int) -> bool:
    """Whether a line in it ends though the next word, which may begin a sentence, had room."""
    above, *below = text[text.rfind("\n", 0, start) + 1 : end].split("\n")
    for following in below:
        words = following.split()
        begins = bool(words) and not words[0][0].islower()
        if begins and (above.endswith(":") or len(above) + 1 + len(words[0]) <= width):
            return True
        above = following
    return False


# Words

_SKIPPED = (
    r"(?:[*_`~\\\[\u00ad\u200b-\u200d\u2060\ufeff]|\](?:\([^)\s]*\))?|</?[a-z][^>\n]*>|&\w+;)"
)
_BEHIND = re.compile(rf"{_SKIPPED}*", re.IGNORECASE)
_AHEAD = re.compile(rf"{_SKIPPED}*\Z", re.IGNORECASE)
_JOINS = "@#$~/\\=+&-‐‑−"
_NEAR = 100  # characters beside a word in which it may go on
_ADDRESS = re.compile(r"(?:\w+://|www\.|\]\()\S*\Z")
_UNSEEN_IN_WORD = re.compile(r"(?<=[^\W\d_])[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+(?=[^\W\d_])")
_MARKS = re.compile(r"[*_`~\\]+|</?[a-z][^>\n]*>", re.IGNORECASE)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def is_torn(text: str, start: int, end: int) -> bool:
    """Whether a word goes on behind marks of emphasis and such: “**cat**egory” is one word."""
    behind, ahead = _BEHIND.match(text, end, end + _NEAR), text[max(start - _NEAR, 0) : start]
    marks = _AHEAD.search(ahead)
    goes_on = behind and behind.end() > end and text[behind.end() : behind.end() + 1].isalnum()
    comes = marks and marks.start() and marks[0] and ahead[marks.start() - 1].isalnum()
    return bool(goes_on or comes)


def is_joined(text: str, start: int, end: int) -> bool:
    """Whether a sign stands right beside the words that may make another word of them: “@cat”."""
    before, behind = text[max(start - 1, 0) : start], text[end : end + 1]
    if (before == "_") != (behind == "_"):
        return True
    return (before != "" and before in _JOINS + ".:") or (behind != "" and behind in _JOINS)


def is_in_number(text: str, start: int, end: int) -> bool:
    """Whether the figure that the words begin or end with goes on: the 5 of “5.5” or “-5”."""
    ahead, behind = text[max(start - 2, 0) : start], text[end : end + 5]
    goes_on = text[end - 1].isdecimal() and re.match(r"[.,:/]\d|\s\d{3}(?!\d)", behind)
    is_rest = re.match(r"\d{3}(?!\d)", text[start : start + 4])
    comes = text[start].isdecimal() and re.search(
        r"\d[.,:/]\Z|[-−]\Z" + (r"|\d\s\Z" if is_rest else ""), ahead
    )
    return bool(goes_on or comes)


def is_in_address(text: str, start: int) -> bool:
    """Whether a place stands in the address of a page."""
    line = text.rfind("\n", 0, start) + 1
    return _ADDRESS.search(text, max(line, start - 500), start) is not None


def looks_like(text: str) -> str:
    """The text as its reader sees it: without marks and unseen signs, and in plain letters."""
    visible = with_signs(_MARKS.sub("", text))
    if visible.isascii():
        return visible
    return _NOT_ASCII.sub(lambda sign: _plain(sign[0]), _UNSEEN_IN_WORD.sub("", visible))


def _plain(sign: str) -> str:
    if not sign.isalpha():
        return sign
    letter = unicodedata.normalize("NFKC", sign)
    alike = LOOKS.get(letter.lower(), letter)
    return alike.upper() if letter.isupper() else alike

"""What a block, a sentence and a word of a text are: for changes, passages and pages alike. Pure.

Blocks are those that a page draws of the text: paragraphs, list items, rows of tables, fenced
blocks, headings and horizontal lines. Where a sentence ends only its words tell; each place where
one may end says how sure that is.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from html import unescape

from nomic.rulebook.tables import is_markdown_head, is_ruler


class BlockKind(Enum):
    """The kind of a block; a table's head with its ruler is a row like the others."""

    PARAGRAPH = auto()
    ITEM = auto()
    ROW = auto()
    FENCE = auto()
    HEADING = auto()
    LINE = auto()  # a horizontal one


@dataclass(frozen=True, slots=True)
class Block:
    """A block, from its character `start` to that before `end`, and from its line `first` to that
    before `stop`."""

    kind: BlockKind
    start: int
    end: int
    first: int
    stop: int


_NO_SIGN = re.compile(r"&#[0-9]{9,}+")  # of so many digits none is, and Python reads no long ones
_LINE = re.compile(r"[^\n]*\n?")
_HEADING = re.compile(
    r"#{1,6}(?:\s|$)|=+[^=\n]+=+$|\*\*[^*\n]+\*\*:?$|__[^_\n]+__:?$|'''[^'\n]+'''$"
)
_BULLET = re.compile(r"(?:[*+•-]|[0-9]{1,3}[.)])(?=\s)")
_FIRST_ITEM = re.compile(r"(?:[*+•-]|1[.)])(?=\s)")
_ACROSS = re.compile(r"(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FENCE = re.compile(r"`{3,}(?=[^`]*$)|~{3,}")
_UNDER = re.compile(r"-{3,}$|=+$")
_WIDE = re.compile(r"\S(?: {2,}|\t)\s*\S")


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of a text in their order; every character that is no white space is in one of
    them. Takes time in proportion to the text's length."""
    return _Divider(text).blocks()


class _Divider:
    """Goes through the lines of a text once, block by block."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [(line.start(), line.group().strip()) for line in _LINE.finditer(text)]
        self._at = 0

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._line()
            if not line:
                self._at += 1
            elif fence := _FENCE.match(line):
                yield self._block(BlockKind.FENCE, self._end_of_fence(fence[0]))
            elif self._opens_table():
                yield from self._table()
            elif _ACROSS.match(line):
                yield self._block(BlockKind.LINE, self._at + 1)
            elif _HEADING.match(line):
                yield self._block(BlockKind.HEADING, self._at + 1)
            elif _BULLET.match(line):
                while _BULLET.match(self._line()) and not _ACROSS.match(self._line()):
                    yield self._block(BlockKind.ITEM, self._end_of_paragraph(_BULLET))
            elif _UNDER.match(self._line(1)):
                yield self._block(BlockKind.HEADING, self._at + 2)
            else:
                yield self._block(BlockKind.PARAGRAPH, self._end_of_paragraph(_FIRST_ITEM))

    def _line(self, further: int = 0) -> str:
        number = self._at + further
        return self._lines[number][1] if number < len(self._lines) else ""

    def _block(self, kind: BlockKind, stop: int) -> Block:
        """The lines up to `stop` as one block; they are done."""
        first, start = self._at, self._lines[self._at][0]
        end = self._lines[stop][0] if stop < len(self._lines) else len(self._text)
        self._at = stop
        written = self._text[start:end]
        start += len(written) - len(written.lstrip())
        return Block(kind, start, start + len(written.strip()), first, stop)

    def _end_of_fence(self, marks: str) -> int:
        """The line after the one of the same marks that closes the fence, or after the last."""
        for number in range(self._at + 1, len(self._lines)):
            if closes_fence(self._lines[number][1], marks):
                return number + 1
        return len(self._lines)

    def _opens_table(self) -> bool:
        line, below = self._line(), self._line(1)
        if line.startswith(("|", "!")):
            return "|" in line[1:] or "!!" in line or below.startswith(("|", "!"))
        if is_markdown_head(line, below):
            return True
        return bool(_WIDE.search(line)) and is_ruler(below) and "---" in below

    def _table(self) -> Iterator[Block]:
        """The head with its ruler, then row by row up to a blank line.

        Of wiki rows, the first line that is none ends them.
        """
        is_wiki = self._line().startswith("!") or "||" in self._line()
        while line := self._line():
            if _FENCE.match(line) or (is_wiki and not line.startswith(("|", "!"))):
                return
            size = 1
            while (below := self._line(size)) and (is_ruler(below) or below.startswith("|-")):
                size += 1
            yield self._block(BlockKind.ROW, self._at + size)

    def _end_of_paragraph(self, marker: re.Pattern[str]) -> int:
        """The line after the paragraph, which ends where a line begins something else."""
        begun, number = self._at, self._at + 1
        while number < len(self._lines):
            line = self._lines[number][1]
            self._at = number  # from where `_opens_table` looks; it is put back below
            ends = not line or _FENCE.match(line) or self._opens_table() or _ACROSS.match(line)
            if ends or _HEADING.match(line) or marker.match(line):
                break
            number += 1
        self._at = begun
        return number


def fence_of(line: str) -> str:
    """The marks with which a line opens a block of code; "" where it opens none."""
    fence = _FENCE.match(line)
    return fence[0] if fence else ""


def closes_fence(line: str, marks: str) -> bool:
    """Whether a line, without white space around it, closes the block that these marks opened."""
    return line.startswith(marks) and not line.strip(marks[0])


# Sentences


def word_set(words: str) -> frozenset[str]:
    """The words of some lines, as a set."""
    return frozenset(words.split())


class Sureness(Enum):
    """How sure it is that a sentence ends at a place where one may end."""

    SURE = auto()
    LIKELY = auto()
    UNLIKELY = auto()


_STOP = re.compile(
    # Begun within a row of dots, it would take the square of the row's length.
    r"(?<![.!?…])(?P<sign>[.!?…‽]++)(?P<closing>[\"'”’»)\]}*_`]*"
    r"(?:\s{0,2}(?:\*/|[\])](?=\s|$)))?)(?P<gap>\s++)(?=\S)"
    r"|(?P<closed>(?:[.!?](?=[\[<^†‡—–¹²³⁰-⁹\u200b\u2060\ufeff]|(?<=[a-z][.!?])[A-Z])|[。！？．؟।॥]))(?=\S|\s+\S)"
    r"|(?P<broken>(?:[ ]{2}|\\)\r?\n)(?=\s*\S)"
    r"|(?P<opens>[(\[{“«])|(?P<closes>[)\]}”»])|(?P<mark>[\"`])"
)
_WORD_BEFORE = re.compile(r"[^\s()\[\]{}\"“”‘*_—–,;:/]*\Z")
_DOTTED = re.compile(r"[^\W\d_]{1,2}(?:\.[^\W\d_]{1,2})+\Z")  # “e.g”, “p.m”, “Ph.D”
_NEXT = re.compile(r"([\"“‘'(\[*_«]*)(\w*)")
_LONGEST_WORD = 40
_SHORT = 7  # letters of a word with a capital that may be shortened, such as a rank
_ABBREVIATED = word_set(
    """dr mr mrs ms st sts prof jr sr cf fig figs approx vs eg ie viz rev gen sen rep capt lt col
    sgt cpl maj adm cmdr gov hon pres messrs mme mlle mt ft ave blvd rd vol vols pp ca resp incl
    excl ed eds trans tr eq eqs sect para paras chap ch nos nr dept univ assoc bros corp inc ltd co
    est orig misc abbr temp tel ext op cit ibid al esp poss anon pref alt avg var subsp feat prod
    dir cont arr adj adv prep pron conj fem masc usu ult inst prox prelim exec admin asst assn div
    org intl natl govt ctr pkg qty amt acct addr apt bldg hwy mtn sq ste lat perf prob obs comp"""
)
_AT_AN_END_TOO = word_set(
    """dep prop pos prom ref min cert tech math maths intro info lib lab bio photo auto memo exam
    doc docs dev lit mod mag op ops gal doz acad agcy annot anal appl arith assist astron atty biol
    bibl biog cal calc chem chron civ coll colloq comm compl cond conf config corresp coun crim
    crit deriv descr dict diff dim dipl disc disp distr econ educ elec electr elem elev emer encl
    encyc encycl eng engr epist esq etym eval exch exec exper fam fed fict fin fol freq fut geog
    geol geom gram hist hort hosp ident illus illust impf indef indic indiv inf init insp instr
    intr introd ital jour judic lang libr ling liq loc log maint manuf mech med memb metaph meteor
    mil milit mus myth naut neg neut nomin num numer obj orch orthog pathol pers pert pharm philos
    phon photog phys physiol plur pol polit propr prov provis psych psychol publ pub quot rad recd
    recip refl reg regs rel relig repr rept res rhet sched sci ser sing soc sociol spec stat
    statist stud subj subst suppl supt surg syll sym symp syn synd syst tab techn technol theol
    topog transl treas trig typog univ util vet vid zool etc no sec max art app ex def am pm oz lb
    lbs hr hrs mins secs km cm mm kg jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues
    wed thu thur thurs fri sat sun ii iii"""
)
_TITLES = word_set(
    "dr mr mrs ms mx prof st mt messrs adm gen capt col sgt sen rep rev hon fig figs cf vol"
)
_BEFORE_TITLES = word_set(
    "of by to for with and or from that as than if when unless against between"
)
STARTERS = word_set(
    """the a an it its if when whenever while each every all any no none in on at to for from by as
    of this that these those there they their he she his her you your we our i one upon after
    before otherwise however then thus such where which who whoever what but and or nor neither
    either both once until unless provided players player rules rule only also not nothing nobody
    everybody everyone with without within during some other another"""
)


def sentence_ends(text: str, start: int, end: int) -> Iterator[tuple[int, Sureness]]:
    """The places between two, within one block, behind which another sentence may begin."""
    open_brackets: list[int] = []
    open_mark = ""
    begun = start
    for sign in _STOP.finditer(text, start, end):
        if sign["opens"]:
            open_brackets.append(sign.start())
        elif sign["closes"]:
            del open_brackets[-1:]
        elif mark := sign["mark"]:
            open_mark = "" if open_mark == mark else open_mark or mark
        elif sign["closed"] or sign["broken"]:
            wide = sign["closed"] and not sign["closed"].isascii()
            yield sign.end(), Sureness.LIKELY if wide else Sureness.UNLIKELY
        else:
            place = sign.start("gap")
            is_inside = bool(open_brackets or open_mark)
            opener = open_brackets[0] if open_brackets else -1
            for closing in sign["closing"]:
                if closing in ")]}”»":
                    del open_brackets[-1:]
                elif closing in '"`':
                    open_mark = "" if open_mark == closing else open_mark or closing
            sureness = _sureness(text, start, sign, is_inside, 0 <= opener <= begun)
            if sureness is not None:
                yield place, sureness
                if sureness is not Sureness.UNLIKELY:
                    begun = sign.end()


def _sureness(
    text: str, start: int, sign: re.Match[str], is_inside: bool, is_opened_first: bool
) -> Sureness | None:
    """How sure it is that a sentence ends at a stop; None where it surely does not. It stands
    inside of brackets, quotes or code, or does not; its sentence begins with the bracket, or not.
    """
    if text.startswith("*/", sign.end()):  # the end of a comment belongs to its last sentence
        return None
    at, stop, closing = sign.start(), sign["sign"], sign["closing"]
    before = _WORD_BEFORE.search(text, max(start, at - _LONGEST_WORD), at)
    word = before[0] if before else ""
    ahead = _NEXT.match(text, sign.end())
    opening, following = (ahead[1], ahead[2]) if ahead else ("", "")
    is_short = _is_short(word)
    if following[:1].islower() and not opening:
        is_aside = is_short or word.lower() in _AT_AN_END_TOO
        return None if closing or is_aside or stop != "." else Sureness.UNLIKELY
    if closing:
        is_within = stop != "." if set(closing) & set("\"'”’»") else not is_opened_first
        is_emphasis = not closing.strip("*_")
        return Sureness.UNLIKELY if is_within and not is_emphasis else Sureness.LIKELY
    if stop == "." and _is_title(text[max(start, at - 2 * _LONGEST_WORD) : at], word, following):
        return None
    is_number = word.isdecimal() and at - len(word) == start
    if stop == "…" or (stop == "." and (is_short or is_number)):
        return Sureness.UNLIKELY
    has_capital = word[:1].isupper() or word[-1:].isdecimal()
    goes_on = following.lower() not in STARTERS
    if stop != "." and has_capital:
        return Sureness.UNLIKELY if goes_on else Sureness.LIKELY
    is_name = has_capital and goes_on and len(word) <= _SHORT
    begins = following[:1].isupper() or following[:1].isdecimal()
    if is_inside or is_name or not begins or word.lower() in _AT_AN_END_TOO:
        return Sureness.LIKELY
    is_word = stop in (".", "!", "?") and word[-1:].isalnum()
    return Sureness.SURE if is_word else Sureness.LIKELY


def _is_short(word: str) -> bool:
    """Whether a word before a full stop is an abbreviation, or an initial."""
    bare = word.lower().strip(".'’")
    is_initial = len(bare) == 1 and bare.isalpha()
    is_acronym = word.isupper() and len(bare) > 1  # which a sentence may end with
    letters = bare.isalpha() and bare.isascii() and not is_acronym
    has_no_vowel = letters and len(bare) <= _SHORT and not set(bare) & set("aeiouy")
    return is_initial or has_no_vowel or bare in _ABBREVIATED or bool(_DOTTED.match(bare))


def _is_title(before: str, word: str, following: str) -> bool:
    """Whether a word before a full stop is a title, as in “Dr. Cat”: one that begins a sentence, or
    stands behind a word that a name goes on with."""
    if not word[:1].isupper() or word.lower() not in _TITLES:
        return False
    is_name = following[:1].isupper() and following.lower() not in STARTERS
    ahead = before[: -len(word)].rstrip()[-_LONGEST_WORD:]
    begins = not ahead or ahead[-1] in ".!?"
    return (is_name or following.isdecimal()) and (
        begins or ahead.split()[-1].lower() in _BEFORE_TITLES
    )


# Words and letters

_JOINS = "-‐‑'’_.@/&+=~:#\u00ad\u200b\u200c\u200d\u2060"


def cuts_letter(text: str, at: int) -> bool:
    """Whether what stands behind a place belongs to the letter before it."""
    if not 0 < at < len(text) or text[at].isascii():
        return False
    joins = "\u200d" in (text[at], text[at - 1]) or "\U0001f3fb" <= text[at] <= "\U0001f3ff"
    return joins or unicodedata.category(text[at])[0] == "M"


def cuts_word(text: str, at: int) -> bool:
    """Whether a place stands within a word; an apostrophe and what is left out are of their word,
    and that of “cat’s” is not."""
    if not 0 < at < len(text):
        return False
    before, behind = text[at - 1], text[at]
    # Some sources have lost a line's end: “at least 3If the Visitor”.
    if before.isdecimal() and behind.isupper() and text[at + 1 : at + 2].islower():
        return False
    if _is_of_word(before) and _is_of_word(behind):
        return True
    if _is_of_word(before) and behind in "'’":
        rest = text[at + 1 : at + 3]
        return _is_of_word(rest[:1]) and not (rest[0] in "sS" and not _is_of_word(rest[1:]))
    return before in "'’" and at > 1 and _is_of_word(text[at - 2]) and _is_of_word(behind)


def joins_word(text: str, at: int) -> bool:
    """Whether a sign beside a place, such as a hyphen, joins the words on both sides of it."""
    pieces = (text[max(at - 2, 0) : at + 1], text[max(at - 1, 0) : at + 2])
    return any(
        len(piece) == 3 and piece[1] in _JOINS and piece[0].isalnum() and piece[2].isalnum()
        for piece in pieces
    )


def _is_of_word(letter: str) -> bool:
    return bool(letter) and (letter.isalnum() or unicodedata.category(letter)[0] == "M")


def composed(text: str) -> tuple[str, list[int] | None]:
    """The text in its composed normal form, and where each of its characters and its end stand in
    the text as it is written; None where they are the same places."""
    if unicodedata.is_normalized("NFC", text):
        return text, None
    pieces, places, at = [], [], 0
    for letter in _letters(text):
        piece = unicodedata.normalize("NFC", letter)
        pieces.append(piece)
        places += [at] * len(piece)
        at += len(letter)
    return "".join(pieces), [*places, at]


def _letters(text: str) -> Iterator[str]:
    """Pieces of a text that are composed each for itself."""
    begun = 0
    for at in range(1, len(text)):
        is_jamo = "\u1160" <= text[at] <= "\u11ff"
        if not is_jamo and (text[at].isascii() or unicodedata.category(text[at])[0] != "M"):
            yield text[begun:at]
            begun = at
    yield text[begun:]


def with_signs(text: str) -> str:
    """The text with the signs in the place of what HTML writes for them, such as “&amp;”."""
    return unescape(_NO_SIGN.sub("\ufffd", text))

"""One instruction from its first word to its end: the words, and the texts that it announces."""

import re
from dataclasses import dataclass, field

from nomic.rulebook.changes.grammar import Attempt, Words
from nomic.rulebook.changes.layout import SIGNATURE, Layout
from nomic.rulebook.changes.words import (
    INITIAL,
    JOINT,
    KEYWORDS,
    POWER,
    RULE_NUMBER,
    SENTENCE_END,
    VERBS,
    WORD,
    amount,
    possessive,
)

LONGEST = 400  # tokens of one instruction, its texts being one each
_LONGEST_NAME = 60  # words in a row that are no keywords

BULLET = re.compile(r"[ \t]*[*•+–-][ \t]+(?=\S)")
ITEM = re.compile(r"[ \t]*(?:[*•+–-]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]+(?=\S)")
_ROW = re.compile(r"[ \t]*[|!]")
_BLANK = re.compile(r"[ \t\r]*$", re.MULTILINE)
_WITH = re.compile(r"[ \t]*(?:with|to|by|so that it reads)\b[^\n]{0,120}:[ \t\r]*$", re.I | re.M)
_PAREN = re.compile(r"\([^()\n]{0,200}\)")
_BREAK = re.compile(r"\n")
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_ANNOUNCES = ("TEXT_OF", "PASSAGE", "READ", "FOLLOWS", "FOLLOWING", "THIS", "FULL")
_OF_RULES = ("RULE", "SUBRULE", "TITLE", "TEXT_OF", "NUMBER_OF", "NEW")
_GOES_ON = ("COMMA", "THEN", "BY", "AND")
_RULE_CHANGE = re.compile(
    r"(?:Enact|Create|Repeal|Amend|Retitle|Rename|Renumber|Replace)\b[^\n]{0,100}"
    r"\b[Rr]ule\b[^\n]{0,20}[\"“\d]"
)


@dataclass(frozen=True, slots=True)
class Failure:
    """Where an instruction stopped being one, and how many words it had until there."""

    at: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction that was read: its tree, its end, and the pieces of its sentence."""

    tree: Words
    end: int
    pieces: tuple[tuple[int, int], ...]


@dataclass
class Reader:
    """Reads one instruction of `layout` from `start` on, never beyond `limit`.

    `item` is the marker of the list item that it is (“1.”, “*”), which ends a text without braces.
    With `head_only` it stops where the first long text would begin.
    """

    layout: Layout
    start: int
    limit: int
    item: str = ""
    head_only: bool = False
    attempt: Attempt = field(default_factory=Attempt)

    def __post_init__(self) -> None:
        self.text = self.layout.text
        self.at = self.start
        self.kinds: list[str] = []
        self.words = 0  # the last so many kinds are WORD
        self.pieces: list[tuple[int, int]] = []
        self.piece = self.start

    def read(self) -> Instruction | Failure | None:
        """The instruction; Failure where it is none; None for a head that stops at its text."""
        while len(self.kinds) < LONGEST:
            gap = self.at
            self.at = self.layout.skip(gap, self.limit)
            crossed = len(_BREAK.findall(self.text, gap, self.at))
            if self.head_only and self._at_block():
                return None
            if self._at_text(gap, crossed):
                if self.head_only:
                    return None
                if not self._take_text(gap, crossed):
                    return self._failure()
                continue
            if self.at >= self.limit or self._ends_here(crossed):
                return self._finished(gap)
            stop = SENTENCE_END.match(self.text, self.at, self.limit)
            if stop or self.text[self.at] == ";":
                return self._finished(stop.end() if stop else self.at + 1)
            if not self._take_token() or self.words > _LONGEST_NAME:
                return self._failure()
        return self._failure()

    def _finished(self, end: int) -> Instruction | Failure:
        if not self.attempt.accepts("$END"):
            return self._failure()
        self._close_piece(min(end, self.limit))
        return Instruction(self.attempt.finish(), min(end, self.limit), tuple(self.pieces))

    def _failure(self) -> Failure:
        return Failure(min(self.at, self.limit), len(self.kinds))

    def _at_block(self) -> bool:
        return self.at in self.layout.closing and self.attempt.accepts("BLOCK")

    def _close_piece(self, end: int) -> None:
        if self.text[self.piece : end].strip():
            self.pieces.append((self.piece, end))

    def _ends_here(self, crossed: int) -> bool:
        """Whether what follows is another sentence, the words so far being a whole one."""
        if not self.attempt.accepts("$END"):
            if crossed and self.kinds[-1:] and self.kinds[-1] not in _GOES_ON:
                if ITEM.match(self.text, self.at, self.limit):
                    return True
                return starts_change(self.text, self.at, self.limit) or (
                    crossed > 1 and self.kinds[-1] not in ("BLOCK", "OLD") and not self._at_block()
                )
            return False
        if self.text[self.at] in "{}":
            return not self._at_block()
        if self.text[self.at] in ".;!" and not crossed:
            return False
        if not crossed and self.kinds[-1] not in ("BLOCK", "TEXT", "BULLETS", "ROWS", "ITEMS"):
            return False
        if crossed > 1 or self.kinds[-1] in ("TEXT", "BULLETS", "ROWS", "ITEMS"):
            return True
        word = _FIRST_WORD.match(self.text, self.at, self.limit)
        if word is None:
            return self.text[self.at] not in "\"“‘'(.;," or self.kinds[-1] == "BLOCK"
        return not word.group()[0].islower() or word.group().casefold() in VERBS

    # Long texts

    def _at_text(self, gap: int, crossed: int) -> bool:
        """Whether a text that stands on lines of its own, or behind a colon, begins here."""
        if self.at >= self.limit or not self.kinds:
            return False
        if self.at in self.layout.closing:
            return self.attempt.accepts("ITEMS") and not self.attempt.accepts("BLOCK")
        if self.text[self.at] == "|":
            return self.attempt.accepts("ROWS")
        announced = any(kind in _ANNOUNCES for kind in self.kinds[-2:])
        if self._whole_quote(announced):
            return False
        if crossed:
            if not (announced or self.kinds[-1] == "COLON"):
                return False
            return any(map(self.attempt.accepts, ("OLD", "TEXT", "BULLETS", "ROWS", "ITEMS")))
        announced = announced or self.kinds[-2:] == ["QUOTED", "COLON"]
        return announced and self.kinds[-1] == "COLON" and self.attempt.accepts("TEXT")

    def _whole_quote(self, announced: bool) -> bool:
        """Whether a text in quotes stands here, with nothing behind it on its last line."""
        if self.text[self.at] not in "\"“‘'" or (close := self.layout.quoted(self.at)) is None:
            return False
        if not announced and self.attempt.accepts("QUOTED"):
            return True
        rest = self.text[close + 1 : self.layout.line_end(close, self.limit)]
        return not rest.strip(" \t\r.,;") or rest.lstrip().split(" ")[0].casefold() in KEYWORDS

    def _take_text(self, gap: int, crossed: int) -> bool:
        line = self.text.rfind("\n", gap, self.at) + 1
        start = line if crossed and not self.text[line : self.at].strip() else self.at
        kind, end = self._text_here(start)
        if not kind or not (kind == "ITEMS" or self.text[start:end].strip()):
            return False
        self._close_piece(gap)
        self.attempt.feed(kind, start, end)
        self.kinds.append(kind)
        self.at = self.piece = end
        if kind == "ITEMS":
            self.at = self.piece = gap
            self.limit = gap
        return True

    def _text_here(self, start: int) -> tuple[str, int]:
        accepts = self.attempt.accepts
        if accepts("ROWS"):
            return (
                ("ROWS", self._lines_end(start, _ROW)) if _ROW.match(self.text, start) else ("", 0)
            )
        if accepts("BULLETS"):
            is_list = BULLET.match(self.text, start)
            return ("BULLETS", self._lines_end(start, BULLET)) if is_list else ("", 0)
        if accepts("ITEMS") and self._starts_items(start):
            return "ITEMS", start
        if accepts("OLD"):
            return "OLD", self.text_end(start, old=True)
        return ("TEXT", self.text_end(start)) if accepts("TEXT") else ("", 0)

    def _starts_items(self, start: int) -> bool:
        if self.text[self.at] == "{":
            return True
        item = ITEM.match(self.text, start, self.limit)
        begin = item.end() if item else self.at
        word = _FIRST_WORD.match(self.text, begin, self.limit)
        if word is None or word.group().casefold() not in VERBS:
            return False
        if not self.attempt.accepts("TEXT"):
            return True
        if "READ" in self.kinds:
            return False
        return not isinstance(
            Reader(self.layout, begin, self.limit, head_only=True).read(), Failure
        )

    def _lines_end(self, start: int, pattern: re.Pattern[str]) -> int:
        """The end of the lines from `start` that fit, blank ones and continuations between them."""
        at, end = start, start
        while at < self.limit:
            line_end = self.layout.line_end(at, self.limit)
            if pattern.match(self.text, at, self.limit):
                end = line_end
            elif not _BLANK.match(self.text, at, self.limit) and not (
                pattern is BULLET and self.text[at] in " \t" and end == at - 1
            ):
                break
            elif not _BLANK.match(self.text, at, self.limit):
                end = line_end
            at = line_end + 1
        return end

    def text_end(self, start: int, *, old: bool = False) -> int:
        """Where a text without braces ends: before a line that begins another change."""
        at = start
        while at < self.limit:
            if old and _WITH.match(self.text, at, self.limit):
                break
            if self._starts_another(at):
                break
            at = self._line_end_with_braces(at) + 1
        return max(start, min(at, self.limit))

    def _line_end_with_braces(self, at: int) -> int:
        end = self.layout.line_end(at, self.limit)
        while (brace := self.text.find("{", at, end)) >= 0:
            close = self.layout.closing.get(brace, brace)
            at = close + 1
            end = max(end, self.layout.line_end(at, self.limit))
        return end

    def _starts_another(self, line: int) -> bool:
        if SIGNATURE.match(self.text, line):
            return True
        marker = ITEM.match(self.text, line, self.limit)
        if marker:
            if not self.item or not _next_item(self.item, marker.group().strip()):
                return False
            line = marker.end()
            word = _FIRST_WORD.match(self.text, line, self.limit)
            if word is not None and word.group().casefold() in VERBS:
                return True
        return begins_change(self.layout, line, self.limit)

    # Tokens

    def _take_token(self) -> bool:
        char = self.text[self.at]
        if char == "{":
            return self._take_block()
        if char in "\"“‘'" and (close := self.layout.quoted(self.at)) is not None:
            announced = set(self.kinds[-2:]) & set(_ANNOUNCES)
            kinds = ("QTEXT", "QUOTED") if announced else ("QUOTED",)
            if set(self.kinds) & {"TEXT_OF", "READ"}:
                kinds = (*kinds, "QTEXT")
            if close < self.limit and self._feed_first(kinds, self.at + 1, close):
                self.at = close + 1
                return True
        if char == "(" and (paren := _PAREN.match(self.text, self.at, self.limit)):
            return self._feed_first(("PAREN",), self.at + 1, paren.end() - 1, paren.end())
        if joint := self._joint():
            return joint
        if char in ",:":
            kind = "COMMA" if char == "," else "COLON"
            return self._feed_first((kind,), self.at, self.at + 1)
        word = WORD.match(self.text, self.at, self.limit)
        return word is not None and self._take_word(word.group())

    def _take_block(self) -> bool:
        if self.at not in self.layout.closing or not self.attempt.accepts("BLOCK"):
            return False
        number, inner_end, end = self.layout.block(self.at)
        self._close_piece(self.at)
        self.piece = end
        return self._feed_first(("BLOCK",), self.at + number, inner_end, end)

    def _joint(self) -> bool:
        """A comma, colon or “and” before another verb."""
        if not self.kinds or not self.attempt.accepts("THEN"):
            return False
        joint = JOINT.match(self.text, self.at, self.limit)
        if joint is None or joint.start(1) == self.at or joint.group(1).casefold() not in VERBS:
            return False
        if self.text[self.at] == ":" and "\n" in joint.group():
            return False
        return self._feed_first(("THEN",), self.at, joint.start(1), joint.start(1))

    def _take_word(self, word: str) -> bool:
        bare = word.rstrip(".!?")
        whole = word if bare and self._keeps_point(word) else bare
        if not whole:
            return False
        end = self.at + len(whole)
        plain = whole.strip("*_`").casefold()
        letter = whole == "A" and self.kinds
        kinds = [KEYWORDS[plain]] if plain in KEYWORDS and not letter else []
        if kinds == ["THE"] and not self.kinds and not self._opens_a_passive(end):
            kinds = []
        if amount(plain) is not None and not letter and not self._number_follows(end):
            kinds.append("NUMBER")
        if RULE_NUMBER.fullmatch(whole):
            kinds.append("RULENUM")
        if POWER.fullmatch(whole):
            kinds.append("POWER")
        if possessive(whole):
            kinds.append("POSSESSIVE")
        return self._feed_first((*kinds, "WORD"), self.at, end)

    def _keeps_point(self, word: str) -> bool:
        if not word.endswith(".") or not INITIAL.fullmatch(word):
            return False
        behind = self.layout.skip(self.at + len(word), self.limit)
        after = _FIRST_WORD.match(self.text, behind, self.limit)
        if after is None:
            return self.text[behind : behind + 1].isdigit()
        return after.group().casefold() not in VERBS

    def _opens_a_passive(self, at: int) -> bool:
        """Whether the article that an instruction begins with is one of a rule, not of a name."""
        after = _FIRST_WORD.match(self.text, self.layout.skip(at, self.limit), self.limit)
        return after is not None and KEYWORDS.get(after.group()) in _OF_RULES

    def _number_follows(self, at: int) -> bool:
        word = WORD.match(self.text, self.layout.skip(at, self.limit), self.limit)
        return word is not None and amount(word.group().rstrip(".!?")) is not None

    def _feed_first(
        self, kinds: tuple[str, ...], start: int, end: int, after: int | None = None
    ) -> bool:
        for kind in kinds:
            if self.attempt.accepts(kind):
                self.attempt.feed(kind, start, end)
                self.kinds.append(kind)
                self.words = self.words + 1 if kind == "WORD" else 0
                self.at = end if after is None else after
                return True
        return False


def _next_item(item: str, marker: str) -> bool:
    number, other = item.strip("(.)"), marker.strip("(.)")
    if number.isdecimal() and other.isdecimal():
        return int(other) == int(number) + 1
    return number == other or (len(number) == len(other) == 1 and ord(other) == ord(number) + 1)


def starts_change(text: str, line: int, limit: int) -> bool:
    """Whether the first word of a line, its capital included, is one that begins changes."""
    word = _FIRST_WORD.match(text, line, limit)
    if word is None or not word.group()[0].isupper():
        return False
    plain = word.group().casefold()
    return plain in VERBS or KEYWORDS.get(plain) in ("IN", "TO", "FROM", "UNDER")


def begins_change(layout: Layout, line: int, limit: int) -> bool:
    """Whether the line that begins at `line` begins a change that can be read, or nearly."""
    if not starts_change(layout.text, line, limit):
        return False
    if _RULE_CHANGE.match(layout.text, line, limit):
        return True
    read = Reader(layout, line, limit, head_only=True).read()
    return not isinstance(read, Failure)

"""A sentence of a body: cut from its first word to its last, with its marked texts as tokens, and
read by the grammar of changes (`grammar.lark`)."""

import re
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from nomic.infrastructure.caching.memory import memoized
from nomic.infrastructure.paths import home
from nomic.rulebook.changes.layout import HEADING, ITEM, SECTION, Layout, block_text
from nomic.rulebook.changes.unmarked import (
    ROW_OR_BULLET,
    ends_surely,
    goes_on_below,
    indented_end,
    is_one_text,
    list_end,
    list_ends_above,
    quoted_lines_end,
)
from nomic.rulebook.units import word_set

type Words = Tree[Token]


VERBS = word_set(
    "amend enact create repeal replace retitle rename renumber change set delete remove strike"
    " add prepend append insert substitute modify give award grant take deduct transfer destroy"
    " increase raise decrease reduce lower flip reenact re-enact re-title reword ratify transmute"
)
PLACES = word_set("in to from under after before throughout")
STARTERS = VERBS | PLACES
_OPENERS = STARTERS | word_set("then also finally next and make apply within rule the r if")
_LATER = re.compile(r"\b(?:gains?|receives?|gets?|loses?|becomes|is|are|it|its)\b", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_SIGNATURE = re.compile(r"^-- ?\r?$", re.MULTILINE)
_LONGEST = 4_000  # characters of a sentence without its marked texts; a longer one is not read
_LONGEST_ASIDE = 200  # characters; longer words in parentheses are no aside of the language
_MARK_LENGTH = 6  # characters of a marked text as it stands in a sentence's words, such as “{12}”
_GAPS = re.compile(r"\n(?:[ \t\r]*\n){2,}")
_QUOTES = "\"“‘'"  # what opens a quote
_MOST_LOOKS = 60  # at whether the words of one sentence so far are whole, or announce a text
_MOST_OF_BODY = 3_000  # such looks; what looked like a text is often looked at again
_WORD = re.compile(r"\d{1,3}(?:,\d{3})+(?![\w,])|[^\s\"“”{}\[\]()|,:;]+")
_RUN = re.compile(r"([A-Za-z0-9]+(?: [A-Za-z0-9]+)*)(?= )")
_STOP = re.compile(r"(?<![.!?])[.!?]++$")
_NEW_RULE = re.compile(
    r"(?:add|create|enact) an? (?:new )?(?:(?:dynastic|core) )?rule", re.IGNORECASE
)
_CALL_IT = re.compile(r"\s+(?:call|name|title) it(?= [\"“])", re.IGNORECASE)
_ENDS_SENTENCE = re.compile(r"[.!]?[ \t\r]*(?:\n|\Z)")
_TITLE_TO_END = re.compile(
    r" ([A-Z][\w'’-]*(?: (?:[A-Z][\w'’-]*|of|the|and|for|in|on|an?))*)(?=[.!]?[ \t\r]*(?:\n|\Z))"
)
_LABELLED = re.compile(
    r"\*\*(Addition|Amendment|Removal)(?::\*\*|\*\*:)[ \t]*__([^\n_]+)__[ \t\r]*$", re.MULTILINE
)
_LABELS = {
    "Addition": ("enact a rule titled", "with the text"),
    "Amendment": ("amend the rule", "to read"),
    "Removal": ("repeal the rule", ""),
}
"""What a label of Blue Sheep's says before the title and behind it."""
_ID_LAST = re.compile(r"(?:^|\s)(?:[Rr]ule -?|R)#?\d[\w.-]*$")
_UNCLOSED = re.compile(r"[\"“]([A-Z][^\n\"“”,:.]{0,118})(?=,[ \n](?:by|to) )")
_INITIAL = re.compile(r"[A-Z]\.$")
_FENCE = re.compile(r"[ \t]*(```+|~~~+|-{3,}|={3,}|_{3,}|\*{3,}|\"(?!\S))\w*[ \t\r]*\n")
_QUOTE_MARK = re.compile(r"^\s*> ?")
_JOINT = re.compile(r"(?:(?:and|then|also|now|finally|next),? +)+", re.IGNORECASE)
_REPEALED = re.compile(
    r"(?:the )?rules? [^\n]{1,200}(?:is|are) (?:hereby )?(?:repealed|amended|retitled)\b",
    re.IGNORECASE,
)
_OF_RULES = (
    "enact",
    "whole",
    "under",
    "amend",
    "repeal",
    "retitle",
    "renumber",
    "power",
    "transmute",
)
_ASIDE = re.compile(r"\(([^()]*)\)")
_WORDS_ALL_THE_SAME = re.compile(
    r"in (?:full|whole|its entirety)|as a single amendment", re.IGNORECASE
)  # in parentheses
_COLON_DASH = re.compile(r":[-–—](?=[ \t\r]*\n)")
_REPEALS = ("repeal", "delete", "remove")
_GOES_ON = re.compile(
    r"(?:with|by|and|to|in|from|after|before)\b|[,;.]|the (?:new |following )?text:"
)


_REPEAL_THESE = re.compile(r"repeal (?:each of )?the following rules\b", re.IGNORECASE)
_FURTHER = re.compile(
    r"(?:(?:and|then|also) )*(?:by )?"
    r"(?:replac|delet|remov|strik|insert|add|append|prepend|chang)ing\b"
)
"""Another edit of the rule, behind a comma."""


# By the terminals of grammar.lark: FLUSH is a text without marks, LINES are bullets or rows.
_MARKED = {
    "QUOTED": "“{}”",
    "BLOCK": "{{{}}}",
    "FLUSH": "[{}]",
    "LINES": "|{}|",
    "ASIDE": "({})",
}
"""How a marked text of each kind stands in the words that the grammar reads."""
_OF_LINES = ("BLOCK", "FLUSH", "LINES")


@dataclass
class Sentence:
    """From `start` to `end` of a body; `tree` is None where it is none of the language.

    `texts` are the marked texts, as they are numbered in the tree; `words` its own words without
    them. `blocks` are where each of them stands.
    """

    start: int
    end: int
    words: str = ""
    tree: Words | None = None
    texts: list[str] = field(default_factory=list)
    blocks: list[tuple[int, int]] = field(default_factory=list)
    first_block: int = -1  # where the first text stands that is not in quotes
    open_quote: bool = False  # whether a quote is opened in it and not closed
    last_line: str = ""  # of a text of several lines whose end nothing marks
    is_endless: bool = False  # whether it has a text of which nothing tells where it ends

    @property
    def is_head(self) -> bool:
        """Whether it only names the rule for the edits below it."""
        return self.tree is not None and top_of(self.tree).data == "under"


def top_of(tree: Words) -> Words:
    """The form of change that a sentence is."""
    (top,) = tree.children
    assert not isinstance(top, Token)
    return top


def first_word(text: str, at: int) -> str:
    word = _FIRST_WORD.match(text, at)
    return word.group() if word else ""


@cache
def _parser() -> Lark:
    """The parser; Lark keeps its tables in the site's own folder, since making them takes long."""
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", cache=str(home().folder / "grammar"))


@memoized(share=0.02)
def parsed(words: str) -> Words | None:
    """The tree of a sentence of the closed language, or None."""
    if not _may_be(words):
        return None
    try:
        # With a blank, since a word of the grammar is one where a blank follows, the last as well.
        return _parser().parse(f"{words} ")
    except UnexpectedInput:
        return None


def _may_be(words: str) -> bool:
    """Whether a sentence may be one of the language, by a quick look."""
    first = first_word(words, 0).casefold()
    is_opener = not first or first in _OPENERS or first.endswith("ing")
    return is_opener or _LATER.search(words) is not None


@memoized(share=0.01)
def expects_block(words: str) -> bool:
    """Whether a marked text may come after these words."""
    if not _may_be(words):
        return False
    try:
        parser = _parser().parse_interactive(f"{words} ")
        parser.exhaust_lexer()
    except UnexpectedInput:
        return False
    return "BLOCK" in parser.choices()  # type: ignore[no-untyped-call]


def starts_capital(text: str, at: int) -> bool:
    """Whether a word with a capital stands there that begins instructions."""
    word = first_word(text, at)
    return word[:1].isupper() and word.casefold() in STARTERS


class _Coming(Enum):
    """What comes next of a body whose sentence is being cut."""

    TOKEN = auto()
    BLOCK = auto()  # of lines that are indented, below an empty one
    OWN_LINES = auto()  # a text without marks above a line “with”, or below it
    ANOTHER_SENTENCE = auto()


class Cutter:
    """Cuts one sentence out of `layout`, from `start` on, never beyond `limit`."""

    def __init__(self, layout: Layout, start: int, limit: int) -> None:
        self.layout, self.text = layout, layout.text
        self.start, self.at, self.limit = start, start, limit
        self.parts: list[str] = []
        self.length = 0
        self.sentence = Sentence(start, start)
        self.looks = 0
        self.last = ""  # the kind of the last token
        self.kinds: set[str] = set()  # those of its marked texts so far
        self.marked_only = False  # whether its text has to be marked
        self.is_item = bool(self.text[layout.line_start(start) : start].strip())
        self.indent = layout.column(start) if self.is_item else layout.indent(start)

    def cut(self) -> Sentence:
        """The sentence, read where it is of the language."""
        label = _LABELLED.match(self.text, self.start, self.limit)
        end = self._take_labelled(label) if label and not self.is_item else self._take_all()
        sentence = self.sentence
        sentence.end = max(end, self.start + 1)
        sentence.words = self._words()
        if sentence.tree is None and self.length <= _LONGEST:
            sentence.tree = parsed(sentence.words)
        return sentence

    def _take_labelled(self, label: re.Match[str]) -> int:
        """Take a title behind its label, and the text below; returns where they end."""
        before, behind = _LABELS[label[1]]
        self.parts.append(before)
        self._mark("QUOTED", self.at, *label.span(2), label.end())
        if behind:
            self.parts.append(behind)
            further = _LABELLED.search(self.text, self.at, self.limit)
            self.limit = further.start() if further else self.limit
            self.marked_only = label[1] == "Amendment"
            below = self.layout.skip(self.at, self.limit)
            if self._take_below_colon() and self.text[below : below + 1] == "{":
                self.at = below
                self._take()
        return self.at

    def _take_all(self) -> int:
        """Take token by token; returns where the last one ends."""
        while True:
            end = self.at
            self.at, breaks = self.layout.gap(self.at, self.limit)
            if self.at >= self.limit or self.length > _LONGEST:
                break
            coming = self._coming(breaks)
            if coming is _Coming.ANOTHER_SENTENCE:
                break
            if coming is _Coming.BLOCK and not self._take_block(self.at):
                break
            if coming is _Coming.OWN_LINES and not self._take_unmarked(self.at):
                break
            if coming is _Coming.TOKEN and not self._take():
                return self.at
        return end

    def _words(self) -> str:
        return " ".join(self.parts)

    def _is_complete(self) -> bool:
        """Whether the words so far are a sentence of the language."""
        return self._spend_look() and parsed(self._words()) is not None

    def _spend_look(self) -> bool:
        """Count a look at the words so far: whether they may be read once more. A sentence that
        needs it too often, or is too long, is none of the language."""
        self.looks += 1
        self.layout.looks += 1
        is_few = self.looks <= _MOST_LOOKS and self.layout.looks <= _MOST_OF_BODY
        if not is_few:
            self.parts.append("\ufffd")  # which no form of the language has
        return is_few and self.length <= _LONGEST

    def _coming(self, breaks: int) -> _Coming:
        """What comes behind the words so far and so many line breaks."""
        # Behind “by replacing “a” with “b”,” another edit goes on below
        if not self.parts or (self.parts[-1] == "," and _FURTHER.match(self.text, self.at)):
            return _Coming.TOKEN
        text, at = self.text, self.at
        if self.last in ("QUOTED", *_OF_LINES) and starts_capital(text, at):
            # Behind “Replace “a” with “b””, “Repeal rule 4”; behind “After “a””, “Insert” goes on
            ends = self._is_complete() or breaks > 0
        elif not breaks:
            ends = False
        # “by replacing”, and an item that is indented: the text
        elif self._is_text_in_items(at):
            return _Coming.BLOCK
        # A line below: “- Repeal rule 4”, “# Comments”
        elif ITEM.match(text, self.layout.line_start(at)) or HEADING.match(text, at):
            ends = True
        # “Amend rule 4 to read” and its text, or “Repeal rule 4” and something else
        elif text[at] == "{":
            ends = self._is_complete() and not expects_block(self._words())
        # The old text, and “with” or “to read” below it
        elif self.last in _OF_LINES:
            ends = not _GOES_ON.match(text, at)
        # “Repeal rule 4” and “Repeal rule 5” below it; other lines are wrapped
        elif breaks == 1:
            ends = starts_capital(text, at) and self._is_complete()
        # Below an empty line: a quote on lines of its own, “with” below such a one
        elif text[at] in '"“' or (self.last == "QUOTED" and _GOES_ON.match(text, at)):
            ends = False
        else:
            # “Append to rule 4”, and a text that is indented
            is_indented = self.layout.indent(at) > self.indent
            if is_indented and self._spend_look() and expects_block(self._words()):
                return _Coming.BLOCK
            if self._is_beside_with(at):
                return _Coming.OWN_LINES
            ends = True
        return _Coming.ANOTHER_SENTENCE if ends else _Coming.TOKEN

    def _is_text_in_items(self, at: int) -> bool:
        """Whether an item stands there that is indented, for a text for which the words ask."""
        is_item = ITEM.match(self.text, self.layout.line_start(at)) is not None
        if not is_item or self.last != "WORD" or self.layout.indent(at) <= self.indent:
            return False
        return not self._is_complete() and expects_block(self._words())

    def _is_beside_with(self, at: int) -> bool:
        """Whether the paragraph there stands above a line “with” for which the words so far ask, or
        below it."""
        if "FLUSH" in self.kinds:
            return self.parts[-1].casefold() in ("with", "text", "following")
        words, line = self._words(), self.layout.with_line(at)
        is_above = line is not None and line < self.limit and self._spend_look()
        return is_above and parsed(f"{words} [0] with [1]") is not None

    def _take(self) -> bool:
        """Take the next token; False where it ends the sentence."""
        char = self.text[self.at]
        if char == "{" and self.at in self.layout.closing:
            number, inner_end, end = self.layout.block(self.at)
            self._mark("BLOCK", self.at, self.at + number, inner_end, end)
            return True
        aside = _ASIDE.match(self.text, self.at, min(self.limit, self.at + _LONGEST_ASIDE))
        if aside and _WORDS_ALL_THE_SAME.fullmatch(aside[1]):
            self._word(aside[1], len(aside[0]))
            return True
        if aside:
            self._mark("ASIDE", self.at, aside.start(1), aside.end(1), aside.end())
            return True
        if char in _QUOTES and self._take_quote():
            return True
        if char == ":" and self.parts:
            dash = _COLON_DASH.match(self.text, self.at, self.limit)
            self.at += len(dash[0]) if dash else 1
            self.last = ":"
            return self._take_behind_number() or self._take_below_colon()
        if char == ";":
            self.at += 1
            return False
        if run := _RUN.match(self.text, self.at, self.limit):
            self._word(run[1], len(run[1]))
            return True
        if word := _WORD.match(self.text, self.at, self.limit):
            return self._take_word(word)
        self._word("," if char == "," else "\ufffd", 1)
        return True

    def _take_word(self, match: re.Match[str]) -> bool:
        """Take a word; False where a stop behind it ends the sentence."""
        word, end = match.group(), match.end()
        stop, behind = _STOP.search(word), self.text[end : end + 1]
        if stop is None or (behind and not behind.isspace() and behind not in "}])"):
            # What the body has itself must not pass for our sign of what is none of the language.
            self._word(word.replace("\ufffd", "?"), len(word))
            return True
        # “A. Smith” goes on, unlike “plan A.” at a line's end.
        if _INITIAL.fullmatch(word) and behind == " " and self.text[end + 1 : end + 2].strip():
            self._word(word, len(word))
            return True
        bare = word[: stop.start()]
        if bare:
            self._word(bare, len(bare))
        # “Add a new rule. Call it “X” and give it …” is one instruction.
        call = _CALL_IT.match(self.text, end, self.limit) if stop[0] == "." else None
        if call and _NEW_RULE.fullmatch(self._words()):
            self._word(call[0].strip(), call.end() - self.at)
            return True
        if stop[0] == "." and self._announces(end):
            self.at = end
            return self._take_marked_below()
        if stop[0] not in (".", "!"):
            self._word("?", 0)  # which no form of the language has: it asks, or trails off
        self.at = end
        self.last = "."
        return False

    def _announces(self, stop: int) -> bool:
        """Whether the words before a full stop that ends its line ask for a text, as before a
        colon: “Amend rule 4 to read in full.”"""
        _, breaks = self.layout.gap(stop, self.limit)
        return breaks > 0 and not self._is_complete() and expects_block(self._words())

    def _take_marked_below(self) -> bool:
        """Take the text below if it is marked; False where the sentence ends with its full stop."""
        at, _ = self.layout.gap(self.at, self.limit)
        if at >= self.limit:
            return False
        if self.text[at] == "{":
            return at in self.layout.closing
        return (
            self._take_fenced(self.layout.line_start(at))
            or self._take_lone_quote(at)
            or self._take_block(at)
        )

    def _word(self, word: str, length: int) -> None:
        """Take a word that has so many characters of the body."""
        self.parts.append(word)
        self.length += len(word) + 1
        self.at += length
        self.last = "WORD"

    def _take_quote(self) -> bool:
        """Take a quote; or the title behind a rule's number whose closing quote is missing: it ends
        before the comma, and is nothing but that rule's title, or the sentence is left."""
        close = self.layout.quoted(self.at)
        if close is not None and close < self.limit:
            self._mark("QUOTED", self.at, self.at + 1, close, close + 1)
            return True
        is_behind_number = self.parts[-1:] == [","] and _ID_LAST.search(" ".join(self.parts[:-1]))
        title = _UNCLOSED.match(self.text, self.at, self.limit)
        if is_behind_number and title is not None:
            self._mark("QUOTED", self.at, title.start(1), title.end(1), title.end())
            return True
        self.sentence.open_quote = self.sentence.open_quote or self.layout.opens(self.at)
        return False

    def _mark(
        self, kind: str, at: int, start: int, stop: int, end: int, text: str | None = None
    ) -> None:
        """Take a marked text of that kind; `start` and `stop` are where its own text begins and
        ends, unless `text` is what is to be taken of that."""
        sentence, text = self.sentence, self.text[start:stop] if text is None else text
        self.parts.append(_MARKED[kind].format(len(sentence.texts)))
        self.length += _MARK_LENGTH
        if kind == "ASIDE":
            text = " ".join(text.split())
        if kind in _OF_LINES:
            text = block_text(text)
            sentence.blocks.append((at, end))
            if sentence.first_block < 0:
                sentence.first_block = at
        sentence.texts.append(text)
        self.kinds.add(kind)
        self.at, self.last = end, kind

    # What stands behind a colon, or below one at a line's end

    def _take_behind_number(self) -> bool:
        """Take the title to the sentence's end behind the number of a rule that is repealed, or see
        that a quotation there is a text; False where neither stands there."""
        if not _ID_LAST.search(" ".join(self.parts[-2:])):
            return False
        title = _TITLE_TO_END.match(self.text, self.at, self.limit)
        is_repeal = first_word(self.parts[0], 0).casefold() in _REPEALS
        if title is not None and is_repeal:
            self._mark("QUOTED", self.at, *title.span(1), title.end())
            return True
        quote = self.layout.skip(self.at, self.layout.line_end(self.at, self.limit))
        close = self.layout.quoted(quote) if self.text[quote : quote + 1] in ('"', "“") else None
        if close is None or is_repeal or not _ENDS_SENTENCE.match(self.text, close + 1):
            return False
        self.parts.append(":")
        return True

    def _take_below_colon(self) -> bool:
        """Take the text below a colon that ends its line, if one is there; False where the sentence
        ends."""
        at, breaks = self.layout.gap(self.at, self.limit)
        if at >= self.limit or not breaks:
            return True
        if not self._spend_look():
            return False
        words = self._words()
        tree = parsed(words)
        if tree is None and ITEM.match(self.text, self.layout.line_start(at), self.limit):
            tree = parsed(f"{words} as follows")  # “Amend rule 4:” and a list
        if tree is not None and top_of(tree).data == "under":
            self.sentence.tree = tree
            return False
        if self.text[at] == "{":
            return True
        if self._take_fenced(self.layout.line_start(at)) or self._take_block(at):
            return True
        if self.marked_only:
            return self._leave_endless()
        return not self.sentence.is_endless and self._take_unmarked(at)

    def _take_fenced(self, line: int) -> bool:
        """Take what stands between a line of marks and the next line of the same ones."""
        fence = _FENCE.match(self.text, line, self.limit)
        if fence is None:
            return False
        closing = re.compile(rf"^[ \t]*{re.escape(fence[1])}[ \t\r]*$", re.M)
        close = closing.search(self.text, fence.end(), self.limit)
        if close is None:
            return False
        self._mark("BLOCK", line, fence.end(), close.start(), close.end())
        return True

    def _take_block(self, at: int) -> bool:
        """Take the lines there that begin with “>”, or are indented more than the sentence; False
        where there are none, or nothing tells where they end."""
        line = self.layout.line_start(at)
        if self.text[at] == ">":
            end = quoted_lines_end(self.layout, line, self.limit)
        elif self.layout.indent(at) <= self.indent:
            return False
        elif self._take_lone_quote(at):
            return True
        else:
            end = indented_end(self.layout, line, self.indent, self.limit)
            # It is no block where its last line goes on, wrapped by the author's editor, in one
            # that is not indented. An empty one stands above “with …:”.
            if end is not None and end > line and goes_on_below(self.layout, end, self.limit):
                return False
        if end is None:
            return self._leave_endless()
        unquoted = None
        if self.text[at] == ">":
            rows = self.text[line:end].splitlines()
            unquoted = "\n" + "\n".join(_QUOTE_MARK.sub("", row) for row in rows)
        self._mark("BLOCK", line, line, end, end, unquoted)
        return True

    def _take_lone_quote(self, at: int) -> bool:
        """Take a quote that stands on lines of its own."""
        if self.text[at] not in '"“' or (close := self.layout.quoted(at)) is None:
            return False
        rest = self.text[close + 1 : self.layout.line_end(close, self.limit)]
        if close >= self.limit or rest.strip(" \t\r.,;"):
            return False
        self._mark("QUOTED", at, at + 1, close, close + 1)
        return True

    def _take_unmarked(self, at: int) -> bool:
        """Take bullets, rows or a text without marks where the words so far ask for one; False
        where nothing tells where they end."""
        if self._take_lone_quote(at):
            return True
        words, line = self._words(), self.layout.line_start(at)
        if ROW_OR_BULLET.match(self.text, line) and parsed(f"{words} |0|"):
            is_beside = self.is_item and self.layout.indent(line) < self.indent
            # Names of rules can be nothing else, also with empty lines between them.
            is_apart = _REPEAL_THESE.match(words) is not None
            end = None if is_beside else list_end(self.layout, line, self.limit, is_apart)
            if end is None:
                return self._leave_endless()
            self._mark("LINES", line, line, end, end)
            return True
        end = self._end_above_with_line(at, words)
        if end is None:
            tree = parsed(f"{words} [0]")
            if tree is None:
                return True
            end = self._last_text_end(at, tree)
        if end is None or not is_one_text(self.layout, line, end):
            return self._leave_endless()
        text = self.layout.without_comments(line, end)
        self._mark("FLUSH", line, line, end, end, _GAPS.sub("\n\n", text))
        *above, last = text.strip().splitlines() or [""]
        self.sentence.last_line = last if above else ""
        return True

    def _leave_endless(self) -> bool:
        """Leave the sentence to the officer, since nothing tells where its text ends."""
        self.sentence.is_endless = True
        self.at = self.limit
        self.parts.append("\ufffd")  # which no form of the language has
        return False

    def _end_above_with_line(self, at: int, words: str) -> int | None:
        """Where an old passage ends above the line “with the following:” of its paragraph; None
        where there is no such line, or the words so far ask for none."""
        asks = parsed(f"{words} [0] with [1]") is not None
        line = self.layout.with_line(at) if asks else None
        return line - 1 if line and line < self.limit else None

    def _last_text_end(self, at: int, tree: Words) -> int | None:
        """Where the text ends with which an instruction of that form ends, or None."""
        line = self.layout.line_start(at)
        end = self._unmarked_end(line)
        if end is None:
            return None
        if any(tree.find_data("delete")) and self.layout.paragraph_end(at) < end:
            return None
        replaced = self.sentence.texts[-1] if self.sentence.blocks else ""
        return end if ends_surely(self.layout, line, end, self.limit, replaced) else None

    def _unmarked_end(self, first: int) -> int | None:
        """Where an unmarked text ends: at the end, or before the first line that begins another
        instruction, if it stands right below; None where that is not sure."""
        is_apart = False  # from the first line, by an empty one
        for line, end in self.layout.lines(first, self.limit):
            if not self.text[line:end].strip():
                is_apart = True
            elif line == first:
                continue
            elif self._ends_texts(line) or (
                not is_apart and list_ends_above(self.layout, line, end)
            ):
                return line - 1
            elif starts_capital(self.text, line):
                is_next = not is_apart and begins_instruction(self.layout, line, self.limit)
                return line - 1 if is_next else None
            elif self._hides_instruction(line, end):
                return None
        return self.limit

    def _ends_texts(self, line: int) -> bool:
        """Whether a signature or a section of comments begins there."""
        is_signature = _SIGNATURE.match(self.text, line) is not None
        return is_signature or SECTION.match(self.text, line, self.limit) is not None

    def _hides_instruction(self, line: int, end: int) -> bool:
        """Whether an item of a list, or a word such as “then”, begins an instruction there."""
        bullet = ITEM.match(self.text, line, end)
        at = bullet.end() if bullet else line
        joint = _JOINT.match(self.text, at, end)
        at = joint.end() if joint else at
        if (bullet or joint) and first_word(self.text, at).casefold() in STARTERS:
            return begins_instruction(self.layout, at, end, of_rules=True)
        return _REPEALED.match(self.text, at, end) is not None


def read_alone(words: str) -> Sentence:
    """The first sentence of a body that is nothing but these words."""
    return Cutter(Layout(words), 0, len(words)).cut()


def begins_instruction(layout: Layout, at: int, limit: int, of_rules: bool = False) -> bool:
    """Whether the line there, up to its colon or stop, is one or begins one, perhaps of rules."""
    end = layout.line_end(at, limit)
    sentence = Cutter(layout, at, end).cut()
    texts = ("{0}", "[0]", "|0|")  # one of which may stand below
    trees = [sentence.tree, *(parsed(f"{sentence.words} {text}") for text in texts)]
    return any(
        tree is not None and (not of_rules or top_of(tree).data in _OF_RULES) for tree in trees
    )

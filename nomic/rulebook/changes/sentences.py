"""A sentence of a body: cut from its first word to its last, with its marked texts as tokens, and
read by the grammar of changes (`grammar.lark`)."""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from nomic.kept import kept
from nomic.places import home
from nomic.rulebook.changes.layout import HEADING, ITEM, LINES, SECTION, Layout, block_text

type Words = Tree[Token]


def word_set(words: str) -> frozenset[str]:
    """The words of some lines, as a set."""
    return frozenset(words.split())


VERBS = word_set(
    "amend enact create repeal replace retitle rename renumber change set delete remove strike"
    " add prepend append insert substitute modify give award grant take deduct transfer destroy"
    " increase raise decrease reduce lower flip reenact re-enact ratify"
)
PLACES = word_set("in to from under after before")
STARTERS = VERBS | PLACES
_OPENERS = STARTERS | word_set("then also finally next and make apply within rule the r")
_LATER = re.compile(r"\b(?:gains?|receives?|gets?|loses?|becomes|is|are|it|its)\b", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_SIGNATURE = re.compile(r"^-- ?\r?$", re.MULTILINE)
_LONGEST = 4_000  # characters of a sentence without its marked texts
_GAPS = re.compile(r"\n(?:[ \t\r]*\n){2,}")
_QUOTES = "\"“‘'"  # what opens a quote
_MOST_LOOKS = 60  # at whether the words of one sentence so far are whole, or announce a text
_MOST_OF_BODY = 3_000  # such looks; what looked like a text is often looked at again
_WORD = re.compile(r"\d{1,3}(?:,\d{3})+(?![\w,])|[^\s\"“”{}\[\]()|,:;]+")
_RUN = re.compile(r"([A-Za-z0-9]+(?: [A-Za-z0-9]+)*)(?= )")
_STOP = re.compile(r"(?<![.!?])[.!?]++$")
_ID_LAST = re.compile(r"(?:^|\s)(?:[Rr]ule |R)#?\d[\w.-]*$")
_UNCLOSED = re.compile(r"[\"“]([A-Z][^\n\"“”,:.]{0,118})(?=,[ \n](?:by|to) )")
_INITIAL = re.compile(r"[A-Z]\.$")
_FENCE = re.compile(r"[ \t]*(```+|~~~+|-{3,}|={3,}|_{3,}|\*{3,})\w*[ \t\r]*\n")
_WITH_LINE = re.compile(r"with\b[^\n]{0,60}:[ \t\r]*$", re.M)
_JOINT = re.compile(r"(?:(?:and|then|also|now|finally|next),? +)+", re.IGNORECASE)
_REPEALED = re.compile(
    r"(?:the )?rules? [^\n]{1,200}(?:is|are) (?:hereby )?(?:repealed|amended|retitled)\b",
    re.IGNORECASE,
)
_OF_RULES = ("enact", "whole", "under", "amend", "repeal", "retitle", "renumber", "power")
_ASIDE = re.compile(r"\(([^()]*)\)")
_WORDS_ALL_THE_SAME = re.compile(
    r"in (?:full|whole|its entirety)|as a single amendment", re.IGNORECASE
)  # in parentheses
_GOES_ON = re.compile(
    r"(?:with|by|and|to|in|from|after|before)\b|[,;.]|the (?:new |following )?text:"
)


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


@kept(0.02)
def parsed(words: str) -> Words | None:
    """The tree of a sentence of the closed language, or None."""
    if not _may_be(words):
        return None
    try:
        return _parser().parse(f"{words} ")
    except UnexpectedInput:
        return None


def _may_be(words: str) -> bool:
    """Whether a sentence may be one of the language, by a quick look."""
    first = first_word(words, 0).casefold()
    known = first in _OPENERS or first.endswith("ing")
    return not first or known or _LATER.search(words) is not None


@kept(0.01)
def expects_block(words: str) -> bool:
    """Whether a marked text may come after these words."""
    if not _may_be(words):
        return False
    try:
        reader = _parser().parse_interactive(f"{words} ")
        reader.exhaust_lexer()
    except UnexpectedInput:
        return False
    return "BLOCK" in reader.parser_state.parse_conf.states[reader.parser_state.position]


def starts_capital(text: str, at: int) -> bool:
    """Whether a word with a capital stands there that begins instructions."""
    word = first_word(text, at)
    return word[:1].isupper() and word.casefold() in STARTERS


class Cutter:
    """Cuts one sentence out of `layout`, from `start` on, never beyond `limit`."""

    def __init__(self, layout: Layout, start: int, limit: int) -> None:
        self.layout, self.text = layout, layout.text
        self.start, self.at, self.limit = start, start, limit
        self.parts: list[str] = []
        self.length = 0
        self.made = Sentence(start, start)
        self.looks = 0
        self.last = ""  # the kind of the last token
        self.is_item = bool(self.text[layout.line_start(start) : start].strip())
        self.indent = layout.column(start) if self.is_item else layout.indent(start)

    def cut(self) -> Sentence:
        """The sentence, read where it is of the language."""
        end = self.at
        while True:
            end = self.at
            self.at, breaks = self.layout.gap(self.at, self.limit)
            if self.at >= self.limit or self.length > _LONGEST:
                break
            here = self.at
            if self.parts and self._ends_before(breaks):
                break
            if self.at == here and not self._take():
                end = self.at
                break
        made = self.made
        made.end = max(end, self.start + 1)
        made.words = " ".join(self.parts)
        if made.tree is None and self.length <= _LONGEST:
            made.tree = parsed(made.words)
        return made

    def complete(self) -> bool:
        return self._may_look() and parsed(" ".join(self.parts)) is not None

    def _may_look(self) -> bool:
        """Whether the words so far may be read once more; a sentence that needs it too often, or is
        too long, is none of the language."""
        self.looks += 1
        self.layout.looks += 1
        is_few = self.looks <= _MOST_LOOKS and self.layout.looks <= _MOST_OF_BODY
        if not is_few:
            self.parts.append("\ufffd")
        return is_few and self.length <= _LONGEST

    def _ends_before(self, breaks: int) -> bool:
        char = self.text[self.at]
        after_text = self.last in ("BLOCK", "QUOTED", "LINES")
        if after_text and starts_capital(self.text, self.at):
            return self.complete() or breaks > 0
        if not breaks:
            return False
        line = self.layout.line_start(self.at)
        if ITEM.match(self.text, line) or HEADING.match(self.text, self.at):
            return True
        if char == "{":
            return self.complete() and not expects_block(" ".join(self.parts))
        if self.last == "BLOCK" or self.last == "LINES":
            return not _GOES_ON.match(self.text, self.at)
        if breaks > 1:
            if char in '"“' or (self.last == "QUOTED" and _GOES_ON.match(self.text, self.at)):
                return False
            # An indented text is taken here, if the words so far ask for one.
            indented = self.layout.indent(self.at) > self.indent
            expects = indented and self._may_look() and expects_block(" ".join(self.parts))
            return not (expects and self._indented(self.at, line))
        return starts_capital(self.text, self.at) and self.complete()

    def _take(self) -> bool:
        """Take the next token; False where it ends the sentence."""
        char = self.text[self.at]
        if char == "{" and self.at in self.layout.closing:
            number, inner_end, end = self.layout.block(self.at)
            self._mark("{{{}}}", "BLOCK", self.at, self.at + number, inner_end, end)
            return True
        aside = _ASIDE.match(self.text, self.at, min(self.limit, self.at + 200))
        if aside and _WORDS_ALL_THE_SAME.fullmatch(aside[1]):
            self._word(aside[1], len(aside[0]))
            return True
        if aside:
            self._mark("({})", "ASIDE", self.at, aside.start(1), aside.end(1), aside.end())
            return True
        if char in _QUOTES and self._take_quote():
            return True
        if char == ":" and self.parts:
            self.at += 1
            self.last = ":"
            return self._behind_colon()
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

    def _take_word(self, word: re.Match[str]) -> bool:
        said = word.group()
        stop = _STOP.search(said)
        behind = self.text[word.end() : word.end() + 1]
        if stop is None or (behind and not behind.isspace() and behind not in "}])"):
            self._word(said.replace("\ufffd", "?"), len(said))
            return True
        if (
            _INITIAL.fullmatch(said)
            and behind == " "
            and self.text[word.end() + 1 : word.end() + 2].strip()
        ):
            self._word(said, len(said))
            return True
        bare = said[: stop.start()]
        if bare:
            self._word(bare, len(bare))
        if stop[0] not in (".", "!"):
            self._word("?", 0)
        self.at = word.end()
        self.last = "."
        return False

    def _word(self, said: str, length: int) -> None:
        self.parts.append(said)
        self.length += len(said) + 1
        self.at += length
        self.last = "WORD"

    def _take_quote(self) -> bool:
        """Take a quote; or the title behind a rule's number whose closing quote is missing: it ends
        before the comma, and is nothing but that rule's title, or the sentence is left."""
        close = self.layout.quoted(self.at)
        if close is not None and close < self.limit:
            self._mark("“{}”", "QUOTED", self.at, self.at + 1, close, close + 1)
            return True
        is_behind_number = self.parts[-1:] == [","] and _ID_LAST.search(" ".join(self.parts[:-1]))
        title = _UNCLOSED.match(self.text, self.at, self.limit)
        if is_behind_number and title is not None:
            self._mark("“{}”", "QUOTED", self.at, title.start(1), title.end(1), title.end())
            return True
        self.made.open_quote = self.made.open_quote or self.layout.opens(self.at)
        return False

    def _mark(self, form: str, kind: str, at: int, start: int, stop: int, end: int) -> None:
        """Take a marked text; `start` and `stop` are where its own text begins and ends."""
        made = self.made
        text = self.text[start:stop]
        self.parts.append(form.format(len(made.texts)))
        self.length += 6
        made.texts.append(" ".join(text.split()) if kind == "ASIDE" else text)
        if kind not in ("QUOTED", "ASIDE"):
            made.texts[-1] = block_text(text)
            made.blocks.append((at, end))
            if made.first_block < 0:
                made.first_block = at
        self.at, self.last = end, kind

    # What stands behind a colon at a line's end

    def _behind_colon(self) -> bool:
        end = self.layout.line_end(self.at, self.limit)
        at, breaks = self.layout.gap(self.at, self.limit)
        if at >= self.limit or not breaks or at <= end:
            return True
        if not self._may_look():
            return False
        tree = parsed(" ".join(self.parts))
        if tree is not None and top_of(tree).data == "under":
            self.made.tree = tree
            return False
        if self.text[at] == "{":
            return True
        line = self.layout.line_start(at)
        if fence := _FENCE.match(self.text, line, self.limit):
            close = re.compile(rf"^[ \t]*{re.escape(fence[1])}[ \t\r]*$", re.M)
            if found := close.search(self.text, fence.end(), self.limit):
                self._mark("{{{}}}", "BLOCK", line, fence.end(), found.start(), found.end())
                return True
        return self._indented(at, line) or self._flush(at, line)

    def _indented(self, at: int, line: int) -> bool:
        """A block of lines that are indented more than the sentence, or begin with “>”."""
        own = self.layout.indent(at)
        if own > self.indent and self._is_one_quote(at):
            return True
        quoted = self.text[at] == ">"
        if own <= self.indent and not quoted:
            return False
        end = here = line
        lowest = own
        while here < self.limit:
            line_end = self.layout.line_end(here, self.limit)
            first = here + len(self.text[here:line_end]) - len(self.text[here:line_end].lstrip())
            if first < line_end:
                depth = self.layout.indent(here)
                if quoted:
                    if self.text[first] != ">":
                        break
                    if here > end + 1:
                        return self._endless()
                elif depth <= own and _WITH_LINE.match(self.text, first, self.limit):
                    break
                elif depth <= self.indent:
                    if here == end + 1 and not _WITH_LINE.match(self.text, first, self.limit):
                        return False
                    break
                elif depth < lowest and here > end + 1:
                    return self._endless()
                end, lowest = line_end, min(depth, lowest)
            here = line_end + 1
        self._mark("{{{}}}", "BLOCK", line, line, end, end)
        if quoted:
            lines = self.text[line:end].splitlines()
            self.made.texts[-1] = block_text(
                "\n" + "\n".join(re.sub(r"^\s*> ?", "", each) for each in lines)
            )
        return True

    def _is_one_quote(self, at: int) -> bool:
        """Take a quote that stands on lines of its own."""
        if self.text[at] not in '"“' or (close := self.layout.quoted(at)) is None:
            return False
        rest = self.text[close + 1 : self.layout.line_end(close, self.limit)]
        if close >= self.limit or rest.strip(" \t\r.,;"):
            return False
        self._mark("“{}”", "QUOTED", at, at + 1, close, close + 1)
        return True

    def _flush(self, at: int, line: int) -> bool:
        """Lines of bullets or rows, or a text whose end nothing marks."""
        if self._is_one_quote(at):
            return True
        words = " ".join(self.parts)
        if LINES.match(self.text, line) and parsed(f"{words} |0|"):
            is_beside = self.is_item and self.layout.indent(line) < self.indent
            if is_beside or (end := self.layout.lines_end(line, self.limit)) is None:
                return self._endless()
            self._mark("|{}|", "LINES", line, line, end, end)
            return True
        tree = parsed(f"{words} [0]")
        with_line = self.layout.with_line(at) if parsed(f"{words} [0] with [1]") else None
        end = with_line - 1 if with_line and with_line < self.limit else None
        if end is None:
            if tree is None:
                return True
            end = self._unmarked_end(line)
            if end is not None and any(tree.find_data("delete")):
                end = None if self.layout.paragraph_end(at) < end else end
            replaced = self.made.texts[-1] if self.made.blocks else ""
            if end is not None and not self.layout.ends_surely(line, end, self.limit, replaced):
                end = None
        if end is None or not self.layout.is_one_text(line, end):
            return self._endless()
        self._mark("[{}]", "BLOCK", line, line, end, end)
        text = self.layout.without_comments(line, end)
        self.made.texts[-1] = block_text(_GAPS.sub("\n\n", text))
        *others, last = text.strip().splitlines() or [""]
        self.made.last_line = last if others else ""
        return True

    def _endless(self) -> bool:
        """Give up, since nothing tells where a text ends."""
        self.made.is_endless = True
        self.at = self.limit
        self.parts.append("\ufffd")
        return False

    def _unmarked_end(self, line: int) -> int | None:
        """Where an unmarked text ends: at the end, or before the first line that begins another
        instruction, if it stands right below; None where that is not sure."""
        here, blank = line, False
        while here < self.limit:
            line_end = self.layout.line_end(here, self.limit)
            if not self.text[here:line_end].strip():
                blank = True
            elif here > line and (
                _SIGNATURE.match(self.text, here)
                or SECTION.match(self.text, here, self.limit)
                or (not blank and self.layout.list_ends_above(line, here, line_end))
            ):
                return here - 1
            elif here > line and starts_capital(self.text, here):
                if blank or not begins_instruction(self.layout, here, self.limit):
                    return None
                return here - 1
            elif here > line and self._hides_instruction(here, line_end):
                return None
            here = line_end + 1
        return self.limit

    def _hides_instruction(self, line: int, end: int) -> bool:
        """Whether an item of a list, or a word such as “then”, begins an instruction there."""
        item = ITEM.match(self.text, line, end)
        at = item.end() if item else line
        joint = _JOINT.match(self.text, at, end)
        at = joint.end() if joint else at
        if (item or joint) and first_word(self.text, at).casefold() in STARTERS:
            return begins_instruction(self.layout, at, end, of_rules=True)
        return _REPEALED.match(self.text, at, end) is not None


def begins_instruction(layout: Layout, at: int, limit: int, of_rules: bool = False) -> bool:
    """Whether the line there, up to its colon or stop, is one or begins one, perhaps of rules."""
    end = layout.line_end(at, limit)
    made = Cutter(layout, at, end).cut()
    marks = ("{0}", "[0]", "|0|")
    trees = [made.tree, *(parsed(f"{made.words} {text}") for text in marks)]
    return any(
        tree is not None and (not of_rules or top_of(tree).data in _OF_RULES) for tree in trees
    )

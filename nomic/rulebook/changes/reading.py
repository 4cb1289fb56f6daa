"""A body read from its beginning to its end: groups, comments, changes and remarks."""

import re
from dataclasses import dataclass, field, replace

from nomic.rulebook.changes.building import Builder, Unclear
from nomic.rulebook.changes.forms import ByHand, Change, Group, Reading, Remark, RuleRef
from nomic.rulebook.changes.instructions import (
    ITEM,
    SIGNATURE,
    Failure,
    Instruction,
    Reader,
    begins_change,
)
from nomic.rulebook.changes.layout import Layout
from nomic.rulebook.changes.prose import (
    CONDITION,
    HEADER,
    OPENING,
    PROMISE,
    TITLE,
    instructs,
    is_verb,
    sentence_end,
    why,
)
from nomic.rulebook.changes.words import KEYWORDS

LONGEST_TITLE = 120
_FIRST_WORD = re.compile(r"[*_`]*([^\W\d_]+(?:-[^\W\d_]+)?)")
_GAINS = re.compile(r"[^.!?{}\n]{0,120}?\b(?:gains?|loses?)\b")


def read_changes(body: str) -> Reading:
    """The changes that a proposal's body asks for, and its remarks, in their order.

    Takes time in proportion to the length. Unreadable where braces do not fit or are too deep.
    """
    return _Reading(Layout(body)).read()


@dataclass
class _Open:
    """A group whose braces are open; `close` is where the first of its closing braces stands."""

    title: str
    close: int
    end: int


@dataclass
class _Reading:
    layout: Layout
    changes: list[Change] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    context: RuleRef | None = None

    def __post_init__(self) -> None:
        self.text = self.layout.text
        self.at = 0

    @property
    def limit(self) -> int:
        return self.open[-1].close if self.open else len(self.text)

    @property
    def group(self) -> str:
        return next((group.title for group in reversed(self.open) if group.title), "")

    def read(self) -> Reading:
        while True:
            self._skip()
            if self.at < self.limit:
                self._one()
            elif self.open:
                self.at = self.open.pop().end
                self.context = None
            else:
                return Reading(tuple(self.changes), tuple(self.remarks), tuple(self.groups))

    def _skip(self) -> None:
        """Go on to the next character, keeping the comments in between."""
        while self.at < self.limit:
            if self.at in self.layout.comments:
                end = self.layout.comments[self.at]
                self._remark(self.at, end, "comment")
                self.at = end
            elif self.text[self.at].isspace():
                self.at += 1
            else:
                break

    def _one(self) -> None:
        """Whatever stands here: a group, a line above a proposal, or a sentence."""
        line = self.text.rfind("\n", 0, self.at) + 1
        begins_line = not self.text[line : self.at].strip() if self.at - line < 200 else False
        if self.text[self.at] == "{":
            self._open_group()
        elif begins_line and not self.open and SIGNATURE.match(self.text, self.at):
            self._remark(self.at, self.limit, "signature")
            self.at = self.limit
        elif begins_line and HEADER.match(self.text, self.at):
            self._line("header")
        elif begins_line and TITLE.match(self.text, self.at):
            self._line("heading")
        else:
            self._sentence(begins_line)

    def _line(self, kind: str) -> None:
        end = self.layout.line_end(self.at, self.limit)
        brace = min((p for m in "{}" if (p := self.text.find(m, self.at, end)) >= 0), default=end)
        end = max(brace, self.at + 1)
        self._remark(self.at, end, kind)
        self.at = end

    def _open_group(self) -> None:
        number, close, end = self.layout.block(self.at)
        inside = self.layout.skip(self.at + number, close)
        title = ""
        if named := TITLE.match(self.text, inside, close):
            title = (named.group("title") or "").strip()
        if not title:
            title = self._heading_before(self.at)
        self.groups.append(Group(title, self.at, end, number))
        self.open.append(_Open(title, close, end))
        self.at += number

    def _heading_before(self, brace: int) -> str:
        """The line of text right above a group, which is its title."""
        if not self.remarks or self.remarks[-1].kind not in ("prose", "heading"):
            return ""
        last = self.remarks[-1]
        if self.text[last.end : brace].strip() or len(last.sentence) > LONGEST_TITLE:
            return ""
        return last.sentence.strip("_=# ").rstrip(":")

    def _sentence(self, begins_line: bool) -> None:
        start = self.at
        item = ITEM.match(self.text, start, self.limit) if begins_line else None
        begin = item.end() if item else start
        if opening := OPENING.match(self.text, begin, self.limit):
            begin = opening.end()
        read = self._instruction(begin, item.group().strip() if item else "")
        if isinstance(read, Instruction):
            if self._made(read, start):
                return
            failure: Failure | None = None
        else:
            failure = read
            self._prose(start, item.end() if item else start, failure)

    def _instruction(self, begin: int, item: str) -> Instruction | Failure | None:
        """The instruction that begins here; None where the first words rule it out."""
        word = _FIRST_WORD.match(self.text, begin, self.limit)
        plain = word.group(1).casefold() if word else ""
        starts = is_verb(plain) or KEYWORDS.get(plain) in ("IN", "TO", "FROM")
        if not starts and not _GAINS.match(self.text, begin, self.limit):
            return None
        return Reader(self.layout, begin, self.limit, item).read()

    def _made(self, read: Instruction, start: int) -> bool:
        sentence = " … ".join(self.layout.words(*piece) for piece in read.pieces)
        builder = Builder(self.layout, self.context)
        try:
            if read.tree.data == "context":
                self.context = builder.rule_of(read.tree)
                self._remark(start, read.end, "prose")
                self.at = read.end
                return True
            made = builder.changes(read.tree)
        except Unclear as unclear:
            made = [ByHand(f"It was understood in part: {unclear.sentence}.")]
        self.changes += [
            replace(change, sentence=sentence, start=start, end=read.end, group=self.group)
            for change in made
        ]
        self.at = read.end
        return True

    def _prose(self, start: int, begin: int, failure: Failure | None) -> None:
        """A sentence that no form fits, with the text that it announces."""
        end = max(sentence_end(self.layout, begin, self.limit), begin + 1)
        said = self.layout.words(begin, end)
        if not instructs(said):
            self._remark(start, end, "prose")
            self.at = end
            return
        reason = why(self.layout, said, failure)
        end = self._announced_end(end, said)
        hand = ByHand(reason, sentence=said, start=start, end=end, group=self.group)
        self.changes.append(hand)
        self.at = end

    def _announced_end(self, end: int, said: str) -> int:
        """The end of the braces or lines that belong to an instruction for the officer's hand."""
        at = self.layout.skip(end, self.limit)
        if at < self.limit and self.text[at] == "{":
            return self.layout.block(at)[2]
        if said.endswith(":") and (CONDITION.match(said) or PROMISE.search(said)):
            return self._paragraph_end(at)
        return end

    def _paragraph_end(self, at: int) -> int:
        while at < self.limit:
            line_end = self.layout.line_end(at, self.limit)
            if not self.text[at:line_end].strip() or "{" in self.text[at:line_end]:
                break
            at = line_end + 1
        return min(at, self.limit)

    def _remark(self, start: int, end: int, kind: str) -> None:
        said = self.layout.words(start, end)
        self.remarks.append(Remark(said, start, end, kind, self.group))


__all__ = ["begins_change", "read_changes"]

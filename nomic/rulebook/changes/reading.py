"""A body read from its beginning to its end: groups, comments, changes and remarks."""

import re
from dataclasses import dataclass, field, replace

from nomic.rulebook.changes.building import build
from nomic.rulebook.changes.forms import ByHand, Change, Group, Reading, Remark, RuleRef
from nomic.rulebook.changes.instructions import (
    ITEM,
    Failure,
    Instruction,
    Reader,
)
from nomic.rulebook.changes.layout import SIGNATURE, Layout, Unreadable
from nomic.rulebook.changes.prose import (
    CONDITION,
    HEADER,
    OPENING,
    heading_end,
    instructs,
    sentence_end,
    unplaced,
    why,
)
from nomic.rulebook.changes.sayings import Sayings, Unclear
from nomic.rulebook.changes.words import KEYWORDS, VERBS

LONGEST_TITLE = 120
MOST_CHANGES = 1_000  # of one body, those that an officer carries out included
_FIRST_WORD = re.compile(r"[*_`]*([^\W\d_]+(?:-[^\W\d_]+)?)")
_TITLE_INSIDE = re.compile(r"__([^\n]*?[^\s_])__(?!\w)")
_GAINS = re.compile(
    r"[^!?{}\n]{0,120}?\b(?:(?:gains?|loses?|receives?|gets?)\b|(?:is|are) (?:(?:hereby|each) )?"
    r"(?:repealed|amended|changed|replaced|set|retitled|renamed|renumbered|enacted|created|given|"
    r"awarded|granted|increased|raised|decreased|reduced|lowered)\b)"
)
_PLACED = re.compile(r"(?:after|before)\s+[\"“‘']", re.IGNORECASE)


def read_changes(body: str) -> Reading:
    """The changes that a proposal's body asks for, and its remarks, in their order.

    Takes time in proportion to the length. Unreadable where braces do not fit or are too deep, and
    where there are more than MOST_CHANGES changes.
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
    context: RuleRef | None = None  # the rule of the list of changes that is being read
    context_items: bool | None = None  # whether that list has markers
    context_group: bool = False  # whether it stands in braces
    conditional: bool = False  # whether the sentence before hangs on a condition
    paragraph: bool = False  # whether an empty line stands before what is read now

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
                self.context, self.context_group = None, False
            else:
                return Reading(tuple(self.changes), tuple(self.remarks), tuple(self.groups))

    def _skip(self) -> None:
        """Go on to the next character, keeping the comments in between."""
        before = self.at
        while self.at < self.limit:
            if self.at in self.layout.comments:
                end = self.layout.comments[self.at]
                self._remark(self.at, end, "comment")
                self.at = end
            elif self.text[self.at].isspace():
                self.at += 1
            else:
                break
        self.paragraph = self.text.count("\n", before, self.at) > 1

    def _one(self) -> None:
        """Whatever stands here: a group, a line above a proposal, or a sentence."""
        near = max(0, self.at - 200)
        line = self.text.rfind("\n", near, self.at) + 1
        begins_line = (line > 0 or near == 0) and not self.text[line : self.at].strip()
        if self.at in self.layout.closing:
            self._open_group()
        elif begins_line and not self.open and SIGNATURE.match(self.text, self.at):
            self._remark(self.at, self.limit, "signature")
            self.at = self.limit
        elif begins_line and HEADER.match(self.text, self.at):
            self._line("header")
        elif begins_line and self.text[self.at] == ">":
            self._line("quotation")
        elif begins_line and heading_end(self.layout, self.at, self.limit):
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
        if named := _TITLE_INSIDE.match(self.text, inside, close):
            title = named.group(1).strip()
        else:
            title = self._heading_before(self.at)
        self.groups.append(Group(title, self.at, end, number))
        self.open.append(_Open(title, close, end))
        self.at += number
        if named:
            self._skip()
            self._remark(inside, named.end(), "heading")
            self.at = named.end()

    def _heading_before(self, brace: int) -> str:
        """The line of text right above a group, which is its title."""
        if not self.remarks or self.remarks[-1].kind not in ("prose", "heading"):
            return ""
        last = self.remarks[-1]
        if self.layout.skip(last.end, brace) < brace or len(last.sentence) > LONGEST_TITLE:
            return ""
        return last.sentence.strip("_=# ").rstrip(":")

    def _sentence(self, begins_line: bool) -> None:
        start = self.at
        item = ITEM.match(self.text, start, self.limit) if begins_line else None
        self._leave_context(item is not None)
        begin = item.end() if item else start
        marker = item.group().strip() if item else ""
        opening = OPENING.match(self.text, begin, self.limit)
        self.conditional = self.conditional and not self.paragraph
        read = None
        if opening is None or not self.conditional:
            read = self._instruction(opening.end() if opening else begin, marker)
        if isinstance(read, Instruction):
            self._made(read, start)
        else:
            self._prose(start, begin, marker, read)

    def _leave_context(self, is_item: bool) -> None:
        """Forget the rule of a list of changes behind the list's end."""
        if self.context is None or self.context_group:
            return
        if self.context_items is None:
            self.context_items = is_item
        elif self.context_items > is_item or (self.paragraph and not is_item):
            self.context = None

    def _instruction(self, begin: int, item: str) -> Instruction | Failure | None:
        """The instruction that begins here; None where the first words rule it out."""
        word = _FIRST_WORD.match(self.text, begin, self.limit)
        plain = word.group(1).casefold() if word else ""
        starts = plain in VERBS or KEYWORDS.get(plain) in ("IN", "TO", "FROM", "UNDER")
        starts = starts or _PLACED.match(self.text, begin, self.limit) is not None
        if CONDITION.match(self.text, begin, self.limit) and not starts:
            return None
        if not starts and not _GAINS.match(self.text, begin, self.limit):
            return None
        return Reader(self.layout, begin, self.limit, item).read()

    def _made(self, read: Instruction, start: int) -> None:
        self.at = read.end
        self.conditional = False
        says = Sayings(self.layout)
        try:
            if read.tree.data == "context":
                self.context, self.context_items = says.place(read.tree), None
                self.context_group = self.text.startswith(
                    "{", self.layout.skip(self.at, self.limit)
                )
                self._remark(start, read.end, "place")
                return
            made = build(says, read.tree, self.context)
        except Unclear as unclear:
            made = [ByHand(unclear.sentence)]
        sentence = " … ".join(self.layout.words(*piece) for piece in read.pieces)
        for change in made:
            self._keep(
                replace(change, sentence=sentence, start=start, end=read.end, group=self.group)
            )

    def _keep(self, change: Change) -> None:
        if len(self.changes) == MOST_CHANGES:
            line, column = self.layout.line_and_column(change.start)
            raise Unreadable(
                f"Line {line}, column {column}: a proposal asks for at most {MOST_CHANGES:,}"
                " changes, and here begins one more; make several proposals of it.",
                line,
                column,
            )
        self.changes.append(change)

    def _prose(self, start: int, begin: int, marker: str, failure: Failure | None) -> None:
        """A sentence that no form fits, with the text that it announces."""
        end = max(sentence_end(self.layout, begin, self.limit), begin + 1)
        said = self.layout.words(begin, end)
        braces = self.layout.skip(end, self.limit) in self.layout.closing
        commands = self.conditional and OPENING.match(said) is not None
        self.conditional = CONDITION.match(said) is not None or commands
        self.at = end
        if not (instructs(said) or commands or (braces and unplaced(said))):
            self._remark(start, end, "prose")
            return
        self.at = self._announced_end(end, said, marker)
        reason = why(self.layout, said, failure, follows_condition=commands)
        self._keep(ByHand(reason, sentence=said, start=start, end=self.at, group=self.group))

    def _announced_end(self, end: int, said: str, marker: str) -> int:
        """The end of the braces or lines that belong to an instruction for the officer's hand."""
        at = self.layout.skip(end, self.limit)
        if at in self.layout.closing and (said[-1] not in ".!" or "\n" not in self.text[end:at]):
            return self.layout.block(at)[2]
        if not said.endswith(":") or at >= self.limit:
            return end
        if CONDITION.match(said):
            return self._paragraph_end(at)
        return Reader(self.layout, end, self.limit, marker).text_end(at)

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

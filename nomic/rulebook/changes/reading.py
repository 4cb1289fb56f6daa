"""A body read from its beginning to its end: groups, comments, changes and remarks."""

import re
from dataclasses import dataclass, field, replace

from nomic.rulebook.changes.building import build
from nomic.rulebook.changes.doubts import (
    HANGS,
    PLACED,
    asks_in_doubt,
    leads_astray,
    opens_doubtfully,
    qualifies,
    qualifies_all,
)
from nomic.rulebook.changes.forms import ByHand, Change, Group, Reading, Remark, RuleRef
from nomic.rulebook.changes.instructions import (
    ITEM,
    Failure,
    Instruction,
    Reader,
    starts_change,
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
MOST_CHANGES = 500  # of one body, those that an officer carries out included
LONGEST_SENTENCE = 2_000  # characters of a change's own words
_FIRST_WORD = re.compile(r"[*_`]*([^\W\d_]+(?:-[^\W\d_]+)?)")
_TITLE_INSIDE = re.compile(r"__([^\n]*?[^\s_])__(?!\w)")
_GAINS = re.compile(
    r"[^!?{}\n]{0,120}?\b(?:(?:gains?|loses?|receives?|gets?)\b|(?:is|are) (?:(?:hereby|each) )?"
    r"(?:repealed|amended|changed|replaced|set|retitled|renamed|renumbered|enacted|created|given|"
    r"awarded|granted|increased|raised|decreased|reduced|lowered)\b)"
)


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
    first: int  # the number of changes before it


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
    begun: int = 0  # instructions, those that only name the rule of a list included
    last: int | None = None  # where the changes begin that the next sentence may take back
    last_item: bool = False  # whether they are a list
    hang: bool = False  # whether a sentence makes all changes hang on something
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
                closed = self.open.pop()
                self.at, self.last = closed.end, closed.first
                self.context, self.context_group = None, False
            else:
                if self.hang:
                    self.last = 0
                    self._take_back()
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
        self.open.append(_Open(title, close, end, len(self.changes)))
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
        read, first = None, opening.end() if opening else begin
        sure = not opens_doubtfully(self.text, first, self.limit)
        if sure and (opening is None or not self.conditional):
            read = self._instruction(first, marker)
        if isinstance(read, Instruction):
            self._made(read, start, item is not None)
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
        starts = starts or PLACED.match(self.text, begin, self.limit) is not None
        if not starts and not _GAINS.match(self.text, begin, self.limit):
            return None
        return Reader(self.layout, begin, self.limit, item).read()

    def _made(self, read: Instruction, start: int, is_item: bool) -> None:
        self.at = read.end
        self.conditional = False
        if self.last is None or not (self.context or (is_item and self.last_item)):
            self.last = len(self.changes)
        self.last_item = is_item
        says = Sayings(self.layout)
        try:
            if read.tree.data == "context":
                self.context, self.context_items = says.place(read.tree), None
                self.context_group = self.text.startswith(
                    "{", self.layout.skip(self.at, self.limit)
                )
                self._begin(start)
                self._remark(start, read.end, "place")
                return
            made = build(says, read.tree, self.context)
        except Unclear as unclear:
            made = [ByHand(_cut(unclear.sentence))]
        if self.text[read.pieces[-1][0] : read.pieces[-1][1]].rstrip("! ").endswith("?"):
            made = [ByHand("It is a question; end it with a full stop to ask for the change.")]
        sentence = _cut(" … ".join(self.layout.words(*piece) for piece in read.pieces))
        for change in made:
            self._keep(
                replace(change, sentence=sentence, start=start, end=read.end, group=self.group)
            )

    def _keep(self, change: Change) -> None:
        self._begin(change.start)
        self.changes.append(change)

    def _begin(self, at: int) -> None:
        if self.begun == MOST_CHANGES:
            line, column = self.layout.line_and_column(at)
            raise Unreadable(
                f"Line {line}, column {column}: a proposal asks for at most {MOST_CHANGES:,}"
                " changes, and here begins one more; make several proposals of it.",
                line,
                column,
            )
        self.begun += 1

    def _prose(self, start: int, begin: int, marker: str, failure: Failure | None) -> None:
        """A sentence that no form fits, with the text that it announces."""
        end = max(sentence_end(self.layout, begin, self.limit), begin + 1)
        said = self.layout.words(begin, end)
        plain = OPENING.sub("", said, count=1) if OPENING.match(said) else said
        braces = self.layout.skip(end, self.limit) in self.layout.closing
        commands = self.conditional and OPENING.match(said) is not None
        doubtful = opens_doubtfully(plain, 0, len(plain))
        self.conditional = CONDITION.match(plain) is not None or commands
        self.at = end
        if qualifies(said) or self._goes_on(start, said):
            self._take_back()
        self.hang = self.hang or qualifies_all(said)
        list_end = self._doubtful_list_end(end, said, doubtful)
        asks = instructs(said) or commands or (doubtful and asks_in_doubt(plain))
        if not (asks or list_end or (braces and unplaced(said))):
            self._remark(start, end, "prose")
            return
        self.last = None
        self.at = list_end or self._announced_end(end, said, marker)
        hangs = commands or doubtful or list_end is not None
        reason = why(self.layout, said, failure, follows_condition=hangs)
        self._keep(ByHand(reason, sentence=_cut(said), start=start, end=self.at, group=self.group))

    def _goes_on(self, start: int, said: str) -> bool:
        """Whether words that no form fits are the rest of the sentence of the change before."""
        if self.last is None or self.paragraph or not self.changes:
            return False
        ended = self.text[self.changes[-1].end - 1] in ".!?"
        return not ended and (said[0] in ",;:" or said[:1].islower())

    def _take_back(self) -> None:
        """Leave to the officer what the sentence behind it makes doubtful."""
        if self.last is None:
            return
        for place in range(self.last, len(self.changes)):
            change = self.changes[place]
            if isinstance(change, ByHand):
                continue
            self.changes[place] = ByHand(
                HANGS,
                sentence=change.sentence,
                start=change.start,
                end=change.end,
                group=change.group,
            )
        self.last = None

    def _doubtful_list_end(self, end: int, said: str, doubtful: bool) -> int | None:
        """The end of the changes under a sentence that says that not all of them shall be made."""
        at = self.layout.skip(end, self.limit)
        if at >= self.limit or said[-1] in ".!?;":
            return None
        if at in self.layout.closing:
            astray = doubtful or (said[-1] in ":," and leads_astray(said))
            return self.layout.block(at)[2] if astray else None
        if not (doubtful or said.endswith(",") or leads_astray(said)):
            return None
        item = ITEM.match(self.text, at, self.limit)
        first = item.end() if item else at
        word = _FIRST_WORD.match(self.text, first, self.limit)
        if word is None or not (
            word.group(1).casefold() in VERBS
            or starts_change(self.text, first, self.limit)
            or _GAINS.match(self.text, first, self.limit)
        ):
            return None
        return self._paragraph_end(at)

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
        """The end of the paragraph at `at`; of the list, where it begins with an item's marker."""
        listed = ITEM.match(self.text, self._line_start(at), self.limit) is not None
        while at < self.limit:
            line_end = self.layout.line_end(at, self.limit)
            if "{" in self.text[at:line_end]:
                break
            if not self.text[at:line_end].strip():
                behind = self.layout.skip(at, self.limit)
                if not listed or not ITEM.match(self.text, behind, self.limit):
                    break
                line_end = behind - 1
            at = line_end + 1
        return min(at, self.limit)

    def _line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _remark(self, start: int, end: int, kind: str) -> None:
        said = self.layout.words(start, end)
        if kind != "comment":
            self.last = self.last if kind == "place" else None
        self.remarks.append(Remark(said, start, end, kind, self.group))


def _cut(sentence: str) -> str:
    return sentence if len(sentence) <= LONGEST_SENTENCE else sentence[: LONGEST_SENTENCE - 1] + "…"

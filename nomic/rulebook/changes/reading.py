"""A body read from its beginning to its end, whole: groups, comments, changes, and nothing else."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.changes import left_to_officer
from nomic.rulebook.changes.building import Unclear, build, head
from nomic.rulebook.changes.headers import header_lines
from nomic.rulebook.changes.kinds import BodyRemark, ByHand, Change, Reading, RuleRef, folded
from nomic.rulebook.changes.layout import (
    HEADING,
    ITEM,
    RULED,
    SECTION,
    BraceMisfit,
    ItemMarks,
    Layout,
    Unreadable,
)
from nomic.rulebook.changes.meeting import Edits
from nomic.rulebook.changes.sentences import Cutter, Sentence
from nomic.rulebook.charts import cut

READER = 1
"""Which reader of bodies this is: another number for one that reads any of them otherwise."""
LONGEST_TITLE = 120
# These are part of what this reader reads; what a game lets a proposal have is its own bound.
MOST_CHANGES = 500  # of one body, those that an officer carries out included
MOST_SENTENCES = 5_000  # of one body beside its changes
LONGEST_SENTENCE = 2_000  # characters that are told of a change's own words, which may be more
# A word in brackets before a sentence may say whether that is meant: “[no] Repeal rule 4.”
_LABEL = re.compile(rf"(?:{ITEM.pattern})?[ \t]*\[[^\s\[\]]+\][ \t]*")
_TITLE_INSIDE = re.compile(r"__([^\n]*?[^\s_])__(?!\w)")
# A group's name as B Nomic writes it: in capitals, on a line of its own. What is a condition, or
# says that the group is not meant, names nothing, in capitals either.
_GROUP_NAME = re.compile(
    r"__[A-Z][\w’'-]*(?: (?:(?:the|a|an|of) )*[A-Z][\w’'-]*)+(?<!_)__[ \t\r]*\n"
)
_NO_NAME = re.compile(
    r"\b(?:and|or|no|not|nor|nobody|none|but|if|unless|when|while|once|until|till|tomorrow|later|only"
    r"|except|provided|should|after|before|never|instead|old|drafts?|rejected|obsolete|void|ideas?"
    r"|examples?|withdrawn|ignored?|failed|dropped|cancelled|quoted?)\b",
    re.IGNORECASE,
)
_CODE = 4  # columns: what is indented so much more than the rest is code, as in Markdown
_JOINTS = ("and", "then", "and then")


def read_changes(body: str, remarks: Collection[str] = ()) -> Reading:
    """The changes that a proposal's body asks for, in their order, and what else stands in it.

    `remarks` are the sentences that the author has marked as changing nothing; of equal ones the
    first so many as are given. Where another one cannot be read, each change is left to the
    officer, and so is a body whose braces do not fit. Takes time in proportion to the length.
    Unreadable where they are too deep, and where there are more than MOST_CHANGES changes. What was
    read last is kept in this process.
    """
    reading = _read(body, tuple(sorted(map(folded, remarks))))
    if isinstance(reading, Unreadable):
        raise Unreadable(reading.sentence, reading.line, reading.column)
    return reading


@memoized(share=0.02)
def _read(body: str, remarks: tuple[str, ...]) -> Reading | Unreadable:
    try:
        return _Reading(Layout(body), Counter(remarks)).read()
    except BraceMisfit as misfit:
        whole = BodyRemark(cut(folded(body), LONGEST_SENTENCE), 0, len(body))
        by_hand = left_to_officer.as_by_hand(whole, misfit.sentence)
        place = (misfit.sentence, misfit.line, misfit.column)
        return Reading((by_hand,), unread=(whole,), reader=READER, misfit=place)
    except Unreadable as unreadable:
        return unreadable.with_traceback(None)  # nothing of the call stays with it


def readable_changes(body: str, remarks: Collection[str] = ()) -> tuple[Change, ...]:
    """The changes that a body asks for; none where it cannot be read."""
    try:
        return read_changes(body, remarks).changes
    except Unreadable:
        return ()


@dataclass
class _Open:
    """A group whose braces are open; `close` is where the first of its closing braces stands, and
    its lines begin at the column `margin`."""

    title: str
    close: int
    end: int
    margin: int


@dataclass
class _Reading:
    layout: Layout
    marked: Counter[str]  # how many of each sentence are still to come
    changes: list[Change] = field(default_factory=list)
    remarks: list[BodyRemark] = field(default_factory=list)
    unread: list[BodyRemark] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    context: RuleRef | None = None  # the rule of the head whose edits are being read
    context_end: int = -1  # where its edits end, if braces or an indent tell
    # Whether its edits are items of a list, where what is none ends them; the first edit tells.
    context_items: bool | None = None
    heads: list[tuple[int, BodyRemark]] = field(default_factory=list)  # those without edits so far

    def __post_init__(self) -> None:
        self.text = self.layout.text
        end = len(self.text)
        self.open = [_Open("", end, end, self.layout.margin(0, end))]  # the body itself
        self.at = 0
        self.marks = ItemMarks()
        self.edits = Edits()  # those of one sentence, or of one head
        self.meeting: dict[RuleRef, str] = {}  # why the changes of these rules are left
        self.bare = False  # whether no edit was read yet below the last head
        self.prose: ByHand | None = None  # the sentences right above that could not be read

    @property
    def limit(self) -> int:
        return self.open[-1].close

    @property
    def group(self) -> str:
        return next((group.title for group in reversed(self.open) if group.title), "")

    def _is_code(self, at: int) -> bool:
        """Whether its line stands in a block of code, as Markdown has it."""
        return self.layout.indent(at) >= self.open[-1].margin + _CODE

    def read(self) -> Reading:
        for start, end, fits in header_lines(self.text):
            self.at = start
            if fits:
                self._keep_remark(end, "header")
            else:
                self._leave(start, end)
        while True:
            self._skip()
            if self.at < self.limit:
                self._read_next()
            elif len(self.open) > 1:
                self.at, self.context = self.open.pop().end, None
            else:
                break
        unused = [(at, naming) for at, naming in self.heads if not self._is_marked(naming)]
        for place, naming in reversed(unused):  # so that the places before it stay right
            self.unread.append(naming)
            self.changes.insert(place, left_to_officer.as_by_hand(naming, left_to_officer.NO_EDITS))
        self.unread.sort(key=lambda remark: remark.start)
        # Of one rule all are left or none, since it is not clear what one of them would find.
        changes: tuple[Change, ...] = tuple(
            left_to_officer.as_by_hand(change, self.meeting[rule])
            if (rule := getattr(change, "rule", None)) in self.meeting
            else change
            for change in self.changes
        )
        if self.unread:
            changes = left_to_officer.beside(changes, [remark.sentence for remark in self.unread])
        beside = (tuple(self.remarks), tuple(self.unread))
        return Reading(changes, *beside, READER, tuple(self.warnings))

    def _skip(self) -> None:
        """Go on to the next character, keeping the comments in between."""
        while self.at < self.limit:
            if self.at in self.layout.comments:
                self._keep_remark(self.layout.comments[self.at], "comment")
            elif self.text[self.at].isspace():
                self.at += 1
            else:
                break

    def _read_next(self) -> None:
        """Whatever stands here: a group, a section of comments, a heading, or a sentence.

        A paragraph of the section that is an instruction may be meant to stand behind it: nothing
        tells.
        """
        begins_line = not self.text[self.layout.line_start(self.at) : self.at].strip()
        if self.at in self.layout.closing:
            self._open_group()
        elif begins_line and SECTION.match(self.text, self.at, self.limit):
            self._keep_remark(self._section_end(), "comment")
            if (sentence := self._instruction_at(self.at)) is not None:
                start = self.at
                while self.at in self.layout.closing:
                    self._open_group()
                    start = self.at = self.layout.skip(self.at, self.limit)
                self._leave(
                    start,
                    sentence.end,
                    self._as_written(sentence, start),
                    left_to_officer.IN_A_COMMENT,
                )
        elif (
            begins_line
            and (ruled := RULED.match(self.text, self.at, self.limit))
            and self.marks.count(ruled, alone=bool(self.changes or self.unread))
        ):
            self._keep_remark(ruled.end(), "place")
        elif begins_line and HEADING.match(self.text, self.at, self.limit):
            end = self.layout.line_end(self.at, self.limit)
            # A group may begin or end on the heading's own line.
            places = (self.text.find(brace, self.at, end) for brace in "{}")
            brace = min((place for place in places if place >= 0), default=0)
            self._leave(self.at, max(brace or end, self.at + 1))
        else:
            self._read_sentence(begins_line)

    def _instruction_at(self, at: int) -> Sentence | None:
        """The instruction of the language that begins there, perhaps in braces, or as an item."""
        limit = self.limit
        while at in self.layout.closing:
            limit = self.layout.closing[at]
            at = self.layout.skip(at + 1, limit)
        bullet = ITEM.match(self.text, at, limit)
        at = bullet.end() if bullet else at
        if at >= limit:
            return None
        sentence = Cutter(self.layout, at, limit).cut()
        return sentence if sentence.tree is not None else None

    def _section_end(self) -> int:
        """Where the section ends whose heading stands here: before the next heading or rule, or a
        paragraph that is an instruction."""
        at = self.layout.line_end(self.at, self.limit) + 1
        if under := RULED.match(self.text, at, self.limit):
            at = under.end()
        while at < self.limit:
            at, breaks = self.layout.gap(at, self.limit)
            if RULED.match(self.text, at, self.limit) or HEADING.match(self.text, at, self.limit):
                return at
            if breaks and self._instruction_at(at) is not None:
                return at
            end = self.layout.line_end(at, self.limit)
            brace = self.text.find(
                "{", at, end
            )  # what is in braces is one thing, blank lines and all
            at = end if brace < 0 else self.layout.closing.get(brace, end) + 1
        return self.limit

    def _open_group(self) -> None:
        number, close, end = self.layout.block(self.at)
        inside = self.layout.skip(self.at + number, close)
        named = _TITLE_INSIDE.match(self.text, inside, close)
        last = [*self.remarks[-1:], *self.unread[-1:]]
        above = max(last, key=lambda remark: remark.end, default=None)
        title = ""
        if named:
            title = named.group(1).strip()
        elif above is not None and above.kind in ("prose", "marked"):
            # Else the line of text right above a group is its title.
            is_beside = self.layout.skip(above.end, self.at) >= self.at
            if is_beside and len(above.sentence) <= LONGEST_TITLE:
                title = above.sentence.strip("_=# ").rstrip(":")
        is_code = self._is_code(self.at)
        self.at += number
        margin = self.open[-1].margin if is_code else self.layout.margin(self.at, close)
        self.open.append(_Open(title, close, end, margin))
        if named and not SECTION.match(self.text, inside, close):
            self._skip()
            if _GROUP_NAME.match(self.text, inside, close) and not _NO_NAME.search(title):
                self._keep_remark(named.end(), "comment")
            else:
                self._leave(inside, named.end())

    def _read_sentence(self, begins_line: bool) -> None:
        start = self.at
        bullet = ITEM.match(self.text, start, self.limit) if begins_line else None
        bullet = bullet if bullet and self.marks.count(bullet) else None
        begins = bullet.end() if bullet else start
        sentence = Cutter(self.layout, begins, self.limit).cut()
        written = self.text[sentence.start : sentence.end]
        # “and” only joins two instructions, and a full stop behind a text only ends it.
        if sentence.words:
            joins = sentence.words.casefold() in _JOINTS and "!" not in written
        else:
            joins = not begins_line and written in (".", ";")
        if joins and not sentence.open_quote:
            self._keep_remark(sentence.end, "place")
            return
        self._leave_context(start, bullet is not None)
        if sentence.tree is None:
            self._leave_sentence(sentence, start, bullet is not None)
            return
        words = self.layout.skip(begins, self.limit)
        above = self.text[self.layout.line_start(words) : words]
        if self.context is None and self._is_code(start):
            self._leave(
                start, sentence.end, self._as_written(sentence, start), left_to_officer.INDENTED
            )
        elif _LABEL.fullmatch(above):
            self._leave(
                start, sentence.end, self._as_written(sentence, start), left_to_officer.LABELLED
            )
        elif sentence.is_head:
            self._read_head(sentence, start)
        else:
            self._read_instruction(sentence, start)

    def _leave_context(self, start: int, is_item: bool) -> None:
        """Forget the rule of a head behind the end of its edits."""
        if self.context is None:
            return
        if self.context_items is None:
            self.context_items = is_item
        if self.context_end >= 0:
            if start >= self.context_end:
                self.context = None
        elif self.context_items and not is_item:
            self.context = None

    def _read_head(self, sentence: Sentence, start: int) -> None:
        try:
            context = head(sentence)
        except Unclear as unclear:
            self.context = None
            self._leave(start, sentence.end, self._as_written(sentence, start), str(unclear))
            return
        self.context, self.context_items, self.context_end = context, None, -1
        self._check_changes(start)
        self.bare = self.context is not None
        self.edits = Edits()
        if self.bare:
            quote = self._as_written(sentence, start)
            naming = BodyRemark(quote, start, sentence.end, group=self.group)
            self.heads.append((len(self.changes), naming))
        self._keep_remark(sentence.end, "place")
        below = self.layout.skip(self.at, self.limit)
        if below in self.layout.closing:
            self.context_end = self.layout.closing[below]

    def _read_instruction(self, sentence: Sentence, start: int) -> None:
        self.at = sentence.end
        quote = self._as_written(sentence, start)
        changes: list[Change] = []
        if self.context is None:
            self.edits = Edits()
        try:
            changes = build(sentence, self.context)
            reason = left_to_officer.doubt(sentence)
        except Unclear as unclear:
            reason = str(unclear)
        if reason:
            self._leave(start, sentence.end, quote, reason)
            return
        if reason := self.edits.why_not(changes):
            self.meeting |= {change.rule: reason for change in changes if hasattr(change, "rule")}
        listed = self.context_end >= 0 or self.context_items
        if not listed and any(getattr(change, "rule", None) != self.context for change in changes):
            self.context = None
        if sentence.last_line:
            self.warnings.append(left_to_officer.taken_to_end(quote, sentence.last_line))
        for change in changes:
            self._add(
                replace(change, sentence=quote, start=start, end=sentence.end, group=self.group)
            )

    def _as_written(self, sentence: Sentence, start: int) -> str:
        """The sentence as its author wrote it, with “…” for each block of text in it."""
        pieces, at = [], start
        for block, end in [*sentence.blocks, (sentence.end, sentence.end)]:
            if piece := self.layout.words(at, block):
                pieces.append(piece)
            at = end
        if sentence.blocks and sentence.blocks[-1][1] == sentence.end:
            pieces.append("")
        return cut(" … ".join(pieces).rstrip(), LONGEST_SENTENCE)

    def _add(self, change: Change) -> None:
        if self.bare and self.context is not None:
            self.heads.pop()
            self.bare = False
        self._check_changes(change.start)
        self.changes.append(change)
        self.prose = None

    def _check_changes(self, at: int) -> None:
        if len(self.changes) + len(self.heads) >= MOST_CHANGES:
            bound = f"a proposal asks for at most {MOST_CHANGES:,} changes"
            raise self.layout.unreadable(
                at, f"{bound}, and here begins one more; make several of it."
            )

    def _leave_sentence(self, sentence: Sentence, start: int, is_item: bool) -> None:
        """Leave a sentence that is not of the language; one that begins like an instruction with
        its texts, since they are meant by it, another one without."""
        if not is_item:
            self.context = None
        reason = (
            left_to_officer.endless(sentence)
            if sentence.is_endless
            else left_to_officer.hint(sentence)
        )
        if reason:
            self._leave(start, sentence.end, self._as_written(sentence, start), reason)
        else:
            block = sentence.first_block
            self._leave(start, block if block > start else sentence.end)

    def _leave(self, start: int, end: int, quote: str = "", reason: str = "") -> None:
        """Leave words that are no instruction: as a remark if the author marked them, else to the
        officer, with all others that stand right beside them."""
        quote = quote or cut(self.layout.words(start, end), LONGEST_SENTENCE)
        self.at = end
        words = BodyRemark(quote, start, end, group=self.group)
        if self._is_marked(words):
            return
        self._check_sentences(start)
        self.unread.append(words)
        if reason:
            self._add(left_to_officer.as_by_hand(words, reason))
        elif self.prose is None:
            self.prose = left_to_officer.as_by_hand(words, left_to_officer.UNREAD)
            self._check_changes(start)
            self.changes.append(self.prose)
        else:
            both = cut(f"{self.prose.sentence} {quote}", LONGEST_SENTENCE)
            self.prose = self.changes[-1] = replace(self.prose, sentence=both, end=end)

    def _check_sentences(self, at: int) -> None:
        if len(self.remarks) + len(self.unread) >= MOST_SENTENCES:
            bound = f"at most {MOST_SENTENCES:,} sentences and comments beside its changes"
            raise self.layout.unreadable(
                at, f"a proposal has {bound}, and here is one more; put them into one comment."
            )

    def _is_marked(self, words: BodyRemark) -> bool:
        """Whether the author has marked it as a remark; then it is kept as one."""
        quote = folded(words.sentence)
        if not self.marked[quote]:
            return False
        self.marked[quote] -= 1
        self.remarks.append(replace(words, kind="marked"))
        return True

    def _keep_remark(self, end: int, kind: str) -> None:
        """Go on at that end, behind a remark of that kind."""
        self._check_sentences(self.at)
        quote = self.layout.words(self.at, end)
        self.remarks.append(BodyRemark(quote, self.at, end, kind, self.group))
        self.at = end

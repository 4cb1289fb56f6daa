"""A body read from its beginning to its end: groups, comments, changes and remarks."""

import re
from dataclasses import dataclass, field, replace

from nomic.rulebook.changes.building import build, head
from nomic.rulebook.changes.forms import ByHand, Change, Reading, Remark, RuleRef
from nomic.rulebook.changes.hints import asks, begins_like_one, hint
from nomic.rulebook.changes.layout import SIGNATURE, Layout, Unreadable
from nomic.rulebook.changes.sayings import Unclear
from nomic.rulebook.changes.sentences import HEADING, ITEM, Cutter, Sentence
from nomic.rulebook.charts import cut

LONGEST_TITLE = 120
MOST_CHANGES = 500  # of one body, those that an officer carries out included
LONGEST_SENTENCE = 2_000  # characters of a change's own words
_TITLE_INSIDE = re.compile(r"__([^\n]*?[^\s_])__(?!\w)")
_HEADER = re.compile(
    r"(?:(?:id|title|adoption index|ai|power|author|co-?authors?|class|proposal|outcome|ballots|"
    r"popularity|resolved at|index|conflicts?|depend(?:s on|encies)|subject|date|from|to|type)"
    r"\s*(?:\([^()\n]{0,40}\)\s*)?:|proposal\s+[\w.-]+\s*\(|(?:for|against|present|abstain|ai)"
    r"\s*\([^)\n]{1,9}\)\s*:|reached quorum\b|timed out\b|enacted by\b|adminned at\b|"
    r"\| .{0,200}\|[ \t\r]*$|\[date prev\]|https?://)",
    re.IGNORECASE | re.MULTILINE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|only|except|provided|otherwise|instead|whenever|until|in case|either)\b",
    re.IGNORECASE,
)
_OF_CHANGES = re.compile(r"\b(?:following|above|below|effect|happens?|occurs?)\b", re.IGNORECASE)
_OTHERWISE_THAN_NOW = re.compile(
    r"\b(?:when|once|should|not|no|one of|after|next|later|tomorrow)\b", re.IGNORECASE
)
_JOINTS = ("", "and", "then", "and then")
_GOES_ON = re.compile(r"[a-z]|(?:And|Or|Then)\b")
HANGS = "It hangs on a condition, which a person has to judge; it is carried out by hand."
NO_EDITS = (
    "It names a rule, and nothing below it could be read as an edit of it; write each edit as a"
    " sentence, or the whole text behind: Amend rule 12 to read: {…}"
)
NOT_ALONE = (
    "A sentence that is no instruction stands behind it, in the same paragraph, and may say more of"
    " it; write that into a paragraph of its own, or a comment: [ … ]."
)
ANNOUNCED = (
    "A sentence above it ends with a colon or comma, or without a stop, or opens a quote, and could"
    " not be read, so that it is not sure when or how this is done; it is carried out by hand."
)


def read_changes(body: str) -> Reading:
    """The changes that a proposal's body asks for, and its remarks, in their order.

    Takes time in proportion to the length. Unreadable where braces do not fit or are too deep, and
    where there are more than MOST_CHANGES changes.
    """
    return _Reading(Layout(body)).read()


def readable_changes(body: str) -> tuple[Change, ...]:
    """The changes that a body asks for; none where it cannot be read."""
    try:
        return read_changes(body).changes
    except Unreadable:
        return ()


@dataclass
class _Open:
    """A group whose braces are open; `close` is where the first of its closing braces stands."""

    title: str
    close: int
    end: int
    first: int  # the number of changes before it


@dataclass
class _Head:
    """A head that names a rule; `place` is how many changes stand before it."""

    change: ByHand
    place: int


@dataclass
class _Reading:
    layout: Layout
    changes: list[Change] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    context: RuleRef | None = None  # the rule of the head whose edits are being read
    heads: list[_Head] = field(default_factory=list)  # those whose edits were not found
    context_end: int = -1  # where its edits end, if braces or an indent tell
    context_items: bool | None = None  # whether its edits are items of a list

    def __post_init__(self) -> None:
        self.text = self.layout.text
        self.at = self.breaks = 0
        self.paragraph = 0  # how many changes stand above this paragraph
        self.above = 0  # and how many above the last paragraph with a change before it
        self.announced: int | None = None  # from which change on a colon announces something
        self.bare = False  # whether no edit was read yet below the last head
        self.hangs = False  # whether a sentence makes all changes hang on something

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
                self._close_group()
            else:
                if self.announced is not None:
                    self._leave(self.announced, ANNOUNCED)
                if self.hangs:
                    self._leave(0, HANGS)
                for unused in reversed(self.heads):
                    self.changes.insert(unused.place, unused.change)
                return Reading(tuple(self.changes), tuple(self.remarks))

    def _close_group(self) -> None:
        group = self.open.pop()
        self.at, self.context = group.end, None
        if self.announced is not None and group.first <= self.announced:
            self._leave(self.announced, ANNOUNCED)
            self.announced = None

    def _skip(self) -> None:
        """Go on to the next character, keeping the comments in between."""
        self.breaks = self.layout.gap(self.at, self.limit)[1]
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
        begins_line = not self.text[self.layout.line_start(self.at) : self.at].strip()
        if self.at in self.layout.closing:
            self._next_paragraph()
            self._open_group()
        elif begins_line and not self.open and SIGNATURE.match(self.text, self.at):
            self._remark(self.at, self.limit, "signature")
            self.at = self.limit
        elif begins_line and _HEADER.match(self.text, self.at):
            self._line("header")
        elif begins_line and self.text[self.at] == ">":
            self._line("quotation")
        elif begins_line and HEADING.match(self.text, self.at):
            self._line("heading")
        else:
            self._sentence(begins_line)

    def _line(self, kind: str) -> None:
        end = self.layout.line_end(self.at, self.limit)
        self._hang_on(self.text[self.at : end])
        brace = min((p for m in "{}" if (p := self.text.find(m, self.at, end)) >= 0), default=end)
        end = max(brace, self.at + 1)
        self._remark(self.at, end, kind)
        self.at = end

    def _open_group(self) -> None:
        number, close, end = self.layout.block(self.at)
        inside = self.layout.skip(self.at + number, close)
        named = _TITLE_INSIDE.match(self.text, inside, close)
        title = named.group(1).strip() if named else self._heading_before(self.at)
        self.open.append(_Open(title, close, end, len(self.changes)))
        self.at += number
        if named:
            if self.announced == len(self.changes):
                self.announced = None  # the line above is the title's, too
            self._skip()
            self._hang_on(title)
            self._remark(inside, named.end(), "heading")
            self.at = named.end()

    def _heading_before(self, brace: int) -> str:
        """The line of text right above a group, which is its title."""
        last = self.remarks[-1] if self.remarks else None
        if last is None or last.kind not in ("prose", "heading"):
            return ""
        if self.layout.skip(last.end, brace) < brace or len(last.sentence) > LONGEST_TITLE:
            return ""
        return last.sentence.strip("_=# ").rstrip(":")

    def _sentence(self, begins_line: bool) -> None:
        start = self.at
        if self.breaks > 1:
            self._next_paragraph()
        item = ITEM.match(self.text, start, self.limit) if begins_line else None
        begin = item.end() if item else start
        read = Cutter(self.layout, begin, self.limit).cut()
        if read.words.casefold() in _JOINTS:
            self._remark(start, read.end, "place")
            self.at = read.end
            return
        self._leave_context(start, item is not None)
        if read.is_head:
            self._head(read, start)
        elif read.tree is not None:
            self._made(read, start)
        else:
            self._prose(read, start, item is not None)

    def _next_paragraph(self) -> None:
        if self.paragraph < len(self.changes):
            self.above, self.paragraph = self.paragraph, len(self.changes)

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

    def _head(self, read: Sentence, start: int) -> None:
        self.context, self.context_items, self.context_end = head(read), None, -1
        self._begin(start)
        self._remark(start, read.end, "place")
        self.bare = self.context is not None
        if self.bare:
            said = self._own_words(read, start)
            left = ByHand(NO_EDITS, sentence=said, start=start, end=read.end, group=self.group)
            self.heads.append(_Head(left, len(self.changes)))
        self.at = read.end
        below = self.layout.skip(self.at, self.limit)
        if below in self.layout.closing:
            self.context_end = self.layout.closing[below]

    def _made(self, read: Sentence, start: int) -> None:
        self.at = read.end
        try:
            made = build(read, self.context)
        except Unclear as unclear:
            made = [ByHand(str(unclear))]
        if _CONDITION.search(read.words + read.asides):
            made = [ByHand(HANGS)]
        sentence = self._own_words(read, start)
        listed = self.context_end >= 0 or self.context_items
        if not listed and any(getattr(each, "rule", None) != self.context for each in made):
            self.context = None
        for change in made:
            self._keep(
                replace(change, sentence=sentence, start=start, end=read.end, group=self.group)
            )
        if read.remarks_end:
            self._remark(read.end, read.remarks_end, "prose")
            self.at = read.remarks_end

    def _own_words(self, read: Sentence, start: int) -> str:
        pieces, at = [], start
        for block, end in [*read.blocks, (read.end, read.end)]:
            if piece := self.layout.words(at, block):
                pieces.append(piece)
            at = end
        if read.blocks and read.blocks[-1][1] == read.end:
            pieces.append("")
        return cut(" … ".join(pieces).rstrip(), LONGEST_SENTENCE)

    def _keep(self, change: Change) -> None:
        if self.bare and self.context is not None:
            self.heads.pop()
            self.bare = False
        self._begin(change.start)
        self.changes.append(change)

    def _begin(self, at: int) -> None:
        if len(self.changes) + len(self.heads) >= MOST_CHANGES:
            line, column = self.layout.line_and_column(at)
            raise Unreadable(
                f"Line {line}, column {column}: a proposal asks for at most {MOST_CHANGES:,}"
                " changes, and here begins one more; make several proposals of it.",
                line,
                column,
            )

    def _prose(self, read: Sentence, start: int, is_item: bool) -> None:
        """A sentence that is not of the language: for the officer, or a remark."""
        if not is_item:
            self.context = None
            goes_on = self.breaks > 1 and _GOES_ON.match(self.text, start) and not asks(read)
            self._leave(self.above if goes_on else self.paragraph, NOT_ALONE)
            if self.announced is None and self._announces(read, start):
                self.announced = len(self.changes)
        if not begins_like_one(read):
            self._hang_on(read.words + read.asides)
        if not asks(read):
            end = read.first_block if read.first_block > start else read.end
            self._remark(start, end, "prose")
            self.at = end
            return
        self.at = read.end
        said = self._own_words(read, start)
        self._keep(ByHand(hint(read), sentence=said, start=start, end=self.at, group=self.group))

    def _hang_on(self, words: str) -> None:
        """Take note where words that are no instruction hold a condition."""
        of_changes = _OF_CHANGES.search(words) and _OTHERWISE_THAN_NOW.search(words)
        self.hangs = self.hangs or bool(of_changes or _CONDITION.search(words))

    def _announces(self, read: Sentence, start: int) -> bool:
        """Whether a sentence that cannot be read ends with a colon, also above a group, with a
        comma or, where it goes on from another, without a stop; or opens a quote."""
        is_open = _GOES_ON.match(self.text, start) and self.text[read.end - 1] not in ".!?"
        if is_open or read.words.endswith(","):
            return True
        if read.open_quote or read.colon or asks(read) or read.first_block <= start:
            return read.open_quote or read.colon
        return self.text[start : read.first_block].rstrip().endswith(":")

    def _leave(self, first: int, why: str) -> None:
        """Leave the changes from that one on to the officer: the sentence behind says more."""
        for place, change in enumerate(self.changes[first:], first):
            if not isinstance(change, ByHand):
                left = ByHand(why, sentence=change.sentence, group=change.group)
                self.changes[place] = replace(left, start=change.start, end=change.end)

    def _remark(self, start: int, end: int, kind: str) -> None:
        self.remarks.append(Remark(self.layout.words(start, end), start, end, kind, self.group))

"""A body read from its beginning to its end, whole: groups, comments, changes, and nothing else."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from nomic.kept import kept
from nomic.rulebook.changes import left
from nomic.rulebook.changes.building import Unclear, build, head
from nomic.rulebook.changes.forms import ByHand, Change, Reading, Remark, RuleRef, folded
from nomic.rulebook.changes.headers import header_lines
from nomic.rulebook.changes.layout import HEADING, ITEM, RULED, SECTION, Layout, Marks, Unreadable
from nomic.rulebook.changes.sentences import Cutter, Sentence
from nomic.rulebook.charts import cut

READER = 1
"""Which reader of bodies this is: another number for one that reads any of them otherwise."""
LONGEST_TITLE = 120
# These are part of what this reader reads; what a game lets a proposal have is its own bound.
MOST_CHANGES = 500  # of one body, those that an officer carries out included
MOST_SENTENCES = 5_000  # of one body beside its changes
LONGEST_SENTENCE = 2_000  # characters of a change's own words
# A word in brackets before a sentence may say whether that is meant: “[no] Repeal rule 4.”
_LABEL = re.compile(rf"(?:{ITEM.pattern})?[ \t]*\[[^\s\[\]]+\][ \t]*")
_TITLE_INSIDE = re.compile(r"__([^\n]*?[^\s_])__(?!\w)")
_CODE = 4  # columns: what is indented so much more than the rest is code, as in Markdown
_JOINTS = ("and", "then", "and then")


def read_changes(body: str, remarks: Collection[str] = ()) -> Reading:
    """The changes that a proposal's body asks for, in their order, and what else stands in it.

    `remarks` are the sentences that the author has marked as changing nothing; of equal ones the
    first so many as are given. Where another one cannot be read, each change is left to the
    officer. Takes time in proportion to the length. Unreadable where braces do not fit or are too
    deep, and where there are more than MOST_CHANGES changes. What was read last is kept in this
    process.
    """
    found = _read(body, tuple(sorted(map(folded, remarks))))
    if isinstance(found, Unreadable):
        raise Unreadable(found.sentence, found.line, found.column)
    return found


@kept(0.02)
def _read(body: str, remarks: tuple[str, ...]) -> Reading | Unreadable:
    try:
        return _Reading(Layout(body), Counter(remarks)).read()
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
    remarks: list[Remark] = field(default_factory=list)
    unread: list[Remark] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    context: RuleRef | None = None  # the rule of the head whose edits are being read
    context_end: int = -1  # where its edits end, if braces or an indent tell
    context_items: bool | None = None  # whether its edits are items of a list
    heads: list[tuple[int, Remark]] = field(default_factory=list)  # those without edits so far

    def __post_init__(self) -> None:
        self.text = self.layout.text
        end = len(self.text)
        self.open = [_Open("", end, end, self.layout.margin(0, end))]  # the body itself
        self.at = 0
        self.marks = Marks()
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
                self._to(end, "header")
            else:
                self._say(start, end)
        while True:
            self._skip()
            if self.at < self.limit:
                self._one()
            elif len(self.open) > 1:
                self.at, self.context = self.open.pop().end, None
            else:
                break
        unused = [each for each in self.heads if not self._is_marked(each[1])]
        for place, said in reversed(unused):
            self.unread.append(said)
            self.changes.insert(place, left.as_by_hand(said, left.NO_EDITS))
        self.unread.sort(key=lambda each: each.start)
        changes = tuple(self.changes)
        if self.unread:
            changes = left.beside(changes, [each.sentence for each in self.unread])
        beside = (tuple(self.remarks), tuple(self.unread))
        return Reading(changes, *beside, READER, tuple(self.warnings))

    def _skip(self) -> None:
        """Go on to the next character, keeping the comments in between."""
        while self.at < self.limit:
            if self.at in self.layout.comments:
                self._to(self.layout.comments[self.at], "comment")
            elif self.text[self.at].isspace():
                self.at += 1
            else:
                break

    def _one(self) -> None:
        """Whatever stands here: a group, a section of comments, a heading, or a sentence.

        A paragraph of the section that is an instruction may be meant to stand behind it: nothing
        tells.
        """
        begins_line = not self.text[self.layout.line_start(self.at) : self.at].strip()
        if self.at in self.layout.closing:
            self._open_group()
        elif begins_line and SECTION.match(self.text, self.at, self.limit):
            self._to(self._section_end(), "comment")
            if (read := self._instruction(self.at)) is not None:
                start = self.at
                while self.at in self.layout.closing:
                    self._open_group()
                    start = self.at = self.layout.skip(self.at, self.limit)
                self._say(start, read.end, self._own_words(read, start), left.IN_A_COMMENT)
        elif (
            begins_line
            and (ruled := RULED.match(self.text, self.at, self.limit))
            and self.marks.count(ruled, alone=bool(self.changes or self.unread))
        ):
            self._to(ruled.end(), "place")
        elif begins_line and HEADING.match(self.text, self.at, self.limit):
            end = self.layout.line_end(self.at, self.limit)
            brace = min((p for m in "{}" if (p := self.text.find(m, self.at, end)) >= 0), default=0)
            self._say(self.at, max(brace or end, self.at + 1))
        else:
            self._sentence(begins_line)

    def _instruction(self, at: int) -> Sentence | None:
        """The instruction of the language that begins there, perhaps in braces, or as an item."""
        limit = self.limit
        while at in self.layout.closing:
            limit = self.layout.closing[at]
            at = self.layout.skip(at + 1, limit)
        item = ITEM.match(self.text, at, limit)
        at = item.end() if item else at
        if at >= limit:
            return None
        read = Cutter(self.layout, at, limit).cut()
        return read if read.tree is not None else None

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
            if breaks and self._instruction(at) is not None:
                return at
            end = self.layout.line_end(at, self.limit)
            brace = self.text.find("{", at, end)
            at = end if brace < 0 else self.layout.closing.get(brace, end) + 1
        return self.limit

    def _open_group(self) -> None:
        number, close, end = self.layout.block(self.at)
        inside = self.layout.skip(self.at + number, close)
        named = _TITLE_INSIDE.match(self.text, inside, close)
        above = max([*self.remarks[-1:], *self.unread[-1:]], key=lambda e: e.end, default=None)
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
            self._say(inside, named.end())

    def _sentence(self, begins_line: bool) -> None:
        start = self.at
        item = ITEM.match(self.text, start, self.limit) if begins_line else None
        item = item if item and self.marks.count(item) else None
        begins = item.end() if item else start
        read = Cutter(self.layout, begins, self.limit).cut()
        said = self.text[read.start : read.end]
        if read.words:  # “and” only joins two instructions
            joins = read.words.casefold() in _JOINTS and "!" not in said
        else:  # as does the full stop behind a text
            joins = not begins_line and said in (".", ";")
        if joins and not read.open_quote:
            self._to(read.end, "place")
            return
        self._leave_context(start, item is not None)
        if read.tree is None:
            self._unread(read, start, item is not None)
            return
        words = self.layout.skip(begins, self.limit)
        above = self.text[self.layout.line_start(words) : words]
        if self.context is None and self._is_code(start):
            self._say(start, read.end, self._own_words(read, start), left.INDENTED)
        elif _LABEL.fullmatch(above):
            self._say(start, read.end, self._own_words(read, start), left.LABELLED)
        elif read.is_head:
            self._head(read, start)
        else:
            self._made(read, start)

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
        self.bare = self.context is not None
        if self.bare:
            said = self._own_words(read, start)
            self.heads.append((len(self.changes), Remark(said, start, read.end, group=self.group)))
        self._to(read.end, "place")
        below = self.layout.skip(self.at, self.limit)
        if below in self.layout.closing:
            self.context_end = self.layout.closing[below]

    def _made(self, read: Sentence, start: int) -> None:
        self.at = read.end
        said = self._own_words(read, start)
        made: list[Change] = []
        try:
            made = build(read, self.context)
            why = left.doubt(read)
        except Unclear as unclear:
            why = str(unclear)
        if why:
            self._say(start, read.end, said, why)
            return
        listed = self.context_end >= 0 or self.context_items
        if not listed and any(getattr(each, "rule", None) != self.context for each in made):
            self.context = None
        if read.last_line:
            self.warnings.append(left.taken_to_end(said, read.last_line))
        for change in made:
            self._keep(replace(change, sentence=said, start=start, end=read.end, group=self.group))

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
        self.prose = None

    def _begin(self, at: int) -> None:
        if len(self.changes) + len(self.heads) >= MOST_CHANGES:
            most = f"a proposal asks for at most {MOST_CHANGES:,} changes"
            raise self.layout.unreadable(
                at, f"{most}, and here begins one more; make several of it."
            )

    def _unread(self, read: Sentence, start: int, is_item: bool) -> None:
        """A sentence that is not of the language; one that begins like one has its texts."""
        if not is_item:
            self.context = None
        why = left.ENDLESS if read.is_endless else left.hint(read)
        if why:
            self._say(start, read.end, self._own_words(read, start), why)
        else:
            self._say(start, read.first_block if read.first_block > start else read.end)

    def _say(self, start: int, end: int, said: str = "", why: str = "") -> None:
        """Words that are no instruction: a remark if the author marked them, else the officer's,
        with all others that stand right beside them."""
        said = said or cut(self.layout.words(start, end), LONGEST_SENTENCE)
        self.at = end
        words = Remark(said, start, end, group=self.group)
        if self._is_marked(words):
            return
        self._check_sentences(start)
        self.unread.append(words)
        if why:
            self._keep(left.as_by_hand(words, why))
        elif self.prose is None:
            self.prose = left.as_by_hand(words, left.UNREAD)
            self._begin(start)
            self.changes.append(self.prose)
        else:
            told = cut(f"{self.prose.sentence} {said}", LONGEST_SENTENCE)
            self.prose = self.changes[-1] = replace(self.prose, sentence=told, end=end)

    def _check_sentences(self, at: int) -> None:
        if len(self.remarks) + len(self.unread) >= MOST_SENTENCES:
            most = f"at most {MOST_SENTENCES:,} sentences and comments beside its changes"
            raise self.layout.unreadable(
                at, f"a proposal has {most}, and here is one more; put them into one comment."
            )

    def _is_marked(self, words: Remark) -> bool:
        """Whether the author has marked it as a remark; then it is kept as one."""
        said = folded(words.sentence)
        if not self.marked[said]:
            return False
        self.marked[said] -= 1
        self.remarks.append(replace(words, kind="marked"))
        return True

    def _to(self, end: int, kind: str) -> None:
        """Go on at that end, behind a remark of that kind."""
        self._check_sentences(self.at)
        said = self.layout.words(self.at, end)
        self.remarks.append(Remark(said, self.at, end, kind, self.group))
        self.at = end

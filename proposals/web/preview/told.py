"""The values that a preview shows: the changes that a body asks for, proposals that it names."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString

from nomic.engine.dry_run import Fact, in_words
from nomic.engine.programs.descriptions import ProgramFault
from nomic.engine.table import Table
from nomic.games.wording import counted
from nomic.rulebook.changes.confirming import Unit
from nomic.rulebook.changes.kinds import AddSubrule, BodyRemark, ChangeBy, Enact, Reading, SetSwitch
from nomic.rulebook.charts import cut
from nomic.rulebook.rendering.diff import Differences, DiffLine
from nomic.rulebook.rendering.markdown import render as render_text
from nomic.web.game_context import public_rule_url
from proposals.events.effects import Effect, shared
from proposals.events.opening import Earliest
from proposals.models import LinkKind, Proposal, Success
from proposals.shapes import ExecutorShape
from proposals.state.bodies import Meeting
from proposals.state.reading import Handle, state_of
from proposals.web.preview.consequences import NOTHING_TRIED, Consequence, ProgramPart, Trials

MOST_CHANGES = 300
_LONGEST_LAW = 30_000  # characters of new rules that are shown as the rulebook will show them
_LINKED = {LinkKind.CONFLICT: "Conflicts with", LinkKind.DEPENDENCY: "Depends on"}
_AROUND = 2  # unchanged lines shown before and after a changed one
_MOST_LINES = 150  # of one change
_TOLD = 2_000  # characters of its old words, and of its new ones


@dataclass(frozen=True, slots=True)
class ChangedPassage:
    """Changed lines with a few around them, and how many unchanged ones are left out before."""

    html: SafeString
    skipped: int = 0


def changed_passages(
    before: str, after: str, page: Differences
) -> tuple[tuple[ChangedPassage, ...], int]:
    """The difference of two texts in pieces, and how many changed lines are left out at the end.
    `page` is what all on the page that shows them have room in."""
    passages: list[ChangedPassage] = []
    lines: list[DiffLine] = []
    skipped = changed = 0
    for piece in page.pieces(before, after, _AROUND) if before != after else ():
        if isinstance(piece, int):
            if lines:
                passages.append(ChangedPassage(page.render(lines), skipped))
            lines, skipped = [], piece
            continue
        changed += piece.kind != "same"
        if changed <= _MOST_LINES:
            lines.append(piece)
    if lines:
        passages.append(ChangedPassage(page.render(lines), skipped))
    return tuple(passages), max(changed - _MOST_LINES, 0)


@dataclass(frozen=True, slots=True)
class PreviewedChange(Effect):
    """The effect of one change, or why it would be left undone, as a page shows it.

    `passages` differ in a rule's text, `law` is a new one; only of a switch are there values
    `before` and `after`. `old` and `new` are the words that it replaces or brings, or else the
    lines that differ, and `part` says which part of its sentence it is, where another is done.
    """

    rule_url: str = ""
    passages: tuple[ChangedPassage, ...] = ()
    more_lines: int = 0
    law: SafeString | str = ""
    old: str = ""
    new: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class PreviewedLink:
    """A proposal that this one conflicts with or depends on."""

    does: str
    label: str
    url: str
    status: str


def shown_changes(table: Table, effects: Sequence[Effect], untried: int = 0) -> dict[str, Any]:
    """The first changes as a page shows them, and how many there are of each kind."""
    page, parted = _Page(), shared(effects)
    shown = []
    for effect in effects[:MOST_CHANGES]:
        facts = {field.name: getattr(effect, field.name) for field in fields(effect)}
        old, new = effect.words_changed
        if not old and not new:
            lines = effect.facts()
            old, new = lines["before"], lines["after"]
        url = public_rule_url(table, effect.rule)
        change = PreviewedChange(
            **facts,
            rule_url=url,
            old=cut(old, _TOLD),
            new=cut(new, _TOLD),
            part="" if effect.done or effect.change.start not in parted else str(effect),
        )
        if not isinstance(effect.change, SetSwitch | ChangeBy):
            law = page.law(effect.after) if isinstance(effect.change, Enact | AddSubrule) else ""
            change = replace(change, before="", after="", law=law)
            if not law:
                passages, more_lines = changed_passages(effect.before, effect.after, page)
                change = replace(change, passages=passages, more_lines=more_lines)
        shown.append(change)
    return {
        "changes": tuple(shown),
        "more": max(len(effects) - MOST_CHANGES, 0) + untried,
        "by_hand": sum(not effect.done and not effect.refused for effect in effects),
        "refused": sum(effect.refused for effect in effects),
    }


class _Page(Differences):
    """The room that all changes on one page share, and the new rules shown as the rulebook will."""

    def __init__(self) -> None:
        super().__init__()
        self._characters_of_law = _LONGEST_LAW

    def law(self, text: str) -> SafeString | str:
        """The text as the rulebook will show it; empty where it is too long for that here."""
        if len(text) > self._characters_of_law:
            return ""
        self._characters_of_law -= len(text)
        return render_text(text)


def shown_links(
    table: Table, links: Mapping[str, Iterable[Handle]], proposal: Proposal | None
) -> tuple[PreviewedLink, ...]:
    """Each link with the state of its other end as of now; `proposal` is the one that has them."""
    named = [(kind, handle) for kind, handles in links.items() for handle in handles]
    ends = state_of(table).find_all([handle for _, handle in named])
    shown = []
    for kind, handle in named:
        end = ends.get(handle)
        if end is None:
            sentence = f"There is no proposal {handle} in this game."
            shown.append(PreviewedLink(_LINKED[LinkKind(kind)], sentence, "", ""))
            continue
        url = reverse("proposal", args=[table.game.slug, end.handle])
        itself = proposal is not None and end.pk == proposal.pk
        status = "itself, which cannot be" if itself else end.status
        if end.success in (Success.WON, Success.LOST):
            status = f"{status}, {end.success}"
        shown.append(PreviewedLink(_LINKED[LinkKind(kind)], str(end), url, status))
    return tuple(shown)


_MOST_UNREAD = 200  # sentences that are shown, each with a box beside it


@dataclass(frozen=True, slots=True)
class Beside:
    """A sentence that is no instruction: the `number`-th of `many` equal ones.

    Remarks are marked from the first on: what is not `offered` waits for the one before it. In the
    form its author may have `left` it to the officer, and it may be `near` to cells of tables;
    else a `hint` tells what would be read, where it is like that.
    """

    sentence: str
    number: int = 1
    many: int = 1
    offered: bool = True
    left: bool = False
    near: tuple[str, ...] = ()
    hint: str = ""


def beside(reading: Reading) -> dict[str, Any]:
    """The sentences of a body that are no change, those unread and those marked as remarks."""
    marked = Counter(remark.sentence for remark in reading.marked)
    many = marked + Counter(remark.sentence for remark in reading.unread)
    return {
        "unread": tuple(_numbered(reading.unread[:_MOST_UNREAD], many, marked)),
        "more_unread": max(len(reading.unread) - _MOST_UNREAD, 0),
        "marked": tuple(_numbered(reading.marked, many, Counter())),
    }


def _numbered(
    remarks: Iterable[BodyRemark], many: Counter[str], before: Counter[str]
) -> Iterable[Beside]:
    counts = Counter(before)
    for sentence in (remark.sentence for remark in remarks):
        counts[sentence] += 1
        number = counts[sentence]
        yield Beside(sentence, number, many[sentence], number <= before[sentence] + 1)


@dataclass(frozen=True, slots=True)
class BodyPreview:
    """The changes that a body would make. `unreadable` says where its braces do not fit;
    then all of it is the officer's, and the rest is empty. `busy` is said where the answer has to
    be asked for again.

    `more` changes follow those told, `untried` of them after all that were tried; of those that
    were, `by_hand` are left to the officer, `refused` are left undone. `unread` are the first
    sentences that could not be read, and `more_unread` tells how many follow; `marked` are those
    that the author calls remarks, `units` what they have confirmed of what the text counts or
    names, or what it would be taken for, and `executors` who would carry out each sentence.
    `figures` are (what, before, after) of the subgames' state; `unplayed` are sentences that would
    not be carried out as they read, or would be gone and carried out still, `claimed` those of
    which programs say that they do them; `next` is when the next proposal could at the earliest be
    adopted; `adds` what programs add, `errors` what is wrong with them, `tried` what became of
    them, and `costs` what it costs the site that things happen by themselves. `is_record` tells
    that this has happened. `broken` tells what of the rules could not be read any more; `unchecked`
    are the rules and the texts of programs that were not checked in time. Where it `waits`, a
    worker is at the rest; `is_tried` tells whether anything was tried. It `meets` what other
    proposals change of the same rules.
    """

    changes: tuple[PreviewedChange, ...] = ()
    more: int = 0
    untried: int = 0
    by_hand: int = 0
    refused: int = 0
    unread: tuple[Beside, ...] = ()
    more_unread: int = 0
    marked: tuple[Beside, ...] = ()
    units: tuple[Unit, ...] = ()
    executors: tuple[ExecutorShape, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    figures: tuple[Fact, ...] = ()
    more_figures: bool = False
    warnings: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()
    next: Earliest | None = None
    adds: tuple[ProgramPart, ...] = ()
    errors: tuple[ProgramFault, ...] = ()
    costs: tuple[str, ...] = ()
    links: tuple[PreviewedLink, ...] = ()
    officer: str = ""
    unreadable: str = ""
    line: int = 0
    column: int = 0
    busy: str = ""
    is_record: bool = False
    broken: tuple[str, ...] = ()
    unchecked: tuple[tuple[str, str], ...] = ()
    waits: bool = False
    is_tried: bool = False
    meets: tuple[Meeting, ...] = ()
    tried: Trials = NOTHING_TRIED

    @property
    def asks(self) -> bool:
        """Whether something of what it counts or names is not confirmed, or cannot be."""
        return any(not unit.is_confirmed or (unit.passage and unit.why) for unit in self.units)

    @property
    def settled(self) -> list[PreviewedChange]:
        """The changes but for the sentences that could not be read, of which a form asks."""
        asked_of = {beside.sentence for beside in self.unread}
        return [change for change in self.changes if change.change.sentence not in asked_of]

    @property
    def is_worked_out(self) -> bool:
        """Whether nothing of it is still to come."""
        return bool(self.unreadable) or (self.is_tried and not self.busy and not self.waits)

    @property
    def count(self) -> int:
        """How many changes the body asks for."""
        return len(self.changes) + self.more

    @property
    def count_in_words(self) -> str:
        """How many changes there are, and how many of them are not made."""
        parts = [counted(self.count, "change")]
        if self.by_hand:
            all_of_them = "all " if self.count > 1 else ""
            which = all_of_them if self.by_hand == self.count else f"{self.by_hand} of them "
            parts.append(f"{which}left to the {self.officer}")
        if self.refused:
            parts.append(f"{self.refused} left undone")
        return f"{', '.join(parts)}."

    @property
    def figures_in_words(self) -> list[Fact]:
        """The figures as pages tell them."""
        return in_words(self.figures)

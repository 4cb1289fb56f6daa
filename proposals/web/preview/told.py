"""The values that a preview shows."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nomic.engine.dry_run import Fact, in_words
from nomic.engine.programs.telling import Fault
from nomic.rulebook.changes.forms import Reading, Remark
from proposals.events.earliest import Earliest
from proposals.events.executors import Executor
from proposals.web.preview.changes import PreviewedChange, PreviewedLink
from proposals.web.preview.consequences import Consequence, ProgramPart
from proposals.web.preview.trials import NOTHING_TRIED, Trials

_MOST_UNREAD = 200  # sentences that are shown, each with a box beside it


@dataclass(frozen=True, slots=True)
class Beside:
    """A sentence that is no instruction: the `number`-th of `many` equal ones.

    Remarks are marked from the first on: what is not `offered` waits for the one before it.
    """

    sentence: str
    number: int = 1
    many: int = 1
    offered: bool = True


def beside(reading: Reading) -> dict[str, Any]:
    """The sentences of a body that are no change, those unread and those marked as remarks."""
    marked = Counter(each.sentence for each in reading.marked)
    many = marked + Counter(each.sentence for each in reading.unread)
    return {
        "unread": tuple(_numbered(reading.unread[:_MOST_UNREAD], many, marked)),
        "more_unread": max(len(reading.unread) - _MOST_UNREAD, 0),
        "marked": tuple(_numbered(reading.marked, many, Counter())),
    }


def _numbered(said: Iterable[Remark], many: Counter[str], before: Counter[str]) -> Iterable[Beside]:
    seen = Counter(before)
    for sentence in (each.sentence for each in said):
        seen[sentence] += 1
        number = seen[sentence]
        yield Beside(sentence, number, many[sentence], number <= before[sentence] + 1)


@dataclass(frozen=True, slots=True)
class Preview:
    """The changes that a body would make. `unreadable` says where its braces do not fit; then the
    rest is empty. `busy` is said where the answer has to be asked for again.

    `more` changes follow those told, `untried` of them after all that were tried; of those that
    were, `by_hand` are left to the officer, `refused` are left undone. `unread` are the first
    sentences that could not be read, and `more_unread` tells how many follow; `marked` are those
    that the author calls remarks, and `executors` who would carry out each sentence. `figures` are
    (what, before, after) of the subgames' state; `unplayed` are sentences that would not be carried
    out as they read, `claimed` those of which programs say that they do them; `next` is when the
    next proposal could at the earliest be adopted; `adds` what programs add, `errors` what is wrong
    with them, `tried` what became of them, and `costs` what it costs the site that things happen by
    themselves. `is_record` tells that this has happened.
    `unchecked` are the rules and the texts of programs that were not checked in time. Where it
    `waits`, a worker is at the rest.
    """

    changes: tuple[PreviewedChange, ...] = ()
    more: int = 0
    untried: int = 0
    by_hand: int = 0
    refused: int = 0
    unread: tuple[Beside, ...] = ()
    more_unread: int = 0
    marked: tuple[Beside, ...] = ()
    executors: tuple[Executor, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    figures: tuple[Fact, ...] = ()
    more_figures: bool = False
    warnings: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()
    next: Earliest | None = None
    adds: tuple[ProgramPart, ...] = ()
    errors: tuple[Fault, ...] = ()
    costs: tuple[str, ...] = ()
    links: tuple[PreviewedLink, ...] = ()
    officer: str = ""
    unreadable: str = ""
    line: int = 0
    column: int = 0
    busy: str = ""
    is_record: bool = False
    unchecked: tuple[tuple[str, str], ...] = ()
    waits: bool = False
    tried: Trials = NOTHING_TRIED

    @property
    def count(self) -> int:
        """How many changes the body asks for."""
        return len(self.changes) + self.more

    @property
    def count_in_words(self) -> str:
        """How many changes there are, and how many of them are not made."""
        told = ["1 change" if self.count == 1 else f"{self.count} changes"]
        if self.by_hand:
            all_of_them = "all " if self.count > 1 else ""
            which = all_of_them if self.by_hand == self.count else f"{self.by_hand} of them "
            told.append(f"{which}left to the {self.officer}")
        if self.refused:
            told.append(f"{self.refused} left undone")
        return f"{', '.join(told)}."

    @property
    def figures_in_words(self) -> list[Fact]:
        """The figures as pages tell them."""
        return in_words(self.figures)

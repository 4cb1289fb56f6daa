"""What a preview tells."""

from dataclasses import dataclass

from nomic.engine.dry_run import Fact, in_words
from nomic.engine.programs.telling import Fault
from proposals.events.earliest import Earliest
from proposals.events.executors import Executor
from proposals.web.preview.changes import PreviewedChange, PreviewedLink
from proposals.web.preview.consequences import Consequence, Part
from proposals.web.preview.trials import NOTHING_TRIED, Trials


@dataclass(frozen=True, slots=True)
class Preview:
    """What a body would change. `unreadable` says where its braces do not fit; then the rest is
    empty. `busy` is said where the answer has to be asked for again.

    `more` changes follow those told, `untried` of them after all that were tried; of those that
    were, `by_hand` are left to the officer, `refused` are left undone. `unread` are the first
    sentences that could not be read, and `more_unread` tells how many follow; `marked` are those
    that the author calls remarks, and `executors` who would carry out each sentence. `figures` are
    (what, before, after) of the subgames' state; `unplayed` are sentences that would not be carried
    out as they read; `next` is when the next proposal could at the earliest be adopted; `adds` what
    programs add, `errors` what is wrong with them, `tried` what became of them, and `costs` what it
    costs the site that things happen by themselves. `is_record` tells that this has happened.
    `unchecked` are the rules and the texts of programs that were not checked in time. Where it
    `waits`, a worker is at the rest.
    """

    changes: tuple[PreviewedChange, ...] = ()
    more: int = 0
    untried: int = 0
    by_hand: int = 0
    refused: int = 0
    unread: tuple[str, ...] = ()
    more_unread: int = 0
    marked: tuple[str, ...] = ()
    executors: tuple[Executor, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    figures: tuple[Fact, ...] = ()
    more_figures: bool = False
    warnings: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    next: Earliest | None = None
    adds: tuple[Part, ...] = ()
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

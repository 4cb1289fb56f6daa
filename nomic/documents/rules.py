"""Which kinds of document there are, and who writes and changes them. No Django here."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from nomic.documents.rulebook import shipped_texts, shipped_undoubted
from nomic.games.refusal import Refusal
from nomic.games.wording import listed_names
from nomic.rulebook.charts import Columns
from nomic.rulebook.last_readable import Figure, RuleCharts

DOCUMENTS, UNDOUBTED_REPORTS = "Documents", "Undoubted Reports"
LONGEST_KIND = 40
MOST_KINDS = 60
MOST_DAYS = 366
EVERY_REPORT = "every report"
PLAYERS, OFFICERS, AUTHOR, NOBODY = "players", "officers", "author", "nobody"
EVERYBODY, READERS = "everybody", "readers"
MOST_SEALED = 20  # of one player, each a book that the game keeps open
_TABLE = ("DOCUMENT", "WRITTEN BY", "CHANGED BY", "TOLD TO", "SEEN BY")


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of document. `written_by` is “players”, “officers” or an office's name, `changed_by`
    one of these, “author” or “nobody”; `is_told` whether every player gets a notice of one.
    `seen_by` is “everybody”, or who reads it while it is sealed: “author” alone, the “readers” whom
    its author names, or who holds an office of that name as it is sealed."""

    name: str
    written_by: str
    changed_by: str
    is_told: bool
    seen_by: str = EVERYBODY

    @property
    def is_sealed(self) -> bool:
        """Whether those of this kind begin sealed."""
        return self.seen_by.casefold() != EVERYBODY

    @property
    def names_readers(self) -> bool:
        """Whether its author says who reads it."""
        return self.seen_by.casefold() == READERS


class DocumentCharts(RuleCharts):
    """The table of the rule “Documents”."""

    titles = (DOCUMENTS,)
    shipped_texts = staticmethod(shipped_texts)
    known: ClassVar[Mapping[str, tuple[Columns, ...]]] = {DOCUMENTS: (_TABLE,)}
    open_tables = frozenset({"DOCUMENT"})

    @Figure
    def kinds(self) -> dict[str, DocumentKind]:
        """The kinds by their names, in the table's order."""
        table = self.tables.table(DOCUMENTS, "DOCUMENT")
        if len(table.rows) > MOST_KINDS:
            raise table.broken(f"has {len(table.rows)} rows, and at most {MOST_KINDS} are read.")
        kinds = {}
        for name in table.rows:
            if len(name) > LONGEST_KIND:
                raise table.unfit(name, "", f"a name of at most {LONGEST_KIND} characters")
            told_to = table.cell(name, "TOLD TO").casefold()
            if told_to not in (PLAYERS, NOBODY):
                raise table.unfit(told_to, f" under TOLD TO for {name}", f"{PLAYERS} or {NOBODY}")
            written_by, changed_by, seen_by = (
                table.cell(name, column) for column in ("WRITTEN BY", "CHANGED BY", "SEEN BY")
            )
            if not (written_by and changed_by and seen_by):
                raise table.broken(f"says nothing of who writes, changes or sees the kind {name}.")
            kind = DocumentKind(name, written_by, changed_by, told_to == PLAYERS, seen_by)
            if kind.is_sealed and kind.is_told:
                raise table.broken(f"tells all players of {name}, which not everybody sees.")
            kinds[name] = kind
        return kinds


class UndoubtedCharts(RuleCharts):
    """The table of the rule “Undoubted Reports”."""

    titles = (UNDOUBTED_REPORTS,)
    shipped_texts = staticmethod(shipped_undoubted)
    known: ClassVar[Mapping[str, tuple[Columns, ...]]] = {
        UNDOUBTED_REPORTS: (("UNDOUBTED", "DAYS"),)
    }
    open_tables = frozenset({"UNDOUBTED"})

    @Figure
    def days(self) -> dict[str, int]:
        """In how many days a report becomes true, or a document undoubted, by the report's title or
        the document's kind in small letters."""
        table = self.tables.table(UNDOUBTED_REPORTS, "UNDOUBTED")
        return {row.casefold(): table.whole(row, "DAYS", 1, MOST_DAYS) for row in table.rows}

    def days_of(self, title: str) -> int | None:
        """In how many days the report of that title becomes true; None where it never does."""
        return self.days.get(title.casefold(), self.days.get(EVERY_REPORT))

    def days_of_kind(self, kind: str) -> int | None:
        """In how many days a document of that kind is undoubted; None where it never is."""
        return self.days.get(kind.casefold())


def write_refusal(
    kind: DocumentKind, offices: Collection[str], *, is_officer: bool
) -> Refusal | None:
    """Why who holds these offices may not write one of that kind; None if they may."""
    if _is_among(kind.written_by, offices, is_officer=is_officer):
        return None
    sentence = f"One of the kind {kind.name} is written by {_called(kind.written_by)}."
    return Refusal("not_the_writer", sentence, DOCUMENTS)


def is_written_by_rule(kind: DocumentKind, title: str, number: str) -> bool:
    """Whether those of that kind are what the program of the rule of that title and number
    writes: it stands where else players or an office do, as “Almanac” or “Rule 301”."""
    writer = kind.written_by.casefold().strip('“”"')
    return writer == title.casefold() or (bool(number) and writer == f"rule {number}".casefold())


def change_refusal(
    kind: DocumentKind,
    offices: Collection[str],
    *,
    is_officer: bool,
    is_author: bool,
    withdraws: bool,
) -> Refusal | None:
    """Why who holds these offices, and perhaps has written it, may not change one of that kind, or
    withdraw it; None if they may."""
    if kind.changed_by.casefold() == NOBODY:
        sentence = f"One of the kind {kind.name} is changed by nobody, and not withdrawn."
        return Refusal("never_changed", sentence, DOCUMENTS)
    if withdraws:
        sentence = "Its author alone withdraws a document."
        return None if is_author else Refusal("not_the_author", sentence, DOCUMENTS)
    is_its_own = kind.changed_by.casefold() == AUTHOR and is_author
    if is_its_own or _is_among(kind.changed_by, offices, is_officer=is_officer):
        return None
    whose = "its author" if kind.changed_by.casefold() == AUTHOR else _called(kind.changed_by)
    sentence = f"One of the kind {kind.name} is changed by {whose}."
    return Refusal("not_the_writer", sentence, DOCUMENTS)


def readers_refusal(
    kind: DocumentKind,
    readers: str,
    author: str,
    players: Collection[str],
    offices: Mapping[str, str],
) -> Refusal | None:
    """Why one of that kind cannot be sealed for whom its author names; None if it can. `offices`
    are those of the game, each with its holder."""
    if kind.names_readers:
        names = listed_names(readers)
        if not names:
            return Refusal("no_readers", "Name who is to read it, with commas between.", DOCUMENTS)
        stranger = next((name for name in names if name not in players), "")
        if stranger:
            sentence = f"“{stranger[:40]}” is no active player: name players, with commas between."
            return Refusal("no_such_reader", sentence, DOCUMENTS)
        if names == [author]:
            sentence = "You read it anyway: name who else is to read it."
            return Refusal("no_readers", sentence, DOCUMENTS)
        return None
    if readers.strip():
        sentence = f"One of the kind {kind.name} is seen by {_called(kind.seen_by)}: name nobody."
        return Refusal("names_readers", sentence, DOCUMENTS)
    if kind.seen_by.casefold() != AUTHOR and not holder_of(kind, offices):
        sentence = f"Nobody is the {kind.seen_by}: nobody would read it."
        return Refusal("vacant", sentence, DOCUMENTS)
    return None


def holder_of(kind: DocumentKind, offices: Mapping[str, str]) -> str:
    """The holder of the office that sees those of that kind; "" for none."""
    held = (
        name for office, name in offices.items() if office.casefold() == kind.seen_by.casefold()
    )
    return next(held, "") or ""


def _is_among(who: str, offices: Collection[str], *, is_officer: bool) -> bool:
    if who.casefold() == PLAYERS:
        return True
    if who.casefold() == OFFICERS:
        return is_officer
    return who.casefold() in {office.casefold() for office in offices}


def _called(who: str) -> str:
    if who.casefold() == AUTHOR:
        return "its author alone"
    return who if who.casefold() in (PLAYERS, OFFICERS) else f"the {who}"

"""Which kinds of document there are, and who writes and changes them. No Django here."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from nomic.documents.rulebook import shipped_texts
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import Columns
from nomic.rulebook.last_readable import Figure, RuleCharts

DOCUMENTS = "Documents"
LONGEST_KIND = 40
MOST_KINDS = 60
PLAYERS, OFFICERS, AUTHOR, NOBODY = "players", "officers", "author", "nobody"
_TABLE = ("DOCUMENT", "WRITTEN BY", "CHANGED BY", "TOLD TO")


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of document. `written_by` is “players”, “officers” or an office's name, `changed_by`
    one of these, “author” or “nobody”; `is_told` whether every player gets a notice of one."""

    name: str
    written_by: str
    changed_by: str
    is_told: bool


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
            written_by, changed_by = (
                table.cell(name, column) for column in ("WRITTEN BY", "CHANGED BY")
            )
            if not written_by or not changed_by:
                raise table.broken(f"says nothing of who writes or changes the kind {name}.")
            kinds[name] = DocumentKind(name, written_by, changed_by, told_to == PLAYERS)
        return kinds


def write_refusal(kind: DocumentKind, offices: Collection[str]) -> Refusal | None:
    """Why who holds these offices may not write one of that kind; None if they may."""
    if _is_among(kind.written_by, offices):
        return None
    sentence = f"One of the kind {kind.name} is written by {_called(kind.written_by)}."
    return Refusal("not_the_writer", sentence, DOCUMENTS)


def change_refusal(
    kind: DocumentKind, offices: Collection[str], *, is_author: bool, withdraws: bool = False
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
    if is_its_own or _is_among(kind.changed_by, offices):
        return None
    whose = "its author" if kind.changed_by.casefold() == AUTHOR else _called(kind.changed_by)
    sentence = f"One of the kind {kind.name} is changed by {whose}."
    return Refusal("not_the_writer", sentence, DOCUMENTS)


def _is_among(who: str, offices: Collection[str]) -> bool:
    if who.casefold() == PLAYERS:
        return True
    if who.casefold() == OFFICERS:
        return bool(offices)
    return who.casefold() in {office.casefold() for office in offices}


def _called(who: str) -> str:
    return who if who.casefold() in (PLAYERS, OFFICERS) else f"the {who}"

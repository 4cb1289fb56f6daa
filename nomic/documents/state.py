"""The documents of a game as its rule lets them be: kinds, and rows by their numbers."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from django.db.models import Max, Q, QuerySet

from nomic.documents.models import Document, SealedDocument
from nomic.documents.rules import (
    DOCUMENTS,
    UNDOUBTED_REPORTS,
    DocumentCharts,
    DocumentKind,
    UndoubtedCharts,
    change_refusal,
    write_refusal,
)
from nomic.engine.actions import makes_officer
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.reports import Report
from nomic.rulebook.charts import unless_broken

# Not named after the documents: an event anchors all sealed books of its part, which would tell how
# many documents are sealed.
NO_DOUBT = "reports.no_doubt"


class State:
    """The documents of one game as one table sees them; everything is read when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def charts(self) -> DocumentCharts:
        """The figures of the rule, or of the last version of it that can be read."""
        rules = self.table.rules
        return rules.figures(DocumentCharts, rules.texts(DocumentCharts.titles))

    @cached_property
    def undoubted(self) -> UndoubtedCharts | None:
        """The figures of the rule “Undoubted Reports”; None while it is not in force."""
        rules = self.table.rules
        if not rules.in_force(UNDOUBTED_REPORTS):
            return None
        return rules.figures(UndoubtedCharts, rules.texts(UndoubtedCharts.titles))

    def days_of(self, report: Report) -> int | None:
        """In how many days that report becomes true; None where it never does."""
        charts = self.undoubted
        return unless_broken(lambda: charts.days_of(report.title), None) if charts else None

    def days_of_kind(self, kind: str) -> int | None:
        """In how many days a document of that kind is undoubted; None where it never is."""
        charts = self.undoubted
        return unless_broken(lambda: charts.days_of_kind(kind), None) if charts else None

    @property
    def kinds(self) -> dict[str, DocumentKind]:
        """The kinds of which there may be new ones; none where no rule says any."""
        nothing: dict[str, DocumentKind] = {}
        return unless_broken(lambda: self.charts.kinds, nothing)

    @property
    def sealed_kinds(self) -> list[DocumentKind]:
        """The kinds of which new ones are sealed."""
        return [kind for kind in self.kinds.values() if kind.is_sealed]

    @property
    def documents(self) -> QuerySet[Document]:
        """All documents of the game, with their authors, the newest first."""
        return Document.objects.filter(game=self.table.game).select_related("author")

    def undoubted_at(self, document: Document) -> datetime | None:
        """The game moment at which the document becomes undoubted; None where it does not wait."""
        waiting = self.table.game.appointments.waiting().filter(kind=NO_DOUBT)
        due = waiting.filter(subject__startswith=f"{document.number}/")
        return due.values_list("due", flat=True).first()

    def sealed_for(self, player: Player | None) -> QuerySet[SealedDocument]:
        """The documents, sealed still, that this player reads, with their authors, the newest
        first; none for who has no seat."""
        sealed = SealedDocument.objects.filter(
            game=self.table.game, opened_as__isnull=True, withdrawn=False
        )
        if player is None:
            return sealed.none()
        its_own, to_read = Q(author=player), Q(readers__player=player)
        return sealed.filter(its_own | to_read).distinct().select_related("author")

    @property
    def next_number(self) -> int:
        """The number of the next one."""
        last: int | None = self.table.game.documents.aggregate(last=Max("number"))["last"]
        return (last or 0) + 1

    def write_refusal(self, kind: DocumentKind, player: Player) -> Refusal | None:
        """Why the player may not write one of that kind; None if they may."""
        offices = self.table.directory.held_by(player)
        return write_refusal(kind, offices, is_officer=makes_officer(offices))

    def change_refusal(
        self, kind: DocumentKind, player: Player, *, is_author: bool, withdraws: bool
    ) -> Refusal | None:
        """Why the player, who perhaps has written it, may not change one of that kind, or withdraw
        it; None if they may."""
        offices = self.table.directory.held_by(player)
        return change_refusal(
            kind,
            offices,
            is_officer=makes_officer(offices),
            is_author=is_author,
            withdraws=withdraws,
        )


def is_on(table: Table) -> bool:
    """Whether the rule that lets documents be is in force."""
    return table.rules.in_force(DOCUMENTS)


def state_of(table: Table) -> State:
    """The state of the documents at that table."""
    return table.once(State)

"""Documents as a part of a game: they are there as long as a rule lets them be."""

from collections.abc import Sequence

from nomic.documents.actions.sealing import OPEN, REVISE_SEALED, SEAL, WITHDRAW_SEALED
from nomic.documents.api import documents_state, whole_document
from nomic.documents.finding import document_named, search_hits, traces_of
from nomic.documents.notices import concerns
from nomic.documents.rulebook import RULEBOOK, UNDOUBTED
from nomic.documents.rules import (
    DOCUMENTS,
    UNDOUBTED_REPORTS,
    DocumentCharts,
    UndoubtedCharts,
)
from nomic.documents.shapes import DocumentShape, WholeDocumentShape
from nomic.documents.state import NO_DOUBT, state_of
from nomic.engine.subgames import Subgame, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.governance.reports import UNDOUBTED as UNDOUBTED_REPORT
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import Machinery
from nomic.rulebook.in_force import name_key
from nomic.rulebook.last_readable import Unread
from nomic.rulebook.text_cache import committed_rules


class Documents(Subgame):
    """Texts that players publish, and that last."""

    open_tables = DocumentCharts.open_tables
    sign = "document"
    sealing_acts = frozenset({SEAL, OPEN, REVISE_SEALED, WITHDRAW_SEALED})
    hears_programs = True
    concerns = staticmethod(concerns)
    traces_of = staticmethod(traces_of)
    named = staticmethod(document_named)
    finds = staticmethod(search_hits)

    def is_on(self, game: Game) -> bool:
        return committed_rules(game).known(DOCUMENTS) is not None

    def machinery(self, table: Table, title: str) -> Machinery | None:
        """The rule on undoubted reports is shipped beside the other: not every game has it."""
        undoubted = machinery_in(RULEBOOK / UNDOUBTED, UndoubtedCharts.open_tables)
        return super().machinery(table, title) or undoubted.get(name_key(title))

    def unread(self, table: Table) -> Sequence[Unread]:
        undoubted = state_of(table).undoubted
        return (*super().unread(table), *(undoubted.unread if undoubted else ()))

    def rules_changed(self, table: Table) -> None:
        """No report becomes true, and no document undoubted, while no rule says so."""
        if not table.rules.in_force(UNDOUBTED_REPORTS):
            table.appointments.cancel_all(UNDOUBTED_REPORT, NO_DOUBT)

    def charts(self, table: Table) -> DocumentCharts:
        return state_of(table).charts

    def item_called(self, key: str) -> str:
        return f"Document {key}"

    def state(self, table: Table, player: Player | None) -> list[DocumentShape] | None:
        """All documents of the game that the caller sees, the oldest first and then those that are
        sealed, without their texts."""
        return documents_state(table, player)

    def item(self, table: Table, player: Player | None, name: str) -> WholeDocumentShape | None:
        """One document, by its number, with its text and its versions."""
        return whole_document(table, player, name)


THE_DOCUMENTS = register(Documents("documents", "Documents", RULEBOOK))

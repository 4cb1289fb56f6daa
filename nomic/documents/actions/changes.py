"""What becomes of one document, whether everybody sees it or it is sealed."""

from nomic.documents.models import Document, SealedDocument
from nomic.documents.rules import DOCUMENTS
from nomic.documents.state import State, is_on
from nomic.engine.actions import Action
from nomic.engine.effects import Effects, Verdict
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal

NO_TEXT = Refusal("no_text", "A document has a text: write one.", DOCUMENTS)


class DocumentAction(Action):
    """An action by the rule that lets documents be."""

    rule = DOCUMENTS
    State = State

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(is_on(table))


class OneDocument[Row: Document | SealedDocument](DocumentAction):
    """An action on a document that there is, which its form names by `document`."""

    page = "documents"
    withdraws = False

    def changeable(self, state: State, player: Player, number: int) -> Refusal | Row:
        """The document, or why that player may not do this to it."""
        raise NotImplementedError

    def kind_refusal(
        self, state: State, player: Player, row: Row, *, is_author: bool
    ) -> Refusal | None:
        """Why the table does not let that player do this to a document of its kind."""
        kind = state.charts.kinds.get(row.kind)
        if kind is None:
            sentence = f"The table of {DOCUMENTS} has no kind {row.kind} any more."
            return Refusal("no_such_kind", sentence, self.rule)
        return state.change_refusal(kind, player, is_author=is_author, withdraws=self.withdraws)


class Revision[Row: Document | SealedDocument](OneDocument[Row]):
    """It gets another title or text."""

    def revised(self, player: Player, row: Row, title: str, text: str) -> Refusal | Effects:
        """What gives it that title and text; a refusal where it has them already."""
        raise NotImplementedError

    def judge(
        self,
        state: State,
        player: Player,
        document: int | None,
        title: str | None,
        text: str | None,
    ) -> Verdict:
        if document is None:
            return None
        row = self.changeable(state, player, document)
        if isinstance(row, Refusal):
            return row
        if title is None or text is None:
            return None
        return self.revised(player, row, title, text) if text.strip() else NO_TEXT


class Withdrawal[Row: Document | SealedDocument](OneDocument[Row]):
    """It is withdrawn for good."""

    withdraws = True

    def withdrawn(self, state: State, player: Player, row: Row) -> Effects:
        """What withdraws it."""
        raise NotImplementedError

    def judge(self, state: State, player: Player, document: int | None) -> Verdict:
        if document is None:
            return None
        row = self.changeable(state, player, document)
        return row if isinstance(row, Refusal) else self.withdrawn(state, player, row)

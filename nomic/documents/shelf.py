"""Documents as programs of rules read and publish them."""

from nomic.documents.actions.publishing import publish_text
from nomic.documents.models import Document
from nomic.documents.rules import DOCUMENTS, is_written_by_rule
from nomic.documents.state import is_on, state_of
from nomic.engine.forms import LAST_NUMBER, unseen_in
from nomic.engine.programs.running import quoted
from nomic.engine.programs.shelf import Listed, Paper, keep_shelf
from nomic.engine.table import Table


class _Documents:
    def listed(self, table: Table, kind: str, most: int) -> list[Listed]:
        """As a program has it: what is sealed is no document."""
        if not kind.isprintable():  # PostgreSQL takes no NUL
            return []
        rows = state_of(table).documents.defer("text")
        rows = rows.filter(kind__iexact=kind) if kind else rows
        return [(row.number, row.kind, row.title, row.author_name) for row in rows[:most]]

    def text(self, table: Table, number: int) -> str | None:
        if not 0 < number <= LAST_NUMBER:
            return None
        texts = Document.objects.filter(game=table.game, number=number)
        return texts.values_list("text", flat=True).first()

    def misfit(self, table: Table, rule: str, number: str, paper: Paper) -> str:
        called, title, text = paper
        kind = state_of(table).kinds.get(called) if is_on(table) else None
        if kind is None:
            return f"“{called[:40]}” is not a kind of document of this game"
        if kind.is_sealed or not is_written_by_rule(kind, rule, number):
            return (
                f"The table of {DOCUMENTS} does not say that the kind {kind.name} is written by"
                f" “{rule}” and seen by everybody"
            )
        if len(title.splitlines()) != 1 or unseen_in(title) or unseen_in(text):
            return "A title is one line, and nothing has invisible control characters"
        return ""

    def publish(self, table: Table, rule: str, paper: Paper) -> str:
        kind, title, text = paper
        number = state_of(table).next_number
        publish_text(table, number, kind, None, title, text, rule)
        return f"“{rule}” publishes Document {number} ({kind}), {quoted(title)}."


keep_shelf(_Documents())

"""Documents that nobody doubts, and documents as reports."""

from dataclasses import replace

from nomic.documents.actions.changes import DocumentAction
from nomic.documents.actions.publishing import wait_no_more
from nomic.documents.rules import UNDOUBTED_REPORTS
from nomic.documents.state import State, is_on
from nomic.engine.actions import action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import LAST_NUMBER, ActionForm, Text, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.governance.acts_by_rows import by_oneself
from nomic.governance.recalculation.ratification import changes_in_words, only_balances
from nomic.governance.reports import (
    PUBLISH_DOCUMENT,
    OwedReport,
    ReportField,
    find_report,
    publish_now,
)
from nomic.governance.undoubted import declared

DOUBT = by_oneself("documents.doubt")
LONGEST_DOUBT = 500


@action
class DoubtDocument(DocumentAction):
    """Doubt what a document says that would become undoubted: it does not. A judge may be asked
    about it."""

    name = DOUBT
    title = "Doubt a document"
    sentence = "Doubt document {document}: {what}"
    button = "Doubt it"
    page = "documents"
    rule = UNDOUBTED_REPORTS

    class Form(ActionForm):
        document = WholeNumber(1, LAST_NUMBER, label="Document")
        what = Text(longest=LONGEST_DOUBT, label="What is wrong in it")

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(is_on(table) and table.rules.in_force(UNDOUBTED_REPORTS))

    def judge(
        self, state: State, player: Player, document: int | None, what: str | None
    ) -> Verdict:
        if document is None:
            return None
        row = state.documents.filter(number=document).first()
        if row is None:
            sentence = f"This game has no Document {document}."
            return Refusal("no_such_document", sentence, self.rule)
        if state.undoubted_at(row) is None:
            sentence = f"{row} is not waiting to become undoubted."
            return Refusal("not_waiting", sentence, self.rule)
        return Effects(
            Set(row, doubted_in=state.table.seq),
            Then(lambda table: wait_no_more(table, row)),
            say=f"{player} doubts {row} ({row.kind}), “{row.title}”: {what}",
            figures={"document": row.number},
        )


@action
class PublishAsReport(DocumentAction, OwedReport):
    """Publish a document as the report of one's office, with the figures as they are now."""

    name = PUBLISH_DOCUMENT
    title = "Publish a document as a report"
    sentence = "Publish document {document} as the report {report}"
    button = "Publish"
    rule = UNDOUBTED_REPORTS

    class Form(ActionForm):
        document = WholeNumber(1, LAST_NUMBER, label="Document")
        report = ReportField()

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(is_on(table) and table.rules.in_force(UNDOUBTED_REPORTS))

    def judge(
        self, state: State, player: Player | None, document: int | None, report: str | None
    ) -> Verdict:
        if report is None:
            return None
        chosen = find_report(report)
        if document is None:
            return None
        row = state.documents.filter(number=document, withdrawn_in__isnull=True).first()
        if row is None:
            sentence = f"This game has no Document {document} that is not withdrawn."
            return Refusal("no_such_document", sentence, self.rule)
        balances = declared(state.table, chosen, row.text, str(row))
        if isinstance(balances, Refusal):
            return balances
        words_and_source = {
            "words": row.text,
            "document": {"number": row.number, "version": row.version, "title": row.title},
        }
        by = f" as {row}, “{row.title}”, by {player or 'the operator'}"

        def publish(table: Table) -> Outcome:
            outcome = publish_now(table, chosen, by, words_and_source)
            figures = {**outcome.figures, "document": row.number, "declares": balances}
            changes = changes_in_words(table, only_balances(balances))
            text = f"{outcome.text} It declares that {enumerated(changes)}." if changes else ""
            return replace(outcome, text=text or outcome.text, figures=figures)

        return Effects(Then(publish))

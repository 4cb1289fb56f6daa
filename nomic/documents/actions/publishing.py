"""Publishing a document, giving it another text, withdrawing it (the rule “Documents”), and waiting
for doubts of it (the rule “Undoubted Reports”)."""

from datetime import timedelta

from nomic.documents.actions.changes import (
    NO_TEXT,
    DocumentAction,
    OneDocument,
    Revision,
    Withdrawal,
)
from nomic.documents.actions.fields import KindField, Written
from nomic.documents.homes import home_of
from nomic.documents.models import Document, DocumentVersion
from nomic.documents.state import NO_DOUBT, State, state_of
from nomic.engine.actions import action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import LAST_NUMBER, ActionForm, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal

PUBLISH = "documents.publish"


@action
class Publish(DocumentAction):
    """Publish a document: a text of a kind, with a title, that everybody can read."""

    name = PUBLISH
    title = "Publish a document"
    sentence = "Publish the {kind} “{title}”: {text}"
    button = "Write one"
    page = "document_new"

    class Form(Written):
        kind = KindField(is_sealed=False, label="Kind")
        field_order = ("kind", "title", "text")

    def judge(
        self,
        state: State,
        player: Player,
        kind: str | None,
        title: str | None,
        text: str | None,
    ) -> Verdict:
        if kind is None:
            return None
        chosen = state.charts.kinds[kind]
        if refusal := state.write_refusal(chosen, player):
            return refusal
        if title is None or text is None:
            return None
        if not text.strip():
            return NO_TEXT
        number = state.next_number

        def publish(table: Table) -> None:
            publish_text(table, number, chosen.name, player, title, text)

        return Effects(
            Then(publish),
            say=f"{player} publishes Document {number} ({chosen.name}), “{title}”.",
            figures={"document": number},
        )


class _OpenDocument(OneDocument[Document]):
    """An action on a document that everybody sees."""

    def changeable(self, state: State, player: Player, number: int) -> Refusal | Document:
        document = state.documents.filter(number=number).first()
        if document is None:
            sentence = f"This game has no Document {number}."
            return Refusal("no_such_document", sentence, self.rule)
        if home := home_of(document):
            sentence = f"{document} is {home.title}: it is changed there."
            return Refusal("kept_elsewhere", sentence, self.rule)
        if document.withdrawn_in is not None:
            sentence = f"{document} is withdrawn: it is changed no more."
            return Refusal("withdrawn", sentence, self.rule)
        is_author = document.author_id == player.pk
        return self.kind_refusal(state, player, document, is_author=is_author) or document


@action
class ReviseDocument(_OpenDocument, Revision[Document]):
    """Give a document another title or text. The ones that it had can still be read."""

    name = "documents.revise"
    title = "Change a document"
    sentence = "Change document {document} to “{title}”: {text}"

    class Form(Written):
        document = WholeNumber(1, LAST_NUMBER, label="Document")
        field_order = ("document", "title", "text")

    def revised(self, player: Player, row: Document, title: str, text: str) -> Refusal | Effects:
        if (row.title, row.text) == (title, text):
            return Refusal("same_text", f"{row} says this already.", self.rule)
        number = row.version + 1
        return Effects(
            Set(row, title=title, text=text, version=number),
            Then(lambda table: add_version(table, row, player)),
            say=f"{player} gives {row} ({row.kind}), “{title}”, another text: version {number}.",
            figures={"document": row.number},
        )


@action
class WithdrawDocument(_OpenDocument, Withdrawal[Document]):
    """Withdraw a document that one has written. It can still be read, and says so."""

    name = "documents.withdraw"
    title = "Withdraw a document"
    sentence = "Withdraw document {document}"
    confirm = "Withdraw it for good? It can still be read, and is changed no more."

    class Form(ActionForm):
        document = WholeNumber(1, LAST_NUMBER, label="Document")

    def withdrawn(self, state: State, player: Player, row: Document) -> Effects:
        return Effects(
            Set(row, withdrawn_in=state.table.seq),
            Then(lambda table: wait_no_more(table, row)),
            say=f"{player} withdraws {row} ({row.kind}), “{row.title}”.",
            figures={"document": row.number},
        )


def publish_text(
    table: Table,
    number: int,
    kind: str,
    author: Player | None,
    title: str,
    text: str,
    rule: str = "",
) -> Document:
    """Let there be a document with that text, in the entry that is being made."""
    document = Document.objects.create(
        game=table.game,
        number=number,
        kind=kind,
        author=author,
        rule=rule,
        title=title,
        text=text,
        entry=table.seq,
    )
    add_version(table, document, author)
    return document


def add_version(table: Table, document: Document, by: Player | None) -> None:
    """Keep the title and text of the document as the version that it has now; what was doubted of
    another one, or was not, is of that."""
    if document.doubted_in or document.undoubted_in:
        document.doubted_in = document.undoubted_in = None
        document.save(update_fields=["doubted_in", "undoubted_in"])
    DocumentVersion.objects.create(
        document=document,
        number=document.version,
        by=by,
        title=document.title,
        text=document.text,
        entry=table.seq,
    )
    wait_no_more(table, document)
    wait_for_doubts(table, document)


def wait_for_doubts(table: Table, document: Document) -> None:
    """Let the document be undoubted after the days of the rule, where it has any for its kind."""
    days = state_of(table).days_of_kind(document.kind)
    if days is not None:
        due = table.now + timedelta(days=days)
        table.appointments.make(NO_DOUBT, due, f"{document.number}/{table.seq}")


def wait_no_more(table: Table, document: Document) -> None:
    """Let nothing more become of the document's waiting."""
    table.appointments.cancel_whole(NO_DOUBT, str(document.number))

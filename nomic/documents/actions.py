"""Publishing a document, giving it another text, and withdrawing it."""

from nomic.documents.models import LONGEST_TEXT, LONGEST_TITLE, Document, DocumentVersion
from nomic.documents.rules import DOCUMENTS, change_refusal, write_refusal
from nomic.documents.state import State, is_on, state_of
from nomic.engine.actions import Action, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal

PUBLISH = "documents.publish"
NO_TEXT = Refusal("no_text", "A document has a text: write one.", DOCUMENTS)
_LAST_NUMBER = 2**31 - 1  # the largest that the column of numbers holds


class KindField(TextChoice):
    """A kind of document that the rule's table has."""

    noun = "kind of document"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [*state_of(table).charts.kinds] if is_on(table) else []


class _Written(ActionForm):
    """What a document says."""

    title = Text(longest=LONGEST_TITLE, label="Title")
    text = Text(lines=True, longest=LONGEST_TEXT, strip=False, label="Text")

    def clean_text(self) -> str:
        """The text with the line ends of every system alike."""
        return str(self.cleaned_data["text"]).replace("\r\n", "\n")


class _DocumentAction(Action):
    rule = DOCUMENTS
    State = State

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(is_on(table))


@action
class Publish(_DocumentAction):
    """Publish a document: a text of a kind, with a title, that everybody can read."""

    name = PUBLISH
    title = "Publish a document"
    sentence = "Publish the {kind} “{title}”: {text}"
    button = "Write one"
    page = "document_new"

    class Form(_Written):
        kind = KindField(label="Kind")
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
        if refusal := write_refusal(chosen, state.offices_of(player)):
            return refusal
        if title is None or text is None:
            return None
        if not text.strip():
            return NO_TEXT
        number = state.next_number

        def publish(table: Table) -> None:
            document = Document.objects.create(
                game=table.game,
                number=number,
                kind=chosen.name,
                author=player,
                title=title,
                text=text,
                entry=table.seq,
            )
            _add_version(table, document, player)

        return Effects(
            Then(publish),
            say=f"{player} publishes Document {number} ({chosen.name}), “{title}”.",
            figures={"document": number},
        )


class _OfOne(_DocumentAction):
    """An action on a document that there is."""

    withdraws = False

    def changeable(self, state: State, player: Player, number: int) -> Refusal | Document:
        """The document, or why that player may not do this to it."""
        document = state.documents.filter(number=number).first()
        if document is None:
            sentence = f"This game has no Document {number}."
            return Refusal("no_such_document", sentence, self.rule)
        if document.withdrawn_in is not None:
            sentence = f"{document} is withdrawn: it is changed no more."
            return Refusal("withdrawn", sentence, self.rule)
        kind = state.charts.kinds.get(document.kind)
        if kind is None:
            sentence = f"The table of {DOCUMENTS} has no kind {document.kind} any more."
            return Refusal("no_such_kind", sentence, self.rule)
        offices = state.offices_of(player)
        is_author = document.author_id == player.pk
        refusal = change_refusal(kind, offices, is_author=is_author, withdraws=self.withdraws)
        return refusal or document


@action
class ReviseDocument(_OfOne):
    """Give a document another title or text. The ones that it had can still be read."""

    name = "documents.revise"
    title = "Change a document"
    sentence = "Change document {document} to “{title}”: {text}"
    button = "Change"
    page = "documents"

    class Form(_Written):
        document = WholeNumber(1, _LAST_NUMBER, label="Document")
        field_order = ("document", "title", "text")

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
        if not text.strip():
            return NO_TEXT
        if (row.title, row.text) == (title, text):
            return Refusal("same_text", f"{row} says this already.", self.rule)
        number = row.version + 1
        return Effects(
            Set(row, title=title, text=text, version=number),
            Then(lambda table: _add_version(table, row, player)),
            say=f"{player} gives {row} ({row.kind}), “{title}”, another text: version {number}.",
            figures={"document": row.number},
        )


@action
class WithdrawDocument(_OfOne):
    """Withdraw a document that one has written. It can still be read, and says so."""

    name = "documents.withdraw"
    title = "Withdraw a document"
    sentence = "Withdraw document {document}"
    button = "Withdraw"
    confirm = "Withdraw it for good? It can still be read, and is changed no more."
    page = "documents"
    withdraws = True

    class Form(ActionForm):
        document = WholeNumber(1, _LAST_NUMBER, label="Document")

    def judge(self, state: State, player: Player, document: int | None) -> Verdict:
        if document is None:
            return None
        row = self.changeable(state, player, document)
        if isinstance(row, Refusal):
            return row
        return Effects(
            Set(row, withdrawn_in=state.table.seq),
            say=f"{player} withdraws {row} ({row.kind}), “{row.title}”.",
            figures={"document": row.number},
        )


def _add_version(table: Table, document: Document, by: Player) -> None:
    """Keep the title and text of the document as the version that it has now."""
    DocumentVersion.objects.create(
        document=document,
        number=document.version,
        by=by,
        title=document.title,
        text=document.text,
        entry=table.seq,
    )

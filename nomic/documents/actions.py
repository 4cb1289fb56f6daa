"""Publishing a document, giving it another text, withdrawing it; sealing one, and opening it."""

import hashlib
from dataclasses import replace
from datetime import timedelta
from itertools import count

from nomic.documents.homes import home_of
from nomic.documents.models import (
    LONGEST_READERS,
    LONGEST_TEXT,
    LONGEST_TITLE,
    Document,
    DocumentVersion,
    Reader,
    SealedDocument,
)
from nomic.documents.rules import (
    DOCUMENTS,
    MOST_SEALED,
    UNDOUBTED_REPORTS,
    DocumentKind,
    change_refusal,
    holder_of,
    readers_refusal,
    write_refusal,
)
from nomic.documents.state import NO_DOUBT, State, is_on, state_of
from nomic.engine.actions import Action, Inputs, PrivateAction, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import LAST_NUMBER, ActionForm, Prose, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated, listed_names
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

PUBLISH = "documents.publish"
DOUBT = by_oneself("documents.doubt")
LONGEST_DOUBT = 500
# Who reads what is sealed does not act for its author.
REVISE_SEALED = by_oneself("documents.revise_sealed")
WITHDRAW_SEALED = by_oneself("documents.withdraw_sealed")
MOST_SEALED_VERSIONS = 20  # beside the newest: all of them are kept with it until it is opened
SEAL, OPEN = "documents.seal", by_oneself("documents.open")
NO_TEXT = Refusal("no_text", "A document has a text: write one.", DOCUMENTS)
_FIRST_SEALED = 10**9  # and as many follow that the column holds; no game has so many documents


class KindField(TextChoice):
    """A kind of document that the rule's table has, and that begins sealed or not."""

    noun = "kind of document"

    def __init__(self, *, is_sealed: bool, label: str) -> None:
        self._is_sealed = is_sealed
        super().__init__(label=label)

    def options(self, table: Table, player: Player | None) -> list[str]:
        kinds = state_of(table).charts.kinds.values() if is_on(table) else ()
        return [kind.name for kind in kinds if kind.is_sealed == self._is_sealed]


class _Written(ActionForm):
    """What a document says."""

    title = Text(longest=LONGEST_TITLE, label="Title")
    text = Prose("Text", LONGEST_TEXT)


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
        if refusal := write_refusal(chosen, state.offices_of(player)):
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


class _OfOne(_DocumentAction):
    """An action on a document that there is."""

    withdraws = False

    def changeable(self, state: State, player: Player, number: int) -> Refusal | Document:
        """The document, or why that player may not do this to it."""
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
        document = WholeNumber(1, LAST_NUMBER, label="Document")
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
            Then(lambda table: add_version(table, row, player)),
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
        document = WholeNumber(1, LAST_NUMBER, label="Document")

    def judge(self, state: State, player: Player, document: int | None) -> Verdict:
        if document is None:
            return None
        row = self.changeable(state, player, document)
        if isinstance(row, Refusal):
            return row
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


# What nobody doubts


@action
class DoubtDocument(_DocumentAction):
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


def wait_for_doubts(table: Table, document: Document) -> None:
    """Let the document be undoubted after the days of the rule, where it has any for its kind."""
    days = state_of(table).days_of_kind(document.kind)
    if days is not None:
        due = table.now + timedelta(days=days)
        table.appointments.make(NO_DOUBT, due, f"{document.number}/{table.seq}")


def wait_no_more(table: Table, document: Document) -> None:
    """Let nothing more become of the document's waiting."""
    table.appointments.cancel_whole(NO_DOUBT, str(document.number))


# As a report


@action
class PublishAsReport(_DocumentAction, OwedReport):
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


# What is sealed


@action
class SealDocument(_DocumentAction, PrivateAction):
    """Seal a document of a kind that not everybody sees. You open it when you like."""

    name = SEAL
    title = "Seal a document"
    sentence = "Seal the {kind} “{title}” for {readers}: {text}"
    button = "Seal it"
    page = "document_seal"

    class Form(_Written):
        kind = KindField(is_sealed=True, label="Kind")
        readers = Text(
            longest=LONGEST_READERS,
            required=False,
            label="For whom, with commas between (where the kind has readers)",
        )
        field_order = ("kind", "readers", "title", "text")

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(is_on(table) and state_of(table).sealed_kinds)

    def book(self, table: Table, inputs: Inputs) -> str:
        assert table.actor is not None
        return table.actor.sealed_documents.latest("pk").book

    def judge(
        self,
        state: State,
        player: Player,
        kind: str | None,
        readers: str | None,
        title: str | None,
        text: str | None,
    ) -> Verdict:
        if kind is None:
            return None
        chosen = state.charts.kinds[kind]
        if refusal := write_refusal(chosen, state.offices_of(player)):
            return refusal
        closed = state.sealed_for(player).filter(author=player).count()
        if closed >= MOST_SEALED:
            sentence = f"You have {MOST_SEALED} sealed documents, the most: open one of them first."
            return Refusal("too_many_sealed", sentence, DOCUMENTS)
        if title is None or text is None:
            return None
        directory = state.table.directory
        offices = {office: name for office, name in directory.offices.items() if name}
        named = readers or ""
        if refusal := readers_refusal(chosen, named, player.name, directory.players, offices):
            return refusal
        if not text.strip():
            return NO_TEXT
        names = listed_names(named) or [holder_of(chosen, offices)]
        names = [name for name in names if name and name != player.name]
        number = _number_of(state, player, chosen, title, text)

        def seal(table: Table) -> None:
            sealed = SealedDocument.objects.create(
                game=table.game,
                number=number,
                kind=chosen.name,
                author=player,
                title=title,
                text=text,
                at=table.now,
            )
            for name in names:
                Reader.objects.create(document=sealed, player=table.seat(name))
            table.concerned.update(sealed.readers.values_list("player", flat=True))

        whom = f" for {enumerated(names)}" if names else ""
        return Effects(
            Then(seal),
            say=f"{player} seals a document ({chosen.name}), “{title}”{whom}, under {number}.",
            figures={"document": number},
        )


def _number_of(state: State, player: Player, kind: DocumentKind, title: str, text: str) -> int:
    """A number for what is sealed, that depends on nothing else that is: no count, and the same in
    a replay, which has the nonce of the record."""
    table = state.table
    sealed = table.game.sealed_documents
    for attempt in count():
        parts = (table.game.identity, table.nonce, player.name, kind.name, title, text, attempt)
        drawn = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
        number = _FIRST_SEALED + int(drawn[:15], 16) % (10**9)
        if not sealed.filter(number=number).exists():
            return number
    raise AssertionError  # a count has no end


class _OfOneSealed(_DocumentAction, PrivateAction):
    """A private act on a document that the player has sealed, in the book that has it alone."""

    withdraws = False

    def book(self, table: Table, inputs: Inputs) -> str:
        assert table.actor is not None
        return table.actor.sealed_documents.get(number=inputs["document"]).book

    def changeable(self, state: State, player: Player, number: int) -> Refusal | SealedDocument:
        """The sealed document, or why the player may not do this to it."""
        sealed = state.sealed_for(player).filter(author=player, number=number).first()
        if sealed is None:
            sentence = f"You have sealed no document {number} that is sealed still."
            return Refusal("no_such_document", sentence, self.rule)
        kind = state.charts.kinds.get(sealed.kind)
        if kind is None:
            sentence = f"The table of {DOCUMENTS} has no kind {sealed.kind} any more."
            return Refusal("no_such_kind", sentence, self.rule)
        offices = state.offices_of(player)
        return change_refusal(kind, offices, is_author=True, withdraws=self.withdraws) or sealed


def _tell_readers(table: Table, sealed: SealedDocument) -> None:
    table.concerned.update(sealed.readers.values_list("player", flat=True))


@action
class ReviseSealedDocument(_OfOneSealed):
    """Give a document that you have sealed another title or text. Once it is opened, all that it
    said can be read."""

    name = REVISE_SEALED
    title = "Change a sealed document"
    sentence = "Change the sealed document {document} to “{title}”: {text}"
    button = "Change"
    page = "documents"

    class Form(_Written):
        document = WholeNumber(1, LAST_NUMBER, label="Sealed document")
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
        sealed = self.changeable(state, player, document)
        if isinstance(sealed, Refusal):
            return sealed
        if len(sealed.earlier) >= MOST_SEALED_VERSIONS:
            sentence = f"It has been changed {MOST_SEALED_VERSIONS} times, which is the most."
            return Refusal("too_many", sentence, self.rule)
        if title is None or text is None:
            return None
        if not text.strip():
            return NO_TEXT
        if (sealed.title, sealed.text) == (title, text):
            return Refusal("same_text", "It says this already.", self.rule)
        before = [*sealed.earlier, [sealed.title, sealed.text]]
        return Effects(
            Set(sealed, title=title, text=text, earlier=before),
            Then(lambda table: _tell_readers(table, sealed)),
            say=f"{player} gives sealed document {sealed.number}, “{title}”, another text.",
            figures={"document": sealed.number},
        )


@action
class WithdrawSealedDocument(_OfOneSealed):
    """Withdraw a document that you have sealed: nobody reads it any more, nor is it ever opened."""

    name = WITHDRAW_SEALED
    title = "Withdraw a sealed document"
    sentence = "Withdraw the sealed document {document}"
    button = "Withdraw"
    confirm = "Withdraw it for good? Nobody will read it any more, and you cannot open it."
    page = "documents"
    withdraws = True

    class Form(ActionForm):
        document = WholeNumber(1, LAST_NUMBER, label="Sealed document")

    def judge(self, state: State, player: Player, document: int | None) -> Verdict:
        if document is None:
            return None
        sealed = self.changeable(state, player, document)
        if isinstance(sealed, Refusal):
            return sealed
        return Effects(
            Set(sealed, withdrawn=True),
            Then(lambda table: _tell_readers(table, sealed)),
            say=f"{player} withdraws sealed document {sealed.number}.",
            figures={"document": sealed.number},
        )


@action
class OpenDocument(_DocumentAction):
    """Open a document that you have sealed: everybody reads it from then on."""

    name = OPEN
    title = "Open a sealed document"
    sentence = "Open the sealed document {document}"
    button = "Open it"
    confirm = "Everybody will read it, and for whom it was sealed. Open it?"
    page = "documents"

    class Form(ActionForm):
        document = WholeNumber(1, LAST_NUMBER, label="Sealed document")

    def judge(self, state: State, player: Player, document: int | None) -> Verdict:
        if document is None:
            return None
        sealed = state.sealed_for(player).filter(author=player, number=document).first()
        if sealed is None:
            sentence = f"You have sealed no document {document} that could be opened."
            return Refusal("no_such_document", sentence, self.rule)
        number = state.next_number

        def open_it(table: Table) -> None:
            texts = [*sealed.earlier, [sealed.title, sealed.text]]
            opened = publish_text(table, number, sealed.kind, player, *texts[0])
            for title, text in texts[1:]:
                opened.title, opened.text, opened.version = title, text, opened.version + 1
                opened.save(update_fields=["title", "text", "version"])
                add_version(table, opened, player)
            sealed.opened_as = opened
            sealed.save(update_fields=["opened_as"])
            table.open_books([sealed.book])

        return Effects(
            Then(open_it),
            say=f"{player} opens Document {number} ({sealed.kind}), “{sealed.title}”, sealed on"
            f" {sealed.at:%Y-%m-%d at %H:%M} UTC as {sealed.number}.",
            figures={"document": number, "sealed_as": sealed.number},
        )

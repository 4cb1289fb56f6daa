"""Sealing a document, changing and withdrawing what is sealed, and opening it."""

import hashlib
from itertools import count

from nomic.documents.actions.changes import (
    NO_TEXT,
    DocumentAction,
    OneDocument,
    Revision,
    Withdrawal,
)
from nomic.documents.actions.fields import KindField, Written
from nomic.documents.actions.publishing import add_version, publish_text
from nomic.documents.models import LONGEST_READERS, Reader, SealedDocument
from nomic.documents.rules import (
    DOCUMENTS,
    MOST_SEALED,
    DocumentKind,
    holder_of,
    readers_refusal,
)
from nomic.documents.state import State, is_on, state_of
from nomic.engine.actions import Inputs, PrivateAction, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import LAST_NUMBER, ActionForm, Text, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated, listed_names
from nomic.governance.acts_by_rows import by_oneself

SEAL, OPEN = "documents.seal", by_oneself("documents.open")
# Who reads what is sealed does not act for its author.
REVISE_SEALED = by_oneself("documents.revise_sealed")
WITHDRAW_SEALED = by_oneself("documents.withdraw_sealed")
MOST_SEALED_VERSIONS = 20  # beside the newest: all of them are kept with it until it is opened
_FIRST_SEALED = 10**9  # and as many follow that the column holds; no game has so many documents


@action
class SealDocument(DocumentAction, PrivateAction):
    """Seal a document of a kind that not everybody sees. You open it when you like."""

    name = SEAL
    title = "Seal a document"
    sentence = "Seal the {kind} “{title}” for {readers}: {text}"
    button = "Seal it"
    page = "document_seal"

    class Form(Written):
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
        if refusal := state.write_refusal(chosen, player):
            return refusal
        sealed_count = state.sealed_for(player).filter(author=player).count()
        if sealed_count >= MOST_SEALED:
            sentence = f"You have {MOST_SEALED} sealed documents, the most: open one of them first."
            return Refusal("too_many_sealed", sentence, DOCUMENTS)
        if title is None or text is None:
            return None
        directory = state.table.directory
        offices = {office: name for office, name in directory.offices.items() if name}
        if refusal := readers_refusal(
            chosen, readers or "", player.name, directory.players, offices
        ):
            return refusal
        if not text.strip():
            return NO_TEXT
        names = listed_names(readers or "") or [holder_of(chosen, offices)]
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

        readers_words = f" for {enumerated(names)}" if names else ""
        return Effects(
            Then(seal),
            say=f"{player} seals a document ({chosen.name}), “{title}”{readers_words}, under"
            f" {number}.",
            figures={"document": number},
        )


def _number_of(state: State, player: Player, kind: DocumentKind, title: str, text: str) -> int:
    """A number for what is sealed, that depends on nothing else that is: no count, and the same in
    a replay, which has the nonce of the record."""
    table = state.table
    sealed = table.game.sealed_documents
    for attempt in count():
        parts = (table.game.identity, table.nonce, player.name, kind.name, title, text, attempt)
        digest = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
        number = _FIRST_SEALED + int(digest[:15], 16) % (10**9)
        if not sealed.filter(number=number).exists():
            return number
    raise AssertionError  # a count has no end


class _SealedDocument(OneDocument[SealedDocument], PrivateAction):
    """A private act on a document that the player has sealed, in the book that has it alone."""

    def book(self, table: Table, inputs: Inputs) -> str:
        assert table.actor is not None
        return table.actor.sealed_documents.get(number=inputs["document"]).book

    def changeable(self, state: State, player: Player, number: int) -> Refusal | SealedDocument:
        sealed = state.sealed_for(player).filter(author=player, number=number).first()
        if sealed is None:
            sentence = f"You have sealed no document {number} that is sealed still."
            return Refusal("no_such_document", sentence, self.rule)
        return self.kind_refusal(state, player, sealed, is_author=True) or sealed


def _tell_readers(table: Table, sealed: SealedDocument) -> None:
    table.concerned.update(sealed.readers.values_list("player", flat=True))


@action
class ReviseSealedDocument(_SealedDocument, Revision[SealedDocument]):
    """Give a document that you have sealed another title or text. Once it is opened, all that it
    said can be read."""

    name = REVISE_SEALED
    title = "Change a sealed document"
    sentence = "Change the sealed document {document} to “{title}”: {text}"

    class Form(Written):
        document = WholeNumber(1, LAST_NUMBER, label="Sealed document")
        field_order = ("document", "title", "text")

    def changeable(self, state: State, player: Player, number: int) -> Refusal | SealedDocument:
        sealed = super().changeable(state, player, number)
        if isinstance(sealed, SealedDocument) and len(sealed.earlier) >= MOST_SEALED_VERSIONS:
            sentence = f"It has been changed {MOST_SEALED_VERSIONS} times, which is the most."
            return Refusal("too_many", sentence, self.rule)
        return sealed

    def revised(
        self, player: Player, row: SealedDocument, title: str, text: str
    ) -> Refusal | Effects:
        if (row.title, row.text) == (title, text):
            return Refusal("same_text", "It says this already.", self.rule)
        before = [*row.earlier, [row.title, row.text]]
        return Effects(
            Set(row, title=title, text=text, earlier=before),
            Then(lambda table: _tell_readers(table, row)),
            say=f"{player} gives sealed document {row.number}, “{title}”, another text.",
            figures={"document": row.number},
        )


@action
class WithdrawSealedDocument(_SealedDocument, Withdrawal[SealedDocument]):
    """Withdraw a document that you have sealed: nobody reads it any more, nor is it ever opened."""

    name = WITHDRAW_SEALED
    title = "Withdraw a sealed document"
    sentence = "Withdraw the sealed document {document}"
    confirm = "Withdraw it for good? Nobody will read it any more, and you cannot open it."

    class Form(ActionForm):
        document = WholeNumber(1, LAST_NUMBER, label="Sealed document")

    def withdrawn(self, state: State, player: Player, row: SealedDocument) -> Effects:
        return Effects(
            Set(row, withdrawn=True),
            Then(lambda table: _tell_readers(table, row)),
            say=f"{player} withdraws sealed document {row.number}.",
            figures={"document": row.number},
        )


@action
class OpenDocument(DocumentAction):
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
            row = publish_text(table, number, sealed.kind, player, *texts[0])
            for title, text in texts[1:]:
                row.title, row.text, row.version = title, text, row.version + 1
                row.save(update_fields=["title", "text", "version"])
                add_version(table, row, player)
            sealed.opened_as = row
            sealed.save(update_fields=["opened_as"])
            table.open_books([sealed.book])

        return Effects(
            Then(open_it),
            say=f"{player} opens Document {number} ({sealed.kind}), “{sealed.title}”, sealed on"
            f" {sealed.at:%Y-%m-%d at %H:%M} UTC as {sealed.number}.",
            figures={"document": number, "sealed_as": sealed.number},
        )

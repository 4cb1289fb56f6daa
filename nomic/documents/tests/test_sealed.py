"""Documents that not everybody sees (the rule “Documents”): for whom they are sealed, that nobody
else learns of them, and how their author opens them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from nomic.documents.models import Document, SealedDocument
from nomic.documents.rules import DOCUMENTS, MOST_SEALED
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.restoring import restorable
from nomic.games.models import Game, Player
from nomic.governance.recalculation.revision import CannotRecalculate, Revision, checked
from nomic.notices.models import Outgoing
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from tests.kit import at_the_table, on_one_line, seat

LETTER = {
    "kind": "Letter",
    "title": "To Madrid",
    "text": "A **quagga** and a zorilla.",
    "readers": "",
}
NOTE = {"kind": "Sealed Note", "title": "My guess", "text": "A quagga wins."}


@pytest.fixture
def letter(act: Any, player: Player, rival: Player) -> SealedDocument:
    act(player, "documents.seal", **{**LETTER, "readers": rival.name})
    return SealedDocument.objects.get()


def refused(act: Any, actor: Player, name: str, **inputs: Any) -> str:
    with pytest.raises((Refused, Malformed)) as refusal:
        act(actor, name, **inputs)
    error = refusal.value
    return error.refusal.sentence if isinstance(error, Refused) else str(error.errors)


def places(sealed: SealedDocument) -> tuple[str, ...]:
    return (
        "/g/table/documents/",
        f"/g/table/documents/{sealed.number}/",
        f"/g/table/documents/{sealed.number}/revise/",
        "/api/v1/games/table/documents",
        f"/api/v1/games/table/documents/{sealed.number}",
        "/g/table/search/?q=quagga",
        "/g/table/record/",
        "/g/table/record/feed/",
        "/api/v1/games/table/record",
    )


def told(client: Client, sealed: SealedDocument) -> list[str]:
    """Where that browser reads anything of the document."""
    pages = {place: client.get(place).content.decode() for place in places(sealed)}
    number = str(sealed.number)
    return [
        place
        for place, page in pages.items()
        if "zorilla" in page or "To Madrid" in page or (number in page and number not in place)
    ]


def test_a_letter_is_read_by_its_author_and_its_readers_and_is_not_there_for_others(
    game: Game, letter: SealedDocument, player: Player, rival: Player, visit: Any
) -> None:
    stranger = seat(game, "Jason")
    page = f"/g/table/documents/{letter.number}/"
    for reader in (player, rival):
        assert "<strong>quagga</strong>" in visit(reader).get(page).content.decode()
        assert "To Madrid" in visit(reader).get("/g/table/documents/").content.decode()
    for other in (None, stranger):
        assert told(visit(other), letter) == []
        assert visit(other).get(page).status_code == 404


def test_what_others_are_told_is_the_same_whether_something_is_sealed_or_not(
    game: Game, act: Any, player: Player, rival: Player, visit: Any
) -> None:
    other = visit(seat(game, "Jason"))
    act(rival, "documents.publish", kind="Essay", title="One", text="One.")
    addresses = ("/api/v1/games/table/documents", "/api/v1/games/table/record")
    before = [other.get(address).content for address in addresses]
    act(player, "documents.seal", **NOTE)
    assert [other.get(address).content for address in addresses] == before
    second = act(rival, "documents.publish", kind="Essay", title="Two", text="Two.")
    assert second.entry.outcome["document"] == 2


def test_its_reader_is_told_that_there_is_something_and_not_what(
    letter: SealedDocument, rival: Player
) -> None:
    told_to = Outgoing.objects.filter(to=[rival.pk]).values_list("text", flat=True)
    assert list(told_to) == ["Something new is for you alone. You can read it on the game's pages."]


def test_its_author_opens_it_and_it_is_a_document_like_others(
    game: Game, act: Any, letter: SealedDocument, player: Player, rival: Player, visit: Any
) -> None:
    assert "sealed no document" in refused(act, rival, "documents.open", document=letter.number)
    opened = act(player, "documents.open", document=letter.number).entry
    assert (opened.outcome["document"], opened.outcome["sealed_as"]) == (1, letter.number)
    assert "closed" not in opened.outcome
    document = Document.objects.get(game=game)
    assert (document.title, document.text) == (LETTER["title"], LETTER["text"])
    old_address = visit().get(f"/g/table/documents/{letter.number}/")
    assert old_address["Location"] == "/g/table/documents/1/"
    by_its_number = visit().get(f"/api/v1/games/table/documents/{letter.number}").json()
    assert (by_its_number["number"], by_its_number["visible_to"]) == (1, "everybody")
    assert "sealed no document" in refused(act, player, "documents.open", document=letter.number)


def test_opening_one_tells_nothing_of_another(
    game: Game, act: Any, letter: SealedDocument, player: Player
) -> None:
    act(player, "documents.seal", **NOTE)
    note = SealedDocument.objects.get(kind="Sealed Note")
    opened = act(player, "documents.open", document=note.number).entry
    assert str(letter.number) not in str((opened.outcome, opened.anchors, opened.text))
    assert "To Madrid" not in str((opened.outcome, opened.text))
    assert list(opened.anchors) == [note.book]


def test_it_is_sealed_in_the_record_and_a_replay_makes_it_again(
    game: Game, act: Any, letter: SealedDocument, player: Player
) -> None:
    act(player, "documents.seal", key="a key of Murphy's", **NOTE)
    act(player, "documents.open", document=letter.number)
    game.refresh_from_db()
    assert [finding.wrong for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


def test_who_holds_the_office_as_it_is_sealed_reads_it_and_no_later_holder(
    game: Game, act: Any, player: Player, rival: Player, officer: Player, visit: Any
) -> None:
    row = "| Sealed Note | players | nobody | nobody | author |"
    office = game.offices.get(holder=officer).name
    with at_the_table(game) as table:
        text = table.rules.text(DOCUMENTS)
        table.rules.amend(DOCUMENTS, text.replace(row, row.replace("author", office)))
    act(player, "documents.seal", **NOTE)
    number = SealedDocument.objects.get().number
    act(officer, "games.resign_office", office=office)
    assert visit(officer).get(f"/g/table/documents/{number}/").status_code == 200
    assert f"Nobody is the {office}" in refused(act, player, "documents.seal", **NOTE)
    act(rival, "games.take_office", office=office)
    assert visit(rival).get(f"/g/table/documents/{number}/").status_code == 404


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        (LETTER, "Name who is to read it"),
        ({**LETTER, "readers": "Nessie"}, "no active player"),
        ({**LETTER, "readers": "Murphy"}, "You read it anyway"),
        ({**NOTE, "readers": "Madrid"}, "seen by its author alone"),
        ({**NOTE, "kind": "Essay"}, "not a kind of document"),
        ({**NOTE, "text": " "}, "A document has a text"),
    ],
)
def test_what_cannot_be_sealed_is_refused_with_a_sentence(
    act: Any, player: Player, rival: Player, inputs: dict[str, str], sentence: str
) -> None:
    assert sentence in refused(act, player, "documents.seal", **inputs)
    assert not SealedDocument.objects.exists()


def test_a_sealed_kind_is_not_published(act: Any, player: Player) -> None:
    inputs = {name: LETTER[name] for name in ("kind", "title", "text")}
    assert "not a kind of document" in refused(act, player, "documents.publish", **inputs)


def test_a_player_has_so_many_sealed_at_most(act: Any, player: Player) -> None:
    for number in range(MOST_SEALED):
        act(player, "documents.seal", **{**NOTE, "title": f"Guess {number}"})
    assert "open one of them first" in refused(act, player, "documents.seal", **NOTE)


def test_the_same_text_is_sealed_twice_under_two_numbers(act: Any, player: Player) -> None:
    act(player, "documents.seal", **NOTE)
    act(player, "documents.seal", **NOTE)
    assert SealedDocument.objects.values("number").distinct().count() == 2


def test_no_recalculation_tells_of_it(
    game: Game, act: Any, letter: SealedDocument, player: Player
) -> None:
    inputs = {"document": letter.number}
    inserted = Revision("insert", 1, name="documents.open", actor=player.name, inputs=inputs)
    with pytest.raises(CannotRecalculate, match="sealed until it is opened"):
        checked(game, inserted)
    assert "documents.document" in restorable()
    assert {"documents.sealeddocument", "documents.reader"}.isdisjoint(restorable())


def test_it_is_written_on_its_page_and_its_draft_keeps_for_whom(
    player: Player, rival: Player, visit: Any
) -> None:
    writer = visit(player)
    sent = {**LETTER, "readers": rival.name}
    saved = writer.post("/g/table/documents/sealed/new/", {**sent, "do": "save"})
    draft = player.document_drafts.get()
    assert (draft.readers, draft.is_sealed) == (rival.name, True)
    page = on_one_line(writer.get(saved["Location"]).content.decode())
    assert 'action="/g/table/documents/sealed/new/"' in page
    published = writer.post(
        "/g/table/documents/sealed/new/", {**sent, "do": "publish", "draft": draft.pk}
    )
    number = SealedDocument.objects.get().number
    assert published["Location"] == f"/g/table/documents/{number}/"
    assert "Open it to everybody" in writer.get(published["Location"]).content.decode()


def test_without_a_kind_that_is_sealed_nothing_offers_it(
    game: Game, act: Any, player: Player, visit: Any
) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(DOCUMENTS)
        lines = [line for line in text.split("\n") if not line.startswith(("| Letter", "| Sealed"))]
        table.rules.amend(DOCUMENTS, "\n".join(lines))
    assert "not in force" in refused(act, player, "documents.seal", **NOTE)
    assert "Seal one" not in visit(player).get("/g/table/documents/").content.decode()


def test_its_author_changes_it_and_when_it_is_opened_all_that_it_said_is_read(
    game: Game, letter: SealedDocument, act: Any, player: Player, rival: Player, visit: Any
) -> None:
    before = game.entries.count()
    page = f"/g/table/documents/{letter.number}/"
    form = visit(player).get(f"{page}reseal/").content.decode()
    assert "A **quagga** and a zorilla." in form
    sent = {"title": "To Madrid", "text": "A zorilla alone.", "do": "publish"}
    assert visit(player).post(f"{page}reseal/", sent).status_code == 302
    assert game.entries.count() == before, "nobody else learns of it"
    assert "A zorilla alone." in visit(rival).get(page).content.decode()
    for other in (rival, seat(game, "Jason"), None):
        assert visit(other).get(f"{page}reseal/").status_code in (302, 404)
    assert "You have sealed no document" in refused(
        act, rival, "documents.revise_sealed", document=letter.number, title="Mine", text="Mine."
    )
    same = {"document": letter.number, "title": sent["title"], "text": sent["text"]}
    assert "says this already" in refused(act, player, "documents.revise_sealed", **same)
    opened = act(player, "documents.open", document=letter.number).entry
    document = Document.objects.get(number=opened.outcome["document"])
    texts = document.versions.order_by("number").values_list("text", flat=True)
    assert list(texts) == [LETTER["text"], "A zorilla alone."]
    assert document.text == "A zorilla alone."
    assert replay(game)[1] is None


def test_its_author_withdraws_it_and_nobody_reads_it_any_more(
    game: Game, letter: SealedDocument, act: Any, player: Player, rival: Player, visit: Any
) -> None:
    before = game.entries.count()
    act(player, "documents.withdraw_sealed", document=letter.number)
    assert game.entries.count() == before
    for reader in (player, rival):
        assert visit(reader).get(f"/g/table/documents/{letter.number}/").status_code == 404
    for name in ("open", "withdraw_sealed"):
        assert "sealed no document" in refused(
            act, player, f"documents.{name}", document=letter.number
        )
    act(player, "documents.seal", **NOTE)
    note = SealedDocument.objects.get(kind="Sealed Note")
    never = refused(act, player, "documents.withdraw_sealed", document=note.number)
    assert never == "One of the kind Sealed Note is changed by nobody, and not withdrawn."
    assert replay(game)[1] is None


def test_its_reader_is_told_when_it_is_opened(
    game: Game, letter: SealedDocument, act: Any, player: Player, rival: Player
) -> None:
    opened = act(player, "documents.open", document=letter.number).entry
    told = Outgoing.objects.filter(text=opened.text).values_list("to", "url")
    assert list(told) == [([rival.pk], f"/g/table/documents/{opened.outcome['document']}/")]

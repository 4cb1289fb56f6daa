"""Documents (the rule “Documents”): who writes which kind, what becomes of them, and where they are
shown."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from nomic.documents.models import LONGEST_TEXT, Document, DocumentVersion
from nomic.documents.rules import DOCUMENTS
from nomic.documents.subgame import THE_DOCUMENTS
from nomic.documents.web.places import places_in
from nomic.engine.outcomes import Malformed, Receipt, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.notices.models import Outgoing
from tests.kit import at_the_table, on_one_line, put_in_office

ESSAY = {"kind": "Essay", "title": "On horses", "text": "Horses *run*.\n\n- far\n- fast"}


@pytest.fixture
def essay(act: Any, player: Player) -> Receipt:
    published: Receipt = act(player, "documents.publish", **ESSAY)
    return published


def refused(act: Any, actor: Player, name: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    return refusal.value.refusal.sentence


def amend(game: Game, old: str, new: str) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(DOCUMENTS)
        assert old in text
        table.rules.amend(DOCUMENTS, text.replace(old, new))


def test_a_document_is_published_with_the_next_number(
    game: Game, act: Any, essay: Receipt, rival: Player
) -> None:
    second = act(rival, "documents.publish", **{**ESSAY, "kind": "Pledge"})
    assert essay.entry.text == "Murphy publishes Document 1 (Essay), “On horses”."
    assert second.entry.outcome["document"] == 2
    assert [version.number for version in DocumentVersion.objects.filter(game=game)] == [1, 1]


def test_its_author_gives_it_another_text_and_the_first_stays(
    game: Game, act: Any, essay: Receipt, player: Player, rival: Player
) -> None:
    new = {"document": 1, "title": "On ponies", "text": "Ponies run."}
    assert "is changed by its author" in refused(act, rival, "documents.revise", **new)
    changed = act(player, "documents.revise", **new)
    document = Document.objects.get(game=game)
    assert changed.entry.text == (
        "Murphy gives Document 1 (Essay), “On ponies”, another text: version 2."
    )
    assert (document.title, document.text, document.version) == ("On ponies", "Ponies run.", 2)
    assert [version.title for version in document.versions.all()] == ["On horses", "On ponies"]
    assert "says this already" in refused(act, player, "documents.revise", **new)


def test_what_is_withdrawn_is_changed_no_more(act: Any, essay: Receipt, player: Player) -> None:
    act(player, "documents.withdraw", document=1)
    new = {"document": 1, "title": "On ponies", "text": "Ponies run."}
    assert "is withdrawn" in refused(act, player, "documents.revise", **new)
    assert "is withdrawn" in refused(act, player, "documents.withdraw", document=1)


def test_a_pledge_is_neither_changed_nor_withdrawn(act: Any, player: Player) -> None:
    act(player, "documents.publish", **{**ESSAY, "kind": "Pledge"})
    assert "changed by nobody" in refused(act, player, "documents.withdraw", document=1)


def test_a_statement_is_written_by_who_holds_an_office(
    act: Any, player: Player, officer: Player
) -> None:
    statement = {**ESSAY, "kind": "Statement"}
    assert "is written by officers" in refused(act, player, "documents.publish", **statement)
    assert act(officer, "documents.publish", **statement).entry.outcome["document"] == 1


def test_a_dignity_alone_makes_nobody_an_officer_who_writes(
    game: Game, act: Any, player: Player
) -> None:
    with at_the_table(game) as table:
        table.office("Emperor")
    put_in_office(game, "Emperor", player)
    statement = {**ESSAY, "kind": "Statement"}
    assert "is written by officers" in refused(act, player, "documents.publish", **statement)


def test_the_kinds_are_those_of_the_rule_in_force(game: Game, act: Any, player: Player) -> None:
    amend(game, "| Essay | players |", "| Poem | Horsened |")
    with pytest.raises(Malformed, match="not a kind of document"):
        act(player, "documents.publish", **ESSAY)
    poem = {**ESSAY, "kind": "Poem"}
    assert "is written by the Horsened" in refused(act, player, "documents.publish", **poem)


def test_a_table_that_cannot_be_read_is_played_as_it_was(
    game: Game, act: Any, player: Player
) -> None:
    amend(game, "| Essay | players | author | nobody |", "| Essay | players | author | some |")
    assert act(player, "documents.publish", **ESSAY).entry.outcome["document"] == 1
    game.refresh_from_db()
    assert [unread.rule for unread in THE_DOCUMENTS.unread(glance(game))] == [DOCUMENTS]


def test_without_its_rule_nothing_is_published_and_all_stays_to_be_read(
    game: Game, act: Any, essay: Receipt, player: Player, client: Client
) -> None:
    with at_the_table(game) as table:
        table.rules.repeal(DOCUMENTS)
    assert "not in force" in refused(act, player, "documents.publish", **ESSAY)
    assert "On horses" in client.get("/g/table/documents/1/").content.decode()


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({**ESSAY, "text": " \n "}, "A document has a text"),
        ({**ESSAY, "text": "x" * (LONGEST_TEXT + 1)}, "at most 50000 characters"),
        ({**ESSAY, "title": ""}, "Fill this in"),
        ({**ESSAY, "title": "a\nb"}, "one line"),
        ({**ESSAY, "text": "\x00"}, "no invisible control characters"),
    ],
)
def test_what_is_no_document_is_refused_with_a_sentence(
    game: Game, act: Any, player: Player, inputs: dict[str, Any], sentence: str
) -> None:
    with pytest.raises((Refused, Malformed), match=sentence):
        act(player, "documents.publish", **inputs)
    assert not Document.objects.exists()


def test_a_notice_is_told_to_every_player_and_an_essay_to_nobody(
    act: Any, essay: Receipt, player: Player, rival: Player
) -> None:
    act(player, "documents.publish", **{**ESSAY, "kind": "Notice"})
    told = Outgoing.objects.filter(text__contains="publishes Document").values_list("text", "to")
    assert list(told) == [("Murphy publishes Document 2 (Notice), “On horses”.", None)]


def test_the_database_keeps_what_was_written(essay: Receipt) -> None:
    for change in (
        lambda: DocumentVersion.objects.update(text="forged"),
        lambda: DocumentVersion.objects.all().delete(),
        lambda: Document.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_its_page_shows_it_with_what_a_version_changed(
    act: Any, essay: Receipt, player: Player, visit: Any
) -> None:
    act(player, "documents.revise", document=1, title="On ponies", text="Ponies *run*.")
    page = on_one_line(visit(player).get("/g/table/documents/1/").content.decode())
    assert "1 · On ponies" in page
    assert "<em>run</em>" in page
    assert "What version 2 changed" in page
    assert "Change it" in page
    assert "Withdraw it" in page
    first = on_one_line(visit().get("/g/table/documents/1/?version=1").content.decode())
    assert "version 1, not the newest" in first
    assert "Change it" not in first
    assert visit().get("/g/table/documents/1/?version=3").status_code == 404
    assert visit().get("/g/table/documents/7/").status_code == 404


def test_who_writes_one_keeps_a_draft_that_nobody_else_sees(
    player: Player, rival: Player, visit: Any
) -> None:
    writer = visit(player)
    saved = writer.post("/g/table/documents/new/", {**ESSAY, "do": "save"})
    address = saved["Location"]
    draft = player.document_drafts.get()
    assert address == f"/g/table/documents/drafts/{draft.pk}/"
    assert "On horses" in writer.get(address).content.decode()
    assert visit(rival).get(address).status_code == 404
    sent = {**ESSAY, "do": "publish", "draft": draft.pk}
    published = writer.post("/g/table/documents/new/", sent)
    assert published["Location"] == "/g/table/documents/1/"
    assert not player.document_drafts.exists()


def test_a_draft_of_two_windows_loses_neither_text(player: Player, visit: Any) -> None:
    writer = visit(player)
    writer.post("/g/table/documents/new/", {**ESSAY, "do": "save"})
    draft = player.document_drafts.get()
    late = {**ESSAY, "text": "Another.", "do": "save", "draft": draft.pk, "saved_at": "before"}
    writer.post("/g/table/documents/new/", late)
    texts = sorted(player.document_drafts.values_list("text", flat=True))
    assert texts == ["Another.", ESSAY["text"]]


@pytest.mark.parametrize("pressed", ["publish", "save"])
@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"title": "a\nb"}, "This is one line of text."),
        ({"text": "Horses *run*.\0"}, "no invisible control characters"),
        ({"text": "Horses *run*." + "x" * LONGEST_TEXT}, "at most 50000 characters"),
        ({"kind": "Poem"}, "not a kind of document"),
    ],
)
def test_what_cannot_be_kept_stays_in_the_form_with_the_reason(
    player: Player, visit: Any, pressed: str, inputs: dict[str, str], sentence: str
) -> None:
    answer = visit(player).post("/g/table/documents/new/", {**ESSAY, **inputs, "do": pressed})
    assert answer.status_code == 422
    assert "Horses *run*." in answer.content.decode()
    assert sentence in answer.content.decode()
    assert not player.document_drafts.exists()


def test_a_draft_may_lack_what_a_document_needs(player: Player, visit: Any) -> None:
    writer, untitled = visit(player), {**ESSAY, "title": ""}
    answer = writer.post("/g/table/documents/new/", {**untitled, "do": "publish"})
    assert answer.status_code == 422
    assert "Fill this in." in answer.content.decode()
    assert writer.post("/g/table/documents/new/", {**untitled, "do": "save"}).status_code == 302
    assert player.document_drafts.get().text == ESSAY["text"]


def test_a_browsers_line_ends_are_those_of_a_program(
    act: Any, essay: Receipt, player: Player, visit: Any
) -> None:
    same = {**ESSAY, "text": ESSAY["text"].replace("\n", "\r\n"), "do": "publish"}
    answer = visit(player).post("/g/table/documents/1/revise/", same)
    assert answer.status_code == 409
    assert "says this already" in answer.content.decode()


def test_who_has_no_seat_writes_nothing_and_comes_back_to_an_empty_form(
    game: Game, client: Client
) -> None:
    for address in ("new", "preview"):
        answer = client.post(f"/g/table/documents/{address}/", ESSAY)
        assert answer["Location"] == "/accounts/login/?next=/g/table/documents/new/"


def test_the_preview_reads_as_the_page_will(player: Player, visit: Any) -> None:
    sent = {"text": "Horses *run*. <script>"}
    preview = visit(player).post("/g/table/documents/preview/", sent).content.decode()
    assert "<em>run</em>" in preview
    assert "<script>" not in preview


def test_the_api_tells_all_of_it(act: Any, essay: Receipt, player: Player, client: Client) -> None:
    listed = client.get("/api/v1/games/table/documents").json()
    assert listed == [
        {
            "number": 1,
            "kind": "Essay",
            "title": "On horses",
            "author": "Murphy",
            "version": 1,
            "entry": essay.entry.seq,
            "withdrawn_in": None,
            "doubted_in": None,
            "undoubted_in": None,
            "visible_to": "everybody",
        }
    ]
    whole = client.get("/api/v1/games/table/documents/1").json()
    assert whole["text"] == ESSAY["text"]
    assert whole["passages"] == ["Horses *run*.", "- far", "- fast"]
    assert whole["versions"] == [
        {"number": 1, "title": "On horses", "by": "Murphy", "entry": essay.entry.seq}
    ]
    assert client.get("/api/v1/games/table/documents/2").status_code == 404


def test_its_words_are_found(act: Any, essay: Receipt, client: Client) -> None:
    found = client.get("/g/table/search/?q=fast").content.decode()
    assert "/g/table/documents/1/" in found


def test_each_of_its_sentences_has_an_address(
    act: Any, essay: Receipt, player: Player, visit: Any
) -> None:
    text = "Horses run. Dogs bark.\n\nHorses run.\n\n| A | B |\n| --- | --- |\n| c | d |"
    act(player, "documents.revise", document=1, title="On horses", text=text)
    page = on_one_line(visit().get("/g/table/documents/1/").content.decode())
    marks = [place.mark for place in places_in(text)]
    assert len(marks) == len(set(marks)) == 3
    for mark in marks:
        assert f'<span id="{mark}"></span>' in page
        assert f'href="#{mark}"' in page


def test_a_document_that_quotes_itself_reads_as_it_is_written(
    act: Any, essay: Receipt, player: Player, visit: Any
) -> None:
    own = "See [this document](/g/table/documents/1/#says-0123456789ab)."
    act(player, "documents.revise", document=1, title="On itself", text=own)
    page = visit().get("/g/table/documents/1/").content.decode()
    assert 'href="/g/table/documents/1/#says-0123456789ab"' in page


def test_each_version_is_given_out_as_it_was_written(
    act: Any, essay: Receipt, player: Player, client: Client
) -> None:
    act(player, "documents.revise", document=1, title="On ponies", text="Ponies *run*.")
    for version, text in ((1, ESSAY["text"]), (2, "Ponies *run*.")):
        given = client.get(f"/g/table/documents/1/?version={version}&format=text")
        assert given.content.decode() == text
        assert given["Content-Type"] == "text/markdown; charset=utf-8"


def test_the_newest_are_told_in_a_feed(essay: Receipt, client: Client) -> None:
    feed = client.get("/g/table/documents/feed/").content.decode()
    assert "1. On horses (Essay)" in feed
    assert "/g/table/documents/1/" in feed


def test_what_a_text_may_link_to_is_found_by_words(essay: Receipt, client: Client) -> None:
    whole = client.get("/g/table/links/?q=fast").content.decode()
    link = "[Document 1: On horses](/g/table/documents/1/)"
    assert f'data-insert="{link}"' in whole
    part = client.get("/g/table/links/?q=fast", headers={"HX-Request": "true"}).content.decode()
    assert link in part
    assert "<html" not in part

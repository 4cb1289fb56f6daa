"""The pages of cases, the search, the feed and the API."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.test import Client

from nomic.cases.models import Case
from nomic.cases.web import listing
from nomic.engine.outcomes import Receipt
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.rulebook.formats.values import Annotation, Brought, BroughtRule
from tests.kit import WEDNESDAY, Take, Visitor, at_the_table, on_one_line

STATEMENT = "A horse that stands still has run."
SENTENCE = "A judgement changes no rule."
READS = [{"rule": "Cases", "passage": SENTENCE}]


@pytest.fixture
def called(act: Take, player: Player, rival: Player) -> Receipt:
    """A case that Murphy has called and Madrid is to judge."""
    evidence = [{"entry": "1"}, *READS]
    return act(
        player,
        "cases.call",
        statement=STATEMENT,
        arguments="It *stands*.<script>",
        evidence=evidence,
    )


@pytest.fixture
def judged(act: Take, called: Receipt, rival: Player) -> Receipt:
    return act(
        rival, "cases.judge", case=1, verdict="FALSE", reasons="Standing is no running.",
        passages=READS,
    )  # fmt: skip


def shown(client: Client, address: str) -> str:
    return on_one_line(client.get(f"/g/table/cases/{address}").content.decode())


def test_a_case_is_called_by_its_form_with_what_was_ticked(
    game: Game, player: Player, rival: Player, visit: Any
) -> None:
    caller = visit(player)
    found = caller.post("/g/table/cases/new/", {"words": "judgement changes no", "do": "look"})
    assert SENTENCE in found.content.decode()
    assert not Case.objects.exists()
    sent = {"statement": STATEMENT, "do": "send", "evidence_1": json.dumps(READS[0])}
    answer = caller.post("/g/table/cases/new/", {**sent, "barred": ""})
    assert answer["Location"] == "/g/table/cases/1/"
    assert Case.objects.get().barred == []
    page = shown(visit(), "1/")
    assert SENTENCE in page
    assert "Argue in it" not in page


def test_what_is_wrong_with_a_form_stands_in_it_with_what_was_written(
    player: Player, visit: Any
) -> None:
    sent = {"statement": "?!", "arguments": "Because.", "do": "send", "evidence_1": "{"}
    answer = visit(player).post("/g/table/cases/new/", sent)
    assert answer.status_code == 422
    assert "Because." in answer.content.decode()
    sent = {"statement": "?!", "arguments": "Because.", "do": "send"}
    answer = visit(player).post("/g/table/cases/new/", sent)
    assert answer.status_code == 409
    assert "A statement says something" in answer.content.decode()


def test_its_judge_finds_sentences_by_their_words_and_judges_it(
    called: Receipt, rival: Player, visit: Any
) -> None:
    judge = visit(rival)
    assert "/g/table/cases/1/judge/" in shown(judge, "1/")
    words = {"words": "changes no rule", "chooses": "passages"}
    assert SENTENCE in judge.post("/g/table/cases/find/", words).content.decode()
    sent = {"verdict": "TRUE", "reasons": "It *runs*.", "passages_1": json.dumps(READS[0])}
    answer = judge.post("/g/table/cases/1/judge/", {**sent, "do": "send"})
    assert answer["Location"] == "/g/table/cases/1/"
    page = shown(judge, "1/")
    assert "<em>runs</em>" in page
    assert "This sentence was read in Case 1 (TRUE)." in page


def test_what_is_argued_is_drawn_beside_the_form_as_it_will_read(
    called: Receipt, rival: Player, visit: Any
) -> None:
    judge = visit(rival)
    seen = judge.post("/g/table/cases/preview/", {"reasons": "It *runs*.<script>"})
    assert seen.content.decode().strip() == "<p>It <em>runs</em>.&lt;script&gt;</p>"
    looked_at = {"reasons": "It *stands*.", "do": "look"}
    page = judge.post("/g/table/cases/1/judge/", looked_at).content.decode()
    assert "<em>stands</em>" in page
    assert not Case.objects.get().verdict


def test_who_may_not_call_one_still_finds_what_to_read_in_another(
    game: Game, called: Receipt, rival: Player, visit: Any
) -> None:
    with at_the_table(game) as table:
        text = table.rules.text("Cases")
        table.rules.amend("Cases", text.replace("Called by | players", "Called by | Herald"))
    judge = visit(rival)
    words = {"words": "changes no rule", "chooses": "passages"}
    assert SENTENCE in judge.post("/g/table/cases/find/", words).content.decode()
    assert "Cases are called by the Herald." in judge.get("/g/table/cases/new/").content.decode()


def test_evidence_is_found_among_what_there_is_by_words_and_by_number(
    act: Take, called: Receipt, player: Player, visit: Any
) -> None:
    act(player, "documents.publish", kind="Essay", title="On hay", text="Hay is *dry*.")
    writer = visit(player)
    found = writer.post("/g/table/cases/find/", {"words": "dry"}).content.decode()
    assert "Document 1: On hay" in found
    found = writer.post("/g/table/cases/find/", {"words": "1"}).content.decode()
    assert "Entry 1:" in found
    evidence = [{"documents": "1"}, {"cases": "1"}]
    act(player, "cases.argue", case=1, arguments="", evidence=evidence)
    page = shown(visit(), "1/")
    assert "/g/table/documents/1/" in page
    assert "Further arguments" in page


def test_the_page_shows_texts_as_written_and_no_markup_of_theirs(
    called: Receipt, visit: Any
) -> None:
    page = shown(visit(), "1/")
    assert "It <em>stands</em>" in page
    assert "<script>" not in page.partition("It <em>stands</em>")[2][:40]
    assert "Madrid</a> judges it" in page
    assert "It <em>stands</em>" in shown(visit(), "1/texts/1/")
    assert visit().get("/g/table/cases/1/texts/9/").status_code == 404
    assert visit().get("/g/table/cases/9/").status_code == 404


def test_the_judgement_offers_who_may_what_opens_it_again(
    judged: Receipt, player: Player, rival: Player, visit: Any
) -> None:
    assert "motion=Moot" in shown(visit(player), "1/")
    assert "motion=Reconsider&" not in shown(visit(player), "1/")
    assert "motion=Reconsider&" in shown(visit(rival), "1/")
    assert "motion=" not in shown(visit(), "1/")


@pytest.mark.parametrize(
    ("query", "is_there"),
    [
        ("", True),
        ("q=running", True),
        ("q=horse", True),
        ("q=ponies", False),
        ("rule=cases", True),
        ("rule=Voting", False),
        ("judge=Madrid", True),
        ("judge=Murphy", False),
        ("verdict=false", True),
        ("verdict=TRUE", False),
    ],
)
def test_the_archive_is_searched_by_words_rule_judge_and_verdict(
    judged: Receipt, visit: Any, query: str, is_there: bool
) -> None:
    assert (STATEMENT in shown(visit(), f"?{query}")) is is_there


def test_the_docket_and_the_archive_are_told_in_list_form(
    act: Take, judged: Receipt, player: Player, visit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(player, "cases.call", statement="=1+1", barred="Madrid")
    page = unescape(visit().get("/g/table/cases/").content.decode())
    for address in ("list/?format=text", "list/?format=csv", "feed/"):
        assert f'href="/g/table/cases/{address}"' in page
    text = visit().get("/g/table/cases/list/").content.decode()
    assert "2  Murphy     Madrid  -       open" in text
    assert text.index("=1+1") < text.index(STATEMENT), "the newest first"
    sheet = visit().get("/g/table/cases/list/?format=csv").content.decode()
    rows = [*csv.reader(sheet.splitlines())]
    assert [row[:5] for row in rows[1:]] == [
        ["2", "Murphy", "Madrid", "-", "open"],
        ["1", "Murphy", "-", "Madrid", "FALSE"],
    ]
    assert rows[1][-1] == "'=1+1", "no formula"
    assert STATEMENT not in visit().get("/g/table/cases/list/?verdict=TRUE").content.decode()
    assert "Earlier" not in visit().get("/g/table/cases/list/?before=2").content.decode()
    monkeypatch.setattr(listing, "_LISTED", 1)
    part = visit().get("/g/table/cases/list/?judge=&format=csv")
    assert part.headers["Link"] == ('</g/table/cases/list/?judge=&format=csv&before=2>; rel="next"')
    assert STATEMENT not in part.content.decode()
    page = visit().get("/g/table/cases/list/").content.decode()
    assert page.endswith("Earlier ones: ?before=2\n")


def test_what_was_judged_of_rules_before_they_came_stands_in_the_archive(
    db: None, visit: Visitor
) -> None:
    annotations = (
        Annotation("2021-03-04", "CFJ 3900: cleaning mends <b>spelling</b>."),
        Annotation("", "CFJ 1: a paradox."),
    )
    rule = BroughtRule("2463", "Cleanliness", "Any player CAN clean a rule.")
    old = Brought((replace(rule, annotations=annotations),))
    new_game("table", "nomic", law="agora", pace="manual", start=WEDNESDAY, brought=old)
    page = shown(visit(), "")
    assert "Judged before this game" in page
    assert "cleaning mends &lt;b&gt;spelling" in page
    assert ">Cleanliness</a> · 2021-03-04" in page
    for query, found in (("q=SPELLING", (True, False)), ("rule=cleanliness", (True, True))):
        page = shown(visit(), f"?{query}")
        assert ("CFJ 3900" in page, "CFJ 1" in page) == found
    for query in ("q=horse", "rule=Voting", "judge=Murphy", "verdict=TRUE"):
        assert "Judged before this game" not in shown(visit(), f"?{query}")


def test_its_words_are_found_and_it_is_in_the_feed(judged: Receipt, client: Client) -> None:
    assert "/g/table/cases/1/" in client.get("/g/table/search/?q=standing").content.decode()
    feed = client.get("/g/table/cases/feed/").content.decode()
    assert "Madrid judges Case 1 FALSE." in feed
    assert "http://testserver/g/table/cases/1/" in feed


def test_the_api_tells_all_of_it(judged: Receipt, client: Client) -> None:
    (listed,) = client.get("/api/v1/games/table/cases").json()
    assert (listed["statement"], listed["judge"], listed["verdict"]) == (
        STATEMENT,
        "Madrid",
        "FALSE",
    )
    (read,) = listed["passages"]
    assert (read["rule"], read["passage"], read["binds"]) == ("Cases", SENTENCE, True)
    assert [read[name] for name in ("ended_in", "played_as", "since", "until")] == [None] * 4
    assert listed["annotations"] == ["This sentence was read in Case 1 (FALSE)."]
    whole = client.get("/api/v1/games/table/cases/1").json()
    assert [text["kind"] for text in whole["texts"]] == ["arguments", "judgement"]
    assert whole["texts"][0]["evidence"][0]["url"] == "/g/table/record/1/"
    assert [motion["motion"] for motion in whole["motions"]] == [
        "Reconsider",
        "Reconsider by support",
        "Moot",
    ]
    assert client.get("/api/v1/games/table/cases/2").status_code == 404


def test_a_game_without_the_rule_has_no_page_of_cases_and_offers_none(
    game: Game, player: Player, visit: Any, client: Client
) -> None:
    with at_the_table(game) as table:
        table.rules.repeal("Cases")
    assert client.get("/g/table/cases/").status_code == 404
    assert client.get("/api/v1/games/table/cases").status_code == 404
    assert "Call a case" not in visit(player).get("/g/table/").content.decode()


def test_what_is_not_sent_yet_is_kept_as_a_draft_that_nobody_else_sees(
    player: Player, rival: Player, visit: Visitor
) -> None:
    mine = visit(player)
    chosen = {"evidence_1": '{"entry": "1"}'}
    kept = mine.post("/g/table/cases/new/", {"statement": "Half of a", "do": "save", **chosen})
    draft = player.case_drafts.get()
    assert kept.headers["location"] == f"/g/table/cases/new/?draft={draft.pk}"
    form = mine.get(kept.headers["location"]).content.decode()
    assert 'value="Half of a"' in form
    assert form.count("checked") == 1
    assert "Half of a" in mine.get("/g/table/cases/").content.decode()
    other = visit(rival)
    for place in ("", f"new/?draft={draft.pk}"):
        assert "Half of a" not in other.get(f"/g/table/cases/{place}").content.decode()
    theirs = {"draft": draft.pk, "saved_at": "", "do": "save", "statement": "Theirs"}
    other.post("/g/table/cases/new/", theirs)
    assert player.case_drafts.get().fields["statement"] == "Half of a"
    mine.post("/g/table/cases/new/", {**theirs, "statement": "Of another window"})
    assert player.case_drafts.count() == 2, "each window keeps its own"
    mine.post("/g/table/cases/new/", {"draft": draft.pk, "do": "delete"})
    (left,) = player.case_drafts.all()
    whole = {"draft": left.pk, "statement": "A whole one.", "do": "send", "barred": ""}
    assert mine.post("/g/table/cases/new/", whole).status_code == 302
    assert not player.case_drafts.exists()
    assert Case.objects.get().statement == "A whole one."

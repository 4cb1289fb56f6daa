"""Drafts of what is written about cases, for programs."""

from nomic.games.models import Player
from tests.kit import Take, Visitor
from tests.kit import ask_as_program as ask

READS = [{"rule": "Cases", "passage": "A judgement changes no rule."}]


def test_a_draft_of_a_page_is_a_programs_and_the_other_way(
    player: Player, rival: Player, visit: Visitor
) -> None:
    inputs = {"statement": "A horse that stands still has run.", "evidence": READS}
    saved = ask(player, "POST", "cases/drafts", 201, act="cases.call", inputs=inputs)
    assert (saved["act"], saved["case"], saved["inputs"]) == ("cases.call", None, inputs)
    one = f"cases/drafts/{saved['number']}"
    assert ask(player, "GET", "cases/drafts") == [ask(player, "GET", one)] == [saved]
    assert ask(rival, "GET", "cases/drafts") == []
    ask(rival, "GET", one, 404)
    address = f"/g/table/cases/new/?draft={saved['number']}"
    page = visit(player).get(address).content.decode()
    assert "A horse that stands still has run." in page
    assert "A judgement changes no rule." in page
    sent = {"statement": "Sugar has run.", "do": "save", "saved_at": saved["saved_at"]}
    visit(player).post(address, {**sent, "draft": str(saved["number"])})
    (changed,) = ask(player, "GET", "cases/drafts")
    assert (changed["number"], changed["inputs"]) == (
        saved["number"],
        {"statement": "Sugar has run."},
    )
    stale = ask(player, "PUT", one, 409, act="cases.call", seen=saved["saved_at"])
    assert stale["code"] == "changed_elsewhere"
    ask(player, "DELETE", one)
    ask(player, "GET", one, 404)


def test_what_fits_no_act_is_refused_and_what_is_missing_comes_later(
    act: Take, player: Player, rival: Player
) -> None:
    act(player, "cases.call", statement="A horse has run.")
    drafted = ask(rival, "POST", "cases/drafts", 201, act="cases.judge", case=1)
    assert (drafted["case"], drafted["inputs"]) == (1, {})
    for act_name, case, inputs in (
        ("cases.judge", 1, {"verdict": "PERHAPS"}),
        ("cases.judge", 1, {"horse": "Fargo"}),
        ("cases.judge", None, {}),
        ("cases.call", 1, {}),
        ("cases.call", None, {"statement": "x" * 1001}),
        ("cases.call", None, {"statement": ["x"]}),
        ("cases.call", None, {"evidence": [{"a": "b", "c": "d"}]}),
    ):
        ask(rival, "POST", "cases/drafts", 422, act=act_name, case=case, inputs=inputs)
    ask(rival, "POST", "cases/drafts", 404, act="cases.argue", case=9)
    assert rival.case_drafts.count() == 1

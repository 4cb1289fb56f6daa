"""Reports that become true when nobody doubts them (the rule “Undoubted Reports”), and the words
that officers write into them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from horses.rules.payouts import DOLLARY
from nomic.documents.rulebook import RULEBOOK, UNDOUBTED
from nomic.documents.rules import UNDOUBTED_REPORTS
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.rulebook.shipped import shipped_rules
from tests.kit import at_the_table, on_one_line

REPORT = "horsened"
TEXT = "All is well, **I think**.\n\n| Player | Dollaries |\n| --- | --- |\n| Murphy | {} |"


@pytest.fixture
def offices() -> str:
    return "open"


@pytest.fixture
def preset() -> str:
    return "agora-races"


@pytest.fixture
def ruled(game: Game) -> Game:
    (rule,) = shipped_rules(RULEBOOK / UNDOUBTED, "documents")
    with at_the_table(game) as table:
        if not table.rules.in_force(rule.title):
            table.rules.enact(rule.title, rule.text)
    return game


@pytest.fixture
def horsened(ruled: Game, officer: Player, act: Any) -> Player:
    if not officer.offices.filter(name="Horsened").exists():
        act(officer, "games.take_office", office="Horsened")
    return officer


def dollaries(game: Game, name: str = "Murphy") -> int:
    return glance(Game.objects.get(pk=game.pk)).ledger.balances(DOLLARY).get(name, 0)


def published(act: Any, officer: Player, text: str) -> Any:
    act(officer, "documents.publish", kind="Essay", title="How things stand", text=text)
    number = officer.documents.latest("number").number
    return act(officer, "reports.publish_document", report=REPORT, document=number).entry


def week(game: Game, days: int = 7) -> Game:
    fresh = Game.objects.get(pk=game.pk)
    assert fresh.last_at is not None
    advance(fresh.slug, fresh.last_at + timedelta(days=days, minutes=1))
    return Game.objects.get(pk=game.pk)


def made_true(game: Game, entry: Any) -> list[Any]:
    return list(game.entries.filter(name="reports.undoubted", outcome__entry=entry.seq))


def refused(act: Any, actor: Player, name: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    return refusal.value.refusal.sentence


def test_an_officers_words_stand_in_the_report_beside_its_figures(
    horsened: Player, act: Any, visit: Any
) -> None:
    entry = act(horsened, "reports.publish", report=REPORT, words="Look at *Rubert*.").entry
    assert "Look at *Rubert*." in entry.outcome["text"]
    page = visit().get(f"/g/table/reports/{REPORT}/").content.decode()
    assert "<em>Rubert</em>" in page
    assert "Currencies" in page
    assert "words" not in act(horsened, "reports.publish", report=REPORT).entry.inputs


def test_a_document_as_a_report_shows_beforehand_what_it_would_make_true(
    ruled: Game, horsened: Player, player: Player, act: Any, visit: Any
) -> None:
    held = dollaries(ruled)
    entry = published(act, horsened, TEXT.format(held + 2))
    assert entry.outcome["declares"] == [["Murphy", DOLLARY, held, held + 2]]
    page = on_one_line(visit(player).get(f"/g/table/reports/{REPORT}/").content.decode())
    assert "<strong>I think</strong>" in page
    assert f"Murphy has {held + 2} dollaries and not {held}" in page
    assert "Publish it as a report" in visit(horsened).get("/g/table/documents/1/").content.decode()
    assert "as a report" not in visit(player).get("/g/table/documents/1/").content.decode()
    assert "Document 1: How things stand" in page
    assert dollaries(ruled) == held


@pytest.mark.parametrize("preset", ["demo"])  # its record has the rule, so it can be replayed
def test_what_nobody_doubts_becomes_true_once_and_a_replay_agrees(
    ruled: Game, horsened: Player, player: Player, act: Any, visit: Any
) -> None:
    held = dollaries(ruled)
    entry = published(act, horsened, TEXT.format(held + 2))
    game = week(ruled)
    (true,) = made_true(game, entry)
    assert true.outcome["made"] == [["Murphy", DOLLARY, held, held + 2]]
    assert dollaries(game) == held + 2
    game = week(game)
    assert len(made_true(game, entry)) == 1
    assert dollaries(game) == held + 2
    shown = visit().get(f"/g/table/reports/{REPORT}/?entry={entry.seq}").content.decode()
    assert f"entry {true.seq}" in on_one_line(shown)
    assert replay(game)[1] is None


def test_what_is_doubted_does_not_become_true(
    ruled: Game, horsened: Player, player: Player, act: Any, visit: Any
) -> None:
    held = dollaries(ruled)
    entry = published(act, horsened, TEXT.format(held + 2))
    act(player, "reports.doubt", entry=entry.seq, what="I have fewer")
    game = week(ruled)
    assert made_true(game, entry) == []
    assert dollaries(game) == held
    page = visit().get(f"/g/table/reports/{REPORT}/?entry={entry.seq}").content.decode()
    assert "It was doubted" in page


def test_the_same_declared_twice_is_made_once(
    ruled: Game, horsened: Player, player: Player, act: Any
) -> None:
    held = dollaries(ruled)
    first = published(act, horsened, TEXT.format(held + 2))
    second = published(act, horsened, TEXT.format(held + 2))
    game = week(ruled)
    assert [len(made_true(game, entry)) for entry in (first, second)] == [1, 1]
    assert made_true(game, second)[0].outcome["made"] == []
    assert dollaries(game) == held + 2


def test_what_a_correction_has_put_right_is_not_made_again(
    ruled: Game, horsened: Player, player: Player, act: Any
) -> None:
    held = dollaries(ruled)
    published(act, horsened, TEXT.format(held + 2))
    moved = {"amount": 2, "asset": DOLLARY, "giver": "Mint", "receiver": "Murphy"}
    act(horsened, "ledger.correct", **moved, reason="as my report says")
    assert dollaries(week(ruled)) == held + 2


def test_what_was_gained_since_is_kept(
    ruled: Game, horsened: Player, player: Player, act: Any
) -> None:
    held = dollaries(ruled)
    published(act, horsened, TEXT.format(held + 2))
    with at_the_table(ruled) as table:
        table.ledger.create(table.seat("Murphy"), 5, DOLLARY)
    game = week(ruled, days=7)
    assert dollaries(game) >= held + 7


def test_a_weekly_report_becomes_true_and_changes_nothing(
    ruled: Game, horsened: Player, act: Any
) -> None:
    entry = act(horsened, "reports.publish", report=REPORT).entry
    (true,) = made_true(week(ruled), entry)
    assert true.text.endswith("nobody has doubted it. It changes no balance.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (TEXT.format("many"), "instead of a whole number"),
        (TEXT.format("-3"), "instead of a whole number"),
        (TEXT.format(1).replace("Murphy", "Nessie"), "names Nessie, who does not play here"),
        (TEXT.format(1) + "\n| Murphy | 2 |", "stands twice"),
    ],
)
def test_a_document_whose_figures_cannot_be_read_is_no_report(
    ruled: Game, horsened: Player, player: Player, act: Any, text: str, sentence: str
) -> None:
    act(horsened, "documents.publish", kind="Essay", title="Figures", text=text)
    inputs = {"report": REPORT, "document": 1}
    assert sentence in refused(act, horsened, "reports.publish_document", **inputs)
    assert "no Document 9" in refused(
        act, horsened, "reports.publish_document", report=REPORT, document=9
    )


def test_who_is_no_officer_publishes_none(
    ruled: Game, horsened: Player, player: Player, act: Any
) -> None:
    act(player, "documents.publish", kind="Essay", title="Figures", text="None.")
    sentence = refused(act, player, "reports.publish_document", report=REPORT, document=1)
    assert sentence == "Only an officer can do this."


def test_without_its_rule_nothing_becomes_true(
    ruled: Game, horsened: Player, player: Player, act: Any
) -> None:
    held = dollaries(ruled)
    entry = published(act, horsened, TEXT.format(held + 2))
    with at_the_table(ruled) as table:
        table.rules.repeal(UNDOUBTED_REPORTS)
    game = week(ruled)
    assert made_true(game, entry) == []
    assert dollaries(game) == held
    assert "not in force" in refused(
        act, horsened, "reports.publish_document", report=REPORT, document=1
    )


@pytest.fixture
def essays(ruled: Game, act: Any) -> Game:
    """A game in which an essay is undoubted after seven days."""
    text = ruled.rules.get(title=UNDOUBTED_REPORTS).text
    more = text.replace("| Every report | 7 |", "| Every report | 7 |\n| Essay | 7 |")
    act(None, "rulebook.amend", rule=UNDOUBTED_REPORTS, text=more, reason="a test")
    return ruled


def essay(act: Any, author: Player, text: str = "Horses run.") -> Any:
    return act(author, "documents.publish", kind="Essay", title="On horses", text=text).entry


def test_a_document_of_a_kind_in_the_table_is_undoubted_when_nobody_doubts_it(
    essays: Game, act: Any, player: Player, visit: Any
) -> None:
    essay(act, player)
    act(player, "documents.publish", kind="Pledge", title="A pledge", text="I vote.")
    assert "It is undoubted from" in on_one_line(visit().get("/g/table/documents/1/").text)
    week(essays, 4)
    act(player, "documents.revise", document=1, title="On horses", text="They run far.")
    week(essays, 4)
    document = essays.documents.get(number=1)
    assert document.undoubted_in is None, "its days begin anew with its text"
    after = week(essays, 8)
    document.refresh_from_db()
    told = after.entries.get(seq=document.undoubted_in)
    assert told.text == "Nobody has doubted Document 1 (Essay), “On horses”: it is undoubted."
    assert essays.documents.get(number=2).undoubted_in is None
    answer = visit().get("/api/v1/games/table/documents/1").json()
    assert answer["undoubted_in"] == told.seq


def test_a_document_that_is_doubted_does_not_become_undoubted_and_a_judge_is_asked(
    essays: Game, act: Any, player: Player, rival: Player, visit: Any
) -> None:
    essay(act, player)
    doubted = act(rival, "documents.doubt", document=1, what="They walk.").entry
    assert doubted.text == "Madrid doubts Document 1 (Essay), “On horses”: They walk."
    assert "not waiting" in refused(act, rival, "documents.doubt", document=1, what="Again.")
    assert "no Document 7" in refused(act, rival, "documents.doubt", document=7, what="Nothing.")
    page = on_one_line(visit(rival).get("/g/table/documents/1/").text)
    assert f"/g/table/cases/new/?statement=Document+1+is+wrong.&amp;entry={doubted.seq}" in page
    after = week(essays, 8)
    assert after.documents.get().undoubted_in is None


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["demo"])
def test_a_replay_agrees_on_what_is_doubted_and_what_is_undoubted(
    essays: Game, act: Any, player: Player, rival: Player
) -> None:
    for _ in range(3):
        essay(act, player)
    act(rival, "documents.doubt", document=1, what="They walk.")
    act(player, "documents.revise", document=2, title="Twice", text="Twice.")
    after = week(essays, 8)
    kept = after.documents.order_by("number").values_list("undoubted_in", flat=True)
    assert [bool(entry) for entry in kept] == [False, True, True]
    assert replay(after)[1] is None


@pytest.mark.thorough
def test_what_is_withdrawn_or_has_no_rule_any_more_does_not_become_undoubted(
    essays: Game, act: Any, player: Player
) -> None:
    for number in (1, 2):
        essay(act, player, f"Number {number}.")
    act(player, "documents.withdraw", document=1)
    with at_the_table(essays) as table:
        table.rules.repeal(UNDOUBTED_REPORTS)
    week(essays, 8)
    assert not essays.documents.exclude(undoubted_in=None).exists()


def test_what_the_table_names_no_more_neither_becomes_undoubted_nor_true(
    essays: Game, horsened: Player, act: Any, player: Player
) -> None:
    essay(act, player)
    held = dollaries(essays)
    published(act, horsened, TEXT.format(held + 2))
    with at_the_table(essays) as table:
        text = table.rules.text(UNDOUBTED_REPORTS)
        rows = [line for line in text.splitlines() if not line.endswith(("| 7 |", "| 3 |"))]
        table.rules.amend(UNDOUBTED_REPORTS, "\n".join([*rows, "| Nothing | 1 |"]))
    after = week(essays, 8)
    assert not after.documents.exclude(undoubted_in=None).exists()
    assert dollaries(after) == held


def test_a_sealed_document_that_was_changed_waits_once_as_it_is_opened(
    essays: Game, act: Any, player: Player, rival: Player
) -> None:
    text = essays.rules.get(title=UNDOUBTED_REPORTS).text.replace("| Essay |", "| Letter |")
    act(None, "rulebook.amend", rule=UNDOUBTED_REPORTS, text=text, reason="a test")
    act(player, "documents.seal", kind="Letter", readers="Madrid", title="A", text="One.")
    number = player.sealed_documents.get().number
    act(player, "documents.revise_sealed", document=number, title="A", text="Two.")
    act(player, "documents.revise_sealed", document=number, title="A", text="Three.")
    opened = act(player, "documents.open", document=number).entry
    document = essays.documents.get(number=opened.outcome["document"])
    assert week(essays, 8).entries.filter(name="reports.no_doubt").count() == 1
    document.refresh_from_db()
    assert document.undoubted_in

"""What cannot be in a case: each is told in a sentence, and nothing changes."""

from __future__ import annotations

from typing import Any

import pytest

from nomic.cases.models import LONGEST_TEXT, Case, CaseText
from nomic.cases.precedents import precedents
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from tests.kit import Take, on_one_line

SENTENCE = "A judgement changes no rule."
READS = [{"rule": "Cases", "passage": SENTENCE}]
JUDGEMENT = {"case": 1, "verdict": "TRUE", "reasons": "So it *is*."}


@pytest.fixture
def open_case(act: Take, player: Player, rival: Player, third: Player) -> Case:
    """Case 1, which Murphy has called and Madrid is to judge."""
    act(player, "cases.call", statement="This statement is false.")
    return Case.objects.get()


def refused(act: Take, actor: Player | None, name: str, **inputs: Any) -> str:
    with pytest.raises((Refused, Malformed)) as told:
        act(actor, name, **inputs)
    return str(told.value)


def test_of_two_judgements_at_one_moment_the_first_stands(
    act: Take, game: Game, rival: Player, open_case: Case
) -> None:
    first = act(rival, "cases.judge", **JUDGEMENT).entry
    second = refused(act, rival, "cases.judge", **{**JUDGEMENT, "verdict": "FALSE"})
    assert "Case 1 is judged TRUE: only a motion opens it again." in second
    assert CaseText.objects.filter(kind="judgement").count() == 1
    assert game.entries.latest("seq") == first


@pytest.mark.thorough
def test_of_two_cases_that_are_judged_at_one_moment_the_later_entry_binds(
    act: Take, game: Game, player: Player, rival: Player, open_case: Case
) -> None:
    act(player, "cases.call", statement="This statement is true.")
    act(rival, "cases.judge", **JUDGEMENT, passages=READS)
    third = game.players.get(name="Gaelan")
    other = {**JUDGEMENT, "case": 2, "verdict": "FALSE"}
    act(third, "cases.judge", **other, passages=READS)
    moments = Case.objects.values_list("judged_at", flat=True)
    assert len(set(moments)) == 1
    assert [(read.case, read.binds) for read in precedents(glance(game))] == [(1, False), (2, True)]


@pytest.mark.thorough
def test_a_paradox_in_a_closed_game_stays_open_and_can_be_read(
    act: Take, game: Game, rival: Player, open_case: Case, client: Any
) -> None:
    act(None, "games.close", reason="It is over.")
    paradox = {**JUDGEMENT, "verdict": "PARADOXICAL"}
    assert "The game is closed." in refused(act, rival, "cases.judge", **paradox)
    assert "The game is closed." in refused(act, rival, "cases.call", statement="So what?")
    page = on_one_line(client.get(f"/g/{game.slug}/cases/1/").content.decode())
    assert "This statement is false." in page
    assert "Judge it" not in page
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_who_has_left_judges_nothing_and_nobody_may_be_left_to_judge(
    act: Take, game: Game, player: Player, rival: Player, open_case: Case
) -> None:
    third = game.players.get(name="Gaelan")
    act(rival, "games.leave")
    assert "You have left this game" in refused(act, rival, "cases.judge", **JUDGEMENT)
    act(third, "games.leave")
    open_case.refresh_from_db()
    assert open_case.judge is None
    told = game.entries.latest("seq").text
    assert told == "Nobody is eligible to judge Case 1: it waits until somebody is."
    assert "nobody is yet to judge Case 1" in refused(act, player, "cases.judge", **JUDGEMENT)
    assert replay(game)[1] is None


@pytest.mark.parametrize(
    ("name", "inputs", "why"),
    [
        ("cases.judge", {**JUDGEMENT, "reasons": "<b>x</b>" * LONGEST_TEXT}, "at most 50000"),
        ("cases.judge", {**JUDGEMENT, "reasons": " \n "}, "A judgement has reasons"),
        ("cases.judge", {**JUDGEMENT, "reasons": "\0"}, "invisible control characters"),
        ("cases.judge", {**JUDGEMENT, "verdict": "MAYBE"}, "is not a verdict"),
        ("cases.judge", {**JUDGEMENT, "case": 2}, "This game has no Case 2"),
        ("cases.judge", {**JUDGEMENT, "passages": READS * 21}, "At most 20"),
        ("cases.judge", {**JUDGEMENT, "passages": [{"rule": "Cases"}]}, "is an object"),
        ("cases.argue", {"case": 1, "arguments": "<i>y</i>" * LONGEST_TEXT}, "at most 50000"),
        ("cases.argue", {"case": 1}, "Write arguments, or name evidence"),
        ("cases.argue", {"case": 1, "evidence": [{"cases": "2"}]}, "There is no Case 2"),
        ("cases.attach", {"case": 1, "entry": 2}, "is open: nothing follows from it yet"),
        ("cases.file", {"case": 1, "motion": "Moot"}, "there is nothing to open again"),
    ],
)
def test_what_cannot_be_said_in_a_case_is_refused_and_nothing_changes(
    act: Take, game: Game, rival: Player, open_case: Case, name: str, inputs: Any, why: str
) -> None:
    before = game.entries.count()
    assert why in refused(act, rival, name, **inputs)
    assert game.entries.count() == before
    assert not CaseText.objects.exists()


def test_a_case_names_itself_as_evidence(act: Take, rival: Player, open_case: Case) -> None:
    act(rival, "cases.argue", case=1, evidence=[{"cases": "1"}])
    assert open_case.texts.get().exhibits.get().name == "1"

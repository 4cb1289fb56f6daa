"""Sentences that judgements read: marked in the rule, in a preview and in the API, until they
change."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from nomic.cases.models import Reading
from nomic.cases.precedents import precedents
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from tests.kit import Take, at_the_table, on_one_line

RULE, SENTENCE = "Cases", "A judgement changes no rule."
READS = [{"rule": RULE, "passage": SENTENCE}]


@pytest.fixture
def judged(game: Game, act: Take, player: Player, rival: Player, third: Player) -> None:
    """Madrid has judged Case 1 FALSE, and Gaelan Case 2 TRUE; both read one sentence."""
    for number, judge, verdict in ((1, rival, "FALSE"), (2, third, "TRUE")):
        act(player, "cases.call", statement=f"Statement {number}.")
        judgement = {"case": number, "verdict": verdict, "reasons": "So."}
        act(judge, "cases.judge", **judgement, passages=READS)


def of(game: Game, number: int) -> str:
    """The annotation of the one sentence that the judgement of that case reads."""
    (annotation,) = (
        precedent.annotation for precedent in precedents(glance(game)) if precedent.case == number
    )
    return annotation


def test_of_two_that_read_a_sentence_the_later_binds_until_it_is_opened_again(
    game: Game, act: Take, judged: None, player: Player, rival: Player, third: Player
) -> None:
    assert "reads a sentence otherwise than Case 1, and binds" in game.entries.last().text
    assert of(game, 1).endswith("Case 2 read it the other way later, and that binds.")
    assert of(game, 2).endswith("That is otherwise than in Case 1, and binds.")
    for supporter in (player, rival, third):
        act(supporter, "cases.file", case=2, motion="Moot")
    assert of(game, 1) == "This sentence was read in Case 1 (FALSE)."
    assert {precedent.case for precedent in precedents(glance(game))} == {1}


def test_the_mark_stands_in_the_rule_and_in_the_api_with_the_case(
    game: Game, judged: None, client: Client
) -> None:
    pk = Reading.objects.first().rule_id
    page = on_one_line(client.get(f"/g/table/rules/cases-{pk}/").content.decode())
    assert page.count('class="who is-read" href="/g/table/cases/1/"') == 1
    rules = client.get("/api/v1/games/table/rules").json()
    passages = next(rule for rule in rules if rule["title"] == RULE)["passages"]
    noted = [passage for passage in passages if "notes" in passage]
    assert [passage["text"] for passage in noted] == [SENTENCE]
    assert [note["label"] for note in noted[0]["notes"]] == ["Case 1", "Case 2"]
    assert noted[0]["notes"][0]["url"] == "/g/table/cases/1/"


def test_who_writes_a_change_of_the_sentence_is_told_how_it_was_read(
    game: Game, judged: None, player: Player, visit: Any
) -> None:
    body = f"Amend rule “Cases” by replacing “{SENTENCE}” with “A judgement changes it.”"
    sent = {"title": "Judges", "body": body}
    preview = visit(player).post("/g/table/proposals/preview/", sent).content.decode()
    assert "This sentence was read in Case 2 (TRUE)." in preview
    assert "It would change, and the mark at it would end." in preview


def test_the_mark_ends_when_the_sentence_changes_and_says_so(
    game: Game, judged: None, visit: Any, client: Client
) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(RULE)
        table.rules.amend(RULE, text.replace(SENTENCE, "A judgement changes nothing."))
        entry = table.seq
        table.follow_the_rules()
    assert set(Reading.objects.values_list("ended_in", flat=True)) == {entry}
    assert of(game, 1).endswith(f"It has changed since, in entry {entry}: the mark has ended.")
    with at_the_table(game) as table:
        table.rules.amend(RULE, text)
        table.follow_the_rules()
    assert "the mark has ended" in of(game, 1)
    pk = Reading.objects.first().rule_id
    page = client.get(f"/g/table/rules/cases-{pk}/").content.decode()
    assert "is-read" not in page
    assert "the mark has ended" in page
    assert "the mark has ended" in client.get("/g/table/cases/1/").content.decode()


def test_another_sentence_may_change_and_the_mark_stays(game: Game, judged: None) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(RULE)
        table.rules.amend(RULE, text.replace("While nobody is eligible, the case waits.", ""))
        table.follow_the_rules()
    assert set(Reading.objects.values_list("ended_in", flat=True)) == {None}


def test_what_stands_in_no_rule_is_read_by_no_judgement(
    game: Game, act: Take, player: Player, rival: Player
) -> None:
    act(player, "cases.call", statement="A statement.")
    judgement = {"case": 1, "verdict": "TRUE", "reasons": "So."}
    with pytest.raises(Refused, match="has no sentence “It may"):
        act(rival, "cases.judge", **judgement, passages=[{"rule": RULE, "passage": "It may."}])

"""What a regulation that a vote brings says and nothing carries out (Regulations 107, 112)."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client

from aceofspades.rulebook import library
from aceofspades.tests.acts import FOR, again
from aceofspades.tests.rules.test_clauses import source
from aceofspades.tests.stage import days, enact, join, open_the_contest, propose, vote
from nomic.engine.coverage import rule_marks, unfitted
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.rulebook.coverage.marks import Mark

BINDS = "Nobody passes more than two cards a day."
MARKS = "Each Red card is worth another Mark."
SOONER = "Majorities decide starting 1 hours after a proposal is put up for vote."
BLOCK = f"""{MARKS} {BINDS}

```python
# carries out: {MARKS}
def mark_hand(name, hands, worth, alliances):
    return worth[name] + hands[name]["Red"]
```
"""
VOTE = "| VOTE | HOURS |\n|---|---|\n| Decided from | 1 |"


@pytest.fixture
def contest(game: Game) -> Game:
    open_the_contest(game)
    return game


def marks(game: Game, title: str) -> dict[str, Mark]:
    table = glance(Game.objects.get(pk=game.pk))
    found = rule_marks(table, table.rules.find(title))
    return {each.passage.said: each.mark for each in found.passages if each.passage}


def waiting(game: Game) -> list[str]:
    return [each.name for each in unfitted(glance(Game.objects.get(pk=game.pk)))]


@pytest.mark.thorough
def test_it_is_told_to_who_votes_in_the_entry_and_as_a_duty(
    contest: Game, player: Player, rival: Player
) -> None:
    join(contest, player, rival)
    proposal = propose(contest, player, 500, BLOCK)
    page = " ".join(Client().get(f"/g/{contest.slug}/aceofspades/").text.split())
    assert f"In “Regulation 500” the site does not carry out “{BINDS}” by itself" in page
    assert f"The program of “Regulation 500” says that it carries out “{MARKS}”" in page
    told = Client().get(f"/api/v1/games/{contest.slug}/aceofspades").json()["proposals"]
    assert [each["unplayed"] for each in told] == [[BINDS]]
    assert all(warning in unescape(page) for warning in told[0]["warnings"])
    assert len(told[0]["warnings"]) == 2
    vote(contest, proposal, {player: FOR, rival: FOR})
    days(contest, 4)
    proposal.refresh_from_db()
    entry = contest.entries.get(seq=proposal.effective_in)
    assert f"Not carried out as it reads: in “Regulation 500”, “{BINDS}”" in entry.text
    assert waiting(contest) == [BINDS]
    assert marks(contest, "Regulation 500")[MARKS] is Mark.CLAIMED
    told = Client().get(f"/api/v1/games/{contest.slug}/aceofspades").json()["proposals"]
    assert ["unplayed" in each for each in told] == [False]
    again(contest)


def test_what_a_marking_regulation_says_of_marks_is_its_programs_claim_unless_it_names_others(
    contest: Game,
) -> None:
    silent = BLOCK.replace(f"# carries out: {MARKS}\n", "")
    enact(contest, 500, silent)
    assert waiting(contest) == [BINDS]
    assert marks(contest, "Regulation 500")[MARKS] is Mark.CLAIMED
    enact(contest, 501, BLOCK.replace("another Mark", "three Marks", 1))
    assert waiting(contest) == [BINDS, MARKS.replace("another Mark", "three Marks"), BINDS]
    enact(contest, 502, MARKS)
    assert marks(contest, "Regulation 502")[MARKS] is Mark.UNFITTED


def test_a_private_one_tells_it_to_who_may_read_it_and_makes_no_duty(
    contest: Game, player: Player
) -> None:
    join(contest, player)
    propose(contest, player, 500, BLOCK, visibility="private")
    page = Client().get(f"/g/{contest.slug}/aceofspades/").text
    assert "the site does not carry out" not in page
    assert BINDS not in page
    enact(contest, 510, BLOCK, "private")
    assert waiting(contest) == []


def test_what_another_regulation_prevails_over_is_not_told_as_played(contest: Game) -> None:
    enact(contest, 500, f"{SOONER}\n\n{VOTE}")
    found = marks(contest, "Regulation 500")
    assert {*found.values()} == {Mark.UNFITTED}
    assert Mark.UNFITTED not in marks(contest, "Regulation 110").values()
    enact(contest, 205, "| DECK REFILLED | CARDS |\n|---|---|\n| When fewer are left than | 9 |"
          "\n| Made of each suit | 9 |")  # fmt: skip
    assert {*marks(contest, "Regulation 205").values()} == {Mark.TABLE}
    assert "| When fewer are left than | 10 |" in waiting(contest)


def test_sentences_of_the_shipped_ones_that_say_numbers_are_played_anywhere(contest: Game) -> None:
    text = " ".join(source()[210].split()).replace("below 10", "below 9")
    enact(contest, 201, text)
    enact(contest, 202, " ".join(source()[110].split()))
    assert {*marks(contest, "Regulation 201").values()} == {Mark.CLAUSE}
    assert {*marks(contest, "Regulation 202").values()} == {Mark.UNFITTED}
    assert "| When fewer are left than | 10 |" in waiting(contest)


@pytest.mark.thorough
def test_regulations_of_the_library_are_carried_out_by_their_own_blocks_alone(
    contest: Game,
) -> None:
    for number, rule in enumerate(library(), 500):
        enact(contest, number, rule.text)
    assert waiting(contest) == []
    prose = library()[0].text.partition("```")[0]
    enact(contest, 600, f"{prose}\n{BLOCK.partition(BINDS)[2]}")
    assert len(waiting(contest)) == 1

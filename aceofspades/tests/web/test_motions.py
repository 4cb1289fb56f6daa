"""Proposals and offers as the contest's page tells them in a few lines."""

from __future__ import annotations

import pytest

from aceofspades.api import status_of
from aceofspades.models import Contestant, Offer
from aceofspades.state.reading import state_of
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import reckon
from aceofspades.tests.stage import give_cards, hours, propose, vote
from aceofspades.tests.web.page import PAGE, body, words_of
from nomic.engine.table import glance
from nomic.games.models import Game
from tests.kit import Take, Visitor

DAY = """The Moment of Reckoning comes on this day:

| DAY OF THE RECKONING | WHEN |
| :--- | ---: |
| Set for | 2022-09-01 |

A later one may stand there."""


SMILES = """Everybody
smiles.

```python
def mark(hands, worth, alliances):
    return worth
```"""


@pytest.mark.parametrize(
    ("number", "text", "gist"),
    [
        (200, DAY, "comes on this day: Set for 2022-09-01. A later one may stand there."),
        (500, SMILES, "Everybody smiles."),
    ],
)
def test_a_table_in_a_proposal_is_told_in_words(
    number: int,
    text: str,
    gist: str,
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    propose(contest, three[0], number, text)
    page = words_of(body(visit(three[1])))
    assert gist in page
    assert "|" not in page
    assert "def mark" not in page


def test_offers_that_have_ended_stand_folded_below_the_open_ones(
    contest: Game,
    three: Three,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid, _ = three
    give_cards(contest, murphy, Red=2)
    for suit in ("Black", "Green"):
        act(murphy, "aceofspades.offer", to=["Madrid"], gives={"Red": 1}, takes={suit: 1})
    first = Offer.objects.earliest("pk")
    act(murphy, "aceofspades.withdraw_offer", offer=first.code)

    open_ones, fold, ended = body(visit(madrid)).partition('<details id="ended-offers">')
    assert fold
    assert "1 Green" in open_ones
    assert f'Accept<span class="seen-only-by-readers"> offer {first.code}' not in open_ones
    assert "withdrawn" in ended


def test_after_the_reckoning_an_alliance_is_worth_what_its_hands_were_marked_with(
    contest: Game,
    three: Three,
    act: Take,
    visit: Visitor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    murphy, madrid, _ = three
    give_cards(contest, murphy, Red=3)
    act(murphy, "aceofspades.ally", others=["Madrid"])
    act(madrid, "aceofspades.ally", others=["Murphy"])
    reckon(contest)
    monkeypatch.setattr("aceofspades.secrecy.scoring.ask", lambda question: None)

    page = words_of(body(visit()))
    total = sum(each.worth or 0 for each in Contestant.objects.filter(player__in=(murphy, madrid)))
    assert f"1 2 {total:g} " in page
    assert "being counted" not in page


def test_a_proposal_whose_regulation_gave_way_to_a_later_one_is_not_in_force(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    for text in ("Everybody smiles.", "Everybody frowns."):
        proposal = propose(contest, three[0], 500, text)
        vote(contest, proposal, dict.fromkeys(three, "FOR"))
        hours(contest, 72)
    state = state_of(glance(contest))
    assert [status_of(state, each) for each in state.proposals] == ["replaced", "in force"]

    page = words_of(body(visit(), f"{PAGE}all/proposals/"))
    newest, _, older = page.partition("Everybody frowns.")
    assert "in force" in newest
    assert "replaced" in older


def test_what_a_proposal_drops_is_told_where_it_is_read(
    contest: Game, three: Three, visit: Visitor
) -> None:
    said = "With it no regulation says any more how many cards a new contestant is dealt"
    propose(
        contest,
        three[0],
        215,
        "| NO CARDS FOR NEWCOMERS | HOURS |\n|---|---|\n| Before the Reckoning | 72 |",
    )
    page = words_of(body(visit(three[1]), f"{PAGE}proposals/1/"))
    assert f"{said}: that is off then." in page
    propose(contest, three[0], 500, "Nothing more.")
    assert "With it no regulation" not in words_of(body(visit(three[1]), f"{PAGE}proposals/2/"))

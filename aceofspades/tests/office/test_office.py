"""The Contestmaster's office: when it can be taken, and where its holder's knowledge begins."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from aceofspades.models import Alliance, Offer
from aceofspades.office.desk import secret_pictures
from aceofspades.secrecy.view import View
from aceofspades.state.reading import CONTESTMASTER
from aceofspades.tests.acts import again, look
from aceofspades.tests.asking import do
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import reckon
from aceofspades.tests.stage import (
    enact,
    give_cards,
    hours,
    join,
    open_the_contest,
    propose,
    vote,
)
from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from tests.kit import Take, put_in_office, seat

OFFICE = {"office": CONTESTMASTER}
BEFORE, SINCE = "kingfisher", "redstart"
MARKS = "```python\ndef mark(hands, worth, alliances):\n    return worth\n```"


def sight(game: Game, player: Player) -> View:
    """The contest as that player sees it now."""
    return View(look(game), game.players.select_related("holder").get(pk=player.pk))


def hidden_texts(seen: View) -> dict[int, str]:
    """The texts of hidden regulations that are shown."""
    hidden = [each for each in seen.state.regulations if not each.is_public]
    return {each.number: text for each in hidden if (text := seen.text(each)) is not None}


def the_desk(seen: View) -> str:
    """All that the desk shows to who looks, as one text."""
    return str([(each.title, each.facts, each.rows) for each in secret_pictures(seen)])


def test_nobody_becomes_contestmaster_once_the_first_contestant_has_joined(
    contest: Game, act: Take, outsider: User
):
    act(outsider, "games.join", name="juan")
    with pytest.raises(Refused) as refused:
        act(outsider, "games.take_office", **OFFICE)
    refusal = refused.value.refusal
    assert (refusal.code, refusal.rule) == ("contest_begun", "Regulation 102")
    assert "before the first contestant joins and after the Moment of Reckoning" in refusal.sentence


@pytest.mark.thorough
def test_nor_when_all_contestants_have_left_nor_who_was_it_before(
    game: Game, act: Take, master: Player, three: Three
):
    for each in three:
        act(each, "aceofspades.leave")
    act(master, "games.resign_office", **OFFICE)
    with pytest.raises(Refused) as refused:
        act(master, "games.take_office", **OFFICE)
    assert refused.value.refusal.code == "contest_begun"
    again(game)


@pytest.mark.thorough
def test_before_the_first_contestant_and_after_the_reckoning_it_can_be_taken(
    game: Game, act: Take, player: Player, rival: Player, outsider: User
):
    open_the_contest(game)
    act(rival, "games.take_office", **OFFICE)
    act(rival, "games.resign_office", **OFFICE)
    join(game, player)
    reckon(game)
    act(outsider, "games.join", name="juan")
    act(outsider, "games.take_office", **OFFICE)
    again(game)


@pytest.mark.thorough
def test_who_comes_before_the_contestants_reads_what_they_write_and_nothing_that_was_drawn(
    game: Game, act: Take, master: Player, rival: Player
):
    text = f"{SINCE}\n\n{MARKS}"
    assert hidden_texts(sight(game, master)) == {}
    act(master, "aceofspades.write_secret_regulation", regulation=350, text=text)
    assert hidden_texts(sight(game, master)) == {350: text}
    assert SINCE in the_desk(sight(game, master))
    act(master, "games.resign_office", **OFFICE)
    act(master, "games.take_office", **OFFICE)
    assert hidden_texts(sight(game, master)) == {}
    act(master, "games.resign_office", **OFFICE)
    act(rival, "games.take_office", **OFFICE)
    assert hidden_texts(sight(game, rival)) == {}
    assert SINCE not in the_desk(sight(game, rival))


@pytest.fixture
def midway(contest: Game, three: Three, uncounted: None) -> Game:
    """A contest in which something of every kind is between contestants, and snail, who has no part
    in it, came to the office afterwards."""
    murphy, madrid, alexia = three
    enact(contest, 345, BEFORE, "secret")
    propose(contest, murphy, 510, BEFORE, visibility="private")
    vote(contest, propose(contest, madrid, 520, "No more."), {murphy: "FOR", alexia: "AGAINST"})
    give_cards(contest, murphy, Mauve=2, Red=3, Green=2)
    do(murphy, "transfer", to="Madrid", cards={"Red": 1})
    do(murphy, "offer", to=["Madrid"], gives={"Red": 1}, takes={"Green": 1}, anonymous=True)
    do(murphy, "ally", others=["Madrid"])
    do(madrid, "ally", others=["Murphy"])
    do(murphy, "ally", others=["Madrid", "Alexia"])
    put_in_office(contest, CONTESTMASTER, seat(contest, "snail"))
    hours(contest, 1)
    return contest


def test_a_contestmaster_who_came_in_mid_contest_sees_nothing_of_what_was_before(midway: Game):
    seen = sight(midway, midway.players.get(name="snail"))
    assert seen.is_contestmaster
    assert (hidden_texts(seen), seen.hands, seen.deck_suits) == ({}, {}, None)
    assert (seen.pacts, seen.offers(20)) == ([], [])
    for each in seen.state.proposals:
        told = None if each.visibility == "private" else each.text
        assert (seen.counts(each), seen.every_vote.get(each.number)) == (None, None)
        assert seen.proposal_text(each) == told
    assert {each.number: each.members for each in seen.alliances}[1] is None
    desk = the_desk(seen)
    for word in (BEFORE, "Murphy", "Alexia", "Red"):
        assert word not in desk, word
    assert f"since entry {seen.in_office_since}" in desk


def test_they_see_what_has_come_to_be_since(midway: Game, three: Three, act: Take):
    murphy, madrid, _ = three
    newcomer = seat(midway, "omd")
    join(midway, newcomer)
    give_cards(midway, newcomer, Mauve=1, Red=5)
    propose(midway, madrid, 530, SINCE, visibility="private")
    last = propose(midway, madrid, 540, "Some more.")
    vote(midway, last, {murphy: "FOR"})
    do(newcomer, "offer", to=["Murphy"], gives={"Red": 4}, takes={"Green": 1}, anonymous=True)
    do(newcomer, "ally", others=["Murphy"])
    do(murphy, "ally", others=["omd"])
    do(newcomer, "ally", others=["Alexia"])
    snail = midway.players.get(name="snail")
    seen = sight(midway, snail)
    assert seen.hands.keys() == {"omd"}
    assert {suit: n for suit, n in seen.hands["omd"].items() if n} == {"Mauve": 1, "Red": 5}
    assert seen.deck_suits is None
    assert [each.gives for each in seen.offers(20)] == [{"Red": 4}]
    number = Alliance.objects.latest("pk").number
    members = {each.number: each.members for each in seen.alliances}
    assert (members[number], members[1]) == (["Murphy", "omd"], None)
    assert [each.members for each in seen.pacts] == [["Alexia", "omd"]]
    told = {each.regulation_number: seen.proposal_text(each) for each in seen.state.proposals}
    assert (told[510], told[530]) == (None, SINCE)
    assert (seen.counts(last), seen.every_vote.get(last.number)) == ((1, 0), {"Murphy": "FOR"})
    desk = the_desk(seen)
    assert SINCE in desk
    assert "omd" in desk
    assert BEFORE not in desk
    put_in_office(midway, CONTESTMASTER, None)
    put_in_office(midway, CONTESTMASTER, snail)
    assert (SINCE in the_desk(sight(midway, snail)), sight(midway, snail).hands) == (False, {})
    assert Offer.objects.count() == 2


@pytest.mark.thorough
def test_once_all_is_public_the_contestmaster_sees_it_as_everybody_does(midway: Game):
    reckon(midway)
    seen = sight(midway, midway.players.get(name="snail"))
    assert BEFORE in [seen.text(each) for each in seen.state.regulations]
    assert "Murphy" in the_desk(seen)
    assert "since entry" not in the_desk(seen)

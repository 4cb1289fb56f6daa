"""The contest on a game's home: what waits for the one who looks, as the contest's page has it."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User

from aceofspades.models import Offer, Pact
from aceofspades.tests.reckoned import reckon
from aceofspades.tests.stage import give_cards, hours, propose
from aceofspades.tests.web.page import Budget, body, words_of
from nomic.games.models import Game, Player
from tests.kit import Take, Visitor

HOME = "/g/table/"
A_PAGE = 30
Three = tuple[Player, Player, Player]


@pytest.fixture
def waited_for(contest: Game, three: Three, act: Take) -> Three:
    """Something waits for Madrid of every kind, and something for Alexia; nothing for Murphy but
    two votes."""
    murphy, madrid, alexia = three
    give_cards(contest, murphy, Red=9)
    give_cards(contest, madrid, Black=9)
    for count in (1, 2, 3):
        cards = {"gives": {"Red": count}, "takes": {"Black": count}}
        act(murphy, "aceofspades.offer", to=["Madrid"], anonymous=count == 3, **cards)
    act(alexia, "aceofspades.offer", to=["Madrid"], gives={"Hearts": 4}, takes={"Green": 4})
    act(murphy, "aceofspades.ally", others=["Madrid", "Alexia"])
    act(alexia, "aceofspades.agree_pact", pact=Pact.objects.get().code)
    propose(contest, murphy, 500, "Everybody smiles.")
    propose(contest, murphy, 501, "Nobody does.")
    act(alexia, "aceofspades.vote", proposal=1, vote="FOR")
    return three


def panel(page: str) -> str:
    """The contest's part of the home."""
    return page[page.index('aria-labelledby="spades-title"') :].partition("</section>")[0]


def waits(page: str) -> str:
    """What waits for the one who looks, on the home."""
    return page.partition('id="waiting"')[2].partition("</section>")[0]


def links(part: str, words: str) -> int:
    """To how many things of the list that read so there is a way."""
    return len(re.findall(rf'<a href="[^"]*">\s*{words}', part))


@pytest.mark.thorough
def test_the_home_names_what_waits_for_me(
    waited_for: Three,
    visit: Visitor,
    django_assert_max_num_queries: Budget,
) -> None:
    murphy, madrid, alexia = waited_for
    client = visit(madrid)
    body(client, HOME)
    with django_assert_max_num_queries(A_PAGE):
        page = body(client, HOME)
    words = words_of(waits(page))
    assert "Vote on Regulation 500 of the contest" in words
    assert "Vote on Regulation 501 of the contest" in words
    assert "Alexia offers you 4 Hearts for 4 Green" in words
    assert "Somebody offers you 3 Red for 3 Black" in words
    assert "Murphy offers you 2 Red for 2 Black" in words
    assert "An alliance waits for your word" in words
    her = words_of(waits(body(visit(alexia), HOME)))
    assert "Regulation 501" in her
    assert "Regulation 500" not in her
    own = words_of(waits(body(visit(murphy), HOME)))
    assert "Vote on Regulation" in own
    assert "offers you" not in own
    assert "alliance" not in own


@pytest.mark.thorough
def test_the_moment_of_reckoning_is_told_to_everybody(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    when = re.compile(r"The Moment of Reckoning comes \w{3} \d{1,2} \w{3} \d{4}, 00:00 \.")
    for viewer in (three[0], None):
        assert when.search(words_of(panel(body(visit(viewer), HOME))))
    reckon(contest)
    after = words_of(panel(body(visit(three[0]), HOME)))
    assert "comes" not in after
    assert "The Moment of Reckoning has been" in after


@pytest.mark.thorough
@pytest.mark.parametrize("when", ["open", "left", "over", "reckoned"])
def test_it_names_what_the_contests_page_offers_the_same_viewer_and_no_more(
    when: str,
    contest: Game,
    waited_for: Three,
    officer: Player,
    outsider: User,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid, alexia = waited_for
    if when == "left":
        act(madrid, "aceofspades.leave")
    elif when == "over":
        newest = Offer.objects.latest("pk").code
        act(madrid, "aceofspades.decline_pact", pact=Pact.objects.get().code)
        act(alexia, "aceofspades.withdraw_offer", offer=newest)
        act(madrid, "aceofspades.accept_offer", offer=Offer.objects.earliest("pk").code)
        hours(contest, 80)
        act(madrid, "aceofspades.vote", proposal=2, vote="AGAINST")
    elif when == "reckoned":
        reckon(contest)
    for viewer in (murphy, madrid, alexia, officer, outsider, None):
        home, page = waits(body(visit(viewer), HOME)), body(visit(viewer))
        bids = links(home, "(Murphy|Alexia|Somebody) offers you")
        assert bids == page.count('class="accept"')
        votes = links(home, "Vote on Regulation")
        assert votes == page.count('<form class="vote"')
        agreed = page.count('action="/g/table/act/aceofspades.agree_pact/"')
        assert agreed == links(home, "An alliance waits")
        if when in ("left", "reckoned") and viewer == madrid:
            assert not bids + votes + agreed


def test_the_home_of_somebody_with_a_seat_is_kept_nowhere(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    assert "no-store" in visit(three[0]).get(HOME)["Cache-Control"]
    assert visit(None).get(HOME)["Cache-Control"] == "no-cache"

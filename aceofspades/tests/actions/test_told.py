"""Whom the site tells of what happens in the contest, and that it tells nothing private."""

from __future__ import annotations

import pytest

from aceofspades.tests.asking import do, notices, offer
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import reckon
from nomic.games.models import Game, Player
from nomic.notices.models import Outgoing
from tests.kit import Take


def told(*kinds: str) -> list[tuple[str, list[int] | None]]:
    """What waits to be told of these kinds, and to whom."""
    return list(Outgoing.objects.filter(kind__in=kinds).values_list("text", "to"))


def test_of_an_offer_those_it_is_for_hear_that_there_is_something_and_no_more(
    contest: Game, dealt: Three
) -> None:
    murphy, madrid, _ = dealt
    Outgoing.objects.all().delete()
    code = offer(murphy, madrid, anonymous=True)
    (secret,) = notices(madrid)
    assert told("offer") == [
        (
            "Something new is for you alone. You can read it on the game's pages.",
            [madrid.pk],
        )
    ]
    waiting = Outgoing.objects.get()
    assert not {code, "Red", secret} & set(str(vars(waiting)).split())
    do(madrid, "accept_offer", offer=code)
    assert [to for _, to in told("offer")] == [[madrid.pk], [murphy.pk]]


def test_a_private_vote_tells_nobody_anything(contest: Game, three: Three, act: Take) -> None:
    murphy, madrid, alexia = three
    act(murphy, "aceofspades.propose", number=500, text="Nothing.", visibility="public")
    assert told("vote")[-1][1] == sorted(each.pk for each in three)
    Outgoing.objects.all().delete()
    do(madrid, "vote", proposal=1, vote="FOR")
    assert not Outgoing.objects.exists()
    do(alexia, "vote", proposal=1, vote="FOR")
    assert [text for text, _ in told("result")] == [] or "adopted" in told("result")[0][0]


@pytest.mark.thorough
def test_the_moment_of_reckoning_is_told_to_everybody(
    contest: Game, three: Three, rival: Player
) -> None:
    Outgoing.objects.all().delete()
    reckon(contest)
    ((text, to),) = told("reckoning")
    assert to is None
    assert text.startswith("The Moment of Reckoning")

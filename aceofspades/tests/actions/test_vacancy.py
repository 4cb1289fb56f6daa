"""While there is no Contestmaster the contestants judge, together."""

from __future__ import annotations

from aceofspades.models import Request
from aceofspades.tests.acts import again, refused
from nomic.games.models import Game, Player
from nomic.testing import Take, seat

Three = tuple[Player, Player, Player]


def test_requests_are_judged_by_more_than_half_of_the_other_contestants(
    contest: Game, three: Three, act: Take
) -> None:
    murphy, madrid, alexia = three
    onlooker = seat(contest, "juan")
    act(murphy, "aceofspades.request_judgement", text="Is a heart red?")
    code, *_ = refused(act, onlooker, "judge", request=1, judgement="Mine.")
    assert code == "no_contestant"
    act(murphy, "aceofspades.judge", request=1, judgement="It is red.")
    assert not Request.objects.get().judgement
    act(madrid, "games.support", motion=1)
    said = act(alexia, "games.support", motion=1).entry
    assert said.text.endswith("Motion 1 is done. The contestants judge Request 1.")
    assert Request.objects.get().judgement == "It is red."
    again(contest)


def test_with_a_contestmaster_judging_is_theirs_alone(
    contest: Game, master: Player, three: Three, act: Take
) -> None:
    act(three[0], "aceofspades.request_judgement", text="Is a heart red?")
    code, *_ = refused(act, three[1], "judge", request=1, judgement="Mine.")
    assert code == "not_the_officer"
    said = act(master, "aceofspades.judge", request=1, judgement="It is.").entry
    assert said.text == "The Contestmaster judges Request 1."
    again(contest)

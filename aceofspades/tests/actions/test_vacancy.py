"""While there is no Contestmaster the contestants judge, together."""

from __future__ import annotations

import pytest
from django.test import Client

from aceofspades.models import Request
from aceofspades.state.reading import TABLED_ACT
from aceofspades.tests import stage
from aceofspades.tests.acts import again, looks_told, refused, regulation, tabled
from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from tests.kit import Take, Visitor, seat

Three = tuple[Player, Player, Player]


@pytest.mark.thorough
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


def test_what_contestants_announce_names_them_as_those_whose_support_counts(
    contest: Game, three: Three, act: Take
) -> None:
    act(three[0], "aceofspades.request_judgement", text="Is a heart red?")
    announced = act(three[0], "aceofspades.judge", request=1, judgement="It is.").entry.text
    assert announced.endswith("as soon as more than half of the other contestants support it.")
    with pytest.raises(Refused) as refusal:
        act(seat(contest, "juan"), "games.support", motion=1)
    assert "it is for the other contestants, if they had their seat" in str(refusal.value)


@pytest.mark.thorough
def test_with_a_contestmaster_judging_is_theirs_alone(
    contest: Game, master: Player, three: Three, act: Take
) -> None:
    act(three[0], "aceofspades.request_judgement", text="Is a heart red?")
    code, *_ = refused(act, three[1], "judge", request=1, judgement="Mine.")
    assert code == "not_the_officer"
    said = act(master, "aceofspades.judge", request=1, judgement="It is.").entry
    assert said.text == "The Contestmaster judges Request 1."
    again(contest)


def judged_by(three: Three, act: Take) -> None:
    """Let Murphy's Request 1 be judged by the three together."""
    act(three[0], "aceofspades.request_judgement", text="Did Madrid break our agreement?")
    act(three[0], "aceofspades.judge", request=1, judgement="They did.")
    supported_by_two(three, act, 1)


def supported_by_two(three: Three, act: Take, motion: int) -> str:
    act(three[1], "games.support", motion=motion)
    return str(act(three[2], "games.support", motion=motion).entry.text)


@pytest.mark.thorough
def test_114_a_remedy_is_tabled_and_backed_by_those_who_support_the_motion(
    contest: Game, three: Three, act: Take
) -> None:
    judged_by(three, act)
    hand = stage.hand_of(contest, three[1])
    suit = next(iter(hand))
    remedy = {"request": 1, "kind": "destroy", "giver": "Madrid", "cards": {suit: 1}}
    code, *_ = refused(act, seat(contest, "juan"), "table_remedy", **remedy)
    assert code == "no_contestant"
    entry = act(three[0], "aceofspades.table_remedy", **remedy).entry
    assert "“Table a remedy for Request 1: destroy 1 card of Madrid”" in entry.text
    assert not tabled_acts(contest)
    said = supported_by_two(three, act, 2)
    assert "The contestants mean to destroy 1 card of Madrid after Request 1" in said
    assert looks_told(contest) == ["Tabled act 1 is done. 1 card is destroyed, of Madrid."]
    assert sum(stage.hand_of(contest, three[1]).values()) == sum(hand.values()) - 1
    assert suit not in f"{entry.text} {entry.inputs} {entry.outcome} {said}"
    again(contest)


@pytest.mark.thorough
def test_250_a_secret_regulation_is_published_if_nobody_objects_after_the_motion(
    contest: Game, three: Three, act: Take
) -> None:
    assert refused(act, seat(contest, "juan"), "publish_regulation", regulation=340)[0] == (
        "no_contestant"
    )
    act(three[0], "aceofspades.publish_regulation", regulation=340)
    supported_by_two(three, act, 1)
    assert not tabled().end
    stage.days(contest, 4)
    shown = regulation(contest, 340)
    assert shown is not None
    assert shown.is_public
    again(contest)


@pytest.mark.thorough
def test_what_was_tabled_together_is_withdrawn_together(
    contest: Game, three: Three, act: Take
) -> None:
    act(three[0], "aceofspades.publish_regulation", regulation=340)
    supported_by_two(three, act, 1)
    act(three[1], "aceofspades.withdraw_act", act=1)
    act(three[0], "games.support", motion=2)
    said = act(three[2], "games.support", motion=2).entry.text
    assert "The contestants withdraw Tabled act 1, to publish Regulation 340." in said
    assert tabled().end == "withdrawn"
    again(contest)


def test_pages_lead_contestants_to_what_they_do_together_and_nobody_to_an_office_they_cannot_take(
    contest: Game, three: Three, act: Take, visit: Visitor
) -> None:
    client: Client = visit(three[0])
    page = client.get("/g/table/aceofspades/").content.decode()
    assert "/g/table/act/aceofspades.publish_regulation/" in page
    assert "/g/table/act/aceofspades.judge/" not in page  # nothing was requested
    home = client.get("/g/table/").content.decode()
    assert "games.take_office" not in home
    assert "The office can be taken before the first contestant joins" in home


def tabled_acts(game: Game) -> int:
    return int(game.motions.filter(label=TABLED_ACT).count())

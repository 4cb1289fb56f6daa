"""Contestants ally by agreement; who is allied is for the members only (220, 225, 230)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.contrib.auth.models import User

from aceofspades.models import Alliance, Contestant, Pact
from aceofspades.secrecy import reader
from aceofspades.state.reading import state_of
from aceofspades.tests.asking import (
    answers,
    do,
    is_sound,
    notices,
    pages,
    state_for,
    why_not,
)
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import contestant, crowd, days
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.record.models import SealedEntry
from tests.kit import WEDNESDAY, at_the_table, seat

pytestmark = pytest.mark.usefixtures("uncounted")

Budget = Callable[[int], AbstractContextManager[Any]]
R220, R120 = "Regulation 220", "Regulation 120"


def ally(*members: Player) -> int:
    """Let these form an alliance; returns its number."""
    for each in members:
        do(each, "ally", others=[str(other) for other in members if other is not each])
    return Alliance.objects.latest("number").number


def allied(game: Game) -> dict[int, list[str]]:
    """The members of each alliance that is not over, by its number."""
    state = state_of(glance(Game.objects.get(pk=game.pk)))
    return reader.allied(state)


def code() -> str:
    return Pact.objects.latest("pk").code


def test_regulation_220_two_contestants_who_both_agree_are_allied(contest: Game, three: Three):
    murphy, madrid, _ = three
    do(murphy, "ally", others=["Madrid"])
    assert allied(contest) == {}
    do(madrid, "ally", others=["Murphy"])
    assert allied(contest) == {1: ["Murphy", "Madrid"]}
    assert Pact.objects.get().over_at is not None


def test_regulation_220_an_alliance_of_three_takes_the_agreement_of_three(
    contest: Game, three: Three
):
    murphy, madrid, alexia = three
    do(murphy, "ally", others=["Madrid", "Alexia"])
    do(alexia, "agree_pact", pact=code())
    assert allied(contest) == {}
    do(madrid, "ally", others=["Alexia", "Murphy"])
    assert allied(contest) == {1: ["Murphy", "Madrid", "Alexia"]}


def test_regulation_220_each_is_told_who_agrees_and_when_it_is_formed(contest: Game, three: Three):
    murphy, madrid, alexia = three
    do(murphy, "ally", others=["Madrid", "Alexia"])
    pact = code()
    asked = (
        "Murphy would form an alliance of Murphy, Madrid and Alexia."
        f" Agree to pact {pact}, or decline it."
    )
    assert (notices(murphy), notices(madrid), notices(alexia)) == ([], [asked], [asked])
    do(madrid, "agree_pact", pact=pact)
    assert notices(murphy) == [f"Madrid has agreed to pact {pact}; it waits for Alexia."]
    do(alexia, "agree_pact", pact=pact)
    formed = f"All have agreed to pact {pact}: Murphy, Madrid and Alexia are Alliance 1."
    assert notices(murphy)[-1] == notices(madrid)[-1] == formed


def test_regulation_220_a_contestant_can_be_in_several_alliances(contest: Game, three: Three):
    murphy, madrid, alexia = three
    assert [ally(murphy, madrid), ally(murphy, alexia), ally(murphy, madrid, alexia)] == [1, 2, 3]
    assert allied(contest) == {
        1: ["Murphy", "Madrid"],
        2: ["Murphy", "Alexia"],
        3: ["Murphy", "Madrid", "Alexia"],
    }


def test_regulation_220_who_leaves_is_told_of_to_those_who_stay(contest: Game, three: Three):
    murphy, madrid, alexia = three
    ally(murphy, madrid, alexia)
    before = notices(alexia)
    do(alexia, "leave_alliance", alliance=1)
    assert allied(contest) == {1: ["Murphy", "Madrid"]}
    assert notices(murphy)[-1] == notices(madrid)[-1] == "Alexia has left Alliance 1."
    assert notices(alexia) == before


def test_regulation_220_an_alliance_in_which_one_is_left_is_over(contest: Game, three: Three):
    murphy, madrid, _ = three
    ally(murphy, madrid)
    do(murphy, "leave_alliance", alliance=1)
    assert allied(contest) == {}
    assert notices(madrid)[-2:] == [
        "Murphy has left Alliance 1.",
        "Alliance 1 is over: nobody is left in it but you.",
    ]
    assert ally(murphy, madrid) == 2  # the same two may agree again, to another one


@pytest.mark.parametrize("pair_first", [True, False])
def test_regulation_220_alliances_of_the_same_members_are_one_the_older_number_stays(
    contest: Game, three: Three, pair_first: bool
):
    murphy, madrid, alexia = three
    order = [(murphy, madrid), (murphy, madrid, alexia)]
    numbers = [ally(*members) for members in (order if pair_first else reversed(order))]
    of_three = numbers[1] if pair_first else numbers[0]
    do(alexia, "leave_alliance", alliance=of_three)
    assert allied(contest) == {1: ["Murphy", "Madrid"]}
    merged = "Alliance 2 has the same members as Alliance 1 now: they are one, Alliance 1."
    assert notices(murphy)[-1] == notices(madrid)[-1] == merged
    assert merged not in notices(alexia)


def test_regulation_220_who_leaves_the_contest_leaves_alliances_and_pacts(
    contest: Game, three: Three
):
    murphy, madrid, alexia = three
    ally(murphy, madrid, alexia)
    ally(murphy, madrid)
    do(alexia, "ally", others=["Murphy"])
    pact = code()
    do(murphy, "leave")
    assert allied(contest) == {1: ["Madrid", "Alexia"]}
    assert notices(alexia)[-2:] == [
        f"Murphy declines pact {pact}: it comes to nothing.",
        "Murphy has left Alliance 1.",
    ]
    do(murphy, "join")
    assert allied(contest) == {1: ["Madrid", "Alexia"]}
    assert why_not(murphy, "agree_pact", pact=pact)[0] == "no_such_pact"


def test_regulation_220_a_pact_can_be_declined_and_taken_back(contest: Game, three: Three):
    murphy, madrid, _ = three
    do(murphy, "ally", others=["Madrid"])
    pact = code()
    do(madrid, "decline_pact", pact=pact)
    assert notices(murphy)[-1] == f"Madrid declines pact {pact}: it comes to nothing."
    do(madrid, "ally", others=["Murphy"])
    assert allied(contest) == {}
    do(madrid, "decline_pact", pact=code())
    assert why_not(murphy, "agree_pact", pact=code())[0] == "no_such_pact"


# Who learns of it


@pytest.mark.thorough
def test_regulation_230_pacts_leave_no_trace_for_others(
    contest: Game, three: Three, outsider: User
):
    murphy, madrid, alexia = three
    viewers = (None, outsider, alexia)
    was = Game.objects.get(pk=contest.pk)
    before = [answers(contest, viewer) for viewer in viewers]
    entry = do(murphy, "ally", others=["Madrid"]).entry
    do(madrid, "decline_pact", pact=code())
    assert isinstance(entry, SealedEntry)
    assert [answers(contest, viewer) for viewer in viewers] == before
    assert Game.objects.get(pk=contest.pk).record_head == was.record_head
    assert code() not in pages(contest, alexia, was.last_entry)
    assert notices(alexia) == []


@pytest.mark.thorough
def test_regulation_230_who_is_allied_is_for_the_members_and_225_how_many_for_everybody(
    contest: Game, three: Three, outsider: User
):
    murphy, madrid, alexia = three
    last = Game.objects.get(pk=contest.pk).last_entry
    ally(murphy, madrid)
    for viewer in (None, outsider, alexia):
        (told,) = answers(contest, viewer)["aceofspades"]["alliances"]
        assert told == {"number": 1, "size": 2, "total_worth": None}
    for viewer in (murphy, madrid):
        (told,) = state_for(contest, viewer)["alliances"]
        assert told["members"] == ["Murphy", "Madrid"]
    assert Game.objects.get(pk=contest.pk).last_entry == last  # all of it is sealed
    assert "Alliance 1" not in str(answers(contest, alexia)["record"])


# Refusals


def test_regulation_220_what_is_no_alliance_is_refused(contest: Game, three: Three):
    murphy, madrid, _ = three
    seat(contest, "Jason")
    wrong: list[tuple[list[str], str, str]] = [
        (["Murphy"], "too_few", "An alliance has two members or more: name another."),
        (["Nobody"], "no_contestant", "Nobody: no contestant by that name."),
        (["Madrid", "Jason"], "no_contestant", "Jason: no contestant by that name."),
    ]
    for others, found, sentence in wrong:
        assert why_not(murphy, "ally", others=others) == (found, sentence, R220)
    for others_given in ([], "", None, 7, [1], [None], ["x" * 41], ["a"] * 1001):
        with pytest.raises(Malformed):
            do(murphy, "ally", others=others_given)
    do(murphy, "ally", others=["Madrid"])
    sentence = f"You have agreed to that before (pact {code()}); it waits for Madrid."
    agreed = ("agreed_before", sentence, R220)
    assert why_not(murphy, "ally", others=["madrid"]) == agreed
    assert why_not(murphy, "agree_pact", pact=code()) == agreed
    do(madrid, "ally", others=["Murphy"])
    sentence = "Alliance 1 has these members already; alliances of the same members are one."
    assert why_not(madrid, "ally", others=["Murphy"]) == ("same_members", sentence, R220)


def test_regulation_220_others_pacts_and_alliances_are_refused_as_if_there_were_none(
    contest: Game, three: Three
):
    murphy, madrid, alexia = three
    ally(murphy, madrid)
    do(murphy, "ally", others=["Madrid", "Alexia"])
    do(alexia, "decline_pact", pact=code())
    declined = code()
    do(murphy, "ally", others=["Madrid", "Alexia"])
    do(madrid, "ally", others=["Murphy", "Alexia"])
    jason = seat(contest, "Jason")
    do(jason, "join")
    for wrong in (declined, code(), "ZZZZ"):
        for name in ("agree_pact", "decline_pact"):
            sentence = f"No pact {wrong} that you would be in is open."
            assert why_not(jason, name, pact=wrong) == ("no_such_pact", sentence, R220)
    for number in (1, 2):
        sentence = f"You are in no Alliance {number}. Those that you are in: none."
        found = why_not(alexia, "leave_alliance", alliance=number)
        assert found == ("not_a_member", sentence, R220)


def test_regulation_220_who_is_no_contestant_is_in_no_alliance(contest: Game, three: Three):
    jason = seat(contest, "Jason")
    for name, inputs in ACTS:
        assert why_not(jason, name, **inputs)[0] == "no_contestant"


@pytest.mark.thorough
def test_regulation_120_alliances_stay_as_they_were_at_the_reckoning(contest: Game, three: Three):
    murphy, madrid, _ = three
    ally(murphy, madrid)
    days(contest, 71)
    for name, inputs in ACTS:
        found, _, rule = why_not(murphy, name, **inputs)
        assert (found, rule) == ("reckoned", R120)


ACTS: list[tuple[str, dict[str, Any]]] = [
    ("ally", {"others": ["Madrid"]}),
    ("agree_pact", {"pact": "BCDF"}),
    ("decline_pact", {"pact": "BCDF"}),
    ("leave_alliance", {"alliance": 1}),
]


def test_regulation_220_repealed_there_is_no_alliance_to_form(contest: Game, three: Three):
    murphy, *_ = three
    with at_the_table(contest) as table:
        from aceofspades.events import book

        book.repeal(table, 220)
    with pytest.raises(Refused) as refused:
        do(murphy, "ally", others=["Madrid"])
    assert refused.value.refusal.code == "not_in_force"


def test_one_contestant_has_at_most_fifty_pacts_open(contest: Game, three: Three):
    murphy, *_ = three
    own = contestant(murphy)
    for number in range(50):
        pact = Pact.objects.create(contest=own.contest, code=f"X{number}", at=WEDNESDAY)
        pact.partners.create(contestant=own, agreed=True)
    found, sentence, rule = why_not(murphy, "ally", others=["Madrid"])
    assert (found, rule) == ("too_many", R220)
    assert sentence == "You have agreed to 50 pacts that are open. Decline one of them first."


# Keys, replay, budgets


def test_a_key_repeated_agrees_once(contest: Game, three: Three):
    murphy, madrid, _ = three
    first, again = (do(murphy, "ally", "once", others=["Madrid"]) for _ in range(2))
    assert (again.repeated, again.entry) == (True, first.entry)
    assert Pact.objects.count() == 1
    first, again = (do(madrid, "agree_pact", "twice", pact=code()) for _ in range(2))
    assert (again.repeated, again.entry) == (True, first.entry)
    assert allied(contest) == {1: ["Murphy", "Madrid"]}


@pytest.mark.thorough
def test_regulation_220_alliances_replay_and_the_audit_is_clean(contest: Game, three: Three):
    murphy, madrid, alexia = three
    ally(murphy, madrid, alexia)
    ally(madrid, alexia)
    do(murphy, "ally", others=["Alexia"])
    do(alexia, "decline_pact", pact=code())
    do(murphy, "leave_alliance", alliance=1)
    do(murphy, "ally", others=["Alexia"])
    do(alexia, "leave")
    do(alexia, "join")
    assert allied(contest) == {}
    assert is_sound(contest)


@pytest.mark.thorough
@pytest.mark.parametrize("others", [0, 297])
def test_alliances_stay_within_their_budget(
    django_assert_max_num_queries: Budget, contest: Game, three: Three, others: int
):
    murphy, madrid, alexia = three
    if others:
        crowd(contest, others)
    everybody = Contestant.objects.exclude(player=murphy)
    names = list(everybody.values_list("player__name", flat=True))
    with django_assert_max_num_queries(20):  # one is the seat's number, which the code's dice take
        do(murphy, "ally", others=names)
    pact = code()
    with django_assert_max_num_queries(18):
        do(madrid, "agree_pact", pact=pact)
    row = Pact.objects.get()
    row.partners.exclude(contestant__player=alexia).update(agreed=True)
    pact = code()
    with django_assert_max_num_queries(18):
        do(alexia, "agree_pact", pact=pact)
    with django_assert_max_num_queries(18):
        do(alexia, "leave_alliance", alliance=1)
    do(murphy, "ally", others=["Alexia"])
    pact = code()
    with django_assert_max_num_queries(18):
        do(alexia, "decline_pact", pact=pact)

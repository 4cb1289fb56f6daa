"""Requests, judgements and remedies (Regulation 114)."""

from __future__ import annotations

from typing import Any

import pytest

from aceofspades.models import Move, Notice, Request
from aceofspades.tests import stage
from aceofspades.tests.acts import (
    FOR,
    again,
    looks_told,
    refused,
    regulation,
    table_remedy,
    tabled,
)
from nomic.games.models import Game, Player
from nomic.games.powers import VOTERS
from nomic.governance.models import Motion
from tests.kit import Take, seat

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_114_any_player_requests_judgement_and_the_contestmaster_judges(
    contest: Game, act: Take, master: Player
):
    juan = seat(contest, "juan")  # a player of the game who is no contestant
    receipt = act(juan, "aceofspades.request_judgement", text="Is Mauve a colour?")
    assert receipt.entry.text == "juan requests judgement: Request 1."
    receipt = act(master, "aceofspades.judge", request=1, judgement="It is a suit.")
    assert receipt.entry.text == "The Contestmaster judges Request 1."
    assert Request.objects.get().judgement == "It is a suit."


def test_114_a_judgement_stands(act: Take, judged: Request, master: Player, player: Player):
    assert refused(act, master, "judge", request=1, judgement="They did not.") == (
        "judged",
        "Request 1 was judged already; a judgement stands.",
        "Regulation 114",
    )
    assert refused(act, master, "judge", request=2, judgement="Who knows.") == (
        "no_request",
        "There is no Request 2 for judgement.",
        "Regulation 114",
    )
    assert refused(act, player, "judge", request=1, judgement="Yes.")[0] == "not_the_officer"


def test_114_a_remedy_is_done_after_four_days(
    contest: Game, act: Take, judged: Request, master: Player, rival: Player
):
    hand = stage.hand_of(contest, rival)
    suit = next(iter(hand))
    entry = table_remedy(act, master, "destroy", giver="Madrid", cards={suit: 1})
    assert entry.text == (
        "The Contestmaster means to destroy 1 card of Madrid after Request 1 (Tabled act 1). It is"
        " done in 4 days unless 3 contestants object to it, and at once if a majority supports it."
    )
    stage.hours(contest, 95)
    assert stage.hand_of(contest, rival) == hand
    stage.hours(contest, 1)
    assert looks_told(contest) == ["Tabled act 1 is done. 1 card is destroyed, of Madrid."]
    assert sum(stage.hand_of(contest, rival).values()) == sum(hand.values()) - 1
    assert tabled().end == "done"
    assert Notice.objects.get().text == f"By Tabled act 1 you lose 1 {suit}."
    move = Move.objects.latest("pk")
    assert (move.kind, move.giver, move.receiver, move.cards) == ("remedy", "Madrid", "", 1)


def test_230_the_suits_of_a_remedy_stand_in_no_public_entry(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player
):
    suit = next(iter(stage.hand_of(contest, rival)))
    entry = table_remedy(act, master, "move", giver="Madrid", receiver="Murphy", cards={suit: 1})
    assert "cards" not in entry.inputs
    before = stage.hand_of(contest, player).get(suit, 0)
    stage.days(contest, 4)
    done = contest.entries.filter(name="aceofspades.tabled").get()
    assert done.text == "Tabled act 1 is done. 1 card is moved from Madrid to Murphy."
    assert suit not in f"{entry.text} {entry.outcome} {done.text} {done.outcome}"
    assert stage.hand_of(contest, player)[suit] == before + 1


def test_114_cards_are_made_for_a_hand_and_the_deck(
    contest: Game, act: Take, judged: Request, master: Player, player: Player
):
    before, deck = stage.hand_of(contest, player), stage.deck_of(contest)
    table_remedy(act, master, "make", receiver="Murphy", cards={"Red": 2, "Mauve": 1})
    table_remedy(act, master, "make", receiver="The Deck", cards={"Hearts": 3})
    stage.days(contest, 4)
    hand = stage.hand_of(contest, player)
    assert hand["Red"] == before.get("Red", 0) + 2
    assert hand["Mauve"] == before["Mauve"] + 1
    assert stage.deck_of(contest)["Hearts"] == deck["Hearts"] + 3
    assert looks_told(contest)[0] == "Tabled act 1 is done. 3 cards are made for Murphy."


def test_123_the_last_mauve_that_a_remedy_takes_from_the_deck_is_made_again(
    contest: Game, act: Take, judged: Request, master: Player
):
    count = stage.deck_of(contest)["Mauve"]
    table_remedy(act, master, "destroy", giver="The Deck", cards={"Mauve": count})
    stage.days(contest, 4)
    assert stage.deck_of(contest)["Mauve"] == 1


def test_114_three_objections_prevent_it_when_the_days_are_over(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    table_remedy(act, master, "remove", contestant="Madrid")
    for each in (player, rival, third):
        act(each, "aceofspades.object", act=1)
    assert not tabled().end
    stage.days(contest, 4)
    assert looks_told(contest) == [
        "Tabled act 1, to remove Madrid from the contest, is prevented: enough contestants object."
    ]
    assert tabled().end == "prevented"
    assert stage.contestant(rival).active


def test_114_two_objections_do_not(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player
):
    table_remedy(act, master, "remove", contestant="Madrid")
    act(player, "aceofspades.object", act=1)
    act(rival, "aceofspades.object", act=1)
    stage.days(contest, 4)
    assert looks_told(contest) == ["Tabled act 1 is done. Madrid is a contestant no longer."]
    assert not stage.contestant(rival).active


def test_114_the_support_of_a_majority_does_it_at_once_whoever_objects(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    table_remedy(act, master, "repeal", regulation=330)
    act(rival, "aceofspades.object", act=1)
    act(player, "aceofspades.support", act=1)
    assert not tabled().end
    act(third, "aceofspades.support", act=1)
    assert looks_told(contest) == ["Tabled act 1 is done. Regulation 330 is repealed."]
    assert regulation(contest, 330) is None
    stage.days(contest, 5)
    assert len(looks_told(contest)) == 1


def test_114_who_does_not_vote_in_the_game_yet_supports_no_remedy(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player
):
    contest.settings = {**contest.settings, VOTERS: "host"}
    contest.save(update_fields=["settings"])
    Player.objects.filter(pk__in=[player.pk, rival.pk]).update(accepted=True)
    stage.join(contest, *(socks := [seat(contest, f"sock{n}") for n in range(5)]))
    suit = next(iter(stage.hand_of(contest, rival)))
    table_remedy(act, master, "destroy", giver="Madrid", cards={suit: 1})
    assert refused(act, socks[0], "support", act=1)[0] == "not_a_voter_yet"
    for voter in (player, rival):
        act(voter, "aceofspades.support", act=1)
    assert tabled().end == "done"


def test_102_a_leaving_that_makes_the_support_a_majority_does_it_at_once(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    table_remedy(act, master, "repeal", regulation=330)
    act(player, "aceofspades.support", act=1)
    act(rival, "aceofspades.leave")
    assert not tabled().end
    act(third, "aceofspades.leave")
    assert tabled().end == "done"


def test_103_an_objection_counts_while_its_contestant_is_one(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    table_remedy(act, master, "repeal", regulation=330)
    for each in (player, rival, third):
        act(each, "aceofspades.object", act=1)
    act(third, "aceofspades.leave")
    stage.days(contest, 4)
    assert tabled().end == "done"


def test_114_cards_that_are_gone_make_a_remedy_fail_and_no_suit_is_told(
    contest: Game, act: Take, judged: Request, master: Player, rival: Player
):
    table_remedy(act, master, "destroy", giver="Madrid", cards={"Red": 9_000})
    before = stage.hand_of(contest, rival)
    stage.days(contest, 4)
    assert looks_told(contest) == [
        "Tabled act 1, to destroy 9000 cards of Madrid, cannot be done: Madrid does not have the"
        " cards."
    ]
    assert tabled().end == "failed"
    assert stage.hand_of(contest, rival) == before


def test_112_a_remedy_against_a_regulation_that_was_replaced_since_fails(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player
):
    proposal = stage.propose(contest, player, 330, "Another one.")
    stage.vote(contest, proposal, {player: FOR, rival: FOR})
    table_remedy(act, master, "repeal", regulation=330)
    stage.days(contest, 4)
    assert looks_told(contest) == [
        "Tabled act 1, to repeal Regulation 330, cannot be done: The Regulation 330 that was meant"
        " is not in force any more."
    ]
    found = regulation(contest, 330)
    assert found is not None
    assert found.text == "Another one."


def test_114_who_has_left_meanwhile_is_not_removed(
    contest: Game, act: Take, judged: Request, master: Player, rival: Player
):
    table_remedy(act, master, "remove", contestant="Madrid")
    act(rival, "aceofspades.leave")
    stage.days(contest, 4)
    assert looks_told(contest)[0].endswith("cannot be done: Madrid is not a contestant any more.")


@pytest.mark.parametrize(
    ("inputs", "code", "sentence"),
    [
        ({"kind": "make", "receiver": "Murphy"}, "incomplete",
         "A remedy of this kind says which cards are made."),
        ({"kind": "make", "receiver": "Murphy", "cards": {"Red": 0}}, "incomplete",
         "A remedy of this kind says which cards are made."),
        ({"kind": "destroy", "cards": {"Red": 1}}, "incomplete",
         "A remedy of this kind says whose the cards are."),
        ({"kind": "move", "giver": "Murphy", "cards": {"Red": 1}}, "incomplete",
         "A remedy of this kind says whose they shall be."),
        ({"kind": "remove"}, "incomplete", "A remedy of this kind says who is removed."),
        ({"kind": "repeal"}, "incomplete",
         "A remedy of this kind says which regulation is repealed."),
        ({"kind": "destroy", "giver": "nobody", "cards": {"Red": 1}}, "no_player",
         "There is no player nobody in this game whose the cards could be."),
        ({"kind": "move", "giver": "Murphy", "receiver": "Murphy", "cards": {"Red": 1}},
         "same_hand", "Cards are moved from one hand to another."),
        ({"kind": "make", "receiver": "Murphy", "cards": {"Blue": 1}}, "no_suit",
         "There is no suit Blue now."),
        ({"kind": "remove", "contestant": "snail"}, "no_contestant",
         "snail is not a contestant now."),
        ({"kind": "repeal", "regulation": 113}, "immutable",
         "Regulation 113 is immutable: only all contestants together change it."),
        ({"kind": "repeal", "regulation": 700}, "no_regulation",
         "There is no Regulation 700 in the contest."),
    ],
)  # fmt: skip
def test_114_a_remedy_that_cannot_be_is_refused(
    act: Take, judged: Request, master: Player, inputs: dict[str, Any], code: str, sentence: str
):
    assert refused(act, master, "table_remedy", request=1, **inputs) == (
        code, sentence, "Regulation 114"
    )  # fmt: skip
    assert not Motion.objects.exists()


def test_114_a_remedy_sets_right_what_was_judged(
    act: Take, judged: Request, master: Player, player: Player
):
    act(player, "aceofspades.request_judgement", text="And now?")
    assert refused(act, master, "table_remedy", request=2, kind="repeal", regulation=330) == (
        "not_judged",
        "Request 2 is not judged yet: judge it first, and then set it right.",
        "Regulation 114",
    )
    assert refused(act, master, "table_remedy", request=3, kind="repeal", regulation=330) == (
        "no_request",
        "There is no Request 3 for judgement.",
        "Regulation 114",
    )
    found = refused(act, player, "table_remedy", request=1, kind="repeal", regulation=330)
    assert found[0] == "not_the_officer"


@pytest.mark.thorough
def test_remedies_of_every_kind_are_proved_by_a_replay(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    juan = seat(contest, "juan")
    act(juan, "aceofspades.request_judgement", text="Is Mauve a colour?")
    act(master, "aceofspades.judge", request=2, judgement="It is a suit.")
    mauve = stage.deck_of(contest)["Mauve"]
    remedies: list[tuple[str, dict[str, Any]]] = [
        ("destroy", {"giver": "Madrid", "cards": {"Mauve": 1}}),
        ("move", {"giver": "Madrid", "receiver": "Murphy", "cards": {"Mauve": 1}}),
        ("make", {"receiver": "Murphy", "cards": {"Red": 2, "Mauve": 1}}),
        ("make", {"receiver": "The Deck", "cards": {"Hearts": 3}}),
        ("destroy", {"giver": "The Deck", "cards": {"Mauve": mauve}}),
        ("destroy", {"giver": "Madrid", "cards": {"Red": 9_000}}),
        ("remove", {"contestant": "Alexia"}),
        ("repeal", {"regulation": 330}),
        ("remove", {"contestant": "Madrid"}),
    ]
    for kind, inputs in remedies:
        table_remedy(act, master, kind, **inputs)
    for each in (player, rival, third):
        act(each, "aceofspades.object", act=7)
    act(rival, "aceofspades.object", act=8)
    for each in (player, third):
        act(each, "aceofspades.support", act=8)
        act(each, "aceofspades.object", act=9)
    stage.days(contest, 4)
    table_remedy(act, master, "repeal", regulation=320)
    act(player, "aceofspades.support", act=10)
    assert not tabled(10).end
    act(third, "aceofspades.leave")
    ends = [tabled(number).end for number in range(1, 11)]
    assert ends == ["done"] * 5 + ["failed", "prevented"] + ["done"] * 3
    again(contest)

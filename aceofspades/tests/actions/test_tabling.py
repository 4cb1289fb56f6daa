"""Judgements, and acts that are announced first (Regulations 103, 114 and 250)."""

from __future__ import annotations

from typing import Any

import pytest

from aceofspades.models import Hint, Move, Notice, Proposal, Request, Tabled
from aceofspades.tests import stage
from aceofspades.tests.acts import FOR, RECKONED, again, refused, regulation
from nomic.games.models import Game, Player
from nomic.record.models import Entry
from nomic.testing import Take, at_the_table, seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def preset() -> str:
    return stage.PRESET


@pytest.fixture
def third(game: Game) -> Player:
    return seat(game, "omd")


@pytest.fixture
def contest(opened: Game, player: Player, rival: Player, third: Player) -> Game:
    """The contest with Murphy, Madrid and omd in it."""
    stage.join(opened, player, rival, third)
    return opened


@pytest.fixture
def judged(contest: Game, act: Take, player: Player, master: Player) -> Request:
    """Murphy's Request 1, which snail has judged."""
    act(player, "aceofspades.request_judgement", text="Did Madrid break our agreement?")
    act(master, "aceofspades.judge", request=1, judgement="They did.")
    return Request.objects.get()


def tabled(number: int = 1) -> Tabled:
    return Tabled.objects.get(number=number)


def told(game: Game) -> list[str]:
    """What the looks at tabled acts have told, in order."""
    rows = Entry.objects.filter(game=game, name="aceofspades.tabled").order_by("seq")
    return list(rows.values_list("text", flat=True))


def remedy(act: Take, master: Player, kind: str, **inputs: Any) -> Entry:
    entry = act(master, "aceofspades.table_remedy", request=1, kind=kind, **inputs).entry
    assert isinstance(entry, Entry)
    return entry


# Regulation 114: judgement


def test_114_any_player_requests_judgement_and_the_contestmaster_judges(
    contest: Game, act: Take, master: Player
):
    juan = seat(contest, "juan")  # a player of the game who is no contestant
    receipt = act(juan, "aceofspades.request_judgement", text="Is Mauve a colour?")
    assert receipt.entry.text == "juan requests judgement: Request 1."
    receipt = act(master, "aceofspades.judge", request=1, judgement="It is a suit.")
    assert receipt.entry.text == "The Contestmaster judges Request 1."
    assert Request.objects.get().judgement == "It is a suit."
    again(contest)


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


# Regulation 114: remedies


def test_114_a_remedy_is_done_after_four_days(
    contest: Game, act: Take, judged: Request, master: Player, rival: Player
):
    hand = stage.hand_of(contest, rival)
    suit = next(iter(hand))
    entry = remedy(act, master, "destroy", giver="Madrid", cards={suit: 1})
    assert entry.text == (
        "The Contestmaster means to destroy 1 card of Madrid after Request 1 (Tabled act 1). It is"
        " done in 4 days unless 3 contestants object to it, and at once if a majority supports it."
    )
    stage.hours(contest, 95)
    assert stage.hand_of(contest, rival) == hand
    stage.hours(contest, 1)
    assert told(contest) == ["Tabled act 1 is done. 1 card is destroyed, of Madrid."]
    assert sum(stage.hand_of(contest, rival).values()) == sum(hand.values()) - 1
    assert tabled().end == "done"
    assert Notice.objects.get().text == f"By Tabled act 1 you lose 1 {suit}."
    move = Move.objects.latest("pk")
    assert (move.kind, move.giver, move.receiver, move.cards) == ("remedy", "Madrid", "", 1)
    again(contest)


def test_230_the_suits_of_a_remedy_stand_in_no_public_entry(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player
):
    suit = next(iter(stage.hand_of(contest, rival)))
    entry = remedy(act, master, "move", giver="Madrid", receiver="Murphy", cards={suit: 1})
    assert "cards" not in entry.inputs
    before = stage.hand_of(contest, player).get(suit, 0)
    stage.days(contest, 4)
    done = contest.entries.filter(name="aceofspades.tabled").get()
    assert done.text == "Tabled act 1 is done. 1 card is moved from Madrid to Murphy."
    assert suit not in f"{entry.text} {entry.outcome} {done.text} {done.outcome}"
    assert stage.hand_of(contest, player)[suit] == before + 1
    again(contest)


def test_114_cards_are_made_for_a_hand_and_the_deck(
    contest: Game, act: Take, judged: Request, master: Player, player: Player
):
    before, deck = stage.hand_of(contest, player), stage.deck_of(contest)
    remedy(act, master, "make", receiver="Murphy", cards={"Red": 2, "Mauve": 1})
    remedy(act, master, "make", receiver="The Deck", cards={"Hearts": 3})
    stage.days(contest, 4)
    hand = stage.hand_of(contest, player)
    assert hand["Red"] == before.get("Red", 0) + 2
    assert hand["Mauve"] == before["Mauve"] + 1
    assert stage.deck_of(contest)["Hearts"] == deck["Hearts"] + 3
    assert told(contest)[0] == "Tabled act 1 is done. 3 cards are made for Murphy."
    again(contest)


def test_123_the_last_mauve_that_a_remedy_takes_from_the_deck_is_made_again(
    contest: Game, act: Take, judged: Request, master: Player
):
    count = stage.deck_of(contest)["Mauve"]
    remedy(act, master, "destroy", giver="The Deck", cards={"Mauve": count})
    stage.days(contest, 4)
    assert stage.deck_of(contest)["Mauve"] == 1
    again(contest)


def test_114_three_objections_prevent_it_when_the_days_are_over(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    remedy(act, master, "remove", contestant="Madrid")
    for each in (player, rival, third):
        act(each, "aceofspades.object", act=1)
    assert not tabled().end
    stage.days(contest, 4)
    assert told(contest) == [
        "Tabled act 1, to remove Madrid from the contest, is prevented: enough contestants object."
    ]
    assert tabled().end == "prevented"
    assert stage.contestant(rival).active
    again(contest)


def test_114_two_objections_do_not(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player
):
    remedy(act, master, "remove", contestant="Madrid")
    act(player, "aceofspades.object", act=1)
    act(rival, "aceofspades.object", act=1)
    stage.days(contest, 4)
    assert told(contest) == ["Tabled act 1 is done. Madrid is a contestant no longer."]
    assert not stage.contestant(rival).active
    again(contest)


def test_114_the_support_of_a_majority_does_it_at_once_whoever_objects(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    remedy(act, master, "repeal", regulation=330)
    act(rival, "aceofspades.object", act=1)
    act(player, "aceofspades.support", act=1)
    assert not tabled().end
    act(third, "aceofspades.support", act=1)
    assert told(contest) == ["Tabled act 1 is done. Regulation 330 is repealed."]
    assert regulation(contest, 330) is None
    stage.days(contest, 5)
    assert len(told(contest)) == 1
    again(contest)


def test_102_a_leaving_that_makes_the_support_a_majority_does_it_at_once(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    remedy(act, master, "repeal", regulation=330)
    act(player, "aceofspades.support", act=1)
    act(rival, "aceofspades.leave")
    assert not tabled().end
    act(third, "aceofspades.leave")
    assert tabled().end == "done"
    again(contest)


def test_103_an_objection_counts_while_its_contestant_is_one(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    third: Player,
):  # fmt: skip
    remedy(act, master, "repeal", regulation=330)
    for each in (player, rival, third):
        act(each, "aceofspades.object", act=1)
    act(third, "aceofspades.leave")
    stage.days(contest, 4)
    assert tabled().end == "done"


def test_114_cards_that_are_gone_make_a_remedy_fail_and_no_suit_is_told(
    contest: Game, act: Take, judged: Request, master: Player, rival: Player
):
    remedy(act, master, "destroy", giver="Madrid", cards={"Red": 9_000})
    before = stage.hand_of(contest, rival)
    stage.days(contest, 4)
    assert told(contest) == [
        "Tabled act 1, to destroy 9000 cards of Madrid, cannot be done: Madrid does not have the"
        " cards."
    ]
    assert tabled().end == "failed"
    assert stage.hand_of(contest, rival) == before
    again(contest)


def test_112_a_remedy_against_a_regulation_that_was_replaced_since_fails(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player
):
    proposal = stage.propose(contest, player, 330, "Another one.")
    stage.vote(contest, proposal, {player: FOR, rival: FOR})
    remedy(act, master, "repeal", regulation=330)
    stage.days(contest, 4)
    assert told(contest) == [
        "Tabled act 1, to repeal Regulation 330, cannot be done: The Regulation 330 that was meant"
        " is not in force any more."
    ]
    found = regulation(contest, 330)
    assert found is not None
    assert found.text == "Another one."


def test_114_who_has_left_meanwhile_is_not_removed(
    contest: Game, act: Take, judged: Request, master: Player, rival: Player
):
    remedy(act, master, "remove", contestant="Madrid")
    act(rival, "aceofspades.leave")
    stage.days(contest, 4)
    assert told(contest)[0].endswith("cannot be done: Madrid is not a contestant any more.")


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
    assert not Tabled.objects.exists()


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


# Regulation 103: objections and support


def test_103_everybody_speaks_once_and_only_contestants_do(
    contest: Game, act: Take, judged: Request, master: Player, player: Player
):
    remedy(act, master, "repeal", regulation=330)
    receipt = act(player, "aceofspades.object", act=1)
    assert receipt.entry.text == "Murphy objects to Tabled act 1."
    for name in ("object", "support"):
        assert refused(act, player, name, act=1) == (
            "has_spoken",
            "You object to Tabled act 1 already, and speak once.",
            "Regulation 103",
        )
        assert refused(act, master, name, act=1)[0] == "is_contestmaster"
    juan = seat(contest, "juan")
    assert refused(act, juan, "object", act=1)[0] == "no_contestant"


def test_103_there_has_to_be_such_an_act_and_it_has_to_be_open(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player
):
    assert refused(act, player, "object", act=1) == (
        "no_act",
        "There is no Tabled act 1.",
        "Regulation 103",
    )
    remedy(act, master, "repeal", regulation=330)
    stage.days(contest, 4)
    for name in ("object", "support"):
        assert refused(act, rival, name, act=1) == (
            "ended",
            "Tabled act 1 has ended: it was done.",
            "Regulation 103",
        )


# Regulation 250: hints and publishing


def test_250_a_secret_regulation_is_published_unless_somebody_objects(
    contest: Game, act: Take, master: Player
):
    receipt = act(master, "aceofspades.publish_regulation", regulation=340)
    assert receipt.entry.text == (
        "The Contestmaster means to publish Regulation 340 (Tabled act 1). It is done in 4 days"
        " unless 1 contestant objects to it."
    )
    stage.days(contest, 4)
    assert told(contest) == ["Tabled act 1 is done. Regulation 340 is public."]
    found = regulation(contest, 340)
    assert found is not None
    assert found.is_public
    again(contest)


def test_250_one_objection_prevents_it_at_once(
    contest: Game, act: Take, master: Player, player: Player
):
    act(master, "aceofspades.publish_regulation", regulation=340)
    act(player, "aceofspades.object", act=1)
    assert told(contest) == [
        "Tabled act 1, to publish Regulation 340, is prevented: enough contestants object."
    ]
    stage.days(contest, 5)
    found = regulation(contest, 340)
    assert found is not None
    assert found.visibility == "secret"
    again(contest)


def test_250_a_hint_is_read_by_nobody_before_it_is_given(contest: Game, act: Take, master: Player):
    receipt = act(master, "aceofspades.hint", regulation=340, hint="It likes Hearts.")
    assert receipt.entry.inputs == {"regulation": 340}
    assert "Hearts" not in f"{receipt.entry.text} {receipt.entry.outcome}"
    assert not Hint.objects.exists()
    stage.days(contest, 4)
    assert told(contest) == ["Tabled act 1 is done. A hint about Regulation 340: It likes Hearts."]
    assert Hint.objects.get().text == "It likes Hearts."
    again(contest)


def test_250_a_hint_that_was_objected_to_stays_hidden(
    contest: Game, act: Take, master: Player, player: Player
):
    act(master, "aceofspades.hint", regulation=340, hint="It likes violets.")
    act(player, "aceofspades.object", act=1)
    stage.days(contest, 5)
    assert not Hint.objects.exists()
    assert "violets" not in str(list(contest.entries.values_list("text", "outcome", "inputs")))


def test_250_support_does_not_help(contest: Game, act: Take, master: Player, player: Player):
    act(master, "aceofspades.publish_regulation", regulation=340)
    assert refused(act, player, "support", act=1) == (
        "no_help",
        "Support does nothing for Tabled act 1: it is done unless somebody objects.",
        "Regulation 250",
    )


@pytest.mark.parametrize(
    ("number", "code", "sentence"),
    [
        (310, "not_secret", "Regulation 310 is public"),
        (700, "no_regulation", "There is no Regulation 700 in the contest."),
    ],
)
def test_250_hints_and_publishing_are_of_secret_regulations(
    contest: Game, act: Take, master: Player, player: Player, number: int, code: str, sentence: str
):
    for name, more in (("hint", {"hint": "Ha."}), ("publish_regulation", {})):
        found = refused(act, master, name, regulation=number, **more)
        assert (found[0], found[2]) == (code, "Regulation 250")
        assert found[1].startswith(sentence)
        assert refused(act, player, name, regulation=340, **more)[0] == "not_the_officer"


def test_250_what_was_revealed_meanwhile_is_not_published(
    contest: Game, act: Take, master: Player, player: Player
):
    act(master, "aceofspades.publish_regulation", regulation=340)
    stage.give_cards(contest, player, Mauve=1, Red=1, Black=1, Green=1, Hearts=1)
    act(player, "aceofspades.reveal_regulation", regulation=340)
    stage.days(contest, 4)
    assert told(contest) == [
        "Tabled act 1, to publish Regulation 340, cannot be done: Regulation 340 is not secret any"
        " more."
    ]


def test_250_without_that_regulation_nothing_is_published(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, third: Player
):
    act(master, "aceofspades.publish_regulation", regulation=340)
    remedy(act, master, "repeal", regulation=250)
    act(player, "aceofspades.support", act=2)
    act(third, "aceofspades.support", act=2)
    assert refused(act, master, "hint", regulation=340, hint="Ha.") == (
        "not_allowed",
        "No regulation says any more what such an act takes.",
        "Regulation 250",
    )
    stage.days(contest, 4)
    assert told(contest)[-1] == (
        "Tabled act 1, to publish Regulation 340, cannot be done: no regulation allows it any more."
    )
    again(contest)


def test_120_after_the_reckoning_nothing_of_this_is_possible(
    contest: Game, act: Take, judged: Request, master: Player, player: Player
):
    stage.days(contest, 68)
    remedy(act, master, "repeal", regulation=330)
    stage.days(contest, 5)
    assert tabled().end == ""
    assert refused(act, player, "object", act=1) == RECKONED
    assert refused(act, player, "support", act=1) == RECKONED
    assert refused(act, player, "request_judgement", text="Why?") == RECKONED
    assert refused(act, master, "judge", request=1, judgement="So.") == RECKONED
    assert refused(act, master, "hint", regulation=340, hint="Ha.") == RECKONED
    assert refused(act, master, "publish_regulation", regulation=340) == RECKONED
    found = refused(act, master, "table_remedy", request=1, kind="repeal", regulation=320)
    assert found == RECKONED


def test_114_what_is_withdrawn_is_not_done(
    contest: Game, act: Take, player: Player, rival: Player, judged: Request, master: Player
):
    remedy(act, master, "repeal", regulation=330)
    assert refused(act, player, "withdraw_act", act=1)[0] == "not_the_officer"
    assert refused(act, master, "withdraw_act", act=2)[0] == "no_act"
    act(player, "aceofspades.support", act=1)
    act(master, "aceofspades.withdraw_act", act=1)
    assert refused(act, rival, "support", act=1) == (
        "ended",
        "Tabled act 1 has ended: it was withdrawn.",
        "Regulation 103",
    )
    assert refused(act, master, "withdraw_act", act=1)[0] == "ended"
    stage.days(contest, 5)
    assert tabled().end == "withdrawn"
    assert told(contest) == []
    assert regulation(contest, 330) is not None
    again(contest)


def test_an_act_that_has_ended_is_not_looked_at_again(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, third: Player
):
    """Whoever leaves by the first act makes the second one be looked at twice in its moment."""
    stage.propose(contest, player, 500)
    stage.vote(contest, Proposal.objects.get(), {player: FOR})
    for who in ("Madrid", "omd"):
        remedy(act, master, "remove", contestant=who)
    remedy(act, master, "repeal", regulation=330)
    stage.days(contest, 4)
    assert told(contest) == [
        "Tabled act 1 is done. Madrid is a contestant no longer.",
        "Tabled act 2 is done. omd is a contestant no longer.",
        "Tabled act 3 is done. Regulation 330 is repealed.",
    ]
    looked = contest.entries.filter(name="aceofspades.decision").order_by("seq")
    texts = list(looked.values_list("text", flat=True))
    assert [text.partition(":")[0] for text in texts] == [
        "Neither FOR nor AGAINST has a majority of the contestants on Proposal 1 yet.",
        "Proposal 1 is adopted",
    ]
    contest.refresh_from_db()
    assert contest.state == "running"
    again(contest)


def test_101_an_act_waits_in_vain_where_the_contest_is_not_played_any_more(
    contest: Game, act: Take, judged: Request, master: Player
):
    remedy(act, master, "repeal", regulation=330)
    with at_the_table(contest) as table:
        table.rules.transmute("Regulation 101", "mutable")
        table.rules.repeal("Regulation 101")
    stage.days(contest, 4)
    assert told(contest) == ["Nothing is to be done of Tabled act 1 any more."]
    assert (tabled().end, regulation(contest, 330) is None) == ("", False)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("count", [3, 300])
def test_an_act_about_tabled_acts_costs_at_most_fifteen_queries(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    count: int, django_assert_max_num_queries: Any,
):  # fmt: skip
    stage.crowd(contest, count - 3)
    for name, inputs in (
        ("make", {"receiver": "Madrid", "cards": {"Red": 1}}),
        ("destroy", {"giver": "Madrid", "cards": {"Red": 1}}),
        ("repeal", {"regulation": 330}),
        ("remove", {"contestant": "Madrid"}),
    ):
        with django_assert_max_num_queries(15):
            remedy(act, master, name, **inputs)
    for who, name, inputs in (
        (master, "hint", {"regulation": 340, "hint": "Ha."}),
        (master, "publish_regulation", {"regulation": 340}),
        (player, "object", {"act": 1}),
        (player, "support", {"act": 2}),
        (rival, "request_judgement", {"text": "Why?"}),
        (master, "judge", {"request": 2, "judgement": "So."}),
        (master, "withdraw_act", {"act": 3}),
    ):
        with django_assert_max_num_queries(15):
            act(who, f"aceofspades.{name}", **inputs)

"""Acts that are announced first (Regulations 103 and 250)."""

from __future__ import annotations

from typing import Any

import pytest

from aceofspades.models import Hint, Proposal, Request
from aceofspades.tests import stage
from aceofspades.tests.acts import (
    FOR,
    RECKONED,
    again,
    looks_told,
    refused,
    regulation,
    table_remedy,
    tabled,
)
from nomic.engine.actions import find_action, legality
from nomic.engine.table import Table, glance
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from tests.kit import Take, at_the_table, seat

pytestmark = pytest.mark.django_db


# Regulation 103: objections and support


def test_103_everybody_speaks_once_and_only_contestants_do(
    contest: Game, act: Take, judged: Request, master: Player, player: Player
):
    table_remedy(act, master, "repeal", regulation=330)
    receipt = act(player, "aceofspades.object", act=1)
    assert receipt.entry.text == "Murphy objects to Tabled act 1."
    for name in ("object", "support"):
        assert refused(act, player, name, act=1) == (
            "has_spoken",
            "You object to Tabled act 1 already.",
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
    table_remedy(act, master, "repeal", regulation=330)
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
    assert looks_told(contest) == ["Tabled act 1 is done. Regulation 340 is public."]
    found = regulation(contest, 340)
    assert found is not None
    assert found.is_public


def test_250_one_objection_prevents_it_at_once(
    contest: Game, act: Take, master: Player, player: Player
):
    act(master, "aceofspades.publish_regulation", regulation=340)
    act(player, "aceofspades.object", act=1)
    assert looks_told(contest) == [
        "Tabled act 1, to publish Regulation 340, is prevented: enough contestants object."
    ]
    stage.days(contest, 5)
    found = regulation(contest, 340)
    assert found is not None
    assert found.visibility == "secret"


def test_250_a_hint_is_read_by_nobody_before_it_is_given(contest: Game, act: Take, master: Player):
    stage.enact(contest, 700, "Hearts are worth more.", "secret")
    receipt = act(master, "aceofspades.hint", regulation=700, hint="It likes Hearts.")
    assert receipt.entry.inputs == {"regulation": 700}
    assert "Hearts" not in f"{receipt.entry.text} {receipt.entry.outcome}"
    assert not Hint.objects.exists()
    stage.days(contest, 4)
    assert looks_told(contest) == [
        "Tabled act 1 is done. A hint about Regulation 700: It likes Hearts."
    ]
    assert Hint.objects.get().text == "It likes Hearts."


def test_250_a_hint_that_was_objected_to_stays_hidden(
    contest: Game, act: Take, master: Player, player: Player
):
    stage.enact(contest, 700, "Violets are worth more.", "secret")
    act(master, "aceofspades.hint", regulation=700, hint="It likes violets.")
    act(player, "aceofspades.object", act=1)
    stage.days(contest, 5)
    assert not Hint.objects.exists()
    assert "violets" not in str(list(contest.entries.values_list("text", "outcome", "inputs")))


def test_250_nobody_hints_at_a_regulation_that_they_may_not_read(
    contest: Game, act: Take, master: Player
):
    before = "was written before you took the office: you may not read it, nor hint at it."
    chance_drew = ("not_known", f"Regulation 340 {before}", "Regulation 250")
    assert refused(act, master, "hint", regulation=340, hint="It sings.") == chance_drew
    contest.refresh_from_db()
    unnamed = legality(find_action("aceofspades.hint"), glance(contest), master, {})
    assert isinstance(unnamed, Refusal)
    assert unnamed.sentence == f"Every secret regulation {before}"
    stage.enact(contest, 700, "Hearts are worth more.", "secret")
    contest.refresh_from_db()
    assert legality(find_action("aceofspades.hint"), glance(contest), master, {}) is None
    act(master, "aceofspades.hint", regulation=700, hint="It likes Hearts.")
    assert refused(act, master, "hint", regulation=340, hint="It sings.") == chance_drew


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
    assert looks_told(contest) == [
        "Tabled act 1, to publish Regulation 340, cannot be done: Regulation 340 is not secret any"
        " more."
    ]


def test_250_without_that_regulation_nothing_is_published(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, third: Player
):
    act(master, "aceofspades.publish_regulation", regulation=340)
    table_remedy(act, master, "repeal", regulation=250)
    act(player, "aceofspades.support", act=2)
    act(third, "aceofspades.support", act=2)
    assert refused(act, master, "hint", regulation=340, hint="Ha.") == (
        "not_allowed",
        "No regulation says any more what such an act takes.",
        "Regulation 250",
    )
    stage.days(contest, 4)
    assert looks_told(contest)[-1] == (
        "Tabled act 1, to publish Regulation 340, cannot be done: no regulation allows it any more."
    )


@pytest.mark.thorough
def test_an_act_at_which_the_program_fails_ends_with_that_and_changes_nothing(
    contest: Game, act: Take, judged: Request, master: Player, rival: Player,
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    table_remedy(act, master, "destroy", giver="Madrid", cards={"Mauve": 1})
    before = stage.hand_of(contest, rival)

    def fails(table: Table) -> None:
        raise LookupError("one Mauve of Madrid")

    monkeypatch.setattr("aceofspades.events.moves.look_at_the_deck", fails)
    stage.days(contest, 4)
    assert looks_told(contest) == [
        "Tabled act 1, to destroy 1 card of Madrid, cannot be done: The program failed at it, and"
        " nothing has changed."
    ]
    assert (tabled().end, stage.hand_of(contest, rival)) == ("failed", before)
    contest.refresh_from_db()
    assert contest.state == "running"
    again(contest)


@pytest.mark.thorough
def test_120_after_the_reckoning_nothing_of_this_is_possible(
    contest: Game, act: Take, judged: Request, master: Player, player: Player
):
    stage.days(contest, 68)
    table_remedy(act, master, "repeal", regulation=330)
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
    table_remedy(act, master, "repeal", regulation=330)
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
    assert looks_told(contest) == []
    assert regulation(contest, 330) is not None


@pytest.mark.thorough
def test_an_act_that_has_ended_is_not_looked_at_again(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, third: Player
):
    """Whoever leaves by the first act makes the second one be looked at twice in its moment."""
    stage.propose(contest, player, 500)
    stage.vote(contest, Proposal.objects.get(), {player: FOR})
    for who in ("Madrid", "Alexia"):
        table_remedy(act, master, "remove", contestant=who)
    table_remedy(act, master, "repeal", regulation=330)
    stage.days(contest, 4)
    assert looks_told(contest) == [
        "Tabled act 1 is done. Madrid is a contestant no longer.",
        "Tabled act 2 is done. Alexia is a contestant no longer.",
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
    table_remedy(act, master, "repeal", regulation=330)
    with at_the_table(contest) as table:
        table.rules.transmute("Regulation 101", "mutable")
        table.rules.repeal("Regulation 101")
    stage.days(contest, 4)
    assert looks_told(contest) == ["Nothing is to be done of Tabled act 1 any more."]
    assert (tabled().end, regulation(contest, 330) is None) == ("", False)


@pytest.mark.thorough
def test_acts_without_objection_are_proved_by_a_replay(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, third: Player
):
    act(master, "aceofspades.publish_regulation", regulation=340)
    act(master, "aceofspades.publish_regulation", regulation=350)
    act(master, "aceofspades.publish_regulation", regulation=360)
    act(player, "aceofspades.object", act=3)
    table_remedy(act, master, "repeal", regulation=330)
    act(player, "aceofspades.support", act=4)
    act(master, "aceofspades.withdraw_act", act=4)
    stage.days(contest, 4)
    act(master, "aceofspades.publish_regulation", regulation=370)
    table_remedy(act, master, "repeal", regulation=250)
    act(player, "aceofspades.support", act=6)
    act(third, "aceofspades.support", act=6)
    stage.days(contest, 4)
    ends = [tabled(number).end for number in range(1, 7)]
    assert ends == ["done", "done", "prevented", "withdrawn", "failed", "done"]
    again(contest)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("count", [3, 300])
def test_an_act_about_tabled_acts_costs_at_most_fifteen_queries(
    contest: Game, act: Take, judged: Request, master: Player, player: Player, rival: Player,
    count: int, django_assert_max_num_queries: Any,
):  # fmt: skip
    stage.crowd(contest, count - 3)
    stage.enact(contest, 700, "Hearts are worth more.", "secret")
    for name, inputs in (
        ("make", {"receiver": "Madrid", "cards": {"Red": 1}}),
        ("destroy", {"giver": "Madrid", "cards": {"Red": 1}}),
        ("repeal", {"regulation": 330}),
        ("remove", {"contestant": "Madrid"}),
    ):
        with django_assert_max_num_queries(15):
            table_remedy(act, master, name, **inputs)
    for who, name, inputs in (
        (master, "hint", {"regulation": 700, "hint": "Ha."}),
        (master, "publish_regulation", {"regulation": 340}),
        (player, "object", {"act": 1}),
        (player, "support", {"act": 2}),
        (rival, "request_judgement", {"text": "Why?"}),
        (master, "judge", {"request": 2, "judgement": "So."}),
        (master, "withdraw_act", {"act": 3}),
    ):
        with django_assert_max_num_queries(15):
            act(who, f"aceofspades.{name}", **inputs)

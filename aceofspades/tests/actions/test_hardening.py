"""What the game's own rules, a vote or an officer may do to the contest, and it is played on."""

from __future__ import annotations

import pytest

from aceofspades.events import book
from aceofspades.events.opening import OPENING
from aceofspades.models import Contest, Proposal, Regulation
from aceofspades.state.reading import state_of
from aceofspades.tests import stage
from aceofspades.tests.acts import FOR, again, keep_by_hand, look, regulation
from aceofspades.tests.asking import state_for
from aceofspades.tests.reckoned import adopt, happened, outcome, reckon
from nomic.engine.catch_up import catch_up
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from tests.kit import Take, at_the_table, seat

pytestmark = pytest.mark.django_db

FURTHER = "| IMMUTABLE REGULATION | NUMBER |\n| --- | --- |\n| First | 101 |\n| Last | 400 |\n"


def own_rule(game: Game, title: str, number: str = "") -> None:
    """Let the game have a public rule of its own by that title and number."""
    with at_the_table(game) as table:
        table.rules.enact(title, "A rule of the game, and none of the contest.", number=number)


def in_the_book(game: Game) -> list[int]:
    """The numbers of the regulations in force."""
    return [each.number for each in state_of(look(game)).regulations]


def is_free(game: Game) -> bool:
    game.refresh_from_db()
    return game.stuck_at is None and game.stuck_error == ""


# Rules of the game that are called like regulations


@pytest.mark.parametrize(
    ("title", "number"),
    [("Regulation 340", ""), ("Another rule", "340"), ("Regulation 340", "340")],
)
def test_250_a_rule_of_the_game_by_that_name_keeps_nothing_from_being_published(
    contest: Game, act: Take, title: str, number: str, master: Player
):
    own_rule(contest, title, number)
    act(master, "aceofspades.publish_regulation", regulation=340)
    stage.days(contest, 4)
    assert is_free(contest)
    found = regulation(contest, 340)
    assert found is not None
    assert found.is_public
    assert outcome(contest, "aceofspades.tabled")["end"] == "done"


@pytest.mark.thorough
def test_120_a_rule_of_the_game_by_a_hidden_regulations_name_holds_up_no_reckoning(contest: Game):
    own_rule(contest, "Regulation 340", "340")
    assert reckon(contest).worths_in is not None
    assert in_the_book(contest).count(340) == 1


def test_112_a_regulation_takes_effect_whatever_rules_the_game_has(
    contest: Game, player: Player, rival: Player
):
    own_rule(contest, "Regulation 500")
    own_rule(contest, "Regulation 500 of the Ace of Spades")
    adopt(contest, (player, rival), 500, "Nothing more.")
    assert is_free(contest)
    assert regulation(contest, 500) is not None
    adopt(contest, (player, rival), 500, "Nothing less.")
    found = regulation(contest, 500)
    assert found is not None
    assert found.text == "Nothing less."


@pytest.mark.parametrize(("title", "number"), [("", "42"), ("", ""), ("The count", "330")])
def test_101_a_regulation_keeps_its_number_whatever_the_game_calls_it(
    contest: Game, player: Player, rival: Player, title: str, number: str
):
    numbers = in_the_book(contest)
    with at_the_table(contest) as table:
        if number == "330":
            table.rules.renumber("Regulation 330", "")
        table.rules.renumber("Regulation 320", number)
        if title:
            table.rules.retitle("Regulation 320", title)
    assert in_the_book(contest) == numbers
    adopt(contest, (player, rival), 320, "Another count.")
    assert is_free(contest)
    found = regulation(contest, 320)
    assert found is not None
    assert found.text == "Another count."
    assert Regulation.objects.filter(number=320, gone_in=None).count() == 1


# Votes that change the machinery


@pytest.mark.thorough
def test_101_a_hidden_regulation_that_becomes_immutable_by_its_number_is_replaced(
    contest: Game, player: Player, rival: Player, third: Player
):
    adopt(contest, (player, rival, third), 101, FURTHER)
    adopt(contest, (player, rival, third), 340, "Now it is known.")
    assert is_free(contest)
    found = regulation(contest, 340)
    assert found is not None
    assert (found.text, found.visibility, found.rule_class) == (
        "Now it is known.",
        "public",
        "immutable",
    )
    again(contest)


# Officers' acts, and offices that become vacant


@pytest.mark.thorough
def test_106_an_opening_that_was_skipped_comes_on_the_next_day(
    game: Game, monkeypatch: pytest.MonkeyPatch
):
    def fails(*anything: object, **more: object) -> None:
        raise RuntimeError("no book at hand")

    with monkeypatch.context() as patched:
        patched.setattr("aceofspades.events.opening.book.take_effect", fails)
        catch_up(game.pk)
    game.refresh_from_db()
    assert game.stuck_at is not None
    take(game.slug, None, "games.skip_appointment", {"reason": "It cannot be done."})
    murphy = seat(game, "Murphy")
    with pytest.raises(Refused) as early:
        take(game.slug, murphy, "aceofspades.join")
    assert early.value.refusal.code == "not_open"
    stage.days(game, 1)
    assert happened(game, OPENING)
    assert Contest.objects.get().opened
    take(game.slug, murphy, "aceofspades.join")
    again(game)


def test_112_a_contestmaster_who_leaves_the_game_holds_up_no_proposal(
    contest: Game, act: Take, player: Player, rival: Player, master: Player
):
    keep_by_hand(contest, "put_up_for_vote", "announce")
    stage.propose(contest, player)
    assert Proposal.objects.get().up_in is None
    act(master, "games.leave")
    assert Proposal.objects.get().is_up
    stage.vote(contest, Proposal.objects.get(), {player: FOR, rival: FOR})
    stage.hours(contest, 72)
    assert Proposal.objects.get().effective_in is not None


def test_101_nothing_is_decided_while_the_contest_is_not_played(
    contest: Game, act: Take, player: Player, rival: Player, master: Player
):
    act(master, "aceofspades.publish_regulation", regulation=340)
    stage.vote(contest, stage.propose(contest, player), {player: FOR, rival: FOR})
    with at_the_table(contest) as table:
        book.repeal(table, 101)
    stage.days(contest, 5)
    assert is_free(contest)
    assert Proposal.objects.get().verdict == ""
    assert regulation(contest, 340).visibility == "secret"  # type: ignore[union-attr]


# Who is not named


@pytest.mark.thorough
def test_125_whom_else_an_unnamed_offer_is_for_names_nobody(
    contest: Game, act: Take, player: Player, rival: Player, third: Player
):
    """With the list of all others, each of them would see who is missing from it."""
    inputs = {"to": [rival.name, third.name], "gives": {"Red": 1}, "takes": {"Black": 1}}
    act(player, "aceofspades.offer", **inputs, anonymous=True)
    act(player, "aceofspades.offer", **inputs)
    unnamed, named = sorted(state_for(contest, rival)["offers"], key=lambda each: "by" in each)
    assert unnamed["to"] == [rival.name]
    assert named["to"] == [rival.name, third.name]
    assert [each["to"] for each in state_for(contest, player)["offers"]] == [named["to"]] * 2
    reckon(contest)
    assert [each["to"] for each in state_for(contest, None)["offers"]] == [named["to"]] * 2

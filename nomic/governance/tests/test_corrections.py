"""An officer corrects what their office keeps, and only when nobody objects."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.actions import find_action, legality, offers
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.tests.tiny import COINS, SCRIPTS
from nomic.games.bounds import MOTIONS_OF_PLAYER
from nomic.games.models import Game, Player
from nomic.governance.powers import OFFICES_AND_CORRECTIONS, objection_time
from nomic.governance.tests.correcting import (
    BACK,
    KEEPER,
    TEN,
    coins,
    hours,
    last,
    motion,
    refused,
    table_says,
)
from nomic.operations.replay import replay
from tests.kit import Take, at_the_table, seat


def test_a_correction_is_announced_and_happens_when_its_time_is_over(
    game: Game, keeper: Player, act: Take
) -> None:
    said = act(keeper, "ledger.correct", **TEN).entry
    assert said.text.startswith("snail announces Motion 2: “Move 10 coin from Mint to Murphy")
    assert said.text.endswith(
        "It is done at 2026-03-05 12:00 UTC in the game unless a player objects."
    )
    assert coins(game) == 0
    hours(game, 23.99)
    assert coins(game) == 0
    hours(game, 0.01)
    done = game.entries.get(name="games.motion")
    assert coins(game) == 10
    assert done.text == "Motion 2 is done. snail moves 10 coins from Mint to Murphy: a slip"
    assert (done.outcome["end"], done.outcome["action"]) == ("done", "ledger.correct")


def test_a_motion_that_has_ended_is_not_done_again(game: Game, keeper: Player, act: Take) -> None:
    act(keeper, "ledger.correct", **TEN)
    hours(game, 24)
    with at_the_table(game) as table:
        table.appointments.make("games.motion", table.now, "2/late")
    hours(game, 0.01)
    assert last(game).text == "Nothing is to be done of Motion 2 any more."
    assert coins(game) == 10


def test_an_objection_lets_it_wait_for_the_support_of_more_than_half(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    act(keeper, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    hours(game, 48)
    assert coins(game) == 0
    assert "it waits for the support" in game.entries.get(name="games.motion").text
    act(players[1], "games.support", motion=2)
    assert coins(game) == 0, "One of three others is no majority."
    act(players[2], "games.support", motion=2)
    assert coins(game) == 10
    assert motion(game, 2).end == "done"


def test_who_objected_may_come_to_support_it(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    act(keeper, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    act(players[0], "games.support", motion=2)
    hours(game, 24)
    assert coins(game) == 10, "Nobody objects any more when its time is over."


def test_an_objection_at_the_very_moment_comes_too_late(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    act(keeper, "ledger.correct", **TEN)
    hours(game, 24)
    assert coins(game) == 10
    with pytest.raises(Refused, match="Nothing that was announced is waiting now"):
        act(players[0], "games.object", motion=2)


def test_the_officers_own_objection_and_their_withdrawal_count(
    game: Game, keeper: Player, act: Take
) -> None:
    for _ in range(2):
        act(keeper, "ledger.correct", **TEN)
    act(keeper, "games.object", motion=2)
    assert refused(act, keeper, "games.support", motion=2) == "not_counted"
    act(keeper, "games.withdraw", motion=3)
    hours(game, 48)
    assert coins(game) == 0
    assert motion(game, 3).end == "withdrawn"


@pytest.mark.thorough
def test_accounts_that_join_later_or_come_back_are_not_counted(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    act(players[2], "games.leave")
    act(keeper, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    seconds = [seat(game, f"second{number}") for number in range(3)]
    act(players[2].user, "games.join", name="Jason")
    for each in (*seconds, players[2]):
        assert refused(act, each, "games.support", motion=2) == "not_counted"
    act(players[1], "games.support", motion=2)
    assert coins(game) == 0, "One of two is no majority, whoever has come since."
    act(players[0], "games.support", motion=2)
    assert coins(game) == 10


def test_an_officers_second_account_carries_nothing_alone(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    second = seat(game, "snail again")
    act(keeper, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    act(second, "games.support", motion=2)
    hours(game, 48)
    assert coins(game) == 0


@pytest.mark.parametrize("how", ["games.resign_office", "games.leave", "games.recall"])
def test_who_is_no_officer_any_more_corrects_nothing(
    game: Game, keeper: Player, players: list[Player], act: Take, how: str
) -> None:
    act(keeper, "ledger.correct", **TEN)
    if how == "games.recall":
        act(players[0], how, office=KEEPER)
        act(players[1], "games.support", motion=3)
    else:
        act(keeper, how, **({"office": KEEPER} if how != "games.leave" else {}))
    hours(game, 24)
    assert coins(game) == 0
    assert (motion(game, 2).end, motion(game, 2).note) == (
        ("withdrawn", "snail has left the game.")
        if how == "games.leave"
        else ("failed", "snail is not the Keeper any more.")
    )


@pytest.mark.thorough
def test_nobody_has_more_open_than_others_can_look_at(
    game: Game, players: list[Player], act: Take
) -> None:
    for _ in range(MOTIONS_OF_PLAYER.most):
        act(players[0], "ledger.correct", **TEN)
    table = glance(game)
    offered = {each.action.name: each.refusal for each in offers(table, players[0])}
    for refusal in (offered["ledger.correct"], offered["games.stand"]):
        assert refusal is not None
        assert refusal.code == "too_many"
    assert offered["ledger.correct"] == legality(
        find_action("ledger.correct"), table, players[0], TEN
    )
    assert {each.action.name: each for each in offers(table, players[1])}["ledger.correct"].allowed
    assert refused(act, players[0], "ledger.correct", **TEN) == "too_many"
    act(players[1], "ledger.correct", **TEN)
    act(players[0], "games.withdraw", motion=1)
    act(players[0], "ledger.correct", **TEN)
    act(players[0], "games.leave")
    assert [each.by.name for each in game.motions.filter(end="")] == ["Madrid"]


@pytest.mark.thorough
def test_who_has_many_open_still_does_what_waits_for_nobody(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    for _ in range(MOTIONS_OF_PLAYER.most):
        act(keeper, "ledger.correct", **TEN)
    table = glance(game)
    correct = find_action("ledger.correct")
    assert legality(correct, table, keeper, {}) is None, "What is chosen tells whose it is."
    refusal = legality(correct, table, keeper, TEN)
    assert refusal is not None
    assert refusal.code == "too_many"
    table_says(game, "0")
    act(keeper, "ledger.correct", **TEN)
    hours(game, 24)
    assert coins(game) == 10 * (MOTIONS_OF_PLAYER.most + 1)


def test_what_has_gone_meanwhile_is_not_moved(game: Game, keeper: Player, act: Take) -> None:
    act(None, "ledger.correct", **TEN)
    for _ in range(2):
        act(keeper, "ledger.correct", **BACK)
    hours(game, 24)
    assert [each.end for each in game.motions.filter(number__gt=1)] == ["done", "failed"]
    assert coins(game) == 0
    assert game.state == "running"
    assert "cannot be done any more" in last(game).text


def test_the_operator_corrects_at_once_and_by_name(game: Game, keeper: Player, act: Take) -> None:
    said = act(None, "ledger.correct", **TEN).entry
    assert said.text == "The operator moves 10 coins from Mint to Murphy: a slip"
    assert coins(game) == 10


def test_while_an_office_is_vacant_a_correction_takes_support(
    game: Game, players: list[Player], act: Take
) -> None:
    said = act(players[0], "ledger.correct", **TEN).entry
    assert said.text.endswith("more than half of the other active players support it.")
    hours(game, 100)
    for each in players[1:3]:
        assert coins(game) == 0
        act(each, "games.support", motion=1)
    assert coins(game) == 10


@pytest.mark.thorough
def test_a_correction_that_is_decided_in_a_pause_happens_after_it(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    act(keeper, "ledger.correct", **TEN)
    act(keeper, "games.pause", reason="holidays")
    for each in players[:2]:
        said = act(each, "games.support", motion=2).entry.text
    assert said.endswith("Motion 2 is done as soon as the game is resumed.")
    assert coins(game) == 0
    act(keeper, "games.resume")
    hours(game, 0)
    assert coins(game) == 10
    assert replay(game)[1] is None


def test_a_stuck_game_is_mended_by_support(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    SCRIPTS["broken"] = lambda table: 1 / 0  # type: ignore[assignment, return-value]
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", table.now + timedelta(hours=1), "broken")
    hours(game, 2)
    game.refresh_from_db()
    assert game.stuck_at
    act(keeper, "ledger.correct", **TEN)
    for each in players[:2]:
        act(each, "games.support", motion=2)
    assert coins(game) == 10


def test_what_fails_inside_leaves_nothing_behind_and_the_game_goes_on(
    game: Game, keeper: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = glance(game).rules.text(COINS)
    with at_the_table(game) as table:
        table.rules.amend(COINS, "No table.\n")
    act(keeper, "rulebook.amend", rule=COINS, text=original, reason="as it was adopted")

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr("nomic.engine.tests.tiny.TinyGame.rules_changed", fail)
        hours(game, 24)
    game.refresh_from_db()
    assert (game.state, motion(game).end) == ("running", "failed")
    assert motion(game).note == "The program failed at it, and nothing has changed."
    assert glance(game).rules.text(COINS) == "No table.\n"
    assert game.rules.get(title=COINS).version == 2


# How long it waits


def test_a_vote_shortens_the_time_of_what_is_announced_after_it(
    game: Game, keeper: Player, act: Take
) -> None:
    act(keeper, "ledger.correct", **TEN)
    table_says(game, "12")
    act(keeper, "ledger.correct", **TEN)
    hours(game, 12)
    assert coins(game) == 10
    hours(game, 12)
    assert coins(game) == 20


def test_a_table_that_says_nothing_lets_corrections_happen_at_once(
    game: Game, keeper: Player, act: Take
) -> None:
    table_says(game, "0")
    act(keeper, "ledger.correct", **TEN)
    assert coins(game) == 10


@pytest.mark.parametrize("cell", ["soon", "-1", "1000000"])
def test_a_table_that_cannot_be_read_leaves_the_games_setting(
    game: Game, keeper: Player, act: Take, cell: str
) -> None:
    table_says(game, cell)
    assert objection_time(glance(Game.objects.get())) == timedelta(hours=24)


def test_a_rule_that_is_repealed_leaves_the_games_setting(game: Game) -> None:
    with at_the_table(game) as table:
        table.rules.repeal(OFFICES_AND_CORRECTIONS)
    assert objection_time(glance(Game.objects.get())) == timedelta(hours=24)


@pytest.mark.parametrize("offices", ["open"])
def test_a_practice_games_corrections_happen_at_once(game: Game, act: Take) -> None:
    keeper = seat(game, "snail")
    seat(game, "Murphy")
    act(keeper, "games.take_office", office=KEEPER)
    assert act(keeper, "ledger.correct", **TEN).entry.text.startswith("snail moves 10 coins")
    assert coins(game) == 10


# What is told of it

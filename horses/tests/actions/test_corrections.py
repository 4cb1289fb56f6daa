"""The Horsened's corrections: on the record, each with its reason."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from horses.state import state_of
from horses.tests.conftest import Stage
from nomic.engine.outcomes import Malformed
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.record.models import EntryKind
from tests.kit import WEDNESDAY, Take, failing, seat

Refuses = Callable[..., Any]

BACK_TO = {"amount": 1, "asset": "Sugar", "reason": "a slip"}

CORRECTIONS = {
    "correct_position": {"horse": "Fargo", "position": 9, "reason": "The nudge of May counted."},
    "correct_place": {"horse": "Fargo", "place": "first", "reason": "It crossed in May."},
    "correct_pulls": {"horse": "Fargo", "pulls": "Sugar, Alexia", "reason": "As in the report."},
}


@pytest.mark.parametrize(
    ("name", "field", "after", "text"),
    [
        (
            "correct_position",
            "position",
            9,
            "snail corrects Fargo's Race Position from 0 to 9: The nudge of May counted.",
        ),
        (
            "correct_place",
            "place",
            1,
            "snail corrects Fargo's Race Place from none to first: It crossed in May.",
        ),
        (
            "correct_pulls",
            "pulls",
            ["Alexia", "Sugar"],
            "snail corrects Fargo's pulls to Alexia, Sugar: As in the report.",
        ),
    ],
)
def test_a_correction_is_an_officer_s_entry_with_its_reason(
    act: Take, officer: Player, stage: Stage, name: str, field: str, after: Any, text: str
):
    receipt = act(officer, f"horses.{name}", **CORRECTIONS[name])
    assert receipt.entry.text == text
    assert receipt.entry.kind == EntryKind.OFFICER
    assert stage.horse("Fargo")[field] == after


@pytest.mark.parametrize("name", CORRECTIONS)
def test_only_the_horsened_corrects(
    refused: Refuses, officer: Player, player: Player, stage: Stage, name: str
):
    refusal = refused(player, f"horses.{name}", **CORRECTIONS[name])
    assert refusal.sentence == "Only the Horsened can do this."


@pytest.mark.parametrize("name", CORRECTIONS)
def test_a_correction_needs_a_reason(act: Take, officer: Player, name: str):
    with pytest.raises(Malformed) as malformed:
        act(officer, f"horses.{name}", **{**CORRECTIONS[name], "reason": ""})
    assert set(malformed.value.errors) == {"reason"}


def test_a_position_beyond_the_track_is_refused(refused: Refuses, officer: Player):
    refusal = refused(
        officer, "horses.correct_position", horse="Fargo", position=17, reason="a slip"
    )
    assert refusal.sentence == "Race Positions go from 0 to 16; choose one of them."


def test_a_place_that_is_taken_is_refused(refused: Refuses, officer: Player, stage: Stage):
    stage.put(Sugar=(16, 1))
    refusal = refused(
        officer, "horses.correct_place", horse="Fargo", place="first", reason="a slip"
    )
    assert refusal.sentence == "Sugar is first already. Correct Sugar's place first."


def test_the_third_place_is_only_crossed_for(act: Take, officer: Player):
    with pytest.raises(Malformed):
        act(officer, "horses.correct_place", horse="Fargo", place="third", reason="a slip")


def test_pulls_are_horses(refused: Refuses, act: Take, officer: Player, stage: Stage):
    refusal = refused(
        officer, "horses.correct_pulls", horse="Fargo", pulls="Alexia, Pegasus", reason="a slip"
    )
    assert refusal.sentence.startswith("“Pegasus” is no horse of this race.")
    act(officer, "horses.correct_pulls", horse="Fargo", pulls="", reason="it has none")
    assert stage.horse("Fargo")["pulls"] == []


def test_a_correction_mends_a_game_that_is_stuck(act: Take, officer: Player, stage: Stage):
    stage.motivated("Fargo", 1)
    with failing("horses.run"):
        stage.weeks()
    assert stage.game.state == "stuck"
    act(officer, "horses.correct_position", horse="Fargo", position=3, reason="while it waits")
    assert stage.horse("Fargo")["position"] == 3


def test_nobody_who_has_left_is_given_a_horse(act: Take, officer: Player, rival: Player):
    act(rival, "games.leave")
    with pytest.raises(Malformed) as malformed:
        act(officer, "ledger.correct", **BACK_TO, giver="Agora", receiver=rival.name)
    assert set(malformed.value.errors) == {"receiver"}


def test_a_horse_does_not_go_back_to_the_mint(refused: Refuses, officer: Player, stage: Stage):
    refusal = refused(officer, "ledger.correct", **BACK_TO, giver="Agora", receiver="Mint")
    assert refusal.code == "indestructible"
    assert stage.horse("Sugar")["owner"] == "Agora"


def test_a_horse_of_somebody_who_has_left_goes_to_agora_with_the_next_correction(
    act: Take, officer: Player, rival: Player, stage: Stage
):
    act(rival, "games.leave")
    stage.give_horses(rival, "Sugar")
    assert stage.horse("Sugar")["owner"] == "Agora"
    act(officer, "ledger.correct", **{**BACK_TO, "asset": "Fargo"}, giver="Agora", receiver="snail")
    agoran = stage.game.holders.get(kind="game").balances.filter(amount=1)
    assert agoran.filter(asset__name="Sugar").exists()


def test_a_horse_of_somebody_who_has_left_wins_nothing(
    act: Take, player: Player, rival: Player, stage: Stage
):
    act(rival, "games.leave")
    stage.give_horses(rival, "Sugar")
    stage.put(Alexia=(16, 1), Baxter=(16, 2), Sugar=16)
    stage.motivated("Rubert", 1)
    stage.weeks()
    run = stage.last("horses.run")
    assert run.outcome["race_ended"]
    assert [payout["asset"] for payout in run.outcome["payouts"]] == ["points"]


def test_a_horse_that_is_moved_to_the_lost_and_found_goes_on_to_agora_at_once(
    act: Take, officer: Player, player: Player, stage: Stage
):
    stage.give_horses(player, "Sugar")
    correction = {
        "amount": 1,
        "asset": "Sugar",
        "giver": player.name,
        "receiver": "Lost and Found",
        "reason": "Nobody claimed it.",
    }
    act(officer, "ledger.correct", **correction)
    assert "Sugar" not in stage.game.holders.get(kind="lost_and_found").balances.filter(
        amount__gt=0
    ).values_list("asset__name", flat=True)
    assert stage.horse("Sugar")["owner"] == "Agora"


def test_a_new_horsened_moves_no_million_to_itself(db: None) -> None:
    game, _ = new_game("real", "agora-races", pace="manual", start=WEDNESDAY, offices="support")
    murphy, madrid, jason, mallory = (
        seat(game, name) for name in ("Murphy", "Madrid", "Jason", "mallory")
    )
    take("real", mallory, "games.stand", {"office": "Horsened"})
    for each in (murphy, madrid):
        take("real", each, "games.support", {"motion": 1})
    before = glance(game).ledger.balance(mallory, "dollary")
    move = {"amount": 1_000_000, "asset": "dollary", "giver": "Mint", "receiver": "mallory"}
    put = {"horse": "Fargo", "position": 9, "reason": "mine"}
    take("real", mallory, "ledger.correct", {**move, "reason": "mine"})
    take("real", mallory, "horses.correct_position", put)
    for motion in (2, 3):
        take("real", jason, "games.object", {"motion": motion})
    advance("real", WEDNESDAY + timedelta(hours=24))
    after = glance(Game.objects.get(slug="real"))
    assert after.ledger.balance(mallory, "dollary") == before
    assert {each.name: each.position for each in state_of(after).runners}["Fargo"] == 0
    points = {**move, "asset": "points", "reason": "mine"}
    said = take("real", mallory, "ledger.correct", points).entry.text
    assert said.endswith("more than half of the other active players support it.")


@pytest.mark.thorough
def test_a_races_correction_happens_a_day_later_if_nobody_objects(db: None) -> None:
    game, _ = new_game("real", "agora-races", pace="manual", start=WEDNESDAY, offices="support")
    players = [seat(game, name) for name in ("Murphy", "Madrid", "Jason")]
    put = {"horse": "Fargo", "position": 9, "reason": "The nudge of May counted."}
    take("real", players[0], "games.stand", {"office": "Horsened"})
    for each in players[1:]:
        take("real", each, "games.support", {"motion": 1})
    take("real", players[0], "horses.correct_position", put)
    advance("real", WEDNESDAY + timedelta(hours=24))
    after = glance(Game.objects.get(slug="real"))
    assert {each.name: each.position for each in state_of(after).runners}["Fargo"] == 9
    done = after.game.entries.get(name="games.motion")
    assert done.text == (
        "Motion 2 is done. Murphy corrects Fargo's Race Position from 0 to 9: The nudge of May"
        " counted."
    )
    assert replay(after.game)[1] is None


@pytest.mark.thorough
def test_what_was_announced_of_a_race_before_the_horses_ran_is_not_done_after_it(db: None) -> None:
    game, _ = new_game("real", "agora-races", pace="manual", start=WEDNESDAY, offices="support")
    players = [seat(game, name) for name in ("Murphy", "Madrid", "Jason")]
    put = {"horse": "Fargo", "position": 9, "reason": "The nudge of May counted."}
    take("real", players[0], "games.stand", {"office": "Horsened"})
    for each in players[1:]:
        take("real", each, "games.support", {"motion": 1})
    advance("real", WEDNESDAY + timedelta(days=4))
    take("real", players[0], "horses.correct_position", put)
    advance("real", WEDNESDAY + timedelta(days=6))
    after = Game.objects.get(slug="real")
    motion = after.motions.get(number=2)
    assert (motion.end, motion.note) == ("failed", "The horses have run after that was announced.")
    assert replay(after)[1] is None

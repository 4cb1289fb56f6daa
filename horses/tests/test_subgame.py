"""How the races begin in a game, and who comes and goes."""

from __future__ import annotations

import gc
import re
import weakref
from datetime import timedelta
from pathlib import Path

import pytest

from horses.api import horses_state
from horses.models import Race
from horses.rules.titles import HORSES, MOTIVATING, MULTIPLIER, POWERS, TITLES
from horses.subgame import THE_RACES
from horses.tests.conftest import Stage
from nomic.engine.actions import offers
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS, Preset
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Take, at_the_table, seat

SOURCE = Path(__file__).parents[3] / "shared/seeds/000_2917269998bf30e8.txt"
ENACTED = re.compile(r'Enact a new rule with title "([^"]+)"[^{]*\{(.*?)\n\}', re.DOTALL)


@pytest.fixture
def bare(db: None, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game without races."""
    monkeypatch.setitem(PRESETS, "bare", Preset("bare", "Bare", "No rules yet.", rulebooks=()))
    game = new_game("bare", "bare", pace="manual", start=WEDNESDAY)[0]
    seat(game, "Murphy")
    return game


def adopt(game: Game, rules: dict[str, str]) -> None:
    with at_the_table(game) as table:
        for title, text in rules.items():
            table.rules.enact(title, text)


def test_a_new_game_has_a_race_at_its_start(player: Player, stage: Stage):
    told = stage.state
    assert (told["race"], told["finished_races"], told["motivation"]) == (1, 0, None)
    assert len(told["horses"]) == 8
    assert told["horses"]["Rubert"] == {
        "owner": "Agora",
        "cost": 4,
        "position": 0,
        "place": None,
        "pulls": ["Alexia", "Cannon"],
        "multiplier": 0,
    }
    assert told["gear"] == told["bets"] == {}
    assert told["weekly_action_used"] == []
    assert stage.game.offices.filter(name="Horsened").exists()


def test_whoever_comes_before_the_first_run_starts_with_ten_dollaries_whatever_others_did(
    act: Take, player: Player, stage: Stage
):
    assert stage.holdings(player) == (10, 0, 0)
    act(player, "horses.bet", horse="Fargo", dollaries=3)
    act(player, "horses.motivate")
    assert stage.holdings(seat(stage.game, "juan")) == (10, 0, 0)


def test_whoever_comes_back_before_the_first_run_gets_nothing_twice(
    act: Take, player: Player, stage: Stage
):
    act(player, "games.leave")
    act(player.user, "games.join", name="Murphy")
    assert stage.holdings(player) == (10, 0, 0)
    with at_the_table(stage.game) as table:
        table.ledger.destroy(player, 10, "dollary")
    act(player, "games.leave")
    act(player.user, "games.join", name="Murphy")
    assert stage.holdings(player) == (0, 0, 0)


def test_a_week_in_which_the_horses_did_not_run_leaves_the_start_open(
    act: Take, player: Player, stage: Stage
):
    with at_the_table(stage.game) as table:
        table.appointments.cancel("horses.last_hour")
    stage.weeks()
    assert stage.last("horses.run").outcome["ran"] is False
    assert stage.holdings(seat(stage.game, "juan")) == (10, 0, 0)


def test_whoever_comes_after_the_first_run_starts_with_nothing(player: Player, stage: Stage):
    stage.motivated("Fargo", 2)
    stage.weeks()
    late = seat(stage.game, "juan")
    assert stage.holdings(late) == (0, 0, 0)
    stage.weeks()
    assert stage.holdings(late) == (0, 1, 0)


def test_the_horses_of_a_player_who_leaves_go_to_agora_by_way_of_the_lost_and_found(
    act: Take, player: Player, rival: Player, stage: Stage
):
    stage.give_horses(player, "Alexia", "Sugar")
    stage.give_horses(rival, "Fargo")
    act(player, "games.leave")
    owners = {name: horse["owner"] for name, horse in stage.state["horses"].items()}
    assert owners["Alexia"] == owners["Sugar"] == "Agora"
    assert owners["Fargo"] == "Madrid"
    moves = stage.game.transfers.filter(entry=stage.game.last_entry, rule=HORSES)
    assert moves.count() == 4
    act(rival, "horses.buy", horse="Sugar")


def test_whoever_has_left_gains_nothing_at_the_end(
    act: Take, player: Player, rival: Player, stage: Stage
):
    act(player, "horses.bet", horse="Fargo", dollaries=3)
    act(player, "games.leave")
    stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.motivated("Rubert", 1)
    stage.weeks()
    paid = stage.last("horses.run").outcome["payouts"]
    assert [(payout["player"], payout["asset"]) for payout in paid] == [("Madrid", "points")]
    assert stage.holdings(player) == (0, 0, 0)


def test_a_horse_in_the_lost_and_found_is_for_sale(act: Take, player: Player, stage: Stage):
    with at_the_table(stage.game) as table:
        table.ledger.transfer(table.ledger.agora, table.ledger.lost_and_found, 1, "Sugar")
    act(player, "horses.buy", horse="Sugar")
    assert stage.horse("Sugar")["owner"] == "Murphy"


def test_seven_rules_enacted_later_begin_the_races_at_that_moment(
    bare: Game, texts: dict[str, str]
):
    assert not THE_RACES.is_on(bare)
    adopt(bare, {title: texts[title] for title in TITLES[:6]})
    assert not THE_RACES.is_on(bare)
    adopt(bare, {title: texts[title] for title in TITLES[6:]})
    stage = Stage(bare)
    assert THE_RACES.is_on(bare)
    assert stage.holdings(stage.game.players.select_related("holder").get()) == (10, 0, 0)
    assert {horse["owner"] for horse in stage.state["horses"].values()} == {"Agora"}
    stage.motivated("Fargo", 2)
    stage.weeks()
    assert stage.horse("Fargo")["position"] == 2


def test_rules_that_cannot_be_played_by_begin_no_race_until_they_are_mended(
    bare: Game, texts: dict[str, str]
):
    adopt(bare, {**texts, MULTIPLIER: "It depends."})
    assert not THE_RACES.is_on(bare)
    with at_the_table(bare) as table:
        table.rules.amend(MULTIPLIER, texts[MULTIPLIER])
    assert THE_RACES.is_on(bare)


@pytest.mark.parametrize("name", ["hoof", "dollary", "points", "gavel", "x" * 61])
def test_a_horse_that_is_named_as_another_thing_or_too_long_begins_no_race(
    bare: Game, texts: dict[str, str], name: str
):
    with at_the_table(bare) as table:
        table.ledger.define("gavel", "gavels")
    adopt(bare, {title: text.replace("Sugar", name) for title, text in texts.items()})
    assert not Race.objects.filter(game=bare).exists()
    with at_the_table(bare) as table:
        for title in TITLES:
            table.rules.amend(title, texts[title])
    assert Race.objects.filter(game=bare).exists()


def test_a_race_does_not_start_anew_with_a_horse_that_is_named_as_another_thing(
    player: Player, stage: Stage
):
    stage.amend(MULTIPLIER, "| Alexia |", "| hoof | 1 | 1 | 1 | 1 | 0 |\n| Alexia |")
    stage.amend(MOTIVATING, "| Alexia | Nacho |", "| hoof | Alexia |\n| Alexia | Nacho |")
    stage.amend(POWERS, "| Alexia | 10 |", "| hoof | 1 |\n| Alexia | 10 |")
    stage.put(Alexia=(16, 1), Baxter=(16, 2), Cannon=16)
    stage.motivated("Rubert", 1)
    stage.weeks()
    assert stage.game.state == "running"
    run = stage.last("horses.run")
    assert "“hoof”, which is the name of another asset of this game" in run.outcome["off"]
    assert Race.objects.filter(game=stage.game).count() == 1


def test_a_chart_in_the_mailing_list_s_form_is_played_by(bare: Game, texts: dict[str, str]):
    rows = [
        f"{name:<16}{cost}"
        for name, cost in (
            ("Alexia", 10), ("Baxter", 10), ("Cannon", 8), ("Destructor", 8),
            ("Fargo", 6), ("Nacho", 6), ("Rubert", 4), ("Sugar", 3),
        )
    ]  # fmt: skip
    chart = "\n".join(["HORSE           COST (dollaries)", "-" * 20, *rows])
    adopt(bare, {**texts, "Horse Powers": f"Costs and powers:\n\n{chart}\n\nRubert steps thrice."})
    stage = Stage(bare)
    assert stage.horse("Sugar")["cost"] == 3
    assert stage.horse("Baxter")["cost"] == 10


@pytest.mark.skipif(not SOURCE.exists(), reason="the source document is not beside this repository")
def test_the_proposal_s_own_text_is_played(bare: Game, act: Take):
    rules = dict(ENACTED.findall(SOURCE.read_text(encoding="utf-8")))
    assert tuple(rules) == TITLES
    adopt(bare, {title: text.strip() + "\n" for title, text in rules.items()})
    stage = Stage(bare)
    assert stage.horse("Rubert") == {
        "owner": "Agora",
        "cost": 4,
        "position": 0,
        "place": None,
        "pulls": ["Alexia", "Cannon"],
        "multiplier": 0,
    }
    stage.motivated("Rubert", 3)
    stage.weeks()
    assert stage.last("horses.run").outcome["moves"] == [
        ["Rubert", 0, 3],
        ["Alexia", 0, 1],
        ["Cannon", 0, 1],
    ]


def test_a_game_without_races_has_none_of_their_actions(bare: Game):
    table = glance(bare)
    assert horses_state(table) is None
    offered = [offer.action.name for offer in offers(table, bare.players.get())]
    assert not [name for name in offered if name.startswith("horses.")]


@pytest.mark.thorough
def test_a_game_without_players_does_not_race_and_its_first_player_is_there_at_the_start(
    stage: Stage,
):
    stage.weeks(3)
    assert not stage.game.entries.filter(outcome__has_key="distance", outcome__ran=True).exists()
    assert stage.last("horses.run").text == "The horses did not run: the game has no players."
    assert "nobody motivates the horses" in stage.last("horses.last_hour").text
    assert stage.state["motivation"] is None
    first = seat(stage.game, "Murphy")
    assert stage.holdings(first) == (10, 0, 0)
    stage.weeks()
    assert stage.last("horses.run").outcome["ran"] is True
    assert stage.holdings(first) == (10, 1, 0)
    assert replay(stage.game)[1] is None


def test_a_game_that_begins_in_a_week_s_last_hour_is_motivated_at_once(db: None):
    sunday = WEDNESDAY.replace(hour=23, minute=30) + timedelta(days=4)
    game = new_game("late", "agora-races", pace="manual", start=sunday)[0]
    advance("late", sunday)
    assert game.entries.filter(name="horses.last_hour").count() == 1
    assert Race.objects.filter(game=game).count() == 1


def test_a_table_that_nobody_looks_at_any_more_is_not_kept_with_what_was_read_there(
    game: Game,
) -> None:
    table = glance(game)
    assert THE_RACES.state(table, None) is not None
    gone = weakref.ref(table)
    del table
    gc.collect()
    assert gone() is None

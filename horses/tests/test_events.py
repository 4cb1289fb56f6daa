"""What happens at the races by itself, week by week."""

from datetime import timedelta

import pytest

from horses.models import Race, Runner
from horses.rulebook import shipped_texts
from horses.rules.payouts import DOLLARY
from horses.rules.titles import MOTIVATING, POWERS, RUN, TITLES, VICTORY
from horses.tests.conftest import Stage
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS
from nomic.notices.models import Outgoing
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, at_the_table, failing, write_anew

MONDAY = WEDNESDAY.replace(hour=0) + timedelta(days=5)
ALONE = "horses.motivate_for_the_horsened"


@pytest.fixture
def undeputised(game: Game) -> None:
    """Nobody motivates for the Horsened in this game."""
    game.settings = {**game.settings, ALONE: False}
    game.save(update_fields=["settings"])
    with at_the_table(game) as table:
        table.appointments.cancel("horses.last_hour")


def test_a_run_moves_the_horses_and_gives_each_player_a_hoof(
    player: Player, rival: Player, stage: Stage
):
    stage.motivated("Fargo", 2)
    stage.weeks()
    entry = stage.last("horses.run")
    assert entry.at == MONDAY
    assert entry.text == (
        "The horses run, and every player gains 1 hoof. "
        "Fargo gallops from 0 to 2, Alexia from 0 to 1, Destructor from 0 to 1."
    )
    assert entry.outcome == {
        "ran": True,
        "galloper": "Fargo",
        "distance": 2,
        "moves": [["Fargo", 0, 2], ["Alexia", 0, 1], ["Destructor", 0, 1]],
        "crossed": [],
        "race_ended": False,
        "payouts": [],
    }
    assert stage.holdings(player) == stage.holdings(rival) == (10, 1, 0)
    assert stage.horse("Fargo")["position"] == 2


@pytest.mark.usefixtures("undeputised")
def test_a_week_without_motivation_has_no_run(player: Player, stage: Stage):
    stage.weeks()
    entry = stage.last("horses.run")
    assert entry.text == "The horses did not run: nobody motivated them."
    assert entry.outcome["ran"] is False
    assert entry.outcome["moves"] == entry.outcome["payouts"] == []
    assert stage.holdings(player) == (10, 0, 0)


@pytest.mark.usefixtures("undeputised")
def test_a_motivation_serves_one_run(act: Take, player: Player, stage: Stage):
    act(player, "horses.motivate")
    stage.weeks(2)
    ran = stage.game.entries.filter(name="horses.run").order_by("seq")
    assert [entry.outcome["ran"] for entry in ran] == [True, False]


def test_in_the_last_hour_the_system_motivates_for_the_horsened(player: Player, stage: Stage):
    stage.weeks(3)
    deputised = stage.game.entries.filter(name="horses.last_hour").order_by("seq")
    assert [entry.at for entry in deputised] == [
        MONDAY + timedelta(weeks=week, hours=-1) for week in range(3)
    ]
    assert deputised[0].text.startswith(
        "Nobody has motivated the horses this week, so the system does it for the Horsened: "
    )
    assert deputised[0].outcome.keys() == {"galloper", "distance"}
    assert stage.holdings(player) == (10, 3, 0)


def test_the_last_hour_is_quiet_where_somebody_motivated(act: Take, player: Player, stage: Stage):
    act(player, "horses.motivate")
    stage.weeks()
    assert not stage.game.entries.filter(name="horses.last_hour").exists()
    advance(stage.slug, MONDAY + timedelta(days=6, hours=23, minutes=30))
    assert stage.state["motivation"]["by"] is None


def test_the_week_after_a_skipped_run_has_its_last_hour(act: Take, officer: Player, stage: Stage):
    with failing("horses.run"):
        stage.weeks()
    assert stage.game.state == "stuck"
    act(officer, "games.skip_appointment", reason="nobody can say how many hooves")
    advance(stage.slug, MONDAY + timedelta(days=6, hours=23, minutes=30))
    assert stage.last("horses.last_hour").at == MONDAY + timedelta(weeks=1, hours=-1)
    stage.weeks()
    assert stage.last("horses.run").outcome["ran"]


@pytest.mark.parametrize(("position", "gain"), [(3, 6), (15, 2), (16, 0)])
def test_baxter_s_owner_gains_for_each_step_of_its_gallop(
    player: Player, stage: Stage, position: int, gain: int
):
    stage.give_horses(player, "Baxter")
    stage.put(Baxter=position)
    stage.motivated("Baxter", 3)
    stage.weeks()
    entry = stage.last("horses.run")
    assert stage.holdings(player) == (10 + gain, 1, 0)
    assert [payout["amount"] for payout in entry.outcome["payouts"]] == ([gain] if gain else [])
    if gain:
        assert f"Murphy gains {gain} dollaries: Baxter gallops" in entry.text


def test_being_pulled_gains_baxter_s_owner_nothing(player: Player, stage: Stage):
    stage.give_horses(player, "Baxter")
    stage.motivated("Nacho", 1)
    stage.weeks()
    assert stage.holdings(player) == (10, 1, 0)


def test_horses_cross_in_alphabetical_order(player: Player, stage: Stage):
    stage.put(Sugar=16, Alexia=15)
    stage.motivated("Alexia", 3)
    stage.weeks()
    entry = stage.last("horses.run")
    assert entry.outcome["crossed"] == [["Alexia", 1], ["Sugar", 2]]
    assert entry.text.endswith(
        "Alexia crosses the line as the first. Sugar crosses the line as the second."
    )
    assert stage.horse("Alexia")["place"] == 1
    assert stage.horse("Alexia")["multiplier"] == 5


@pytest.mark.thorough
def test_the_third_crossing_ends_the_race_and_pays_in_the_rule_s_order(
    act: Take, player: Player, rival: Player, officer: Player, stage: Stage
):
    stage.give_horses(player, "Alexia")
    stage.give_horses(rival, "Fargo")
    stage.give(player, hooves=2)
    act(player, "horses.get_jersey", horse="Rubert", added_pull="Rubert")
    act(rival, "horses.bet", horse="Sugar", dollaries=3)
    stage.weeks()
    act(player, "horses.get_helmet", horse="Rubert")
    act(rival, "horses.bet", horse="Fargo", dollaries=2)
    stage.put(Alexia=(16, 1), Sugar=16, Fargo=16, Rubert=13)
    with at_the_table(stage.game) as table:
        table.game.motivations.all().delete()
    stage.motivated("Rubert", 1)
    stage.weeks()
    entry = stage.last("horses.run")
    assert entry.outcome["crossed"] == [["Fargo", 2], ["Sugar", 3]]
    assert entry.outcome["race_ended"]
    assert Outgoing.objects.filter(kind="result", to__isnull=True, url="/g/table/horses/").exists()
    columns = ("player", "asset", "amount", "reason", "of")
    paid = [tuple(payout[column] for column in columns) for payout in entry.outcome["payouts"]]
    assert paid == [
        ("Murphy", "dollary", 50, "Alexia came first", "place"),
        ("Madrid", "dollary", 30, "Fargo came second", "place"),
        ("Murphy", "dollary", 5, "jersey and helmet for Rubert", "outfit"),
        ("Madrid", "dollary", 12, "6 times the bets on Fargo", "bet"),
        ("Madrid", "dollary", 21, "7 times the bets on Sugar", "bet"),
        ("Madrid", "points", 15, "the most dollaries", "most"),
    ]
    assert "Outfits pay Murphy 5. Bets pay Madrid 33. " in entry.text
    assert f"Dollaries in the end: Madrid {entry.outcome['totals'][0][1]}, Murphy 65" in entry.text
    assert "Madrid has the most dollaries and scores 15 points." in entry.text
    assert stage.holdings(player) == stage.holdings(officer) == (10, 0, 0)
    assert stage.holdings(rival) == (10, 0, 15)
    told = stage.state
    assert (told["race"], told["finished_races"]) == (2, 1)
    assert told["gear"] == told["bets"] == {}
    horses = told["horses"].values()
    assert {(h["position"], h["place"], h["owner"]) for h in horses} == {(0, None, "Agora")}
    assert stage.horse("Rubert")["pulls"] == ["Alexia", "Cannon"]
    ended = Race.objects.get(game=stage.game, number=1)
    assert Runner.objects.get(race=ended, place=3).name == "Sugar"
    assert replay(stage.game)[1] is not None  # the stage was set behind the record's back


def test_a_tie_scores_nobody(player: Player, rival: Player, stage: Stage):
    stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.motivated("Rubert", 1)
    stage.weeks()
    entry = stage.last("horses.run")
    assert entry.text.endswith(
        "The race ends. Outfits pay nobody. Bets pay nobody. Dollaries in the end: Madrid 10, "
        "Murphy 10. No player alone has the most dollaries, so nobody scores. "
        "The race starts anew."
    )
    assert stage.holdings(player) == stage.holdings(rival) == (10, 0, 0)


def test_the_postings_name_the_rule_and_the_reason(player: Player, stage: Stage):
    stage.give_horses(player, "Alexia")
    stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.motivated("Rubert", 1)
    stage.weeks()
    prize = stage.game.transfers.get(why="Alexia came first")
    assert prize.rule == VICTORY
    assert prize.postings.get(holder=player.holder).amount == 50


@pytest.mark.parametrize(
    ("title", "old", "new"),
    [(RUN, "| 1 |", "| one |"), (MOTIVATING, "| 1 |\n\nThe Horsened", "| ? |\n\nThe Horsened")],
)
def test_a_run_that_needs_a_broken_table_goes_by_the_last_that_can_be_read(
    player: Player, stage: Stage, title: str, old: str, new: str
):
    stage.motivated("Fargo", 1)
    stage.amend(title, old, new)
    stage.weeks()
    assert stage.game.state == "running"
    assert stage.horse("Fargo")["position"] == 1
    assert stage.holdings(player) == (10, 1, 0)


def test_what_was_played_as_of_an_earlier_version_replays(act: Take, player: Player, stage: Stage):
    broken = shipped_texts()[RUN].replace("| 1 |", "| one |")
    act(None, "rulebook.amend", rule=RUN, text=broken, reason="as it was voted")
    act(player, "horses.motivate")
    stage.weeks()
    assert stage.holdings(player) == (10, 1, 0)
    assert replay(stage.game)[1] is None


@pytest.mark.thorough
def test_a_run_that_no_rule_makes_possible_does_not_happen_and_is_recorded(
    act: Take, player: Player, stage: Stage
):
    act(player, "horses.motivate")
    write_anew(stage.game, "Horses", "| TRACK |", "| WAY |")
    stage.weeks(2)
    runs = stage.game.entries.filter(name="horses.run")
    assert all("off" in run.outcome for run in runs)
    assert runs[0].text.startswith("“The horses run” does not happen. The text of Horses has no")
    assert stage.game.state == "running"


def test_the_run_follows_an_amended_finish(player: Player, stage: Stage):
    stage.amend("Horses", "| Finish | 16 |", "| Finish | 3 |")
    stage.motivated("Fargo", 3)
    stage.weeks()
    assert stage.last("horses.run").outcome["crossed"] == [["Fargo", 1]]


def test_a_repealed_rule_stops_the_runs_and_its_return_lets_them_go_on(
    player: Player, stage: Stage, texts: dict[str, str]
):
    with at_the_table(stage.game) as table:
        table.rules.repeal(RUN)
    stage.weeks()
    assert not stage.game.entries.filter(name__in=("horses.run", "horses.last_hour")).exists()
    with at_the_table(stage.game) as table:
        table.rules.enact(RUN, texts[RUN])
    stage.motivated("Fargo", 1)
    stage.weeks()
    assert stage.last("horses.run").outcome["ran"] is True


def test_without_horse_victory_a_race_ends_and_stays_as_it_is(player: Player, stage: Stage):
    with at_the_table(stage.game) as table:
        table.rules.repeal(VICTORY)
    stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.motivated("Rubert", 1)
    stage.weeks()
    assert stage.horse("Fargo")["place"] == 3
    stage.weeks()
    assert "the race is over" in stage.last("horses.run").text


def test_without_horse_powers_baxter_gains_nobody_anything(player: Player, stage: Stage):
    stage.give_horses(player, "Baxter")
    with at_the_table(stage.game) as table:
        table.rules.repeal(POWERS)
    stage.motivated("Baxter", 3)
    stage.weeks()
    assert stage.holdings(player) == (10, 1, 0)


def test_a_horse_that_an_amendment_adds_runs_from_the_next_race_on(player: Player, stage: Stage):
    stage.amend("Horse Multiplier", "| Sugar |", "| Pegasus | 9 | 8 | 7 | 1 | 0 |\n| Sugar |")
    stage.amend(POWERS, "| Sugar | 4 |", "| Pegasus | 3 |\n| Sugar | 4 |")
    stage.amend(MOTIVATING, "| Sugar | Baxter", "| Pegasus | – |\n| Sugar | Baxter")
    assert "Pegasus" not in stage.state["horses"]
    stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.motivated("Rubert", 1)
    stage.weeks()
    assert stage.horse("Pegasus")["owner"] == "Agora"
    assert stage.horse("Pegasus")["cost"] == 3


@pytest.mark.thorough
def test_ten_weeks_at_once_are_ten_weeks(player: Player, stage: Stage):
    stage.weeks(10)
    runs = stage.game.entries.filter(name="horses.run").order_by("seq")
    assert [run.at for run in runs] == [MONDAY + timedelta(weeks=week) for week in range(10)]
    assert all(run.outcome["ran"] for run in runs)


@pytest.mark.thorough
def test_what_was_played_is_replayed(
    act: Take, player: Player, rival: Player, officer: Player, stage: Stage
):
    act(player, "horses.buy", horse="Alexia")
    act(rival, "horses.buy", horse="Rubert")
    act(player, "horses.motivate")
    act(player, "horses.gain_dollaries", via_alexia=True)
    stage.weeks()
    act(rival, "horses.rubert_power", horse="Sugar", dollaries=2)
    act(player, "horses.get_helmet", horse="Sugar")
    act(player, "horses.transfer", horse="Alexia", to="Madrid")
    act(officer, "horses.correct_position", horse="Fargo", position=9, reason="it was misread")
    act(rival, "games.leave")
    stage.weeks(2)
    assert replay(stage.game)[1] is None


def test_the_presets_let_the_system_deputise():
    assert PRESETS["agora-races"].settings[ALONE] is True
    assert len(TITLES) == 7
    assert DOLLARY == "dollary"

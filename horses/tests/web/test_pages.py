"""The races' page: what a player reads before they act, and after a race has ended."""

from django.contrib.auth.models import User

from horses.tests.conftest import Stage
from nomic.games.models import Game, Player
from nomic.notices.mail import message
from nomic.notices.models import Notice, Outgoing
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Take, Visitor

BET = "/g/table/act/horses.bet/"


def page(visit: Visitor, player: Player) -> str:
    return visit(player).get("/g/table/horses/").content.decode()


def test_gaining_says_what_it_gains_and_that_it_uses_the_week_s_action(
    player: Player, visit: Visitor
) -> None:
    assert "You gain 4 dollaries. This is your race action of the week." in page(visit, player)


def test_odds_prizes_outfits_and_powers_stand_on_the_page(player: Player, visit: Visitor) -> None:
    body = page(visit, player)
    for told in (
        "What a bet pays",
        "The owner of the first horse gets 50 dollaries.",
        "for the same horse gets 5 dollaries for it",
        "Once a month, the owner may move Cannon 1 step forward.",
        "scores 15 points",
    ):
        assert told in body


def test_a_bet_that_was_chosen_says_what_it_pays(player: Player, visit: Visitor) -> None:
    asked = {"horse": "Fargo", "dollaries": "3"}
    told = "it pays 21 if Fargo is first, 18 if second, 15 if third"
    assert told in visit(player).get(BET, asked).content.decode()
    assert told in visit(player).post(f"{BET}brings/", asked).content.decode()


def test_what_a_bet_brings_is_told_of_a_form_that_is_half_filled_or_wrong(
    player: Player, visit: Visitor
) -> None:
    for sent in ({}, {"horse": ""}, {"horse": "Comet", "dollaries": "x"}):
        answer = visit(player).post(f"{BET}brings/", sent)
        assert answer.status_code == 200
        assert "times the horse's odds" in answer.content.decode()


def test_in_a_week_with_an_action_taken_alexia_s_power_is_named(
    act: Take, player: Player, stage: Stage, visit: Visitor
) -> None:
    stage.give_horses(player, "Alexia")
    act(player, "horses.gain_dollaries")
    assert "It uses Alexia&#x27;s power, which you have once a month." in page(visit, player)


def test_what_happened_there_is_of_the_races_alone(player: Player, visit: Visitor) -> None:
    new_game("all", "demo", pace="manual", start=WEDNESDAY)
    answer = visit(player).get("/g/all/horses/")
    assert all(entry.name.startswith("horses.") for entry in answer.context["entries"])
    assert "joins the game" not in page(visit, player)


def test_the_end_of_a_race_tells_bets_outfits_and_totals(
    act: Take, game: Game, player: Player, stage: Stage, visit: Visitor
) -> None:
    stage.give(player, hooves=1)
    act(player, "horses.get_helmet", horse="Fargo")
    stage.weeks()
    act(player, "horses.get_jersey", horse="Fargo", added_pull="Sugar")
    stage.weeks()
    act(player, "horses.bet", horse="Fargo", dollaries=2)
    stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.weeks()
    body = page(visit, player)
    assert "How race 1 ended" in body
    assert "5 (jersey and helmet for Fargo); 10 (5 times the bets on Fargo)" in body
    assert "Dollaries at the end: Murphy 23." in body


def test_a_letter_on_the_end_of_a_race_tells_its_reader_what_they_got(
    act: Take, game: Game, player: Player, rival: Player, stage: Stage
) -> None:
    act(player, "horses.bet", horse="Fargo", dollaries=2)
    stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.weeks()
    told = Outgoing.objects.get(game=game, kind="result", text__startswith="The race is over.")
    letters = {}
    for each in (player, rival):
        assert isinstance(each.user, User)
        letters[each] = str(message(each.user, [Notice(user=each.user, **told.message)]).body)
    assert "What you got:\n- 10 dollaries: 5 times the bets on Fargo" in letters[player]
    assert "You were paid nothing this time." in letters[rival]


def test_track_and_chart_have_one_colour_for_a_horse(player: Player, visit: Visitor) -> None:
    context = visit(player).get("/g/table/horses/").context
    lanes = {lane.runner.name: lane.runner.silk for lane in context["wide"].lanes}
    assert lanes == {course.name: course.silk for course in context["chart"]["wide"].courses}

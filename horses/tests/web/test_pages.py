"""The races' page: what a player reads before they act, and after a race has ended."""

from django.contrib.auth.models import User

from horses.tests.conftest import Stage
from horses.web.races import in_a_row
from nomic.games.models import Game, Player
from nomic.notices.mail import message
from nomic.notices.models import Notice, Outgoing
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Take, Visitor, on_one_line, seat

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
    assert "Your bet paid 10: 5 times your bets on Fargo." in body
    body = on_one_line(visit(player).get("/g/table/horses/races/1/").content.decode())
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
    assert "You got nothing this time." in letters[rival]


def test_track_and_chart_have_one_colour_for_a_horse(player: Player, visit: Visitor) -> None:
    context = visit(player).get("/g/table/horses/").context
    lanes = {lane.runner.name: lane.runner.silk for lane in context["wide"].lanes}
    assert lanes == {course.name: course.silk for course in context["chart"]["wide"].courses}


def test_odds_stand_beside_each_horse_as_the_rule_s_table_has_them(
    player: Player, stage: Stage, visit: Visitor
) -> None:
    assert "×7 ×6 ×5" in page(visit, player)
    assert "a bet pays 7, 6 or 5 times" in page(visit, player)
    stage.amend("Horse Multiplier", "| Fargo | 7 |", "| Fargo | 8 |")
    assert "×8 ×6 ×5" in page(visit, player)


def test_the_finish_line_stands_where_a_vote_has_put_it(
    player: Player, stage: Stage, visit: Visitor
) -> None:
    stage.put(Sugar=8)
    assert ">16</text>" in page(visit, player)
    stage.amend("Horses", "| Finish | 16 |", "| Finish | 4 |")
    after = page(visit, player)
    assert ">16</text>" not in after
    assert ">8</text>" in after  # the horse beyond it is in the picture


def test_each_stake_on_a_tapped_horse_is_a_button_that_says_what_it_pays(
    player: Player, visit: Visitor
) -> None:
    client = visit(player)
    body = on_one_line(client.get("/g/table/horses/", {"horse": "Fargo"}).content.decode())
    assert all(
        told in body for told in ("pays 7, 6 or 5", "pays 14, 12 or 10", "pays 21, 18 or 15")
    )
    bet = {"key": "a", "horse": "Fargo", "dollaries": "3", "back": "/g/table/horses/"}
    after = on_one_line(client.post(BET, bet, follow=True).content.decode())
    assert "you have bet 3 on it" in after
    assert "Your race action of this week is taken. You have another" in after
    tapped = on_one_line(client.get("/g/table/horses/", {"horse": "Sugar"}).content.decode())
    assert 'class="stakes"' not in tapped
    assert 'aria-current="true"' in tapped


def test_a_horse_too_far_for_a_bet_says_what_is_needed(
    player: Player, stage: Stage, visit: Visitor
) -> None:
    stage.put(Fargo=13)
    body = visit(player).get("/g/table/horses/", {"horse": "Fargo"}).content.decode()
    assert "get a helmet for Fargo in this race first" in body


def test_the_bets_of_others_are_no_chips_on_the_viewer_s_track(
    act: Take, player: Player, rival: Player, visit: Visitor
) -> None:
    act(player, "horses.bet", horse="Fargo", dollaries=2)
    assert "you have bet 2 on it" in page(visit, player)
    assert "you have bet" not in page(visit, rival)


def ends(stage: Stage) -> None:
    """Let the running race end with the next run."""
    stage.put(Alexia=(16, 1), Sugar=(16, 2), Fargo=16)
    stage.weeks()


def test_a_race_that_ended_keeps_a_page_with_its_podium_and_its_last_run(
    game: Game, player: Player, rival: Player, stage: Stage, visit: Visitor
) -> None:
    stage.give_horses(rival, "Alexia")
    ends(stage)
    client = visit(player)
    body = on_one_line(client.get("/g/table/horses/races/1/").content.decode())
    assert "Madrid: 50 dollaries" in body
    assert body.count("Agora’s, so nobody has the prize") == 2
    assert "You got nothing from this race." in body
    assert "Alexia, owned by Madrid: first home" in body
    assert "Sugar, not owned by a player: second home" in body
    assert client.get("/g/table/horses/races/2/")["Location"] == "/g/table/horses/"
    assert client.get("/g/table/horses/races/3/").status_code == 404
    listed = on_one_line(client.get("/g/table/horses/races/").content.decode())
    assert "Alexia won" in listed
    assert "Madrid scored 15 points, with the most dollaries." in listed
    api = "/api/v1/games/table/horses/races"
    assert [(race["number"], race["first"]) for race in client.get(api).json()] == [
        (2, None),
        (1, "Alexia"),
    ]
    told = client.get(f"{api}/1").json()
    assert (told["podium"][0]["horse"], told["podium"][0]["owner"]) == ("Alexia", "Madrid")
    assert told["scored"].startswith("Madrid scored 15 points")
    assert client.get(f"{api}/2").status_code == 404


def test_a_race_without_bets_and_owners_is_told_as_a_tie(
    game: Game, player: Player, rival: Player, stage: Stage, visit: Visitor
) -> None:
    ends(stage)
    body = on_one_line(visit(player).get("/g/table/horses/races/1/").content.decode())
    assert "Nobody scored: it was a tie for the most dollaries." in body
    assert "Nobody was paid for it." in body


def test_the_end_of_a_race_is_told_once_at_home_to_who_was_there(
    game: Game, player: Player, stage: Stage, visit: Visitor
) -> None:
    client = visit(player)
    assert "is over" not in client.get("/g/table/").content.decode()
    ends(stage)
    assert "Race 1 is over" in client.get("/g/table/").content.decode()
    assert "Race 1 is over" not in visit(seat(game, "Latecomer")).get("/g/table/").content.decode()
    assert "Race 1 is over" not in visit().get("/g/table/").content.decode()
    client.post("/g/table/moments/", {"entry": game.races.get(number=1).ended_in})
    assert "Race 1 is over" not in client.get("/g/table/").content.decode()


def test_of_two_hundred_races_a_page_leads_to_the_newest_and_to_those_around_it() -> None:
    assert in_a_row(1, 1) == [1]
    assert in_a_row(200, 200) == [*range(200, 188, -1)]
    assert in_a_row(200, 3)[-3:] == [4, 3, 2]


def test_the_page_s_own_next_event_is_large_and_others_are_folded(
    player: Player, visit: Visitor
) -> None:
    clock = visit(player).get("/g/table/horses/").context["game_page"].clock
    assert clock.first.kind.startswith("horses.")
    assert all(event.kind.startswith("horses.") for event in clock.follows)
    assert "dice.week" in {event.kind for event in clock.besides}
    assert "All that is due" in page(visit, player)

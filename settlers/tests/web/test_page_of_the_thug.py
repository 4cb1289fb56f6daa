"""What the isle's page says of times, bribes, losses and needs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.games.models import Game, Player
from settlers.models import Bribe, Isle
from settlers.tests.stage import give, place, visitor_is
from tests.kit import Take, at_the_table, seat

pytestmark = pytest.mark.django_db

Two = tuple[Player, Player]
PAGE = "/g/table/settlers/"


def words(client: Client, part: str = "") -> str:
    """The page as text, from the element of that id on."""
    page = client.get(PAGE).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", page[page.find(f'id="{part}"') :]).split())


@pytest.fixture
def murphys(game: Game, with_the_thug: Game, produced: Two) -> Client:
    """The browser of Murphy, who has 3 wheat, 1 stone and 1 brick; the Thug is here."""
    visitor_is(game, "Thug")
    with at_the_table(game) as table:
        give(table, produced[0], wheat=3, stone=1, brick=1)
    client = Client()
    user = produced[0].user
    assert user is not None
    client.force_login(user)
    return client


def foreseen(client: Client, **amounts: Any) -> str:
    sent = {f"items_{name}": amount for name, amount in amounts.items()}
    answer = client.post(f"{PAGE}bribe/", sent)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_a_bribe_that_is_filled_in_is_reckoned_and_kept_nowhere(game: Game, murphys: Client):
    before = game.entries.count(), game.sealed_entries.count()
    assert "3 wheat and 1 stone: worth 4 ." in foreseen(murphys, wheat=3, stone=1)
    assert "worth 0 , since you have too little stone now" in foreseen(murphys, wheat=3, stone=2)
    assert foreseen(murphys, wheat="") == foreseen(murphys, wheat="x") == ""
    assert (game.entries.count(), game.sealed_entries.count()) == before
    assert not Bribe.objects.exists()
    assert murphys.get(f"{PAGE}bribe/?items_wheat=1").status_code == 405


def test_the_preview_of_a_bribe_knows_nothing_of_the_one_that_was_told(
    produced: Two, murphys: Client, act: Take
):
    before = foreseen(murphys, wheat=1)
    act(produced[0], "settlers.bribe", items={"wheat": 3, "stone": 1})
    assert foreseen(murphys, wheat=1) == before
    assert foreseen(murphys) == ""


def test_who_is_no_settler_is_told_no_value(murphys: Client, outsider: User):
    looking_on = Client()
    looking_on.force_login(outsider)
    assert foreseen(looking_on, wheat=1) == foreseen(Client(), wheat=1) == ""


def test_the_thugs_card_teaches_what_a_bribe_is_worth(game: Game, murphys: Client):
    told = words(murphys, "visitor-title")
    assert "worth 1 from 1 item on and 2 more from 3 items on" in told
    assert "Only your last one counts" in told
    assert "paid when the next Visitor arrives" in told
    assert "your bribe is worth 0" in told
    assert "the Victim is Injured, and cannot harvest it" in told
    assert "its value is" not in told


def test_the_card_of_the_next_production_tells_all_three_moments(game: Game, produced: Two):
    def told() -> str:
        return words(Client(), "production-title")

    at_first = told()
    for title in (
        "It may happen as early as",
        "It happens no later than",
        "The Visitor arrives no",
    ):
        assert title in at_first
    Isle.objects.filter(game=game).update(arrived_for=1)
    afterwards = told()
    assert "The Visitor arrives no later than" in afterwards
    assert afterwards != at_first


def test_an_offer_says_whether_an_item_is_lost(
    game: Game, produced: Two, murphys: Client, act: Take
):
    murphy, madrid = produced
    with at_the_table(game) as table:
        give(table, madrid, brick=1)
    act(madrid, "settlers.offer_trade", to="Murphy", give={"brick": 1}, take={"wheat": 1})
    lost = "· each side loses one item"
    assert lost in words(murphys, "offers")
    act(murphy, "settlers.set_alliance", other="Madrid", listed="on")
    assert lost in words(murphys, "offers")
    act(madrid, "settlers.set_alliance", other="Murphy", listed="on")
    assert lost not in words(murphys, "offers")


def test_a_building_says_what_is_missing_and_a_second_church_that_it_adds_nothing(
    produced: Two, murphys: Client
):
    told = words(murphys, "build-title")
    assert "Church: you lack 1 stone" in told
    assert "another one does nothing more" not in told
    place(produced[0], buildings=["Church", "Farm"])
    assert words(murphys, "build-title").count("another one does nothing more") == 1


def test_names_stand_in_the_order_in_which_people_sort_them(game: Game, murphys: Client, act: Take):
    act(seat(game, "juan"), "settlers.join")
    page = murphys.get(PAGE).content.decode()
    table = page[page.find("What each Settler has") :]
    assert re.findall(r">(juan|Madrid|Murphy)</a>", table) == ["juan", "Madrid", "Murphy"]
    menu = page[page.find('name="to"') :]
    assert re.findall(r"<option[^>]*>(\w+)</option>", menu[: menu.find("</select>")]) == [
        "juan",
        "Madrid",
    ]


def test_what_happened_is_the_isles_own_and_tells_of_nobody_being_ready(produced: Two, act: Take):
    act(produced[0], "settlers.ready")
    told = words(Client(), "happened")
    assert "Resources are produced" in told
    assert "is Ready" not in told
    assert "joins" not in told

"""Exchanges and alliances as players announce them, and as their forms are filled in."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from aceofspades.models import Offer, Pact
from aceofspades.tests.asking import do, hands
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import give_cards
from nomic.games.models import Game, Player
from tests.kit import on_one_line

pytestmark = pytest.mark.usefixtures("uncounted")


@pytest.fixture
def dealt(contest: Game, three: Three) -> Three:
    """Murphy has two Red and a Mauve, Madrid a Green."""
    murphy, madrid, _ = three
    give_cards(contest, murphy, Red=2, Mauve=1)
    give_cards(contest, madrid, Green=1)
    return three


def browser(player: Player) -> Client:
    client = Client()
    assert player.user is not None
    client.force_login(player.user)
    return client


def heard(client: Client, words: str) -> tuple[str, dict[str, Any], str]:
    """The action whose form was answered, what it begins with, and the page's address."""
    answer = client.post("/g/table/say/", {"words": words, "back": "/g/table/"}, follow=True)
    assert answer.status_code == 200
    assert not any("Red" in address or "Madrid" in address for address, _ in answer.redirect_chain)
    page_form = answer.context["page_form"]
    said = {name: value for name, value in page_form.form.initial.items() if name != "back"}
    return page_form.action.name.removeprefix("aceofspades."), said, answer.content.decode()


SAID: list[tuple[str, str, dict[str, str]]] = [
    ("I give Madrid 2 Red and 1 Mauve", "transfer", {"to": "Madrid", "cards": "2 Red and 1 Mauve"}),
    ("I transfer 1 Red to the Deck.", "transfer", {"to": "The Deck", "cards": "1 Red"}),
    (
        "I offer Madrid and Alexia 2 Red for 1 Green",
        "offer",
        {"to": "Madrid and Alexia", "gives": "2 Red", "takes": "1 Green"},
    ),
    (
        "I offer 2 Red to Madrid for 1 Green and 1 Black anonymously",
        "offer",
        {"to": "Madrid", "gives": "2 Red", "takes": "1 Green and 1 Black", "anonymous": "on"},
    ),
    ("I accept offer BCDF", "accept_offer", {"offer": "BCDF"}),
    ("Accept offer BCDF anonymously", "accept_offer", {"offer": "BCDF", "anonymous": "on"}),
    ("I withdraw offer BCDF", "withdraw_offer", {"offer": "BCDF"}),
    ("I ally with Madrid and Alexia", "ally", {"others": "Madrid and Alexia"}),
    ("I agree to pact BCDF", "agree_pact", {"pact": "BCDF"}),
    ("I decline pact BCDF", "decline_pact", {"pact": "BCDF"}),
    ("I leave Alliance 1", "leave_alliance", {"alliance": "1"}),
]


@pytest.mark.thorough
def test_what_contestants_say_fills_the_form_and_stands_in_no_address(dealt: Three):
    client = browser(dealt[0])
    for words, action, said in SAID:
        name, found, page = heard(client, words)
        assert (name, found) == (action, said), words
        assert "<form" in page


def test_forms_are_filled_in_parts(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    parts = {
        "to_Madrid": "on",
        "gives_Red": "2",
        "gives_Mauve": "",
        "takes_Green": "1",
        "anonymous": "on",
    }
    form = browser(murphy).get("/g/table/act/aceofspades.offer/").content.decode()
    for name in ("to_Madrid", "to_Alexia", "gives_Red", "takes_Hearts", "anonymous"):
        assert f'name="{name}"' in form
    assert "to_Murphy" not in form
    send(murphy, "offer", **parts)
    offer = Offer.objects.get()
    assert (offer.gives, offer.takes, offer.anonymous) == ({"Red": 2}, {"Green": 1}, True)
    assert [str(each) for each in offer.to.all()] == ["Madrid"]
    page = browser(madrid).get("/g/table/act/aceofspades.accept_offer/").content.decode()
    assert offer.code in page
    assert (
        offer.code
        not in browser(dealt[2]).get("/g/table/act/aceofspades.accept_offer/").content.decode()
    )
    send(madrid, "accept_offer", offer=offer.code)
    assert hands(murphy, madrid) == [{"Mauve": 1, "Green": 1}, {"Red": 2}]
    send(murphy, "transfer", to="Madrid", cards_Green="1", cards_Mauve="1")
    assert hands(murphy) == [{}]
    send(murphy, "ally", others_Madrid="on")
    send(madrid, "agree_pact", pact=Pact.objects.get().code)
    assert Pact.objects.get().over_at is not None


def send(player: Player, name: str, **parts: str) -> None:
    answer = browser(player).post(
        f"/g/table/act/aceofspades.{name}/", {**parts, "back": "/g/table/"}
    )
    assert answer.status_code in (200, 302), answer.content.decode()[:2000]


def test_what_is_filled_in_wrong_stays_in_the_form(dealt: Three):
    murphy, *_ = dealt
    answer = browser(murphy).post(
        "/g/table/act/aceofspades.transfer/", {"to": "Madrid", "cards_Red": "9"}
    )
    page = on_one_line(answer.content.decode())
    assert answer.status_code == 409
    assert "You have 2 Red, and cannot give 9 Red." in page
    assert 'name="cards_Red" value="9"' in page


def test_a_name_with_and_in_it_is_one_name(contest: Game, dealt: Three):
    from aceofspades.actions.fields import names_in

    known = ["Tom and Jerry", "Spike"]
    assert names_in("tom and jerry, Spike", known) == ["Tom and Jerry", "Spike"]
    assert names_in("Tom, Spike and Jerry", known) == ["Tom", "Spike", "Jerry"]
    do(dealt[0], "ally", others="Madrid and alexia")
    assert Pact.objects.get().members.count() == 3

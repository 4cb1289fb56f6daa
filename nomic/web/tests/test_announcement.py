"""Announcements as players write them become filled forms."""

from typing import Any

import pytest
from django.test import Client

from nomic.engine.actions import all_actions
from nomic.engine.subgames import all_subgames
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.web.announcement import hear
from settlers.rules.titles import THUG
from settlers.tests.stage import bring_the_thug, give, visitor_is
from tests.kit import WEDNESDAY, Visitor, at_the_table, on_one_line, seat, sign_in_client

SAY = "/g/{}/say/"


def say(client: Client, words: str, game: str = "table") -> Any:
    return client.post(SAY.format(game), {"words": words, "back": f"/g/{game}/"}, follow=True)


def heard(answer: Any) -> tuple[str, dict[str, Any]]:
    """The action whose form was answered, and what it begins with."""
    page_form = answer.context["page_form"]
    initial = {name: value for name, value in page_form.form.initial.items() if name != "back"}
    return page_form.action.name, initial


@pytest.mark.parametrize(
    ("words", "action", "said"),
    [
        ("I bet 3 dollaries on Fargo", "horses.bet", {"dollaries": "3", "horse": "Fargo"}),
        ("bet 1 dollary on sugar.", "horses.bet", {"dollaries": "1", "horse": "Sugar"}),
        ("I motivate the horses!", "horses.motivate", {}),
        ("I hereby gain dollaries", "horses.gain_dollaries", {}),
        ("I buy Fargo from Agora", "horses.buy", {"horse": "Fargo"}),
        ("Nudge Nacho forward", "horses.nudge", {"horse": "Nacho", "direction": "forward"}),
        (
            "I get a jersey for Alexia and add Baxter to its pulls",
            "horses.get_jersey",
            {"horse": "Alexia", "added_pull": "Baxter"},
        ),
    ],
)
def test_what_players_say_fills_the_form(
    words: str, action: str, said: dict[str, str], player: Player, visit: Visitor
) -> None:
    assert heard(say(visit(player), words)) == (action, said)


@pytest.mark.parametrize("words", ["", "I bet on a whim", "😀", "a " * 200, "x " * 200])
def test_what_is_not_understood_does_nothing_and_says_so(
    words: str, player: Player, visit: Visitor
) -> None:
    answer = say(visit(player), words)
    assert answer.status_code == 200
    assert "That was not understood" in answer.content.decode()
    assert ("Nothing was done." if words else "Say what you do.") in answer.content.decode()
    assert "{dollaries}" not in answer.content.decode()


def test_the_filled_form_waits_to_be_confirmed(player: Player, visit: Visitor) -> None:
    body = say(visit(player), "bet 2 dollaries on Nacho").content.decode()
    assert '<option value="Nacho" selected' in body
    assert '<option value="2" selected' in body
    assert 'name="back" value="/g/table/"' in body
    assert not player.game.entries.filter(name="horses.bet").exists()


def test_a_form_that_was_heard_leads_back_with_the_receipt(player: Player, htmx: Visitor) -> None:
    sent = {"horse": "Fargo", "dollaries": "3", "key": "k", "back": "/g/table/horses/"}
    here = {"HX-Current-URL": "http://testserver/g/table/say/"}
    answer = htmx(player).post("/g/table/act/horses.bet/", sent, headers=here)
    assert answer["HX-Redirect"] == "/g/table/horses/"


def test_links_that_exist_are_still_heard(player: Player, visit: Visitor) -> None:
    asked = {"words": "bet 2 dollaries on Nacho"}
    answer = visit(player).get("/g/table/say/", asked, follow=True)
    assert heard(answer) == ("horses.bet", {"dollaries": "2", "horse": "Nacho"})


def test_a_stranger_is_asked_to_sign_in_first(game: Game, visit: Visitor) -> None:
    answer = say(visit(), "bet 2 dollaries on Nacho")
    assert answer.redirect_chain[0][0].startswith("/accounts/login/?next=")


@pytest.fixture
def voting(db: None) -> Game:
    """A game in which Murphy has submitted two proposals."""
    game = new_game("voting", "agora-proposals", pace="manual")[0]
    voter = seat(game, "Murphy")
    for body in ("Spoons.", "Forks."):
        take(game.slug, voter, "proposals.submit", {"body": body})
    return game


@pytest.mark.parametrize(
    ("words", "proposal"),
    [("I vote FOR Proposal 2", "Proposal 2"), ("vote for 2", "2"), ("I vote FOR on p2.", "p2")],
)
def test_a_vote_is_heard_as_players_say_it(
    words: str, proposal: str, voting: Game, visit: Visitor
) -> None:
    voter = voting.players.get(name="Murphy")
    answer = say(visit(voter), words, voting.slug)
    name, said = heard(answer)
    assert (name, said["proposal"]) == ("proposals.vote", proposal)
    assert '<option value="2" selected>Proposal 2</option>' in answer.content.decode()


# The isle


@pytest.fixture
def isle(db: None) -> Game:
    """An isle on which Murphy, Madrid and juan are Settlers."""
    game = new_game("isle", "multa", pace="manual", start=WEDNESDAY)[0]
    for name in ("Murphy", "Madrid", "juan"):
        take(game.slug, seat(game, name), "settlers.join")
    return game


@pytest.fixture
def settler(isle: Game, visit: Visitor) -> Client:
    return visit(isle.players.get(name="Murphy"))


BRIBE = "I tell the Onlooker to pay the Thug 1 wheat"
JUAN = {"other": "juan"}


@pytest.mark.parametrize(
    ("words", "action", "said"),
    [
        ("I harvest", "harvest", {}),
        ("I harvest the crop.", "harvest", {}),
        ("I am Ready", "ready", {}),
        ("I am not ready", "not_ready", {}),
        ("I become a Settler", "join", {}),
        ("I settle", "join", {}),
        ("I build a Farm", "build", {"building": "Farm"}),
        ("I build a Cone with brick", "build", {"building": "Cone", "other": "brick"}),
        ("I put juan on my Alliance list", "set_alliance", {**JUAN, "listed": "on"}),
        ("I take juan off my Alliance list", "set_alliance", {**JUAN, "listed": "off"}),
        ("I swap brick for wheat", "swap_with_merchant", {"give": "brick", "take": "wheat"}),
        (
            "I swap 3 brick for 1 wheat with the Merchant",
            "swap_with_merchant",
            {"give": "brick", "take": "wheat"},
        ),
        (
            "I offer Madrid 1 wheat and 2 wood for 1 stone",
            "offer_trade",
            {"to": "Madrid", "give": "1 wheat and 2 wood", "take": "1 stone"},
        ),
        (
            "I offer 1 wheat to Madrid for 1 stone",
            "offer_trade",
            {"to": "Madrid", "give": "1 wheat", "take": "1 stone"},
        ),
    ],
)
def test_what_settlers_say_fills_the_form(
    words: str, action: str, said: dict[str, str], settler: Client
) -> None:
    assert heard(say(settler, words, "isle")) == (f"settlers.{action}", said)


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("I withdraw offer 1", "settlers.cancel_trade"),
        ("I decline offer 1", "settlers.cancel_trade"),
        ("I accept offer 1", "settlers.accept_trade"),
    ],
)
def test_of_two_sentences_the_one_with_most_fixed_words_is_heard(
    words: str, action: str, isle: Game, settler: Client
) -> None:
    trade = {"to": "Murphy", "give": {"wheat": 1}, "take": {"stone": 1}}
    madrid = isle.players.select_related("user").get(name="Madrid")
    with at_the_table(isle) as table:
        give(table, madrid, wheat=1)
    take(isle.slug, madrid, "settlers.offer_trade", trade)
    answer = say(settler, words, "isle")
    assert heard(answer) == (action, {"offer": "1"})
    assert '<option value="1" selected' in answer.content.decode()


@pytest.fixture
def thug(isle: Game) -> None:
    """The Thug visits the isle."""
    with at_the_table(isle) as table:
        bring_the_thug(table)
    visitor_is(isle, THUG)


@pytest.mark.parametrize(
    "words", [BRIBE, "I bribe the Thug with 1 wheat", "I pay the Thug 1 wheat"]
)
@pytest.mark.usefixtures("thug")
def test_a_secret_bribe_is_heard_and_stands_in_no_address(words: str, settler: Client) -> None:
    home = on_one_line(settler.get("/g/isle/").content.decode())
    assert '<form class="say" method="post"' in home
    answer = say(settler, words, "isle")
    assert answer.status_code == 200
    assert heard(answer) == ("settlers.bribe", {"items": "1 wheat"})
    assert 'name="items_wheat"' in answer.content.decode()
    assert not answer.redirect_chain
    assert "wheat" not in str(answer.headers)


@pytest.mark.usefixtures("thug")
def test_with_htmx_the_form_comes_to_the_box_and_other_acts_have_their_address(
    isle: Game, htmx: Visitor
) -> None:
    live = htmx(isle.players.get(name="Murphy"))
    bribe = say(live, BRIBE, "isle")
    assert heard(bribe) == ("settlers.bribe", {"items": "1 wheat"})
    assert "<html" not in bribe.content.decode()
    assert "HX-Redirect" not in bribe
    assert say(live, "I build a Farm", "isle")["HX-Redirect"].startswith(
        "/g/isle/act/settlers.build/"
    )
    unheard = say(live, "I build a Castle", "isle").content.decode()
    assert "“Castle” is not a building" in unheard
    assert "<html" not in unheard


@pytest.mark.usefixtures("thug")
def test_what_an_address_says_of_a_private_act_is_not_taken(settler: Client) -> None:
    for address, query in (
        ("/g/isle/say/", {"words": BRIBE}),
        ("/g/isle/act/settlers.bribe/", {"items": "1 wheat"}),
    ):
        answer = settler.get(address, query)
        assert heard(answer) == ("settlers.bribe", {})


def test_the_box_needs_the_token_of_its_page(isle: Game) -> None:
    strict = Client(enforce_csrf_checks=True)
    sign_in_client(strict, isle.players.get(name="Murphy").user)
    assert say(strict, BRIBE, "isle").status_code == 403


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("I build a Castle", "“Castle” is not a building of this game. Known: "),
        ("I offer Nobody 1 wheat for 1 stone", "“Nobody” is not a Settler of this game. Known: "),
        ("I offer Madrid 1 gold for 1 stone", "“gold” is no resource of the isle. Known: wheat"),
    ],
)
def test_a_blank_that_cannot_be_filled_so_is_told_alone(
    words: str, told: str, settler: Client
) -> None:
    page = say(settler, words, "isle").content.decode()
    assert told in page
    assert "Bet {dollaries}" not in page
    assert "Become a Settler of the isle" not in page


def test_what_the_box_gives_for_an_example_is_understood(player: Player) -> None:
    table = glance(new_game("all", "demo", pace="manual", start=WEDNESDAY)[0])
    forms = [(act, act.Form(table, player)) for act in all_actions() if not act.office]
    with_example = [each for each in all_subgames() if each.for_example]
    assert with_example
    for subgame in with_example:
        understood = hear(subgame.for_example, forms)
        assert understood is not None, subgame.name
        assert understood.action.name.startswith(f"{subgame.name}.")


def test_the_box_gives_an_example_of_what_the_game_plays(player: Player, visit: Visitor) -> None:
    new_game("votes", "agora-proposals", pace="manual", start=WEDNESDAY)
    client = visit(player)
    take("votes", player.user, "games.join", {"name": "Voter"})
    assert 'placeholder="I bet 3 dollaries on Fargo"' in client.get("/g/table/").content.decode()
    assert 'placeholder="I vote FOR on Proposal 1"' in client.get("/g/votes/").content.decode()

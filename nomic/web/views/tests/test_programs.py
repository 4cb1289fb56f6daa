"""What programs of rules add stands on the pages and has its address in the API."""

import json
from typing import Any

import pytest
from django.test import Client

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.web.tokens import make_token
from tests.kit import Take

RULE = "Weekly Race Actions"
PROGRAM = """
```python
@action("gift", "Give {player} {hooves} hooves", title="Give hooves", price="1 hoof")
def gift(me: Player, player: Player, hooves: int = 1):
    if hooves > 3:
        refuse("Nobody gives <b>more</b> than three.")
    give(player, hooves, "hoof")
    state[player] = state.get(player, 0) + hooves

@every("week", title="The hooves are counted")
def counting():
    say(f"{sum(state.values())} hooves were given.")

@before("horses.bet")
def bets(me: Player, inputs: Inputs):
    refuse("Nobody bets today.")

@view("<i>Gifts</i>")
def gifts():
    return table(["Player", "Hooves"], [[p, n] for p, n in state.items()])

@view("As bars")
def as_bars():
    return bars(state, "hooves")

@view("As a line")
def as_a_line():
    return series([1, 3, 2], "hooves")

@view("As a track")
def as_a_track():
    return track(state, 16)

@view("Broken")
def broken():
    give("Murphy", 1, "hoof")
    return table([], [])
```
"""


@pytest.fixture
def programmed(game: Game, player: Player, rival: Player) -> Game:
    text = game.rules.get(title=RULE).text + PROGRAM
    take(game.slug, None, "rulebook.amend", {"rule": RULE, "text": text, "reason": "a test"})
    game.refresh_from_db()
    return game


@pytest.fixture
def browser(programmed: Game, player: Player, client: Client) -> Client:
    assert player.user is not None
    client.force_login(player.user)
    return client


def page(browser: Client, address: str) -> str:
    response = browser.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_an_action_of_a_program_has_its_button_on_the_games_page(browser: Client) -> None:
    html = page(browser, "/g/table/")
    assert "By the programs of rules" in html
    assert 'action="/g/table/act/rule.weekly-race-actions.gift/"' in html
    assert "1 hoof" in html
    assert "The hooves are counted" in html


def test_it_is_done_by_its_form_and_refused_with_its_sentence(browser: Client) -> None:
    address = "/g/table/act/rule.weekly-race-actions.gift/"
    assert "Give hooves" in page(browser, address)
    done = browser.post(address, {"player": "Madrid", "hooves": 2, "key": "one"})
    assert done.status_code == 302
    again = browser.post(address, {"player": "Madrid", "hooves": 2, "key": "one"})
    assert again.status_code == 302
    assert Balance.objects.get(holder__name="Madrid", asset__name="hoof").amount == 2
    refused = browser.post(address, {"player": "Madrid", "hooves": 4})
    assert refused.status_code == 409
    assert "Nobody gives &lt;b&gt;more&lt;/b&gt; than three." in refused.content.decode()
    assert browser.post(address, {"player": "nobody"}).status_code == 422


def test_what_it_shows_is_drawn_and_nothing_of_it_is_markup(
    browser: Client, player: Player, act: Take
) -> None:
    act(player, "rule.weekly-race-actions.gift", player="Madrid", hooves=3)
    html = page(browser, "/g/table/")
    assert "&lt;i&gt;Gifts&lt;/i&gt;" in html
    assert "<i>Gifts" not in html
    assert "<td>Madrid</td>" in html
    assert "A view looks at the game, and does nothing in it" in html
    assert '<polyline points="0,120 160,0 320,60"' in html


def test_the_rules_page_says_what_its_program_adds(browser: Client, programmed: Game) -> None:
    rule = programmed.rules.get(title=RULE)
    html = page(browser, f"/g/table/rules/weekly-race-actions-{rule.pk}/")
    assert "What its program adds" in html
    assert "rule.weekly-race-actions.counting" in html
    assert "Before <code>horses.bet</code>" in html
    assert 'action="/g/table/act/rule.weekly-race-actions.gift/"' in html


def test_nobody_without_a_seat_has_its_button(programmed: Game, client: Client) -> None:
    assert "rule.weekly-race-actions.gift" not in page(client, "/g/table/")
    assert client.post("/g/table/act/rule.weekly-race-actions.gift/").status_code in (302, 403)
    assert client.get("/g/table/act/rule.weekly-race-actions.no/").status_code == 404


def test_the_api_has_its_address_and_lists_the_machinery(
    programmed: Game, player: Player, client: Client
) -> None:
    assert player.user is not None
    head = {"HTTP_AUTHORIZATION": f"Bearer {make_token(player.user, 'a test')[1]}"}
    address = "/api/v1/games/table/actions"
    offered = {each["name"]: each for each in client.get(address, **head).json()}
    schema = offered["rule.weekly-race-actions.gift"]["schema"]
    assert schema["properties"]["hooves"]["type"] == "integer"

    def post(name: str, **inputs: Any) -> Any:
        return client.post(
            f"{address}/{name}", json.dumps(inputs), content_type="application/json", **head
        )

    done = post("rule.weekly-race-actions.gift", player="Madrid")
    assert (done.status_code, done.json()["rule"]) == (201, RULE)
    refused = post("rule.weekly-race-actions.gift", player="Madrid", hooves=9)
    assert (refused.status_code, refused.json()["code"]) == (409, "refused")
    assert post("rule.weekly-race-actions.gift", player=3).status_code == 422
    assert post("rule.weekly-race-actions.no").status_code == 404
    machinery = client.get("/api/v1/games/table/machinery").json()
    assert {"horses.bet", "horses.run", "rule.weekly-race-actions.gift"} <= set(machinery["hooks"])
    [program] = machinery["programs"]
    assert program["actions"] == ["rule.weekly-race-actions.gift"]
    assert program["appointments"][0]["due"] == "2026-03-09T00:00:00.000000Z"
    assert program["hooks"] == ["before horses.bet"]

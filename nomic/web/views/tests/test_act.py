"""Acting from a page: with and without JavaScript, allowed, refused, misshapen, sent twice."""

import re
from itertools import product

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.engine import actions
from nomic.engine.actions import Action, PrivateAction
from nomic.engine.effects import Effects
from nomic.engine.table import Table, glance
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Take, Visitor, on_one_line, seat

BET = "/g/table/act/horses.bet/"
GOOD = {"horse": "Fargo", "dollaries": "3", "key": "once", "back": "/g/table/horses/"}


@pytest.fixture
def browser(player: Player, visit: Visitor) -> Client:
    return visit(player)


@pytest.fixture
def live_browser(player: Player, htmx: Visitor) -> Client:
    return htmx(player)


def test_an_action_comes_back_to_its_page_with_a_receipt(browser: Client, game: Game) -> None:
    answer = browser.post(BET, GOOD)
    assert answer.status_code == 302
    assert answer["Location"] == "/g/table/horses/"
    page = browser.get("/g/table/horses/").content.decode()
    game.refresh_from_db()
    assert f"Recorded as entry {game.last_entry}" in on_one_line(page)
    assert f'href="/g/table/record/{game.last_entry}/"' in page


def test_with_htmx_the_receipt_comes_alone_and_the_page_is_told(
    live_browser: Client, game: Game
) -> None:
    answer = live_browser.post(BET, GOOD)
    assert answer.status_code == 200
    assert answer["HX-Retarget"] == "#receipt"
    assert "moved" in answer["HX-Trigger"]
    assert "Recorded as entry" in answer.content.decode()
    assert "<html" not in answer.content.decode()


class Murmur(PrivateAction):
    """Say something that nobody hears."""

    name = "testing.murmur"
    title = "Murmur"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(say=f"{player} murmurs.")


def test_the_receipt_of_a_private_act_has_its_hash_and_no_number(
    browser: Client, live_browser: Client, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(actions._ACTIONS, Murmur.name, Murmur())
    alone = live_browser.post("/g/table/act/testing.murmur/", {"key": "k1"}).content.decode()
    first = game.sealed_entries.get(name=Murmur.name)
    browser.post("/g/table/act/testing.murmur/", {"key": "k2", "back": "/g/table/horses/"})
    page = browser.get("/g/table/horses/").content.decode()
    second = game.sealed_entries.filter(name=Murmur.name).latest("seq")
    for shown, sealed in ((alone, first), (page, second)):
        assert f"Sealed under the hash <code>{sealed.content_hash[:8]}…</code>" in shown
        fold = shown[shown.index('<details class="sealed"') :].partition("</details>")[0]
        assert shown.count(sealed.content_hash) == fold.count(sealed.content_hash) == 2
        assert sealed.hash not in shown
        assert " open" not in fold.partition("<summary>")[0]
        assert "Recorded as entry" not in shown
    assert "/record/" not in alone


class Knock(Action):
    """Knock where nobody opens."""

    name = "testing.knock"
    title = "Knock"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(say=f"{player} knocks, and nobody opens.", figures={"failed": "nobody_in"})


def test_what_came_to_nothing_is_kept_and_looks_like_no_success(
    browser: Client, live_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(actions._ACTIONS, Knock.name, Knock())
    knock = "/g/table/act/testing.knock/"
    alone = live_browser.post(knock, {"key": "k1"}).content.decode()
    again = live_browser.post(knock, {"key": "k1"}).content.decode()
    browser.post(knock, {"key": "k2", "back": "/g/table/horses/"})
    page = browser.get("/g/table/horses/").content.decode()
    for shown in (alone, again, page):
        receipt = shown[shown.index('<div class="notice warn" data-receipt') :].partition("</div>")[
            0
        ]
        assert "#triangle-alert" in receipt
        assert "circle-check" not in receipt
        assert "Murphy knocks, and nobody opens." in receipt
        assert "Recorded as entry" in receipt


def test_a_form_that_is_sent_twice_acts_once(browser: Client, game: Game) -> None:
    browser.post(BET, GOOD)
    game.refresh_from_db()
    last = game.last_entry
    assert browser.post(BET, GOOD).status_code == 302
    game.refresh_from_db()
    assert game.last_entry == last


def test_a_form_that_is_sent_again_with_something_else_in_it_says_so_and_can_be_sent(
    browser: Client, game: Game
) -> None:
    browser.post(BET, GOOD)
    game.refresh_from_db()
    last = game.last_entry
    answer = browser.post(BET, {**GOOD, "horse": "Sugar"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "This key was used for" in page
    assert 'name="key" value="once"' not in page
    game.refresh_from_db()
    assert game.last_entry == last


@pytest.mark.parametrize("kind", ["browser", "live_browser"])
def test_a_refused_action_keeps_the_form_filled_and_says_why(
    kind: str, game: Game, request: pytest.FixtureRequest
) -> None:
    client: Client = request.getfixturevalue(kind)
    client.post(BET, GOOD)
    answer = client.post(BET, {**GOOD, "horse": "Sugar", "dollaries": "1", "key": "again"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "You have taken your race action of this week" in page
    assert "/g/table/rules/weekly-race-actions-" in page
    assert re.search(r'<option value="Sugar"[^>]* selected', page)
    assert ("<html" in page) == (kind == "browser")


def test_a_form_that_nothing_filled_in_could_help_is_its_reason_alone(browser: Client) -> None:
    assert '<select name="horse"' in browser.get(BET).content.decode()
    browser.post(BET, GOOD)
    page = browser.get(BET).content.decode()
    assert "You have taken your race action of this week" in page
    assert "/g/table/rules/weekly-race-actions-" in page
    assert '<select name="horse"' not in page
    assert f'action="{BET}"' not in page
    filled = browser.get(f"{BET}?horse=Sugar&dollaries=1").content.decode()
    assert "You have taken your race action of this week" in filled
    assert re.search(r'<option value="Sugar"[^>]* selected', filled)


def test_misshapen_inputs_are_told_at_their_field(browser: Client, game: Game) -> None:
    answer = browser.post(BET, {"horse": "Pegasus", "dollaries": "a lot", "key": "k"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "“Pegasus” is not a horse of this game" in page
    assert 'aria-invalid="true"' in page


VALUES = ("", "x" * 300_000, "-9" * 30, "9" * 90)


def test_no_form_speaks_the_words_of_the_framework(player: Player) -> None:
    table = glance(player.game)
    forms = {act.Form: act.name for act in actions.all_actions()}
    wrong = []
    for (form_class, name), value in product(forms.items(), VALUES):
        form = form_class(table, player, dict.fromkeys(form_class.base_fields, value))
        told = " ".join(str(error) for errors in form.errors.values() for error in errors)
        if re.search("This field|Ensure|Enter a|Select a valid", told):
            wrong.append((name, told[-300:]))
    assert wrong == []


def test_an_empty_blank_asks_to_be_filled(browser: Client) -> None:
    page = browser.post(BET, {"horse": "", "dollaries": "1", "key": "k"}).content.decode()
    assert "Horse: Fill this in." in page


@pytest.mark.parametrize("kind", ["browser", "live_browser"])
def test_what_cannot_be_undone_asks_once(
    kind: str, game: Game, player: Player, request: pytest.FixtureRequest
) -> None:
    client: Client = request.getfixturevalue(kind)
    asked = client.post("/g/table/act/games.leave/", {"key": "bye"})
    assert asked.status_code == 200
    assert "You give up your offices" in asked.content.decode()
    player.refresh_from_db()
    assert player.active
    client.post("/g/table/act/games.leave/", {"key": "bye", "confirmed": "yes"})
    player.refresh_from_db()
    assert not player.active


def test_what_is_refused_is_not_asked_about(browser: Client, game: Game, rival: Player) -> None:
    given = {"horse": "Fargo", "to": "Madrid", "key": "gift"}
    answer = browser.post("/g/table/act/horses.transfer/", given)
    assert answer.status_code == 409
    assert "You do not own Fargo" in answer.content.decode()


def test_a_stranger_is_sent_to_sign_in_and_nothing_happens(
    game: Game, visit: Visitor, htmx: Visitor
) -> None:
    assert visit().post(BET, GOOD)["Location"].startswith("/accounts/login/?next=")
    assert htmx().post(BET, GOOD).status_code == 401  # the page asks to sign in, over what it has
    game.refresh_from_db()
    assert game.last_entry == 1


def test_an_outsider_is_refused_in_words(game: Game, outsider: User, visit: Visitor) -> None:
    answer = visit(outsider).post(BET, {**GOOD})
    assert answer.status_code == 409
    assert "Join it first" in answer.content.decode()


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "javascript:x", ""])
def test_an_action_never_leads_to_another_site(back: str, browser: Client, game: Game) -> None:
    assert browser.post(BET, {**GOOD, "back": back})["Location"] == "/g/table/"


def test_joining_seats_the_visitor_under_the_name_they_chose(
    game: Game, outsider: User, visit: Visitor
) -> None:
    client = visit(outsider)
    page = client.get("/g/table/join/").content.decode()
    assert 'value="juan"' in page
    client.post("/g/table/act/games.join/", {"name": "Juan of Agora", "key": "j"})
    assert game.players.get(user=outsider).name == "Juan of Agora"
    assert client.get("/g/table/join/")["Location"] == "/g/table/"


def test_a_taken_name_is_refused_beside_the_filled_form(
    game: Game, player: Player, outsider: User, visit: Visitor
) -> None:
    answer = visit(outsider).post("/g/table/act/games.join/", {"name": "murphy", "key": "j"})
    assert answer.status_code == 409
    assert "There is a player “Murphy” already" in answer.content.decode()


def test_a_choice_that_would_be_refused_is_greyed_out(
    player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(rival, "horses.buy", horse="Fargo")
    page = visit(player).get("/g/table/act/horses.buy/").content.decode()
    assert re.search(r'<option value="Fargo" disabled', page)
    assert not re.search(r'<option value="Sugar" disabled', page)


def test_alexias_power_is_offered_to_her_owner_only(
    player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(rival, "horses.buy", horse="Alexia")
    assert "via_alexia" not in visit(player).get("/g/table/horses/").content.decode()
    owners = visit(rival).get("/g/table/act/horses.gain_dollaries/").content.decode()
    assert re.search(r'name="via_alexia"[^>]* checked', owners)


def test_not_now_gives_each_reason_with_its_rule(player: Player, act: Take, visit: Visitor) -> None:
    act(player, "horses.gain_dollaries")
    page = visit(player).get("/g/table/horses/").content.decode()
    assert "What you cannot do now, and why" in page
    assert "Wait for the next week" in page
    assert page.count("You have taken your race action of this week") == 1


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_not_answered(method: str, browser: Client, game: Game) -> None:
    assert getattr(browser, method)(BET).status_code == 405


@pytest.mark.parametrize("value", ["", "-1", "1e9", "\x00", "🐎" * 500, "3 "])
def test_nonsense_in_a_form_is_answered_in_words(value: str, browser: Client, game: Game) -> None:
    answer = browser.post(BET, {"horse": value, "dollaries": value, "key": value, "back": value})
    assert answer.status_code in (409, 422)
    game.refresh_from_db()
    assert not game.entries.filter(name="horses.bet").exists()


def test_a_form_on_a_page_of_its_own_leads_back_with_the_receipt(
    live_browser: Client, browser: Client, game: Game
) -> None:
    page = {"HX-Current-URL": f"http://testserver{BET}?back=/g/table/horses/"}
    answer = live_browser.post(BET, GOOD, headers=page)
    assert answer["HX-Redirect"] == "/g/table/horses/"
    game.refresh_from_db()
    back = live_browser.get("/g/table/horses/", headers={"HX-Request": "false"}).content.decode()
    assert f"Recorded as entry {game.last_entry}" in on_one_line(back)


def test_a_refusal_on_a_page_of_its_own_stays_there(live_browser: Client) -> None:
    page = {"HX-Current-URL": f"http://testserver{BET}"}
    answer = live_browser.post(BET, {**GOOD, "dollaries": "999999"}, headers=page)
    assert answer.status_code in (409, 422)
    assert "HX-Redirect" not in answer


def test_the_page_of_an_act_that_the_game_does_not_know_says_so(visit: Visitor, db: None) -> None:
    game = new_game("isle", "multa", pace="manual", start=WEDNESDAY)[0]
    browser = visit(seat(game, "Murphy"))
    for name in ("horses.get_jersey", "horses.get_helmet", "horses.buy"):
        answer = browser.get(f"/g/isle/act/{name}/")
        assert answer.status_code == 200
        assert "the rule that would allow it is not in force" in answer.content.decode()


@pytest.mark.parametrize("charset", ["utf8", "UTF-8", "u8"])
def test_utf_8_is_utf_8_by_its_other_names(browser: Client, charset: str) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    answer = browser.generic("POST", "/g/table/say/", "words=ça va".encode(), content_type=kind)
    assert answer.status_code == 200
    assert "ça va" in answer.content.decode()


@pytest.mark.parametrize("charset", ["utf-16", "latin-1", "x" * 300])
def test_a_form_in_another_charset_is_refused_with_a_sentence(
    browser: Client, game: Game, charset: str
) -> None:
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    before = Game.objects.get(pk=game.pk).last_entry
    for path in (BET, "/accounts/login/", "/g/table/say/"):
        answer = browser.generic("POST", path, "horse=Fargo".encode("utf-16"), content_type=kind)
        assert answer.status_code == 415
        assert "sent in UTF-8" in answer.content.decode()
    game.refresh_from_db()
    assert game.last_entry == before

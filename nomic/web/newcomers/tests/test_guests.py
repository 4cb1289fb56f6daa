"""Guests: a seat by one click, kept under a name and a password, or struck when it is not used."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.web.demonstration import end_filling, report_filling
from nomic.web.models import Guest
from nomic.web.newcomers import guests
from nomic.web.tasks import strike_guests
from tests.kit import WEDNESDAY, Visitor, on_one_line

pytestmark = pytest.mark.django_db
ACCOUNT = {"username": "Wonko", "password1": "a long enough one", "password2": "a long enough one"}


@pytest.fixture
def demo(db: None) -> Game:
    return new_game("demo", "agora", pace="manual", start=WEDNESDAY)[0]


@pytest.fixture
def guest(demo: Game) -> Client:
    client = Client()
    assert client.post("/try/").url == "/g/demo/"  # type: ignore[attr-defined]
    return client


def page(client: Client, path: str) -> str:
    return on_one_line(client.get(path, follow=True).content.decode())


def test_one_click_gives_a_seat_in_the_demonstration(demo: Game, guest: Client) -> None:
    seat = Player.objects.get(game=demo)
    assert seat.name == str(Guest.objects.get())
    assert f"you are {seat.name}" in page(guest, "/g/demo/")
    assert "Keep this seat" in page(guest, "/")
    assert not seat.user.has_usable_password()
    assert not seat.user.email


def test_who_has_a_seat_already_comes_back_to_it(demo: Game, guest: Client) -> None:
    assert guest.post("/try/").url == "/g/demo/"  # type: ignore[attr-defined]
    assert Guest.objects.count() == 1
    seat = Player.objects.get(game=demo)
    take("demo", seat, "games.leave")
    guest.post("/try/")
    seat.refresh_from_db()
    assert seat.active


def test_somebody_with_an_account_joins_with_it(demo: Game, outsider: User, visit: Visitor) -> None:
    assert visit(outsider).post("/try/").url == "/g/demo/join/"
    assert not Guest.objects.exists()


def test_a_name_that_somebody_else_took_is_passed_over(demo: Game, outsider: User) -> None:
    client = Client()
    following = Guest.objects.create(
        user=User.objects.create(username="gone"), place="", made_at=demo.anchor_wall
    )
    take("demo", outsider, "games.join", {"name": f"Guest {following.pk + 1}"})
    client.post("/try/")
    assert Player.objects.filter(name__startswith=f"Guest {following.pk + 1} ").exists()


def test_a_guest_becomes_an_account_with_the_same_seat(demo: Game, guest: Client) -> None:
    seat = Player.objects.get(game=demo)
    assert "Keep your seat" in page(guest, "/keep/")
    assert guest.post("/keep/", {"username": "x"}).status_code == 422
    assert guest.post("/keep/", ACCOUNT).url == "/g/demo/"  # type: ignore[attr-defined]
    assert "Keep this seat" not in page(guest, "/")
    assert not Guest.objects.exists()
    again = Client()
    assert again.login(username="Wonko", password=ACCOUNT["password1"])
    assert "Play as Wonko" in page(again, "/")
    former, seat = seat.name, Player.objects.get(game=demo)
    assert seat.name == "Wonko"
    assert f"{former} goes by the name Wonko from now on." in page(again, "/g/demo/record/")
    assert guest.get("/keep/").status_code == 302


def test_guests_make_no_more_accounts_than_others_do(
    demo: Game, guest: Client, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/h/ip"}
    assert guest.post("/keep/", ACCOUNT).status_code == 302
    second = Client()
    second.post("/try/")
    assert second.post("/keep/", {**ACCOUNT, "username": "Zarniwoop"}).status_code == 429
    assert Guest.objects.count() == 1
    assert not User.objects.filter(username="Zarniwoop").exists()


@pytest.mark.thorough
def test_what_an_account_may_a_guest_may_not_and_is_told_why(demo: Game, guest: Client) -> None:
    new_game("another", "agora-races", pace="manual", start=WEDNESDAY)
    for path in ("/settings/tokens/", "/accounts/email/", "/accounts/password/set/", "/start/"):
        told = page(guest, path)
        assert "This needs an account" in told
        assert "Choose a name and a password" in told
    assert "A guest plays in the demonstration only" in page(guest, "/g/another/join/")
    sent = {"name": "Somebody else"}
    assert guest.post("/g/another/act/games.join/", sent).status_code == 409
    assert not Player.objects.filter(game__slug="another").exists()
    for said in ("Joining other", "starting one", "API tokens"):
        assert said in page(Client(), "/")


@pytest.mark.thorough
def test_too_many_from_one_address_are_told_when_to_come_again(demo: Game, settings: Any) -> None:
    for _ in range(guests.FROM_AN_ADDRESS):
        assert Client().post("/try/").status_code == 302
    answer = Client().post("/try/")
    assert answer.status_code == 429
    assert "Try again in an hour, or sign up" in answer.content.decode()
    Guest.objects.update(made_at=F("made_at") - guests.IN_AN_HOUR)
    assert Client().post("/try/").status_code == 302


def test_too_many_from_everywhere_are_told_so_too(demo: Game, settings: Any) -> None:
    settings.GUESTS_AN_HOUR = 2
    elsewhere = [Client(REMOTE_ADDR=f"192.0.2.{number}") for number in range(3)]
    assert [each.post("/try/").status_code for each in elsewhere] == [302, 302, 429]
    assert User.objects.count() == 2


def test_a_guest_who_did_nothing_for_a_day_leaves_and_is_struck(demo: Game, guest: Client) -> None:
    seat = Player.objects.get(game=demo)
    assert strike_guests() == 0
    came = demo.entries.get(actor=seat, name="games.join").recorded_at
    Guest.objects.update(made_at=came - 2 * guests.KEPT)
    assert guests.strike_idle_guests(came) == 0, "they came to the game just now"
    assert guests.strike_idle_guests(came + guests.KEPT) == 1
    seat.refresh_from_db()
    assert (seat.active, seat.user) == (False, None)
    assert not User.objects.exists()
    assert demo.entries.filter(text=f"{seat.name} joins the game.").exists()
    assert "Try it now" in page(guest, "/"), "the session ended with the user"


def test_nobody_joins_a_game_that_is_being_filled(
    demo: Game, outsider: User, visit: Visitor
) -> None:
    report_filling("demo", "Week 3 is played.", 3, 10)
    stranger = visit()
    front = stranger.get("/").content.decode()
    assert "Week 3 is played." in front
    assert "Try it now" not in front
    assert "/g/demo/join/" not in front
    assert "Week 3 is played." in stranger.get("/g/demo/").content.decode()
    assert "30 % done" in stranger.post("/try/").content.decode()
    member = visit(outsider)
    assert "30 % done" in member.get("/g/demo/join/").content.decode()
    assert member.post("/g/demo/act/games.join/", {"name": "Alice"}).status_code == 409
    assert not Player.objects.filter(game=demo).exists()
    end_filling("demo")
    assert "Try it now" in stranger.get("/").content.decode()
    assert visit(HX_Request="true", HX_Target="filling").get("/g/demo/")["HX-Refresh"] == "true"


def test_a_name_that_the_seat_cannot_have_is_no_name_of_the_account(
    demo: Game, guest: Client
) -> None:
    """What was typed stays, the guest stays a guest, and nothing changes in the game."""
    last = demo.entries.count()
    answer = guest.post("/keep/", {**ACCOUNT, "username": "a+b@c"})
    told = on_one_line(answer.content.decode())
    assert answer.status_code == 422
    assert "you cannot go by this name. A name has letters, digits, spaces" in told
    assert 'value="a+b@c"' in told
    assert Guest.objects.exists()
    assert demo.entries.count() == last

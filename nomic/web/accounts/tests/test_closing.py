"""An account is closed: one is told what goes, and nothing is left but what the record needs."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Admission, Game, Invitation, Player
from nomic.governance.hosting.talk import say
from nomic.governance.models import Complaint, Remark
from nomic.notices.models import AccountLetter, Browser, Choices, Notice, Outgoing
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.quotas import holds
from nomic.quotas.models import Hold, UsageKind, Used, What
from nomic.record.models import SeenHead
from nomic.web.accounts.closing import close_account, go_on_closing
from nomic.web.models import Closing, Guest, OwnCopy
from nomic.web.tokens import find_token, make_token
from proposals.models import Draft
from settlers.models import Visit
from settlers.tests.sealed import act, thugs_isle
from settlers.tests.stage import hours
from tests.kit import on_one_line, seat, user_of

CANARY = "Quetzalcoatlus"
ADDRESS = f"{CANARY}@nomic.example".lower()
PASSWORD = "a longer walk to Nacho"
PAGE = "/settings/account/close/"


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def leaver(game: Game) -> User:
    """Somebody whose account has something everywhere, and who plays as Murphy."""
    user = User.objects.create_user(CANARY, ADDRESS, PASSWORD)
    take(game.slug, user, "games.join", {"name": "Murphy"})
    return user


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("operator", password=PASSWORD)


def signed_in(user: User) -> Client:
    """A browser in which they have signed in just now."""
    client = Client()
    client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def rows_with(word: str) -> list[str]:
    """The tables of the database in which any row has that word, in whatever column."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        found = []
        for table in tables:
            name = connection.ops.quote_name(table)
            cursor.execute(
                f"SELECT count(*) FROM {name} AS r WHERE lower(r::text) LIKE %s",
                [f"%{word.lower()}%"],
            )
            found += [table] if cursor.fetchone()[0] else []
    return found


def closes(client: Client, name: str = CANARY) -> Any:
    return client.post(PAGE, {"name": name})


def test_nothing_is_left_but_what_the_record_needs(game: Game, leaver: User, rival: Player) -> None:
    client, wall = signed_in(leaver), wall_now()
    murphy = game.players.get(name="Murphy")
    plain = make_token(leaver, f"token of {CANARY}")[1]
    EmailAddress.objects.create(user=leaver, email=ADDRESS, verified=True, primary=True)
    Authenticator.objects.create(user=leaver, type="totp", data={"secret": CANARY})
    Choices.objects.create(user=leaver, webhook=f"https://{CANARY}.example/")
    Browser.objects.create(user=leaver, endpoint=f"https://push/{CANARY}", p256dh="x", auth="y")
    AccountLetter.objects.create(
        to=ADDRESS.upper(), subject="x", body=f"Hello {CANARY}", at=wall, due_at=wall
    )
    OwnCopy.objects.create(user=leaver, asked_at=wall)
    Draft.objects.create(player=murphy, title=CANARY, body=CANARY, saved_at=wall)
    say(murphy, f"I am {CANARY}", wall, 6)
    Invitation.objects.create(game=game, made_by=leaver, name=f"of {CANARY}", most=1, made_at=wall)
    Complaint.objects.create(
        game=game, by=leaver, about=rival, words=CANARY, at=wall, settled_at=wall
    )
    other = new_game("other", "nomic", pace="manual")[0]
    asked = Admission.objects.create(game=other, user=leaver, state="asked", words=CANARY, at=wall)
    told = {"game": other, "kind": "host", "text": f"{CANARY} asks", "url": "/", "at": wall}
    about = f"{other.pk}/asks {asked.pk}/host"
    Notice.objects.create(user=rival.user, about=about, **told)
    Outgoing.objects.create(about=about, to=[], users=[rival.user_id], **told)
    SeenHead.objects.create(game=other, name=f"@{CANARY}", number=1, hash="0" * 64, at=wall)
    Hold.objects.create(
        what=What.OUT,
        kind=UsageKind.USER,
        number=leaver.pk,
        name=CANARY,
        reason="x",
        at=wall,
        ended_at=wall,
    )
    Used.objects.create(day=wall.date(), kind=UsageKind.USER, number=leaver.pk, requests=3)
    assert len(rows_with(CANARY)) > 10
    answer = closes(client)
    assert "Your account is closed" in answer.text
    assert answer.headers["Clear-Site-Data"]
    assert find_token(plain) is None
    assert rows_with(CANARY) == []
    assert go_on_closing() == 1
    assert not User.objects.filter(pk=leaver.pk).exists()
    assert rows_with(CANARY) == []
    assert client.get("/settings/").status_code == 302
    murphy.refresh_from_db()
    assert (murphy.active, murphy.user, murphy.name) == (False, None, "Murphy")
    assert Remark.objects.get().deleted_at
    assert "Murphy leaves the game." in game.entries.latest("seq").text
    assert replay(game)[1] is None


@pytest.fixture
def visited_isle(db: None) -> Game:
    """The Thug is here: Murphy and Madrid bribe it, a proposal is voted on, snail is Onlooker."""
    game = thugs_isle()
    act(game, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    for name in ("Murphy", "Madrid"):
        act(game, name, "settlers.bribe", items={"stone": 1})
    act(game, "Murphy", "proposals.submit", title="A wall", body="Build a wall.")
    User.objects.filter(username__in=("Murphy", "snail")).update(password=make_password(PASSWORD))
    return game


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Murphy", "snail"])
def test_who_is_in_the_middle_of_it_is_told_before_and_the_game_goes_on(
    visited_isle: Game, name: str
) -> None:
    client = signed_in(User.objects.get(username=name))
    page = on_one_line(client.get(PAGE).text)
    assert f"as {name}" in page
    assert ("the office of Onlooker falls vacant" in page) is (name == "snail")
    assert "votes that you cast, bribes, offers" in page
    closes(client, name)
    assert go_on_closing() == 1
    hours(visited_isle, 24 * 7)
    visited_isle.refresh_from_db()
    assert (visited_isle.stuck_at, visited_isle.set_aside) == (None, "")
    assert Visit.objects.filter(game=visited_isle, over_in__isnull=False).exists()
    assert not visited_isle.offices.filter(holder__name=name).exists()
    assert replay(visited_isle)[1] is None


def test_the_games_of_its_only_host_are_their_players_and_the_operators(
    game: Game, leaver: User, rival: Player, operator: User
) -> None:
    Game.objects.filter(pk=game.pk).update(host=leaver)
    over = new_game("over", "nomic", pace="manual", host=leaver)[0]
    take("over", leaver, "games.close", {"reason": "It is over."})
    client = signed_in(leaver)
    page = client.get(PAGE).text
    assert "any of them can become the" in page
    closes(client)
    assert go_on_closing() == 1
    game.refresh_from_db()
    over.refresh_from_db()
    assert (game.host, over.host) == (None, None)
    told = Outgoing.objects.get(game=game, kind="host", text__contains="nobody is its host now")
    assert (told.to, told.users) == (None, [operator.pk])
    take(game.slug, rival, "games.choose_host", {"player": rival.name})


def test_the_last_operator_stays(operator: User) -> None:
    client = signed_in(operator)
    assert "createsuperuser" in client.get(PAGE).text
    assert "createsuperuser" in closes(client, operator.username).text
    assert User.objects.get(pk=operator.pk).is_active
    User.objects.create_superuser("another")
    assert "Your account is closed" in closes(client, operator.username).text


def test_nobody_closes_one_by_a_slip_or_without_the_password(leaver: User, client: Client) -> None:
    answer = closes(signed_in(leaver), "Quetzal")
    assert (answer.status_code, "Type that." in answer.text) == (422, True)
    client.force_login(leaver)
    assert closes(client).url.startswith("/accounts/reauthenticate/")
    assert not Closing.objects.exists()


def test_a_guest_is_led_to_an_account(client: Client, db: None) -> None:
    guest = user_of("guest-1")
    Guest.objects.create(user=guest, place="x", made_at=wall_now())
    client.force_login(guest)
    assert client.get(PAGE).url == "/keep/"


def test_all_sessions_end_at_once_and_are_forgotten_by_beat(leaver: User, rival: Player) -> None:
    elsewhere, other = signed_in(leaver), Client()
    assert rival.user is not None
    other.force_login(rival.user)
    closes(signed_in(leaver))
    assert elsewhere.get("/settings/").status_code == 302
    elsewhere.force_login(leaver)  # one that nobody has used since
    go_on_closing()
    owners = [session.get_decoded().get(SESSION_KEY) for session in Session.objects.all()]
    assert owners == [str(rival.user_id)]
    assert other.get("/settings/").status_code == 200


def test_a_game_that_cannot_let_them_go_is_asked_again(game: Game, leaver: User) -> None:
    other = new_game("other", "nomic", pace="manual")[0]
    take("other", leaver, "games.join", {"name": "Murphy"})
    holds.hold(What.OUT, UsageKind.GAME, game.pk, "the game", "It costs too much.")
    close_account(leaver)
    assert go_on_closing() == 0
    assert [game.players.get().active, other.players.get().active] == [True, False]
    assert rows_with(CANARY) == []
    assert not User.objects.get(pk=leaver.pk).is_active
    holds.release(What.OUT, UsageKind.GAME, game.pk)
    assert go_on_closing() == 1
    assert game.players.get().user is None


def test_what_was_begun_and_broke_off_is_done_by_beat(leaver: User) -> None:
    Closing.objects.create(user=leaver, asked_at=wall_now())
    assert go_on_closing() == 1
    assert rows_with(CANARY) == []
    assert go_on_closing() == 0


@pytest.mark.thorough
def test_who_comes_back_is_somebody_else(game: Game, leaver: User) -> None:
    close_account(leaver)
    go_on_closing()
    again = seat(game, "Quetzal")
    assert again.pk != game.players.get(name="Murphy").pk


@pytest.mark.thorough
def test_seats_go_by_the_name_of_a_former_player_where_one_asks_for_it(
    game: Game, leaver: User, client: Client
) -> None:
    over = new_game("over", "agora-races", pace="manual", host=leaver)[0]
    take("over", leaver, "games.join", {"name": "Murphy"})
    take("over", leaver, "games.close", {"reason": "It is over."})
    first = User.objects.create_user("Madrid")
    take(game.slug, first, "games.join", {"name": "Madrid"})
    close_account(first, renames=True)
    assert go_on_closing() == 1
    browser = signed_in(leaver)
    page = browser.get(PAGE).text
    assert "/g/table/act/games.rename/" in page
    assert browser.post(PAGE, {"name": CANARY, "renames": "on"}).status_code == 200
    assert go_on_closing() == 1
    names = game.players.order_by("pk").values_list("name", flat=True)
    assert list(names) == ["Former player 2", "Former player 1"]
    assert over.players.get().name == "Former player 1"
    assert client.get("/g/table/players/Murphy/").url == "/g/table/players/Former%20player%202/"
    assert "Murphy joins the game." in client.get("/g/table/record/").text
    assert replay(game)[1] is None


def test_a_seat_is_renamed_once_its_game_goes_on_whatever_others_are_called(
    game: Game, leaver: User, rival: Player
) -> None:
    take(game.slug, rival, "games.rename", {"name": "former player 1"})
    take(game.slug, leaver, "games.leave")
    Game.objects.filter(pk=game.pk).update(set_aside="Its operator looks at it.")
    close_account(leaver, renames=True)
    assert go_on_closing() == 0
    Game.objects.filter(pk=game.pk).update(set_aside="")
    assert go_on_closing() == 1
    assert game.players.exclude(pk=rival.pk).get().name == "Former player 2"


def test_a_letter_to_somebody_else_who_owns_the_address_is_sent(leaver: User) -> None:
    """Anybody may name any address."""
    owner, wall = user_of("owner"), wall_now()
    EmailAddress.objects.create(user=owner, email=ADDRESS, verified=True, primary=True)
    EmailAddress.objects.create(user=leaver, email=ADDRESS, verified=False)
    AccountLetter.objects.create(to=ADDRESS, subject="x", body="Hello", at=wall, due_at=wall)
    close_account(leaver)
    assert AccountLetter.objects.count() == 1

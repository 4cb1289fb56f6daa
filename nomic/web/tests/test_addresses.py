"""Whose an e-mail address is, and that nobody learns which ones have accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import get_hasher
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.games.admission import token_of
from nomic.games.clock import wall_now
from nomic.games.models import Game, Invitation
from nomic.notices import tasks
from nomic.web.models import Guest
from tests.kit import WEDNESDAY, user_of

PASSWORD = "a longer walk to Nacho"
TAKEN, FREE = "murphy@nomic.example", "madrid@nomic.example"


@pytest.fixture(autouse=True)
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        yield wall


@pytest.fixture(autouse=True)
def owner(db: None) -> User:
    user = User.objects.create_user("Murphy", TAKEN, PASSWORD)
    EmailAddress.objects.create(user=user, email=TAKEN, verified=True, primary=True)
    return user


@pytest.fixture
def doors(game: Game) -> dict[str, str]:
    """The addresses at which one signs up, by their kinds."""
    link = Invitation.objects.create(game=game, name="Friends", most=100, made_at=wall_now())
    return {
        "sign-up": "/accounts/signup/",
        "invitation": f"/i/{token_of(link)}/",
        "keep": "/keep/",
    }


def newcomer(door: str, number: int) -> Client:
    """A new browser at an address of its own; a guest's, where a seat is kept."""
    client = Client(REMOTE_ADDR=f"10.0.0.{number}")
    if door == "/keep/":
        guest = user_of(f"guest-{number}")
        Guest.objects.create(user=guest, place="x", made_at=wall_now())
        client.force_login(guest)
    return client


def form(name: str, email: str) -> dict[str, str]:
    return {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}


@pytest.mark.parametrize("kind", ["sign-up", "invitation", "keep"])
def test_a_taken_address_makes_an_account_as_a_free_one_does_and_its_owner_is_told(
    kind: str, doors: dict[str, str]
) -> None:
    answers, letters = [], []
    for number, email in enumerate((FREE, TAKEN)):
        client = newcomer(doors[kind], number)
        name = f"Somebody{number}"
        answer = client.post(doors[kind], form(name, email))
        page = client.get(answer.url).text
        assert User.objects.filter(username=name).exists()
        told = re.findall(r"[^<>]*letter[^<>]*", page)
        answers.append((answer.status_code, answer.url, str(told).replace(email, "…")))
        tasks.send()
        letters.append(mail.outbox.pop())
        assert not mail.outbox
        assert not EmailAddress.objects.get(user__username=name).verified
    assert answers[0] == answers[1]
    assert "A letter to … is on its way" in answers[0][2]
    assert "/accounts/confirm-email/" in letters[0].body
    assert "/accounts/confirm-email/" not in letters[1].body
    assert "belongs to another account already" in letters[1].body
    assert letters[1].to == [TAKEN]


@pytest.mark.parametrize("kind", ["sign-up", "invitation", "keep"])
def test_both_take_as_many_queries(kind: str, doors: dict[str, str]) -> None:
    counts = []
    for number, email in enumerate(("first@nomic.example", FREE, TAKEN)):
        client = newcomer(doors[kind], number)
        client.get("/accounts/login/")
        with CaptureQueriesContext(connection) as queries:
            client.post(doors[kind], form(f"Somebody{number}", email))
        counts.append(len(queries))
    assert counts[1] == counts[2]  # the first has nobody before them at the table


@pytest.mark.parametrize("kind", ["sign-up", "invitation", "keep"])
def test_the_limit_is_asked_before_the_form_is_judged(kind: str, doors: dict[str, str]) -> None:
    client = newcomer(doors[kind], 1)
    wrong = {**form("Murphy", TAKEN), "password2": "another one"}
    answers = [client.post(doors[kind], wrong) for _ in range(22)]
    assert [answer.status_code == 429 for answer in answers] == [False] * 20 + [True] * 2
    assert "Murphy" not in answers[-1].text


def unowned() -> User:
    user = User.objects.create_user("Madrid", FREE, PASSWORD)
    EmailAddress.objects.create(user=user, email=FREE, primary=True)
    return user


def signs_in(login: str) -> bool:
    client = Client()
    client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    return "_auth_user_id" in client.session


def test_an_address_signs_in_when_its_letter_was_opened_and_not_before() -> None:
    unowned()
    assert signs_in("Madrid")
    assert not signs_in(FREE)
    assert signs_in("Murphy@nomic.example")
    client = newcomer("", 3)
    client.post("/accounts/signup/", form("Jason", "jason@nomic.example"))
    assert not signs_in("jason@nomic.example")
    tasks.send()
    (link,) = re.findall(r"/accounts/confirm-email/\S+", str(mail.outbox[-1].body))
    client.post(link)
    assert signs_in("jason@nomic.example")


def test_of_two_accounts_that_named_an_address_it_belongs_to_the_one_whose_letter_was_opened() -> (
    None
):
    links = []
    for number, name in enumerate(("Jason", "Wes")):
        client = newcomer("", number)
        client.post("/accounts/signup/", form(name, FREE))
        tasks.send()
        links += re.findall(r"/accounts/confirm-email/\S+", str(mail.outbox[-1].body))
        cache.clear()  # a letter to an address every three minutes
    for link in reversed(links):
        Client().post(link)
    owned = EmailAddress.objects.filter(email=FREE, verified=True)
    assert [address.user.username for address in owned] == ["Wes"]


@pytest.mark.parametrize("email", [TAKEN, FREE, "nobody@nomic.example"])
def test_a_password_is_reset_by_an_address_that_belongs_to_the_account_alone(email: str) -> None:
    unowned()
    answer = Client().post("/accounts/password/reset/", {"email": email})
    tasks.send()
    (letter,) = mail.outbox
    assert (answer.status_code, letter.to) == (302, [email])
    assert ("/accounts/password/reset/key/" in letter.body) == (email == TAKEN)


@pytest.mark.parametrize("login", ["Murphy", TAKEN, FREE, "nobody@nomic.example", "Nobody"])
def test_a_wrong_password_is_hashed_once_whoever_is_asked_for(
    login: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unowned()
    hasher, hashed = type(get_hasher()), []
    encode = hasher.encode

    def counted(*args: Any, **kwargs: Any) -> str:
        hashed.append(login)
        return str(encode(*args, **kwargs))

    monkeypatch.setattr(hasher, "encode", counted)
    Client().post("/accounts/login/", {"login": login, "password": "a guess"})
    assert hashed == [login]


def test_who_has_to_wait_has_no_password_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    hasher, hashed = type(get_hasher()), []
    encode = hasher.encode

    def counted(*args: Any, **kwargs: Any) -> str:
        hashed.append(1)
        return str(encode(*args, **kwargs))

    monkeypatch.setattr(hasher, "encode", counted)
    client = Client()
    for number in range(40):
        client.post("/accounts/login/", {"login": f"nobody{number}", "password": "a guess"})
    assert len(hashed) == 10


def test_the_operator_gives_an_account_an_address_that_is_no_others() -> None:
    call_command("account", "Jason", email="Jason@nomic.example")
    assert EmailAddress.objects.get(user__username="Jason").verified
    with pytest.raises(CommandError, match="belongs to another account"):
        call_command("account", "Wes", email=TAKEN)
    assert not User.objects.filter(username="Wes").exists()

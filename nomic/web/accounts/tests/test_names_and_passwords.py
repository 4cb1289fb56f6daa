"""What an account may be called, and what a new password ends."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from nomic.notices import tasks
from nomic.operations.setup import new_game
from nomic.web.models import Token
from nomic.web.tokens import find_token, make_token

OLD, NEW = "a long walk to Fargo", "a longer walk to Nacho"


def signs_up(client: Client, name: str) -> bool:
    client.post("/accounts/signup/", {"username": name, "password1": NEW, "password2": NEW})
    return User.objects.filter(username=name).exists()


@pytest.fixture
def snails_game(db: None) -> None:
    User.objects.create_user("snail")
    new_game("agora", "agora", pace="manual")


@pytest.mark.parametrize(
    "name",
    [
        *("snаil", "snai1", "SnaiI", "the-snail", "snail_", "Ꮪnail", "..", "-_-", "everyone"),
        *("operator", "Assessor", "HORSENED", "Farg0", "hooves"),
        *("Chairman", "admin", "Ann_and_Bob"),
    ],
)
def test_an_account_reads_as_nobody_elses_name_and_as_no_phrase_or_thing(
    client: Client, snails_game: None, name: str
) -> None:
    assert not signs_up(client, name)


def test_no_host_keeps_a_name_from_others(client: Client, db: None) -> None:
    hosted = new_game("agora", "agora", pace="manual", host=User.objects.create_user("snail"))[0]
    assert hosted.assets.filter(name="Fargo").exists()
    assert signs_up(client, "Fargo")


@pytest.mark.parametrize("name", ["snails", "李小龍", "o.brien", "anna+b"])
def test_other_names_are_welcome(client: Client, db: None, name: str) -> None:
    User.objects.create_user("snail")
    assert signs_up(client, name)


@pytest.fixture
def owner(client: Client, db: None) -> User:
    user = User.objects.create_user("Murphy", password=OLD)
    client.force_login(user)
    return user


def changes(client: Client, **more: object) -> None:
    told = {"oldpassword": OLD, "password1": NEW, "password2": NEW, **more}
    assert client.post("/accounts/password/change/", told).status_code == 302


def test_a_new_password_ends_all_tokens(client: Client, owner: User) -> None:
    plain = [make_token(owner, name)[1] for name in ("bot", "clock")]
    assert "API tokens that go on working" in client.get("/accounts/password/change/").text
    changes(client)
    assert [find_token(each) for each in plain] == [None, None]


def test_the_tokens_that_one_names_go_on(client: Client, owner: User) -> None:
    kept, plain = make_token(owner, "bot")
    other = make_token(owner, "clock")[1]
    changes(client, kept_tokens=[kept.pk])
    assert find_token(plain) == kept
    assert find_token(other) is None


def by_a_letter(client: Client, owner: User, **more: object) -> str:
    """Choose a new password by the link of a letter; returns the page that asks for it."""
    email = "murphy@nomic.example"
    EmailAddress.objects.create(user=owner, email=email, verified=True, primary=True)
    client.logout()
    client.post("/accounts/password/reset/", {"email": email})
    tasks.send()
    (link,) = re.findall(r"/accounts/password/reset/key/\S+", str(mail.outbox[-1].body))
    asked = client.get(link, follow=True)
    told = {"password1": NEW, "password2": NEW, **more}
    assert client.post(asked.request["PATH_INFO"], told).status_code == 302
    owner.refresh_from_db()
    assert owner.check_password(NEW)
    return asked.text


def test_a_password_that_is_chosen_by_a_letter_ends_all_tokens(client: Client, owner: User) -> None:
    plain = [make_token(owner, name)[1] for name in ("bot", "clock")]
    assert "API tokens that go on working" in by_a_letter(client, owner)
    assert [find_token(each) for each in plain] == [None, None]


def test_the_tokens_that_one_names_by_a_letter_go_on(client: Client, owner: User) -> None:
    kept, plain = make_token(owner, "bot")
    other = make_token(owner, "clock")[1]
    by_a_letter(client, owner, kept_tokens=[kept.pk])
    assert find_token(plain) == kept
    assert find_token(other) is None


def test_a_first_password_ends_tokens_as_well(client: Client, owner: User) -> None:
    owner.set_unusable_password()
    owner.save()
    client.force_login(owner)
    kept, plain = make_token(owner, "bot")
    other = make_token(owner, "clock")[1]
    assert "API tokens that go on working" in client.get("/accounts/password/set/").text
    told = {"password1": NEW, "password2": NEW, "kept_tokens": [kept.pk]}
    assert client.post("/accounts/password/set/", told).status_code == 302
    assert find_token(plain) == kept
    assert find_token(other) is None


def test_nobody_keeps_anothers_token(client: Client, owner: User) -> None:
    make_token(owner, "bot")
    rival = make_token(User.objects.create_user("Madrid"), "theirs")[0]
    told = {"oldpassword": OLD, "password1": NEW, "password2": NEW, "kept_tokens": [rival.pk]}
    assert client.post("/accounts/password/change/", told).status_code == 200
    assert owner.check_password(OLD)
    assert Token.objects.filter(revoked_at=None).count() == 2


def test_who_has_no_tokens_is_not_asked_about_them(client: Client, owner: User) -> None:
    assert "tokens that go on" not in client.get("/accounts/password/change/").text

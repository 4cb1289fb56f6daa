"""Signing in by an OpenID Connect provider, and what one that lies brings about: nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client

from nomic.games.clock import wall_now
from nomic.quotas import holds
from nomic.quotas.models import UsageKind, What
from nomic.settings import single_sign_on
from nomic.web.accounts.tests.oidc import CLIENT, SECRET, Provider, serving
from nomic.web.models import Guest
from tests.kit import tight, user_of

TAKEN = "murphy@nomic.example"
LOGIN = "/accounts/oidc/provider/login/"


@pytest.fixture(scope="module")
def _server() -> Iterator[Provider]:
    with serving() as provider:
        yield provider


@pytest.fixture
def provider(db: None, _server: Provider, settings: Any) -> Provider:
    """The provider that the setting names, as honest as it began."""
    address = _server.issuer.removeprefix("http://")
    settings.SINGLE_SIGN_ON = single_sign_on(
        f"http://{CLIENT}:{quote(SECRET)}@{address}?name=The+club"
    )
    _server.person, _server.userinfo, _server.token = {"sub": "4711"}, {}, {}
    _server.forged, _server.up = False, True
    return _server


@pytest.fixture
def murphy(db: None) -> User:
    """Somebody with an account here, to whom an address belongs."""
    user = User.objects.create_user("Murphy", TAKEN, "a longer walk to Nacho")
    EmailAddress.objects.create(user=user, email=TAKEN, verified=True, primary=True)
    return user


def goes(client: Client, process: str = "login") -> Any:
    """The answer of the site after the way by the provider, which agrees to everything."""
    on_the_way = client.post(f"{LOGIN}?process={process}")
    assert on_the_way.status_code == 200
    (url,) = re.findall(r'http-equiv="refresh" content="0; url=([^"]+)"', on_the_way.text)
    back = requests.get(unescape(url), allow_redirects=False, timeout=5).headers["Location"]
    return client.get(back.removeprefix("http://testserver"))


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_without_the_setting_there_is_no_such_door(client: Client, db: None) -> None:
    assert "account elsewhere" not in client.get("/accounts/login/").text
    assert client.post(LOGIN).status_code == 404
    assert client.get(f"{LOGIN}callback/?code=1").status_code == 404


def test_who_is_new_chooses_a_name_and_signs_in_by_it_from_then_on(
    client: Client, provider: Provider
) -> None:
    assert "Sign in with The club" in tight(client.get("/accounts/login/").text)
    provider.person |= {"preferred_username": "Madrid", "email": "Madrid@Nomic.example"}
    provider.person |= {"email_verified": True, "given_name": "Jane", "family_name": "Doe"}
    provider.person["name"] = "Jane Doe"
    assert goes(client).url == "/accounts/3rdparty/signup/"
    page = client.get("/accounts/3rdparty/signup/")
    assert 'value="Madrid"' in page.text
    client.post(
        "/accounts/3rdparty/signup/", {"username": "Madrid", "email": "madrid@nomic.example"}
    )
    assert is_signed_in(client)
    user = User.objects.get(username="Madrid")
    assert not user.has_usable_password()
    assert user.first_name == user.last_name == "", "who they are elsewhere is not kept"
    address = EmailAddress.objects.get(user=user)
    assert (address.email, address.verified) == ("madrid@nomic.example", False)
    assert SocialAccount.objects.get(user=user).extra_data == {}
    again = Client()
    goes(again)
    assert is_signed_in(again)
    assert User.objects.count() == 1


def test_one_that_lies_about_an_address_gets_nobody_in(
    client: Client, provider: Provider, murphy: User
) -> None:
    provider.person |= {"preferred_username": "Murphy", "email": TAKEN, "email_verified": True}
    assert goes(client).url == "/accounts/3rdparty/signup/"
    assert not is_signed_in(client)
    sent = {"username": "Murphy", "email": TAKEN}
    assert "already exists" in client.post("/accounts/3rdparty/signup/", sent).text
    assert not is_signed_in(client)
    client.post("/accounts/3rdparty/signup/", {**sent, "username": "Impostor"})
    impostor = User.objects.get(username="Impostor")
    assert client.session["_auth_user_id"] == str(impostor.pk)
    assert not EmailAddress.objects.filter(user=impostor, verified=True).exists()
    assert EmailAddress.objects.get(user=murphy).verified
    assert not SocialAccount.objects.filter(user=murphy).exists()


@pytest.mark.parametrize(
    "lie",
    [
        {"forged": True},
        {"token": {"aud": "somebody else"}},
        {"token": {"iss": "https://elsewhere.example"}},
        {"token": {"exp": 1}},
        {"token": {"sub": "4711"}, "userinfo": {"sub": "1"}},
        {"token": {"sub": None}},
        {"token": {"sub": "x" * 500}, "userinfo": {"sub": "x" * 500}},
        {"token": {"sub": ""}, "userinfo": {"sub": ""}},
        {"token": {"sub": "4711\0"}, "userinfo": {"sub": "4711\0"}},
    ],
    ids=["key", "audience", "issuer", "time", "person", "nobody", "long", "empty", "unseen"],
)
def test_a_token_that_is_not_good_gets_nobody_in(
    client: Client, provider: Provider, murphy: User, lie: dict[str, Any]
) -> None:
    SocialAccount.objects.create(user=murphy, provider="provider", uid="1")
    SocialAccount.objects.create(user=murphy, provider="provider", uid="4711")
    for name, content in lie.items():
        setattr(provider, name, content)
    answer = goes(client)
    assert answer.status_code == 401
    assert "You are not signed in" in answer.text
    assert not is_signed_in(client)


def test_a_provider_that_is_away_is_told(client: Client, provider: Provider) -> None:
    provider.up = False
    answer = client.post(LOGIN)
    assert (answer.status_code, "could not be made sure of" in answer.text) == (502, True)


def test_who_went_back_or_came_by_somebody_elses_link_is_not_signed_in(
    client: Client, provider: Provider
) -> None:
    assert client.get(f"{LOGIN}callback/?code=1&state=x").status_code == 401
    client.post(LOGIN)
    ((state, _),) = client.session["socialaccount_states"].items()
    cancelled = client.get(f"{LOGIN}callback/?error=access_denied&state={state}", follow=True)
    assert "You went back" in cancelled.text


@pytest.mark.parametrize(("ask", "lets_in"), [("", False), ("&sign-up=open", True)])
def test_who_is_new_is_let_in_as_the_settings_say(
    client: Client, provider: Provider, settings: Any, ask: str, *, lets_in: bool
) -> None:
    settings.SIGN_UP = "closed"
    settings.SINGLE_SIGN_ON["settings"]["sign_up"] = bool(ask)
    answer = goes(client)
    assert (answer.status_code == 302) is lets_in
    if not lets_in:
        assert "New accounts are made by whoever runs this site" in tight(answer.text)


def test_an_account_here_is_joined_to_one_there_by_its_owner_alone(
    client: Client, provider: Provider, murphy: User
) -> None:
    client.force_login(murphy)
    assert client.get(f"{LOGIN}?process=connect").status_code == 200
    assert not SocialAccount.objects.exists()
    goes(client, "connect")
    assert SocialAccount.objects.get().user == murphy
    page = client.get("/accounts/3rdparty/").text
    assert "you are known as 4711" in tight(page)
    stranger = Client()
    goes(stranger)
    assert stranger.session["_auth_user_id"] == str(murphy.pk)
    client.post("/accounts/3rdparty/", {"account": SocialAccount.objects.get().pk})
    assert not SocialAccount.objects.exists()


def test_who_is_locked_out_is_so_by_this_door_as_well(
    client: Client, provider: Provider, murphy: User
) -> None:
    SocialAccount.objects.create(user=murphy, provider="provider", uid="4711")
    holds.hold(What.OUT, UsageKind.USER, murphy.pk, "Murphy", "They cheat.")
    assert "They cheat." in goes(client).text
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "login.example",
            "ftp://a:b@login.example",
            "https://login.example",
            "https://a@b.example",
        ),
        *("http://a:b@login.example", "https://a:b@[x", "https://a:b@x.example:port"),
    ],
)
def test_a_setting_that_cannot_be_read_is_refused_without_its_secret(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CLIENT:SECRET@ISSUER") as refused:
        single_sign_on(url)
    assert "a:b" not in str(refused.value)


def test_the_setting_says_all(db: None) -> None:
    read = single_sign_on("https://club:a%2Fb@login.example:8443/realms/club/?name=The+club")
    assert read is not None
    assert (read["client_id"], read["secret"], read["name"]) == ("club", "a/b", "The club")
    assert read["settings"]["server_url"] == "https://login.example:8443/realms/club"
    assert single_sign_on("https://a:b@login.example")["name"] == "login.example"  # type: ignore[index]
    call_command("check")


def test_no_account_elsewhere_is_added_to_a_guest(client: Client, provider: Provider) -> None:
    guest = user_of("guest-1")
    Guest.objects.create(user=guest, place="x", made_at=wall_now())
    client.force_login(guest)
    assert client.post(f"{LOGIN}?process=connect").url == "/keep/"
    assert goes(client).url == "/accounts/3rdparty/signup/"
    assert not SocialAccount.objects.exists()

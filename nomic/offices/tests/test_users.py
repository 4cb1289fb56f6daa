"""The operator finds accounts, makes, resets, locks out and closes them; nobody else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.games.models import Game, Player
from nomic.notices.models import AccountLetter
from nomic.quotas import holds
from nomic.web.models import Closing, SitePage
from nomic.web.tokens import find_token, make_token
from tests.kit import Visitor, tight, user_of

USERS, PAGES = "/office/users/", "/office/pages/"
EMAIL = "murphy@nomic.example"


@pytest.fixture(autouse=True)
def _nobody_is_held_back(db: None) -> Iterator[None]:
    def forget() -> None:
        cache.delete("nomic:held")
        holds._Memory.holds = None

    forget()
    yield
    forget()


@pytest.fixture
def operator(superuser: User, visit: Visitor) -> Client:
    return visit(superuser)


@pytest.fixture
def murphy(player: Player) -> User:
    user = player.user
    assert user is not None
    EmailAddress.objects.create(user=user, email=EMAIL, verified=True, primary=True)
    user.set_password("a longer walk to Nacho")
    user.save()
    return user


def page_of(user: User) -> str:
    return f"{USERS}{user.pk}/"


def does(operator: Client, user: User, do: str, **more: str) -> Any:
    return operator.post(page_of(user), {"do": do, **more}, follow=True)


def test_they_are_for_the_operator_alone(
    murphy: User, officer: Player, outsider: User, visit: Visitor
) -> None:
    for who, statuses in ((None, {302}), (outsider, {403}), (murphy, {403}), (officer, {403})):
        client = visit(who)
        for address in (USERS, page_of(murphy), PAGES):
            sent = {"do": "reset", "name": "Impostor", "page": "about", "text": "x"}
            for answer in (client.get(address), client.post(address, sent)):
                assert answer.status_code in statuses, address
    assert murphy.has_usable_password()
    assert not SitePage.objects.exists()


def test_an_account_is_found_by_a_part_of_its_name_or_address(
    operator: Client, murphy: User, game: Game
) -> None:
    for asked in ("urph", "MURPHY@", "y@nomic"):
        page = tight(operator.get(USERS, {"q": asked}).text)
        assert f'href="{page_of(murphy)}">Murphy<' in page
    assert "No account has “xyzzy”" in operator.get(USERS, {"q": "xyzzy"}).text
    page = tight(operator.get(page_of(murphy)).text)
    for told in (EMAIL, "primary, verified", "Has a password", f'href="/g/{game.slug}/"'):
        assert told in page


@pytest.mark.thorough
def test_the_list_asks_as_much_of_the_database_for_many_as_for_a_few(operator: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            operator.get(USERS)
        return len(asked)

    queries()
    few = queries()
    for number in range(60):
        user_of(f"somebody{number}")
    assert queries() == few


def test_somebody_is_invited_by_a_link_and_a_letter(operator: Client) -> None:
    page = operator.post(USERS, {"name": "Jason", "email": "jason@nomic.example"}).text
    (path,) = re.findall(r"http://localhost:8000(/accounts/password/reset/key/[^<]+)", page)
    letter = AccountLetter.objects.get()
    assert (letter.to, path in letter.body) == ("jason@nomic.example", True)
    chosen = Client().get(path, follow=True)
    assert "password1" in chosen.text
    for name, email in (("jason", ""), ("Madrid", "jason@nomic.example"), ("", ""), ("a", "b")):
        page = operator.post(USERS, {"name": name, "email": email}).text
        assert "Its owner chooses" not in page
    assert User.objects.filter(is_superuser=False).count() == 1


def test_a_password_is_reset_with_the_second_factor_where_that_is_lost(
    operator: Client, murphy: User, visit: Visitor
) -> None:
    Authenticator.objects.create(user=murphy, type="totp", data={})
    own = Client()
    own.force_login(murphy)
    page = does(operator, murphy, "reset").text
    assert "/accounts/password/reset/key/" in page
    murphy.refresh_from_db()
    assert (murphy.has_usable_password(), Authenticator.objects.count()) == (False, 1)
    assert own.get("/settings/").status_code == 302, "their sessions are over"
    assert AccountLetter.objects.get().to == EMAIL
    does(operator, murphy, "reset", factors="yes")
    assert not Authenticator.objects.exists()


def test_a_reset_ends_what_somebody_else_has_made_to_come_back_by(
    operator: Client, murphy: User
) -> None:
    SocialAccount.objects.create(user=murphy, provider="provider", uid="an impostor")
    plain = make_token(murphy, "an impostor's")[1]
    does(operator, murphy, "reset")
    assert find_token(plain)
    does(operator, murphy, "reset", ways="yes")
    assert find_token(plain) is None
    assert not SocialAccount.objects.exists()


def test_they_are_locked_out_with_a_reason_and_let_in(
    operator: Client, murphy: User, visit: Visitor
) -> None:
    assert "Say why" in does(operator, murphy, "lock out", reason=" ").text
    assert "Locked out: They cheat." in tight(
        does(operator, murphy, "lock out", reason="They cheat.").text
    )
    assert "They cheat." in visit(murphy).get("/").text
    does(operator, murphy, "let in")
    assert "They cheat." not in visit(murphy).get("/").text


def test_they_are_closed_by_name_and_no_operator_is(
    operator: Client, murphy: User, superuser: User
) -> None:
    assert "Type the name, Murphy" in does(operator, murphy, "close", name="murphy").text
    assert not Closing.objects.exists()
    assert "The account Murphy is closed." in does(operator, murphy, "close", name="Murphy").text
    assert Closing.objects.get().user_id == murphy.pk
    assert "is being closed" in does(operator, murphy, "reset").text
    for do in ("reset", "close", "lock out"):
        does(operator, superuser, do, name=superuser.username, reason="x")
    superuser.refresh_from_db()
    assert superuser.is_active
    assert Closing.objects.count() == 1
    assert operator.get(f"{USERS}999999/").status_code == 404


# The pages about the site


def test_the_operator_writes_the_pages_of_the_site(operator: Client, client: Client) -> None:
    sent = {"page": "imprint", "text": "# Who\r\nsnail, of *Fargo*<script>x</script>"}
    assert operator.post(PAGES, sent).url == f"{PAGES}#imprint"
    page = client.get("/imprint/").text
    assert "<em>Fargo</em>" in page
    assert "<script>x" not in page
    operator.post(PAGES, {"page": "imprint", "text": ""})
    assert "has not written here yet" in client.get("/imprint/").text


def test_what_is_no_page_or_too_long_changes_nothing(operator: Client) -> None:
    for sent in (
        {"page": "about", "text": "x" * 50_001},
        {"page": "nonsense", "text": "x"},
        {"page": "contact", "text": "somebody"},
        {"page": "contact", "text": "https://x.example/\nExpires: never"},
    ):
        assert operator.post(PAGES, sent).status_code == 422
    assert not SitePage.objects.exists()


def test_the_contact_stands_in_security_txt(operator: Client, client: Client) -> None:
    def contact() -> str:
        return client.get("/.well-known/security.txt").text.splitlines()[0]

    assert contact() == "Contact: http://localhost:8000/imprint/"
    operator.post(PAGES, {"page": "contact", "text": "snail@nomic.example"})
    assert contact() == "Contact: mailto:snail@nomic.example"

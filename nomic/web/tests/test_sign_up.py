"""Who may make an account on this site, and who may join its games."""

from __future__ import annotations

import io

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from nomic.games.admission import token_of
from nomic.games.clock import wall_now
from nomic.games.models import Game, Invitation
from tests.kit import Visitor, user_of

PASSWORD = "a longer walk to Nacho"


def signs_up(client: Client, name: str = "Fargoan") -> bool:
    sent = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", sent)
    return User.objects.filter(username=name).exists()


@pytest.fixture
def link(game: Game) -> Invitation:
    return Invitation.objects.create(game=game, name="Friends", most=1, made_at=wall_now())


def test_everybody_signs_up_unless_told(client: Client, db: None) -> None:
    assert signs_up(client)


def test_where_sign_up_is_closed_nobody_does_and_the_page_says_whom_to_ask(
    client: Client, link: Invitation, settings: object
) -> None:
    settings.SIGN_UP = "closed"  # type: ignore[attr-defined]
    client.post(f"/i/{token_of(link)}/")
    assert not signs_up(client)
    assert "made by whoever runs this site. Ask them" in client.get("/accounts/signup/").text
    page = client.get(f"/i/{token_of(link)}/").text
    assert "New accounts are made by whoever runs this site." in page
    assert "password" not in page


def test_by_invitation_only_who_came_by_a_good_link_signs_up(
    client: Client, link: Invitation, settings: object
) -> None:
    settings.SIGN_UP = "invitation"  # type: ignore[attr-defined]
    assert not signs_up(client)
    assert "Open the invitation link" in client.get("/accounts/signup/").text
    client.post(f"/i/{token_of(link)}/")
    Invitation.objects.update(withdrawn_at=wall_now())
    assert not signs_up(client)
    Invitation.objects.update(withdrawn_at=None)
    assert signs_up(client)


def test_the_operator_makes_an_account_whose_owner_chooses_the_password(
    client: Client, db: None, settings: object
) -> None:
    settings.SIGN_UP = "closed"  # type: ignore[attr-defined]
    printed = io.StringIO()
    call_command("account", "Madrid", stdout=printed)
    path = printed.getvalue().strip().partition("/accounts/")[2]
    page = client.get(f"/accounts/{path}", follow=True)
    sent = {"password1": PASSWORD, "password2": PASSWORD}
    client.post(page.redirect_chain[-1][0], sent)
    assert User.objects.get(username="Madrid").check_password(PASSWORD)
    with pytest.raises(CommandError, match="reads as “Madrid”"):
        call_command("account", "madr1d")


def test_where_the_site_asks_for_it_nobody_joins_without_a_verified_address(
    game: Game, visit: Visitor, settings: object
) -> None:
    settings.VERIFIED_EMAIL = True  # type: ignore[attr-defined]
    user = user_of("newcomer")
    answer = visit(user).post(f"/g/{game.slug}/act/games.join/", {"name": "juan"})
    assert answer.status_code == 409
    assert "e-mail address" in answer.text
    EmailAddress.objects.create(user=user, email="juan@nomic.example", verified=True)
    visit(user).post(f"/g/{game.slug}/act/games.join/", {"name": "juan"})
    assert game.players.filter(user=user).exists()

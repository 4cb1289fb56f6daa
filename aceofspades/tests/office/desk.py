"""The officers' site, read by whoever looks."""

from __future__ import annotations

import re
from html import unescape

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from nomic.games.models import Game, Player
from tests.kit import figure, tight

MANY = 918_273
CANARY = "xyzzy-canary"
A_LOT = 9_137  # which an offer may be of
SAID = (str(MANY), f"{MANY:,}", f"{A_LOT} Red", CANARY)
SECRETS = re.compile(rf"{figure(MANY)}|{figure(A_LOT)} Red|{CANARY}")
TITLE = "for your eyes only"
SECRET = f"Hands are told apart by {CANARY}."


def browser(who: User | Player | None) -> Client:
    client = Client()
    user = who.user if isinstance(who, Player) else who
    if user is not None:
        client.force_login(user)
    return client


def shown(client: Client, address: str) -> str:
    """The page's text; it must be there."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return unescape(answer.text)


def the_desk(game: Game, who: User | Player) -> str:
    return tight(shown(browser(who), reverse("office:desk", args=[game.slug])))


def row(*cells: object) -> str:
    """The row of a picture's table."""
    first, *more = cells
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in more)

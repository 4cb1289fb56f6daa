"""Every page of the site that opens without a choice, and one of each that needs one, in Chromium:
axe finds nothing, none is too wide, and nothing is said in the console."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from nomic.engine.take import take
from nomic.games.admission import token_of
from nomic.games.clock import wall_now
from nomic.games.models import Game, Invitation, Player
from nomic.governance.hosting.talk import say
from nomic.operations.exports import publish
from nomic.operations.setup import new_game
from nomic.web.demonstration import SLUG
from nomic.web.tests.watchers import routes
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

_NOT_PAGES = ("/api/", "/office/", "/accounts/logout/", "/try/", "/keep/")
_OF_ONE = (
    "players/Murphy/",
    "complain/?player=Murphy",
    "say/?words=I+bet+1+dollary+on+Fargo",
    "search/?q=horse",
    "act/games.choose_host/",
    "act/games.remove_player/",
    "act/aceofspades.offer/",
    "proposals/1/",
    "proposals/1/changes/",
    "proposals/new/?idea=A+shorter+track",
    "talk/1/",
    "recalculations/?entry=2",
    "record/2/",
    "ledger/Murphy/",
)


@pytest.fixture
def demo(live_server: Any) -> Game:
    """A demonstration in which something was said, proposed and dealt."""
    user = person("Murphy")
    game, _ = new_game(SLUG, "demo", pace="manual", start=WEDNESDAY)
    take(SLUG, user, "games.join", {"name": "Murphy"})
    murphy = Player.objects.get(game=game, name="Murphy")
    say(murphy, "Hooves, @Murphy, see https://example.org/.", wall_now(), 9)
    take(SLUG, murphy, "settlers.join")
    take(SLUG, murphy, "aceofspades.join")
    take(SLUG, murphy, "proposals.submit", {"title": "Forks", "body": "Forks are nice."})
    publish(SLUG, "everybody agreed")
    return game


def opened(client: Client) -> Iterator[str]:
    """The addresses that answer that client with a page, where nothing but the game is chosen."""
    for route, names, _ in routes():
        if set(names) <= {"slug"} and not route.startswith(_NOT_PAGES):
            address = route.format(slug=SLUG)
            answer = client.get(address)
            if answer.status_code == 200 and answer.getvalue().startswith(b"<!DOCTYPE html>"):
                yield address


@at_both_widths
def test_axe_finds_nothing_wherever_one_comes(
    sit: Sit, demo: Game, width: int, scheme: str
) -> None:
    client = Client()
    client.force_login(person("Murphy"))
    link = Invitation.objects.create(game=demo, name="Friends", most=3, made_at=wall_now())
    paths = [*opened(client), *(f"/g/{SLUG}/{each}" for each in _OF_ONE), f"/i/{token_of(link)}/"]
    assert len(paths) > 50
    page, found = sit(width, scheme=scheme), []
    sign_in(page, "Murphy")
    for path in paths:
        page.goto(path)
        found += faults(page)
    guest = sit(width, scheme=scheme)
    guest.goto("/")
    guest.get_by_role("button", name="Try it now").first.click()
    for path in (f"/g/{SLUG}/", "/", "/keep/"):
        guest.goto(path)
        found += faults(guest)
    assert not found, "\n".join(found)

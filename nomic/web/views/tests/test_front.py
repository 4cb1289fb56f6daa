"""The front page: a board that is alive, games with what goes on in them, pictures to share."""

import re
import tomllib
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.utils.html import escape

from nomic.engine import watch
from nomic.engine.take import take
from nomic.games.models import SEEN_BY, Game, Player, SeenBy
from nomic.infrastructure.paths import ROOT
from nomic.operations.setup import new_game
from nomic.record.models import Entry
from nomic.web.demonstration import SLUG
from nomic.web.game_context import GamePage
from nomic.web.views import lobby, share
from tests.kit import WEDNESDAY, Visitor, on_one_line, user_of

pytestmark = pytest.mark.django_db
FARGO = f"/g/{SLUG}/horses/?horse=Fargo#page_forms"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def demo(db: None) -> Game:
    return new_game(SLUG, "demo", pace="manual", start=WEDNESDAY)[0]


def test_who_taps_a_horse_has_a_seat_and_its_bet_before_them(demo: Game, client: Client) -> None:
    page = client.get("/").content.decode()
    assert "Which horse? Tap one" in page
    assert f'value="{FARGO}"' in page
    answer = client.post("/try/", {"next": FARGO})
    assert answer.headers["Location"] == FARGO
    races = client.get(FARGO).content.decode()
    assert re.search(r'<option value="Fargo" selected[^>]*>Fargo</option>', races)


def test_a_guest_who_comes_back_finds_the_board_and_their_seat(demo: Game, client: Client) -> None:
    client.post("/try/")
    assert "Which horse? Tap one" in client.get("/").content.decode()
    assert client.post("/try/", {"next": FARGO}).headers["Location"] == FARGO
    assert Player.objects.filter(game=demo).count() == 1


def test_the_foot_of_each_page_says_the_version(demo: Game, client: Client) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for address in ("/", f"/g/{SLUG}/", "/api/docs"):
        foot = client.get(address).content.decode().rpartition("<footer")[2]
        assert f"Nomic {version}" in foot


@pytest.mark.parametrize("asked", ["//evil.example/g/demo/", "https://evil.example/", "/office/"])
def test_a_guest_is_led_nowhere_but_into_the_demonstration(
    demo: Game, client: Client, asked: str
) -> None:
    assert client.post("/try/", {"next": asked}).headers["Location"] == f"/g/{SLUG}/"


def test_the_board_is_drawn_anew_only_when_something_happened(
    demo: Game, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    first = client.get("/living/", headers={"HX-Request": "true"})
    again = re.search(r'hx-get="(/living/[^"]+)"', first.content.decode())
    assert again is not None
    address = again[1].replace("&amp;", "&")
    assert client.get(address, headers={"HX-Request": "true"}).status_code == 204
    with django_capture_on_commit_callbacks(execute=True):
        take(SLUG, User.objects.create_user("Newcomer"), "games.join", {"name": "Newcomer"})
    later = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "Newcomer joins the game" in later


def test_only_a_browser_that_runs_scripts_wakes_the_demonstration(
    demo: Game, client: Client
) -> None:
    cache.clear()
    client.get("/")
    assert watch.last_look(demo.pk) is None
    client.get("/living/", headers={"HX-Request": "true"})
    assert watch.last_look(demo.pk) is not None


def test_without_a_demonstration_there_is_no_board(game: Game, client: Client) -> None:
    assert 'id="living"' not in client.get("/").content.decode()
    assert client.get("/living/").status_code == 404


def test_a_game_tells_its_last_act_and_a_quiet_one_behind_the_first_is_folded(
    game: Game, player: Player, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = Entry.objects.get(game=game, seq=Game.objects.get(pk=game.pk).last_entry)
    monkeypatch.setattr(lobby, "wall_now", lambda: last.recorded_at + timedelta(days=2))
    page = visit().get("/").content.decode()
    assert "Murphy joins the game" in page
    assert "quiet game" not in page
    monkeypatch.setattr(lobby, "wall_now", lambda: last.recorded_at + timedelta(days=4))
    assert "quiet game" not in visit().get("/").content.decode()
    monkeypatch.setattr(lobby, "_NEVER_FOLDED", 0)
    assert "1 quiet game, in which nothing happened" in visit().get("/").content.decode()


def test_a_game_has_a_picture_to_share_that_is_drawn_once(
    demo: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    for path in ("/", f"/g/{SLUG}/"):
        page = client.get(path).content.decode()
        assert f'property="og:image" content="http://testserver/g/{SLUG}/share.png"' in page
        assert page.count('name="description"') == 1
    answer = client.get(f"/g/{SLUG}/share.png")
    assert answer["Content-Type"] == "image/png"
    assert answer.content.startswith(PNG)
    monkeypatch.setattr(share, "drawing_of", lambda page: pytest.fail("It was drawn again."))
    assert client.get(f"/g/{SLUG}/share.png").content == answer.content


def test_the_share_picture_escapes_names_and_shows_nobody_a_hidden_game(
    game: Game, visit: Visitor, player: Player
) -> None:
    cache.clear()
    Game.objects.filter(pk=game.pk).update(title="<Forks> & spoons")
    assert visit(player).get("/g/table/share.png").content.startswith(PNG)
    game.refresh_from_db()
    game.settings[SEEN_BY] = SeenBy.LINK.value
    game.save(update_fields=["settings"])
    assert visit(player).get("/g/table/share.png").status_code == 200
    assert visit().get("/g/table/share.png").status_code == 404


@pytest.mark.parametrize(
    ("preset", "join", "drawn"),
    [("multa", "settlers.join", "#wheat"), ("ace-of-spades", "aceofspades.join", "#spade")],
)
def test_a_game_is_shared_with_its_own_board(
    rf: RequestFactory, db: None, preset: str, join: str, drawn: str
) -> None:
    game, _ = new_game("shared", preset)
    snail = user_of("snail")
    take(game.slug, snail, "games.join", {"name": "snail"})
    take(game.slug, snail, join)
    request = rf.get("/")
    svg = share.drawing_of(GamePage(request, Game.objects.get(pk=game.pk), None))
    assert f'href="{drawn}"' in svg
    assert ">snail<" in svg


def test_the_manifest_of_the_site_is_linked(client: Client) -> None:
    assert 'rel="manifest"' in client.get("/").content.decode()


def test_who_plays_elsewhere_sees_the_board_of_their_own_game(
    demo: Game, game: Game, player: Player, visit: Visitor
) -> None:
    page = visit(player).get("/").content.decode()
    assert "Which horse? Tap one" not in page
    assert f'aria-label="{escape(game.title)}, as it is now"' in page
    part = visit(player).get("/living/", headers={"HX-Request": "true"})
    assert f"Go to {escape(game.title)}" in on_one_line(part.content.decode())
    assert "no-store" in part.headers["Cache-Control"]

"""Every page for everybody: it is there, it asks little of the database, it survives nonsense."""

import gzip
import hashlib
import html
import re
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import find
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine import watch
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.web.tests.shares import share_of
from tests.kit import Take, Visitor, seat

OPEN = [
    "/",
    "/g/table/",
    "/g/table/horses/",
    "/g/table/rules/",
    "/g/table/record/",
    "/g/table/record/1/",
    "/g/table/record/feed/",
    "/g/table/ledger/",
    "/g/table/ledger/Murphy/",
    "/g/table/ledger/Murphy/?asset=dollary",
    "/g/table/ledger/Murphy/?at=2026-03-04T13:00",
    "/g/table/dice/",
    "/g/table/witness/",
    "/g/table/reports/",
    "/g/table/join/",
    "/keys/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
]
SEATED = [
    "/g/table/receipts/",
    "/g/table/seat/",
    "/g/table/seat/?office=Horsened",
    "/g/table/act/horses.bet/",
    "/g/table/act/games.leave/",
]
OWN = ["/settings/", "/settings/tokens/", "/accounts/email/", "/accounts/2fa/"]
MOST_QUERIES = 30


@pytest.mark.thorough
def test_pages_can_be_read_without_signing_in(game: Game, player: Player, visit: Visitor) -> None:
    client = visit()
    found = {path: client.get(path).status_code for path in OPEN}
    assert found == dict.fromkeys(OPEN, 200)


@pytest.mark.thorough
def test_pages_can_be_read_by_a_player(game: Game, player: Player, visit: Visitor) -> None:
    client, paths = visit(player), [*OPEN[:14], *SEATED, *OWN]
    found = {path: client.get(path).status_code for path in paths}
    assert found == dict.fromkeys(paths, 200)


@pytest.mark.parametrize("path", [*SEATED, *OWN])
def test_what_is_ones_own_asks_a_stranger_to_sign_in(
    path: str, game: Game, player: Player, visit: Visitor
) -> None:
    answer = visit().get(path, follow=True)
    assert answer.redirect_chain
    assert "Sign in" in answer.content.decode()


@pytest.fixture(params=[0, 297], ids=["three players", "three hundred players"])
def crowded(
    game: Game,
    player: Player,
    rival: Player,
    officer: Player,
    act: Take,
    request: pytest.FixtureRequest,
) -> None:
    """A game of which Fargo is somebody's, with so many players more."""
    act(officer, "horses.buy", horse="Fargo")
    joined = {"joined_at": game.anchor_game, "active": True}
    for number in range(request.param):
        Player.objects.create(game=game, name=f"player {number}", **joined)


@pytest.mark.thorough
def test_pages_ask_little_of_the_database(
    crowded: None, officer: Player, visit: Visitor, subtests: pytest.Subtests
) -> None:
    client = visit(officer)
    for path in [*OPEN[:14], *SEATED, *OWN[:2]]:
        client.get(path)
        with subtests.test(path), CaptureQueriesContext(connection) as asked:
            assert client.get(path).status_code == 200
            assert len(asked) <= MOST_QUERIES


@pytest.mark.thorough
def test_pages_of_a_long_record_cost_what_those_of_a_short_one_cost(
    game: Game, player: Player, act: Take, visit: Visitor, django_assert_num_queries: object
) -> None:
    client = visit()
    client.get("/g/table/record/")
    with django_assert_num_queries(4):  # type: ignore[operator]
        client.get("/g/table/record/")
    for number in range(60):
        seat(game, f"visitor {number}")
    with django_assert_num_queries(4):  # type: ignore[operator]
        page = client.get("/g/table/record/").content.decode()
    assert "before=" in page


@pytest.mark.parametrize(
    "path",
    [
        "/g/no-such-game/",
        "/g/table/record/999999/",
        "/g/table/record/99999999999999999999/",
        "/g/table/rules/nothing-999999/",
        "/g/table/rules/nothing/",
        "/g/table/ledger/Nobody/",
        "/g/table/ledger/%00/",
        "/g/table/ledger/Mint/",
        "/g/table/reports/nothing/",
        "/g/table/act/no.such.action/",
        "/g/table/witness/1/",
        "/g/table/witness/99999999999999999999/",
        "/nowhere/",
    ],
)
def test_what_is_not_there_is_a_helpful_404(path: str, player: Player, visit: Visitor) -> None:
    answer = visit(player).get(path)
    assert answer.status_code == 404
    page = answer.content.decode()
    assert "There is nothing here" in page
    assert "See all games" in page


MOMENTS = ["0001-01-01T00:00%2B23:00", "9999-12-31T23:59-23:00", "0001-01-01", "9999-12-31"]
NONSENSE = ["-1", "0", "x", "9" * 30, "%00", "é" * 300, "' OR 1=1", "½", *MOMENTS]


ADDRESSES = [
    "record/?before={}",
    "record/?kind={}&player={}&name={}",
    "record/feed/?player={}",
    "ledger/?after={}",
    "ledger/Murphy/?asset={}",
    "ledger/Murphy/?at={}",
    "ledger/Murphy/?before={}",
    "dice/?before={}",
    "?v={}&game={}",
    "?since={}",
    "horses/?v={}&game={}",
    "say/?words={}",
    "act/horses.bet/?horse={}&dollaries={}&back={}",
]


@pytest.mark.thorough
@pytest.mark.parametrize("share", share_of(2))
def test_nonsense_in_an_address_breaks_nothing(share: int, player: Player, visit: Visitor) -> None:
    """The whole page and a part of it are asked for in turn, or both with all of it."""
    broken = {}
    for place, client in enumerate((visit(player), visit(player, HX_Request="true"))):
        for address, value in product(ADDRESSES, NONSENSE[place % share :: share]):
            path = "/g/table/" + address.replace("{}", value)
            status = client.get(path).status_code
            if status not in (200, 302, 404):
                broken[path] = status
    assert broken == {}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_in_no_games_time_is_answered_with_a_sentence(
    moment: str, player: Player, visit: Visitor
) -> None:
    answer = visit().get(f"/g/table/ledger/Murphy/?at={moment}")
    assert answer.status_code == 200
    assert "Time begins with the year 1900" in answer.content.decode()


def test_a_site_without_games_says_what_brings_one(db: None, visit: Visitor) -> None:
    page = visit().get("/").content.decode()
    assert "No game is being played here yet" in page
    assert 'href="/start/"' in page
    assert "newgame" not in page


def test_the_statement_runs_a_balance_and_links_each_line(
    player: Player, act: Take, visit: Visitor
) -> None:
    receipt = act(player, "horses.bet", horse="Fargo", dollaries=3)
    page = visit().get("/g/table/ledger/Murphy/?asset=dollary").content.decode()
    assert f"/g/table/record/{receipt.entry.seq}/" in page
    assert "−3" in page
    assert ">7<" in page
    assert "−3 dollaries" in visit().get("/g/table/ledger/Murphy/").content.decode()


def test_a_balance_at_a_past_moment_is_that_moments(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "horses.bet", horse="Fargo", dollaries=3)
    at = game.anchor_game.replace(year=2026, month=3, day=1).strftime("%Y-%m-%dT%H:%M")
    page = visit().get(f"/g/table/ledger/Murphy/?at={at}").content.decode()
    assert "Nothing at that moment" in page


def test_an_entry_shows_bytes_whose_hash_is_its_own(
    player: Player, act: Take, visit: Visitor
) -> None:
    seq = act(player, "horses.gain_dollaries").entry.seq
    page = visit().get(f"/g/table/record/{seq}/").content.decode()
    shown = re.search(r'<pre class="report" tabindex="0">(.*?)</pre>', page, re.S)
    assert shown is not None
    content = html.unescape(shown[1])
    assert hashlib.sha256(content.encode()).hexdigest() in page.replace(shown[1], "")
    assert "the hash fits" in page


def test_an_entry_that_is_not_there_is_told_from_one_to_come(game: Game, visit: Visitor) -> None:
    for number, said in ((0, "Its first one is 1."), (99_999, "no entry 99999 yet.")):
        for address in (f"/g/table/record/{number}/", f"/api/v1/games/table/record/{number}"):
            answer = visit().get(address)
            assert answer.status_code == 404
            assert said in answer.content.decode()


def test_a_game_that_is_late_says_so_and_whether_the_worker_runs(
    game: Game, visit: Visitor
) -> None:
    for seconds, sweeps, said in (
        (59, False, ""),
        (61, False, "is not running"),
        (59, True, ""),
        (61, True, "The game is more than a minute behind"),
    ):
        if sweeps:
            watch.beat(wall_now())
        late = wall_now() - timedelta(seconds=seconds)
        Game.objects.update(pace="fast", rate=100, next_due=game.anchor_game, wakes_at=late)
        page = visit().get("/g/table/").content.decode()
        assert ("Scheduled work is waiting" in page) == bool(said)
        assert said in page


def test_a_stuck_game_says_at_what_moment_and_why(game: Game, visit: Visitor) -> None:
    Game.objects.update(stuck_at=game.anchor_game, stuck_error="TableBroken: no such row")
    page = visit().get("/g/table/").content.decode()
    assert "The game stands still" in page
    assert "Wed 4 Mar 2026, 12:00" in page
    assert "TableBroken: no such row" in page


def test_somebody_who_left_is_offered_their_seat_again(
    player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "games.leave")
    page = visit(player).get("/g/table/").content.decode()
    assert "You left this game, and your seat is kept" in page


def test_an_outsider_is_invited_and_offered_no_action(
    game: Game, outsider: User, visit: Visitor
) -> None:
    page = visit(outsider).get("/g/table/").content.decode()
    assert "Join the game" in page
    assert "/act/" not in page


def test_a_first_visit_weighs_less_than_a_hundred_kilobytes(player: Player, visit: Visitor) -> None:
    page = visit(player).get("/g/table/horses/").content
    files = sorted(set(re.findall(r"/static/([\w./-]+)", page.decode())))
    assert "style.css" in files
    loaded = [page, *(Path(str(find(file))).read_bytes() for file in files)]
    loaded.append(Path(str(find("vendor/modern-normalize.css"))).read_bytes())
    assert sum(len(gzip.compress(part)) for part in loaded) < 100_000

"""What everybody is told follows from no hidden text (104 to 107)."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from aceofspades.models import Contest
from aceofspades.rules.tables import DECIDES, TABLES
from aceofspades.state.reading import FAMILY, state_of
from aceofspades.tests import stage
from aceofspades.tests.acts import FOR, a_proposal, again, master_of, refused
from aceofspades.tests.asking import do, why_not
from aceofspades.tests.canaries import KEY, MARKS
from nomic.engine.catch_up import catch_up
from nomic.engine.models import Appointment
from nomic.engine.table import glance
from nomic.games.models import OFFICES, Game, Player
from nomic.operations.exports import export_game, import_game
from nomic.operations.setup import new_game
from nomic.web.templatetags.moments import moment
from nomic.web.tokens import make_token
from proposals.web.preview.consequences import follows, standing
from tests.kit import WEDNESDAY, Take, an_earlier_version, seat

pytestmark = pytest.mark.django_db

CANARY = "Zaffre"
FEE = 17


def table(part: str, *rows: tuple[str, object]) -> str:
    lines = ["| {} | {} |".format(*TABLES[part]), "| --- | --- |"]
    return "\n".join([*lines, *(f"| {name} | {cell} |" for name, cell in rows)])


HIDDEN = {
    200: table("day", ("Set for", "50 days after the contest begins")),
    201: table("suits", *((suit, "–") for suit in ("Mauve", "Red", "Black", CANARY))),
    202: table("filling", ("When this takes effect", 40)),
    203: table("fee", ("Paid to the deck", FEE)),
}


# What is refused


@pytest.mark.parametrize("part", DECIDES)
def test_106_a_hidden_table_that_decides_what_everybody_is_told_is_refused(part: str):
    """Whatever its rows say, and in whichever form it is written."""
    from aceofspades.rules.tables import decided_in

    first, second = TABLES[part]
    assert decided_in(f"Prose.\n\n{table(part, ('Some row', 3))}\n") == part
    assert decided_in(table(part)) == part
    assert decided_in(f'{{| class="wikitable"\n! {first} !! {second}\n|-\n| a || 1\n|}}') == part
    assert decided_in(f"{first}    {second}\n{'-' * 60}\nSome row    3\n") == part


def test_106_a_private_proposal_of_a_date_is_refused_before_the_vote(
    contest: Game, act: Take, player: Player
):
    code, sentence, rule = a_proposal(act, player, text=HIDDEN[200], visibility="private")
    assert (code, rule) == ("decides_in_public", "Regulation 106")
    assert sentence == (
        "Regulation 500 would decide when the Moment of Reckoning is, and what everybody is told"
        " follows from that: a private one decides worths alone, so propose it as public, or"
        " without the table “DAY OF THE RECKONING | WHEN”."
    )
    for text in HIDDEN.values():
        assert a_proposal(act, player, text=text, visibility="private")[0] == code
    broken = HIDDEN[200].replace("50 days", "some days")
    assert a_proposal(act, player, text=broken, visibility="private")[0] == code
    assert act(player, "aceofspades.propose", number=500, text=HIDDEN[200], visibility="public")


def test_106_the_contestmaster_hides_none_either(game: Game, act: Take):
    stage.open_the_contest(game)
    master = master_of(game)
    for text in HIDDEN.values():
        found = refused(act, master, "write_secret_regulation", regulation=340, text=text)
        assert found[0] == "decides_in_public"
        assert a_proposal(act, master, text=text, visibility="secret")[0] == "decides_in_public"


def test_119_worths_may_be_hidden_and_a_tie_with_them(contest: Game, act: Take, player: Player):
    tie = f"{MARKS}\n\n{table('tie', ('Dealt to each tied hand', 5))}"
    for number, text in ((500, MARKS), (998, tie)):
        act(player, "aceofspades.propose", number=number, text=text, visibility="private")


# What is not played by


@pytest.mark.thorough
def test_106_a_hidden_table_that_comes_to_be_all_the_same_is_not_played_by(
    contest: Game, player: Player
):
    due = Appointment.objects.get(game=contest, kind="aceofspades.reckoning").due
    deck = stage.deck_of(contest)
    for number in (201, 202, 203):
        stage.enact(contest, number, HIDDEN[number], "private")
    stage.enact(contest, 340, HIDDEN[200], "secret")
    contest.refresh_from_db()
    state = state_of(glance(contest))
    assert state.charts.suits == state.told.suits == ("Mauve", "Red", "Black", "Green", "Hearts")
    assert (state.charts.fee, state.day_is_hidden) == (1, False)
    assert stage.deck_of(contest) == deck
    assert not [each for each in state.table.ledger.family(FAMILY) if CANARY in each.name]
    assert Appointment.objects.get(game=contest, kind="aceofspades.reckoning").due == due


# Games that began before


@pytest.fixture
def earlier() -> Game:
    """A game of an earlier version, which played by hidden tables. Four have been adopted."""
    with an_earlier_version():
        game = new_game("old", stage.PRESET, pace="manual", start=WEDNESDAY, dice_key=KEY)[0]
        stage.open_the_contest(game)
        murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")
        stage.join(game, murphy, madrid)
        for number, text in HIDDEN.items():
            proposal = stage.propose(game, murphy, number, text, visibility="private")
            stage.vote(game, proposal, dict.fromkeys((murphy, madrid), FOR))
        stage.days(game, 8)
    game.refresh_from_db()
    return game


@pytest.fixture
def old(earlier: Game) -> Game:
    """The same game, of which the program of today has taken charge."""
    catch_up(earlier.pk)
    earlier.refresh_from_db()
    assert earlier.has_powers
    return earlier


def true_due(game: Game) -> datetime:
    return Appointment.objects.get(game=game, kind="aceofspades.reckoning", status="waiting").due


def told(game: Game, name: str | None) -> Iterator[tuple[str, str]]:
    """What the site tells somebody of that name, or who is signed in nowhere, by its address."""
    browser, headers = Client(), {}
    if name is not None:
        user = User.objects.get(username=name)
        browser.force_login(user)
        headers = {"Authorization": f"Bearer {make_token(user, 'a program')[1]}"}
    home, api = f"/g/{game.slug}/", f"/api/v1/games/{game.slug}"
    contest = f"{home}aceofspades/"
    numbers = (
        "regulations/200/",
        "regulations/201/",
        "proposals/2/",
        "propose/",
        "all/contestants/",
    )
    pages = [
        home,
        contest,
        *(contest + each for each in numbers),
        f"{home}rules/",
        f"{home}ledger/",
    ]
    for path in (*pages, f"{home}reports/", "/"):
        yield path, browser.get(path).content.decode()
    for room in ("", "/actions", "/aceofspades", "/balances", "/rules"):
        yield room, Client().get(api + room, headers=headers).content.decode()
    yield from _desk(browser, game)


def _desk(browser: Client, game: Game) -> Iterator[tuple[str, str]]:
    site = browser.get("/office/")
    if site.status_code == 200:
        books = re.findall(r'href="(/office/\w+/\w+/)', site.content.decode())
        for path in {*books, "/office/play/appointment/", "/office/games/game/"}:
            yield path, browser.get(path, follow=True).content.decode()
        row = Game.objects.get(pk=game.pk)
        for path in (f"/office/g/{row.slug}/", f"/office/g/{row.slug}/reports/contestmaster/"):
            yield path, browser.get(path, follow=True).content.decode()


@pytest.mark.thorough
def test_225_in_an_old_game_nobody_is_told_what_follows_from_hidden_tables(old: Game):
    third, operator = seat(old, "Anna"), User.objects.create_superuser("operator")
    due = true_due(old)
    begun = Contest.objects.get(game=old).begun_at
    assert due - begun < timedelta(days=51)
    canary = re.compile(f"{CANARY}|{due:%Y-%m-%d}|{re.escape(moment(due))}|{due:%-d %B}")
    assert state_of(glance(old)).charts.suits[-1] == CANARY
    for name in (None, "Madrid", third.name, operator.username):
        for path, text in told(old, name):
            assert text or path.endswith("/propose/"), path
            assert not canary.search(text), (name, path)
    as_it_was = {key: value for key, value in old.settings.items() if key != OFFICES}
    Game.objects.filter(pk=old.pk).update(settings=as_it_was)
    Appointment.objects.filter(game=old).update(hidden=False)
    found = [path for path, text in told(old, "Madrid") if canary.search(text)]
    assert {"/actions", "/aceofspades", f"/g/{old.slug}/", f"/g/{old.slug}/aceofspades/"} <= {
        *found
    }


@pytest.mark.thorough
def test_225_in_an_old_game_the_date_told_follows_from_public_texts(old: Game):
    begun = Contest.objects.get(game=old).begun_at
    answer = json.loads(dict(told(old, None))["/aceofspades"])
    assert (
        answer["reckoning"]["due"] == f"{begun.replace(hour=0) + timedelta(days=96):%FT%T.000000Z}"
    )


def test_225_in_an_old_game_no_preview_tells_that_its_day_moves(old: Game):
    found = []
    for hidden in (True, False):
        days = Appointment.objects.filter(game=old, kind="aceofspades.reckoning", status="waiting")
        days.update(hidden=hidden)
        before = standing(glance(old))
        days.update(due=true_due(old) + timedelta(days=1))
        moved = [each.due for each in follows(before, standing(glance(old)))]
        found.append(moved)
    assert found == [[], [true_due(old)]]


def test_225_in_an_old_game_no_refusal_tells_it(old: Game):
    madrid = old.players.get(name="Madrid")
    offers = [
        why_not(madrid, "offer", to=["Murphy"], gives={"Red": 1}, takes={suit: 1})[:2]
        for suit in (CANARY, CANARY.lower(), "Mumble")
    ]
    assert [sentence for _, sentence in offers] == [
        f"There is no suit {suit} now." for suit in (CANARY, CANARY.lower(), "Mumble")
    ]
    given = why_not(madrid, "transfer", to="Murphy", cards={CANARY: 1})
    assert given[1] == f"There is no suit {CANARY} now."
    fee = why_not(madrid, "reveal_regulation", regulation=340)
    assert str(FEE) not in fee[1]
    assert fee[2] == "Regulation 245"
    more = {"number": 500, "text": HIDDEN[200], "visibility": "private"}
    assert why_not(madrid, "propose", **more)[0] == "decides_in_public"


@pytest.mark.thorough
def test_230_in_an_old_game_who_has_such_a_card_knows_its_suit(old: Game):
    late = [seat(old, f"late{number}") for number in range(1, 6)]
    stage.join(old, *late)
    holder = next(each for each in late if stage.hand_of(old, each).get(CANARY))
    mine = state_of(glance(old)).suits_known_to(holder)
    assert CANARY in mine
    do(holder, "transfer", to="Madrid", cards={CANARY: 1})
    again(old)


@pytest.mark.thorough
def test_120_an_old_game_goes_on_as_it_is_and_replays(old: Game):
    due = true_due(old)
    stage.days(old, 8)
    old.refresh_from_db()
    file = io.StringIO()
    export_game(old, file)
    stage.days(old, (due - old.anchor_game) / timedelta(days=1) + 1)
    contest = Contest.objects.get(game=old)
    assert contest.reckoned_at == due
    again(old)
    copy = import_game(file.getvalue().splitlines(), slug="copy")
    assert copy.settings == old.settings
    assert Appointment.objects.get(game=copy, kind="aceofspades.reckoning").hidden


@pytest.mark.thorough
def test_120_an_old_games_file_is_told_as_the_game_is(earlier: Game):
    file = io.StringIO()
    export_game(earlier, file)
    copy = import_game(file.getvalue().splitlines(), slug="copy")
    catch_up(copy.pk)
    copy.refresh_from_db()
    assert copy.entries.latest("seq").name == "games.set_powers"
    assert Appointment.objects.get(game=copy, kind="aceofspades.reckoning", status="waiting").hidden
    assert state_of(glance(copy)).told.suits == ("Mauve", "Red", "Black", "Green", "Hearts")

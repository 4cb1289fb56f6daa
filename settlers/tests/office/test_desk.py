"""The Onlooker's desk: what is due, the isle drawn, and the bribes for the Onlooker alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.offices.tests.pages import NEWEST, office_pages
from nomic.offices.urls import office
from nomic.operations.setup import seat_practice_players
from settlers.models import Bribe, Visit
from settlers.rules.titles import DECK, THUG
from settlers.tests.stage import give, hours, place, visitor_is
from tests.kit import Take, at_the_table, figure, seat, sign_in_client, tight, write_anew

Two = tuple[Player, Player]
AMOUNT = 918_273_645
SAID = (str(AMOUNT), f"{AMOUNT:,}")
TITLE = "for your eyes only"


def browser(who: User | Player | None) -> Client:
    client = Client()
    user = who.user if isinstance(who, Player) else who
    if user is not None:
        sign_in_client(client, user)
    return client


def shown(client: Client, address: str, **query: object) -> str:
    """The page's text; it must be there."""
    answer = client.get(address, query)
    assert answer.status_code == 200, address
    return unescape(answer.text)


def the_desk(game: Game, who: User | Player) -> str:
    return shown(browser(who), reverse("office:desk", args=[game.slug]))


@pytest.fixture
def told(game: Game, with_the_thug: Game, produced: Two, officer: Player, act: Take) -> Game:
    """The Thug is here, and Murphy has told a bribe that nobody could mistake."""
    visitor_is(game, THUG)
    act(produced[0], "settlers.bribe", items={"stone": AMOUNT, "wheat": 3})
    return game


# Who sees the bribes


def pages_of(game: Game, newest: int) -> Iterator[str]:
    return office_pages(game, ["onlooker", "proposals"], SAID, newest, search=str(AMOUNT))


def a_superuser(game: Game, settled: Two) -> User:
    return User.objects.create_superuser("root")


def a_superuser_who_plays(game: Game, settled: Two) -> User:
    root = User.objects.create_superuser("root")
    take(game.slug, root, "games.join", {"name": "root"})
    take(game.slug, root, "settlers.join")
    return root


def another_officer(game: Game, settled: Two) -> Player:
    """Whoever holds every other office."""
    other = seat(game, "Jason")
    for vacant in game.offices.exclude(name="Onlooker"):
        take(game.slug, other, "games.take_office", {"office": vacant.name})
    assert other.offices.exists()
    return other


def a_superuser_in_another_office(game: Game, settled: Two) -> User:
    user = another_officer(game, settled).user
    assert user is not None
    User.objects.filter(pk=user.pk).update(is_superuser=True, is_staff=True)
    return User.objects.get(pk=user.pk)


def a_former_onlooker(game: Game, settled: Two) -> Player:
    snail = game.players.get(name="snail")
    take(game.slug, snail, "games.resign_office", {"office": "Onlooker"})
    for vacant in game.offices.exclude(name="Onlooker"):
        take(game.slug, snail, "games.take_office", {"office": vacant.name})
    return snail


def the_briber(game: Game, settled: Two) -> Player:
    return settled[0]


def another_settler(game: Game, settled: Two) -> Player:
    return settled[1]


def somebody_signed_in(game: Game, settled: Two) -> User:
    return User.objects.create_user("juan")


def a_passer_by(game: Game, settled: Two) -> None:
    return None


OTHERS = (a_superuser_who_plays, another_officer, a_former_onlooker, the_briber, a_passer_by)
ALIKE = (a_superuser, a_superuser_in_another_office, another_settler, somebody_signed_in)
"""Whoever is told what one of the others is told as well."""


@pytest.mark.parametrize(
    ("someone", "newest"),
    [
        pytest.param(another_officer, 1, marks=pytest.mark.brief),
        *(
            pytest.param(each, 1, marks=(pytest.mark.brief, pytest.mark.thorough))
            for each in OTHERS
            if each is not another_officer
        ),
        *(
            pytest.param(each, 5, id=f"{each.__name__}, many rows", marks=pytest.mark.slow)
            for each in (*OTHERS, *ALIKE)
        ),
    ],
)
def test_no_page_of_the_officers_shows_a_bribe_to_anybody_else(
    told: Game, produced: Two, someone: Callable[[Game, Two], User | Player | None], newest: int
):
    who = someone(told, produced)
    assert Bribe.objects.get().items["stone"] == AMOUNT
    client = browser(who)
    for address in pages_of(told, newest):
        text = client.get(address).text.replace(f'value="{AMOUNT}"', "").replace(f"q={AMOUNT}", "")
        assert not re.search(figure(AMOUNT), text), address
        assert TITLE not in text, address


@pytest.mark.parametrize("someone", [a_superuser, a_superuser_who_plays])
@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("settlers.correct_visitor", {"visitor": "None", "reason": "?"}),
        ("settlers.correct_settlement", {"settler": "Murphy", "buildings": "Farm", "reason": "?"}),
        ("reports.publish", {"report": "onlooker"}),
    ],
)
def test_no_preview_shows_a_bribe_to_who_runs_the_site(
    told: Game,
    produced: Two,
    someone: Callable[[Game, Two], User],
    name: str,
    inputs: dict[str, str],
):
    client = browser(someone(told, produced))
    preview = client.post(reverse("office:act", args=[told.slug, name]), inputs)
    assert "cannot be shown" not in preview.text
    assert preview.status_code == 200
    assert not re.search(figure(AMOUNT), preview.text)


def test_the_onlooker_sees_each_bribe_and_its_value(told: Game, produced: Two, officer: Player):
    text = the_desk(told, officer)
    assert TITLE in text
    assert f"<strong>Murphy</strong> 3 wheat and {AMOUNT:,} stone" in text
    row = [f"<td>{cell}</td>" for cell in (3, 0, AMOUNT, 0, 0, 6)]
    assert f'<th scope="row">Murphy</th>{"".join(row)}' in tight(text)
    assert TITLE in shown(browser(officer), reverse("office:index"))


def test_an_onlooker_who_runs_the_site_sees_them_as_the_onlooker(told: Game, officer: Player):
    User.objects.filter(pk=officer.user_id).update(is_superuser=True, is_staff=True)
    assert TITLE in the_desk(told, Player.objects.get(pk=officer.pk))


@pytest.mark.thorough
@pytest.mark.parametrize("newest", NEWEST)
def test_the_onlooker_reads_them_on_the_desk_alone(told: Game, officer: Player, newest: int):
    desk = {reverse("office:index"), reverse("office:desk", args=[told.slug])}
    client = browser(officer)
    for address in set(pages_of(told, newest)) - desk:
        text = client.get(address).text.replace(f'value="{AMOUNT}"', "").replace(f"q={AMOUNT}", "")
        assert not re.search(figure(AMOUNT), text), address


def test_no_copy_of_the_desk_is_kept_on_the_way(told: Game, officer: Player):
    answer = browser(officer).get(reverse("office:desk", args=[told.slug]))
    assert "no-store" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]


def test_there_is_no_book_of_bribes():
    assert Bribe not in office.books
    paths = {path for admin in office.books.values() for path in admin.fields}
    paths |= {path for admin in office.books.values() for path in admin.list_display}
    assert not [path for path in paths if "bribe" in path]


def test_before_the_thug_is_known_there_is_nothing_to_tell(
    game: Game, produced: Two, officer: Player
):
    assert TITLE not in the_desk(game, officer)


def test_nobody_having_told_a_bribe_the_onlooker_reads_so(
    game: Game, with_the_thug: Game, produced: Two, officer: Player
):
    visitor_is(game, THUG)
    assert "No Settler has told you a bribe." in the_desk(game, officer)


@pytest.mark.thorough
def test_a_value_that_cannot_be_reckoned_is_a_question_mark(
    game: Game, with_the_thug: Game, produced: Two, officer: Player, act: Take
):
    write_anew(game, THUG, "| 3 | 2 |", "| three | 2 |")
    visitor_is(game, THUG)
    act(produced[0], "settlers.bribe", items={"stone": AMOUNT})
    assert "<td>?</td>" in the_desk(game, officer)


# What is due


def test_right_after_a_production_a_visitor_is_to_come(game: Game, produced: Two, officer: Player):
    text = the_desk(game, officer)
    assert "The Visitor Arrival after Production 1 is to come" in text
    assert reverse("office:act", args=[game.slug, "settlers.receive_visitor"]) in text
    assert "Production 2 may happen" not in text


def test_36_hours_later_the_next_production_may_happen(game: Game, produced: Two, officer: Player):
    hours(game, 36)
    text = the_desk(game, officer)
    assert "Production 2 may happen now; left alone, it comes by itself" in text
    assert "The Visitor Arrival after" not in text


def test_when_all_are_ready_it_may_happen_at_once(
    game: Game, produced: Two, officer: Player, act: Take
):
    for who in produced:
        act(who, "settlers.ready")
    assert "Production 2 may happen" in the_desk(game, officer)


@pytest.mark.thorough
def test_a_past_visit_that_may_be_opened_is_a_duty_with_its_number(
    told: Game, officer: Player, act: Take
):
    with at_the_table(told) as table:
        table.game.isle.arrived_for = 0
        table.game.isle.save(update_fields=["arrived_for"])
    act(officer, "settlers.receive_visitor")
    words = "What visit 1, the Thug's, has sealed may be opened"
    hours(told, 48)
    assert words not in the_desk(told, officer)
    hours(told, 48)
    assert words in the_desk(told, officer)
    address = reverse("office:act", args=[told.slug, "settlers.open_visit"]) + "?visit=1"
    assert address in the_desk(told, officer)
    form = shown(browser(officer), address)
    assert '<option value="1" selected>1</option>' in form
    act(officer, "settlers.open_visit", visit=1)
    assert words not in the_desk(told, officer)
    assert Visit.objects.get(number=1).opened_in


def test_a_table_that_cannot_be_read_is_a_duty_beside_the_others(
    game: Game, produced: Two, officer: Player
):
    write_anew(game, DECK, "| 12 | 1 |", "| 12 | few |")
    text = the_desk(game, officer)
    assert "“The Dice Deck” is not played: " in text
    assert "The Visitor Arrival after Production 1 is to come" in text
    assert "rulebook.amend/?rule=The+Dice+Deck" in text


# What is drawn


def test_the_desk_draws_stockpiles_deck_and_results(game: Game, produced: Two, officer: Player):
    with at_the_table(game) as table:
        give(table, produced[0], wheat=7, brick=2)
        give(table, produced[1], stone=4)
    text = tight(the_desk(game, officer))
    row = "".join(f"<td>{cell}</td>" for cell in (9, 7, 0, 0, 0, 2))
    assert f'<th scope="row">Murphy</th>{row}' in text
    assert text.index(f'<th scope="row">Murphy</th>{row}') < text.index('scope="row">Madrid</th>')
    isle = game.isle
    results = f"<td>{isle.first}</td><td>{isle.second}</td>"
    assert f'<th scope="row">1</th>{results}' in text
    for result in range(2, 13):
        left = isle.deck.get(str(result), 0)
        assert f'<th scope="row">{result}</th><td>{left}</td>' in text


def test_the_desk_of_an_isle_on_which_nothing_has_happened_lists_nothing_empty(
    game: Game, officer: Player
):
    text = the_desk(game, officer)
    assert "Nobody has any items yet." not in text
    assert "Nothing has been produced yet." not in text


def test_the_books_tell_the_settlers_the_offers_and_the_visits(
    told: Game, produced: Two, officer: Player, act: Take
):
    place(produced[0], buildings=["Farm"])
    with at_the_table(told) as table:
        give(table, produced[0], wheat=1)
    act(produced[0], "settlers.offer_trade", to="Madrid", give={"wheat": 1}, take={"wood": 1})
    client = browser(officer)
    for name, words in (
        ("isle", "Thug"),
        ("settler", "Farm"),
        ("offer", "Murphy"),
        ("visit", "Thug"),
    ):
        assert words in shown(client, reverse(f"office:settlers_{name}_changelist")), name


@pytest.mark.thorough
def test_more_settlers_and_bribes_ask_the_database_no_more_often(
    told: Game, officer: Player, act: Take
):
    client = browser(officer)
    pages = [reverse("office:desk", args=[told.slug])]
    pages += [
        reverse(f"office:settlers_{name}_changelist")
        for name in ("isle", "settler", "offer", "visit")
    ]

    def asked() -> dict[str, int]:
        found = {}
        for address in pages:
            client.get(address)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            found[address] = len(queries)
        return found

    before = asked()
    seat_practice_players(told.slug, 9)
    for each in told.players.filter(name__startswith="player"):
        act(each, "settlers.join")
        act(each, "settlers.bribe", items={"wheat": 1})
    assert asked() == before
    assert max(before.values()) <= 17, before

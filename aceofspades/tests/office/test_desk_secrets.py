"""Of what is hidden the officers' site shows the Contestmaster all and others nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from aceofspades.models import Alliance, NeedToKnow, Notice, Offer, Pact, Vote
from aceofspades.tests.acts import AGAINST, FOR
from aceofspades.tests.conftest import Three
from aceofspades.tests.office.desk import (
    SAID,
    SECRETS,
    TITLE,
    browser,
    row,
    shown,
    the_desk,
)
from aceofspades.tests.stage import (
    deck_of,
    hand_of,
    hours,
    propose,
    vote,
)
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.offices.tests.pages import NEWEST, office_pages
from nomic.offices.urls import office
from tests.kit import at_the_table, seat

pytestmark = pytest.mark.usefixtures("counted")


def pages_of(game: Game, newest: int) -> Iterator[str]:
    return office_pages(game, ["contestmaster"], SAID, newest)


def a_superuser(game: Game, three: Three) -> User:
    return User.objects.create_superuser("root")


def a_superuser_who_plays(game: Game, three: Three) -> User:
    root = User.objects.create_superuser("root")
    take(game.slug, root, "games.join", {"name": "root"})
    return root


def another_officer(game: Game, three: Three) -> Player:
    other = seat(game, "Jason")
    with at_the_table(game) as table:
        table.office("Registrar")
    take(game.slug, other, "games.take_office", {"office": "Registrar"})
    return other


def a_former_contestmaster(game: Game, three: Three) -> Player:
    snail = game.players.get(name="snail")
    take(game.slug, snail, "games.resign_office", {"office": "Contestmaster"})
    return snail


def another_contestant(game: Game, three: Three) -> Player:
    return three[2]


def a_passer_by(game: Game, three: Three) -> None:
    return None


OTHERS = (
    a_superuser_who_plays,
    another_officer,
    a_former_contestmaster,
    another_contestant,
    a_passer_by,
)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("someone", "newest"),
    [
        *(pytest.param(each, 1, id=each.__name__, marks=pytest.mark.brief) for each in OTHERS),
        *(
            pytest.param(each, 5, id=f"{each.__name__}, many rows", marks=pytest.mark.slow)
            for each in (*OTHERS, a_superuser)
        ),
    ],
)
def test_no_page_of_the_officers_shows_a_secret_to_anybody_else(
    told: Game, three: Three, someone: Callable[[Game, Three], User | Player | None], newest: int
):
    client = browser(someone(told, three))
    for address in pages_of(told, newest):
        text = client.get(address).text
        assert not SECRETS.search(text), address
        assert TITLE not in text, address


@pytest.mark.thorough
@pytest.mark.parametrize("newest", NEWEST)
def test_the_contestmaster_reads_it_on_the_desk_and_in_their_own_acts_alone(
    told: Game, master: Player, newest: int
):
    desk = {reverse("office:index"), reverse("office:desk", args=[told.slug])}
    client = browser(master)
    for address in set(pages_of(told, newest)) - desk:
        text = client.get(address).text
        assert not SECRETS.search(text), address
        assert TITLE not in text, address


def test_a_contestmaster_who_runs_the_site_sees_it_as_the_contestmaster(told: Game, master: Player):
    User.objects.filter(pk=master.user_id).update(is_superuser=True, is_staff=True)
    assert TITLE in the_desk(told, Player.objects.get(pk=master.pk))


def test_no_copy_of_the_desk_is_kept_on_the_way(told: Game, master: Player):
    answer = browser(master).get(reverse("office:desk", args=[told.slug]))
    assert "no-store" in answer["Cache-Control"]


def test_there_is_no_book_of_what_stands_between_contestants():
    hidden = {Offer, Vote, Notice, Pact, Alliance, NeedToKnow}
    assert not hidden & set(office.books)
    books = office.books.values()
    ours = [book for book in books if book.opts.app_label == "aceofspades"]
    assert len(ours) == 7
    paths = {
        path for book in ours for path in (*book.list_display, *book.fields, *book.search_fields)
    }
    assert not paths & {"sealed", "members", "knows", "votes", "rule__text", "offers_made"}
    proposals = next(book for book in ours if book.title == "The contest: proposals")
    assert "text" not in {*proposals.list_display, *proposals.fields, *proposals.search_fields}


def test_everybody_at_the_desk_sees_how_many_cards_there_are(
    contest: Game, three: Three, master: Player
):
    text = the_desk(contest, a_superuser(contest, three))
    assert row("The Deck", sum(deck_of(contest).values())) in text
    for each in three:
        assert row(each.name, sum(hand_of(contest, each).values())) in text


def test_everybody_at_the_desk_sees_decided_votes_and_no_running_ones(
    contest: Game, three: Three, master: Player
):
    decided = propose(contest, three[0], 500)
    vote(contest, decided, dict.fromkeys(three, FOR))
    hours(contest, 72)
    propose(contest, three[1], 501)
    vote(contest, propose(contest, three[1], 502), {three[0]: AGAINST})
    text = the_desk(contest, a_superuser(contest, three))
    assert row("Proposal 1", 500, "public", "Murphy", "in force", 3, 0) in text
    assert row("Proposal 2", 501, "public", "Madrid", "up for vote", "", "") in text
    assert row("Proposal 3", 502, "public", "Madrid", "up for vote", "", "") in text


def test_the_books_tell_what_is_public(told: Game, three: Three, master: Player):
    client = browser(master)
    names = {
        "contest": "snail",
        "contestant": "Murphy",
        "regulation": "345",
        "proposal": "Murphy",
        "move": "Murphy",
        "request": "Murphy",
        "hint": "0",
    }
    for name, words in names.items():
        assert words in shown(client, reverse(f"office:aceofspades_{name}_changelist")), name
    motions = shown(client, reverse("office:governance_motion_changelist"))
    assert "Tabled act" in motions

"""What the contest's page costs, and what it shows of much."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from aceofspades.models import Contestant, Offer, Pact
from aceofspades.tests.conftest import Three
from aceofspades.tests.web.page import A_PAGE, PAGE, PRIVATE, Budget, body
from nomic.engine import watch
from nomic.games.models import Game, Player
from nomic.ledger.models import Holder, HolderKind
from nomic.web.game_context import shown_mark
from tests.kit import Take, Visitor

WEIGHT = 100_000


@pytest.mark.thorough
@pytest.mark.parametrize("others", [0, 297])
@pytest.mark.parametrize("who", ["contestant", "contestmaster", "newcomer", "outsider", "nobody"])
def test_the_page_asks_little_of_the_database_and_is_light(
    who: str,
    others: int,
    contest: Game,
    busy: Three,
    officer: Player,
    outsider: User,
    act: Take,
    uncounted: None,
    visit: Visitor,
    django_assert_max_num_queries: Budget,
) -> None:
    if others:
        many(contest, others)
    act(outsider, "games.join", name="juan")
    viewers = {
        "contestant": busy[0],
        "contestmaster": officer,
        "newcomer": contest.players.get(name="juan"),
        "outsider": User.objects.create_user("Jason"),
        "nobody": None,
    }
    client = visit(viewers[who])
    body(client)

    with django_assert_max_num_queries(A_PAGE):
        page = body(client)
    assert len(page.encode()) < WEIGHT
    with django_assert_max_num_queries(A_PAGE):
        body(client, PRIVATE)


def many(game: Game, count: int) -> None:
    """So many more contestants, put down without the long way through their joining."""
    contest = game.contest
    players = Player.objects.bulk_create(
        Player(game=game, name=f"contestant{number}", joined_at=contest.begun_at)
        for number in range(count)
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=each.name, player=each) for each in players
    )
    Contestant.objects.bulk_create(
        Contestant(
            contest=contest,
            player=each,
            turn=100 + place,
            joined_at=contest.begun_at,
            joined_in=1,
            dealt=7,
        )
        for place, each in enumerate(players)
    )


def test_a_page_that_has_nothing_new_is_answered_without_a_query(
    contest: Game,
    three: Three,
    htmx: Visitor,
    django_assert_num_queries: Budget,
) -> None:
    watch.bump(contest.pk, 7)
    client = htmx(three[0])
    with django_assert_num_queries(0):
        assert (
            client.get(f"{PAGE}?v={shown_mark(contest.pk, '7')}&game={contest.pk}").status_code
            == 204
        )
    parts = body(client, f"{PAGE}?v=6&game={contest.pk}")
    assert "<html" not in parts
    for part in (
        "picture",
        "hand",
        "ballots",
        "standing",
        "private",
        "page_forms",
        "story",
        "banner",
    ):
        assert f'id="{part}"' in parts


def test_the_private_part_tells_what_a_private_act_has_changed(
    contest: Game,
    three: Three,
    act: Take,
    htmx: Visitor,
) -> None:
    murphy, madrid, _ = three
    cards = {"gives": {"Red": 1}, "takes": {"Black": 1}}
    act(murphy, "aceofspades.offer", to=["Madrid"], **cards)

    part = body(htmx(madrid), PRIVATE)
    assert "Murphy offers you" in part
    assert 'id="private"' in part
    for each in ("whisper", "hand", "ballots", "private"):
        assert f'id="{each}"' in part
    assert part.count("hx-swap-oob") == 4
    assert "<html" not in part
    assert "offers" not in body(htmx(three[2]), PRIVATE)
    assert Offer.objects.count() == 1
    assert not Pact.objects.exists()


@pytest.mark.parametrize("what", ["contestants", "proposals", "moves", "requests"])
def test_every_list_has_the_rest_in_pages(
    what: str,
    contest: Game,
    busy: Three,
    visit: Visitor,
    django_assert_max_num_queries: Budget,
) -> None:
    client = visit(busy[0])
    body(client, f"{PAGE}all/{what}/")

    with django_assert_max_num_queries(A_PAGE):
        page = body(client, f"{PAGE}all/{what}/")
    assert "in all" in page
    body(client, f"{PAGE}all/{what}/?page=99")
    body(client, f"{PAGE}all/hands/", 404)


def test_many_contestants_lead_to_a_list_of_all(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    many(contest, 60)

    page = body(visit(three[0]))
    assert "All 63 contestants" in page
    assert "contestant59" not in page
    assert "contestant59" in body(visit(three[0]), f"{PAGE}all/contestants/")

"""The first tour: it ticks itself off by what the newcomer did, and is never in the way."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from aceofspades.models import Offer
from aceofspades.state.reading import asset_of
from aceofspades.web import waiting
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.operations.setup import advance, new_game
from nomic.web.demonstration import SLUG
from tests.kit import WEDNESDAY, Visitor, at_the_table, on_one_line, seat, tight

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo(db: None) -> Game:
    return new_game(SLUG, "demo", pace="manual", start=WEDNESDAY)[0]


def join(name: str) -> Player:
    take(SLUG, User.objects.create_user(name), "games.join", {"name": name})
    return Player.objects.get(game__slug=SLUG, name=name)


def done(client: Client, path: str = "/g/demo/") -> list[str]:
    """The steps that the page has ticked off."""
    page = tight(client.get(path).text)
    assert 'aria-label="First tour"' in page
    return [
        re.sub(r"<[^>]*>", "", each).strip()
        for each in re.findall(r'<li class="done">(.*?),', page)
    ]


def test_a_tour_of_one_step_is_told_as_one(visit: Visitor) -> None:
    game = new_game("races", "agora-races", pace="manual", start=WEDNESDAY)[0]
    page = visit(seat(game, "Newcomer")).get("/g/races/").text
    assert "<summary>The one step</summary>" in page


@pytest.mark.thorough
def test_each_step_is_ticked_off_by_what_was_really_done(demo: Game, visit: Visitor) -> None:
    newcomer, other = join("Newcomer"), join("Other")
    client = visit(newcomer)
    assert done(client) == []
    take(SLUG, other, "proposals.submit", {"title": "Spoons", "body": "Spoons are nice."})
    take(SLUG, newcomer, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    assert done(client) == ["Vote"]
    take(SLUG, newcomer, "horses.bet", {"horse": "Fargo", "dollaries": 1})
    assert done(client) == ["Vote", "Bet on a horse"]
    the_harvest_is_ticked_off(client, newcomer)
    the_exchange_is_ticked_off(demo, client, newcomer, other)
    sent = {"title": "Forks", "body": "Forks are nice."}
    take(SLUG, newcomer, "proposals.submit", sent)
    assert "Your proposal is being voted on" in client.get("/g/demo/").content.decode()
    for voter in (newcomer, other):
        take(SLUG, voter, "proposals.vote", {"proposal": 2, "choice": "FOR"})
    demo.refresh_from_db()
    assert demo.last_at is not None
    advance(SLUG, demo.last_at + timedelta(days=15))
    page = on_one_line(client.get("/g/demo/").text)
    assert "You have done it all" in page
    assert "Proposal 2 “Forks” was adopted: the game is played by it now." in page
    assert done(client)[-1] == "Propose a change and see it adopted"


def the_harvest_is_ticked_off(client: Client, newcomer: Player) -> None:
    assert "Become a Settler first" in client.get("/g/demo/").content.decode()
    take(SLUG, newcomer, "settlers.join")
    day = WEDNESDAY
    while "Harvest before the next Production" not in client.get("/g/demo/").content.decode():
        day += timedelta(days=1)
        advance(SLUG, day)
    take(SLUG, newcomer, "settlers.harvest")
    assert "Harvest" in done(client)


def the_exchange_is_ticked_off(demo: Game, client: Client, newcomer: Player, other: Player) -> None:
    assert "Join the contest first" in client.get("/g/demo/").content.decode()
    for player in (newcomer, other):
        take(SLUG, player, "aceofspades.join")
        with at_the_table(demo) as table:
            for suit in ("Red", "Black"):
                table.ledger.create(player, 1, asset_of(suit), "for the test")
    for gives, takes in (("Red", "Black"), ("Black", "Red")):
        cards = {"gives": {gives: 1}, "takes": {takes: 1}}
        take(SLUG, other, "aceofspades.offer", {"to": ["Newcomer"], "anonymous": False, **cards})
    good, bad = Offer.objects.order_by("pk")
    worths: dict[str, float | None] = {good.code: 2.0, bad.code: -1.0}
    with pytest.MonkeyPatch.context() as known:
        known.setattr(waiting, "gain_by", lambda view, offer: worths[offer.code])
        page = client.get("/g/demo/").content.decode().partition("tour-steps")[0]
        assert "Other offers you 1 Red for 1 Black." in page
        assert "your hand is worth 2 Marks more with it." in page
        assert "Accept 1 Red for 1 Black from Other" in page
        assert f'name="offer" value="{good.code}"' in page.partition("First tour")[2]
        assert f'name="offer" value="{bad.code}"' not in page.partition("First tour")[2]
        the_offer_that_was_shown_or_nothing(client, other, good, worths, demo)
    client.post("/g/demo/act/aceofspades.accept_offer/", {"offer": bad.code})
    assert "Exchange a card" in done(client)


def the_offer_that_was_shown_or_nothing(
    client: Client, other: Player, good: Offer, worths: dict[str, float | None], demo: Game
) -> None:
    """One that was withdrawn is accepted no more, and no other in its place; then nothing that
    costs marks or is not weighed yet has a button."""
    take(SLUG, other, "aceofspades.withdraw_offer", {"offer": good.code})
    held = Balance.objects.filter(holder__game=demo).exclude(amount=0).order_by("holder", "asset")
    before = list(held.values_list("holder", "asset", "amount"))
    client.post("/g/demo/act/aceofspades.accept_offer/", {"offer": good.code})
    assert list(held.values_list("holder", "asset", "amount")) == before
    for left, says in (
        (-1.0, "No offer to you makes your hand worth more."),
        (None, "working out"),
    ):
        worths.update(dict.fromkeys(worths, left))
        page = client.get("/g/demo/").content.decode().partition("tour-steps")[0]
        assert says in page.partition("First tour")[2]
        assert "accept_offer" not in page.partition("First tour")[2]


@pytest.mark.thorough
def test_each_page_of_the_demonstration_has_it_until_it_is_dismissed(
    demo: Game, visit: Visitor
) -> None:
    client = visit(join("Newcomer"))
    for path in ("", "horses/", "proposals/", "settlers/", "aceofspades/", "rules/", "record/"):
        assert done(client, f"/g/demo/{path}") == []
    away = client.post("/g/demo/tour/", {"back": "/g/demo/rules/"})
    assert away.headers["Location"] == "/g/demo/rules/"
    assert "First tour" not in client.get("/g/demo/rules/").content.decode()
    assert client.post("/g/demo/tour/", {"back": "//evil.example/"}).headers["Location"] == (
        "/g/demo/"
    )


def test_who_looks_on_has_none(demo: Game, visit: Visitor) -> None:
    assert "First tour" not in visit().get("/g/demo/").content.decode()


def test_any_table_has_the_tour_of_what_it_plays_at_its_home_until_it_is_done(
    game: Game, player: Player, visit: Visitor
) -> None:
    client = visit(player)
    assert done(client, "/g/table/") == []
    page = client.get("/g/table/").content.decode()
    assert "Bet on a horse" in page
    assert "Harvest" not in page
    assert "First tour" not in client.get("/g/table/rules/").content.decode()
    take("table", player, "horses.bet", {"horse": "Fargo", "dollaries": 1})
    assert "First tour" not in client.get("/g/table/").content.decode()


def test_a_tour_that_is_hidden_is_hidden_at_that_table_alone(
    demo: Game, game: Game, player: Player, visit: Visitor
) -> None:
    client = visit(player)
    client.post("/g/demo/tour/", {"back": "/g/demo/"})
    assert done(client, "/g/table/") == []
    client.post("/g/table/tour/", {"back": "/g/table/"})
    assert "First tour" not in client.get("/g/table/").content.decode()

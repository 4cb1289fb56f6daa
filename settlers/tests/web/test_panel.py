"""The isle in small on a game's home."""

from __future__ import annotations

from nomic.games.models import Game, Player
from settlers.tests.stage import place, results_are, visitor_is
from tests.kit import Take, Visitor, on_one_line, seat

HOME = "/g/table/"
Two = tuple[Player, Player]


def home(visit: Visitor, who: Player | None = None) -> str:
    return on_one_line(visit(who).get(HOME).content.decode())


def test_the_panel_tells_what_the_results_bring(
    game: Game,
    produced: Two,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid = produced
    for who in produced:
        place(who, domains={"wheat": 2, "sheep": 3, "stone": 4, "wood": 5, "brick": 6})
    results_are(game, 2, 7)
    assert "They bring you <strong>5 wheat</strong>: your harvest waits." in home(visit, murphy)
    act(murphy, "settlers.harvest")
    assert "You have <strong>harvested</strong> after Production 1" in home(visit, murphy)
    place(madrid, domains={"wheat": None})
    assert "They give you nothing." in home(visit, madrid)
    assert "They bring you" not in home(visit)


def test_the_panel_shows_who_is_here(
    game: Game,
    settled: Two,
    visit: Visitor,
) -> None:
    assert "no visitor" in home(visit)
    visitor_is(game, "Merchant")
    assert "the Merchant is here" in home(visit)
    assert "The visitor at the landing place: Merchant." in home(visit)


def test_the_panel_draws_oneself_and_the_foremost(
    game: Game,
    settled: Two,
    act: Take,
    visit: Visitor,
) -> None:
    for number in range(6):
        other = seat(game, f"settler {number}")
        act(other, "settlers.join")
        place(other, buildings=["Farm"] * (number + 1))
    murphy, _ = settled
    page = home(visit, murphy)
    assert page.count('class="homestead') == 4
    assert page.count('class="homestead mine"') == 1
    assert "settler 5: Domains" in page
    assert "settler 0: Domains" not in page
    assert "settler 2: Domains" in home(visit)
    assert "settler 1: Domains" not in home(visit)


def test_what_one_does_on_the_isle_is_done_on_its_own_page(
    settled: Two,
    visit: Visitor,
) -> None:
    page = home(visit, settled[0])
    assert "form-settlers" not in page
    assert "Harvest, build and trade" in page


def test_an_empty_isle_leaves_the_home_standing(game: Game, player: Player, visit: Visitor) -> None:
    assert "Nobody has settled here yet" in home(visit, player)
    assert "Become a Settler" in home(visit, player)

"""What the isle's page shows of a harvest before it is sent, and of bribes to two people only."""

from __future__ import annotations

import re

from django.contrib.auth.models import User

from nomic.games.models import Game, Player
from settlers.models import Settler as Row
from settlers.tests.stage import place, results_are, visitor_is
from settlers.tests.web.test_pages import PAGE, PREVIEW, PRIVATE, Two, body
from tests.kit import Take, Visitor, on_one_line, tight


def unchanging(page: str) -> str:
    """The page without what differs every time that it is asked for."""
    return re.sub(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"', "", page)


def test_the_preview_comes_alone_or_with_the_whole_page(
    game: Game,
    produced: Two,
    visit: Visitor,
    htmx: Visitor,
) -> None:
    murphy, _ = produced
    place(murphy, domains={"wheat": 2, "sheep": 3, "stone": 4, "wood": 5, "brick": 6})
    results_are(game, 2, 7)
    swap = "change_kind=swap&change_a=wheat&change_b=brick&bonuses_sent=1"
    part = on_one_line(body(htmx(murphy), f"{PREVIEW}?{swap}"))
    assert "This brings <strong>5 wheat</strong>" in part
    assert "<del>2</del> <ins>6</ins>" in part
    assert "<html" not in part
    answer = visit(murphy).post(PREVIEW, dict(pair.split("=") for pair in swap.split("&")))
    assert answer.status_code == 302
    assert "csrf" not in answer["Location"]
    whole = on_one_line(body(visit(murphy), answer["Location"]))
    assert "<del>2</del> <ins>6</ins>" in whole
    assert re.search(r'value="swap" checked', whole)
    assert Row.objects.get(player=murphy).wheat_domain == 2


def test_a_preview_refuses_as_the_harvest_does(
    produced: Two,
    outsider: User,
    visit: Visitor,
    htmx: Visitor,
) -> None:
    murphy, _ = produced
    same = "change_kind=swap&change_a=wheat&change_b=wheat&bonuses_sent=1"
    assert "A swap is of two Domains" in body(htmx(murphy), f"{PREVIEW}?{same}")
    for odd in ("change_kind=shift", "change_kind=zz", "bonuses_sent=1&bonuses_0=x", "change=%00"):
        assert htmx(murphy).get(f"{PREVIEW}?{odd}").status_code == 200
        assert visit(murphy).get(f"{PAGE}?{odd}").status_code == 200
    assert body(htmx(outsider), PREVIEW).strip() == ""
    assert visit().get(f"{PAGE}?{same}").status_code == 200


# What is private


def test_a_bribe_shows_to_its_settler_and_the_onlooker_and_changes_nothing_for_others(
    with_the_thug: Game,
    produced: Two,
    officer: Player,
    outsider: User,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid = produced
    visitor_is(with_the_thug, "Thug")
    watchers = [visit(who) for who in (madrid, outsider, None)]
    before = [unchanging(body(client, path)) for client in watchers for path in (PAGE, PRIVATE)]
    act(murphy, "settlers.bribe", items={"stone": 3, "wood": 1})
    after = [unchanging(body(client, path)) for client in watchers for path in (PAGE, PRIVATE)]
    assert after == before
    for path in (PAGE, PRIVATE):
        own = "Your bribe: <strong>3 stone and 1 wood</strong>, worth <strong>4</strong>"
        assert own in on_one_line(body(visit(murphy), path))
        table = re.search(r"<tbody><tr>.*?Murphy.*?</tbody>", tight(body(visit(officer), PRIVATE)))
        assert table is not None
        assert "3 stone and 1 wood" in table[0]
    assert "3 stone and 1 wood" not in body(visit(officer), "/g/table/")


def test_while_the_thug_is_away_nobody_is_told_of_bribes(
    with_the_thug: Game,
    produced: Two,
    officer: Player,
    visit: Visitor,
) -> None:
    for visitor in ("Merchant", "None"):
        visitor_is(with_the_thug, visitor)
        for who in (*produced, officer, None):
            for path in (PAGE, PRIVATE):
                assert "Onlooker see this" not in (page := body(visit(who), path))
                assert "The bribes offered to you" not in page


def test_what_is_private_is_kept_by_no_cache(
    with_the_thug: Game,
    produced: Two,
    visit: Visitor,
) -> None:
    visitor_is(with_the_thug, "Thug")
    for path in (PAGE, PRIVATE):
        assert "no-store" in visit(produced[0]).get(path)["Cache-Control"]

"""A game's home: without a picture of the subgame in play, and with those who won."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from nomic.engine.tests.tiny import TINY
from nomic.games.models import Game, Player
from nomic.games.wins import win_sentence
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Visitor, at_the_table, on_one_line, tight


@pytest.fixture
def preset() -> str:
    return TINY


def test_a_subgame_without_pages_leaves_the_home_as_it_is(game: Game, visit: Visitor) -> None:
    answer = visit().get("/g/table/")
    assert answer.status_code == 200
    assert "no subgame in play" not in answer.content.decode()
    assert 'href=""' not in answer.content.decode()


def test_who_won_is_told_at_home_with_the_entry_and_costs_no_query(
    game: Game,
    player: Player,
    rival: Player,
    visit: Visitor,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = visit(player)
    assert "wins-title" not in client.get("/g/table/").content.decode()
    with CaptureQueriesContext(connection) as before:
        client.get("/g/table/")
    for winner, how in ((player, "by <b>ten</b> points"), (rival, "by a coin")):
        with at_the_table(game) as table:
            table.win(winner, "Coins", how)
    with django_assert_num_queries(len(before)):
        page = client.get("/g/table/").content.decode()
    wins = tight(page[page.index('id="wins-title"') :])
    assert "by &lt;b&gt;ten&lt;/b&gt; points" in wins
    assert wins.index("Madrid") < wins.index("Murphy")
    for win in game.wins.all():
        assert f'href="/g/table/record/{win.entry}/">entry {win.entry}<' in wins


@pytest.mark.thorough
def test_a_win_is_told_for_a_week_on_all_pages_of_its_game_and_in_the_lobby(
    game: Game, player: Player, visit: Visitor
) -> None:
    with at_the_table(game) as table:
        table.win(player, "Coins", "4 Cones on the isle")
    told = "Murphy has won: 4 Cones on the isle"
    pages = ("/g/table/", "/g/table/rules/", "/g/table/ledger/")
    for client in (visit(player), visit()):
        assert [told in client.get(page).content.decode() for page in pages] == [True] * 3
        assert told in client.get("/").content.decode()
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    # Its card stays on the home of who has not put it away.
    assert [told in visit(player).get(page).content.decode() for page in pages[1:]] == [False] * 2
    assert told not in visit().get("/g/table/").content.decode()
    assert told in visit(player).get("/").content.decode()


def test_a_win_is_a_card_of_the_home_until_it_is_put_away_and_then_a_banner_for_a_week(
    game: Game, player: Player, rival: Player, visit: Visitor
) -> None:
    with at_the_table(game) as table:
        table.win(rival, "Coins", "4 Cones on the isle")
    client = visit(player)

    def told() -> tuple[int, int]:
        page = client.get("/g/table/").content.decode()
        return page.count(">Put this away<"), page.count("Madrid has won: 4 Cones on the isle")

    assert told() == (1, 1)
    client.post("/g/table/moments/", {"entry": "no number"})
    assert told() == (1, 1)
    client.post("/g/table/moments/", {"entry": game.wins.get().entry})
    assert told() == (0, 1)
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    assert told() == (0, 0)


def test_what_keeps_the_books_is_one_folded_line_below_what_people_did(
    game: Game, player: Player, visit: Visitor
) -> None:
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    answer = visit(player).get("/g/table/")
    shown = [entry.name for entry in answer.context["entries"]]
    routine = [entry.name for entry in answer.context["routine"]]
    assert "games.join" in shown
    assert {"dice.week", "games.begin"} <= set(routine)
    assert not {*shown} & {*routine}
    assert f"{len(routine)} routine entries" in on_one_line(answer.content.decode())


@pytest.mark.parametrize(
    ("how", "said"),
    [("by 10 Victory Points", "M has won by 10 Victory Points"), ("a race", "M has won: a race")],
)
def test_a_win_is_said_as_a_sentence(how: str, said: str) -> None:
    assert win_sentence("M", how) == said


def test_a_page_is_sent_compressed_and_never_of_the_same_length_for_what_is_in_it(
    game: Game, player: Player, visit: Visitor
) -> None:
    client = visit(player)
    asked = {"headers": {"Accept-Encoding": "gzip"}}
    sent = [client.get("/g/table/rules/", **asked) for _ in range(8)]
    assert {each["Content-Encoding"] for each in sent} == {"gzip"}
    assert all(len(each.content) < 20_000 for each in sent)
    assert len({len(each.content) for each in sent}) > 1
    assert "Content-Encoding" not in client.get("/g/table/rules/").headers


def test_only_who_alone_has_the_best_score_is_said_to_lead(
    game: Game, player: Player, rival: Player, visit: Visitor
) -> None:
    def summary() -> str:
        page = tight(visit(player).get("/g/table/").content.decode())
        return page.split('id="all-standings">')[1].split("</summary>")[0].split("<summary>")[1]

    assert summary() == "Standings"  # all have nothing
    with at_the_table(game) as table:
        table.ledger.create(rival, 2, "points")
    assert summary() == f"Standings: {rival} leads"
    with at_the_table(game) as table:
        table.ledger.create(player, 2, "points")
    assert summary() == "Standings"

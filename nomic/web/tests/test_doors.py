"""Who opens the address of a game that they may not see learns nothing by it, not even that it is
there, and is asked to sign in."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.games.models import SEEN_BY, Game, Player, SeenBy
from tests.kit import Visitor, on_one_line

INSIDE = ["", "rules/", "record/", "horses/", "record/1/", "races/?x=1&y=2"]


@pytest.fixture
def hidden(game: Game) -> Game:
    """The game, as those alone see it who have a seat or its link."""
    game.settings[SEEN_BY] = SeenBy.LINK.value
    game.save(update_fields=["settings"])
    return game


def words(client: Client, address: str) -> tuple[int, str]:
    answer = client.get(address)
    page = on_one_line(answer.content.decode())
    return answer.status_code, page[page.index("<main") : page.index("</main>")]


def test_an_outsider_is_asked_in_the_same_words_whether_or_not_the_game_is_there(
    hidden: Game, visit: Visitor
) -> None:
    for inside in INSIDE:
        status, there = words(visit(), f"/g/table/{inside}")
        assert status == 404
        assert there.replace("table", "nowhere") == words(visit(), f"/g/nowhere/{inside}")[1]
    assert "/accounts/login/?next=%2Fg%2Ftable%2Frules%2F" in words(visit(), "/g/table/rules/")[1]


def test_who_has_signed_in_without_a_right_to_it_reads_one_404(
    hidden: Game, outsider: User, visit: Visitor
) -> None:
    client = visit(outsider)
    assert (
        words(client, "/g/table/")[1].replace("table", "nowhere") == words(client, "/g/nowhere/")[1]
    )
    assert "next=" not in words(client, "/g/table/")[1]


def test_as_many_queries_are_asked_for_a_game_that_is_there(
    hidden: Game, outsider: User, visit: Visitor
) -> None:
    for client in (visit(), visit(outsider)):
        client.get("/g/elsewhere/rules/")  # what is read once and kept is read by this
        counts = []
        for address in ("/g/table/rules/", "/g/nowhere/rules/"):
            with CaptureQueriesContext(connection) as captured:
                client.get(address)
            counts.append(len(captured))
        assert counts[0] == counts[1]


def test_the_api_answers_alike(hidden: Game, visit: Visitor) -> None:
    there, nowhere = (visit().get(f"/api/v1/games/{slug}") for slug in ("table", "nowhere"))
    assert there.status_code == nowhere.status_code == 404
    assert there.content.decode().replace("table", "nowhere") == nowhere.content.decode()


def test_who_has_a_seat_comes_back_to_the_address(
    player: Player, hidden: Game, visit: Visitor
) -> None:
    assert words(visit(player), "/g/table/rules/")[0] == 200

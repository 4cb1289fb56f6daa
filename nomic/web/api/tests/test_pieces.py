"""What many players make long is answered in pieces, each of which names the next."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.governance.reports import PUBLISH
from nomic.ledger.models import Holder, HolderKind
from nomic.web.api.messages import MANY, a_piece


@pytest.fixture
def crowd(game: Game) -> list[str]:
    """The names of more players than an answer has, and of the first."""
    rows = Player.objects.bulk_create(
        Player(game=game, name=f"player{number:03}", joined_at=game.anchor_game)
        for number in range(2 * MANY + 1)
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=each.name, player=each) for each in rows
    )
    return [each.name for each in rows]


def pieces(address: str) -> list[Any]:
    """All of them, as the header Link leads to them."""
    found, link = [], f"<{address}>"
    while link:
        answer = Client().get(link[1 : link.index(">")])
        found.append(answer.json())
        link = answer.headers.get("Link", "")
    return found


def test_what_few_make_is_answered_whole() -> None:
    told = {"few": list(range(MANY)), "one": {"of": "them"}, "none": None}
    answer = HttpResponse()
    assert a_piece(RequestFactory().get("/"), answer, told, 0) == told
    assert "Link" not in answer.headers


@pytest.mark.parametrize("count", [MANY + 1, 3 * MANY])
def test_each_long_list_and_object_within_is_cut_alike(count: int) -> None:
    told = {"all": [{"bets": {str(n): n for n in range(count)}}], "few": [1, 2]}
    found: list[int] = []
    for after in range(0, count, MANY):
        answer = HttpResponse()
        piece = a_piece(RequestFactory().get("/x?a=1"), answer, told, after)
        assert piece["few"] == [1, 2]
        found += piece["all"][0]["bets"].values()
        is_last = after + MANY >= count
        link = f'</x?a=1&after={after + MANY}>; rel="next"'
        assert answer.headers.get("Link") == (None if is_last else link)
    assert found == list(range(count))


def test_all_players_and_balances_are_told_in_pieces(game: Game, crowd: list[str]) -> None:
    told = pieces("/api/v1/games/table")
    assert len(told) == 3
    assert [each["name"] for piece in told for each in piece["players"]] == sorted(crowd)
    balances = pieces("/api/v1/games/table/balances")
    names = [name for piece in balances for name in piece]
    assert len(names) == len({*names})
    assert {*crowd} <= {*names}


def test_a_report_of_many_is_told_in_pieces(game: Game, crowd: list[str], settings: Any) -> None:
    take(game.slug, None, PUBLISH, {"report": "horsened"})
    settings.BOUNDS = {"text_kilobytes": 5}
    whole = game.entries.latest("seq").outcome
    told = pieces("/api/v1/games/table/reports/horsened")
    assert len(told) > 1
    assert "".join(piece["text"] for piece in told) == whole["text"]
    assert all(len(piece["text"].splitlines()) <= MANY for piece in told)
    csv = Client().get("/api/v1/games/table/reports/horsened?format=csv")
    assert len(csv.text.splitlines()) == MANY
    assert "after=200" in csv.headers["Link"]

"""Pages of the officers' site ask the database as often for 300 players as for 3."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from nomic.games.models import Game
from nomic.offices.urls import office
from nomic.operations.setup import seat_practice_players


def asked(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


@pytest.mark.thorough
def test_no_page_asks_more_for_more_players(game: Game, desk: Client) -> None:
    places = [
        reverse("office:index"),
        reverse("office:desk", args=[game.slug]),
        reverse("office:paper", args=[game.slug, "horsened"]),
        reverse("office:act", args=[game.slug, "ledger.correct"]),
        *(
            reverse(f"office:{admin.opts.app_label}_{admin.opts.model_name}_changelist")
            for admin in office.books.values()
        ),
    ]
    seat_practice_players(game.slug, 3)
    before = {address: asked(desk, address) for address in places}
    seat_practice_players(game.slug, 60)
    after = {address: asked(desk, address) for address in places}
    assert before == after
    assert max(before.values()) <= 13, before


def test_lists_are_paged_without_counting(game: Game, desk: Client) -> None:
    seat_practice_players(game.slug, 60)
    address = reverse("office:record_entry_changelist")
    with CaptureQueriesContext(connection) as queries:
        page = desk.get(address)
    assert not [query for query in queries if "COUNT(" in query["sql"]]
    assert page.text.count('class="data-row') == 50
    assert 'href="?p=2"' in page.text
    assert desk.get(address, {"p": 2}).text.count('class="data-row') > 5

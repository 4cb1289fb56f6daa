"""The site on a database that can only be read, a standby: pages are read, acts are put off."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client

from nomic.engine.outcomes import NoticeKind
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices.models import Notice
from proposals.web.preview.preview import preview
from tests.kit import Visitor

PAGES = (
    *("/", "/settings/", "/settings/notices/", "/settings/tokens/", "/notices/", "/start/"),
    *(
        "/keys/",
        "/search/?q=horse",
        "/g/table/join/",
        "/accounts/login/",
        "/api/v1/games",
        "/api/v1/keys",
    ),
    *(
        f"/g/table/{path}"
        for path in (
            *("", "seat/", "motions/", "say/", "act/horses.bet/", "rules/", "record/", "ledger/"),
            *("record/feed/", "record/1/", "ledger/Murphy/", "reports/", "players/Murphy/"),
            *("search/?q=horse", "talk/", "dice/", "witness/", "receipts/"),
            *("horses/", "recalculations/", "calendar.ics"),
        )
    ),
    *(f"/api/v1/games/table{path}" for path in ("", "/record", "/rules", "/balances", "/dice")),
)


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def standby(transactional_db: None, player: Player, visit: Visitor) -> Iterator[Client]:
    """A player's browser on such a site; there is a notice that they have not seen."""
    browser = visit(player)
    told = {
        "game": player.game,
        "kind": NoticeKind.VOTE,
        "text": "A vote opens.",
        "about": "vote 1",
    }
    Notice.objects.create(user=player.user, url="/", at=wall_now(), **told)
    browser.raise_request_exception = False
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        try:
            yield browser
        finally:
            cursor.execute("SET default_transaction_read_only = off")


@pytest.mark.thorough
def test_pages_are_read_and_acts_are_told_to_come_back(standby: Client, game: Game) -> None:
    before = Game.objects.get(pk=game.pk).last_entry
    for browser in (standby, Client(raise_request_exception=False)):
        found = {path: browser.get(path, follow=True).status_code for path in PAGES}
        assert {path: status for path, status in found.items() if status != 200} == {}
    forms = {
        "/g/table/act/games.leave/": {"confirmed": "1"},
        "/g/table/act/horses.bet/": {"horse": "Fargo", "dollaries": "1"},
    }
    for path, sent in forms.items():
        answer = standby.post(path, sent)
        assert (path, answer.status_code) == (path, 503)
        assert answer["Retry-After"]
        assert "can be read" in answer.content.decode()
    assert Game.objects.get(pk=game.pk).last_entry == before


def test_what_a_proposal_would_do_is_not_tried_there(standby: Client, game: Game) -> None:
    found = preview(game, None, "Repeal the rule “Voting”.", {})
    (why,) = found.warnings
    assert why.endswith("The database is a standby for now, in which nothing can be tried.")

"""The share of a web process's threads that each game and visitor has."""

import logging
from threading import Event, Thread
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from nomic.engine import watch
from nomic.games.models import Game, Player
from nomic.infrastructure.logs import Worthwhile
from nomic.quotas import usage
from nomic.quotas.models import UsageKind
from nomic.quotas.usage import Whose
from nomic.web import request_shares
from nomic.web.request_shares import claims_of, come_back_later, share_the_threads
from nomic.web.tokens import make_token
from tests.kit import Visitor

ask = RequestFactory()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/g/tea/", ["game:tea"]),
        ("/g/tea/rules/", ["game:tea"]),
        ("/g/tea", ["game:tea"]),
        ("/api/v1/games/tea/actions/horses.bet", ["game:tea"]),
        ("/office/g/tea/", ["desk:tea"]),
        ("/g/tea/whole/", ["files:", "files:tea"]),
        ("/api/v1/games/tea/whole", ["files:", "files:tea"]),
        ("/g/tea/receipts/?format=json", ["files:", "files:tea"]),
        ("/g/tea/receipts/", ["receipts:tea"]),
        ("/g/tea/receipts/7/", ["receipts:tea"]),
        ("/api/v1/games/tea/receipts", ["receipts:tea"]),
        ("/g/tea/proposals/preview/", ["game:tea", "preview:tea"]),
        ("/g/tea/proposals/p7/changes/", ["game:tea", "preview:tea"]),
        ("/g/tea/proposals/p7/", ["game:tea"]),
        ("/api/v1/games/tea/proposals/p7", ["game:tea", "preview:tea"]),
        ("/api/v1/games/tea/proposals", ["game:tea"]),
        ("/g/tea/wholesome/", ["game:tea"]),
        ("/g/tea/search/", ["game:tea", "search:"]),
        ("/search/", ["search:"]),
        ("/", []),
        ("/api/v1/games", []),
        ("/office/", []),
        ("/office/shares/", []),
        ("/accounts/login/", []),
    ],
)
def test_a_request_claims_what_it_is_of(path: str, expected: list[str]) -> None:
    assert [claim.key for claim in claims_of(ask.get(path), 8)] == expected


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/keep/", "/i/a-link/"])
def test_who_sends_a_password_claims_a_share_of_their_address_and_of_all_doors(path: str) -> None:
    here, there = (
        claims_of(ask.post(path, REMOTE_ADDR=address), 8) for address in ("10.0.0.1", "10.0.0.2")
    )
    assert [claim.key.partition(":")[0] for claim in here] == ["password", "passwords"]
    assert [claim.quick for claim in here] == [2, 4]
    assert here[0].key != there[0].key
    assert here[1] == there[1]
    assert "10.0.0.1" not in str(here)


def test_more_than_a_request_may_have_is_refused_before_any_of_it_is_read() -> None:
    def read(request: HttpRequest) -> HttpResponse:
        raise AssertionError("nothing asks for it")

    for path, kind in (("/start/rules/", "text/html"), ("/api/v1/me", "application/problem+json")):
        answer = share_the_threads(read)(ask.post(path, CONTENT_LENGTH="11000001"))
        assert answer.status_code == 413
        assert answer.headers["Content-Type"].startswith(kind)


def test_whoever_shows_a_session_or_a_token_claims_a_share_of_their_own() -> None:
    claimed = [
        claims_of(ask.get("/", headers={"Authorization": f"Bearer {token}"}), 8)[0].key
        for token in ("one", "two", "one")
    ]
    assert claimed[0] == claimed[2] != claimed[1]
    request = ask.get("/g/tea/")
    request.COOKIES["sessionid"] = "mine"
    assert [each.key.partition(":")[0] for each in claims_of(request, 8)] == ["game", "visitor"]
    assert "mine" not in str(claims_of(request, 8))


class Site:
    """A site of so many threads, whose answers wait until they are let go."""

    def __init__(self, settings: Any, threads: int, slow: str) -> None:
        settings.WEB_THREADS = threads
        self.go, self.begun = Event(), 0
        self.slow = slow
        self.answer = share_the_threads(self._answer)
        self._threads: list[Thread] = []

    def _answer(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(self.slow):
            self.begun += 1
            assert self.go.wait(30)
        return HttpResponse("done")

    def hold(self, path: str, count: int) -> None:
        for _ in range(count):
            thread = Thread(target=lambda: self.answer(ask.get(path)))
            thread.start()
            self._threads.append(thread)
        while self.begun < count:
            pass

    def end(self) -> None:
        self.go.set()
        for thread in self._threads:
            thread.join(30)


def test_a_game_that_holds_its_share_is_told_when_to_come_back_and_others_are_served(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(settings, 8, "/g/bad/")
    monkeypatch.setattr(request_shares, "PATIENCE", 0)
    site.hold("/g/bad/", 4)
    try:
        for path, headers, kind in (
            ("/g/bad/act/games.join/", {}, "text/html; charset=utf-8"),
            ("/g/bad/", {"HX-Request": "true"}, "text/plain; charset=utf-8"),
            ("/api/v1/games/bad/rules", {}, "application/problem+json"),
        ):
            refused = site.answer(ask.post(path, headers=headers))
            assert refused.status_code == 503
            assert int(refused.headers["Retry-After"]) >= 1
            assert refused.headers["Content-Type"] == kind
            text = refused.content.decode()  # type: ignore[attr-defined]
            assert "This game has more to do than its share of the site. Nothing was done" in text
            assert "Try again in 1 second." in text
        for path in ("/g/good/", "/", "/healthz", "/office/", "/search/"):
            assert site.answer(ask.get(path)).status_code == 200
    finally:
        site.end()
    assert site.answer(ask.get("/g/bad/")).status_code == 200


def test_what_is_turned_away_is_counted_by_its_kind_and_names_nobody(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(settings, 4, "/search/")
    monkeypatch.setattr(request_shares, "PATIENCE", 0)
    before = watch.measures().get("turned_away/search", 0)
    site.hold("/search/", 1)
    try:
        assert site.answer(ask.get("/search/")).status_code == 503
    finally:
        site.end()
    assert watch.measures()["turned_away/search"] == before + 1


def test_who_is_turned_away_is_counted_and_makes_no_line_in_the_log() -> None:
    turned_away, served = ask.get("/api/v1/games"), ask.get("/api/v1/games")
    come_back_later(turned_away, "Others wait.", 1)
    of_each = [logging.makeLogRecord({"request": each}) for each in (turned_away, served)]
    assert [Worthwhile().filter(record) for record in of_each] == [False, True]


def test_a_file_holds_its_place_until_it_is_sent(
    db: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEB_THREADS = 4
    monkeypatch.setattr(request_shares, "PATIENCE", 0)
    answer = share_the_threads(lambda request: StreamingHttpResponse(iter([b"a", b"b"])))
    first = answer(ask.get("/g/tea/whole/"))
    assert answer(ask.get("/g/tea/whole/")).status_code == 503
    first.close()  # as the server does, when it is sent or nobody wants it any more
    assert answer(ask.get("/g/tea/whole/")).status_code == 200


def test_a_fault_gives_its_place_back(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEB_THREADS = 4
    monkeypatch.setattr(request_shares, "PATIENCE", 0)

    def fail(request: HttpRequest) -> HttpResponse:
        raise RuntimeError("broken")

    answer = share_the_threads(fail)
    for _ in range(9):
        with pytest.raises(RuntimeError):
            answer(ask.get("/g/tea/"))


def test_a_page_counts_for_its_game_its_reader_and_their_token(
    game: Game, player: Player, visit: Visitor
) -> None:
    def requests(kind: UsageKind, number: int) -> int:
        return usage.costs_by_day(Whose(kind, number), 1)[0][1].requests

    assert player.user
    token, plain = make_token(player.user, "script")
    counted = [
        (UsageKind.GAME, game.pk),
        (UsageKind.USER, player.user.pk),
        (UsageKind.TOKEN, token.pk),
    ]
    before = [requests(*each) for each in counted]
    visit(player).get(f"/g/{game.slug}/")
    sent = {"Authorization": f"Bearer {plain}"}
    assert visit().get(f"/api/v1/games/{game.slug}", headers=sent).status_code == 200
    assert [requests(*each) for each in counted] == [before[0] + 2, before[1] + 2, before[2] + 1]

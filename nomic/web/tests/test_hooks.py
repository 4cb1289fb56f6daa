"""Webhooks for all entries of a game: in order, none left out, only to who sees the game."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import SEEN_BY, Game, Player
from nomic.notices import http_client
from nomic.notices.http_client import CallResult
from nomic.notices.payloads import secret
from nomic.notices.preferences import choices_of
from nomic.web.hooks.calls import GIVEN_UP_AFTER, call_due, go_on
from nomic.web.models import Hook
from tests.kit import Visitor, user_of

ADDRESS = "https://receiver.example/entries"


@dataclass
class Receiver:
    """What was sent there; `answer` is what it answers."""

    answer: CallResult = field(default_factory=CallResult)
    calls: list[tuple[dict[str, Any], Mapping[str, str]]] = field(default_factory=list)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> CallResult:
        assert url == ADDRESS
        self.calls.append((json.loads(body), headers))
        return self.answer

    @property
    def numbers(self) -> list[list[int]]:
        return [[entry["seq"] for entry in told["entries"]] for told, _ in self.calls]


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Receiver:
    receiver = Receiver()
    monkeypatch.setattr(http_client, "post", receiver.post)
    return receiver


@pytest.fixture
def hook(game: Game, player: Player, visit: Visitor) -> Hook:
    """The player has the game's entries sent."""
    answer = visit(player).post("/settings/webhooks/", {"game": game.slug, "url": ADDRESS})
    assert answer.status_code == 302, answer.content
    return Hook.objects.get()


def come(game: Game, *names: str) -> None:
    for name in names:
        take(game.slug, user_of(name), "games.join", {"name": name})


def later(**more: int) -> datetime:
    return wall_now() + timedelta(**more)


def test_entries_are_sent_in_order_signed_and_once(
    game: Game, hook: Hook, receiver: Receiver
) -> None:
    assert call_due(later(seconds=1)) == 0
    come(game, "ada", "bob")
    game.refresh_from_db()
    assert call_due(later(seconds=1)) == 1
    assert call_due(later(seconds=2)) == 0
    assert receiver.numbers == [list(range(hook.sent + 1, game.last_entry + 1))]
    told, headers = receiver.calls[0]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode()
    body = json.dumps(told, ensure_ascii=False).encode()
    key = base64.b64decode(secret(choices_of(hook.user)).removeprefix("whsec_"))
    mac = base64.b64encode(hmac.digest(key, signed + body, "sha256")).decode()
    assert headers["webhook-signature"] == f"v1,{mac}"
    hook.refresh_from_db()
    assert hook.sent == game.last_entry
    assert hook.log[0]["problem"] == ""


def test_what_did_not_arrive_is_sent_again_and_the_rest_waits(
    game: Game, hook: Hook, receiver: Receiver
) -> None:
    come(game, "ada")
    for answer in (CallResult("It answered 500."), CallResult(wait=60)):
        receiver.answer = answer
        hook.refresh_from_db()
        assert call_due(max(hook.due_at, later(seconds=1))) == 1
    come(game, "bob")
    receiver.answer = CallResult()
    hook.refresh_from_db()
    assert hook.due_at > later(seconds=20)
    assert call_due(later(seconds=1)) == 0
    while call_due(max(hook.due_at, later(minutes=5))):
        hook.refresh_from_db()
    first, again, arrived, rest = receiver.numbers
    assert first == again == arrived
    assert rest[0] == arrived[-1] + 1
    names = [headers["webhook-id"] for _, headers in receiver.calls]
    assert len(set(names)) == 2
    assert names[0] == names[2]


def test_after_three_days_it_stops_until_its_owner_says_so(
    game: Game, hook: Hook, receiver: Receiver, visit: Visitor, player: Player
) -> None:
    come(game, "ada")
    receiver.answer = CallResult("Nobody answers there.")
    Hook.objects.update(failing_since=wall_now() - GIVEN_UP_AFTER - timedelta(minutes=1))
    assert call_due(later(seconds=1)) == 1
    hook.refresh_from_db()
    assert "three days" in hook.stopped
    assert call_due(later(days=1)) == 0
    assert "three days" in visit(player).get("/settings/webhooks/").content.decode()
    visit(player).post(f"/settings/webhooks/{hook.pk}/go-on/")
    receiver.answer = CallResult()
    assert call_due(later(seconds=1)) == 1
    assert receiver.numbers[0] == receiver.numbers[1]


def test_a_trial_is_sent_when_asked_and_told_on_the_page(
    hook: Hook, receiver: Receiver, visit: Visitor, player: Player
) -> None:
    visit(player).post(f"/settings/webhooks/{hook.pk}/try/")
    assert call_due(later(seconds=1)) == 1
    assert receiver.calls[0][0]["type"] == "trial"
    page = visit(player).get("/settings/webhooks/").content.decode()
    assert "a trial" in page
    assert "It arrived." in page
    assert "<time data-own" in page[page.index("The newest calls") :]  # the reader's own time
    assert f'<option value="{hook.game.slug}">' in page  # of the games in which they play


def test_nothing_is_sent_to_whom_the_game_is_closed(
    game: Game, hook: Hook, receiver: Receiver
) -> None:
    stranger = Hook.objects.create(
        user=user_of("eve"), game=game, url=ADDRESS, sent=0, due_at=wall_now()
    )
    Game.objects.filter(pk=game.pk).update(settings={**game.settings, SEEN_BY: "link"})
    call_due(later(seconds=1))
    assert receiver.calls == []
    stranger.refresh_from_db()
    assert stranger.stopped
    go_on(stranger)
    call_due(later(seconds=1))
    assert receiver.calls == []


def test_a_hook_is_refused_where_it_may_not_lead_and_is_its_owners_alone(
    game: Game, hook: Hook, visit: Visitor, player: Player, rival: Player, client: Client
) -> None:
    for sent in (
        {"game": "nothing", "url": ADDRESS},
        {"game": game.slug, "url": "ftp://receiver.example"},
        {"game": game.slug, "url": "https://a:b@receiver.example"},
    ):
        assert visit(player).post("/settings/webhooks/", sent).status_code == 200
    assert Hook.objects.count() == 1
    for change in ("try", "go-on", "remove"):
        address = f"/settings/webhooks/{hook.pk}/{change}/"
        assert visit(rival).post(address).status_code == 404
    assert client.get("/settings/webhooks/").status_code == 302
    visit(player).post(f"/settings/webhooks/{hook.pk}/remove/")
    assert not Hook.objects.exists()


def test_nobody_has_more_than_their_share(
    game: Game, hook: Hook, visit: Visitor, player: Player, settings: Any
) -> None:
    settings.BOUNDS = {"hooks": 1}
    answer = visit(player).post("/settings/webhooks/", {"game": game.slug, "url": ADDRESS})
    assert "Remove one first" in answer.content.decode()

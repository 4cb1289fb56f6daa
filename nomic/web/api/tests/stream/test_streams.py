"""Who follows a game is told its public record and what concerns them, once, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import SEEN_BY, Game, Player, SeenBy
from nomic.notices.models import Notice
from nomic.quotas import holds
from nomic.quotas.models import UsageKind, What
from nomic.record.models import Entry
from nomic.web.api.stream import application
from nomic.web.api.stream.application import Streams
from nomic.web.api.tests.conftest import Program, ProgramOf
from nomic.web.api.tests.stream.conftest import Reader, settled
from nomic.web.models import Token
from nomic.web.tokens import revoke
from tests.kit import user_of

InALoop = Callable[..., Any]


def path_of(game: Game) -> str:
    return f"/api/v1/games/{game.slug}/events"


def shown(program: Program) -> dict[str, str]:
    return {"Authorization": f"Bearer {program.token}"}


def come(game: Game, name: str) -> int:
    """Somebody joins; the number of the entry."""
    entry = take(game.slug, user_of(name), "games.join", {"name": name}).entry
    assert isinstance(entry, Entry)
    return entry.seq


def test_each_entry_is_told_once_as_the_record_has_it(
    game: Game, player: Player, anybody: Program, in_a_loop: InALoop
) -> None:
    async def story(streams: Streams) -> Reader:
        reader = Reader(streams, path_of(game))
        await settled(streams)
        await streams.run(come, game, "One")
        await streams.feeds.look()
        await settled(streams)
        await streams.run(come, game, "Two")
        await streams.feeds.look()
        await settled(streams)
        await reader.leave()
        return reader

    reader = in_a_loop(story)
    assert reader.status == 200
    assert reader.headers["content-type"].startswith("text/event-stream")
    (_, _, begun), *entries = reader.events
    told = anybody.json("record", after=begun["last"])["entries"]
    assert [content for _, _, content in entries] == told
    assert [number for number, _, _ in entries] == [str(entry["seq"]) for entry in told]
    assert len(told) >= 2


def test_who_comes_back_is_told_what_came_meanwhile(
    game: Game, player: Player, in_a_loop: InALoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = come(game, "zero")
    for number in range(3):
        come(game, f"p{number}")
    game.refresh_from_db()

    async def story(streams: Streams) -> list[Reader]:
        readers = [
            Reader(streams, path_of(game), {"Last-Event-ID": str(first)}),
            Reader(streams, path_of(game), query=f"after={first}"),
        ]
        await settled(streams)
        for reader in readers:
            await reader.leave()
        return readers

    for reader in in_a_loop(story):
        numbers = [entry["seq"] for entry in reader.named("entry")]
        assert numbers == list(range(first + 1, game.last_entry + 1))


def test_notices_are_told_to_those_whom_they_concern_alone(
    game: Game, player: Player, rival: Player, program_of: ProgramOf, in_a_loop: InALoop
) -> None:
    def tell(user: Any, text: str) -> str:
        notice = Notice(user=user, game=game, kind="vote", text=text, about=text, at=wall_now())
        notice.save()
        return str(notice.number)

    game.refresh_from_db()
    last, before = game.last_entry, tell(rival.user, "Told before")
    own_token, others_token = shown(program_of(rival)), shown(program_of(player))

    async def story(streams: Streams) -> tuple[Reader, ...]:
        own = Reader(streams, path_of(game), own_token)
        others = Reader(streams, path_of(game), others_token)
        nobodys = Reader(streams, path_of(game))
        await settled(streams)
        await streams.run(tell, rival.user, "New")
        await streams.feeds.look()
        await settled(streams)
        for reader in (own, others, nobodys):
            await reader.leave()
        back = Reader(streams, path_of(game), {**own_token, "Last-Event-ID": begun(own)})
        await settled(streams)
        await streams.feeds.look()
        await settled(streams)
        await back.leave()
        return own, others, nobodys, back

    def begun(reader: Reader) -> str:
        return reader.events[0][0]

    own, others, nobodys, back = in_a_loop(story)
    assert begun(own) == f"{last}/{before}"
    assert [notice["text"] for notice in own.named("notice")] == ["New"]
    assert others.named("notice") == nobodys.named("notice") == []
    assert [notice["text"] for notice in back.named("notice")] == ["New"]
    assert "/" not in begun(nobodys)


@pytest.fixture
def closed_game(game: Game, player: Player) -> Game:
    game.settings[SEEN_BY] = SeenBy.LINK.value
    game.save(update_fields=["settings"])
    return game


def test_a_game_that_is_not_everybodys_is_streamed_to_who_may_see_it(
    closed_game: Game, player: Player, bot: Program, in_a_loop: InALoop
) -> None:
    async def story(streams: Streams) -> list[int]:
        readers = [
            Reader(streams, path_of(closed_game)),
            Reader(streams, path_of(closed_game), shown(bot)),
        ]
        await settled(streams)
        for reader in readers:
            await reader.leave()
        return [reader.status for reader in readers]

    assert in_a_loop(story) == [404, 200]


def test_a_browser_is_known_by_its_session(
    closed_game: Game, player: Player, client: Client, in_a_loop: InALoop
) -> None:
    assert player.user is not None
    client.force_login(player.user)
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())

    async def story(streams: Streams) -> int:
        reader = Reader(streams, path_of(closed_game), {"Cookie": cookie})
        await settled(streams)
        await reader.leave()
        return reader.status

    assert in_a_loop(story) == 200


def test_a_stream_ends_once_its_token_is_revoked(
    game: Game, bot: Program, in_a_loop: InALoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "SILENT", 0.001)
    monkeypatch.setattr(application, "ASKED_AGAIN", 0.0)

    async def story(streams: Streams) -> None:
        reader = Reader(streams, path_of(game), shown(bot))
        await settled(streams)
        assert reader.status == 200
        assert not reader.is_over
        await streams.run(lambda: revoke(Token.objects.get()))
        await reader._task
        assert reader.is_over
        assert streams.count == 0

    in_a_loop(story)


@pytest.mark.parametrize(
    ("ended_by", "let_in_by"),
    [("signing out", "cookie"), ("the operator", "cookie"), ("signing out", "ticket")],
)
def test_a_stream_ends_with_the_session_that_it_began_by(
    game: Game,
    player: Player,
    client: Client,
    in_a_loop: InALoop,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    ended_by: str,
    let_in_by: str,
) -> None:
    monkeypatch.setattr(application, "SILENT", 0.001)
    monkeypatch.setattr(application, "ASKED_AGAIN", 0.0)
    assert player.user is not None
    client.force_login(player.user)
    session = client.cookies["sessionid"].value
    cookie = {"Cookie": f"sessionid={session}"} if let_in_by == "cookie" else {}
    settings.STREAM_PORT = "8001"
    sent_on = client.get(path_of(game)).headers["Location"].partition("?")[2]
    assert session not in sent_on
    query = "" if cookie else sent_on

    def end() -> None:
        if ended_by == "signing out":
            client.logout()
        else:
            holds.hold(What.OUT, UsageKind.USER, player.user_id or 0, "Murphy", "They are rude.")

    async def story(streams: Streams) -> Reader:
        reader = Reader(streams, path_of(game), cookie, query)
        await settled(streams)
        assert (reader.status, reader.is_over) == (200, False)
        assert "/" in reader.text.partition("id: ")[2].partition("\n")[0]  # with their notices
        await streams.run(end)
        await asyncio.wait_for(reader._task, 10)
        again = Reader(streams, path_of(game), cookie)
        await settled(streams)
        await again.leave()
        return again

    again = in_a_loop(story)
    assert again.status == (200 if ended_by == "signing out" else 403)
    assert "/" not in again.text.partition("id: ")[2].partition("\n")[0]  # nobody's notices


@pytest.mark.parametrize(
    ("sent", "query", "status"),
    [
        ({"Last-Event-ID": "9999"}, "", 409),
        ({"Last-Event-ID": "x"}, "", 422),
        ({}, "after=-1", 422),
        ({}, "since=1", 422),
        ({}, "ticket=abc", 401),
        ({"Authorization": "Bearer nonsense"}, "", 401),
    ],
)
def test_what_cannot_be_streamed_is_told_why(
    game: Game, in_a_loop: InALoop, sent: dict[str, str], query: str, status: int
) -> None:
    async def story(streams: Streams) -> Reader:
        reader = Reader(streams, path_of(game), sent, query)
        await settled(streams)
        return reader

    reader = in_a_loop(story)
    assert (reader.status, reader.is_over) == (status, True)
    assert '"detail"' in reader.text


def test_beyond_its_bounds_it_says_when_to_come_back(
    game: Game, in_a_loop: InALoop, settings: Any
) -> None:
    async def story(streams: Streams) -> list[Reader]:
        readers = []
        for _ in range(3):
            readers.append(Reader(streams, path_of(game)))
            await settled(streams)
        for reader in readers:
            await reader.leave()
        assert streams.count == 0
        return readers

    for bounds, status in (({"streams": 2}, 503), ({"streams_of_one": 2}, 429)):
        settings.BOUNDS = bounds
        readers = in_a_loop(story)
        assert [reader.status for reader in readers] == [200, 200, status]
        assert int(readers[2].headers["retry-after"]) > 0


def test_other_sites_programs_may_read_it_and_it_tells_its_limits(
    game: Game, in_a_loop: InALoop
) -> None:
    async def story(streams: Streams) -> list[Reader]:
        readers = [
            Reader(streams, path_of(game), method=method) for method in ("HEAD", "OPTIONS", "POST")
        ]
        await settled(streams)
        return readers

    head, options, post = in_a_loop(story)
    assert (head.status, options.status, post.status) == (200, 204, 405)
    assert head.headers["access-control-allow-origin"] == "*"
    assert head.headers["ratelimit"].startswith('"requests";r=')
    assert "Last-Event-ID" in options.headers["access-control-allow-headers"]


def test_the_web_server_sends_whoever_asks_to_its_port(
    closed_game: Game, bot: Program, anybody: Program, in_a_loop: InALoop, settings: Any
) -> None:
    refused = bot.get("events")
    assert refused.status_code == 503
    assert refused.headers["Retry-After"]
    settings.STREAM_PORT = "8001"
    assert anybody.get("events").status_code == 404
    answer = bot.get("events", after="1")
    assert answer.status_code == 307
    address, _, query = answer.headers["Location"].partition("?")
    assert address == f"http://testserver:8001{path_of(closed_game)}"
    assert bot.token not in query

    async def story(streams: Streams) -> int:
        reader = Reader(streams, path_of(closed_game), query=query)
        await settled(streams)
        await reader.leave()
        return reader.status

    assert in_a_loop(story) == 200

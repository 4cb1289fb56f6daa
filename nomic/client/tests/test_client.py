"""The client: what it makes of a stream and of a schema, and its bot in a game with everything."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from datetime import timedelta
from random import Random
from typing import Any

import httpx
import pytest

from nomic.client import Failed, Nomic, Refused, inputs_for
from nomic.client.site import read_events
from nomic.embedded.tests.site import PATIENCE, on_the_tests_database, serving, wait_for
from nomic.engine.take import take
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.infrastructure.paths import ROOT, home
from nomic.operations.setup import new_game
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, seat, user_of

SUBGAMES = {"horses", "proposals", "settlers", "aceofspades"}


def test_events_are_read_as_they_stand_in_the_stream() -> None:
    begun = 'retry: 2000\n\nid: 3/0\nevent: begin\ndata: {"last":3}\n\n'
    text = f"{begun}: nothing new\n\nid: 4\ndata:{{}}\n\n"
    begin, entry = read_events(iter(text.split("\n")))
    assert (begin.name, begin.id, begin.content) == ("begin", "3/0", {"last": 3})
    assert (entry.name, entry.id) == ("message", "4")


@pytest.mark.parametrize(
    ("schema", "fits"),
    [
        ({"type": "integer", "minimum": 3, "maximum": 4}, lambda chosen: chosen in (3, 4)),
        ({"type": "string", "enum": ["a", "b"]}, lambda chosen: chosen in "ab"),
        ({"type": "string", "maxLength": 3}, lambda chosen: 0 < len(chosen) <= 3),
        ({"type": "boolean"}, lambda chosen: isinstance(chosen, bool)),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            lambda chosen: list(chosen) == ["a"],
        ),
        ({"type": "array", "items": {"enum": [1]}}, lambda chosen: chosen == [1]),
    ],
)
def test_inputs_fit_their_schema(schema: dict[str, Any], fits: Any) -> None:
    for seed in range(5):
        assert fits(inputs_for(schema, Random(seed)))


def test_where_there_is_nothing_to_choose_from_there_is_no_input() -> None:
    with pytest.raises(ValueError, match="nothing to choose"):
        inputs_for({"enum": []}, Random(1))


def test_it_asks_again_when_the_site_says_and_tells_a_refusal() -> None:
    answers = [
        httpx.Response(503, headers={"Retry-After": "0"}, json={"detail": "busy"}),
        httpx.Response(409, json={"code": "no", "sentence": "Not now.", "rule": "A rule"}),
        httpx.Response(404, json={"detail": "There is no such game."}),
    ]
    asked = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return answers.pop(0)

    site = Nomic("http://site.example")
    site.http._transport = httpx.MockTransport(answer)
    with pytest.raises(Refused, match="Not now") as refused:
        site.game("table").act("games.leave")
    assert refused.value.content["rule"] == "A rule"
    assert asked[0].headers["Idempotency-Key"] == asked[1].headers["Idempotency-Key"]
    with pytest.raises(Failed, match="no such game"):
        site.game("table").get()


def test_a_site_that_starts_anew_is_asked_again_and_nothing_is_done_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("nomic.client.site.time.sleep", pauses.append)
    answers: list[httpx.Response | Exception] = []

    def answer(request: httpx.Request) -> httpx.Response:
        given = answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    site = Nomic("http://site.example")
    site.http._transport = httpx.MockTransport(answer)
    away = [httpx.ConnectError("away"), httpx.Response(502), httpx.ReadTimeout("slow")]
    begin = httpx.Response(200, text='id: 3/0\nevent: begin\ndata: {"last":3}\n\n')
    answers[:] = [*away, httpx.Response(201, json={"seq": 4})]
    assert site.game("table").act("games.leave") == {"seq": 4}
    assert pauses == [1, 2, 4]
    answers[:] = [httpx.Response(502)] * 8
    with pytest.raises(Failed, match="502"):
        site.game("table").get()
    assert 100 < sum(pauses[3:]) < 200
    for lost in (httpx.ReadTimeout("slow"), httpx.Response(502)):  # said perhaps
        answers[:] = [lost]
        with pytest.raises((Failed, httpx.ReadTimeout)):
            site.ask("POST", "/games/table/talk", json={"text": "Hello"})
    pauses.clear()
    answers[:] = [*away, begin, httpx.ConnectError("away"), begin]
    events = site.game("table").events()
    assert [next(events).id, next(events).id] == ["3/0", "3/0"]
    assert pauses == [1, 2, 4, 1, 2]
    pauses.clear()
    answers[:] = [httpx.ConnectError("away")] * 2000 + [begin]  # a day and a half
    assert next(events).id == "3/0"
    assert (len(pauses), max(pauses)) == (2001, 60)


@pytest.fixture
def everything(transactional_db: None) -> Game:
    """A game in which all subgames are played, whose time the test moves."""
    game, _ = new_game("all", "demo", pace="manual", start=WEDNESDAY)
    murphy = seat(game, "Murphy")
    take("all", murphy, "proposals.submit", {"title": "Forks", "body": "Give Murphy 5 points."})
    return game


def manage(command: str, *words: str) -> None:
    """Run that command on the game by the clock of the machine, by which the bots act as well."""
    asked = [sys.executable, "manage.py", command, "all", *words]
    subprocess.run(asked, cwd=ROOT, env=on_the_tests_database(), check=True)


@pytest.mark.thorough
def test_bots_play_a_week_of_every_subgame_by_the_stream(everything: Game) -> None:
    names = ("ada", "bob")
    log = home().folder / "test-bots.log"
    with ExitStack() as stack:
        address = stack.enter_context(serving(NOMIC_API_RATE="0"))
        out = stack.enter_context(open(log, "wb"))
        for name in names:
            token = make_token(user_of(name), "bot", ["read", "act"])[1]
            command = [sys.executable, "-m", "nomic.client.bot", address, token, "all", name]
            bot = stack.enter_context(subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out))
            stack.callback(bot.terminate)
        made = 0
        for day in range(1, 9):

            def have_acted(made: int = made) -> bool:
                return everything.entries.filter(actor__name__in=names).count() > made + 4

            wait_for(have_acted, PATIENCE, log)
            made = everything.entries.filter(actor__name__in=names).count()
            manage("advance", "--to", iso(WEDNESDAY + timedelta(days=day)))
    acts = everything.entries.filter(actor__name__in=names).values_list("name", flat=True)
    played = Counter(name.partition(".")[0] for name in acts)
    assert set(played) >= SUBGAMES, (played, log.read_text()[-2000:])
    manage("audit")
    manage("replay")

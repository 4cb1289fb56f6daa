"""Clients that act, and what their receipts are held against."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from bench.kills.acting import COMMENT, GAIN, Act, Client, ask_again, compare

PLAYERS = {"client1", "client2"}


class _Forgetful(BaseHTTPRequestHandler):
    """Does every act once a key; each first answer is lost, each second one puts off."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        key = self.headers["Idempotency-Key"]
        tries = self.server.tries[key] = self.server.tries.get(key, 0) + 1
        if tries == 1:
            self.server.done.append(key)
        elif tries == 2:
            self._answer(503, {"detail": "Please try again."})
        else:
            self._answer(200, {"seq": self.server.done.index(key) + 1})

    def _answer(self, status: int, told: dict[str, Any]) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Forgetful)
    server.tries, server.done = {}, []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def _client(server: ThreadingHTTPServer) -> Client:
    return Client("client1", "token", server.server_port, ["g"], 1, threading.Event())


def _act(number: int, receipt: int | None = None, slug: str = "g") -> Act:
    act = Act(slug, COMMENT, {}, f"act-{number}")
    if receipt is not None:
        act.status, act.told = 201, _entry(receipt)
    return act


def _entry(seq: int, actor: str = "client1", name: str = COMMENT, text: str = "") -> dict[str, Any]:
    return {"seq": seq, "actor": actor, "name": name, "text": text}


def _record(*entries: dict[str, Any]) -> dict[str, dict[int, dict[str, Any]]]:
    return {"g": {entry["seq"]: entry for entry in entries}}


@pytest.mark.thorough
def test_an_act_whose_answer_was_lost_is_sent_again_under_its_key(
    server: ThreadingHTTPServer,
) -> None:
    client, act = _client(server), _act(1)
    client.settle(act)
    assert server.done == ["act-1"]
    assert (act.tries, act.lost, act.status) == (3, 1, 200)
    assert act.receipt == {"seq": 1}
    client.acts.append(act)
    assert ask_again([client]) == (1, 0)
    act.told = {"seq": 7}
    assert ask_again([client]) == (1, 1)


def test_books_that_agree_have_nothing_lost_and_nothing_doubled() -> None:
    acts = [_act(1, 3), _act(2, 4), _act(3)]
    books = compare(acts, PLAYERS, _record(_entry(3), _entry(4), _entry(5, "snail")))
    assert (books.receipts, books.lost_receipts, books.doubled) == (2, 0, 0)
    assert books.unsettled == 1


def test_a_receipt_is_lost_where_the_record_says_nothing_or_something_else() -> None:
    acts = [_act(1, 3), _act(2, 4)]
    assert compare(acts, PLAYERS, _record(_entry(3))).lost_receipts == 1
    record = _record(_entry(3), _entry(4, text="another"))
    assert compare(acts, PLAYERS, record).lost_receipts == 1


def test_two_acts_with_one_receipt_have_lost_one() -> None:
    assert compare([_act(1, 3), _act(2, 3)], PLAYERS, _record(_entry(3))).lost_receipts == 1


def test_an_entry_of_theirs_without_a_receipt_is_an_act_doubled() -> None:
    record = _record(_entry(3), _entry(4), _entry(5, "client2", GAIN))
    assert compare([_act(1, 3)], PLAYERS, record).doubled == 2

"""The clients that send requests."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bench.load import post, send


class _Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        said = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, self.headers["Cookie"], said))
        self.send_response(409 if b"no" in said else 503 if b"later" in said else 200)
        self.send_header("Content-Length", "70000")
        self.end_headers()
        self.wfile.write(b"x" * 70000)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    server.heard = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_every_request_is_sent_once_and_timed(server: ThreadingHTTPServer) -> None:
    requests = [post(f"/{number}/", "key", {"say": "yes"}) for number in range(9)]
    load = send(server.server_port, requests, 4)
    assert sorted(path for path, _, _ in server.heard) == [f"/{number}/" for number in range(9)]
    assert len(load.took) == 9
    assert load.statuses == {200: 9}


def test_a_refused_request_is_counted_by_its_status(server: ThreadingHTTPServer) -> None:
    load = send(server.server_port, [post("/", "key", {"say": "no"})], 8)
    assert load.statuses == {409: 1}
    assert load.sample


def test_one_that_is_put_off_is_told_to_be_sent_again_and_not_timed(
    server: ThreadingHTTPServer,
) -> None:
    requests = [post("/", "key", {"say": word}) for word in ("later", "yes")]
    load = send(server.server_port, requests, 1)
    assert load.put_off == requests[:1]
    assert len(load.took) == load.statuses[200] == 1


def test_a_request_carries_session_and_csrf_token(server: ThreadingHTTPServer) -> None:
    send(server.server_port, [post("/", "the-key", {"say": "yes"})], 1)
    _, cookie, body = server.heard[0]
    assert "sessionid=the-key" in cookie
    assert b"csrfmiddlewaretoken=" in body

"""A small web server of this machine, which answers as a test tells it and keeps what it got."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """`answers` are status and headers, one a call; the last one stays. `answers_at` are those of
    single addresses, by path."""

    port: int = 0
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=lambda: [(204, {})])
    answers_at: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)
    answers_now: threading.Event = field(default_factory=threading.Event)
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


@contextmanager
def receiver() -> Iterator[Receiver]:
    """The server, until the block ends."""
    here = Receiver()
    here.answers_now.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            here.got.append((dict(self.headers), self.rfile.read(length)))
            here.answers_now.wait(20)
            status, headers = here.answers_at.get(self.path) or here.answers[0]
            if len(here.answers) > 1:
                here.answers.pop(0)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """The test looks at what was got."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    here.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield here
    finally:
        here.answers_now.set()
        server.shutdown()
        thread.join()
        server.server_close()

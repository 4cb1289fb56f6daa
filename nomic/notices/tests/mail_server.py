"""A small mail server of this machine, which falls silent where a test tells it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any


@dataclass
class MailServer:
    """`silent_at` are the commands at which it does not answer, one a connection; then it does.
    `.` is the end of a letter; `answers` are its words where they are others than “well”. `got` are
    the letters that came to it whole."""

    port: int = 0
    silent_at: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    got: list[str] = field(default_factory=list)
    ends: threading.Event = field(default_factory=threading.Event)

    @property
    def settings(self) -> dict[str, Any]:
        options = {"host": "127.0.0.1", "port": self.port, "timeout": 0.2}
        return {"default": {"BACKEND": "nomic.notices.smtp.EmailBackend", "OPTIONS": options}}


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """The server, until the block ends."""
    here = MailServer()

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            silent = here.silent_at.pop(0) if here.silent_at else ""
            self.wfile.write(b"220 here\r\n")
            for line in self.rfile:
                word = line[:4].decode().strip().upper()
                if word == "DATA":
                    self.wfile.write(b"354 go on\r\n")
                    here.got.append("".join(self.letter()))
                    word = "."
                if word == silent:
                    here.ends.wait(20)
                    return
                self.wfile.write(f"{here.answers.get(word, '250 well')}\r\n".encode())

        def letter(self) -> Iterator[str]:
            for line in self.rfile:
                if line == b".\r\n":
                    return
                yield line.decode()

    server = ThreadingTCPServer(("127.0.0.1", 0), Handler)
    here.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield here
    finally:
        here.ends.set()
        server.shutdown()
        thread.join()
        server.server_close()

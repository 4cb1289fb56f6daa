"""Clients that send requests as fast as they are answered, each one at a time, kept alive."""

from __future__ import annotations

import selectors
import socket
import time
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode

_TOKEN = "a" * 32
_PATIENCE = 30.0  # seconds


@dataclass
class Load:
    """What came back: milliseconds of each answer, how many of each status, seconds in all; and the
    requests that were put off to a later moment (503), whose milliseconds are not told."""

    took: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0
    sample: str = ""
    put_off: list[bytes] = field(default_factory=list)

    def add(self, other: Load) -> None:
        """Take the other's answers in."""
        self.took += other.took
        self.statuses += other.statuses
        self.seconds += other.seconds
        self.put_off += other.put_off


def post(path: str, session: str, form: dict[str, str], *, htmx: bool = True) -> bytes:
    """A form's POST as a browser with that session sends it."""
    body = urlencode({**form, "csrfmiddlewaretoken": _TOKEN}).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n"
        f"Cookie: sessionid={session}; csrftoken={_TOKEN}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n" + ("HX-Request: true\r\n" if htmx else "")
    )
    return head.encode() + b"\r\n" + body


def send(port: int, requests: Iterable[bytes], clients: int) -> Load:
    """Let so many clients send all the requests between them, in order. Raises TimeoutError."""
    waiting, load = deque(requests), Load()
    callers = [_Caller(port) for _ in range(min(clients, len(waiting)))]
    try:
        with selectors.DefaultSelector() as selector:
            for caller in callers:
                selector.register(caller.socket, selectors.EVENT_READ, caller)
            begun = time.perf_counter()
            for caller in callers:
                caller.ask(waiting.popleft())
            busy = len(callers)
            while busy:
                ready = selector.select(_PATIENCE)
                if not ready:
                    raise TimeoutError(f"{busy} requests were not answered in {_PATIENCE:.0f} s.")
                for key, _ in ready:
                    if not key.data.read(load):
                        continue
                    if waiting:
                        key.data.ask(waiting.popleft())
                    else:
                        busy -= 1
            load.seconds = time.perf_counter() - begun
    finally:
        for caller in callers:
            caller.socket.close()
    return load


class _Caller:
    """One client and its connection."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._asked = 0.0
        self._got = self._request = b""

    def ask(self, request: bytes) -> None:
        self._got, self._request, self._asked = b"", request, time.perf_counter()
        self.socket.sendall(request)

    def read(self, load: Load) -> bool:
        """Read on; whether the answer is whole."""
        more = self.socket.recv(1 << 16)
        if not more:
            raise ConnectionError("The server hung up in the middle of an answer.")
        self._got += more
        head, found, body = self._got.partition(b"\r\n\r\n")
        if not found or len(body) < _length(head):
            return False
        status = int(head.split(b" ", 2)[1])
        load.statuses[status] += 1
        if status == 503:
            load.put_off.append(self._request)
        else:
            load.took.append((time.perf_counter() - self._asked) * 1000)
        if status >= 400:
            load.sample = load.sample or body.decode(errors="replace")
        return True


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
        if name.lower() == b"transfer-encoding":
            raise ValueError("An answer in chunks is not expected here.")
    return 0

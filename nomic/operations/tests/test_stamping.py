"""Heads are stamped once a week by the service that the operator names, and by nobody else."""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from nomic.games.clock import standing_at, wall_now
from nomic.games.models import Game, Player
from nomic.operations import stamping
from nomic.operations.scratch import remove_game
from nomic.operations.setup import new_game
from nomic.operations.stamping import stamp_all
from nomic.operations.tasks import stamp_heads
from nomic.record.keys import has_signed, head_of
from nomic.record.models import Stamp
from tests.kit import Take, Visitor, around

WITNESS = "/g/table/witness/"
RECORDED = Path(__file__).parents[2] / "record/tests/stamp.tsr"
CONFIGURATION = """
[ts]
default_tsa = tsa
[tsa]
serial = {0}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
"""
KINDS = ("keyUsage=critical,digitalSignature", "extendedKeyUsage=critical,timeStamping")
Answers = Callable[[bytes], bytes]
needs_openssl = pytest.mark.skipif(not shutil.which("openssl"), reason="needs the program openssl")


def openssl(*words: str | Path) -> str:
    command = ["openssl", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@dataclass
class Service:
    """A service of this machine. `answers` makes an answer of what it is asked; `hurries` is clear
    where it is slow."""

    answers: Answers
    status: int = 200
    got: list[tuple[str, bytes]] = field(default_factory=list)
    hurries: threading.Event = field(default_factory=threading.Event)


@contextmanager
def service(answers: Answers, settings: Any) -> Iterator[Service]:
    """It, until the block ends; the setting names it."""
    here = Service(answers)
    here.hurries.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"]))
            here.got.append((self.headers["Content-Type"], asked))
            here.hurries.wait(20)
            answer = here.answers(asked)
            self.send_response(here.status)
            self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            """The test looks at what was got."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    settings.TIMESTAMP_URL = f"http://127.0.0.1:{server.server_address[1]}/stamp"
    try:
        yield here
    finally:
        here.hurries.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def preset() -> str:
    return "agora-races"


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that a service of stamps needs."""
    place = tmp_path_factory.mktemp("authority")
    (place / "serial").write_text("01\n")
    (place / "config").write_text(CONFIGURATION.format(place))
    kinds = [word for kind in KINDS for word in ("-addext", kind)]
    own = ("-keyout", place / "key.pem", "-out", place / "service.pem")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", *own, "-subj", "/CN=Stamps", *kinds)
    return place


@pytest.fixture
@around
def honest(authority: Path, settings: Any) -> Iterator[Service]:
    """One that stamps what it is asked to."""

    def answer(asked: bytes) -> bytes:
        (authority / "asked").write_bytes(asked)
        files = ("-queryfile", authority / "asked", "-out", authority / "answer")
        own = ("-signer", authority / "service.pem", "-inkey", authority / "key.pem")
        openssl("ts", "-reply", "-config", authority / "config", "-section", "tsa", *files, *own)
        return (authority / "answer").read_bytes()

    with service(answer, settings) as here:
        yield here


@pytest.fixture
@around
def other(settings: Any) -> Iterator[Service]:
    """One that answers whatever the test says; at first what it has stamped for somebody else."""
    with service(lambda _: RECORDED.read_bytes(), settings) as here:
        yield here


def test_where_no_service_is_named_nobody_is_asked(
    game: Game, other: Service, settings: Any, visit: Visitor
) -> None:
    settings.TIMESTAMP_URL = ""
    stamp_heads()
    assert other.got == []
    assert "openssl" not in visit().get(WITNESS).text


@needs_openssl
def test_openssl_verifies_what_is_downloaded_by_the_line_that_the_page_tells(
    game: Game, honest: Service, authority: Path, visit: Visitor, tmp_path: Path
) -> None:
    before = wall_now().replace(microsecond=0)
    assert stamp_all() == 1
    [(kind, _)] = honest.got
    assert kind == "application/timestamp-query"
    stamp = game.stamps.get()
    game.refresh_from_db()
    assert (stamp.number, stamp.hash) == (game.last_entry, game.record_head)
    assert has_signed(game, head_of(game))
    assert before <= stamp.at <= wall_now()
    page = visit().get(WITNESS).text
    assert f"/g/table/witness/{stamp.number}/" in page
    file = visit().get(f"{WITNESS}{stamp.number}/")
    assert file["Content-Type"] == "application/timestamp-reply"
    name = f"stamp-table-{stamp.number}.tsr"
    assert name in file["Content-Disposition"]
    (tmp_path / name).write_bytes(file.content)
    words = page[page.index("openssl ts") :].partition("</code>")[0].split()
    assert words[6] == name
    words[6], words[-1] = str(tmp_path / name), str(authority / words[-1])
    openssl(*words[1:])
    words[4] = "0" * 64
    with pytest.raises(subprocess.CalledProcessError):
        openssl(*words[1:])


@needs_openssl
def test_each_game_has_its_week_and_one_that_stands_still_asks_for_nothing(
    game: Game, player: Player, honest: Service, act: Take
) -> None:
    new_game("copy", "agora-races", pace="manual")
    Game.objects.filter(slug="copy").update(scratch=True)
    assert [stamp_all(), stamp_all()] == [1, 0]
    week = wall_now() + timedelta(days=7, seconds=1)
    with standing_at(week):
        assert stamp_all() == 0
    act(player, "horses.gain_dollaries")
    with standing_at(week - timedelta(seconds=9)):
        assert stamp_all() == 0
    with standing_at(week):
        assert stamp_all() == 1
        assert stamp_all() == 0
    assert game.stamps.count() == len(honest.got) == 2


@needs_openssl
def test_a_game_is_removed_with_its_stamps(game: Game, honest: Service) -> None:
    assert stamp_all() == 1
    remove_game(game)
    assert not Stamp.objects.exists()


@pytest.mark.parametrize(
    ("status", "answer", "why"),
    [
        (200, RECORDED.read_bytes(), "something else"),
        (200, bytes.fromhex("30053003020102"), "refuses with the status 2"),
        (200, b"<html>Welcome</html>", "none of RFC 3161"),
        (200, b"", "none of RFC 3161"),
        (200, b"\x30" * 65_537, "more than 65536 bytes"),
        (302, b"", "answered 302"),
        (503, b"", "answered 503"),
    ],
)
def test_an_answer_that_is_no_stamp_is_kept_out_with_one_line(
    status: int,
    answer: bytes,
    why: str,
    game: Game,
    other: Service,
    caplog: pytest.LogCaptureFixture,
) -> None:
    new_game("second", "agora-races", pace="manual")
    other.status, other.answers = status, lambda _: answer
    with caplog.at_level(logging.WARNING, "nomic.operations.stamping"):
        assert stamp_all() == 0
    [line] = caplog.messages
    assert why in line
    assert len(other.got) == 1
    assert not Stamp.objects.exists()


def test_a_slow_service_and_one_that_is_down_cost_a_while_and_no_game(
    game: Game, player: Player, other: Service, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamping, "_ALTOGETHER", 0.3)
    other.hurries.clear()
    since = datetime.now(UTC)
    assert stamp_all() == 0
    assert datetime.now(UTC) - since < timedelta(seconds=5)
    act(player, "horses.gain_dollaries")
    assert len(other.got) == 1


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://[::1", "ftp://x.example/", "plugh", "http://:0/"]
)
def test_a_service_that_is_none_is_one_that_is_down(
    url: str, game: Game, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.TIMESTAMP_URL = url
    assert stamp_all() == 0
    assert "The service does not answer." in caplog.text
    assert url not in caplog.text


@needs_openssl
def test_no_game_is_held_while_the_service_is_asked(
    game: Game, honest: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    asked = stamping.asked

    def between(url: str, body: bytes) -> bytes:
        assert not any("FOR UPDATE" in each.upper() for each in sent)
        return asked(url, body)

    def noting(execute: Any, sql: str, *more: Any) -> Any:
        sent.append(sql)
        return execute(sql, *more)

    monkeypatch.setattr(stamping, "asked", between)
    with connection.execute_wrapper(noting):
        assert stamp_all() == 1
    assert not any("FOR UPDATE" in each.upper() for each in sent)

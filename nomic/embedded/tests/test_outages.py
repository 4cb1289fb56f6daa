"""Database and broker taken away from under a running site, and given back."""

import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from nomic.embedded import postgres, servers, valkey
from nomic.embedded.commands import COMMANDS
from nomic.embedded.tests.site import (
    PASSWORD,
    PATIENCE,
    Browser,
    environment,
    is_ready,
    readiness,
    running,
    sign_up,
    wait_for,
)
from nomic.infrastructure.paths import ROOT, Home

pytestmark = pytest.mark.slow  # two machines start first


@dataclass
class Running:
    home: Home
    address: str
    elsewhere: str
    log: Path

    def browser(self) -> Browser:
        return Browser(self.address)


@pytest.fixture(scope="module")
def site() -> Iterator[Running]:
    """Two machines' web, worker and beat on one pair of servers, with one person signed up.

    The second machine has a folder of its own and shares but addresses and the secret key.
    """
    with tempfile.TemporaryDirectory(prefix="nomic-test-") as folder:
        home = Home(Path(folder).resolve() / "var")
        servers.up(home)
        log = home.folder / "site.log"
        first, second = environment(home, home.folder), environment(home, home.folder / "elsewhere")
        for name in ("static", "migrate"):
            subprocess.run(COMMANDS[name](first), env=first, cwd=ROOT, check=True)
        addresses = [f"http://127.0.0.1:{env['PORT']}" for env in (first, second)]
        site = Running(home, *addresses, log)
        try:
            with running([first, second], log):
                for address in addresses:
                    wait_for(lambda address=address: is_ready(address), PATIENCE, log)
                sign_up(site.browser(), "snail")
                yield site
        finally:
            servers.down(home)


def test_who_signed_in_on_one_machine_is_signed_in_on_the_other(site: Running) -> None:
    browser = site.browser()
    browser.post("/accounts/login/", login="snail", password=PASSWORD)
    browser.address = site.elsewhere
    assert "Sign out" in browser.get("/").text


def test_without_a_broker_people_read_and_sign_in_and_machines_are_told(site: Running) -> None:
    valkey.stop(site.home)
    try:
        browser = site.browser()
        assert browser.get("/").status == 200
        assert browser.get("/healthz").status == 200
        page = browser.post("/accounts/login/", login="snail", password=PASSWORD)
        assert page.status == 200
        assert "Sign out" in page.text
        found = readiness(site.address)
        assert found["database"] is True
        assert found["broker"] is False
        assert found["worker"] is False
        assert site.browser().get("/readyz").status == 503
    finally:
        servers.up(site.home)
    wait_for(lambda: is_ready(site.address), PATIENCE, site.log)


def test_without_a_broker_passwords_cannot_be_guessed_either(site: Running) -> None:
    valkey.stop(site.home)
    try:
        tries = [
            site.browser().post("/accounts/login/", login="nobody", password=f"guess {n}").status
            for n in range(8)
        ]
        assert tries[:5] == [200] * 5
        assert (
            "Too many"
            in site.browser().post("/accounts/login/", login="nobody", password="one more").text
        )
    finally:
        servers.up(site.home)
    wait_for(lambda: is_ready(site.address), PATIENCE, site.log)


def test_without_a_database_every_page_says_so_and_it_recovers_by_itself(site: Running) -> None:
    browser = site.browser()
    browser.post("/accounts/login/", login="snail", password=PASSWORD)
    postgres.stop(site.home)
    try:
        for path in ("/", "/accounts/login/", "/g/nowhere/"):
            page = browser.get(path)
            assert page.status == 503
            assert page.headers["Retry-After"]
            assert "The database does not answer" in page.text
        answer = browser.get("/api/v1/games")
        assert answer.status == 503
        assert "The database does not answer" in answer.text
        assert browser.get("/healthz").status == 503
        assert browser.get("/readyz").status == 503
    finally:
        servers.up(site.home)
    wait_for(lambda: browser.get("/").status == 200, PATIENCE, site.log)
    assert "Sign out" in browser.get("/").text
    wait_for(lambda: is_ready(site.address), PATIENCE, site.log)


def test_an_outage_is_a_line_in_the_log_and_not_a_traceback(site: Running) -> None:
    postgres.stop(site.home)
    before = site.log.stat().st_size
    try:
        site.browser().get("/")
    finally:
        servers.up(site.home)
    said = site.log.read_text()[before:]
    assert "Service Unavailable: /" in said
    assert "Traceback" not in said

"""A person at a browser: Chromium, watched for anything that it complains about.

Playwright is loaded by the first test that sits down at one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client

from tests.kit.cast import user_of
from tests.kit.visitors import sign_in_client

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
"""The Chromium that is here. The one without windows needs half the processor time."""

PASSWORD = "a long enough one"
_QUIETLY = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
_ALONE = ["--disable-background-networking", "--disable-component-update", "--no-first-run"]
_EXPECTED = (
    *("status of 401", "status of 404", "status of 409", "status of 422", "status of 503"),
    *("ERR_FAILED", "ERR_INTERNET_DISCONNECTED"),
    *("htmx:sendAbort", "htmx:afterRequest"),  # a newer request takes the place of one under way
)

_WHAT_FAILS = {"resultTypes": ["violations"], "preload": False}  # no rule of axe's asks for styles
_PATIENCE = 15_000  # milliseconds: a machine may be busy
_IN_HASTE = """const { setTimeout: patient } = window;
const haste = new Map([[2000, 500], [3000, 500], [10000, 500]]);
window.setTimeout = (then, long, ...given) => patient(then, haste.get(long) ?? long, ...given);
"""
"""Lets a page that asks every two, three or ten seconds ask twice a second."""

at_both_widths = pytest.mark.parametrize(
    ("width", "scheme"), [(390, "dark"), pytest.param(1280, "light", marks=pytest.mark.slow)]
)
"""A telephone in the dark, and a desk by day."""

type Sit = Callable[..., Page]

_RUNNING = pytest.StashKey["tuple[Browser, ExitStack]"]()
_FIXTURES_OF_NEXT = pytest.StashKey[Sequence[str]]()

_examined: set[Any] = set()
"""Pages that axe is looking at: it tries styles of its own, which the policy refuses it."""


@pytest.fixture(scope="module")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """One Chromium for all modules of tests at a browser that follow each other.

    Playwright runs a loop in this thread, which Django would take for an asynchronous program.
    """
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    stash = request.config.stash
    if _RUNNING not in stash:
        from playwright.sync_api import expect, sync_playwright

        expect.set_options(timeout=_PATIENCE)
        with ExitStack() as starting:
            environment = starting.enter_context(pytest.MonkeyPatch.context())
            playwright = starting.enter_context(sync_playwright())
            environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=[*_QUIETLY, *_ALONE]
            )
            starting.callback(browser.close)
            starting.callback(connections.close_all)  # those that were opened while the loop ran
            stash[_RUNNING] = browser, starting.pop_all()
    browser, stack = stash[_RUNNING]
    yield browser
    if "chromium" not in stash[_FIXTURES_OF_NEXT]:
        del stash[_RUNNING]
        stack.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Note what the next test asks for."""
    item.config.stash[_FIXTURES_OF_NEXT] = getattr(nextitem, "fixturenames", ())


@pytest.fixture
def sit(chromium: Browser, live_server: Any) -> Iterator[Sit]:
    """A browser window at the site; at the end it must have had nothing to complain about."""
    complaints: list[str] = []
    contexts = []

    def sit(width: int = 1280, *, script: bool = True, scheme: str = "light") -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 800},
            java_script_enabled=script,
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        contexts.append(context)
        context.add_init_script(_IN_HASTE)
        page = context.new_page()
        page.set_default_timeout(_PATIENCE)
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on("console", lambda said: _note(complaints, page, said))
        return page

    yield sit
    for context in contexts:
        context.close()
    assert not complaints, complaints


def _note(complaints: list[str], page: Page, said: Any) -> None:
    """Keep what the console says of errors, a violated content policy among them."""
    if page in _examined:
        return
    if said.type in ("error", "warning") and not any(word in said.text for word in _EXPECTED):
        complaints.append(f"{page.url}: {said.text}")


def person(name: str) -> User:
    """A user who can sign in by password."""
    user = user_of(name)
    user.set_password(PASSWORD)
    user.save()
    return user


def sign_in(page: Page, name: str) -> None:
    """Let somebody have signed in at this browser already."""
    client = Client()
    sign_in_client(client, User.objects.get(username=name))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    known = {"name": settings.SESSION_COOKIE_NAME, "value": session}
    page.context.add_cookies([{**known, "domain": "localhost", "path": "/"}])  # type: ignore[typeddict-item]


def faults(page: Page) -> list[str]:
    """The faults that axe finds on the page, and whether it is too wide, once it is all there."""
    from axe_playwright_python.sync_playwright import Axe

    page.wait_for_load_state("load")
    _examined.add(page)
    found = [
        f"{page.url}: {violation['id']}: {violation['nodes'][0]['html'][:120]}"
        for violation in Axe().run(page, options=_WHAT_FAILS).response["violations"]
    ]
    _examined.discard(page)
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return found + ([f"{page.url}: {wide} px too wide"] if wide > 0 else [])

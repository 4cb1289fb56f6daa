"""What a newcomer's first things take on a phone: `python -m bench.firsts ADDRESS`.

ADDRESS is a site with its demonstration, as `make play` shows it. Somebody at a browser of 390 by
844 comes to the front page, takes a seat and votes, bets, settles and harvests, joins the contest
and exchanges a card, proposes, and waits until their change is adopted. Prints a table.
"""

from __future__ import annotations

import argparse
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench.figures import Figure, table

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Response

NAME = "a newcomer on a phone"
_CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
_PLACES = ("", "horses/", "proposals/", "settlers/", "aceofspades/")
_LONGEST = 400_000  # milliseconds for which something is waited for
_SOON = 20_000  # milliseconds for an answer
_HIGHEST = 3_376  # pixels of the home: four screens
_AT_ONCE = 300.0  # milliseconds after which an act's result is seen
_CHANGE = "Enact a rule titled “{0}” with the text:\n\nPlayers who have read this may smile."


_IN_FORCE = """async title => {
  const rules = await (await fetch("/g/demo/rules/")).text();
  const links = new DOMParser().parseFromString(rules, "text/html").querySelectorAll("main a");
  return [...links].some(each => each.textContent.trim() === title);
}"""


class Newcomer:
    """Somebody who taps; `taps` and `since` count from the last thing that they began."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.figures: list[Figure] = []
        self.answered: list[float] = []
        self.taps = 0

    def tap(self, what: Locator) -> None:
        """Tap it, once it is there."""
        self.taps += 1
        what.click(timeout=_LONGEST)

    def act(self, button: Locator) -> None:
        """Tap the button of an act, and see its receipt."""
        receipt = self.page.locator("#receipt")
        before = receipt.inner_text()
        self.tap(button)
        since = time.perf_counter()
        self.page.wait_for_function(
            "before => document.querySelector('#receipt').innerText !== before",
            arg=before,
            timeout=_SOON,
            polling=10,
        )
        self.answered.append((time.perf_counter() - since) * 1000)
        if receipt.locator(".bad").count():
            raise RuntimeError(f"It was refused: {receipt.inner_text()}")

    def go(self, place: str) -> None:
        """Open that place of the demonstration by the bar at the bottom: one tap."""
        self.taps += 1
        self.page.goto(f"{self.address}/g/demo/{place}")

    @contextmanager
    def first(self, what: str) -> Iterator[None]:
        """Count what that takes."""
        self.taps, since = 0, time.perf_counter()
        yield
        took = time.perf_counter() - since
        self.figures.append(Figure(NAME, f"{what}: taps and fields", "taps", self.taps))
        self.figures.append(Figure(NAME, f"{what}: time", "s", took))


def _play(new: Newcomer) -> None:
    page = new.page
    with new.first("from the front page to a seat"):
        page.goto(f"{new.address}/")
        new.tap(page.get_by_role("button", name="Try it now").first)
        page.wait_for_url("**/g/demo/**")
    with new.first("the first vote"):
        new.act(page.get_by_role("button", name=re.compile("^FOR")).first)
    with new.first("the first bet"):
        new.go("horses/")
        new.tap(page.locator("svg.only-narrow a").first)
        page.wait_for_function("document.querySelector('#form-horses-bet [name=horse]').value")
        bet = page.locator("#form-horses-bet")
        new.taps += 1
        bet.locator("[name=dollaries]").select_option(index=1)
        new.act(bet.get_by_role("button"))
    with new.first("settling"):
        new.go("settlers/")
        new.act(page.locator("#form-settlers-join").get_by_role("button"))
    with new.first("the first harvest"):
        new.act(page.locator("#form-settlers-harvest").get_by_role("button").first)
    with new.first("joining the contest"):
        new.go("aceofspades/")
        new.act(page.locator("#form-aceofspades-join").get_by_role("button"))
    with new.first("the first exchange, once it is offered"):
        _exchange(new)
    with new.first("the first change, adopted"):
        _change(new)


def _exchange(new: Newcomer) -> None:
    """Accept the offer that a practice player makes to whoever comes."""
    page, offers = new.page, new.page.get_by_role("button", name=re.compile("^Accept"))
    for _ in range(60):
        page.goto(f"{new.address}/g/demo/aceofspades/")
        if offers.count():
            break
        page.wait_for_timeout(1000)
    new.act(offers.first)


def _change(new: Newcomer) -> None:
    page, title = new.page, f"Smiles {int(time.time()) % 100_000}"
    new.go("proposals/new/")
    new.taps += 2
    page.get_by_label("Title").fill(title)
    page.get_by_label("Text", exact=True).fill(_CHANGE.format(title))
    new.tap(page.get_by_role("button", name="Submit the proposal"))
    page.wait_for_load_state()
    until = time.monotonic() + _LONGEST / 1000
    while not page.evaluate(_IN_FORCE, title):
        if time.monotonic() > until:
            raise TimeoutError(f"“{title}” is not in force after {_LONGEST // 1000} s.")
        page.wait_for_timeout(1000)


def _weigh(new: Newcomer) -> Iterator[Figure]:
    """How high each place is, where its board begins, and what the first visit brings."""
    page = new.page
    for place in _PLACES:
        page.goto(f"{new.address}/g/demo/{place}", wait_until="networkidle")
        name = place.strip("/") or "home"
        high = page.evaluate("document.documentElement.scrollHeight")
        bound = {"against": _HIGHEST, "at_most": 1.0} if name == "home" else {}
        yield Figure(NAME, f"{name}: height at 390 px", "px", high, **bound)
        boards = page.locator("main svg").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect())"
            ".filter(box => box.width > 200).map(box => box.top + window.scrollY)"
        )
        if boards:
            yield Figure(NAME, f"{name}: where its board begins", "px", boards[0], 700, at_most=1)


def main() -> None:
    """Walk once and print what it took."""
    parser = argparse.ArgumentParser(prog="bench.firsts")
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8000")
    address = parser.parse_args().address.rstrip("/")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(
            viewport={"width": 390, "height": 844},
            is_mobile=True,
            has_touch=True,
            bypass_csp=True,
        )
        page = context.new_page()
        sizes: list[int] = []
        page.on("response", lambda answer: sizes.append(_size(answer)))
        new = Newcomer(page, address)
        page.goto(f"{address}/", wait_until="networkidle")
        first = [
            Figure(NAME, "the front page: requests", "requests", len(sizes)),
            Figure(NAME, "the front page: bytes", "kB", sum(sizes) / 1000),
        ]
        try:
            _play(new)
        finally:
            answered = sorted(new.answered)
            middle = answered[len(answered) // 2] if answered else 0.0
            seen = Figure(NAME, "an act's result is seen, p50", "ms", middle, _AT_ONCE, at_most=1)
            print(table([*first, *_weigh(new), *new.figures, seen]))
        browser.close()


def _size(answer: Response) -> int:
    """Bytes on the way, as far as they are told."""
    return int(answer.headers.get("content-length", 0))


if __name__ == "__main__":
    main()

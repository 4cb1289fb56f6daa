"""Whatever a game has, no address of the site answers with more than a page may have."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.forms import TextInput
from django.test import Client

from nomic.engine.actions import find_action
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.bounds import ANSWER_KILOBYTES, PAGE_KILOBYTES
from nomic.games.models import Game, Player
from nomic.governance.reports import PUBLISH, reports_of
from nomic.rulebook.rendering.markdown import part_of, render
from nomic.web.game_context import rule_url
from nomic.web.paging import fitting
from nomic.web.tests.watchers import Watcher, addresses
from nomic.web.tests.wide import TITLE, widen
from tests.kit import stamped

_TYPED = re.compile(r"<textarea.*?</textarea>", re.DOTALL)
_VALUES = re.compile(r"[0-9a-f]{30,}|[0-9]+|(?<=/rules/)[^/]+|(?<=/ledger/)[^/]+")
_OTHERS = (
    "/g/table/rules/?page=2",
    "/g/table/rules/?page=9999999",
    "/g/table/proposals/101/",
    "/g/table/proposals/201/",
    "/g/table/proposals/201/revise/",
    "/g/table/proposals/p1/?from=1&to=2",
    "/g/table/proposals/p1/?part=9999",
    "/g/table/proposals/p1/changes/",
    "/g/table/proposals/?page=2",
    "/g/table/act/rulebook.amend/?rule=Prose",
    "/g/table/act/proposals.vote/?proposal=101",
    "/api/v1/games/table/proposals?after=100",
    "/api/v1/games/table/proposals/p1",
    "/api/v1/games/table/proposals/201",
    "/api/v1/games/table/rules?after=1000",
    "/office/g/table/act/rulebook.amend/?rule=Wide",
)


_WHOLE = re.compile(r"/(rulebook[./]|record\.jsonl|ledger\.csv|download/)")
"""What is as long as what it is of: the rulebook to be printed, and files to be taken along."""
_SMALL = {
    "text_kilobytes": 2, "list_kilobytes": 2, "list_lines": 10, "report_kilobytes": 5,
    "difference_kilobytes": 5, "view_kilobytes": 2, "views_kilobytes": 4,
}  # fmt: skip
_LONGEST = (
    "/g/table/",
    "/g/table/rules/",
    "/g/table/proposals/",
    "/g/table/proposals/101/",
    "/g/table/proposals/201/",
    "/g/table/motions/",
    "/g/table/record/",
    "/g/table/talk/",
    "/g/table/reports/proposals/",
)
LINE = "&" * 99 + "\n"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", 1),
        ("x" * 20_000, 1),
        ("x" * 20_001, 2),
        ("x" * 500_000, 25),
        ("&" * 4_000, 1),
        ("&" * 4_001, 2),
        (LINE * 400, 10),
        ("é" * 10_001, 2),
    ],
)
def test_a_long_text_is_shown_in_parts(text: str, parts: int, settings: Any) -> None:
    settings.BOUNDS = {"text_kilobytes": 20}
    every = [part_of(text, number) for number in range(1, part_of(text, 1).of + 1)]
    assert "".join(text[each.start : each.end] for each in every) == text
    assert parts <= len(every) <= max(2 * parts, 1)
    assert all(len(escape(text[each.start : each.end]).encode()) <= 20_000 for each in every)
    assert (every[0].before, every[-1].next) == (0, 0)
    assert part_of(text, 10**9) == every[-1]


def test_markdown_that_would_swell_is_shown_as_it_was_written(settings: Any) -> None:
    settings.BOUNDS = {"text_kilobytes": 2}
    table = "|" + "a|" * 30 + "\n|" + "-|" * 30 + "\n" + "|b\n" * 100
    assert len(render(table)) < 2000
    assert "<table" not in render(table)
    assert "And 500 more characters" in render("x" * 2500)


def test_a_list_ends_where_the_page_is_full(settings: Any) -> None:
    settings.BOUNDS = {"list_kilobytes": 1}
    assert fitting(["&" * 100, "&" * 100, "x"], lambda each: (each,)) == ["&" * 100] * 2
    assert fitting(["x" * 10**6, "x"], lambda each: (each,)) == ["x" * 10**6]
    assert fitting([], str) == []


def test_the_api_gives_a_long_list_in_pieces_that_name_the_next(
    game: Game, client: Client, settings: Any
) -> None:
    address = "/api/v1/games/table/rules"
    whole = client.get(address)
    assert "Link" not in whole.headers
    settings.BOUNDS = {"answer_kilobytes": 20}
    found, pieces, link = [], 0, f"<{address}>"
    while link:
        answer = client.get(link[1 : link.index(">")])
        found += answer.json()
        pieces, link = pieces + 1, answer.headers.get("Link", "")
    assert pieces > 3
    assert found == whole.json()


def test_names_that_no_page_has_room_for_are_written(game: Game, settings: Any) -> None:
    settings.BOUNDS = {"list_kilobytes": 0}
    form = find_action("rulebook.amend").Form(glance(game), None, {"rule": "Voting"})
    assert isinstance(form.fields["rule"].widget, TextInput)
    assert form.fields["rule"].schema() == {"type": "string"}
    assert "rule" not in form.errors
    wrong = find_action("rulebook.amend").Form(glance(game), None, {"rule": "Nonsense"})
    assert "“Nonsense” is not a rule of this game" in str(wrong.errors["rule"])


@pytest.fixture
def preset() -> str:
    return "demo"


@pytest.fixture
def part() -> int:
    """How small a part of what a wide game has there is."""
    return 1


@pytest.fixture
def wide(game: Game, player: Player, part: int) -> Game:
    take(game.slug, player, "settlers.join")
    take(game.slug, player, "aceofspades.join")
    widen(game, player, part)
    stamped(game)
    for report in reports_of(game):
        take(game.slug, None, PUBLISH, {"report": report.name})
    return Game.objects.get(pk=game.pk)


def where(game: Game) -> list[str]:
    """The addresses of the site, of those that differ in a number alone the first and the last."""
    wide = rule_url(game, "Wide", game.rules.get(title="Wide").pk)
    often = rule_url(game, "", game.rules.get(title=f"{TITLE} 0").pk)
    prose = rule_url(game, "", game.rules.get(title="Prose").pk)
    asked = ("", "?part=3", "?from=1&to=2", "?version=3&part=2")
    rules = [*(wide + each for each in asked), often, f"{often}?before=300", f"{prose}?part=99999"]
    few = [each for each in addresses(game, few=True) if "/2fa/" not in each]
    kinds = groupby(sorted(few, key=kind), key=kind)
    ends = (list(each) for _, each in kinds)
    found = dict.fromkeys(each for those in ends for each in (those[0], those[-1]))
    return [*found, *rules, *_OTHERS]


def kind(address: str) -> str:
    return _VALUES.sub("", address)


def size_of(address: str, answer: object) -> int:
    """The bytes of an answer; of a page without what stands in its forms to be changed."""
    body = answer.getvalue()  # type: ignore[attr-defined]
    return len(
        body
        if address.startswith("/api/")
        else _TYPED.sub("", body.decode(errors="replace")).encode()
    )


@pytest.mark.thorough
@pytest.mark.parametrize("part", [25])
def test_the_longest_pages_heed_the_bounds_of_their_parts(
    wide: Game, player: Player, settings: Any
) -> None:
    """In a small game with small bounds: without them most have more."""
    settings.BOUNDS = _SMALL
    murphy = Watcher.of(player)
    rule = rule_url(wide, "Wide", wide.rules.get(title="Wide").pk)
    sizes = {each: size_of(each, murphy.get(each)) for each in (*_LONGEST, rule)}
    sizes.pop("/g/table/")  # which has lists of everything
    assert {each: size for each, size in sizes.items() if not 5_000 < size < 92_000} == {}


# A minute: some 480 addresses of a game with thousands of rows of everything.
@pytest.mark.slow
def test_no_address_answers_with_more_than_a_page_may_have(wide: Game, player: Player) -> None:
    operator = Watcher.of(User.objects.create_superuser("operator"))
    murphy = Watcher.of(player)
    wrong = []
    for address in where(wide):
        who = operator if address.startswith("/office") else murphy
        answer = who.get(address)
        size = size_of(address, answer)
        most = ANSWER_KILOBYTES if address.startswith("/api/") else PAGE_KILOBYTES
        is_down = address == "/readyz"  # no sweep runs here
        is_long = size > most.count * 1000 and not _WHOLE.search(address)
        if is_long or (answer.status_code >= 500 and not is_down):
            wrong.append((address, answer.status_code, size))
    assert wrong == []

"""Everybody who may look at a game, everything that they may look at, and what they are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import unified_diff
from itertools import islice, product
from pprint import pformat
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django_redis.client import DefaultClient

from nomic.engine import watch
from nomic.engine.actions import all_actions
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.reports import reports_of
from nomic.offices.urls import office
from nomic.web.game_context import rule_url
from nomic.web.tokens import make_token
from tests.kit import sign_in_client

# Whether to look at a few addresses alone: each time, or at all of them where slow tests run.
FEW = [
    pytest.param(True, id="few", marks=pytest.mark.brief),
    pytest.param(False, id="all", marks=pytest.mark.slow),
]

Route = tuple[str, tuple[str, ...]]  # an address with {parameters}, and their names
_API = "/api/"
_QUERIES = {
    "record": ("?player=Murphy", "?name=settlers.bribe", "?kind=action", "?before=3"),
    "rulebook": ("?full=1",),
    "receipts": ("?format=json", "?before=5"),
    "record_feed": ("?player=Murphy", "?name=settlers.bribe"),
    "search_game": ("?q=bribe", "?q=Murphy"),
    "links": ("?q=bribe", "?q=hawfin"),  # the page shows what was typed
    "dice": ("?before=2", "?sealed=999999999"),
    "say": ("?words=Bribe+the+Thug", "?words=Tell+the+Onlooker"),
    "settlers": ("?page=2", "?page=999"),
    "aceofspades_list": ("?page=2",),
    "aceofspades_proof": ("?after=1", "?roll=1"),
}
_UNKNOWN = [1, 2]
_OF_THE_CONTEST = [1, 2, 3]  # proposals and the like
_REGULATIONS = [205, 340, 350]
_API_QUERIES = {
    "record": ("?after=3&limit=2", "?limit=1"),
    "reports/{name}": ("?format=text", "?format=html", "?format=csv"),
    "record/opened": ("?after=0&limit=1",),
    "search": ("?q=bribe", "?q=hawfinch"),
    "rules/{name}/differences": ("?from=1&to=1",),
    "talk": ("?before=2",),
}


@dataclass
class Watcher:
    """Somebody with a browser, and with a program if they have an account."""

    user: User | None = None
    browser: Client = field(default_factory=Client)
    program: Client = field(default_factory=Client)
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, who: User | Player | None) -> Watcher:
        """Somebody who has signed in, or nobody in particular."""
        user = who.user if isinstance(who, Player) else who
        watcher = cls(user)
        if user is not None:
            sign_in_client(watcher.browser, user)
            watcher.headers = {"Authorization": f"Bearer {make_token(user, 'a program')[1]}"}
        return watcher

    def get(self, address: str) -> Any:
        """What the address answers: to the program in the API, else to the browser."""
        if address.startswith(_API):
            return self.program.get(address, headers=self.headers)
        return self.browser.get(address)

    def asked(self, address: str) -> tuple[Any, ...]:
        """All that an answer tells, and after how many queries it was given."""
        queries = []

        def counting(execute: Any, sql: Any, *more: Any) -> Any:
            queries.append(sql)
            return execute(sql, *more)

        with connection.execute_wrapper(counting):
            response = self.get(address)
        return *told(response), len(queries)


def told(response: Any) -> tuple[Any, ...]:
    """Status, headers and body, without what is another each time: tokens and keys of forms, what
    the request is called, and how many more the asker may send."""
    body = response.getvalue().decode(errors="replace")
    of_this_request = ("X-Request-ID", "RateLimit")
    headers = {name: response.headers[name] for name in response.headers.keys() - of_this_request}
    cookies = sorted(response.cookies)
    return response.status_code, headers, cookies, len(body), without_tokens(body)


def without_tokens(text: str) -> str:
    """A page without what is made anew each time: tokens and keys of forms."""
    plain = re.sub(r'name="key" value="[^"]*"|value="(?:[\w-]{16}|\w{64})"', "", text)
    plain = re.sub(r"term-[0-9a-f]{8}", "term", plain)
    return re.sub(r'("X-CSRFToken": ")[^"]*', r"\1", plain)


def text_of(response: Any) -> str:
    """Body and headers of an answer as one text, to look for a word in."""
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return f"{headers}\n{response.getvalue().decode(errors='replace')}"


# The addresses


def routes(patterns: Iterable[URLPattern | URLResolver] | None = None, base: str = "/") -> Iterator:
    """Every address of the site, those of regular expressions left out, as Route."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        here = base + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(each.pattern))
        if isinstance(each, URLResolver):
            yield from routes(each.url_patterns, here)
        elif not re.search(r"[\^$(\\]", here):
            yield here, tuple(re.findall(r"{(\w+)}", here)), each.name or ""


def addresses(
    game: Game, *, only: Callable[[str], bool] = lambda route: True, few: bool = False
) -> list[str]:
    """Every address there is for this game, each parameter with everything that it may name; or a
    few, where one address of each kind tells what those like it tell."""
    found: dict[str, None] = {}
    values_of = _those_of_some if few else _those_of
    known = _known(game)
    for route, names, named in routes():
        if not only(route):
            continue
        more = _queries(route, named)
        whole = not few or "/reports/" in route  # each report has forms of its own
        for values in product(*(values_of(game, route, name, known) for name in names)):
            address = route.format(**dict(zip(names, values, strict=True)))
            asked = more if whole else more[:2]
            found |= dict.fromkeys((address, *(address + query for query in asked)))
            more = more if whole else ()
    return [*found, *_books(only, few=few)]


def part_of(where: list[str], place: int, parts: int, always: Collection[str]) -> list[str]:
    """The addresses of the watcher at that place, where `parts` watchers share them: all those in
    `always`, and one of so many `parts` of the others."""
    assert {*always} <= {*where}
    near = [each for each in where if each in always]
    return near + [each for each in where if each not in always][place % parts :: parts]


def _queries(route: str, named: str) -> tuple[str, ...]:
    """What may be asked at that route, which has this name."""
    if route.startswith("/api/v1/games/{slug}/"):
        return _API_QUERIES.get(route.removeprefix("/api/v1/games/{slug}/"), ())
    return _QUERIES.get(named, ()) if "{slug}" in route else ()


def _those_of_some(game: Game, route: str, name: str, known: dict[str, list[Any]]) -> list[Any]:
    """One value of each kind that a parameter of that name may have in that route."""
    values = _those_of(game, route, name, known)
    if name == "seq":
        named = game.entries.order_by("seq").values_list("kind", "name", "seq")
        return [*{(kind, act): seq for kind, act, seq in named}.values(), values[-1]]
    if name == "number" and "/aceofspades/" in route:
        return _REGULATIONS if "/regulations/" in route else _OF_THE_CONTEST
    if name == "name" and any(part in route for part in ("/players/", "/ledger/", "/holders/")):
        return [each for each in values if each in ("Murphy", "nobody")]
    if name in ("name", "action", "named") and "/reports/" not in route:
        return [values[0], values[-1]]
    return values[:1] if values == _UNKNOWN and "/visits/" not in route else values


def _those_of(game: Game, route: str, name: str, known: dict[str, list[Any]]) -> list[Any]:
    """What a parameter of that name may be in that route; what is not known is a small number."""
    if name == "object_id":
        return _rows_of(route)
    if name == "name" and "/reports/" in route:
        return [report.name for report in reports_of(game)]
    if name == "name" and "/players/" in route:
        return [*game.players.values_list("name", flat=True), "nobody"]
    if name == "name" and "/ledger/" in route:
        holders = game.players.values_list("name", flat=True)
        return [*holders, *game.assets.values_list("name", flat=True), "nobody"]
    if name == "name" and "/holders/" in route:
        return [*game.holders.values_list("name", flat=True), "nobody"]
    if name == "name" and "/files/" in route:
        return ["rulebook.md", "record.jsonl", "ledger.csv", "calendar.ics", "running.jsonl"]
    if name == "name" and "/rules/" in route:
        return [f"x-{rule.pk}" for rule in glance(game).rules.public]
    if name == "name" and "/invitations/" in route:
        return ["nobody"]
    if name == "number" and "/aceofspades/" in route:
        return [*_OF_THE_CONTEST, *_REGULATIONS, 500]
    if name == "number" and "/witness/" in route:
        return [*game.stamps.values_list("number", flat=True)[:2], known["seq"][-1]]
    return known.get(name, _UNKNOWN)


def _known(game: Game) -> dict[str, list[Any]]:
    """What parameters are in every route that has one of that name."""
    acts = [act.name for act in all_actions()]
    return {
        "listing": ["contestants", "proposals", "moves", "requests"],
        "field": ["calendar", "key"],
        "slug": [game.slug],
        "seq": [*range(1, game.entries.count() + 2)],
        "page": [
            rule_url(game, rule.title, rule.pk).rstrip("/").rpartition("/")[2]
            for rule in glance(game).rules.public
        ],
        "name": acts,
        "action": acts,
        "rule": [rule.pk for rule in glance(game).rules.public][:3],
        "version": [1],
        "start": [0],
        "place": [1],
        "handle": [1, 2, "p1"],
        "kind": ["zip", "md", "json", "yaml"],
        "named": [1, 2, *game.sealed_entries.values_list("hash", flat=True)[:3]],
    }


def _rows_of(route: str) -> list[Any]:
    """The newest rows that the book at this address has, whoever may see them."""
    app, model = route.removeprefix("/office/").split("/")[:2]
    for registered in office.books:
        if (registered._meta.app_label, registered._meta.model_name) == (app, model):
            newest = registered._default_manager.order_by("-pk").values_list("pk", flat=True)
            return list(newest[:2])
    return []


def _books(only: Callable[[str], bool], *, few: bool) -> Iterator[str]:
    """The books of the officers' site, searched."""
    for admin in office.books.values():
        listed = reverse(f"office:{admin.opts.app_label}_{admin.opts.model_name}_changelist")
        if only(listed) and admin.search_fields:
            yield f"{listed}?q=Murphy"
            if not few:
                yield f"{listed}?q=bribe"


def what_is_told(
    game: Game, watchers: dict[str, Watcher], where: Iterable[str]
) -> dict[tuple[str, str], Any]:
    """All that the watchers are told at these addresses, by who and where.

    What is counted for a minute alone is counted anew for each look; nothing else that the cache
    keeps goes out of date, however long the looks take.
    """
    for counted in _COUNTED:
        cache.delete_pattern(counted)  # type: ignore[attr-defined]
    with patch.object(DefaultClient, "set", _keep_for_an_hour):
        return _told(game, watchers, where)


_set = DefaultClient.set


def _keep_for_an_hour(
    self: DefaultClient, key: str, value: Any, _: float | None = None, *args: Any, **kwargs: Any
) -> Any:
    return _set(self, key, value, _AN_HOUR, *args, **kwargs)


def _told(
    game: Game, watchers: dict[str, Watcher], where: Iterable[str]
) -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {("the live mark", ""): watch.mark(game.pk)}
    found["the cache", ""] = {
        key: cache.get(key)
        for key in sorted(cache.keys("*"))  # type: ignore[attr-defined]
        if not key.startswith(_OF_THE_WATCHERS)
    }
    found["the game", ""] = Game.objects.filter(pk=game.pk).values(*_PUBLIC).get()
    for name, watcher in watchers.items():
        for address in where:
            if (name, address) not in _MEASURES:
                found[name, address] = watcher.asked(address)
    return found


_AN_HOUR = 3600  # seconds
_COUNTED = ("duties:*", "nomic:motion:*")
# Also how often they have asked, and what the operator alone is told: how many acts and requests
# the site saw, and what games and users cost.
_OF_THE_WATCHERS = (
    "django.contrib.sessions.",
    "nomic:api:",
    "nomic:measures",
    "nomic:requests",
    "nomic:used:",
    "nomic:filled:",
)
_MEASURES = {("operator", "/metrics"), ("operator", "/office/shares/")}
_PUBLIC = ("last_entry", "last_at", "record_head", "next_due", "wakes_at", "stuck_at", "paused_at")


def differences(before: dict[Any, Any], after: dict[Any, Any]) -> list[tuple[Any, list[str]]]:
    """Where two times that somebody looked differ, and the first lines that tell how."""
    return [
        (place, _how(before.get(place), after.get(place)))
        for place in before.keys() | after.keys()
        if before.get(place) != after.get(place)
    ]


def _how(was: Any, now: Any) -> list[str]:
    """The first lines of two answers that differ, or of whatever else was told."""
    one, other = (pformat(each, width=120).splitlines() for each in (was, now))
    return list(islice(unified_diff(one, other, lineterm="", n=0), 2, 12))

"""A game as a page shows it: who is looking, at which moment, and what comes next."""

import logging
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import urlencode
from django.utils.text import slugify

from nomic.engine import watch
from nomic.engine.actions import find_action, legality
from nomic.engine.events import all_events, is_routine, title_of
from nomic.engine.models import Appointment
from nomic.engine.subgames import Subgame, in_play, of_those_in_play
from nomic.engine.table import Table, glance
from nomic.games.bounds import PAGE_KILOBYTES
from nomic.games.clock import wall_now
from nomic.games.models import Game, Games, Player, SeenBy
from nomic.games.wins import FRESH, Won, as_won, newest_wins
from nomic.governance.desks import Desk, all_desks
from nomic.governance.hosting.talk import (
    MOST_UNREAD,
    READ,
    UNREAD,
    UNSEEN,
    at_the_table,
    faces_of,
)
from nomic.infrastructure.caching.memory import memoized
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.infrastructure.early_answer import EarlyAnswer
from nomic.quotas import usage
from nomic.record.heads import Head
from nomic.record.keys import head_of
from nomic.web.demonstration import SLUG
from nomic.web.etags import tag_of_page

SHOWN_LINKS = "shown_links"  # in a session: the invitations that its browser has shown
_LATE = timedelta(seconds=60)
log = logging.getLogger(__name__)
_SHOWN = 12  # appointments that are read for a page's clock
_FOLLOW = 4  # events that stand in sight there
_DIGEST = 32
_A_PRIVATE_VERSION = re.compile(f"[0-9a-f]{{1,12}}[0-9a-f]{{{_DIGEST}}}")
NEWLY_WON = "newly_won"
TABS_IN_SIGHT = 6
_EVERY_GAME_HAS = {
    "rules": "book-open",
    "record": "scroll-text",
    "talk": "users-round",
    "ledger": "coins",
    "reports": "file-text",
    "dice": "dices",
    "search_game": "search",
}
"""The names of addresses, each with its icon."""


@dataclass(frozen=True, slots=True)
class NextEvent:
    """An event to come, in the players' words: at the game moment `due`, and at the wall moment
    `wall`, None where time stands still. Officers are told its `subject` as well; `kind` is what
    the program calls it."""

    title: str
    due: datetime
    wall: datetime | None
    subject: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class PageClock:
    """What comes next of what a page shows, the first of it and what `follows`, and what else is
    due in the game."""

    first: NextEvent | None
    follows: list[NextEvent]
    besides: list[NextEvent]


@dataclass(frozen=True)
class Tab:
    """A place of a game: its title, the same in short, and the figure that stands for it in
    `sheet`, a file of `static`. `is_here`: the page that is shown is there; `news` is how much
    stands there that the viewer has not read, “” for nothing."""

    title: str
    url: str
    is_here: bool
    sign: str
    sheet: str = "icons.svg"
    short: str = ""
    news: str = ""


class GamePage:
    """The frame of every page of a game, around its own matter.

    `player` is the viewer's seat with its holder, if they have one; `version` is the mark under
    which the page may ask whether there is something newer.
    """

    def __init__(self, request: HttpRequest, game: Game, player: Player | None) -> None:
        watch.refuse_lag(game.pk, game.last_entry)
        self.request = request
        self.game = game
        self.player = player
        self.version = shown_mark(game.pk, watch.begin_mark(game.pk, game.last_entry))
        usage.in_game(game.pk)
        self.told_on_cards: frozenset[int] = frozenset()  # by the page itself: entries of wins
        self.wall = wall_now()
        self.table: Table = glance(game, self.wall)

    @cached_property
    def key(self) -> str:
        """The beginning of the keys of this page's forms: each counts once, however often sent."""
        return secrets.token_urlsafe(12)

    @property
    def key_of_a_button(self) -> str:
        """The key of a form that is one button, another each time: two of one page count as two."""
        return secrets.token_urlsafe(12)

    @property
    def now(self) -> datetime:
        """The game moment of the page."""
        return self.table.now

    @cached_property
    def private_version(self) -> str:
        """The mark under which this browser may ask whether something private has changed the
        viewer's pages; empty where they have no seat, and where the cache does not know.

        Ask for it before anything private is read.
        """
        mark = watch.begin_seat_mark(self.player.pk) if self.player else None
        return _for_this_browser(self.request, self.player.pk, mark) if self.player and mark else ""

    @cached_property
    def head(self) -> Head:
        """The newest entry of the record, signed: what an act from this page says it has seen."""
        return head_of(self.game)

    @cached_property
    def won(self) -> list[Won]:
        """Who has won the game within a week of its time, the newest win first."""
        return [win for win in self.newest_won if win.at > self.now - FRESH]

    @property
    def told_in_banner(self) -> list[Won]:
        """The newest fresh win, unless the page itself tells of it."""
        return [win for win in self.won[:1] if win.entry not in self.told_on_cards]

    @cached_property
    def newest_won(self) -> list[Won]:
        """Who has won the game last, the newest win first."""
        read_along = getattr(self.player or self.game, NEWLY_WON, None)
        if read_along is None:
            games = Game.objects.filter(pk=self.game.pk).annotate(**{NEWLY_WON: newest_wins("pk")})
            read_along = getattr(games.get(), NEWLY_WON)
        return as_won(read_along)

    @property
    def path(self) -> str:
        """The page's own address, to which an action comes back: the game's home where a program
        asks, which hands links on to people."""
        path = self.request.path
        return address_of("game", self.game.slug) if path.startswith("/api/") else path

    @property
    def is_demonstration(self) -> bool:
        """Whether this is the site's demonstration, which is made anew from time to time."""
        return self.game.slug == SLUG and self.game.preset == "demo"

    @property
    def seated(self) -> bool:
        """Whether the viewer plays in this game now: in one that is over nobody does."""
        return self.player is not None and self.player.active and not self.game.is_closed

    @cached_property
    def coming(self) -> list[NextEvent]:
        """The next events by the rules, the first few in their order."""
        return self.told_events(self.table.appointments.next(_SHOWN))

    def told_events(self, waiting: Iterable[Appointment]) -> list[NextEvent]:
        """These appointments as events; of several that are told in the same words at the same
        moment there is one."""
        events = dict.fromkeys(
            (
                title_of(appointment.kind, self.table, appointment.subject),
                appointment.due,
                appointment.kind,
            )
            for appointment in waiting
        )
        return [NextEvent(title, due, self.wall_of(due), kind=kind) for title, due, kind in events]

    @cached_property
    def clock(self) -> PageClock:
        """The page's own next events first: those of the subgame that it shows, and on other pages
        those of what people play."""
        subgame, coming = self.subgame, self.coming
        if subgame is None:
            page_events = [event for event in coming if not is_routine(event.kind)]
        else:
            prefix = f"{subgame.name}."
            page_events = [event for event in coming if event.kind.startswith(prefix)]
            if not page_events:  # perhaps it comes after those
                kinds = [event.kind for event in all_events() if event.kind.startswith(prefix)]
                page_events = self.told_events(self.table.appointments.next(1, kinds))
        other_events = [event for event in coming if event not in page_events]
        return PageClock(
            page_events[0] if page_events else None,
            page_events[1:_FOLLOW],
            other_events + page_events[_FOLLOW:],
        )

    @cached_property
    def subgame(self) -> Subgame | None:
        """The subgame whose page this is; None for a page of the whole game."""
        for subgame in self.subgames:
            with suppress(NoReverseMatch):
                if self.path.startswith(address_of(subgame.name, self.game.slug)):
                    return subgame
        return None

    def wall_of(self, moment: datetime | None) -> datetime | None:
        """The wall moment of a game moment; None for none, and where time stands still."""
        clock = self.game.clock
        return clock.wall(moment) if moment and clock.rate else None

    @property
    def next(self) -> NextEvent | None:
        """The next event; None where nothing is due."""
        return self.coming[0] if self.coming else None

    @property
    def is_late(self) -> bool:
        """Whether what is due waits for more than a minute."""
        if self.game.state != "running" or not self.game.rate or self.game.wakes_at is None:
            return False
        return self.wall - self.game.wakes_at > _LATE

    @property
    def has_worker(self) -> bool:
        """Whether a worker has swept just now."""
        return watch.is_worker_running(self.wall)

    @property
    def subgames(self) -> list[Subgame]:
        """The subgames in play here. Only a change of the rulebook changes which they are."""
        return in_play(self.game)

    @cached_property
    def tabs(self) -> list[Tab]:
        """The places of this game, the most visited first: home, subgames, and what all have."""
        slug, path = self.game.slug, self.path
        home = address_of("game", slug)
        places = [Tab("Home", home, path == home, "house")]
        for subgame in self.subgames:
            with suppress(NoReverseMatch):
                url = address_of(subgame.name, slug)
                is_here = path.startswith(url)
                places.append(
                    Tab(subgame.title, url, is_here, subgame.sign, "figures.svg", subgame.short)
                )
        for name, sign in _EVERY_GAME_HAS.items():
            url = address_of(name, slug)
            title = "Search" if name == "search_game" else name.capitalize()
            news = self.unread if name == "talk" else ""
            places.append(Tab(title, url, path.startswith(url), sign, news=news))
        return places

    @cached_property
    def faces(self) -> dict[str, str]:
        """The faces that players chose, by their names."""
        return faces_of([self.game.pk])[self.game.pk]

    @property
    def unread(self) -> str:
        """How many remarks of others at the table the viewer has not read, as a badge says it: “”
        for none, and for who does not play here."""
        count = len(getattr(self.player, UNREAD, ())) if self.seated else 0
        return f"{count - 1}+" if count == MOST_UNREAD else str(count or "")

    @property
    def tabs_in_sight(self) -> list[Tab]:
        """Those that a wide page shows; a narrow one shows one fewer."""
        return self.tabs[:TABS_IN_SIGHT]

    @property
    def tabs_folded(self) -> list[Tab]:
        """The last of a wide page, which a narrow one folds, and those that both fold."""
        return self.tabs[TABS_IN_SIGHT - 1 :]

    @property
    def news_folded(self) -> str:
        """How much stands in those that the viewer has not read."""
        return next((tab.news for tab in self.tabs_folded if tab.news), "")

    @property
    def for_example(self) -> str:
        """Something that a player of this game may say, for those who wonder what."""
        return next((subgame.for_example for subgame in self.subgames if subgame.for_example), "")

    @property
    def desks(self) -> list[Desk]:
        """The officers' desks of what is in play here."""
        return of_those_in_play(self.game, all_desks())

    @property
    def is_live(self) -> bool:
        """Whether a live part of the page asks for what is new, and not a browser for the whole."""
        return bool(getattr(self.request, "htmx", False)) and self.request.method != "POST"

    def draw(
        self,
        template: str,
        *,
        status: int = 200,
        unkept: bool = False,
        whole: bool = False,
        **context: Any,
    ) -> HttpResponse:
        """The answer with the template, drawn of the game and of all else that it is told.

        With `unkept`, no cache keeps what is drawn for somebody with a seat. A `whole` one is as
        long as what it shows, on one page for who prints it.
        """
        answer = render(self.request, template, {"game_page": self, **context}, status=status)
        if not whole and len(answer.content) > PAGE_KILOBYTES.count * 1000:
            log.warning("The page %s has %s bytes", self.request.path, len(answer.content))
        if unkept and self.player is not None:
            add_never_cache_headers(answer)
        return answer

    def draw_live(self, template: str, **context: Any) -> HttpResponse:
        """The same, or the template's part `live` alone where that is asked for."""
        live = self.is_live
        answer = self.draw(f"{template}#live" if live else template, live=live, **context)
        answer.has_live_parts = live  # type: ignore[attr-defined]
        return answer

    def may(self, name: str, **inputs: object) -> bool:
        """Whether the viewer may take that action now with these inputs."""
        if not self.seated:
            return False
        return legality(find_action(name), self.table, self.player, inputs) is None

    def way(self, name: str, **inputs: object) -> str:
        """The page of that action's form, which begins with these inputs; "" where the viewer may
        not take it now."""
        if not self.may(name, **inputs):
            return ""
        return act_url(self.game.slug, name, **inputs, back=self.path)

    def dispute_url(self, entry: int | None, statement: str = "") -> str:
        """The page on which a judge is asked about what that entry tells, perhaps beginning with
        that statement; "" where there are no judges, or the game is closed."""
        if self.game.is_closed:
            return ""
        addresses = (part.disputing(self.table, statement, entry) for part in self.subgames)
        return next(filter(None, addresses), "")

    def rule_url(self, title: str) -> str:
        """The page of the public rule of that title; empty where no such rule is in force."""
        return public_rule_url(self.table, title)


def public_rule_url(table: Table, title: str) -> str:
    """The page of the public rule of that title; empty where no such rule is in force."""
    if not title or not table.rules.in_force(title):
        return ""
    rule = table.rules.find(title)
    return rule_url(table.game, title, rule.pk) if rule.is_public else ""


def rule_url(game: Game, title: str, pk: int) -> str:
    """The address of a rule's page: its title for people, its number for the program."""
    return address_of("rule", game.slug, rule_key(title, pk))


def rule_key(title: str, pk: int) -> str:
    """By what the address of its page tells a rule from others."""
    return f"{slugify(title) or 'rule'}-{pk}"


@memoized(share=0.005)
def address_of(page: str, *parts: str | int) -> str:
    """The address of the page of that name, with these parts; raises NoReverseMatch. Each is looked
    up once: Django goes through all of the site's for it."""
    return reverse(page, args=parts)


def act_url(slug: str, act: str, /, **begun: Any) -> str:
    """The page of an action's form, with what it begins with."""
    address = address_of("act", slug, act)
    return f"{address}?{urlencode(begun)}" if begun else address


def open_game(request: HttpRequest, slug: str) -> GamePage:
    """The page of the game with that slug; Http404 with a sentence where there is none."""
    if request.user.is_authenticated and (seat := seat_in(slug, request.user.pk)):
        return _looked_at(GamePage(request, seat.game, seat))
    game = _SEEN_BY_ALL.first(slug=slug)
    if game is None and isinstance(request.user, User):
        game = game_known_to(request.user, slug)
    if game is None and request.session.get(SHOWN_LINKS):
        game = games_seen(request).filter(slug=slug).first()
    if game is None:
        # The page of it asks to sign in, whether or not there is such a game.
        request.may_hide_a_game = not request.user.is_authenticated  # type: ignore[attr-defined]
        raise no_game(slug)
    return _looked_at(GamePage(request, game, None))


def seat_in(slug: str, user: int) -> Player | None:
    """That user's seat in the game of that slug, with the game, as far as they see it by it: who
    was removed sees no game that is shown by links alone."""
    seat = _SEATS.first(user=user, game__slug=slug, game__scratch=False)
    is_shut_out = seat is not None and seat.removed and seat.game.seen_by == SeenBy.LINK
    return None if is_shut_out else seat


def game_known_to(user: User, slug: str) -> Game | None:
    """The game with that slug, where the account may know of it, whatever links it was shown."""
    visible = Game.objects.seen_by(user) if user.is_superuser else Game.objects.known_to(user.pk)
    return visible.filter(slug=slug).first()


def _looked_at(page: GamePage) -> GamePage:
    """The page, whose game somebody looks at; but a live part asks by itself, be somebody there or
    not. Raises Known where nobody has signed in and the page is known."""
    request, is_live = page.request, page.request.headers.get("HX-Request")
    if request.method == "POST" or not is_live:
        watch.look(page.game.pk, page.wall)
    has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
    if request.method in ("GET", "HEAD") and not is_live and not has_session:
        request.etag = tag_of_page(request, page.game)  # type: ignore[attr-defined]
    return page


def no_game(slug: str) -> Http404:
    """The 404 where there is no such game, or none that whoever asks may know of."""
    return Http404(f"There is no game “{slug}” that you may see here.")


def games_seen(request: HttpRequest) -> Games:
    """The games that whoever asks may know of, by a seat, a word of the host, or a link that this
    browser has shown."""
    return Game.objects.seen_by(request.user, request.session.get(SHOWN_LINKS, ()))


_SEEN_BY_ALL = CompiledQuery(
    lambda: Game.objects.seen_by(None).annotate(**{NEWLY_WON: newest_wins("pk")}),
    annotated=[NEWLY_WON],
)
_SEATS = CompiledQuery(
    lambda: at_the_table(Player.objects.annotate(**{NEWLY_WON: newest_wins("game")})),
    "game",
    "holder",
    annotated=[READ, UNREAD, UNSEEN, NEWLY_WON],
)


def look_for_news(request: HttpRequest) -> None:
    """Raises Known, with 204, for a live part whose page is up to date, told by the cache alone."""
    game, shown = request.GET.get("game", ""), request.GET.get("v", "")
    if not request.headers.get("HX-Request") or not game.isdecimal() or not shown:
        return
    number = int(game[:18])  # as many digits as a key of 64 bits can have
    current = watch.mark(number)
    if current is not None and constant_time_compare(shown, shown_mark(number, current)):
        raise EarlyAnswer(HttpResponse(status=204))


def shown_mark(game_id: int, mark: str) -> str:
    """The mark of a game's pages as they show it: nobody makes one up for a game that they do not
    see, and learns by it how much has happened there."""
    return salted_hmac("nomic.web.mark", f"{game_id} {mark}", algorithm="sha256").hexdigest()[:20]


def look_for_private_news(request: HttpRequest) -> None:
    """Raises Known, with 204, where nothing private has changed what this browser was shown of the
    viewer's pages, as the cache alone tells; for no other browser."""
    shown = request.GET.get("v", "")
    if not request.headers.get("HX-Request") or not _A_PRIVATE_VERSION.fullmatch(shown):
        return
    seat = int(shown[:-_DIGEST], 16)
    mark = watch.seat_mark(seat)
    if mark and constant_time_compare(shown, _for_this_browser(request, seat, mark)):
        raise EarlyAnswer(HttpResponse(status=204))


def _for_this_browser(request: HttpRequest, seat: int, mark: str) -> str:
    """The seat and its mark as one session has it: of no use to another, or after signing out."""
    words = f"{mark} {request.session.session_key}"
    digest = salted_hmac("nomic.web.game_context", words, algorithm="sha256")
    return f"{seat:x}{digest.hexdigest()[:_DIGEST]}"


def viewer(request: HttpRequest) -> User:
    """Who is signed in, where somebody has to be."""
    assert isinstance(request.user, User)
    return request.user


def query_word(request: HttpRequest, name: str) -> str:
    """A word of the address's query, fit to be looked up: not long, without NUL."""
    return request.GET.get(name, "")[:120].replace("\0", "")

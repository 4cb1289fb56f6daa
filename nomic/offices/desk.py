"""The front of the officers' site, and the desk of one game."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from nomic.engine import watch
from nomic.engine.actions import Action, all_actions, find_action, legality
from nomic.engine.events import title_of
from nomic.engine.models import Appointment
from nomic.games.models import Office
from nomic.games.refusal import Refusal
from nomic.governance.corrections import KeptCorrection
from nomic.governance.desks import Duty, Picture
from nomic.governance.reports import Report
from nomic.offices.access import DeskPage, games_seen, open_desk, sees_all
from nomic.offices.duties import desks, duties, reports
from nomic.offices.site import office
from nomic.web.game_context import NextEvent
from nomic.web.hosting.host import Share, share_of

_DESKS_IN_FULL = 3
_DESKS = 12
_MOST_COMING = 6


@dataclass(frozen=True, slots=True)
class Owed:
    """A duty as the desk shows it, with the address at which it is done."""

    duty: Duty
    overdue: bool
    url: str


@dataclass(frozen=True, slots=True)
class DeskAction:
    """An officer's act: its address, and why it is not possible now, if so."""

    title: str
    about: str
    url: str
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class ClockState:
    """How a game's clock stands: what comes next, how late it is, whether anybody keeps it.

    `late` is by how much wall time the next appointment is overdue; None while it is not. `beat`
    is the wall moment at which a worker last swept. `stuck` is the appointment that could not be
    kept.
    """

    coming: list[NextEvent]
    late: timedelta | None
    beat: datetime | None
    is_worker_running: bool
    stuck: Appointment | None
    stuck_title: str


@dataclass(frozen=True, slots=True)
class OpenDesk:
    """All that a desk shows. `offices` are all of the game's, for who holds none of them."""

    game_page: DeskPage
    offices: list[Office]
    owed: list[Owed]
    clock: ClockState
    pictures: list[Picture]
    reports: list[Report]
    powers: list[DeskAction]
    share: Share | None = None  # for who operates the site

    @property
    def possible(self) -> list[DeskAction]:
        return [power for power in self.powers if power.refusal is None]

    @property
    def not_now(self) -> list[DeskAction]:
        return [power for power in self.powers if power.refusal]


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """The desk of each game in which the visitor sees something, the stuck ones first."""
    games = games_seen(request, _DESKS)
    whole = len(games) <= _DESKS_IN_FULL
    laid = [lay(DeskPage(request, game), whole=whole) for game in games]
    has_more = len(games) == _DESKS
    return office.draw(
        request, "offices/front.html", "Your desks", desks=laid, whole=whole, more=has_more
    )


@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """One game's desk."""
    game_page = open_desk(request, slug)
    laid = lay(game_page, whole=True)
    return office.draw(request, "offices/desk.html", game_page.game.title, desk=laid)


def lay(game_page: DeskPage, *, whole: bool) -> OpenDesk:
    """The desk with all that lies on it; a desk that is not `whole` has duties and clock only."""
    laid = desks(game_page)
    offices = game_page.game.offices.select_related("holder") if game_page.operates else ()
    owed = []
    for duty in duties(game_page, laid):
        act = find_action(duty.action) if duty.action else None
        theirs = act is not None
        if isinstance(act, KeptCorrection) and not game_page.operates:
            # It is any officer's, but only another office may correct what it is about.
            theirs = act.not_theirs(game_page.table, game_page.player, {}, "") is None
        url = address(game_page, duty.action, **duty.inputs) if theirs else ""
        owed.append(Owed(duty, duty.due is not None and duty.due <= game_page.now, url))
    pictures: list[Picture] = []  # of each desk those for the officer alone, then those with rows
    for desk in laid if whole else ():
        if game_page.player is not None and desk.office_in(game_page.game) in game_page.offices:
            pictures += desk.private(game_page.table, game_page.player)
        pictures += [picture for picture in desk.pictures(game_page.table) if picture.rows]
    return OpenDesk(
        game_page=game_page,
        offices=list(offices),
        owed=owed,
        clock=_clock_state(game_page),
        pictures=pictures,
        reports=reports(game_page),
        powers=list(_powers(game_page)) if whole else [],
        share=share_of(game_page.game) if whole and game_page.operates else None,
    )


def _clock_state(game_page: DeskPage) -> ClockState:
    """How the game's clock stands at the page's moment; one query."""
    game, table = game_page.game, game_page.table
    waiting = list(game.appointments.waiting()[:_MOST_COMING])
    stuck = waiting[0] if game.stuck_at and waiting else None
    is_due = waiting and game.rate and not game.paused_at  # a paused game is late for nothing
    wall = game.clock.wall(waiting[0].due) if is_due else None
    late = game_page.wall - wall if wall else timedelta()
    whole = late - timedelta(microseconds=late.microseconds)
    running = game.state == "running" and game.rate
    return ClockState(
        coming=[
            NextEvent(
                title_of(appointment.kind, table, appointment.subject),
                appointment.due,
                game.clock.wall(appointment.due) if running else None,
                appointment.subject,
            )
            for appointment in waiting
            if not appointment.hidden
        ],
        late=whole if late >= timedelta(seconds=1) else None,
        beat=watch.last_beat(),
        is_worker_running=watch.is_worker_running(game_page.wall),
        stuck=stuck,
        stuck_title=title_of(stuck.kind, table, stuck.subject) if stuck else "",
    )


def address(game_page: DeskPage, name: str, **inputs: Any) -> str:
    """Where the act is done: with a preview for an officer's, else on the game's own page."""
    is_office = any(act.name == name and act.office for act in all_actions())
    where = reverse("office:act" if is_office else "act", args=[game_page.game.slug, name])
    return f"{where}?{urlencode(inputs)}" if inputs else where


def _powers(game_page: DeskPage) -> Iterator[DeskAction]:
    """The acts of the visitor's offices here, each with why not now; no form is made for them."""
    for act in all_actions():
        if act.office and may(game_page, act) and not act.absence(game_page.table):
            operates = not act.is_of(game_page.offices, game_page.game)
            refusal = legality(act, game_page.table, game_page.player, {}, operator=operates)
            url = reverse("office:act", args=[game_page.game.slug, act.name])
            yield DeskAction(act.title, act.about, url, refusal)


def may(game_page: DeskPage, act: Action) -> bool:
    """Whether the visitor acts in that office here, as its holder or as the site's operator."""
    return act.is_of(game_page.offices, game_page.game) or sees_all(game_page.request)

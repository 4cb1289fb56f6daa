"""Who holds power in a game as its pages show it: offices, how they are filled, what is owed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils.http import urlencode

from nomic.engine.actions import find_action, is_dignity
from nomic.engine.powers import Offices, objection_time, offices_of
from nomic.engine.reports import reports_of
from nomic.engine.take import runs
from nomic.games.models import Game
from nomic.standard import doubts
from nomic.standard.desks import Duty
from nomic.standard.offices import APPOINT, RECALL, RESIGN, STAND, TAKE
from nomic.standard.standing import Standing, most_urgent_first, standings
from nomic.web.game_page import Frame

_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Held:
    """An office: who holds it ("" for nobody), what is owed there now, each duty with the address
    where the viewer does it ("" where they do not), and what the viewer may do about the office."""

    office: str
    holder: str
    is_own: bool
    duties: list[tuple[Duty, str]]
    ways: list[tuple[str, str]]

    @property
    def vacancy(self) -> str:
        """What it means that nobody holds it."""
        if is_dignity(self.office):
            return "vacant: nobody has its powers"
        rest = "; the rest is asked of all players" if self.duties else ""
        return f"vacant: the system does what it can{rest}"


@dataclass(frozen=True, slots=True)
class Powers:
    """How offices are filled, how many hours corrections wait, and what was announced and is the
    most urgent."""

    mode: Offices
    hours: int
    held: list[Held]
    motions: list[Standing]

    @property
    def corrections(self) -> str:
        """What becomes of an officer's correction."""
        if not self.hours:
            return "happen at once"
        return f"wait {self.hours} hour{pluralize(self.hours)} for objections"


def anything(game: Game) -> dict[str, Exists]:
    """Whether anything was announced and is open, and whether a report was ever doubted: to be
    read along with something that is read anyway, and then given to `powers`."""
    return {
        "has_motions": Exists(game.motions.filter(end="")),
        "has_doubts": Exists(game.entries.filter(name=doubts.DOUBT)),
    }


def powers(frame: Frame, *, has_motions: bool = True, has_doubts: bool = True) -> Powers:
    """The powers in this game as the viewer sees them."""
    hours = objection_time(frame.table) // timedelta(hours=1)
    urgent = most_urgent_first(frame.table)[:_SHOWN] if has_motions else []
    motions = standings(frame.table, frame.player, urgent)
    return Powers(offices_of(frame.game), hours, list(_held(frame, has_doubts)), motions)


def _held(frame: Frame, has_doubts: bool) -> Iterator[Held]:
    due: dict[str, list[Duty]] = {}
    for desk in frame.desks:
        due.setdefault(desk.office_in(frame.game), []).extend(desk.duties(frame.table))
    offices = frame.table.directory.offices
    vacant = [
        report
        for report in (reports_of(frame.game) if has_doubts else ())
        if not offices.get(report.office_in(frame.game))
    ]
    for report, duty in doubts.duties(frame.game, vacant):
        due.setdefault(report.office_in(frame.game), []).append(duty)
    for office, holder in offices.items():
        duties = [(duty, "") for duty in due.get(office, ())]
        if not holder:
            asked = [duty for duty, _ in duties if _is_asked_of_all(duty)]
            duties = [(duty, _act(frame, duty) if frame.seated else "") for duty in asked]
        is_own = frame.seated and frame.player is not None and frame.player.name == holder
        yield Held(office, holder, is_own, duties, list(_ways(frame, office, holder)))


def _is_asked_of_all(duty: Duty) -> bool:
    """Whether players do it where nobody holds the office."""
    if not duty.action:
        return False
    act = find_action(duty.action)
    return act.asked_of_all or not act.office


def _act(frame: Frame, duty: Duty) -> str:
    return _address(frame, duty.action, **duty.inputs)


def _ways(frame: Frame, office: str, holder: str) -> Iterator[tuple[str, str]]:
    """What the viewer may do about it, each with its address."""
    mode, user = offices_of(frame.game), frame.request.user
    if mode is Offices.HOST and isinstance(user, User) and runs(frame.game, user):
        yield "appoint", _address(frame, APPOINT, office=office)
    if frame.player is None or not frame.player.active:
        return
    if holder == frame.player.name:
        yield "resign", _address(frame, RESIGN, office=office)
    elif mode is Offices.SUPPORT:
        yield (
            ("recall", _address(frame, RECALL, office=office))
            if holder
            else (
                "stand for it",
                _address(frame, STAND, office=office),
            )
        )
    elif mode is Offices.OPEN and not holder:
        yield "take it", _address(frame, TAKE, office=office)


def _address(frame: Frame, name: str, **inputs: Any) -> str:
    query = urlencode({**inputs, "back": frame.path})
    return f"{reverse('act', args=[frame.game.slug, name])}?{query}"

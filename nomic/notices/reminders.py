"""Reminders of what runs out: looked for now and then, and told once each."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse

from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.subgames import in_play
from nomic.engine.table import Table, glance
from nomic.games.calendars import midnight
from nomic.games.models import Game, Pace
from nomic.games.wording import counted
from nomic.governance import doubts
from nomic.governance.desks import Duty, all_desks
from nomic.governance.reports import reports_of
from nomic.notices.models import Notice
from nomic.notices.outbox import AHEAD, about_duty, comes_up, write
from nomic.record.models import Entry

log = logging.getLogger(__name__)

WEEK = timedelta(weeks=1)  # of wall time
MONDAY = 0


def remind() -> None:
    """Tell of what runs out within a day. In games whose week lasts minutes nobody is reminded, and
    in paused or stuck ones nothing runs out."""
    read = Q(players__user__last_login__isnull=False) | ~Q(players__user__email="")
    games = Game.objects.filter(
        read, scratch=False, paused_at=None, stuck_at=None, players__active=True
    )
    for game in games.exclude(pace=Pace.FAST).distinct():
        table = glance(game)
        try:
            running_out = [
                concern
                for subgame in in_play(game)
                for concern in subgame.deadlines(table)
                if concern.until is not None and table.now < concern.until <= table.now + AHEAD
            ]
            write(table, [*running_out, *_duties(table), *_week(table)])
        except Exception:
            log.exception("Nobody could be reminded of anything in the game %s", game.slug)


def _week(table: Table) -> Iterator[Concern]:
    """On Mondays, that the week is over, in games in which something happened."""
    game, today = table.game, midnight(table.wall)
    told_already = Notice.objects.filter(game=game, kind=NoticeKind.WEEK, at__gte=today)
    if today.weekday() != MONDAY or told_already.exists():
        return
    if count := entries_of_week(game, table.wall).count():
        text = f"The week brought {counted(count, 'new entry', 'new entries')} to the record."
        url = reverse("season", args=[game.slug])
        yield Concern(NoticeKind.WEEK, text, url, about=f"week/{today:%Y-%m-%d}")


def entries_of_week(game: Game, end: datetime) -> QuerySet[Entry]:
    """The entries that were recorded in the seven days before that wall moment."""
    return game.entries.filter(recorded_at__gt=end - WEEK, recorded_at__lte=end)


def _duties(table: Table) -> Iterator[Concern]:
    """The duties of office holders that are due by now or within a day (game time), or undated."""
    game = table.game
    held = game.offices.filter(holder__active=True, holder__user__isnull=False)
    holders = dict(held.values_list("name", "holder"))
    if not holders:
        return
    owed: list[tuple[str, Duty]] = []
    for desk in all_desks():
        if desk.is_on(game) and (office := desk.office_in(game)) in holders:
            owed += [(office, duty) for duty in desk.duties(table)]
    reports_owed = [report for report in reports_of(game) if report.office_in(game) in holders]
    for report, duty in doubts.owed(game, reports_owed):
        owed.append((report.office_in(game), duty))
    url = reverse("office:desk", args=[game.slug])
    for office, duty in owed:
        if comes_up(duty, table.now):
            to, about = frozenset({holders[office]}), about_duty(office, duty, table.now)
            yield Concern(NoticeKind.DUTY, f"{office}: {duty.title}", url, to, about=about)

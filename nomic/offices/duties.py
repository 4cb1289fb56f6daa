"""What officers owe: the duties that every game knows, and those of the subgames' desks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from nomic.engine.reports import PUBLISH, Report, reports_of, waits_since
from nomic.engine.subgames import rulebook_keeper
from nomic.games.models import Game
from nomic.offices.access import DeskFrame
from nomic.standard import doubts
from nomic.standard.desks import Desk, Duty

_AT_ONCE = datetime.min.replace(tzinfo=UTC)


def duties(frame: DeskFrame, laid: Iterable[Desk]) -> list[Duty]:
    """What the visitor ought to do in this game, the most overdue first, the undated last."""
    found = [
        *_standing_still(frame.game),
        *_held_reports(frame),
        *_doubts(frame),
        *_amended_rules(frame),
        *(duty for desk in laid for duty in desk.duties(frame.table)),
    ]
    return sorted(found, key=lambda duty: (duty.due is None, duty.due or _AT_ONCE))


def desks(frame: DeskFrame) -> list[Desk]:
    """The desks at which the visitor sits here; all of the game for who runs the site."""
    return [
        desk
        for desk in frame.desks
        if frame.operates or desk.office_in(frame.game) in frame.offices
    ]


def reports(frame: DeskFrame) -> list[Report]:
    """The reports that are the visitor's to make."""
    return [
        report
        for report in reports_of(frame.game)
        if frame.operates or report.office_in(frame.game) in frame.offices
    ]


def _standing_still(game: Game) -> Iterator[Duty]:
    if game.stuck_at:
        title = "The game is stuck: mend the cause and try again, or skip the event"
        yield Duty(title, game.stuck_at, action="games.retry_appointment")
    elif game.paused_at:
        yield Duty("The game is paused, until somebody resumes it", action="games.resume")


def _held_reports(frame: DeskFrame) -> Iterator[Duty]:
    """Reports whose week has begun and that wait for the officer's look."""
    for report in reports(frame):
        since = waits_since(frame.game, report.name)
        if since:
            yield Duty(
                f"{report.title} waits to be published",
                since,
                rule=report.rule,
                action=PUBLISH,
                inputs={"report": report.name},
            )


def _doubts(frame: DeskFrame) -> Iterator[Duty]:
    yield from (duty for _, duty in doubts.duties(frame.game, reports(frame)))


def _amended_rules(frame: DeskFrame) -> Iterator[Duty]:
    """What the rulebook's keeper confirms, or the operator."""
    if not frame.operates and rulebook_keeper(frame.game) not in frame.offices:
        return
    for rule in frame.table.rules.public:
        if rule.is_played_otherwise:
            yield Duty(
                f"“{rule.title}” is played as of version {rule.played_as}, and reads as version"
                f" {rule.version}: confirm that the game still fits it",
                rule=rule.title,
                action="rulebook.confirm",
                inputs={"rule": rule.title},
            )

"""When things happened on the isle, when they are due, and the hours that its rules have."""

from __future__ import annotations

from datetime import datetime, timedelta

from nomic.engine.take import take
from nomic.games.models import Game
from settlers.state.reading import ARRIVAL, PRODUCTION
from tests.kit import WEDNESDAY

HOUR = timedelta(hours=1)


def at(number: float) -> datetime:
    """The game moment so many hours after the beginning."""
    return WEDNESDAY + number * HOUR


def happened(game: Game) -> list[tuple[str, datetime]]:
    """Productions and arrivals, by themselves or by hand, with their moments."""
    names = (PRODUCTION, ARRIVAL, "settlers.produce", "settlers.receive_visitor")
    entries = game.entries.filter(name__in=names).order_by("seq").values_list("name", "at")
    return [(name.removeprefix("settlers."), moment) for name, moment in entries]


def due(game: Game) -> dict[str, datetime]:
    """When the next of each kind is due."""
    waiting = game.appointments.filter(status="waiting", kind__startswith="settlers.")
    return {appointment.kind.removeprefix("settlers."): appointment.due for appointment in waiting}


def amend(game: Game, title: str, old: str, new: str) -> None:
    """Let the officers change a rule's text, which they may while the game is stuck as well."""
    text = str(game.rules.get(title=title, repealed_in=None).text)
    assert old in text
    inputs = {"rule": title, "text": text.replace(old, new), "reason": "as was voted"}
    take(game.slug, None, "rulebook.amend", inputs)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)

"""What the commands of a game share."""

from __future__ import annotations

from datetime import datetime

from django.core.management.base import CommandError
from django.utils.dateparse import parse_date, parse_datetime

from nomic.games.clock import utc
from nomic.games.models import Game


def game_of(slug: str) -> Game:
    """The game of that slug, or the command's error with the slugs that there are."""
    try:
        return Game.objects.get(slug=slug, scratch=False)
    except Game.DoesNotExist:
        known = ", ".join(Game.objects.filter(scratch=False).values_list("slug", flat=True))
        raise CommandError(f"There is no game “{slug}”. Known: {known or 'none'}.") from None


def moment_of(said: str) -> datetime:
    """A moment as ISO 8601, in UTC unless it says otherwise; a date alone is its midnight."""
    try:
        moment = parse_datetime(said)
        if moment is None:
            day = parse_date(said)
            moment = datetime(day.year, day.month, day.day) if day else None  # noqa: DTZ001
    except ValueError as error:
        raise CommandError(f"“{said}” is not a moment: {error}.") from error
    if moment is None:
        raise CommandError(f"“{said}” is not a moment. Write it as 2026-01-05T00:00:00Z.")
    return utc(moment)

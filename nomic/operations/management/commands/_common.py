"""What the commands of a game share."""

from __future__ import annotations

from datetime import datetime

from django.core.management.base import CommandError

from nomic.games.clock import read_moment
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
        return read_moment(said)
    except ValueError as error:
        raise CommandError(str(error)) from error

"""What the commands of a game share."""

from __future__ import annotations

from datetime import datetime

from django.core.management.base import BaseCommand, CommandError

from nomic.games.clock import read_moment
from nomic.games.models import Game


class SiteCommand(BaseCommand):
    """A command of this site, without Django's checks: they load every page.

    `manage.py check` and `migrate` make them, in CI and in `make play`.
    """

    requires_system_checks = ()


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

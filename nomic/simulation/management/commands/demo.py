"""`manage.py demo`: fill an empty site with a demonstration."""

from typing import Any

from django.conf import settings

from nomic.operations.management.commands._common import SiteCommand
from nomic.simulation.demonstration.demonstration import demonstrate
from nomic.web.demonstration import PASSWORD, PLAYERS


class Command(SiteCommand):
    help = "Fill an empty site with fast games that have some weeks behind them."

    def handle(self, *args: Any, **options: Any) -> None:
        def say(sentence: str) -> None:
            self.stdout.write(sentence)
            self.stdout.flush()

        game = demonstrate(say)
        if game is None:
            self.stdout.write("Games are being played here already; nothing was added.")
            return
        self.stdout.write(f"“{game.title}” is at /g/{game.slug}/.")
        if not settings.ORIGIN:
            self.stdout.write(f"Sign in as {', '.join(PLAYERS)}: {PASSWORD}")

"""manage.py audit [SLUG]"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.games.models import Game
from nomic.operations.audit import Finding, audit, audit_guards
from nomic.operations.management.commands._common import SiteCommand, game_of


class Command(SiteCommand):
    help = "Recompute all that the books promise; exits 1 on the first difference, naming it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="one game (all, if left out)")

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = options["slug"]
        games = [game_of(chosen)] if chosen else Game.objects.filter(scratch=False)
        self._tell(audit_guards())
        for game in games:
            self.stdout.write(f"{game.title} ({game.slug})")
            for finding in audit(game):
                self._tell(finding)

    def _tell(self, finding: Finding) -> None:
        self.stdout.write(f"  {finding}")
        if finding.wrong:
            raise CommandError(finding.wrong)

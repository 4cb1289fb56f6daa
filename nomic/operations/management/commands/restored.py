"""manage.py restored"""

from argparse import ArgumentParser
from typing import Any

from nomic.engine.outcomes import Busy
from nomic.engine.restored import hold_all, hold_where_lost
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.operations.management.commands._common import SiteCommand


class Command(SiteCommand):
    help = (
        "Say that the database was restored from a backup: every game is held, and everybody in it"
        " told what is lost, until `manage.py let-go-on SLUG --reason WHY`."
    )
    reported = (Busy,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        about = "only say which games are held; hold none"
        parser.add_argument("--list", action="store_true", help=about)

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["list"]:
            hold_where_lost()
            hold_all({}, wall_now())
        held = Game.objects.filter(scratch=False).exclude(restored={}).order_by("slug")
        for game in held:
            self.stdout.write(f"{game.slug}: {game.set_aside}")
        if not held:
            self.stdout.write("No game is held.")

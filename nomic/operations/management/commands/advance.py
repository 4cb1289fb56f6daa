"""manage.py advance SLUG --to MOMENT"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.engine.outcomes import Busy
from nomic.engine.schedule import oldest_appointment
from nomic.engine.table import glance
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game
from nomic.operations.management.commands._common import GameCommand, moment_of
from nomic.operations.setup import BadSetup, advance


class Command(GameCommand):
    help = "Move the time of a game at manual pace forward; what becomes due happens."

    reported = (BadSetup, Busy)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--to", required=True, help="a game moment, as 2026-01-05T00:00:00Z")

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        happened = advance(game.slug, moment_of(options["to"]))
        game.refresh_from_db()
        self.stdout.write(
            f"{happened} event{'' if happened == 1 else 's'} happened."
            f" It is {iso(game.now(wall_now()))}."
        )
        if game.stuck_at:
            raise CommandError(f"The game is stuck at {iso(game.stuck_at)}: {game.stuck_error}")
        if glance(game).overdue:
            oldest = oldest_appointment(game)
            raise CommandError(f"Events go on at one moment without end. Due is still: {oldest}.")

"""manage.py replay SLUG"""

from typing import Any

from django.core.management.base import CommandError

from nomic.games.models import Game
from nomic.games.wording import counted
from nomic.operations.management.commands._common import Estimate, GameCommand, departure_lines
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import Departure, replay


class Command(GameCommand):
    help = "Play the recorded inputs again and compare; exits 1 on a difference, naming the entry."
    reported = (BadRecording,)

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        departures: list[Departure] = []
        agreed, difference = replay(game, departures, Estimate(self.stderr.write))
        if difference:
            raise CommandError(f"{counted(agreed, 'entry agrees', 'entries agree')}. {difference}")
        self.stdout.write(
            f"{counted(agreed, 'entry', 'entries')} of “{game.title}” agree, and so do all balances"
            " and states."
        )
        for line in departure_lines(departures):
            self.stdout.write(line)

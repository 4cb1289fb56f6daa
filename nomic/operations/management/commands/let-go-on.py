"""manage.py let-go-on SLUG"""

from typing import Any

from nomic.engine.fairness.worker_share import let_go_on
from nomic.engine.outcomes import Busy
from nomic.games.models import Game
from nomic.operations.management.commands._common import GameCommand


class Command(GameCommand):
    help = "Let a game go on that is set aside."
    reported = (Busy,)

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        if not game.set_aside:
            self.stdout.write("The game is not set aside.")
            return
        let_go_on(game.pk)
        self.stdout.write("The game goes on: what is due in it happens, each at its own moment.")

"""manage.py bots SLUG [--players N]"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.bots import MOST_BOTS, REMOVE_BOT, NotAskedFor, add_bots, bots_of
from nomic.operations.management.commands._common import GameCommand

_USUAL = 5


class Command(GameCommand):
    help = "Let a practice game have so many practice players, whom the program plays; 0 for none."

    reported = (NotAskedFor,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--players", type=int, default=_USUAL, help=f"0 to {MOST_BOTS}")

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        wanted = options["players"]
        if not 0 <= wanted <= MOST_BOTS:
            raise CommandError(f"--players takes 0 to {MOST_BOTS}.")
        names = list(bots_of(game).values_list("name", flat=True))
        if wanted > len(names):
            add_bots(game, wanted - len(names))
        for name in names[wanted:]:
            take(game.slug, None, REMOVE_BOT, {"bot": name})
        remaining = ", ".join(bots_of(game).values_list("name", flat=True))
        company = f"{wanted} practice players: {remaining}" if remaining else "no practice players"
        self.stdout.write(f"“{game.slug}” has {company}.")

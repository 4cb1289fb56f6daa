"""manage.py bots SLUG [--players N]"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.engine.take import take
from nomic.operations.management.commands._common import SiteCommand, game_of
from nomic.standard.bots import MOST_BOTS, REMOVE_BOT, NotAskedFor, add_bots, bots_of

_USUAL = 5


class Command(SiteCommand):
    help = "Let a practice game have so many practice players, whom the program plays; 0 for none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--players", type=int, default=_USUAL, help=f"0 to {MOST_BOTS}")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = options["players"]
        if not 0 <= wanted <= MOST_BOTS:
            raise CommandError(f"--players takes 0 to {MOST_BOTS}.")
        game = game_of(options["slug"])
        names = list(bots_of(game).values_list("name", flat=True))
        try:
            if wanted > len(names):
                add_bots(game, wanted - len(names))
        except NotAskedFor as error:
            raise CommandError(str(error)) from error
        for name in names[wanted:]:
            take(game.slug, None, REMOVE_BOT, {"bot": name})
        left = ", ".join(bots_of(game).values_list("name", flat=True))
        said = f"{wanted} practice players: {left}" if left else "no practice players"
        self.stdout.write(f"“{game.slug}” has {said}.")

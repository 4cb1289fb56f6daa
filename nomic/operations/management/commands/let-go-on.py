"""manage.py let-go-on SLUG [--reason WHY]"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.engine import restored
from nomic.engine.fairness.worker_share import let_go_on
from nomic.engine.outcomes import Busy
from nomic.games.models import Game
from nomic.operations.management.commands._common import GameCommand


class Command(GameCommand):
    help = "Let a game go on that is set aside, or held since the site was restored from a backup."
    reported = (Busy,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        about = "of a game that is held since a restore: what the record says of it"
        parser.add_argument("--reason", default="", help=about)

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        if not game.set_aside:
            self.stdout.write("The game is not set aside.")
            return
        if game.restored:
            reason = " ".join(options["reason"].split())
            if not reason:
                raise CommandError(f"{game.set_aside} Say why, for the record: --reason WHY.")
            entry = restored.let_go_on(game.slug, reason)
            self.stdout.write(f"{entry.text} (entry {entry.seq})" if entry else "It goes on.")
            return
        let_go_on(game.pk)
        self.stdout.write("The game goes on: what is due in it happens, each at its own moment.")

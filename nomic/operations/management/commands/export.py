"""manage.py export SLUG [--output FILE] [--public [--reason TEXT]]"""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.engine.outcomes import Busy
from nomic.games.models import Game
from nomic.games.wording import counted
from nomic.operations.exports import NotPublished, export_game, publish
from nomic.operations.management.commands._common import GameCommand
from nomic.record.game_file import published


class Command(GameCommand):
    help = (
        "Write a game to one file, from which another site can import it."
        " The file holds the game's secrets: keep it as you keep the database."
        " One that is --public is for everybody to replay: the record says that there is one."
    )

    reported = (NotPublished, Busy)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--output", help="a new file (standard output, if left out)")
        parser.add_argument("--public", action="store_true", help="without users and their keys")
        parser.add_argument("--reason", default="", help="why, of a game that is still played")

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        public = options["public"]
        if public:
            game = publish(game.slug, options["reason"])
            entry = published(game)
            if entry and entry.seq < game.last_entry:
                self.stderr.write(
                    f"The file ends with entry {entry.seq}, which published it. Give another"
                    " --reason to publish what has happened since."
                )
        if not options["output"]:
            self.stdout.ending = ""  # each line has its own
            export_game(game, self.stdout, public=public)  # type: ignore[arg-type]
            return
        try:
            # Its owner's alone from its first byte: it holds the game's secrets.
            handle = os.open(options["output"], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CommandError(f"Cannot write {options['output']}: {error.strerror}.") from error
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            acts = export_game(game, file, public=public)
        self.stderr.write(f"{counted(acts, 'act')} of “{game.title}” in {options['output']}.")

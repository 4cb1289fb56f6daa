"""manage.py export SLUG [--output FILE]"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.operations.exports import export_game
from nomic.operations.management.commands._common import SiteCommand, game_of


class Command(SiteCommand):
    help = (
        "Write a game to one file, from which another site can import it."
        " The file holds the game's secrets: keep it as you keep the database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--output", help="a new file (standard output, if left out)")

    def handle(self, *args: Any, **options: Any) -> None:
        game = game_of(options["slug"])
        if not options["output"]:
            export_game(game, self.stdout._out)  # type: ignore[arg-type]
            return
        try:
            handle = os.open(options["output"], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise CommandError(f"Cannot write {options['output']}: {error.strerror}.") from error
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            acts = export_game(game, file)
        self.stderr.write(f"{acts} acts of “{game.title}” are in {options['output']}.")

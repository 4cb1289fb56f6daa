"""manage.py import FILE [--slug SLUG] [--seat-users]"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, TextIO

from django.core.management.base import CommandError
from django.db import Error

from nomic.operations.exports import import_game
from nomic.operations.management.commands._common import Estimate, SiteCommand, departure_lines
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import Departure


class Command(SiteCommand):
    help = "Play a game's file into this site; every entry must come out with its own hash."
    reported = (BadRecording,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="what export wrote, or - for standard input")
        parser.add_argument("--slug", default="", help="another place in URLs than it had")
        parser.add_argument(
            "--seat-users",
            action="store_true",
            help="give seats to the users of this site who have the user names of the file",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        departures: list[Departure] = []
        chosen = {
            "slug": options["slug"],
            "seat_users": options["seat_users"],
            "departures": departures,
        }
        try:
            if options["file"] == "-":
                game = import_game(sys.stdin, **chosen)
            else:
                with open(options["file"], encoding="utf-8") as file:
                    game = import_game(self._telling(file), **chosen)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"Cannot read {options['file']}: {error}.") from error
        except Error as error:
            fault = str(error).partition("\n")[0]
            raise CommandError(f"The database does not take this in: {fault}.") from error
        for line in departure_lines(departures):
            self.stdout.write(line)
        self.stdout.write(
            f"“{game.title}” is here, with {game.last_entry} entries: /g/{game.slug}/"
        )

    def _telling(self, file: TextIO) -> Iterator[str]:
        """The lines of the file; tells how far it is, since a line is read as it is played."""
        estimate = Estimate(self.stderr.write)
        of = sum(1 for _ in file) if file.seekable() else 0
        if of:
            file.seek(0)
        for number, line in enumerate(file, 1):
            estimate(number, of)
            yield line

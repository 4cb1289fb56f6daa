"""manage.py replay SLUG"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.operations.management.commands._common import SiteCommand, game_of
from nomic.operations.recording import BadRecording
from nomic.operations.replay import replay


class Command(SiteCommand):
    help = "Play the recorded inputs again and compare; exits 1 on a difference, naming the entry."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        game = game_of(options["slug"])
        try:
            agreed, difference = replay(game)
        except BadRecording as error:
            raise CommandError(str(error)) from error
        if difference:
            raise CommandError(f"{agreed} entries agree. {difference}")
        self.stdout.write(
            f"{agreed} entries of “{game.title}” agree, and so do all balances and states."
        )

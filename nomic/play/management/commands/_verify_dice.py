"""manage.py verify-dice SLUG"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nomic.dice.proof import check_published
from nomic.play.management.commands._common import game_of


class Command(BaseCommand):
    help = "Check every published seed against its commitment and every roll against its seed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        for proof in check_published(game_of(options["slug"])):
            self.stdout.write(str(proof))
            if proof.wrong:
                raise CommandError(proof.wrong)

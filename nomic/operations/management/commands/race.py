"""`manage.py race FILE`: resolve runs of a race on paper."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from horses.rules.on_paper import race
from nomic.games.cases import CaseWrong, read_cases


class Command(BaseCommand):
    help = (
        "Resolves the weekly runs of a horse race given as JSON, by the shipped rule texts, and "
        "writes the moves, the crossings and the final positions as JSON. Needs no game and no "
        "database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help="A JSON file with one case or a list of cases; - for standard input"
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            self.stdout.write(race(read_cases(file)))
        except CaseWrong as wrong:
            raise CommandError(str(wrong), returncode=2) from None

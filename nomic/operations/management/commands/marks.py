"""`manage.py marks FILE`: the marks on paper."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from aceofspades.rules.on_paper import marks
from nomic.games.cases import CaseWrong, read_cases


class Command(BaseCommand):
    help = (
        "Marks hands of cards, given as JSON, by the blocks of Marking Regulations, and writes"
        " their worths and what was wrong with a regulation as JSON. Needs no game and no database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help="A JSON file with one case or a list of cases; - for standard input"
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            self.stdout.write(marks(read_cases(file)))
        except CaseWrong as wrong:
            raise CommandError(str(wrong), returncode=2) from None

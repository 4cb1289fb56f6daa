"""`manage.py tally --edition EDITION FILE`: count ballots on paper."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nomic.games.cases import CaseWrong, read_cases
from proposals.rules import EDITIONS
from proposals.rules.on_paper import tally


class Command(BaseCommand):
    help = (
        "Counts the votes on proposals given as JSON under an edition of the proposal rule, by its "
        "shipped rule texts, and writes the results with their reasons as JSON. Needs no game and "
        "no database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="", help=", ".join(EDITIONS))
        parser.add_argument(
            "file",
            nargs="?",
            default="",
            help="A JSON file with one case or a list of cases; - for standard input",
        )

    def handle(self, *args: Any, edition: str, file: str, **options: Any) -> None:
        try:
            if not file:
                raise CaseWrong("FILE: it is missing; name a file, or - for standard input.")
            self.stdout.write(tally(edition, read_cases(file)))
        except CaseWrong as wrong:
            raise CommandError(str(wrong), returncode=2) from None

"""`manage.py bribes FILE`: the Thug's steps on paper."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nomic.games.cases import CaseWrong, read_cases
from settlers.rules.on_paper import bribes


class Command(BaseCommand):
    help = (
        "Reckons the Bribes that Settlers pay the Thug, given as JSON, by the shipped rule text,"
        " and writes their values, what is paid, what is left and the Targets as JSON. Needs no"
        " game and no database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help="A JSON file with one case or a list of cases; - for standard input"
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            self.stdout.write(bribes(read_cases(file)))
        except CaseWrong as wrong:
            raise CommandError(str(wrong), returncode=2) from None

"""`manage.py tally --edition EDITION FILE`: count ballots on paper."""

from argparse import ArgumentParser
from typing import Any

from nomic.games.on_paper import read_cases
from nomic.operations.management.commands._common import CaseCommand
from proposals.rules import EDITIONS
from proposals.rules.on_paper import tally


class Command(CaseCommand):
    help = (
        "Counts the votes on proposals given as JSON under an edition of the proposal rule, by its "
        "shipped rule texts, and writes the results with their reasons as JSON. Needs no game and "
        "no database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="", help=", ".join(EDITIONS))
        super().add_arguments(parser)

    def resolved(self, file: str, options: dict[str, Any]) -> str:
        return tally(options["edition"], read_cases(file))

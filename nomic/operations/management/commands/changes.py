"""`manage.py changes FILE`: read what proposals change, and change rules, on paper."""

from argparse import ArgumentParser
from typing import Any

from nomic.games.on_paper import read_cases
from nomic.operations.management.commands._common import CaseCommand
from nomic.rulebook.changes.on_paper import changes


class Command(CaseCommand):
    help = (
        "Reads what proposals ask to be changed, and writes a line of JSON for each: of lines"
        ' {"id", "body"} in JSON, or of the text of one proposal. Where a line has "rules", also'
        " what becomes of them, by the code by which a closing vote changes a game's. Needs no game"
        " and no database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        about = (
            "take what a sentence counts or names (“the first sentence”) for what the site would"
        )
        parser.add_argument("--confirm", action="store_true", help=about)

    def resolved(self, file: str, options: dict[str, Any]) -> str:
        return changes(read_cases(file), confirm=options["confirm"])

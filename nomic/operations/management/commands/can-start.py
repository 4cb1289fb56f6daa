"""manage.py can-start PART"""

from argparse import ArgumentParser
from typing import Any

from nomic.operations.management.commands._common import SiteCommand
from nomic.operations.starting import NEEDS, CannotStart, look


class Command(SiteCommand):
    help = (
        "Look whether a process of the site finds what it needs: database, tables, broker, keys,"
        " folder, style sheets; `python -m nomic.embedded PART` does so before it starts one."
    )
    reported = (CannotStart,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("part", choices=NEEDS)

    def handle(self, *args: Any, part: str, **options: Any) -> None:
        for sentence in look(part):
            self.stderr.write(sentence)

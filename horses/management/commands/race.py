"""`manage.py race FILE`: resolve runs of a race on paper."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from horses.race_tool import CaseWrong, race


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
            self.stdout.write(race(_read(file)))
        except CaseWrong as wrong:
            raise CommandError(str(wrong), returncode=2) from None


def _read(file: str) -> str:
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8-sig")
    except OSError as wrong:
        raise CommandError(
            f"The file {file} cannot be read: {wrong.strerror}.", returncode=2
        ) from None
    except UnicodeDecodeError:
        raise CommandError(f"The file {file} is not text in UTF-8.", returncode=2) from None

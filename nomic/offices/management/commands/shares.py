"""`manage.py shares`: what games, users and tokens cost today, and what is held back."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from nomic.games.clock import wall_now
from nomic.offices.costs import KINDS, rows
from nomic.quotas.models import Hold

_COLUMNS = ("", "seconds", "requests", "entries", "MB", "share of the disk", "late, s", "rule")


class Command(BaseCommand):
    help = "Shows which games, users and tokens cost most today, and which are held back."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--most", type=int, default=10, help="so many of each kind")

    def handle(self, *args: Any, most: int, **options: Any) -> None:
        for kind in KINDS:
            lines: list[tuple[str, ...]] = [(f"{kind}s", *_COLUMNS[1:])]
            for row in rows(kind, max(1, most)):
                about = f"{row.name} ({row.about})" if row.about else row.name
                used = row.today
                figures = (f"{used.seconds:.1f}", f"{used.requests}", f"{used.entries}")
                disk = (f"{used.bytes / 1_000_000:.1f}", f"{row.percent} %")
                lines.append((about, *figures, *disk, f"{row.late:.0f}", row.rule))
            widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
            for line in lines:
                cells = zip(line, widths, strict=True)
                self.stdout.write("  ".join(cell.ljust(width) for cell, width in cells).rstrip())
            self.stdout.write("")
        for hold in Hold.objects.at(wall_now()):
            self.stdout.write(f"{hold.name} is held back: {hold.reason}")

"""`manage.py let-in KIND NAME`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from nomic.offices.costs import KINDS, Wrong, let_in
from nomic.shares.models import Kind


class Command(BaseCommand):
    help = "Lets a game, a user or a token in again that was locked out or waits for its share."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=[kind.value for kind in KINDS])
        parser.add_argument("name", help="slug, user name, or the token's number")

    def handle(self, *args: Any, kind: str, name: str, **options: Any) -> None:
        try:
            self.stdout.write(let_in(Kind(kind), name, "manage.py"))
        except Wrong as wrong:
            raise CommandError(str(wrong)) from wrong

"""`manage.py let-in KIND NAME`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from nomic.engine.outcomes import Busy
from nomic.offices.costs import KINDS, Wrong, let_in
from nomic.quotas.models import Kind


class Command(BaseCommand):
    help = "Lets in again what was locked out, waits for its share or, of games, is set aside."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=[kind.value for kind in KINDS])
        parser.add_argument("name", help="slug, user name, or the token's number")

    def handle(self, *args: Any, kind: str, name: str, **options: Any) -> None:
        try:
            self.stdout.write(let_in(Kind(kind), name, "manage.py"))
        except (Wrong, Busy) as wrong:
            raise CommandError(str(wrong)) from wrong

"""`manage.py let-in KIND NAME`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from nomic.engine.outcomes import Busy
from nomic.offices.costs import KINDS, NoSuchUser, let_in
from nomic.quotas.models import UsageKind


class Command(BaseCommand):
    help = "Lets in again what was locked out, waits for its share or, of games, is set aside."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=[kind.value for kind in KINDS])
        parser.add_argument("name", help="slug, user name, or the token's number")

    def handle(self, *args: Any, kind: str, name: str, **options: Any) -> None:
        try:
            self.stdout.write(let_in(UsageKind(kind), name, "manage.py"))
        except (NoSuchUser, Busy) as wrong:
            raise CommandError(str(wrong)) from wrong

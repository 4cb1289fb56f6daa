"""`manage.py lock-out KIND NAME --reason WHY`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from nomic.offices.costs import KINDS, NoSuchUser, lock_out
from nomic.quotas.models import UsageKind


class Command(BaseCommand):
    help = "Locks a game, a user or a token (by its number) out, while the site goes on."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=[kind.value for kind in KINDS])
        parser.add_argument("name", help="slug, user name, or the token's number")
        parser.add_argument("--reason", required=True, help="is told to whom it concerns")

    def handle(self, *args: Any, kind: str, name: str, reason: str, **options: Any) -> None:
        try:
            self.stdout.write(lock_out(UsageKind(kind), name, reason, "manage.py"))
        except NoSuchUser as wrong:
            raise CommandError(str(wrong)) from wrong

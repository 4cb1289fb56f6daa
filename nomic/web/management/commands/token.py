"""`manage.py token USERNAME`: make a token for a user's program and print it."""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from nomic.games.clock import wall_now
from nomic.web.tokens import Scope, make_token


class Command(BaseCommand):
    help = "Makes a token for the API and prints it. It is shown this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--name", default="made by manage.py", help="what the token is for")
        parser.add_argument(
            "--scopes",
            nargs="+",
            choices=Scope.values,
            default=Scope.values,
            help="what it may be used for (all)",
        )
        parser.add_argument("--days", type=int, help="how long it is good (until it is revoked)")

    def handle(self, *args: Any, **options: Any) -> None:
        username = options["username"]
        user = get_user_model().objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no user “{username}” on this site.")
        days = options["days"]
        expires_at = wall_now() + timedelta(days=days) if days else None
        _, plain = make_token(user, options["name"], options["scopes"], expires_at)
        self.stdout.write(plain)

"""`manage.py token USERNAME`: make a token for a user's program and print it."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from nomic.web.tokens import make_token


class Command(BaseCommand):
    help = "Makes a token for the API and prints it. It is shown this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--name", default="made by manage.py", help="what the token is for")

    def handle(self, *args: Any, **options: Any) -> None:
        username = options["username"]
        user = get_user_model().objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no user “{username}” on this site.")
        _, plain = make_token(user, options["name"])
        self.stdout.write(plain)

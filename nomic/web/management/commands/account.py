"""`manage.py account NAME`: an account is made, gets another password, or is closed."""

from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from nomic.web.accounts.closing import NotClosed, close_account
from nomic.web.accounts.signing_in import make_account, password_link, reset_password


class Command(BaseCommand):
    help = (
        "Makes an account and prints the link by which its owner chooses a password, once. Of one"
        " that is there: --reset ends its password and prints such a link, --close closes it for"
        " good."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--email", default="", help="of a new one: it counts as verified")
        do = parser.add_mutually_exclusive_group()
        do.add_argument("--reset", action="store_true", help="let its owner choose a password anew")
        do.add_argument("--close", action="store_true", help="close it, for good")
        parser.add_argument(
            "--without-second-factor",
            action="store_true",
            help="with --reset: take its second factors away as well",
        )

        parser.add_argument(
            "--without-other-ways",
            action="store_true",
            help="with --reset: end its API tokens, others' programs and signing in by the provider"
            " as well, where somebody else got in",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        if options["reset"]:
            user = _account_called(name)
            reset_password(
                user,
                second_factor=options["without_second_factor"],
                other_ways=options["without_other_ways"],
            )
            self.stdout.write(password_link(user))
        elif options["close"]:
            try:
                close_account(_account_called(name))
            except NotClosed as error:
                raise CommandError(str(error)) from None
            self.stdout.write(f"The account {name} is closed. The workers give up its seats.")
        else:
            try:
                user = make_account(name, options["email"])
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from None
            self.stdout.write(password_link(user))


def _account_called(name: str) -> User:
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no account “{name}” on this site.")
    return user

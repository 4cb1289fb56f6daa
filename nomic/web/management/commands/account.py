"""`manage.py account NAME`: an account, and the link by which its owner chooses the password."""

from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from nomic.web.accounts.signing_in import AccountAdapter, owner_of


class Command(BaseCommand):
    help = "Makes an account and prints the link by which its owner chooses a password, once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--email", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        users = get_user_model()
        try:
            name = AccountAdapter().clean_username(options["name"])
            user = users(username=name, email=options["email"])
            user.set_unusable_password()
            user.full_clean()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        if user.email and owner_of(user.email):
            raise CommandError(f"“{user.email}” belongs to another account.")
        user.save()
        if user.email:  # the operator knows whose it is
            EmailAddress.objects.create(
                user=user, email=user.email.lower(), verified=True, primary=True
            )
        link = {"uidb36": user_pk_to_url_str(user), "key": default_token_generator.make_token(user)}
        path = reverse("account_reset_password_from_key", kwargs=link)
        self.stdout.write(f"{settings.ADDRESS}{path}")

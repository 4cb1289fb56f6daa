"""`manage.py try-mail ADDRESS`"""

from smtplib import SMTPAuthenticationError, SMTPNotSupportedError, SMTPRecipientsRefused
from ssl import SSLCertVerificationError
from typing import Any

from django.conf import settings
from django.core.mail import mailers
from django.core.management.base import BaseCommand, CommandError, CommandParser

from nomic.notices.mail import letter
from nomic.notices.smtp import EmailBackend, PerhapsTaken

_HINTS: tuple[tuple[type[Exception], str], ...] = (
    (
        SMTPNotSupportedError,
        "smtp:// wants STARTTLS: smtps:// speaks TLS from the start, smtp+plain:// never.",
    ),
    (
        SSLCertVerificationError,
        "NOMIC_MAIL_CA names the file of certificates (PEM) by which the server's is believed.",
    ),
    (SMTPAuthenticationError, "NOMIC_MAIL_URL has the name and the password."),
    (SMTPRecipientsRefused, "It refuses this address, or letters of the sender NOMIC_MAIL_FROM."),
    (PerhapsTaken, "It fell silent, and may have taken the letter."),
    (OSError, "Nothing answers there: host and port stand in NOMIC_MAIL_URL."),
)


class Command(BaseCommand):
    help = "Sends a letter to an address, at once, and says what the mail server answered."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        subject = f"[{settings.SITE_NAME}] A letter to try"
        body = f"{settings.SITE_NAME} at {settings.ADDRESS} can send letters."
        mailer = mailers.default
        if not isinstance(mailer, EmailBackend):
            mailer.send_messages([letter(address, subject, body)])
            self.stdout.write("NOMIC_MAIL_URL names no mail server: the letter is a file.")
            return
        where = f"The mail server {mailer.host}:{mailer.port}"
        try:
            mailer.send_messages([letter(address, subject, body)])
        except Exception as error:
            hint = next((hint for kind, hint in _HINTS if isinstance(error, kind)), "")
            words = f"{where} does not take it. {type(error).__name__}: {error}"
            raise CommandError(f"{words}\n{hint}".strip()) from None
        self.stdout.write(f"{where} has taken the letter to {address}.")

"""The mail server; of a letter on which it fell silent one can tell whether it perhaps took it."""

from smtplib import SMTP, SMTP_SSL, SMTPServerDisconnected
from ssl import SSLContext, create_default_context
from typing import Any

from django.core.mail.backends import smtp
from django.utils.functional import cached_property


class PerhapsTaken(SMTPServerDisconnected):
    """The server was given the letter, or was about to be, and did not say what became of it."""


class _Plain(SMTP):
    def data(self, msg: Any) -> tuple[int, bytes]:
        try:
            return super().data(msg)
        except SMTPServerDisconnected as error:
            raise PerhapsTaken(*error.args) from error


class _Encrypted(SMTP_SSL, _Plain):
    pass


class EmailBackend(smtp.EmailBackend):
    """Django's, over connections that tell a letter which may have arrived from one that did not.

    smtplib turns every time-out, at whatever command, into the same error. `ca_file` has the
    certificates (PEM) by which alone the server's is believed, instead of the machine's.
    """

    def __init__(self, *args: Any, ca_file: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.ca_file = ca_file

    @cached_property
    def ssl_context(self) -> SSLContext:
        return create_default_context(cafile=self.ca_file or None)

    @property
    def connection_class(self) -> type[SMTP]:
        return _Encrypted if self.use_ssl else _Plain

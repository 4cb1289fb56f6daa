"""The mail server; of a letter on which it fell silent one can tell whether it perhaps took it."""

from smtplib import SMTP, SMTP_SSL, SMTPServerDisconnected
from typing import Any

from django.core.mail.backends import smtp


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

    smtplib turns every time-out, at whatever command, into the same error.
    """

    @property
    def connection_class(self) -> type[SMTP]:
        return _Encrypted if self.use_ssl else _Plain

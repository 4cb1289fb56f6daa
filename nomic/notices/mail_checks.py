"""What `manage.py check --deploy` says of the mail server."""

import ssl
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

_TRY = "`manage.py try-mail ADDRESS` tells whether it takes letters."


@register(Tags.security, deploy=True)
def letters_reach_people(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """A warning where no mail server is named, or one of another machine is spoken to without
    encryption; an error where the certificates by which it is believed cannot be read."""
    wanted = settings.MAILERS["default"].get("OPTIONS", {})
    host = wanted.get("host")
    if host is None:
        warning = "NOMIC_MAIL_URL is not set: letters become files, and reach nobody."
        return [Warning(warning, hint=f"Name the mail server. {_TRY}", id="notices.W001")]
    is_encrypted = wanted.get("use_tls") or wanted.get("use_ssl")
    if not is_encrypted and not _is_of_this_machine(host):
        warning = f"Letters, and links that let people in, go to {host} without encryption."
        hint = f"Name it as smtps://, or as smtp:// for STARTTLS. {_TRY}"
        return [Warning(warning, hint=hint, id="notices.W002")]
    try:
        ssl.create_default_context(cafile=wanted.get("ca_file") or None)
    except OSError as wrong:
        error = f"NOMIC_MAIL_CA names no file of certificates (PEM): {wrong.strerror or wrong}."
        return [Error(error, hint=_TRY, id="notices.E001")]
    return []


def _is_of_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

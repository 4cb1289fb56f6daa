"""The check by `manage.py check --deploy` of the key by which records are signed."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

_SHORTEST = 32  # characters
_HINT = "Set it to what `openssl rand -hex 32` prints, the same on every machine."


@register(Tags.security, deploy=True)
def signing_key_stands_by_itself(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """A warning where the key follows from the site's secret, which is changed for other reasons,
    or from so few characters that who knows its public half could find it by trying."""
    key = settings.SIGNING_KEY
    if not key:
        said = "NOMIC_SIGNING_KEY is not set: a new NOMIC_SECRET_KEY changes the signing key too."
        return [Warning(said, hint=_HINT, id="record.W001")]
    if len(key) < _SHORTEST:
        said = f"NOMIC_SIGNING_KEY has fewer than {_SHORTEST} characters: others can guess it."
        return [Warning(said, hint=_HINT, id="record.W002")]
    return []

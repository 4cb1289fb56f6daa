"""The pages and letters of signing in speak with the words of the site."""

import gettext
import re
from pathlib import Path

import allauth
import pytest
from django.conf import settings
from django.contrib import auth
from django.contrib.auth.models import User
from django.test import Client

from tests.kit import on_one_line

OURS = Path(settings.LOCALE_PATHS[0]) / "en/LC_MESSAGES"
THEIRS = [
    Path(str(package.__file__)).parent / "locale/en/LC_MESSAGES" for package in (allauth, auth)
]
_STRING = re.compile(r'^(?:(msgid|msgstr)(?:_plural|\[\d\])? )?"(.*)"$')
_THEIR_VOICE = re.compile(
    r"\b(?:Sign (?:In|Up|Out)|Please|successfully|email|reauthenticate|Two-Factor|Are you sure)\b"
)


def words(folder: Path) -> list[tuple[str, str]]:
    """The strings of a folder's catalogue in their order, each with what it is."""
    strings: list[list[str]] = []
    for line in (folder / "django.po").read_text().splitlines():
        if match := _STRING.match(line):
            kind, part = match.groups()
            if kind:
                strings.append([kind, ""])
            strings[-1][1] += part.replace(r"\n", "\n").replace(r"\"", '"')
    return [(kind, text) for kind, text in strings if text]


def test_each_says_anew_what_allauth_says_and_the_compiled_file_is_of_this_text() -> None:
    theirs = {text for folder in THEIRS for kind, text in words(folder) if kind == "msgid"}
    ours = words(OURS)
    assert sorted({text for kind, text in ours if kind == "msgid"} - theirs) == []
    with (OURS / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    said = [text for kind, text in ours if kind == "msgstr" and "Content-Type" not in text]
    assert sorted(said) == sorted(text for key, text in compiled.items() if key)


@pytest.mark.django_db
def test_no_page_of_signing_in_speaks_otherwise(outsider: User, subtests: pytest.Subtests) -> None:
    client = Client()
    pages = ["login", "signup", "password/reset", "confirm-email", "inactive", "reauthenticate"]
    pages += ["confirm-email/NOT-A-KEY", "password/reset/key/1-2-3", "password/reset/key/done"]
    signed_in = ["logout", "email", "password/change", "password/set", "2fa", "2fa/totp/activate"]
    signed_in += ["2fa/webauthn", "2fa/webauthn/add", "2fa/recovery-codes/generate"]
    for path in [*pages, *signed_in]:
        if path == signed_in[0]:
            client.force_login(outsider)
        with subtests.test(path):
            page = on_one_line(client.get(f"/accounts/{path}/", follow=True).content.decode())
            page = re.sub(r"<script.*?</script>|<[^>]*>", " ", page[page.index("<main") :])
            assert _THEIR_VOICE.findall(page) == []

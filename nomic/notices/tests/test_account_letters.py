"""Letters about accounts: whatever the mail server does, nobody's page fails, and none is lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import certifi
import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import Client

from nomic.games.clock import wall_now
from nomic.notices import mail_checks, sending
from nomic.notices.models import AccountLetter
from nomic.notices.outbox import write_account_letter
from nomic.notices.tests.mail_server import MailServer, mail_server
from nomic.notices.tests.test_sending import DOWN, HANGS
from nomic.settings import mailer
from tests.kit import around

pytestmark = pytest.mark.django_db
PASSWORD = "a longer walk to Nacho"


@pytest.fixture
@around
def post_office(settings: Any) -> Iterator[MailServer]:
    with mail_server() as here:
        settings.MAILERS = here.settings
        yield here


def send() -> None:
    sending.send(wall_now() + timedelta(seconds=15))


def later(**after: int) -> None:
    """So much time goes by, as far as these letters are concerned."""
    passed = timedelta(**after)
    AccountLetter.objects.update(at=F("at") - passed, due_at=F("due_at") - passed)


def sign_up(name: str = "Jason") -> Any:
    form = {"username": name, "email": f"{name}@nomic.example".lower()}
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    return Client().post("/accounts/signup/", {**form, **passwords}, follow=True)


@pytest.mark.parametrize("backend", [DOWN, HANGS])
def test_who_signs_up_or_resets_sees_no_fault_of_the_mail_server(
    backend: str, settings: LazySettings
) -> None:
    settings.MAILERS = {"default": {"BACKEND": backend}}
    page = sign_up()
    assert page.status_code == 200
    assert "A letter to jason@nomic.example is on its way" in page.text
    assert User.objects.filter(username="Jason").exists()
    reset = {"email": "jason@nomic.example"}
    page = Client().post("/accounts/password/reset/", reset, follow=True)
    assert page.status_code == 200
    assert "A letter is on its way" in page.text
    assert 'href="/accounts/password/reset/"' in page.text
    send()


def test_a_letter_waits_for_a_mail_server_that_is_down_and_is_gone_once_it_was_sent(
    settings: LazySettings,
) -> None:
    works = settings.MAILERS
    settings.MAILERS = {"default": {"BACKEND": DOWN}}
    sign_up()
    for _ in range(10):
        send()
        later(hours=1)
    settings.MAILERS = works
    send()
    send()
    [letter] = mail.outbox
    assert letter.to == ["jason@nomic.example"]
    assert "/accounts/confirm-email/" in letter.body
    assert not AccountLetter.objects.exists()


def test_where_nothing_answers_all_wait_after_one_try(settings: LazySettings) -> None:
    for name in ("Jason", "Wes"):
        write_account_letter(f"{name}@nomic.example", "Hello", "Hello.")
    with mail_server() as here:
        settings.MAILERS = here.settings
    send()
    assert [letter.attempts for letter in AccountLetter.objects.all()] == [1, 1]
    assert all(letter.due_at > wall_now() for letter in AccountLetter.objects.all())


def test_one_refused_address_keeps_no_other(post_office: MailServer) -> None:
    write_account_letter("nobody@nomic.example", "Hello", "Hello.")
    post_office.answers = {"RCPT": "550 no"}
    send()
    assert not AccountLetter.objects.exists()
    post_office.answers = {"RCPT": "450 not now"}
    write_account_letter("jason@nomic.example", "Hello", "Hello.")
    send()
    assert AccountLetter.objects.get().attempts == 1
    post_office.answers = {}
    write_account_letter("wes@nomic.example", "Hello", "Hello.")
    later(hours=1)
    send()
    assert sorted("jason@" in letter for letter in post_office.got) == [False, True]


def test_a_letter_is_given_up_after_three_days(settings: LazySettings) -> None:
    settings.MAILERS = {"default": {"BACKEND": DOWN}}
    sign_up()
    send()
    later(days=4)
    send()
    assert not AccountLetter.objects.exists()


def test_try_mail_says_what_the_mail_server_answered(post_office: MailServer) -> None:
    out = StringIO()
    call_command("try-mail", "jason@nomic.example", stdout=out)
    assert "has taken the letter to jason@nomic.example" in out.getvalue()
    [letter] = post_office.got
    assert "can send letters" in letter
    post_office.answers = {"RCPT": "550 who is that"}
    with pytest.raises(CommandError, match=r"(?s)550.*who is that.*It refuses this address"):
        call_command("try-mail", "jason@nomic.example")


def test_try_mail_tells_what_stands_against_encryption(
    post_office: MailServer, settings: LazySettings
) -> None:
    settings.MAILERS["default"]["OPTIONS"]["use_tls"] = True
    with pytest.raises(CommandError, match=r"(?s)STARTTLS.*smtp\+plain://"):
        call_command("try-mail", "jason@nomic.example")


def test_a_mail_server_is_named_with_or_without_encryption() -> None:
    options = {
        url: mailer(url)["OPTIONS"]
        for url in ("smtp://a:b@mail:1", "smtps://mail", "smtp+plain://mail")
    }
    assert [
        (o["host"], o["port"], o["username"], o["use_tls"], o["use_ssl"]) for o in options.values()
    ] == [
        ("mail", 1, "a", True, False),
        ("mail", 465, "", False, True),
        ("mail", 25, "", False, False),
    ]
    secret = "smtp://a:oats/hay@mail"
    for wrong in ("mail.example", "http://mail.example", "smtp://", secret):
        with pytest.raises(ImproperlyConfigured, match="is none of smtp://") as told:
            mailer(wrong)
        assert (told.value.__context__, "oats" in str(told.value)) == (None, False)


@pytest.mark.parametrize(
    ("url", "ca_file", "complaints"),
    [
        ("", "", ["notices.W001"]),
        ("smtp://mail.nomic.example", "", []),
        ("smtps://mail.nomic.example", certifi.where(), []),
        ("smtps://mail.nomic.example", "/nowhere.pem", ["notices.E001"]),
        ("smtps://mail.nomic.example", __file__, ["notices.E001"]),
        ("smtp+plain://127.0.0.1", "", []),
        ("smtp+plain://localhost:1025", "", []),
        ("smtp+plain://mail.nomic.example", "", ["notices.W002"]),
    ],
)
def test_the_check_before_a_deployment_looks_at_the_mail_server(
    url: str,
    ca_file: str,
    complaints: list[str],
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NOMIC_MAIL_CA", ca_file)
    settings.MAILERS = {"default": mailer(url)}
    assert [message.id for message in mail_checks.letters_reach_people(None)] == complaints

"""A start says in a sentence what it lacks, and starts nothing then."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from nomic import settings as site_settings
from nomic.embedded.commands import CHECKED
from nomic.games.clock import wall_now
from nomic.infrastructure.paths import ROOT
from nomic.operations import starting
from nomic.operations.starting import NEEDS
from nomic.record.models import SiteKey
from tests.kit import around

whole = partial(site_settings.whole_number, "NOMIC_WEB_THREADS", 8)
NOWHERE = "redis://127.0.0.1:1/0"


@pytest.fixture(autouse=True)
@around
def site(settings: Any, tmp_path: Path) -> Path:
    settings.HEADS_FILE = tmp_path / "heads.json"
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").touch()
    return tmp_path


def lacking(part: str) -> str:
    """The sentence by which that part does not start; "" where it does."""
    try:
        call_command("can-start", part, stderr=StringIO())
    except CommandError as error:
        return str(error)
    return ""


def told(part: str) -> str:
    err = StringIO()
    call_command("can-start", part, stderr=err)
    return err.getvalue().strip()


def test_all_that_goes_on_is_looked_after() -> None:
    assert set(NEEDS) == set(CHECKED)


def test_a_site_that_has_all_starts_without_a_word(db: None) -> None:
    assert {part: told(part) for part in NEEDS} == dict.fromkeys(NEEDS, "")


@pytest.mark.parametrize(
    "key", ["short", "$(openssl rand -hex 32) and more", "a b " * 10, "`x`" * 20]
)
def test_a_malformed_key(db: None, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    for name in ("NOMIC_SECRET_KEY", "NOMIC_SIGNING_KEY"):
        with monkeypatch.context() as patch:
            patch.setenv(name, key)
            assert lacking("worker").startswith(f"{name} is malformed: ")
            assert key not in lacking("worker")


def test_a_folder_that_cannot_be_written_to(db: None, settings: Any, site: Path) -> None:
    settings.HEADS_FILE = site / "staticfiles.json" / "heads.json"
    assert "(NOMIC_VAR) cannot be written to" in lacking("web")


def test_tables_that_are_missing_or_of_a_later_version(db: None) -> None:
    recorded = MigrationRecorder(connection)
    recorded.record_applied("games", "0099_of_tomorrow")
    assert "of a later version of this program, which knows games.0099_of_tomorrow" in lacking(
        "web"
    )
    recorded.record_unapplied("games", "0099_of_tomorrow")
    recorded.record_unapplied("quotas", "0001_first_version")
    assert "(missing migrations: 1): run `python -m nomic.embedded migrate`" in lacking("worker")


def test_style_sheets_that_are_not_gathered_keep_web_alone_from_starting(
    db: None, site: Path
) -> None:
    (site / "staticfiles.json").unlink()
    assert "are not gathered: run `python -m nomic.embedded static`" in lacking("web")
    assert not lacking("worker")


def test_a_key_by_which_the_site_never_signed_is_told_of(db: None, settings: Any) -> None:
    SiteKey.objects.create(public="0" * 64, begun_at=wall_now())
    settings.SIGNING_KEY = "that of another site, by mistake"
    assert "with which it has never signed" in told("web")


def test_a_database_that_is_too_old(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "OLDEST_POSTGRESQL", 1800)
    assert "and the site needs 1800 or later" in lacking("web")


def test_a_bound_that_is_none(db: None, settings: Any) -> None:
    settings.BOUNDS = {"page_secnods": 3.0}
    assert lacking("web") == "NOMIC_BOUND_PAGE_SECNODS is no bound of the site."


# What is read before anything else


@pytest.mark.parametrize(
    ("name", "text", "read", "sentence"),
    [
        ("NOMIC_WEB_THREADS", "eight", whole, "NOMIC_WEB_THREADS is “eight”: it has to be a whole"),
        ("NOMIC_ORIGIN", "nomic.example", site_settings.origin, "NOMIC_ORIGIN is “nomic.example”"),
        ("NOMIC_ORIGIN", "https://n.example/x", site_settings.origin, "nothing behind it"),
        ("NOMIC_BOUND_SIGNS", "many", site_settings.bounds, "is no number: NOMIC_BOUND_SIGNS"),
        ("NOMIC_WEBHOOK_NETWORKS", "ten", site_settings.networks, "NOMIC_WEBHOOK_NETWORKS: 'ten'"),
        ("NOMIC_LOGS", "xml", site_settings.log_format, "NOMIC_LOGS is “xml”: it has to be line"),
    ],
)
def test_a_setting_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, read: Callable[[], Any], sentence: str
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(ImproperlyConfigured, match=sentence):
        read()


@pytest.mark.parametrize(
    ("read", "address"),
    [
        (site_settings.database, "postgresql://nomic:sec%ret@host/nomic"),
        (site_settings.broker, "localhost"),
        (site_settings.mailer, "mail:secret"),
    ],
)
def test_an_address_that_cannot_be_read_is_told_without_its_password(
    read: Callable[[str], Any], address: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as wrong:
        read(address)
    assert "://" in str(wrong.value)
    assert not {"secret", "sec%ret"} & set(str(wrong.value).split())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("part", "env", "sentence"),
    [
        ("web", {}, "The database of DATABASE_URL (127.0.0.1, database “nomic”) cannot be reached"),
        ("beat", {}, "The broker of REDIS_URL (127.0.0.1:1) cannot be reached"),
        ("migrate", {}, "The database of DATABASE_URL (127.0.0.1, database “nomic”) cannot be"),
        ("worker", {"NOMIC_MAIL_URL": "mail:secret"}, "NOMIC_MAIL_URL is none of"),
    ],
)
def test_a_process_that_cannot_start_says_so_in_one_sentence(
    part: str, env: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    away = {"DATABASE_URL": "postgresql://nomic:secret@127.0.0.1:1/nomic", "REDIS_URL": NOWHERE}
    around = {"NOMIC_VAR": str(tmp_path), **away, **env}
    command = [sys.executable, "-m", "nomic.embedded", part]
    started = subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True)
    [line] = started.stderr.splitlines()
    assert (started.returncode, started.stdout) == (1, "")
    assert sentence in line
    assert "secret" not in line

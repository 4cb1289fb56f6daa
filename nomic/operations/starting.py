"""Whether a process of the site finds what it needs, before it starts."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django_redis import get_redis_connection

from nomic.engine.restored import games_not_here
from nomic.games.bounds import site_bounds
from nomic.record.keys import signer
from nomic.record.models import SiteKey

_SHORTEST = 32  # characters
_MIGRATE, _STATIC = "`python -m nomic.embedded migrate`", "`python -m nomic.embedded static`"
OLDEST_POSTGRESQL = 18


class CannotStart(Exception):
    """A process lacks what it cannot do without; the sentence says what, and what helps."""


def look(part: str) -> list[str]:
    """What is not as it should be, a sentence each, where that part of the site can start all the
    same. Raises CannotStart."""
    warnings = []
    for need in NEEDS[part]:
        if sentence := need():
            warnings.append(sentence)
    return warnings


def _settings() -> str:
    names = {bound.name for bound in site_bounds()}
    if unknown_names := sorted(settings.BOUNDS.keys() - names):
        raise CannotStart(f"NOMIC_BOUND_{unknown_names[0].upper()} is no bound of the site.")
    return ""


def _folder() -> str:
    folder: Path = settings.HEADS_FILE.parent
    trial = folder / f"trial.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        trial.touch()
        trial.unlink()
    except OSError as error:
        raise CannotStart(
            f"The folder {folder} (NOMIC_VAR) cannot be written to ({error.strerror}): the newest"
            " heads of all records are kept there."
        ) from None
    return ""


def _keys() -> str:
    for name in ("NOMIC_SECRET_KEY", "NOMIC_SIGNING_KEY"):
        key = os.environ.get(name, "")
        is_a_command = "$(" in key or "`" in key
        if key and (len(key) < _SHORTEST or is_a_command or key != "".join(key.split())):
            raise CannotStart(
                f"{name} is malformed: it has to have {_SHORTEST} characters or more and no blanks,"
                " as `openssl rand -hex 32` prints them."
            )
    return ""


def _database() -> str:
    options = settings.DATABASES["default"]
    place = f"{options['HOST'] or 'this machine'}, database “{options['NAME']}”"
    try:
        connection.ensure_connection()
        version = connection.pg_version // 10_000  # type: ignore[attr-defined]
    except Error as error:
        reason = (str(error).strip() or "no answer").splitlines()[0].removesuffix(".")
        raise CannotStart(
            f"The database of DATABASE_URL ({place}) cannot be reached: {reason}."
        ) from None
    if version < OLDEST_POSTGRESQL:
        raise CannotStart(
            f"The database ({place}) is PostgreSQL {version}, and the site needs"
            f" {OLDEST_POSTGRESQL} or later."
        )
    return ""


def _tables() -> str:
    loader = MigrationLoader(connection)
    executor = MigrationExecutor(connection)
    apps = {app for app, _ in loader.disk_migrations}
    later_migrations = sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in apps
        and (app, name) not in loader.disk_migrations
        and (app, name) not in executor.loader.replacements
    )
    if later_migrations:
        raise CannotStart(
            "The database is one of a later version of this program, which knows"
            f" {later_migrations[0]}: start that version, or restore the backup that was made"
            " before it."
        )
    if missing := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CannotStart(
            f"The database's tables are not up to date (missing migrations: {len(missing)}):"
            f" run {_MIGRATE}."
        )
    return ""


def _signing_key() -> str:
    public_keys = set(SiteKey.objects.values_list("public", flat=True))
    if public_keys and signer().public not in public_keys:
        return (
            "The site signs by a key with which it has never signed: if this is not meant, give"
            " NOMIC_SIGNING_KEY the value that it had; if it is, `manage.py signing-key` shows it."
        )
    return ""


def _games() -> str:
    if lacking := len(games_not_here()):
        return (
            f"The database has nothing of games whose records this site has signed ({lacking}):"
            " where it is the backup of another site, `manage.py restored` holds all games."
        )
    return ""


def _broker_sentence() -> str:
    parts = urlsplit(settings.REDIS_URL)
    place = parts.path if parts.scheme == "unix" else f"{parts.hostname}:{parts.port or 6379}"
    try:
        get_redis_connection().ping()
    except redis.RedisError as error:
        return (
            f"The broker of REDIS_URL ({place}) cannot be reached: {str(error).removesuffix('.')}."
        )
    return ""


def _broker() -> str:
    if sentence := _broker_sentence():
        raise CannotStart(sentence)
    return ""


def _styles() -> str:
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        raise CannotStart(f"Style sheets and scripts are not gathered: run {_STATIC}.")
    return ""


_ALL_BUT_BEAT = (_settings, _folder, _keys, _database, _tables, _signing_key, _games)
NEEDS: Mapping[str, tuple[Callable[[], str], ...]] = {
    # Without its broker web answers, and games go on by acts.
    "web": (*_ALL_BUT_BEAT, _styles, _broker_sentence),
    "stream": (*_ALL_BUT_BEAT, _broker_sentence),  # it asks the database twice a second meanwhile
    "worker": (*_ALL_BUT_BEAT, _broker),
    "beat": (_broker,),
    "migrate": (_settings, _keys, _database),
}

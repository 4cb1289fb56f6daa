"""manage.py migrate: Django's, which leaves the database of a version before 1.0 as it is."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from nomic.games.first_version import FIRST_VERSION
from nomic.infrastructure.paths import home

BEFORE_IT = (
    "This database is of a version before 1.0, whose games this one does not play on: nothing in"
    " it was changed, and DATABASE_URL has to name an empty one, or, where the bundled servers"
    " are used, {folder} has to be moved away."
)


class Command(Migrate):
    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(connections[options["database"]])
        ours = {app for app, name in loader.disk_migrations if name == FIRST_VERSION}
        begun = {app for app, name in loader.applied_migrations if name == FIRST_VERSION}
        if any(app in ours - begun for app, _ in loader.applied_migrations):
            raise CommandError(BEFORE_IT.format(folder=home().folder))
        super().handle(*args, **options)

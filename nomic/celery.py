"""The Celery app that the worker and beat run: `celery -A nomic.celery worker`."""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup, setup_logging, task_prerun
from django.conf import settings

from nomic.infrastructure.logs import REQUEST_ID

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # the web process makes them, pages and all

app = Celery("nomic")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def log_as_the_web_does(**_: Any) -> None:
    """Being connected keeps Celery from setting up its own many-coloured logs."""
    logging.config.dictConfig(settings.LOGGING)


@task_prerun.connect
def name_the_task(task_id: str = "", **_: Any) -> None:
    """By its name the lines of one task are found in the logs."""
    REQUEST_ID.set(task_id)


@celeryd_after_setup.connect
def load_beforehand(**_: Any) -> None:
    """Once, before the worker's processes are made of this one."""
    from nomic.engine.restored import look_at_the_start  # which beat does without
    from nomic.engine.warm_up import warm_up

    warm_up()
    look_at_the_start()

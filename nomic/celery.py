"""What the worker and beat run: `celery -A nomic.celery worker`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")

app = Celery("nomic")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

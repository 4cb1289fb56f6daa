"""The site's own settings, with the bench's addresses and django-hordak beside it."""

from nomic.settings import *  # noqa: F403
from nomic.settings import CACHES, INSTALLED_APPS, MIDDLEWARE

ROOT_URLCONF = "bench.floor"
INSTALLED_APPS = [*INSTALLED_APPS, "mptt", "hordak", "bench.timed.EventsTimed"]
MIDDLEWARE = ["bench.timed.requests_timed", *MIDDLEWARE]
CACHES["default"]["KEY_PREFIX"] = "bench"

HORDAK_CURRENCIES = ["EUR"]
DEFAULT_CURRENCY = "EUR"

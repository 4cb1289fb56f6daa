"""The site's own settings as tests have them: what they write need not last, nothing is in a hurry.

A server that a test starts has the site's own.
"""

import os

from nomic.infrastructure.paths import home
from nomic.settings import *  # noqa: F403
from nomic.settings import BOUNDS, CACHES, DATABASES, STORAGES

# A test's data need not survive a power cut, and its passwords need not withstand a thief. What
# tests begin with stands in a transaction, however long a worker waits for its next test.
DATABASES["default"]["ENGINE"] = "tests.postgres"
DATABASES["default"]["OPTIONS"]["options"] += (
    " -c synchronous_commit=off -c idle_in_transaction_session_timeout=0"
)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
BOUNDS["counted_seconds"] = 0  # no worker counts beside the tests
BOUNDS["page_seconds"] = 20  # for what a page has time says more about the machine
BOUNDS["dry_run_seconds"] = 20
ADDRESS = "http://localhost:8000"  # whatever port a site beside the tests has
PAGES_KEPT = 0  # tests change what no entry tells
STATIC_ROOT = home().folder / "no static files"
_suffix, _worker = (
    os.environ.get(name, "") for name in ("NOMIC_TEST_SUFFIX", "PYTEST_XDIST_WORKER")
)
CACHES["default"]["KEY_PREFIX"] = f"test-{_suffix}-{_worker}"
# A cache that a busy machine lets wait has an answer all the same.
CACHES["default"]["OPTIONS"] |= {"SOCKET_CONNECT_TIMEOUT": 30, "SOCKET_TIMEOUT": 30}

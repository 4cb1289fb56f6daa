"""Who looks at the proposals: browsers with and without a screen."""

from nomic.web.tests.browser import chromium, sit
from nomic.web.tests.conftest import htmx, visit

__all__ = ["chromium", "htmx", "sit", "visit"]

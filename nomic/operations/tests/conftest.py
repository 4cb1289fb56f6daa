"""Here, the tiny game is played; who looks at the demonstration has a browser."""

from nomic.engine.tests.conftest import acts_with_a_private_side, buried, late, preset, works
from nomic.web.tests.browser import chromium, sit
from nomic.web.tests.conftest import htmx, visit

__all__ = [
    "acts_with_a_private_side",
    "buried",
    "chromium",
    "htmx",
    "late",
    "preset",
    "sit",
    "visit",
    "works",
]

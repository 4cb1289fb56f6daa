"""How many of the cases of a matrix are tried at once."""

from __future__ import annotations

from typing import Any

import pytest


def share_of(most: int) -> list[Any]:
    """Parameters of a test: one of so many cases each time, all of them where slow tests run."""
    brief = pytest.param(most, id=f"one of {most}", marks=pytest.mark.brief)
    return [brief, pytest.param(1, id="all", marks=pytest.mark.slow)]

"""What a visitor reads on the contest's page."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.test import Client

PAGE = "/g/table/aceofspades/"
PRIVATE = f"{PAGE}private/"
A_PAGE = 34  # queries
Budget = Callable[..., AbstractContextManager[Any]]


def body(client: Client, path: str = PAGE, status: int = 200) -> str:
    """The page's text; it must be answered so."""
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def words_of(text: str) -> str:
    """What is read of a page: its words, without the marks between them."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())

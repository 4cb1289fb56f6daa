"""What every part of the API shares: the gate, the limit, and the answers that any may give."""

from __future__ import annotations

from typing import Any

from ninja import Router

from nomic.web.api import shapes
from nomic.web.api.callers import PerToken, anybody

GAME = "/games/{slug}"
_ANY_READ = {401: shapes.Told, 403: shapes.Told, 404: shapes.Told, 429: shapes.Told}


def room(*tags: str) -> Router:
    """A router for everybody to read; a token that is shown must be a good one, and is counted."""
    return Router(auth=anybody, throttle=PerToken(), tags=list(tags))


def reading(shape: Any, *, malformed: bool = False) -> dict[int, Any]:
    """The answers of an address that is read."""
    return {200: shape, **_ANY_READ, **({422: shapes.Malformed} if malformed else {})}

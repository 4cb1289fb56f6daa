"""A standby of the database, from which people who are not signed in may read.

It may be some moments behind, so it is never asked for somebody who acts, nor for anything within a
transaction; and where it lags behind what is known of a game, or is gone, the primary is asked.
"""

import logging
import re
from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic
from typing import Any

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from nomic.infrastructure.early_answer import EarlyAnswer

log = logging.getLogger(__name__)

REPLICA = "replica"
_LEFT_ALONE = 10.0  # seconds in which one that did not answer is asked no more
_READABLE = re.compile(r"/(?:g/.+|api/v1/games.*)?", re.DOTALL)
_IS_ASKED: ContextVar[bool] = ContextVar("the_standby_is_asked", default=False)

type View = Callable[..., HttpResponseBase]


class Lagging(Exception):
    """The standby may not have yet what is asked for."""


class Router:
    """Sends to the standby what is read for a request that may be answered from there."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        in_transaction = connections[DEFAULT_DB_ALIAS].in_atomic_block
        return REPLICA if _IS_ASKED.get() and not in_transaction else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS


class ReadFromStandby:
    """Middleware, the last: answers from the standby where that may be, and from the primary where
    the standby cannot."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self._asked_again_at = 0.0

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: View, args: Any, named: Any
    ) -> HttpResponseBase | None:
        may_lag = (
            request.method in ("GET", "HEAD")
            and "Authorization" not in request.headers
            and _READABLE.fullmatch(request.path_info) is not None
            and not request.user.is_authenticated
        )
        if not may_lag or monotonic() < self._asked_again_at:
            return None
        token = _IS_ASKED.set(True)
        try:
            return view(request, *args, **named)
        except EarlyAnswer as known:  # no other middleware hears of it
            return known.answer
        except Lagging:
            return None
        except (InterfaceError, OperationalError):
            standby = connections[REPLICA]
            if standby.connection is None or standby.errors_occurred:
                self._asked_again_at = monotonic() + _LEFT_ALONE
                log.warning("The standby does not answer; the primary is asked")
            return None
        finally:
            _IS_ASKED.reset(token)


def is_asked() -> bool:
    """Whether what is read now may come from the standby."""
    return _IS_ASKED.get()

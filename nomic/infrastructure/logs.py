"""The logs: what is left out of them, or cut to one line, and how a line is written as JSON."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime

from django.db import InterfaceError, OperationalError

# By which the lines of one request or task are found, also in the proxy's log.
REQUEST_ID = ContextVar("the request or task that is worked on", default="")


class Json(logging.Formatter):
    """One object a line. Nothing else that a record carries is written: a request has its visitor's
    cookies, and its address may be a link that lets people in."""

    def format(self, record: logging.LogRecord) -> str:
        """Its `at` (UTC), `level`, `logger` and `message`; where there are such, `request_id`,
        `status` and `traceback`."""
        traceback_text = record.exc_text or ""
        if record.exc_info and not traceback_text:
            traceback_text = self.formatException(record.exc_info)
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": REQUEST_ID.get(),
            "status": getattr(record, "status_code", None),
            "traceback": traceback_text,
        }
        return json.dumps(
            {name: value for name, value in line.items() if value}, ensure_ascii=False
        )


class Worthwhile(logging.Filter):
    """Leaves out what is told elsewhere. Machines that ask how we are get their answer in the
    answer. A request that is turned away since others wait is one more in the metrics; a line for
    each would take longer than to answer. Who sent something that is refused or misshapen is told
    so; a line for it would tell of an act that may be private."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        is_probe = getattr(request, "path", "") in {"/healthz", "/readyz"}
        is_refusal = getattr(record, "status_code", None) in {409, 422}
        return not (is_probe or is_refusal or getattr(request, "is_counted", False))


class OnceAMinute(logging.Filter):
    """Of what beat says of a broker that is away, each second for each task, one line a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._silent_until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.ERROR:
            return True
        if record.created < self._silent_until:
            return False
        self._silent_until = record.created + _MINUTE
        cause = record.args[0] if isinstance(record.args, tuple) and record.args else record.msg
        record.msg = "The broker does not answer, and nobody is told that it is time: %s"
        record.args = (str(cause).partition("\n")[0],)
        record.exc_info = record.exc_text = None
        return True


class Tracebacks(logging.Filter):
    """A request for what a visitor may not have, or cannot be given, is no fault of this site: no
    traceback. A dead database is one line a request. From other tracebacks the details of a
    database error are left out: they may be a row with what is private."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
        elif isinstance(error, (OperationalError, InterfaceError)):
            first = str(error).strip().splitlines() or [type(error).__name__]
            message = record.getMessage().split(" raised unexpected")[0]
            record.msg, record.args = f"{message}: {first[0]}", ()
            record.exc_info = record.exc_text = None
        elif record.exc_info:
            traceback_text = logging.Formatter().formatException(record.exc_info)
            record.exc_text = without_details(traceback_text)
        return True


def without_details(text: str) -> str:
    """That traceback or sentence without the details of a database error."""
    return _DETAILS.sub("", text)


_MINUTE = 60  # seconds
# Up to where the traceback of another error follows, or to the end of it all.
_DETAILS = re.compile(
    r"\n(?:DETAIL|CONTEXT|LINE \d+|QUERY):.*?(?=\n\n(?:The above|During handling)|\Z)", re.DOTALL
)

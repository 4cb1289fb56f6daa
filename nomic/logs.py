"""Filters of the logs: what is left out of them, or cut to one line."""

import logging
import re

from django.db import InterfaceError, OperationalError


class NothingOfProbes(logging.Filter):
    """Machines that ask how we are get their answer in the answer, not in the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path", "")
        return path not in {"/healthz", "/readyz"}


class NothingOfWhatIsCounted(logging.Filter):
    """A request that is turned away since others wait is one more in the metrics; a line for each
    would take longer than to answer."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not getattr(getattr(record, "request", None), "is_counted", False)


class NothingOfRefusals(logging.Filter):
    """Who sent something that is refused or misshapen is told so; a line for it would tell of an
    act that may be private."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) not in {409, 422}


class OneLineForARefusal(logging.Filter):
    """A request for what a visitor may not have, or cannot be given, is no fault of this site: no
    traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
        return True


class OneLineForAnOutage(logging.Filter):
    """A dead database is one line a request in the log, not a traceback each."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, (OperationalError, InterfaceError)):
            first = str(error).strip().splitlines() or [type(error).__name__]
            what = record.getMessage().split(" raised unexpected")[0]
            record.msg, record.args = f"{what}: {first[0]}", ()
            record.exc_info = record.exc_text = None
        return True


class NoRows(logging.Filter):
    """The details of a database error are left out of its traceback: they may be a row with what is
    private."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info:
            told = logging.Formatter().formatException(record.exc_info)
            record.exc_text = _DETAILS.sub("", told)
        return True


# Up to where the traceback of another error follows, or to the end of it all.
_DETAILS = re.compile(
    r"\n(?:DETAIL|CONTEXT|LINE \d+|QUERY):.*?(?=\n\n(?:The above|During handling)|\Z)", re.DOTALL
)

"""Logs as JSON, and faults as a Sentry is told them: a request's id, and nothing private."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

import pytest
import sentry_sdk
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from sentry_sdk.transport import Transport

from nomic.infrastructure import sentry
from nomic.infrastructure.contexts import within
from nomic.infrastructure.logs import REQUEST_ID, Json, Tracebacks
from nomic.operations.monitoring.requests import Requests

PRIVATE = " ".join(("Murphy's", "bribe"))  # lines of the source may be told


def fault() -> BaseException:
    try:
        raise IntegrityError(f"duplicate key\nDETAIL:  Failing row contains ({PRIVATE}).")
    except IntegrityError as error:
        return error


def written(**extra: Any) -> dict[str, Any]:
    error = fault()
    record = logging.LogRecord(
        "django.request",
        logging.ERROR,
        "x.py",
        1,
        "Broken: %s",
        ("/g/",),
        (type(error), error, error.__traceback__),
    )
    record.__dict__ |= extra
    Tracebacks().filter(record)
    line = Json().format(record)
    assert "\n" not in line
    return dict(json.loads(line))


def test_a_line_is_one_object_with_the_id_of_its_request(rf: RequestFactory) -> None:
    with within(REQUEST_ID, "abcdef0123456789"):
        line = written(status_code=500, request=rf.get(f"/?word={PRIVATE}"))
    assert line.keys() == {
        *("at", "level", "logger", "message", "request_id", "status", "traceback"),
    }
    assert (line["level"], line["message"], line["status"]) == ("error", "Broken: /g/", 500)
    assert line["request_id"] == "abcdef0123456789"
    assert "IntegrityError: duplicate key" in line["traceback"]
    assert PRIVATE not in str(line)
    assert "request_id" not in written()


@pytest.mark.parametrize(
    ("proxies", "brought", "is_kept"),
    [
        (1, "from-the-proxy", True),
        (0, "from-the-proxy", False),
        (1, "a\nb and more", False),
        (1, "", False),
    ],
)
def test_a_request_has_an_id_that_the_proxy_may_have_given(
    rf: RequestFactory, settings: Any, proxies: int, brought: str, is_kept: bool
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    seen: list[str] = []

    def answer(request: HttpRequest) -> HttpResponse:
        seen.append(REQUEST_ID.get())
        return HttpResponse()

    response = Requests(answer)(rf.get("/", headers={"X-Request-ID": brought}))
    assert [response.headers["X-Request-ID"]] == seen
    assert (seen == [brought]) is is_kept
    assert len(seen[0]) >= 8
    assert REQUEST_ID.get() == ""


class Kept(Transport):
    """What would be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Any] = []

    def capture_envelope(self, envelope: Any) -> None:
        self.told += [item.payload.json for item in envelope.items]


def test_a_sentry_learns_of_the_fault_and_of_nobody(rf: RequestFactory) -> None:
    kept = Kept()
    sentry.begin("https://key@sentry.example/1", "1.0", "Nomic", transport=kept)
    try:
        sentry_sdk.set_user({"id": PRIVATE})
        sentry_sdk.set_extra("inputs", PRIVATE)
        sentry_sdk.add_breadcrumb(message=PRIVATE)
        with within(REQUEST_ID, "abcdef0123456789"):
            sentry_sdk.capture_exception(fault())
            logging.getLogger("nomic").error("A fault in %s", PRIVATE)
    finally:
        sentry_sdk.init()
    event, line = kept.told
    assert event["exception"]["values"][0]["value"] == "duplicate key"
    assert event["tags"]["request_id"] == "abcdef0123456789"
    assert line["logentry"] == {"message": "A fault in %s"}
    assert PRIVATE not in json.dumps(kept.told)


def test_of_a_request_only_its_method_is_told() -> None:
    event = {"request": {"url": "/i/a-key", "method": "GET", "headers": {}}, "user": {"id": 1}}
    assert sentry.fault_alone(event, {})["request"] == {"method": "GET"}
    assert "user" not in event


def test_a_sentry_without_its_package_is_told_of_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="sentry-sdk is not installed"):
        sentry.begin("https://key@sentry.example/1", "1.0", "Nomic")

"""Faults of the program told to a Sentry; nothing of who did what goes there."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from nomic.infrastructure.logs import REQUEST_ID, without_details

MISSING = "NOMIC_SENTRY_DSN is set and sentry-sdk is not installed: `pip install sentry-sdk`."
_TOLD_OF_A_REQUEST = ("method",)


def begin(dsn: str, release: str, site: str, **options: Any) -> None:
    """Tell that Sentry of faults from now on. Raises ImproperlyConfigured where its package is not
    there, or nobody can be told at that address."""
    try:
        import sentry_sdk
        from sentry_sdk.utils import BadDsn
    except ImportError:
        raise ImproperlyConfigured(MISSING) from None
    try:
        sentry_sdk.init(
            dsn,
            release=release,
            environment=site,
            before_send=fault_alone,
            send_default_pii=False,
            include_local_variables=False,  # which are votes, bids and passwords
            max_request_body_size="never",
            max_breadcrumbs=0,  # of what went before, such as statements
            server_name="",
            traces_sample_rate=None,
            **options,
        )
    except BadDsn as error:
        raise ImproperlyConfigured(f"NOMIC_SENTRY_DSN: {error}.") from None


def fault_alone(event: Any, hint: Any) -> Any:
    """The event without its address, headers, user and task's inputs, and without what the database
    says of a row; with the request's id, by which the log has the rest."""
    request = event.get("request", {})
    event["request"] = {name: request[name] for name in _TOLD_OF_A_REQUEST if name in request}
    for name in ("user", "extra", "breadcrumbs"):
        event.pop(name, None)
    for error in event.get("exception", {}).get("values", ()):
        error["value"] = without_details(f"\n{error.get('value') or ''}").strip()
    for name in ("params", "formatted"):  # of a line of the log: its message says what kind it is
        event.get("logentry", {}).pop(name, None)
    event.setdefault("tags", {})["request_id"] = REQUEST_ID.get()
    return event

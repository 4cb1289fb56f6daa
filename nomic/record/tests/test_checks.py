"""Whoever puts the site on a public address hears of a signing key that does not last."""

from typing import Any

import pytest
from django.core.checks import run_checks


@pytest.mark.parametrize(
    ("key", "found"),
    [("", ["record.W001"]), ("hunter2", ["record.W002"]), ("0123456789abcdef" * 4, [])],
)
def test_a_signing_key_that_is_missing_or_short_is_warned_of(
    key: str, found: list[str], settings: Any
) -> None:
    settings.SIGNING_KEY = key
    said = run_checks(include_deployment_checks=True)
    assert [each.id for each in said if str(each.id).startswith("record.")] == found
    assert not [each for each in run_checks() if str(each.id).startswith("record.")]

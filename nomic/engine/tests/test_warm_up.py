"""A process has at hand what its first request or event asks for."""

import subprocess
import sys

import pytest

from nomic.infrastructure.paths import ROOT

_LOADS = """
import sys
{begin}
from django.urls import reverse
before = set(sys.modules)
reverse("entry", args=["table", 1])
print(len(set(sys.modules) - before), "nomic.web.urls" in before)
"""
_WORKER = """
import nomic.celery
from celery.signals import celeryd_after_setup
import django
django.setup()
celeryd_after_setup.send(sender="a worker")
"""


@pytest.mark.parametrize(
    "begin",
    [
        pytest.param("import nomic.wsgi", id="web"),
        pytest.param(_WORKER, id="worker", marks=pytest.mark.thorough),
    ],
)
def test_all_addresses_are_loaded_before_the_first_request_or_event(begin: str) -> None:
    command = [sys.executable, "-c", _LOADS.format(begin=begin)]
    told = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    assert told.stdout.split() == ["0", "True"]

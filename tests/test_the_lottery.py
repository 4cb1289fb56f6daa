"""A subgame made by docs/adding-a-subgame.md alone holds on a site that has it."""

import os
import subprocess
import sys

import pytest

from nomic.infrastructure.paths import ROOT

_OF_THIS_RUN = ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST")


@pytest.mark.slow
def test_the_lottery_passes_its_tests_on_a_site_that_has_it() -> None:
    around = {name: value for name, value in os.environ.items() if name not in _OF_THIS_RUN}
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    around["NOMIC_TEST_SUFFIX"] = f"lottery{os.environ.get('NOMIC_TEST_SUFFIX', '')}{worker}"
    settings = ["--ds", "tests.lottery.settings", "-p", "no:cacheprovider", "-q"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *settings, "tests/lottery"],
        cwd=ROOT,
        env=around,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr

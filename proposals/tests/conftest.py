"""What all tests of proposals stand on."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from proposals.web.preview import preview


@pytest.fixture(scope="session", autouse=True)
def _previews_have_time() -> Iterator[None]:
    """However busy the machine is, a preview tries all that it would try on one that is not."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("WHILE_TYPED", "SUBMITTED"):
            patient = replace(getattr(preview, name), seconds=60, longest=60)
            patch.setattr(preview, name, patient)
        yield

"""Proposals as the contest's page tells them in a few lines."""

from __future__ import annotations

import pytest

from aceofspades.tests.stage import propose
from aceofspades.tests.test_pages import Three, body, seen
from nomic.games.models import Game
from nomic.pages.tests.conftest import Visitor, visit  # noqa: F401 - fixtures

DAY = """The Moment of Reckoning comes on this day:

| DAY OF THE RECKONING | WHEN |
| :--- | ---: |
| Set for | 2022-09-01 |

A later one may stand there."""


SMILES = """Everybody
smiles.

```starlark
def mark(hands, worth, alliances):
    return worth
```"""


@pytest.mark.parametrize(
    ("text", "gist"),
    [
        (DAY, "comes on this day: Set for 2022-09-01. A later one may stand there."),
        (SMILES, "Everybody smiles."),
    ],
)
def test_a_table_in_a_proposal_is_told_in_words(
    text: str,
    gist: str,
    contest: Game,
    three: Three,
    visit: Visitor,  # noqa: F811
) -> None:
    propose(contest, three[0], 500, text)
    page = seen(body(visit(three[1])))
    assert gist in page
    assert "|" not in page
    assert "def mark" not in page

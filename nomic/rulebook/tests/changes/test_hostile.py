"""Bodies that are long and mean nothing, or mean as much as a body may."""

import pytest

from nomic.rulebook.changes.kinds import ByHand, ReplacePassage
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece",
    [
        "In the rule “\n",
        "In rule 5, replace this text:\n",
        "Amend rule 5 as follows:\n",
        "replace:\n",
        'a "b ',
        "[",
        "(",
        "/*",
        "“",
        "* a\n",
        "a:\n> b\n",
        "a:\n---\n",
        "with:\n",
        "Amend\nTo\n",
        "Amend rule 5 by replacing “a” with\n\n  b\n\nand ",
        "{a}",
        "Repeal rule 4, rule 5, ",
        "with x:\n",
    ],
)
def test_a_hundred_thousand_characters_are_read_or_left_or_refused(piece: str) -> None:
    try:
        reading = read_changes(piece * (100_000 // len(piece)))
    except Unreadable:
        return
    assert all(isinstance(each, ByHand) for each in reading.changes)


def test_as_many_changes_as_a_body_may_ask_for_are_all_read() -> None:
    change = "In rule {}, replace:\n\n  {}\n\nwith:\n\n  In rule 5,\n  add “b”.\n\n"
    body = "".join(change.format(number, "A spoon.\n  " * 5) for number in range(500))
    changes = read_changes(body).changes
    assert [type(each) for each in changes] == [ReplacePassage] * 500

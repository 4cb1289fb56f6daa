"""Each example of how changes are written, its head wrapped by an editor: the same, or left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomic.rulebook.changes.kinds import ByHand, Change
from nomic.rulebook.changes.reading import read_changes
from proposals.web.examples import EXAMPLES, Example


def read(written: str) -> list[Change]:
    changes = read_changes(written).changes
    return [replace(each, sentence="", start=0, end=0, group="") for each in changes]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.does)
def test_an_example_reads_the_same_wherever_its_head_is_wrapped(example: Example) -> None:
    whole = read(example.written)
    assert not any(isinstance(each, ByHand) for each in whole)
    head = example.written.split("\n")[0]
    for at, sign in enumerate(head):
        if sign == " ":
            wrapped = read(f"{example.written[:at]}\n{example.written[at + 1 :]}")
            assert wrapped == whole or all(isinstance(each, ByHand) for each in wrapped), wrapped

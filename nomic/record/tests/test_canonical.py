"""What is hashed is written byte for byte as rfc8785 writes it."""

from enum import IntEnum, StrEnum
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nomic.record.canonical import canonical_json
from tests.kit import examples


class Word(StrEnum):
    """Texts and numbers that know their names as well."""

    ONE = 'a "word"'


class Number(IntEnum):
    """The same."""

    ONE = 1


MOST_LEAVES = 15  # of an example: what holds of a part holds of the whole


def made_of(each: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(each) | st.tuples(each, each) | st.dictionaries(st.text(), each)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    made_of,
    max_leaves=MOST_LEAVES,
)


def said_of(write: Any, value: Any) -> bytes | type[ValueError]:
    """What it writes, or that it refuses."""
    try:
        return bytes(write(value))
    except ValueError:
        return ValueError


@settings(max_examples=examples(300), deadline=None)
@given(JSON)
@example({"\ue000": 1, "\U0001f600": 2, "é": [], "a": {}, "": ()})
@example(['"\\\x00\x1f\x7f\u2028/', 1e21, 1e-7, -0.0, 2**53 - 1, True, Word.ONE, Number.ONE])
@example([12.5, ":1.5", "NaN", {"b": 1, "a": -3}])
@example(2**53)
@example(1e15)
@example({"\ud800": 1, "é": 2})
@example(["\udfff"])
def test_it_writes_what_rfc_8785_writes_and_refuses_what_it_refuses(value: Any) -> None:
    assert said_of(canonical_json, value) == said_of(rfc8785.dumps, value)


@pytest.mark.parametrize("value", [2**53, -(2**53), float("nan"), float("inf"), ["\udfff"]])
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical_json(value)

"""What is hashed is written as RFC 8785 has it, which any language writes alike."""

from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from nomic.record.canonical import canonical_json

_TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["0.5", ":1e9", "\ue000"]
)
_NUMBERS = st.integers(1 - 2**53, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
_JSON = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(_TEXTS, parts, max_size=4),
    max_leaves=12,
)


@given(_JSON)
def test_the_standard_library_writes_only_what_it_writes_alike(content: Any) -> None:
    assert canonical_json(content) == rfc8785.dumps(content)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"b": [1, {}], "a": None, "": ()}, '{"":[],"a":null,"b":[1,{}]}'),
        # In the order of UTF-16, by which a face comes before a private character.
        ({"\ue000": 1, "\U0001f600": 2, "é": True}, '{"é":true,"\U0001f600":2,"\ue000":1}'),
        ('"\\\x00\x1f\x7f\n\u2028/', '"\\"\\\\\\u0000\\u001f\x7f\\n\u2028/"'),
        ([1e21, 1e-7, 1e15, -0.0, 12.5], "[1e+21,1e-7,1000000000000000,0,12.5]"),
        ([2**53 - 1, 1 - 2**53], "[9007199254740991,-9007199254740991]"),
    ],
)
def test_it_writes_what_rfc_8785_tells(value: Any, written: str) -> None:
    assert canonical_json(value) == written.encode()


@pytest.mark.parametrize("value", [2**53, -(2**53), float("nan"), float("inf"), ["\udfff"]])
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical_json(value)


def test_half_a_character_in_a_name_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        canonical_json({"\ud800": 1})

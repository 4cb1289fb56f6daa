"""A blank in parts: what a browser sends of them, what a program sends, and what nobody sent."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.template import engines

from nomic.engine.forms import Parts
from nomic.infrastructure.caching import fragments

DRAWN = '<span id="{{ id }}" aria-label="{{ label }}" data-name="{{ name }}">{{ most }}</span>'


class Span(Parts):
    """From one number to another."""

    template = "span.html"

    def whole(self, parts: Mapping[str, Any]) -> Any:
        return [parts.get("from"), parts.get("to")] if "from" in parts else None

    def drawn(self, value: Any) -> Mapping[str, Any]:
        return {"most": value}


@pytest.mark.parametrize(
    ("sent", "whole"),
    [
        ({"range_from": "1", "range_to": "2", "ranger": "3", "other_from": "4"}, ["1", "2"]),
        ({"range": [5, 6], "range_from": "1"}, [5, 6]),
        ({"range": ""}, ""),
        ({"range_to": "2"}, None),
        ({"ranger": "3"}, None),
        ({}, None),
    ],
)
def test_the_parts_of_a_browser_make_the_whole_that_a_program_sends(
    sent: dict[str, Any], whole: Any
) -> None:
    widget = Span()
    assert widget.value_from_datadict(sent, {}, "range") == whole
    assert widget.value_omitted_from_data(sent, {}, "range") == (whole is None)


def test_a_blank_is_drawn_by_its_template_which_escapes_what_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    span = engines["django"].from_string(DRAWN)
    monkeypatch.setattr(
        "nomic.infrastructure.caching.fragments.render_to_string",
        lambda template, context: span.render(context),
    )
    drawn = Span().render("range", "<b>", {"id": "form-range", "aria-label": "“how” far"})
    assert drawn == (
        '<span id="form-range" aria-label="“how” far" data-name="range">&lt;b&gt;</span>'
    )
    assert 'id="range"' in Span().render("range", 1)
    fragments._DRAWN.clear()

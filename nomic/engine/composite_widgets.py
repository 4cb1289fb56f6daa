"""Blanks that a browser fills in parts, where a program sends a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe


class Parts(forms.Widget):
    """A blank that a browser fills in parts, each named `BLANK_PART`; a program sends the whole.

    `template` draws them: it gets the blank's `name`, `id` and `label`, and what `drawn` tells.
    """

    template = ""

    def whole(self, parts: Mapping[str, Any]) -> Any:
        """The whole, made of the parts that were sent, by their names; None where they say that
        nothing was filled in."""
        raise NotImplementedError

    def drawn(self, value: Any) -> Mapping[str, Any]:
        """What the template shows for that value, which may be of any shape."""
        raise NotImplementedError

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        if name in data:
            return data[name]
        head = f"{name}_"
        parts = {each.removeprefix(head): data[each] for each in data if each.startswith(head)}
        return self.whole(parts) if parts else None

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return self.value_from_datadict(data, files, name) is None

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        label = (attrs or {}).get("aria-label", "")
        facts = {"name": name, "id": (attrs or {}).get("id", name), "label": label}
        return mark_safe(render_to_string(self.template, {**facts, **self.drawn(value)}))  # noqa: S308 - our own template

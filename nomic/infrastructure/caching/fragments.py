"""Parts of pages that are drawn once for all who look, as long as they show the same."""

import pickle
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.forms.renderers import BaseRenderer
from django.template import Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from nomic.infrastructure.caching.memory import BoundedCache

register = Library()
_NOTHING: Mapping[str, Any] = {}
_DRAWN: BoundedCache[bytes, SafeString] = BoundedCache(0.03)


@register.simple_tag
def drawn_once(
    template: str, facts: Mapping[str, Any] = _NOTHING, **named_facts: Any
) -> SafeString:
    """What the template of that name draws of these values alone, to the byte.

    It knows nothing of the page nor of who looks, except by a value, so what is kept is for
    everybody of whom the same is to be shown: a value is a part of its key, with its type.
    """
    values = {**facts, **named_facts}
    key = sha256(pickle.dumps((template, values))).digest()
    html = _DRAWN.get(key)
    if html is None:
        html = _DRAWN[key] = render_to_string(template, values)
    return html


class DrawnOnce(BaseRenderer):
    """Draws widgets, each of which is what its template draws of values alone."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        return drawn_once(template_name, context).strip()

"""Parts of pages that are drawn once for all who look, as long as they show the same."""

import pickle
from hashlib import sha256
from typing import Any

from django.template import Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from nomic.kept import BoundedCache

register = Library()
_DRAWN: BoundedCache[bytes, SafeString] = BoundedCache(0.03)


@register.simple_tag
def drawn_once(template: str, **values: Any) -> SafeString:
    """What the template of that name draws of these values alone, to the byte.

    It knows nothing of the page nor of who looks, except by a value, so what is kept is for
    everybody of whom the same is to be shown: a value is a part of its key, with its type.
    """
    key = sha256(pickle.dumps((template, values))).digest()
    found = _DRAWN.get(key)
    if found is None:
        found = _DRAWN[key] = render_to_string(template, values)
    return found

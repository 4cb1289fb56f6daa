"""The site's own files, each looked up once in a process: their addresses, the icons; and which
version of the program they are of."""

from functools import cache

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
address = register.simple_tag(cache(static), name="static")

_ICON = (
    '<svg class="icon" aria-hidden="true" focusable="false" width="18" height="18">'
    '<use href="{}#{}"/></svg> '
)


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """The icon of that name; what it means is said beside it."""
    return format_html(_ICON, address("icons.svg"), name)


@register.simple_tag
def version() -> str:
    """The version of the program, as “1.0.0”."""
    return settings.VERSION

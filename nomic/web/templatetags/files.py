"""The site's pages and files, each looked up once in a process: their addresses, and the icons."""

from functools import cache

from django import template
from django.template.base import Parser, Token
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as django_url
from django.templatetags.static import static
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from nomic.web.game_page import address_of

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


class _Url(URLNode):
    def render(self, context: template.Context) -> str:
        parts = (each.resolve(context) for each in self.args)
        return conditional_escape(address_of(self.view_name.resolve(context), *parts))


@register.tag
def url(parser: Parser, token: Token) -> URLNode:
    """Django's own, but that addresses are looked up once where they are written at once."""
    made = django_url(parser, token)
    return made if made.kwargs or made.asvar else _Url(made.view_name, made.args, {}, None)

"""The addresses of the site's own files, each looked up once in a process."""

from functools import cache

from django import template
from django.templatetags.static import static

register = template.Library()
register.simple_tag(cache(static), name="static")

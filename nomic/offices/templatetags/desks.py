"""The way to the officers' site, for the header of all pages."""

from django import template
from django.core.cache import cache
from django.http import HttpRequest

from nomic.offices.access import DeskPage, held, may_enter
from nomic.offices.duties import desks, duties

register = template.Library()
_COUNTED_FOR = 60  # seconds


@register.simple_tag
def office_duties(request: HttpRequest) -> int | None:
    """How many duties wait for the visitor in the offices that they hold, as of a minute ago; None
    for who has no desk."""
    if not may_enter(request):
        return None
    # In the key, so that whoever comes to an office or leaves it reads no count of before.
    offices = "-".join(str(office.pk) for office in held(request))
    key = f"duties:{request.user.pk}:{offices}"
    count: int | None = cache.get(key)
    if count is None:
        games = {office.game_id: office.game for office in held(request)}.values()
        pages = (DeskPage(request, game) for game in games)
        count = sum(len(duties(page, desks(page))) for page in pages)
        cache.set(key, count, _COUNTED_FOR)
    return count

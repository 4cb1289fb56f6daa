"""How many notices somebody has not seen, for the header."""

from django import template
from django.contrib.auth.models import User

from nomic.notices.spreading import unseen

register = template.Library()


@register.simple_tag
def unseen_notices(user: User) -> int:
    """The number for that user, who has signed in."""
    return unseen(user)

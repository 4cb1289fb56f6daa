"""What is told on pages of whoever looks at them, and of receipts."""

from django import template

from nomic.notices.spreading import unseen
from nomic.web.newcomers.tour import tour_of

register = template.Library()
register.simple_tag(tour_of, name="tour")
register.simple_tag(unseen, name="unseen_notices")


@register.filter
def receipt(tag: str) -> dict[str, str]:
    """The parts of NUMBER:HASH:KEY:SIGNATURE; of a private act there is no number."""
    number, digest, key, signature = [*tag.split(":"), "", "", ""][:4]
    named = number or digest
    return {
        "number": number,
        "hash": digest,
        "key": key,
        "signature": signature,
        "named": named,
        "whole": tag,
    }

"""What is told on pages of whoever looks at them, receipts, and forms that are one button."""

from hashlib import sha256
from typing import Any

from django import template
from django.conf import settings
from django.template import Context

from nomic.notices.spreading import unseen
from nomic.standard.bots import MARK
from nomic.web.hosting.presence import who_is_here
from nomic.web.newcomers.tour import tour_of

_FACE = (("head", 3), ("look", 4), ("hair", 6))
"""The parts of a face in `static/figures.svg`, the hindmost first, and of how many each is one."""
_COLOURS = 8

register = template.Library()
register.simple_tag(tour_of, name="tour")
register.simple_tag(unseen, name="unseen_notices")
register.simple_tag(who_is_here)


@register.inclusion_tag("web/pictures/face_parts.svg")
def face_parts(name: str) -> dict[str, Any]:
    """The same in a picture that has the figures in itself."""
    return face(name)


@register.inclusion_tag("web/pictures/face.html")
def face(name: str) -> dict[str, Any]:
    """The face that goes with a player's name, the same on every page; a practice player's is a
    robot's."""
    drawn = sha256(name.encode()).digest()
    parts = (
        ("robot",)
        if name.endswith(MARK)
        else tuple(f"{part}-{drawn[place] % many}" for place, (part, many) in enumerate(_FACE))
    )
    return {"parts": parts, "silk": drawn[-1] % _COLOURS}


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


@register.inclusion_tag("web/_one_button.html", takes_context=True)
def one_button(
    context: Context,
    action: str,
    label: str,
    about: str,
    *,
    quiet: bool = False,
    plain: bool = False,
    **inputs: Any,
) -> dict[str, Any]:
    """A form that is one button and takes the action with these inputs.

    `about` says to who cannot see the page what the inputs are of. Where `plain`, the whole page
    is answered, else what is swapped for the form.
    """
    game_page = context["game_page"]
    return {
        "game_page": game_page,
        "action": action,
        "label": label,
        "about": about,
        "quiet": quiet,
        "plain": plain,
        "inputs": inputs,
        "key": f"{game_page.key}{action}{''.join(map(str, inputs.values()))}",
    }


@register.simple_tag
def sign_up() -> str:
    """Who may make an account on this site: `open`, `invitation` or `closed`."""
    return str(settings.SIGN_UP)

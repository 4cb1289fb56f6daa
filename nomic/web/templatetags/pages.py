"""Tags about whoever looks at a page, receipts, and forms that are one button."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils.safestring import SafeString

from nomic.infrastructure.caching.fragments import drawn_once
from nomic.notices.fan_out import count_unseen
from nomic.web.accounts.single_sign_on import provider_of_accounts
from nomic.web.hosting.talk import who_is_here
from nomic.web.newcomers.faces import face_drawing, face_of
from nomic.web.newcomers.tour import tour_of

register = template.Library()
register.simple_tag(tour_of, name="tour")
register.simple_tag(count_unseen, name="unseen_notices")
register.simple_tag(who_is_here)


@register.inclusion_tag("web/pictures/face_parts.svg", takes_context=True)
def face_parts(context: Context, name: str) -> dict[str, Any]:
    """The same in a picture that has the figures in itself."""
    return face_drawing(_face(context, name, None))


@register.simple_tag(takes_context=True)
def face(context: Context, name: str, chosen: Mapping[str, str] | None = None) -> SafeString:
    """The face of the player of that name: the one that they chose, as `chosen` or the page's game
    tells it, else that which goes with the name. A practice player's is a robot's."""
    return drawn_face(_face(context, name, chosen))


def _face(context: Context, name: str, chosen: Mapping[str, str] | None) -> str:
    if chosen is None:
        page = context.get("game_page")
        chosen = page.faces if page is not None else context.get("faces") or {}
    return chosen.get(name) or face_of(name)


@register.simple_tag
def drawn_face(written: str) -> SafeString:
    """The face that is written as its parts' numbers."""
    return drawn_once("web/pictures/face.html", **face_drawing(written))


@register.filter
def receipt(tag: str) -> dict[str, str]:
    """The parts of NUMBER:HASH:KEY:SIGNATURE; of a private act there is no number."""
    parts = dict(zip(("number", "hash", "key", "signature"), tag.split(":"), strict=False))
    return {**parts, "named": parts["number"] or parts.get("hash", ""), "whole": tag}


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


@register.simple_tag
def provider() -> str:
    """The name of the provider with whose accounts people sign in as well; "" where none is."""
    configured = provider_of_accounts()
    return str(configured["name"]) if configured else ""

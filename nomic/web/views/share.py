"""A game as a picture, for whoever hears of it elsewhere: what everybody may see, 1200 by 630."""

from functools import cache as once
from hashlib import sha256

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from nomic.infrastructure.paths import ROOT
from nomic.web.game_context import GamePage, games_seen, no_game
from nomic.web.panels import shared_panel

_SERVED = 60  # seconds that a picture is served for without a look at the game
_KEPT = 86_400  # seconds that the picture of the same content is kept
_LARGEST = 300_000  # bytes of one that is kept
_DARKEST, _LIGHTEST = "#22262c", "#fffefb"


@require_safe
def share_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture as PNG: drawn at most once a minute for a game, and once for the same content.

    404 for who does not see the game, as its pages.
    """
    game = games_seen(request).filter(slug=slug).first()
    if game is None:
        raise no_game(slug)
    fresh = f"nomic:share:{game.pk}"
    png = cache.get(fresh)
    if png is None:
        svg = drawing_of(GamePage(request, game, None))
        drawn = f"nomic:share:{sha256(svg.encode()).hexdigest()}"
        png = cache.get(drawn)
        if png is None:
            import resvg_py  # no page needs it

            png = resvg_py.svg_to_bytes(svg_string=svg)
            if len(png) <= _LARGEST:
                cache.set(drawn, png, _KEPT)
        cache.set(fresh, png, _SERVED)
    answer = HttpResponse(png, content_type="image/png")
    answer["Cache-Control"] = f"private, max-age={_SERVED}"
    return answer


def drawing_of(game_page: GamePage) -> str:
    """The picture as SVG, of what the game's pages show to who has no seat."""
    shared, panel = shared_panel(game_page)
    players = game_page.game.players.filter(active=True)
    shown = {
        "game": game_page.game,
        "subgames": game_page.subgames,
        "panel": panel,
        "shared": shared,
        "names": list(players.order_by("-pk").values_list("name", flat=True)[:8]),
        "seats": players.count(),
        "figures": figures(),
    }
    return render_to_string("web/pictures/share.svg", shown)


@once
def figures() -> SafeString:
    """The figures of this house for a picture that stands alone, in the colours of the day."""
    texts = [(ROOT / "static" / f"{name}.svg").read_text("utf-8") for name in ("figures", "isle")]
    inside = "".join(text[text.index(">") + 1 : text.rindex("</svg>")] for text in texts)
    inside = inside.replace("var(--ink)", _DARKEST).replace("var(--card)", _LIGHTEST)
    return mark_safe(inside)  # noqa: S308 - our own files

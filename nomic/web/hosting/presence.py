"""Who looks at a game now: seated players by name, as far as they like, and others as a number."""

from dataclasses import dataclass

from allauth.core.internal.ratelimit import get_ip
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from nomic.engine import watch
from nomic.standard.hosting.talk import UNSEEN, be_unseen
from nomic.web.game_page import GamePage, open_game

_PLAYER, _ONLOOKER = "p ", "o "


@dataclass(frozen=True, slots=True)
class Here:
    """The names of the players who look at the game, the viewer's first, and how many others do."""

    names: list[str]
    onlookers: int
    is_unseen: bool

    @property
    def are_others(self) -> bool:
        """Whether somebody is there besides the viewer."""
        return self.many > (not self.is_unseen)

    @property
    def many(self) -> int:
        """How many look at the game: players by name, and onlookers."""
        return len(self.names) + self.onlookers

    @property
    def sentence(self) -> str:
        """As people say it; empty where nobody is there."""
        others = f"{self.onlookers} onlooker{'s' * (self.onlookers > 1)}"
        return ", ".join([*self.names, *([others] if self.onlookers else [])])


def who_is_here(game_page: GamePage) -> Here:
    """Who looks at the game, and the viewer does from now on. One call of the cache."""
    player = game_page.player if game_page.seated else None
    is_unseen = bool(getattr(player, UNSEEN, False))
    if player is None:  # by a mark that tells this browser from most others, and nobody who it is
        request = game_page.request
        known = f"{get_ip(request)} {request.headers.get('User-Agent', '')}"
        mark = salted_hmac("nomic.web.presence", known, algorithm="sha256").hexdigest()
        own = _ONLOOKER + mark[:16]
    else:
        own = "" if is_unseen else _PLAYER + player.name
    found = watch.present(game_page.game.pk, own, game_page.wall)
    names = [each.removeprefix(_PLAYER) for each in found if each.startswith(_PLAYER)]
    ordered = sorted(names, key=lambda name: (player is None or name != player.name, name))
    return Here(ordered, len(found) - len(names), is_unseen)


@require_safe
@never_cache
def here(request: HttpRequest, slug: str) -> HttpResponse:
    """Who looks at the game now, as a part of its pages that asks for itself."""
    return open_game(request, slug).draw("web/hosting/_here.html", drawn=True)


@require_POST
def unseen(request: HttpRequest, slug: str) -> HttpResponse:
    """Let others not be told that one is here, or be told again."""
    game_page = open_game(request, slug)
    if game_page.player is not None:
        be_unseen(game_page.player, request.POST.get("unseen") == "yes")
        watch.leave(game_page.game.pk, _PLAYER + game_page.player.name)
    return redirect("talk", slug)

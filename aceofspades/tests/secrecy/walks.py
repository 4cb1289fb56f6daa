"""Who walks through the contest, and where."""

from __future__ import annotations

from django.contrib.auth.models import User

from nomic.games.models import Game
from nomic.web.tests.watchers import Watcher
from tests.kit import user_of

BOOKS = ("contest", "regulation", "proposal", "offer", "appointment", "roll", "rule", "balance")


def watchers(game: Game) -> dict[str, Watcher]:
    """Everybody to whom nothing in the contest belongs but their own hand."""
    jason, madrid = (game.players.get(name=name) for name in ("Jason", "Madrid"))
    operator = User.objects.filter(username="operator").first()
    return {
        "nobody": Watcher.of(None),
        "outsider": Watcher.of(user_of("juan")),
        "player": Watcher.of(jason),
        "rival": Watcher.of(madrid),
        "operator": Watcher.of(operator or User.objects.create_superuser("operator")),
    }


def is_quick(route: str) -> bool:
    """Whether it is among the addresses where something private is most likely to show."""
    if any(part in route for part in ("/act/", "{action}", "{page}", "/accounts/", "{object_id}")):
        return False
    if route.startswith("/office/"):
        return any(book in route for book in BOOKS) or "/g/" in route
    return any(part in route for part in ("aceofspades", "{slug}/record/", "/private/", "opened"))


def is_close(route: str) -> bool:
    """The contest's own addresses and those that tell of what just happened."""
    near = "aceofspades" in route and not route.startswith(("/office/", "/g/{slug}/aceofspades/r"))
    return (near and "{action}" not in route) or route in ("/g/{slug}/", "/g/{slug}/record/")


def is_anywhere(route: str) -> bool:
    """Everywhere but where an account is given new secrets of its own each time."""
    return "/2fa/" not in route

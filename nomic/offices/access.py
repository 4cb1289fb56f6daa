"""Whom the officers' site lets in, and which games they see there."""

from typing import Any

from django.db.models import Case, F, Q, When
from django.http import Http404, HttpRequest

from nomic.games.models import Game, Office
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.web.game_context import GamePage

_HELD = CompiledQuery(
    lambda: Office.objects.filter(holder__active=True, game__scratch=False).order_by(
        "game__title", "name"
    ),
    "game",
    "holder__holder",
)


def held(request: HttpRequest) -> list[Office]:
    """The offices that the visitor holds, with game and seat; one query a request."""
    offices: list[Office] | None = getattr(request, "held_offices", None)
    if offices is None:
        # With None for somebody who has not signed in it would find what no user holds.
        offices = _HELD.all(holder__user=request.user.pk or 0)
        request.held_offices = offices  # type: ignore[attr-defined]
    return offices


def may_enter(request: HttpRequest) -> bool:
    """Whether the visitor holds an office somewhere, or runs the site."""
    return sees_all(request) or bool(request.user.is_active and held(request))


def sees_all(request: HttpRequest) -> bool:
    """Whether the visitor runs the site, and so sees every game."""
    user: Any = request.user
    return bool(user.is_active and user.is_superuser)


def games_seen(request: HttpRequest, limit: int) -> list[Game]:
    """The games that the visitor sees, at most so many: those that are set aside or stuck first."""
    if sees_all(request):
        games = Game.objects.filter(scratch=False)
        resting = Case(When(set_aside="", then=1), default=0)
        return list(games.order_by(resting, F("stuck_at").asc(nulls_last=True), "title")[:limit])
    with_offices = {office.game_id: office.game for office in held(request)}.values()
    return sorted(with_offices, key=lambda game: (game.state != "stuck", game.title))[:limit]


def in_games_seen(request: HttpRequest, path: str) -> Q:
    """The condition that a row belongs to a game that the visitor sees (by the path to it)."""
    if sees_all(request):
        return Q(**{f"{path}__scratch" if path else "scratch": False})
    game_ids = sorted({office.game_id for office in held(request)})
    return Q(**{f"{path or 'pk'}__in": game_ids})


class DeskPage(GamePage):
    """A game on an officer's desk: who is looking, and in which offices.

    `operates` is true for who runs the site and holds no office in this game.
    """

    def __init__(self, request: HttpRequest, game: Game) -> None:
        mine = [office for office in held(request) if office.game_id == game.pk]
        seats = game.players.select_related("holder")
        seat = mine[0].holder if mine else seats.filter(user_id=request.user.pk or 0).first()
        super().__init__(request, game, seat)
        self.offices = [office.name for office in mine]
        self.operates = sees_all(request) and not mine

    def sees_to(self, office: str) -> bool:
        """Whether what that office owes is owed by whoever is looking."""
        return self.operates or office in self.offices


def open_desk(request: HttpRequest, slug: str) -> DeskPage:
    """The desk of the game with that slug; Http404 where the visitor has none in such a game."""
    own_games = (office.game for office in held(request) if office.game.slug == slug)
    game = next(own_games, None)
    if game is None and sees_all(request):
        game = Game.objects.filter(scratch=False, slug=slug).first()
    if game is None:
        raise Http404(f"You hold no office in a game “{slug}”.")
    return DeskPage(request, game)

"""Seats by their numbers and by the names that they have had.

No name is part of what dice come to, so that nobody can pick one.
"""

from django.db.models import Count

from nomic.games.models import Game, Player
from nomic.infrastructure.database.compiled_queries import CompiledValues

_SEATS = CompiledValues(
    lambda: (
        Player.objects.order_by().values("game").annotate(seats=Count("pk")).values_list("seats")
    )
)


def number_of(player: Player) -> int:
    """The number of this seat in its game, counted from 1 in the order of joining; one query."""
    (seats,) = _SEATS.get(game=player.game_id, pk__lte=player.pk)
    return seats


def seat_called(game: Game, name: str) -> Player | None:
    """The player of the game who goes by that name, or who did before they took another one; None
    where nobody has."""
    if not name.isprintable():
        return None
    seats = game.players.select_related("holder")
    return seats.filter(name=name).first() or seats.filter(former_names__name=name).first()

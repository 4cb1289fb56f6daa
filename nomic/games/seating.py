"""The numbers of seats: no name is part of what dice come to, so that nobody can pick one."""

from django.db.models import Count

from nomic.games.models import Player
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

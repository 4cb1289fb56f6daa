"""The numbers of seats: no name is part of what dice come to, so that nobody can pick one."""

from nomic.games.models import Player


def number_of(player: Player) -> int:
    """The number of this seat in its game, counted from 1 in the order of joining; one query."""
    return Player.objects.filter(game=player.game_id, pk__lte=player.pk).count()

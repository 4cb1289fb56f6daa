"""The numbers of seats: no name is part of what dice come to, so that nobody can pick one."""

from django.db.models import Count, OuterRef, QuerySet, Subquery

from nomic.games.models import Player


def counted(seats: QuerySet[Player]) -> QuerySet[Player]:
    """With what `number_of` asks for, in the same query."""
    before = Player.objects.filter(game=OuterRef("game"), pk__lte=OuterRef("pk")).order_by()
    count = before.values("game").annotate(number=Count("pk")).values("number")
    return seats.annotate(place=Subquery(count))


def number_of(player: Player) -> int:
    """The number of this seat in its game, counted from 1 in the order of joining."""
    known: int | None = vars(player).get("place")
    return known or Player.objects.filter(game=player.game_id, pk__lte=player.pk).count()

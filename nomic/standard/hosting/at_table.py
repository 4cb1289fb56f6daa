"""How somebody sits at a game's table: what of the talk they have read, whether others are told
that they are there, and their face. None of it is part of the game's record.
"""

from collections.abc import Collection

from django.contrib.postgres.expressions import ArraySubquery
from django.core.cache import cache
from django.db.models import F, OuterRef, QuerySet, Value
from django.db.models.functions import Coalesce

from nomic.games.models import Player
from nomic.standard.models import AtTable, Remark

READ, UNREAD, UNSEEN = "talk_read", "talk_unread", "is_unseen"
"""What `at_the_table` adds to a seat."""
MOST_UNREAD = 10  # that are looked for

_FACES_KEPT = 60  # seconds; a standby of the database that lags may have told of them


def at_the_table(seats: QuerySet[Player]) -> QuerySet[Player]:
    """Each of the seats with the number of the last remark that it has read, the first few of
    others that it has not, and whether it is not to be seen."""
    read = Coalesce(OuterRef("at_table__read"), 0)
    said = Remark.objects.filter(game=OuterRef("game"), number__gt=read).exclude(text="")
    of_others = said.exclude(player=OuterRef("pk")).order_by("number").values("number")
    return seats.annotate(
        **{
            READ: Coalesce(F("at_table__read"), 0),
            UNREAD: ArraySubquery(of_others[:MOST_UNREAD]),
            UNSEEN: Coalesce(F("at_table__unseen"), Value(value=False)),
        }
    )


def has_read(player: Player, number: int) -> None:
    """The player has read the talk up to the remark of that number."""
    AtTable.objects.update_or_create(player=player, defaults={"read": number})


def be_unseen(player: Player, unseen: bool) -> None:
    """Others are no longer told that this player is at the table, or are told again."""
    AtTable.objects.update_or_create(player=player, defaults={"unseen": unseen})


def choose_face(player: Player, face: str) -> None:
    """Let the player be drawn with that face; with “” by that which goes with their name."""
    AtTable.objects.update_or_create(player=player, defaults={"face": face})
    cache.delete(_faces(player.game_id))


def faces_of(games: Collection[int]) -> dict[int, dict[str, str]]:
    """The faces that players of each of these games chose, by their names. One call of the cache,
    and a query where it does not know all of them."""
    keys = {_faces(game): game for game in games}
    told: dict[str, dict[str, str]] = cache.get_many(keys) or {}
    known = {keys[key]: faces for key, faces in told.items()}
    if missing := keys.values() - known.keys():
        found: dict[int, dict[str, str]] = {game: {} for game in missing}
        rows = AtTable.objects.filter(player__game__in=missing).exclude(face="")
        for game, name, face in rows.values_list("player__game", "player__name", "face"):
            found[game][name] = face
        cache.set_many({_faces(game): faces for game, faces in found.items()}, _FACES_KEPT)
        known |= found
    return known


def _faces(game: int) -> str:
    return f"nomic:faces:{game}"

"""The talk at a game's table, and how its players sit there: plain rows beside the record."""

import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.postgres.expressions import ArraySubquery
from django.core.cache import cache
from django.db import IntegrityError
from django.db.models import F, Max, OuterRef, QuerySet, Value
from django.db.models.functions import Coalesce
from django.db.transaction import atomic

from nomic.engine import watch
from nomic.games.models import Game, Player
from nomic.games.names import LONGEST_NAME
from nomic.governance.models import AtTable, Reaction, Remark

READ, UNREAD, UNSEEN = "talk_read", "talk_unread", "is_unseen"
"""What `at_the_table` adds to a seat."""
MOST_UNREAD = 10  # that are looked for
_FACES_KEPT = 60  # seconds; a standby of the database that lags may have told of them
_A_MINUTE = timedelta(minutes=1)
_MOST_NAMED = 10  # in one remark
_MOST_WORDS = 6  # of a name
_TRIES = 20  # to write something while others write as well


class TooFast(Exception):
    """They have said as much as one may within a minute."""


def say(player: Player, text: str, at: datetime, limit: int, about: str = "") -> Remark:
    """Let the player say that at the wall moment `at`, beside what it is about; raises TooFast
    after `limit` in a minute."""
    recent = Remark.objects.filter(player=player, at__gt=at - _A_MINUTE)
    if recent.count() >= limit:
        raise TooFast
    remark = Remark(game=player.game, player=player, text=text, about=about, at=at)
    for _ in range(_TRIES):
        newest = player.game.remarks.aggregate(newest=Max("number"))["newest"]
        remark.number = (newest or 0) + 1
        with suppress(IntegrityError):  # another was told the same number
            remark.save(force_insert=True)
            watch.bump_talk(player.game_id)
            return remark
    raise TooFast


def reword(remark: Remark, text: str, at: datetime) -> None:
    """Let it say something else; that it did not at first stays to be seen."""
    if text != remark.text:
        remark.text, remark.edited_at = text, at
        remark.save(update_fields=["text", "edited_at"])
        watch.bump_talk(remark.game_id)


def delete(remark: Remark, at: datetime) -> None:
    """Take it back; a mark stays in its place."""
    remark.text, remark.deleted_at = "", at
    remark.save(update_fields=["text", "deleted_at"])
    watch.bump_talk(remark.game_id)


def delete_all_of(players: QuerySet[Player], at: datetime) -> None:
    """Take back all that these players have said and each of their signs; the marks of what they
    said stay in its place."""
    Reaction.objects.filter(player__in=players).delete()
    remarks = Remark.objects.filter(player__in=players, hidden_in=None, deleted_at=None)
    remarks.update(text="", deleted_at=at)
    for game in players.values_list("game", flat=True):
        watch.bump_talk(game)


def react(remark: Remark, player: Player, sign: str) -> None:
    """Let the player answer the remark with that sign, or take it back."""
    reaction = Reaction.objects.filter(remark=remark, player=player, sign=sign)
    if not reaction.delete()[0]:
        with suppress(IntegrityError), atomic():  # sent twice at once
            Reaction.objects.create(remark=remark, player=player, sign=sign)
    watch.bump_talk(remark.game_id)


def named_in(game: Game, texts: Iterable[str]) -> dict[str, str]:
    """The players named in these texts, by how each is written, as “@Murphy”; one query for all."""
    mentions: set[str] = set()
    for text in texts:
        for start in [match.start() for match in re.finditer("@", text)][:_MOST_NAMED]:
            # The words behind an @ that may be a name: its first word, its first two, and so on.
            rest = text[start : start + LONGEST_NAME + 1]
            ends = [match.start() for match in re.finditer(r"[\s.,;:!?)\]'’]|$", rest)]
            mentions |= {rest[:end] for end in ends[:_MOST_WORDS] if end > 1}
    mentioned = (
        game.players.filter(name__in={mention[1:] for mention in mentions}) if mentions else ()
    )
    return {f"@{player.name}": player.name for player in mentioned}


# How somebody sits there: what they have read, whether they are seen, and their face


def at_the_table(seats: QuerySet[Player]) -> QuerySet[Player]:
    """Each of the seats with the number of the last remark that it has read, the first few of
    others that it has not, and whether it is not to be seen."""
    read = Coalesce(OuterRef("at_table__read"), 0)
    remarks = Remark.objects.filter(game=OuterRef("game"), number__gt=read).exclude(text="")
    of_others = remarks.exclude(player=OuterRef("pk")).order_by("number").values("number")
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
    cached: dict[str, dict[str, str]] = cache.get_many(keys) or {}
    faces_by_game = {keys[key]: faces for key, faces in cached.items()}
    if missing := keys.values() - faces_by_game.keys():
        fetched: dict[int, dict[str, str]] = {game: {} for game in missing}
        rows = AtTable.objects.filter(player__game__in=missing).exclude(face="")
        for game, name, face in rows.values_list("player__game", "player__name", "face"):
            fetched[game][name] = face
        cache.set_many({_faces(game): faces for game, faces in fetched.items()}, _FACES_KEPT)
        faces_by_game |= fetched
    return faces_by_game


def _faces(game: int) -> str:
    return f"nomic:faces:{game}"

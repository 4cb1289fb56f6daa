"""The talk at a game's table: plain rows beside the record."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import Max
from django.db.transaction import atomic

from nomic.engine import watch
from nomic.games.models import Game, Player
from nomic.games.names import LONGEST_NAME
from nomic.standard.models import Reaction, Remark

_A_MINUTE = timedelta(minutes=1)
_MOST_NAMED = 10  # in one remark
_MOST_WORDS = 6  # of a name
_TRIES = 20  # to write something while others write as well


class TooFast(Exception):
    """They have said as much as one may within a minute."""


def say(player: Player, text: str, at: datetime, most: int, about: str = "") -> Remark:
    """Let the player say that at the wall moment `at`, beside what it is about; raises TooFast
    after `most` in a minute."""
    recent = Remark.objects.filter(player=player, at__gt=at - _A_MINUTE)
    if recent.count() >= most:
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


def react(remark: Remark, player: Player, sign: str) -> None:
    """Let the player answer the remark with that sign, or take it back."""
    given = Reaction.objects.filter(remark=remark, player=player, sign=sign)
    if not given.delete()[0]:
        with suppress(IntegrityError), atomic():  # sent twice at once
            Reaction.objects.create(remark=remark, player=player, sign=sign)
    watch.bump_talk(remark.game_id)


def named_in(game: Game, texts: Iterable[str]) -> dict[str, str]:
    """The players named in these texts, by how each is written, as “@Murphy”; one query for all."""
    said: set[str] = set()
    for text in texts:
        for start in [found.start() for found in re.finditer("@", text)][:_MOST_NAMED]:
            # The words behind an @ that may be a name: its first word, its first two, and so on.
            rest = text[start : start + LONGEST_NAME + 1]
            ends = [found.start() for found in re.finditer(r"[\s.,;:!?)\]'’]|$", rest)]
            said |= {rest[:end] for end in ends[:_MOST_WORDS] if end > 1}
    found = game.players.filter(name__in={each[1:] for each in said}) if said else ()
    return {f"@{player.name}": player.name for player in found}

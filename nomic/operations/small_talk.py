"""What practice players say at the table: a welcome to who comes, an answer to who speaks."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from random import Random

from django.conf import settings

from nomic.games.clock import iso
from nomic.games.models import Game, Player
from nomic.notices.outbox import tell_of_remark
from nomic.standard.bots import bots_of
from nomic.standard.hosting.talk import TooFast, say
from nomic.standard.models import Remark
from nomic.standard.motions import JOIN

_NOT_LONG_AGO = timedelta(minutes=10)  # of wall time
_WELCOME = (
    "Welcome, @{name}! Vote on whatever is open: your vote counts as much as mine.",
    "Hello, @{name}. Propose something small, and see whether we adopt it.",
    "Good to have you here, @{name}. There is a race on, and bets are cheap.",
)
_ANSWERS = (
    "I am a practice player, @{name}: I vote, bet and harvest, and understand few words.",
    "Put it into a proposal, @{name}, and I will say by my vote what I think of it.",
    "I can only nod, @{name}. Make me an offer, and I will answer that.",
)


def talk(game: Game, wall: datetime) -> Remark | None:
    """Let a practice player greet who came of late, or answer who spoke last; None where nobody
    waits for it. Each is greeted once, and each remark answered at most once."""
    chance = Random(f"{game.identity} {iso(wall)}")  # noqa: S311
    newcomer, speaker = _newcomer(game, wall), _speaker(game, wall)
    person, words = (newcomer, _WELCOME) if newcomer else (speaker, _ANSWERS)
    bots = list(bots_of(game))
    if person is None or not bots:
        return None
    with suppress(TooFast):
        text = chance.choice(words).format(name=person.name)
        remark = say(chance.choice(bots), text, wall, settings.REMARKS_A_MINUTE)
        tell_of_remark(remark)
        return remark
    return None


def _newcomer(game: Game, wall: datetime) -> Player | None:
    """Who joined last, and not long ago, unless a practice player has named them since ever."""
    joined = game.entries.filter(name=JOIN, recorded_at__gt=wall - _NOT_LONG_AGO)
    last = joined.select_related("actor").order_by("-seq").first()
    if last is None or last.actor is None or not last.actor.active:
        return None
    named = game.remarks.filter(player__bot=True, text__contains=f"@{last.actor.name}")
    return None if named.exists() else last.actor


def _speaker(game: Game, wall: datetime) -> Player | None:
    """Whose remark is the newest, where it is a person's and not long ago."""
    newest = game.remarks.select_related("player").first()
    if newest is None or newest.player.bot or not newest.text:
        return None
    return newest.player if newest.at > wall - _NOT_LONG_AGO else None

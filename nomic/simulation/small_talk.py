"""Remarks of practice players at the table: a welcome to who comes, an answer to who speaks.

They tell how the game stands, as far as everybody may see it: the race, the votes, the last result.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random

from django.conf import settings

from horses.state import state_of as races_of
from nomic.engine.subgames import in_play
from nomic.engine.table import Table, glance
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.notices.outbox import tell_of_remark
from nomic.standard.bots import bots_of
from nomic.standard.hosting.talk import TooFast, say
from nomic.standard.models import Remark
from nomic.standard.motions import JOIN
from nomic.web.templatetags.moments import span
from proposals.models import Proposal, Status
from proposals.state.reading import state_of as proposals_of

_NOT_LONG_AGO = timedelta(minutes=10)  # of wall time
_WELCOME = (
    "Welcome, @{name}! Your vote counts as much as mine.",
    "Hello, @{name}. Propose something small, and see whether we adopt it.",
    "Good to have you here, @{name}.",
)
_ANSWERS = (
    "I am a practice player, @{name}, and understand few words.",
    "Put it into a proposal, @{name}, and I will say by my vote what I think of it.",
    "I can tell you how things stand, @{name}.",
)
_ASKED = {
    "race": re.compile(r"\b(race|horse|lead|ahead|first|bet|win)", re.IGNORECASE),
    "vote": re.compile(r"\b(vote|voting|open|close|when|until|what now)", re.IGNORECASE),
    "result": re.compile(r"\b(result|pass|adopt|fail|reject|happen|outcome|last)", re.IGNORECASE),
}


def talk(game: Game, wall: datetime) -> Remark | None:
    """Let a practice player greet who came of late, or answer who spoke last; None where nobody
    waits for it. Each is greeted once, and each remark answered at most once."""
    chance = Random(f"{game.identity} {iso(wall)}")  # noqa: S311
    joined = game.entries.filter(name=JOIN, recorded_at__gt=wall - _NOT_LONG_AGO)
    entry = joined.select_related("actor").order_by("-seq").first()
    newcomer = entry.actor if entry and entry.actor and entry.actor.active else None
    if newcomer:
        named = game.remarks.filter(player__bot=True, text__contains=f"@{newcomer.name}")
        newcomer = None if named.exists() else newcomer  # they are greeted already
    last = game.remarks.select_related("player").first()
    if last and (last.player.bot or not last.text or last.at <= wall - _NOT_LONG_AGO):
        last = None  # a practice player's, taken back, or of long ago
    person = newcomer or (last.player if last else None)
    words, asked = (_WELCOME, "") if newcomer else (_ANSWERS, last.text if last else "")
    bots = list(bots_of(game))
    if person is None or not bots:
        return None
    # How one thing stands: what they asked for, as far as that is understood, else any.
    known = dict(_facts(glance(game, wall)))
    fitting = [what for what in known if _ASKED[what].search(asked)] or list(known)
    with suppress(TooFast):
        said = chance.choice(words).format(name=person.name)
        text = f"{said} {known[chance.choice(fitting)] if fitting else ''}".rstrip()
        remark = say(chance.choice(bots), text, wall, settings.REMARKS_A_MINUTE)
        tell_of_remark(remark)
        return remark
    return None


def _facts(table: Table) -> Iterator[tuple[str, str]]:
    """Sentences on the race and the votes, as everybody can see them."""
    played = {subgame.name for subgame in in_play(table.game)}
    running = [each for each in races_of(table).runners if each.place is None]
    if "horses" in played and running:
        best = max(each.position for each in running)
        first = [each.name for each in running if each.position == best]
        lead = "leads" if len(first) == 1 else "lead"
        yield "race", f"{' and '.join(first)} {lead} the race, at Race Position {best}."
    proposals = proposals_of(table).proposals().order_by("closes_at", "serial")
    is_open = proposals.filter(status=Status.OPEN, awaits_since=None).first()
    if "proposals" in played and is_open:
        closes = table.game.clock.wall(is_open.closes_at) if is_open.closes_at else None
        left = (closes - table.wall).total_seconds() if closes else 0
        until = f" for another {span(round(left))}" if left > 0 else ""
        yield "vote", f"{_named(is_open)} is open to votes{until}."
    decided = proposals.filter(status=Status.HISTORICAL, passed__isnull=False)
    if "proposals" in played and (last := decided.order_by("-closed_in", "-serial").first()):
        yield "result", f"{_named(last)} was {'adopted' if last.passed else 'not adopted'}."


def _named(proposal: Proposal) -> str:
    """The proposal with its title, unless that would call somebody by name."""
    title = "" if "@" in proposal.title else proposal.title
    return f"{proposal.label}, “{title}”," if title else proposal.label

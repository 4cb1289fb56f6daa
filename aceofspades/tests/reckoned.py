"""Bringing a contest to its Moment of Reckoning, and reading what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from aceofspades.events import book
from aceofspades.models import Contest, Contestant
from aceofspades.rulebook import SECRET_NUMBERS
from aceofspades.state.reading import RECKONING
from aceofspades.tests import stage
from nomic.engine.models import AppointmentStatus
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from nomic.record.models import Entry
from tests.kit import at_the_table

DAY = "| DAY OF THE RECKONING | WHEN |\n| --- | --- |\n| Set for | {} |\n"


def due(game: Game, kind: str = RECKONING) -> datetime | None:
    """When the Moment of Reckoning, or another event, is to come."""
    waiting = game.appointments.filter(kind=kind, status=AppointmentStatus.WAITING)
    return waiting.values_list("due", flat=True).first()


def wait_for_the_eve(game: Game) -> None:
    """Let time go on up to a second before the Moment of Reckoning."""
    moment = due(game)
    assert moment is not None
    advance(game.slug, moment - timedelta(seconds=1))
    game.refresh_from_db()


def reckon(game: Game) -> Contest:
    """Let time go on up to the Moment of Reckoning, and all happen that is due then."""
    moment = due(game)
    assert moment is not None
    advance(game.slug, moment)
    game.refresh_from_db()
    assert game.stuck_error == ""
    return Contest.objects.get(game=game)


def without_secrets(game: Game) -> None:
    """Repeal the secret regulations that were drawn, so that marks can be foreseen."""
    with at_the_table(game) as table:
        for number in SECRET_NUMBERS:
            book.repeal(table, number)


def repeal(game: Game, *numbers: int) -> None:
    """Let those regulations be repealed as if by a vote."""
    with at_the_table(game) as table:
        for number in numbers:
            book.repeal(table, number)


def adopt(
    game: Game, players: Iterable[Player], number: int, text: str, visibility: str = "public"
) -> None:
    """Let the players adopt a regulation, by acts of the record."""
    proposer, *voters = players
    proposal = stage.propose(game, proposer, number, text, visibility=visibility)
    stage.vote(game, proposal, dict.fromkeys([proposer, *voters], "FOR"))
    stage.hours(game, 72)
    proposal.refresh_from_db()
    assert proposal.effective_in is not None


def block(*lines: str) -> str:
    """A marking regulation whose function has these lines."""
    body = "\n".join(f"    {line}" for line in lines)
    return f"It marks.\n\n```python\ndef mark(hands, worth, alliances):\n{body}\n```\n"


def happened(game: Game, name: str) -> list[Entry]:
    """The entries of that event, in their order."""
    return list(game.entries.filter(name=name).order_by("seq"))


def outcome(game: Game, name: str) -> dict[str, Any]:
    """What the last event of that kind came to."""
    return dict(happened(game, name)[-1].outcome)


def worths(game: Game) -> dict[str, float | None]:
    """The worth of each contestant's hand."""
    rows = Contestant.objects.filter(contest__game=game).order_by("turn")
    return dict(rows.values_list("player__name", "worth"))


def named(game: Game, **facts: Any) -> list[str]:
    """The names of the contestants of whom this is so."""
    rows = Contestant.objects.filter(contest__game=game, **facts).order_by("turn")
    return list(rows.values_list("player__name", flat=True))

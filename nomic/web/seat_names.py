"""The name of an account as that of its seats: what a game refuses, and taking it everywhere."""

from collections.abc import Iterator

from django.contrib.auth.models import User

from nomic.engine.actions import find_action, legality
from nomic.engine.outcomes import Busy, Malformed, Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Player
from nomic.governance.renaming import RENAME


def name_complaints(user: User, name: str) -> list[str]:
    """Why seats of that user cannot have the name, a sentence for each game that refuses it."""
    return [
        f"In “{seat.game}” you cannot go by this name. {refusal.sentence}"
        for seat in _seats_of_other_names(user, name)
        if (refusal := legality(find_action(RENAME), glance(seat.game), seat, {"name": name}))
    ]


def rename_seats(user: User, name: str) -> list[str]:
    """Let all seats of that user have the name, each by an act in its game. Returns why not, a
    sentence for each seat that keeps the name it had; its player can change it there later."""
    complaints = []
    for seat in _seats_of_other_names(user, name):
        try:
            take(seat.game.slug, user, RENAME, {"name": name})
        except (Refused, Malformed, Busy) as error:
            complaints.append(f"In “{seat.game}” you go by {seat.name} still. {error}")
    return complaints


def _seats_of_other_names(user: User, name: str) -> Iterator[Player]:
    yield from (
        Player.objects.filter(user=user, game__scratch=False)
        .exclude(name=name)
        .select_related("game", "holder")
        .order_by("game__title")
    )

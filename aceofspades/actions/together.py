"""Acts of the Contestmaster, and while there is none of the contestants together, by a motion."""

from django.db.models import QuerySet

from aceofspades.actions.members import ContestmasterAction, no_contestant
from aceofspades.state.reading import State, state_of
from nomic.engine.actions import Inputs
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.motions import AnnouncedAction


class TogetherAction(ContestmasterAction, AnnouncedAction):
    """An act of the Contestmaster's office that its contestants do by support while it is vacant:
    nobody else decides what concerns their contest."""

    asked_of_all = True

    def electors(self, table: Table) -> QuerySet[Player]:
        contestants = state_of(table).contestants
        return super().electors(table).filter(pk__in=[each.player_id for each in contestants])

    def who_acts(self, state: State, player: Player | None) -> Player | Refusal | None:
        if player and not state.has_contestmaster and state.contestant(player) is None:
            return no_contestant(state, player)
        return player

    def limit(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        is_theirs = _is_the_offices(state_of(table), player)
        return None if is_theirs else super().limit(table, player, data)


def doing(state: State, player: Player | None, one: str, several: str) -> str:
    """Who does such an act and what they do, such as “The contestants judge”."""
    is_theirs = _is_the_offices(state, player)
    return f"The Contestmaster {one}" if is_theirs else f"The contestants {several}"


def _is_the_offices(state: State, player: Player | None) -> bool:
    return player is None or state.is_contestmaster(player)

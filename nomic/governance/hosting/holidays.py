"""A game that rests for some time and goes on: by its host's word, or by support where the rule
“Absence” says so."""

from nomic.engine.actions import TimeStopper, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Text
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.absence import ABSENCE, pause_takes_support
from nomic.governance.clockwork import let_time_go_on, let_time_stand_still
from nomic.governance.hosting.acts import HostOnly
from nomic.governance.models import Motion
from nomic.governance.motions import BySupport

PAUSE, RESUME, PAUSE_TOGETHER = "games.host_pause", "games.host_resume", "games.pause_together"
_PAUSED = Refusal("paused", "The game is paused already.")


class _ByHostAlone(HostOnly):
    """Possible where no rule asks for the players' support."""

    def absence(self, table: Table) -> Refusal | None:
        by_support = Refusal(
            "by_support",
            "By the rule “Absence” this takes support: a player announces it.",
            ABSENCE,
        )
        return super().absence(table) or (by_support if pause_takes_support(table) else None)


@action
class HostPause(_ByHostAlone, TimeStopper):
    """Let the game's time stand still, for a holiday say. Nobody acts in it and nothing happens
    until you resume it, or more than half of the players do."""

    name = PAUSE
    title = "Pause the game as its host"
    sentence = "Pause the game, because {reason}"
    possible_while = ()
    confirm = "Nobody can act and nothing happens until the game is resumed. Pause it?"

    class Form(ActionForm):
        reason = Text(longest=300)

    def judge(self, table: Table, player: Player | None, reason: str | None) -> Effects:
        return Effects(Then(let_time_stand_still), say=f"The host pauses the game: {reason}")


@action
class HostResume(_ByHostAlone):
    """Let the game's time go on. What counts real hours went on during the pause."""

    name = RESUME
    title = "Resume the game as its host"
    sentence = "Resume the game"

    def judge(self, table: Table, player: Player | None) -> Verdict:
        return let_time_go_on(table, "The host")


@action
class PauseTogether(BySupport):
    """Let the game's time stand still as soon as more than half of the active players support it.
    They resume it in the same way."""

    name = PAUSE_TOGETHER
    title = "Pause the game together"
    sentence = "Let the game be paused, because {reason}"
    button = "Announce"
    rule = ABSENCE
    possible_while = ()

    class Form(ActionForm):
        reason = Text(longest=300)

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(pause_takes_support(table))

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """Nobody: who announces it supports it."""
        return set()

    def judge(self, table: Table, player: Player, reason: str | None) -> Verdict:
        return Effects(
            Then(let_time_stand_still), say=f"By the players' support the game is paused: {reason}"
        )

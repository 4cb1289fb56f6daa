"""Acts in a game that is held back: locked out, or over its share of the disk."""

from nomic.engine.outcomes import Busy, Refused
from nomic.games.models import Game
from nomic.games.refusal import Refusal
from nomic.quotas import disk, holds
from nomic.quotas.models import UsageKind


class OverItsShare(Busy):
    """The game may write nothing for so many `seconds`."""

    def __init__(self, sentence: str, seconds: int) -> None:
        Exception.__init__(self, sentence)
        self.seconds = seconds


def refuse_held(game: Game) -> None:
    """Raise Refused where the game is locked out, and OverItsShare where it waits for its share of
    the disk: no act that is not urgent is done then."""
    if sentence := holds.locked_out(UsageKind.GAME, game.pk):
        raise Refused(Refusal("locked_out", sentence))
    if waits := disk.waiting_reason(game.pk, game.host_id):
        sentence_on_disk, seconds = waits
        minutes = -(-seconds // 60)
        if seconds < 120:
            wait = f"{seconds} seconds"
        elif minutes < 120:
            wait = f"{minutes} minutes"
        else:
            wait = f"{-(-minutes // 60)} hours"
        raise OverItsShare(f"{sentence_on_disk} Nothing was done; try again in {wait}.", seconds)

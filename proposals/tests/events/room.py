"""A game of one edition with three players, as the tests of what happens by itself begin."""

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, seat


class Room:
    """A game of one edition with three players."""

    def __init__(self, preset: str) -> None:
        self.game = new_game("room", preset, pace="manual", start=WEDNESDAY)[0]
        self.murphy, self.madrid, self.juan = (
            seat(self.game, name) for name in ("Murphy", "Madrid", "juan")
        )

    def do(self, player: Player | None, name: str, /, **inputs: object) -> str:
        return str(take("room", player, name, inputs).entry.text)

    def vote(self, number: int) -> str:
        """Two of the three vote for it, which is the quorum; returns what the second made."""
        self.do(self.murphy, "proposals.vote", proposal=number, choice="FOR")
        return self.do(self.madrid, "proposals.vote", proposal=number, choice="FOR")

    def text(self, title: str) -> str:
        return str(self.game.rules.get(title=title, repealed_in=None).text)

    def amend(self, title: str, text: str) -> None:
        self.do(None, "rulebook.amend", rule=title, text=text, reason="as it should be")

    def bound(self, name: str, limit: int) -> None:
        """Give the game another bound."""
        self.do(None, "games.set_bound", bound=name, most=limit, reason="as it is tried")

    def fresh(self) -> Game:
        return Game.objects.get(pk=self.game.pk)

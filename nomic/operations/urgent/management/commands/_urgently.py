"""The common base of commands by which the operator acts in a game however far behind it is."""

from argparse import ArgumentParser
from typing import Any, ClassVar

from nomic.engine.outcomes import Busy, Malformed, Refused
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.management.commands._common import GameCommand


class UrgentCommand(GameCommand):
    """The operator's act of that name, which needs a reason and no catching up."""

    told = (Refused, Malformed, Busy)
    act: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--reason", required=True, help="which the record keeps")

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        receipt = take(game.slug, None, self.act, self.inputs(options))
        self.stdout.write(f"{receipt.entry.text} (entry {receipt.entry.seq})")

    def inputs(self, options: dict[str, Any]) -> dict[str, Any]:
        """The act's inputs."""
        return {"reason": options["reason"]}

"""manage.py verify-dice SLUG"""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError

from nomic.dice.proof import check_all
from nomic.engine.subgames import HasProofs, all_subgames
from nomic.games.models import Game
from nomic.operations.effects import DICE, compare_effects
from nomic.operations.management.commands._common import GameCommand
from nomic.record.proof import check_opened


class Command(GameCommand):
    help = (
        "Check every published seed against its commitment and every roll against its seed, and"
        " what was opened of the sealed book against what was public before."
    )

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        for said, wrong in _proofs(game):
            self.stdout.write(said)
            if wrong:
                raise CommandError(wrong)


def _proofs(game: Game) -> Iterator[tuple[str, str]]:
    """Each check as a sentence, with its fault; empty where there is none."""
    for proof in check_all(game):
        yield str(proof), proof.wrong
    if game.format >= 2:
        told, wrong = compare_effects(game, DICE)
        yield f"{told} rolls, commitments and seeds are those that the entries tell", wrong
    opened = 0
    for found in check_opened(game):
        opened += 1
        if found.wrong:
            yield found.wrong, found.wrong
    if opened:
        yield f"{opened} opened sealed entries are what they were when they were sealed", ""
    for subgame in all_subgames():
        if isinstance(subgame, HasProofs):
            yield from subgame.proofs(game)

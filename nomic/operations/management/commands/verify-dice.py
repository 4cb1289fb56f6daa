"""manage.py verify-dice SLUG"""

from typing import Any

from django.core.management.base import CommandError

from nomic.dice.proof import check_all
from nomic.engine.subgames import keepers_of_secrets
from nomic.games.models import Game
from nomic.games.wording import counted
from nomic.operations.audit import DICE, compare_effects
from nomic.operations.management.commands._common import GameCommand
from nomic.record.proof import check_opened


class Command(GameCommand):
    help = (
        "Check every published seed against its commitment and every roll against its seed, and"
        " what was opened of the sealed book against what was public before."
    )

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        for proof in check_all(game):
            self._say(str(proof), proof.wrong)
        count, wrong = compare_effects(game, DICE)
        self._say(f"{count} rolls, commitments and seeds are those that the entries tell", wrong)
        opened = 0
        for opening in check_opened(game):
            opened += 1
            if opening.wrong:
                self._say(opening.wrong, opening.wrong)
        if opened:
            told = counted(
                opened,
                "opened sealed entry is what it was when it was sealed",
                "opened sealed entries are what they were when they were sealed",
            )
            self._say(told)
        for subgame in keepers_of_secrets():
            for check, wrong in subgame.proofs(game):
                self._say(check, wrong)

    def _say(self, check: str, wrong: str = "") -> None:
        """Tell of a check; raises CommandError where it has found something wrong."""
        self.stdout.write(check)
        if wrong:
            raise CommandError(wrong)

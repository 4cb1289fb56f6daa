"""The lottery as a part of a game: how it begins, and how it follows the rulebook."""

from __future__ import annotations

from nomic.engine.subgames import Subgame, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.ledger.models import Asset
from tests.lottery.api import LotteryShape, lottery_state
from tests.lottery.events import DRAW
from tests.lottery.models import Draw
from tests.lottery.rulebook import RULEBOOK
from tests.lottery.rules import THE_LOTTERY, why_broken
from tests.lottery.state import CASHIER, FLORIN, drop_state, open_draw, pot_of, state_of


class Lottery(Subgame):
    """A lottery that is drawn at the start of each week."""

    for_example = "Buy 3 tickets"

    def is_on(self, game: Game) -> bool:
        return Draw.objects.coming(game).exists()

    def rules_changed(self, table: Table) -> None:
        """Begin as soon as the rule is in force and can be played by; draw while it is."""
        drop_state(table)
        if not table.rules.in_force(THE_LOTTERY):
            table.appointments.cancel(DRAW)
            return
        if not self.is_on(table.game):
            if why_broken(state_of(table).text):
                return
            table.ledger.define(FLORIN, "florins")
            table.office(CASHIER)
            pot_of(table)
            open_draw(table, 1)
        table.appointments.begin(DRAW)

    def left(self, table: Table, player: Player) -> None:
        """Their tickets do not take part while they are away."""
        drop_state(table)

    def corrected(self, table: Table) -> None:
        drop_state(table)

    def keeper(self, game: Game) -> str:
        """The Cashier."""
        return CASHIER

    def keeps(self, game: Game, asset: Asset) -> str:
        """The Cashier keeps the florins."""
        return CASHIER if asset.name == FLORIN else ""

    def broken(self, table: Table) -> str:
        return why_broken(state_of(table).text)

    def state(self, table: Table, player: Player | None) -> LotteryShape | None:
        """The coming draw, its pot and its tickets, and the draws before it, newest first."""
        return lottery_state(table)


THE_LOTTERY_OF_A_GAME = register(Lottery("lottery", "The lottery", RULEBOOK))

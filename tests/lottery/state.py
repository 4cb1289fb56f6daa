"""Rows to the rules' values and back: the only reader of the lottery's rows."""

from __future__ import annotations

from functools import cached_property

from nomic.engine.effects import Set
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.ledger.models import Holder
from tests.lottery.models import Draw, Tickets
from tests.lottery.rules import THE_LOTTERY, Terms, terms_from

FLORIN = "florin"
POT = "The pot"
CASHIER = "Cashier"


class State:
    """The lottery of one game as one table sees it; everything is read when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def text(self) -> str:
        """The text of the rule in force; empty where none is."""
        rules = self.table.rules
        return rules.text(THE_LOTTERY) if rules.in_force(THE_LOTTERY) else ""

    @cached_property
    def terms(self) -> Terms:
        """What the rule in force says; raises TableBroken."""
        return terms_from(self.text)

    @cached_property
    def draw(self) -> Draw:
        """The draw for which tickets are sold; Draw.DoesNotExist in a game without a lottery."""
        return Draw.objects.coming(self.table.game).get()

    @cached_property
    def _sold(self) -> dict[str, Tickets]:
        """The rows of the coming draw, by player, from A to Z."""
        rows = self.draw.tickets.select_related("player").order_by("player__name")
        return {row.player.name: row for row in rows}

    @property
    def tickets(self) -> dict[str, int]:
        """The tickets that take part in the coming draw, by player, from A to Z."""
        sold = self._sold.items()
        return {name: row.count for name, row in sold if row.player.active and row.count}

    def sold(self, player: Player, count: int) -> Set:
        """The player has so many tickets for the coming draw."""
        row = self._sold.get(player.name)
        new = {"draw": self.draw, "player": player}
        return Set(row, count=count) if row else Set(Tickets, **new, count=count)

    @property
    def pot(self) -> int:
        """The florins in the pot."""
        return self.table.ledger.balance(pot_of(self.table), FLORIN)


def pot_of(table: Table) -> Holder:
    """Who holds the pot in the ledger."""
    return table.ledger.deck(POT)


def state_of(table: Table) -> State:
    """The state of the lottery at that table, the same until something is saved."""
    return table.once(State)


def drop_state(table: Table) -> None:
    """Let the state be read anew: something was saved."""
    table.drop(State)


# Back to rows


def open_draw(table: Table, number: int) -> None:
    """Let tickets be sold for the draw of that number."""
    Draw.objects.create(game=table.game, number=number, opened_in=table.seq)
    drop_state(table)


def save_drawn(table: Table, winner: Player | None, prize: int) -> None:
    """Note what came of the coming draw, and let tickets be sold for the next one."""
    draw = state_of(table).draw
    draw.drawn_in, draw.winner, draw.prize = table.seq, winner, prize
    draw.save(update_fields=["drawn_in", "winner", "prize"])
    open_draw(table, draw.number + 1)

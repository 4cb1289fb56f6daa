"""Setting the stage of the isle: Settlers with what they have, Productions, the Thug."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from settlers.models import Isle, Visit, domain_fields
from settlers.models import Settler as Row
from settlers.rulebook import thug_text
from settlers.rules.titles import DECK, GIFT, THUG, VISITORS
from tests.kit import at_the_table

HARVEST = "they may perform the following atomic action, known as Harvesting the Crop:"
UNLESS_INJURED = (
    "they may perform the following atomic action, known as Harvesting the Crop,"
    " unless their name is in the Injured list:"
)


def bring_the_thug(table: Table) -> None:
    """Let the rules say what Protection Money makes them say."""
    rules = table.rules
    rules.amend(GIFT, rules.text(GIFT).replace(HARVEST, UNLESS_INJURED))
    last = "* Set every Settler to not Ready"
    steps = (
        last,
        "* Set the Injured list to contain the same values as the Victims list",
        "* Set the Victims list to empty",
    )
    rules.amend(DECK, rules.text(DECK).replace(last, "\n".join(steps)))
    rows = "| 4 || Thug\n| 10 || Thug\n"
    rules.amend(VISITORS, rules.text(VISITORS).rstrip() + "\n" + rows)
    rules.enact(THUG, thug_text(), parent=rules.find(VISITORS))


def give(table: Table, player: Player, **items: int) -> None:
    """Put items into a stockpile."""
    moves = [(None, player, amount, name) for name, amount in items.items()]
    table.ledger.move_several(moves, "to begin with")


def place(
    player: Player, *, domains: Mapping[str, int | None] | None = None, **facts: object
) -> None:
    """Let a Settler's row be so."""
    row = Row.objects.get(player=player)
    for name, value in (domain_fields(domains or {}) | facts).items():
        setattr(row, name, value)
    row.save()


def hours(game: Game, number: float) -> int:
    """Move the game's time by so many hours; returns how much happened by itself."""
    game.refresh_from_db()
    return advance(game.slug, game.anchor_game + timedelta(hours=number))


def isle_of(game: Game) -> Isle:
    """The isle as it is now."""
    return Isle.objects.get(game=game)


def results_are(game: Game, first: int, second: int) -> None:
    """Let the most recent Production have these two results."""
    Isle.objects.filter(game=game).update(first=first, second=second)


def visitor_is(game: Game, title: str) -> Visit:
    """Let the Visitor be that one, by a Visitor Arrival that the dice have nothing to do with."""
    from settlers.events.visits import begin_the_visit, end_the_visit

    with at_the_table(game) as table:
        end_the_visit(table, title)
        begin_the_visit(table, title)
    return Visit.objects.get(game=game, over_in__isnull=True)

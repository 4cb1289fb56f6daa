"""Who is away: nobody waits for them. They are counted in no quorum and no electorate, unless all
who play are away, and are back with their first act that everybody may know of."""

from datetime import datetime

from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.models import Player

RETURN = "games.return"  # appointments: its subject is the entry in which somebody went away


def go_away(table: Table, players: list[Player], until: datetime | None = None) -> None:
    """Let these players be away from the entry on that is being made; back by themselves at that
    game moment, where one is given."""
    for player in players:
        _forget_return(table, player)
        player.away_in, player.away_until = table.seq, until
        player.save(update_fields=["away_in", "away_until"])
    if until is not None:
        table.appointments.make(RETURN, until, str(table.seq))
    for subgame in in_play(table.game):
        for player in players:
            subgame.went_away(table, player)


def come_back(table: Table, player: Player) -> None:
    """Let that player, who is away, be waited for again."""
    _forget_return(table, player)
    player.away_in = player.away_until = None
    player.save(update_fields=["away_in", "away_until"])
    for subgame in in_play(table.game):
        subgame.came_back(table, player)


def _forget_return(table: Table, player: Player) -> None:
    if player.away_until is not None:
        table.appointments.cancel(RETURN, str(player.away_in))

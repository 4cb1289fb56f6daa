"""Who has achieved victory on the isle (The Gift of the Isle)."""

from django.db.models import Exists, OuterRef

from nomic.engine.table import Table
from nomic.games.models import Win
from nomic.games.wording import counted
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.declared import plural_of
from nomic.rulebook.tables import TableBroken
from settlers.events.visits import disclose_past_visits
from settlers.rules.charts import AT_A_VICTORY
from settlers.rules.isle import has_won
from settlers.rules.titles import GIFT
from settlers.state.reading import state_of


def settle_victories(table: Table) -> list[str]:
    """Record the victory of every Settler who has the Cones for it and has not won here before.

    Returns what is announced. A victory lets the sealed visits be opened, where the rules say so.
    """
    state = state_of(table)
    try:
        name, needed = state.charts.victory
    except TableBroken:
        return []
    wins = Win.objects.filter(player=OuterRef("player"), rule=GIFT)
    rows = state.rows.order_by().filter(~Exists(wins), buildings__contains=[name])
    # In an order that no database chooses, since the record keeps it.
    builders = sorted(rows.select_related("player"), key=lambda row: row.player.name)
    winners = [row for row in builders if has_won(row.buildings, (name, needed))]
    if not winners:
        return []
    announcements = []
    how = f"{counted(needed, name, plural_of(name))} on the isle"
    for row in winners:
        table.win(row.player, GIFT, how)
        announcements.append(f"{row.player} has achieved victory: {how}.")
    if unless_broken(lambda: state.charts.opening.by_itself, None) == AT_A_VICTORY:
        disclose_past_visits(table)
    return announcements

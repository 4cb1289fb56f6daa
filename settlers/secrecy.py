"""Secrets of the isle, for those who may know them: the one room that reads bribes.

A bribe is for its Settler and for the Onlooker to see, and for the Thug's own steps. Who takes the
office in the midst of a visit sees those of the next visit on, also if they had it before.
"""

from dataclasses import dataclass

from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.rulebook.charts import unless_broken
from settlers.models import Bribe
from settlers.rules.isle import Items
from settlers.rules.thug import bribe_value
from settlers.rules.titles import THUG
from settlers.state.reading import ONLOOKER, all_but, state_of

_BRIBES = CompiledValues(
    lambda onlooker: (
        all_but(onlooker)
        .filter(bribe__isnull=False)
        .order_by("player__name")
        .values_list("player__name", "bribe__items")
    )
)


@dataclass(frozen=True, slots=True)
class ValuedBribe:
    """A bribe with its value; `value` is None where the rule's numbers cannot be read."""

    items: Items
    value: int | None


def own_bribe(table: Table, player: Player | None) -> ValuedBribe | None:
    """The bribe that the Settler has told the Onlooker, without items if none; None for who is no
    Settler or knows no Thug."""
    state = state_of(table)
    if player is None or state.visitor_rule(THUG) is None or state.settler(player) is None:
        return None
    row = Bribe.objects.filter(settler=state.settler_row(player)).first()
    return _valued(table, row.items if row else {})


def bribes_seen_by(table: Table, viewer: Player | None) -> dict[str, ValuedBribe] | None:
    """Every Settler's bribe, by name, for who has been the Onlooker since before the visit began;
    None for everybody else."""
    state = state_of(table)
    if not state.is_onlooker(viewer) or state.visitor_rule(THUG) is None:
        return None
    since = table.directory.since_when(viewer, ONLOOKER)
    if since is None or (state.visit is not None and state.visit.entry <= since):
        return None
    bribes = bribes_to_pay(table) if state.visit else {}
    return {name: _valued(table, items) for name, items in bribes.items()}


def bribes_to_pay(table: Table) -> dict[str, Items]:
    """Every Settler's bribe, by name, for the Thug's steps at a locked table."""
    return dict(_BRIBES.all(onlooker=state_of(table).onlooker, game=table.game.pk))


def save_bribe(table: Table, player: Player, items: Items) -> None:
    """Let this be the bribe of that Settler: the last one counts."""
    bribe = Bribe(settler=state_of(table).settler_row(player), items=dict(items))
    # One statement, where update_or_create would read and lock the old bribe first.
    Bribe.objects.bulk_create(
        [bribe], update_conflicts=True, unique_fields=["settler"], update_fields=["items"]
    )


def empty_bribes(table: Table) -> None:
    """Set each Settler's bribe to empty. What they told stands in the sealed book."""
    Bribe.objects.filter(settler__game=table.game).delete()


def _valued(table: Table, items: Items) -> ValuedBribe:
    charts = state_of(table).charts
    return ValuedBribe(items, unless_broken(lambda: bribe_value(items, charts.bribes), None))

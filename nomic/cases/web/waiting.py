"""The cases that wait for a player to judge them."""

from collections.abc import Iterator

from nomic.cases.models import Case
from nomic.cases.state import is_on, state_of
from nomic.engine.subgames import Waiting
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.web.game_context import address_of

_MOST = 20
_TO_JUDGE = CompiledQuery(lambda: Case.objects.filter(verdict="").order_by("number"))


def waiting(table: Table, player: Player) -> Iterator[Waiting]:
    """Each open case that the player is to judge."""
    if not is_on(table):
        return
    cases = _TO_JUDGE.some(_MOST, game=table.game.pk, judge=player.pk)
    dues = state_of(table).dues() if cases else {}
    for case in cases:
        url = address_of("case_judge", table.game.slug, case.number)
        yield Waiting(f"Judge {case}: {case.statement}", url, dues.get(str(case.number)))

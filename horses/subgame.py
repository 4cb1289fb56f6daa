"""The races as a part of a game: how they begin, start anew, follow rulebook and players."""

from contextlib import suppress
from pathlib import Path

from horses.api import horses_state
from horses.events import (
    BY_HAND,
    FAMILY,
    LAST_HOUR,
    begin,
    schedule_last_hour,
    taken_names,
)
from horses.models import Race
from horses.notices import concerns
from horses.rules.charts import Charts
from horses.rules.payouts import DOLLARY, HOOF
from horses.rules.titles import HORSES, MOTIVATING, RUN, TITLES
from horses.state import HORSENED, RUN_EVENT, drop_state, state_of
from horses.web.waiting import tour, waiting
from nomic.engine.subgames import Subgame, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.ledger.models import Asset, Posting
from nomic.rulebook.cell_words import cell_words_in
from nomic.rulebook.tables import TableBroken

_RUNNING = CompiledValues(
    lambda: Race.objects.filter(ended_in__isnull=True).order_by().values_list("pk")
)


class Races(Subgame):
    """Agora's horse races (Proposal 8822, August 2022)."""

    open_tables = Charts.open_tables
    short = "Races"
    sign = "horse"
    offices = frozenset({HORSENED})
    for_example = "I bet 3 dollaries on Fargo"
    clauses = Charts.clauses
    cells = cell_words_in(Path(__file__).parent / "rules" / "cells.toml")
    concerns = staticmethod(concerns)
    waiting = staticmethod(waiting)
    tour = staticmethod(tour)
    state = staticmethod(horses_state)

    def is_on(self, game: Game) -> bool:
        return _RUNNING.first(game=game.pk) is not None

    def rules_changed(self, table: Table) -> None:
        """Begin the first race once all seven rules can be played by; keep what they still say."""
        drop_state(table)
        state = state_of(table)
        if state.race is None:
            if not table.rules.in_force(*TITLES):
                return
            try:
                state.charts.check()
                state.charts.names_beside(taken_names(table))
            except TableBroken:
                return
            begin(table)
        if table.rules.in_force(HORSES, RUN):
            table.appointments.begin(RUN_EVENT)
        else:
            table.appointments.cancel(RUN_EVENT)
        if table.rules.in_force(HORSES, RUN, MOTIVATING):
            schedule_last_hour(table)
        else:
            table.appointments.cancel(LAST_HOUR)
        drop_state(table)

    def joined(self, table: Table, player: Player) -> None:
        """Whoever comes before the horses have first run is there at the start of the first race,
        and gets once what it gives."""
        had = Posting.objects.filter(holder=player.holder, asset=table.ledger.asset(DOLLARY))
        ran = table.game.entries.filter(name=RUN_EVENT, outcome__ran=True)
        if not ran.exists() and not had.exists():
            table.ledger.rule = HORSES
            with suppress(TableBroken):
                amount = state_of(table).charts.starting_dollaries
                table.ledger.create(player, amount, DOLLARY, "at the start of the first race")

    def left(self, table: Table, player: Player) -> None:
        """Their horses go to the lost and found department, and from there at once to Agora."""
        drop_state(table)
        self.corrected(table)

    def office_changed(self, table: Table, office: str) -> None:
        """Leave to the system, while nobody is the Horsened, the duty that it keeps by hand."""
        is_kept = office == HORSENED and table.game.setting(BY_HAND, False)
        if is_kept and table.rules.in_force(HORSES, RUN, MOTIVATING):
            schedule_last_hour(table)

    def corrected(self, table: Table) -> None:
        """Who has left loses their horses, and lost horses go to Agora at once (Horses)."""
        ledger, table.ledger.rule = table.ledger, HORSES
        lost, leavers = ledger.lost_and_found, state_of(table).owners_who_left
        for horse, name in leavers.items():
            keeper = state_of(table).keepers[horse]
            ledger.transfer(keeper, lost, 1, horse, f"{name} has left the game")
        for horse in state_of(table).names:
            if horse in leavers or ledger.balance(lost, horse):
                ledger.transfer(lost, ledger.agora, 1, horse, "lost horses are Agora's")
        drop_state(table)

    def keeper(self, game: Game) -> str:
        return HORSENED

    def keeps(self, game: Game, asset: Asset) -> str:
        """The Horsened keeps the horses and both currencies of the races."""
        ours = asset.family == FAMILY or asset.name in (DOLLARY, HOOF)
        return HORSENED if ours else ""

    def skipped(self, table: Table, kind: str) -> None:
        """Each run makes the appointment of the week's last hour, and so does one that is not."""
        if kind == RUN_EVENT and table.rules.in_force(HORSES, RUN, MOTIVATING):
            schedule_last_hour(table)

    def charts(self, table: Table) -> Charts:
        return state_of(table).charts


THE_RACES = register(Races("horses", "The races", Path(__file__).parent / "rulebook"))

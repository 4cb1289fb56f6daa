"""The isle as a part of a game: how it begins, and how it follows rulebook and players."""

from contextlib import suppress
from pathlib import Path

from django.db.models import F

from nomic.engine.subgames import Subgame, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.names import with_name
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.ledger.models import Asset
from nomic.rulebook.cell_words import cell_words_in
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import Machinery
from nomic.rulebook.in_force import name_key
from nomic.rulebook.tables import TableBroken
from settlers.api import isle_state
from settlers.events.clock import schedule_arrival, schedule_production
from settlers.events.victory import settle_victories
from settlers.events.visits import end_the_visit, follow_the_visitors_rule
from settlers.models import NOBODY, Isle
from settlers.notices import concerns
from settlers.rules.charts import Charts
from settlers.rules.isle import RESOURCES
from settlers.rules.titles import DECK, GIFT
from settlers.state.reading import ARRIVAL, ONLOOKER, PRODUCTION, deck_as_json, drop_state, state_of
from settlers.web.disclosed import traces_of_visits
from settlers.web.waiting import tour, waiting

_FAMILY = "resource"


_IS_ON = CompiledValues(lambda: Isle.objects.filter(is_on=True).order_by().values_list("pk"))


class TheIsle(Subgame):
    """The Isle of Multa (BlogNomic, January 2023)."""

    acts_in_its_panel = True
    short = "Isle"
    sign = "isle"
    public_alone = True
    open_tables = Charts.open_tables
    offices = frozenset({ONLOOKER})
    for_example = "I am Ready for the next Production"
    clauses = Charts.clauses
    cells = cell_words_in(Path(__file__).parent / "rules" / "cells.toml")
    concerns = staticmethod(concerns)
    waiting = staticmethod(waiting)
    tour = staticmethod(tour)
    state = staticmethod(isle_state)
    traces_of = staticmethod(traces_of_visits)

    def is_on(self, game: Game) -> bool:
        return _IS_ON.first(game=game.pk) is not None

    def machinery(self, table: Table, title: str) -> Machinery | None:
        """The Thug's rule is shipped beside the others, since a vote brings it."""
        thugs = machinery_in(self.rulebook / "thug", self.open_tables, self.clauses)
        return super().machinery(table, title) or thugs.get(name_key(title))

    def rules_changed(self, table: Table) -> None:
        """Begin once the isle's rules can be played by; then keep what they still say."""
        drop_state(table)
        state = state_of(table)
        in_force = table.rules.in_force(GIFT, DECK)
        if state.isle_or_none is None:
            if not in_force or self.broken(table):
                return
            table.ledger.rule = GIFT
            table.ledger.define_all({resource: resource for resource in RESOURCES}, family=_FAMILY)
            table.office(ONLOOKER)
            deck = deck_as_json(state.charts.deck)
            Isle.objects.create(game=table.game, begun_at=table.now, deck=deck)
        elif state.isle_or_none.is_on != in_force:
            Isle.objects.filter(pk=state.isle_or_none.pk).update(is_on=in_force)
        drop_state(table)
        if in_force:
            follow_the_visitors_rule(table)
            for schedule in (schedule_production, schedule_arrival):
                with suppress(TableBroken):  # what is in the schedule stays, and sticks when due
                    schedule(table)
            settle_victories(table)
        else:
            table.appointments.cancel_all(PRODUCTION, ARRIVAL)
            end_the_visit(table, NOBODY)
        drop_state(table)

    def joined(self, table: Table, player: Player) -> None:
        """Who comes back is a Settler again, and perhaps not Ready. The row of who leaves lies
        dormant, and it may be that now every Settler is Ready."""
        _reschedule_production(table)

    left = joined

    def renamed(self, table: Table, player: Player, former: str) -> None:
        """Who could read the bribes of this visit is known by the name."""
        for isle in Isle.objects.filter(game=table.game, watchers__contains=[former]):
            isle.watchers = with_name(isle.watchers, former, player.name)
            isle.save(update_fields=["watchers"])

    def office_changed(self, table: Table, office: str) -> None:
        """The Onlooker is no Settler while in office: perhaps all others are Ready."""
        if office == ONLOOKER:
            _reschedule_production(table)

    def corrected(self, table: Table) -> None:
        """Read the stockpiles anew: some may have been moved by hand."""
        drop_state(table)

    def keeper(self, game: Game) -> str:
        return ONLOOKER

    def may_seal(self, game: Game) -> bool:
        """Whether a visit in which bribes could be told in private has not been opened."""
        return game.visits.filter(sealed=True, opened_in__isnull=True).exists()

    def keeps(self, game: Game, asset: Asset) -> str:
        """The Onlooker keeps the stockpiles."""
        return ONLOOKER if asset.family == _FAMILY else ""

    def skipped(self, table: Table, kind: str) -> None:
        """A Production that does not happen is due again after the hours that the rule has. The
        Visitor Arrival after the most recent one counts as having happened."""
        isle = Isle.objects.filter(game=table.game)
        if kind == PRODUCTION:
            isle.update(postponed_at=table.now)
            drop_state(table)
            schedule_production(table)
        elif kind == ARRIVAL:
            isle.update(arrived_for=F("production"))
            drop_state(table)

    def broken(self, table: Table) -> str:
        """A sentence on the first chart that cannot be read, "" for none; before the isle begins,
        also on a resource's name that is another thing's of the game."""
        sentence, state = super().broken(table), state_of(table)
        if sentence or state.isle_or_none is not None:
            return sentence
        try:
            state.charts.check()
        except TableBroken as broken:
            return broken.sentence
        taken = table.ledger.taken_names(_FAMILY)
        name = next((resource for resource in RESOURCES if resource in taken), "")
        sentence = (
            f"{GIFT} has a resource “{name}”, which is the name of another asset of this game."
        )
        return sentence if name else ""

    def charts(self, table: Table) -> Charts:
        return state_of(table).charts


def _reschedule_production(table: Table) -> None:
    drop_state(table)
    with suppress(TableBroken):  # what stands in the schedule stays, and sticks when it is due
        schedule_production(table)


THE_ISLE = register(TheIsle("settlers", "The isle", Path(__file__).parent / "rulebook"))

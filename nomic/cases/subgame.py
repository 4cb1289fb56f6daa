"""Cases as a part of a game: they are called as long as a rule lets them be."""

from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from nomic.cases.api import cases_state, whole_case
from nomic.cases.finding import case_named, search_hits, traces_of
from nomic.cases.judging import end_all_playing, follow_the_rule, scheduled_in, seek_judge, take_off
from nomic.cases.models import LONGEST_STATEMENT, Assignment
from nomic.cases.notices import concerns, deadlines
from nomic.cases.precedents import notes_on
from nomic.cases.remedies import RATIFY
from nomic.cases.rulebook import LAWS, RULEBOOK
from nomic.cases.rules import CASES, CaseCharts
from nomic.cases.shapes import CaseShape, WholeCaseShape
from nomic.cases.state import LATE, WAITS, State, is_on, office_of, state_of
from nomic.cases.web.waiting import waiting
from nomic.engine.subgames import Subgame, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import Machinery
from nomic.rulebook.in_force import name_key
from nomic.rulebook.text_cache import committed_rules

_MOST_RATIFYING = 5


@cache
def _machinery() -> Machinery:
    """The knowledge of both laws, each a wording of the one rule."""
    open_tables = CaseCharts.open_tables
    by_law = {law: machinery_in(RULEBOOK / law, open_tables)[name_key(CASES)] for law in LAWS}
    passages = tuple(
        replace(passage, wording=law)
        for law, machinery in by_law.items()
        for passage in machinery.known
    )
    return replace(by_law[LAWS[0]], known=passages)


class Cases(Subgame):
    """Disputes about what the rules say, which judges decide."""

    open_tables = CaseCharts.open_tables
    sign = "scales"
    traces_of = staticmethod(traces_of)
    named = staticmethod(case_named)
    notes_on = staticmethod(notes_on)
    finds = staticmethod(search_hits)
    concerns = staticmethod(concerns)
    deadlines = staticmethod(deadlines)
    waiting = staticmethod(waiting)

    def is_on(self, game: Game) -> bool:
        return committed_rules(game).known(CASES) is not None

    def machinery(self, table: Table, title: str) -> Machinery | None:
        """Its knowledge of the rule, in the wording of either law."""
        return _machinery() if name_key(title) == name_key(CASES) else None

    def disputing(self, table: Table, statement: str = "", entry: int | None = None) -> str:
        if not is_on(table):
            return ""
        beginning = {"statement": statement[:LONGEST_STATEMENT], "entry": entry or ""}
        query = urlencode({name: content for name, content in beginning.items() if content})
        return f"{reverse('case_new', args=[table.game.slug])}?{query}"

    def ratifying(self, table: Table, player: Player) -> list[tuple[str, str, dict[str, Any]]]:
        """As what was judged in the newest cases that the player has judged."""
        if not is_on(table):
            return []
        judged = state_of(table).cases.filter(judge=player).exclude(verdict="")
        return [
            (f"Ratify it as judged in {case}", RATIFY, {"case": case.number}) for case in judged
        ]

    def charts(self, table: Table) -> CaseCharts:
        return state_of(table).charts

    def rules_changed(self, table: Table) -> None:
        """Let there be the office that the rule names, and what waits go on; nothing waits, and no
        sentence is played otherwise than it reads, while no rule lets cases be."""
        table.drop(State)
        if not is_on(table):
            if table.appointments.subjects(LATE, WAITS):
                table.appointments.cancel_all(LATE, WAITS)
            if end_all_playing(table):
                table.follow_the_rules()  # once more, for those who did so before this
            return
        if office := unless_broken(lambda: state_of(table).charts.office, ""):
            table.office(office)
        follow_the_rule(table)

    def joined(self, table: Table, player: Player) -> None:
        """A case for which nobody was eligible waits no longer."""
        scheduled = scheduled_in(table, WAITS)
        for case in state_of(table).open.filter(judge=None):
            if case.number not in scheduled:
                seek_judge(table, case)

    def came_back(self, table: Table, player: Player) -> None:
        self.joined(table, player)

    def left(self, table: Table, player: Player) -> None:
        """What they were to judge is assigned anew."""
        self._part(table, player, Assignment.End.LEFT)

    def went_away(self, table: Table, player: Player) -> None:
        """What they were to judge is assigned anew."""
        self._part(table, player, Assignment.End.AWAY)

    def _part(self, table: Table, player: Player, end: Assignment.End) -> None:
        for case in state_of(table).open.filter(judge=player):
            take_off(table, case, end)

    def office_changed(self, table: Table, office: str) -> None:
        """What waits for the office is the system's while nobody holds it."""
        state = state_of(table)
        if office != unless_broken(lambda: state.charts.office, "") or state.assigner:
            return
        scheduled = scheduled_in(table, WAITS)
        for case in state.open.filter(judge=None):
            if case.number in scheduled:
                table.appointments.cancel_whole(WAITS, str(case.number))
                seek_judge(table, case)

    def keeper(self, game: Game) -> str:
        """The office that assigns cases."""
        return office_of(game)

    def item_called(self, key: str) -> str:
        return f"Case {key}"

    def state(self, table: Table, player: Player | None) -> list[CaseShape] | None:
        """All cases of the game, the oldest first, without their texts."""
        return cases_state(table)

    def item(self, table: Table, player: Player | None, name: str) -> WholeCaseShape | None:
        """One case, by its number, with its texts, its judges and the motions that may open it."""
        return whole_case(table, player, name)


THE_CASES = register(Cases("cases", "Cases", RULEBOOK))

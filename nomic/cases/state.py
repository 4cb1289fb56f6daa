"""The cases of a game as its rule lets them be: rows by their numbers, and who may judge which."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Max, Q, QuerySet

from nomic.cases.models import Assignment, Case, CaseText, Exhibit, Reading, Request
from nomic.cases.rules import (
    BARRED,
    CALLER,
    CASES,
    NAMED,
    PARTIES,
    CaseCharts,
    Reopening,
    names_in,
    numbered_in,
)
from nomic.engine.actions import makes_officer
from nomic.engine.programs.additions import PARTIES as PARTIES_ACTS
from nomic.engine.subgames import all_subgames
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.governance.motions import BEHALF
from nomic.rulebook.book import Rulebook
from nomic.rulebook.charts import unless_broken, unless_off

LATE, WAITS = "cases.late", "cases.waits"
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class PossibleReopening:
    """A motion that may open a judgement again, who has asked for that, and how many more have to
    ask."""

    motion: Reopening
    asked_by: list[str]
    missing: int


class State:
    """The cases of one game as one table sees them; everything is read when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def charts(self) -> CaseCharts:
        """The figures of the rule, or of the last version of it that can be read."""
        rules = self.table.rules
        return rules.figures(CaseCharts, rules.texts(CaseCharts.titles))

    @property
    def cases(self) -> QuerySet[Case]:
        """All cases of the game with their people, the newest first."""
        cases = Case.objects.filter(game=self.table.game).select_related("caller", "judge")
        return cases.prefetch_related("barrings__player")

    @property
    def open(self) -> QuerySet[Case]:
        """Those that are not judged, the oldest first."""
        return self.cases.filter(verdict="").order_by("number")

    def case_named(self, number: str) -> Case | None:
        """The case of that number as an address has it."""
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            return None
        return self.cases.filter(number=int(number)).first()

    @property
    def next_number(self) -> int:
        """The number of the next one."""
        last: int | None = self.table.game.cases.aggregate(last=Max("number"))["last"]
        return (last or 0) + 1

    def called_this_week(self, player: Player) -> int:
        """How many cases the player has called within the last seven days of the game."""
        since = self.table.now - _WEEK
        return self.table.game.cases.filter(caller=player, called_at__gt=since).count()

    def offices_of(self, player: Player) -> list[str]:
        """The names of the offices that the player holds."""
        return [*self.table.directory.held_by(player)]

    def is_officer(self, player: Player) -> bool:
        """Whether the player holds an office that keeps something."""
        return makes_officer(self.offices_of(player))

    @property
    def assigner(self) -> str:
        """The office that assigns judges, if somebody holds it; "" where the system does."""
        office = unless_off(lambda: self.charts.office, "")
        return office if self.table.directory.offices.get(office) else ""

    # Who judges

    def excluded(self, case: Case) -> set[int]:
        """The keys of the players who are not to judge that case, whoever plays."""
        nobody: frozenset[str] = frozenset()
        never = unless_off(lambda: self.charts.never_its_judge, nobody)
        keys = set(case.assignments.exclude(ended_in=None).values_list("judge", flat=True))
        keys |= self._callers(case) if CALLER in never else set()
        keys |= set(case.barrings.values_list("player", flat=True)) if BARRED in never else set()
        if NAMED in never:
            keys |= set(self._named(case.statement))
        return keys | self._parties(case) if PARTIES in never else keys

    def _named(self, statement: str) -> QuerySet[Player, int]:
        """Whom the statement names, also by a name that they had before."""
        players, former = self.table.game.players, self.table.directory.former
        names = {*players.values_list("name", flat=True), *former}
        found = {former.get(name, name) for name in names_in(statement, names)}
        return players.filter(name__in=found).values_list("pk", flat=True)

    def _callers(self, case: Case) -> set[int]:
        """Whose case it is, and who has called it on their behalf, be it by a contract."""
        for_others = Q(name__startswith=f"{BEHALF}.") | Q(name__startswith=f"{PARTIES_ACTS}.")
        calls = self.table.game.entries.filter(for_others, seq=case.entry)
        return {case.caller_id, *calls.exclude(actor=None).values_list("actor", flat=True)}

    def _parties(self, case: Case) -> set[int]:
        """Whose own affair the case is: of what its statement names by its number, or its caller
        has named as evidence with it."""
        evidence = Exhibit.objects.filter(
            text__case=case, text__kind=CaseText.Kind.ARGUMENTS, evidence=None
        )
        subjects = {*evidence.values_list("kind", "name"), *numbered_in(case.statement)}
        return {
            key
            for kind, name in subjects
            for subgame in all_subgames()
            for key in subgame.parties_to(case.game, kind, name, case.entry)
        }

    def eligible(self, case: Case) -> list[Player]:
        """The players who may judge that case, first who has been assigned none for the longest
        time."""
        present = self.table.game.players.filter(active=True, away_in=None)
        players = present.exclude(pk__in=self.excluded(case))
        assigned = Assignment.objects.filter(game=self.table.game).order_by()
        last = dict(assigned.values_list("judge").annotate(Max("entry")))
        return sorted(players, key=lambda player: (last.get(player.pk, 0), player.pk))

    def dues(self, kind: str = LATE) -> dict[str, datetime]:
        """When the judge of each open case is late, by the case's number; or what else waits."""
        waiting = self.table.game.appointments.waiting().filter(kind=kind)
        return {
            subject.partition("/")[0]: due for subject, due in waiting.values_list("subject", "due")
        }

    # Judgements

    def judgement(self, case: Case) -> CaseText | None:
        """The judgement that stands; None while the case is open."""
        judgements = case.texts.filter(kind=CaseText.Kind.JUDGEMENT, overturned_in=None)
        return judgements.select_related("by").first()

    def filed(self, case: Case, motion: str) -> int:
        """How often that motion has opened the case again."""
        return case.texts.filter(overturned_by=motion).count()

    def reopenings(self, case: Case) -> list[PossibleReopening]:
        """The motions by which the judgement may be opened again now; none of an open case."""
        judgement = self.judgement(case)
        if judgement is None or case.judged_at is None or not is_on(self.table):
            return []
        age, possible = self.table.now - case.judged_at, []
        for motion in self.charts.motions.values():
            if motion.is_late(age):
                continue
            if motion.at_most is not None and self.filed(case, motion.name) >= motion.at_most:
                continue
            asked = self.asked(judgement, motion).values_list("player__name", flat=True)
            missing = max(motion.needs(age) + 1 - len(asked), 1)
            possible.append(PossibleReopening(motion, [*asked], missing))
        return possible

    def asked(self, judgement: CaseText, motion: Reopening) -> QuerySet[Request]:
        """The requests of players, who play still, for that motion, in their order."""
        return judgement.requests.filter(motion=motion.name, player__active=True).order_by("pk")

    def supporters(self, judgement: CaseText, motion: Reopening) -> set[int]:
        """The keys of the players who have asked for that motion and play still."""
        return set(self.asked(judgement, motion).values_list("player", flat=True))

    def standing_readings(self, rules: Collection[int] | None = None) -> QuerySet[Reading]:
        """The readings of judgements that stand, of sentences that stand, the oldest judgement
        first; perhaps of some rules alone."""
        rows = Reading.objects.filter(
            game=self.table.game, ended_in=None, judgement__overturned_in=None
        )
        rows = rows if rules is None else rows.filter(rule__in=rules)
        return rows.select_related("judgement__case", "rule").order_by("judgement__entry", "place")


def is_on(table: Table) -> bool:
    """Whether the rule that lets cases be is in force."""
    return table.rules.in_force(CASES)


def office_of(game: Game) -> str:
    """The office that assigns cases by the rule in force; "" where none does."""
    rules = Rulebook(game, None)
    charts = rules.figures(CaseCharts, rules.texts(CaseCharts.titles))
    return unless_broken(lambda: charts.office, "")


def state_of(table: Table) -> State:
    """The state of the cases at that table."""
    return table.once(State)

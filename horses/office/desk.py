"""The Horsened's desk: the week's duty, the race drawn, and the books of the races."""

from collections.abc import Iterable

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from horses.rules.payouts import DOLLARY, HOOF
from horses.state import HORSENED, RUN_EVENT, state_of
from horses.web.views import chart
from nomic.engine.table import Table
from nomic.games.calendars import next_week
from nomic.governance.desks import MOST_SHOWN, Desk, Duty, Picture, bars, desk
from nomic.ledger.models import Balance

_PURSES = {DOLLARY: "Dollaries", HOOF: "Hooves"}


@desk
class HorsenedDesk(Desk):
    """The desk of the office that keeps the races (Weekly Race Actions; Motivating Horses)."""

    subgame = "horses"
    office = HORSENED

    def duties(self, table: Table) -> Iterable[Duty]:
        if state_of(table).motivation is None:
            title = "The horses have not been motivated this week"
            due = next_week(table.now)
            yield Duty(title, due, rule="Motivating Horses", action="horses.motivate")

    def pictures(self, table: Table) -> Iterable[Picture]:
        """The positions of the running race after each of its runs, and who has the most dollaries
        and hooves."""
        state = state_of(table)
        started = state.running_race.started_in
        runs = list(table.game.entries.filter(name=RUN_EVENT, seq__gt=started).order_by("seq"))
        drawn = chart(state, runs)
        yield Picture(
            f"Race {state.running_race.number}: positions after each run",
            "offices/_courses.html",
            drawn,
            ("Horse", *(f"Run {week}" if week != "0" else "Start" for week in drawn["weeks"])),
            [(name, *course) for name, course in drawn["courses"]],
        )
        # Not the state's players: these are one query for however many there are.
        balances = Balance.objects.filter(
            asset__game=table.game,
            asset__name__in=_PURSES,
            holder__player__active=True,
            amount__gt=0,
        )
        richest = (F("amount").desc(), F("holder__name").asc())
        place = Window(RowNumber(), partition_by=F("asset"), order_by=richest)
        rows = balances.annotate(place=place).filter(place__lte=MOST_SHOWN).order_by("place")
        purses = list(rows.values_list("asset__name", "holder__name", "amount"))
        for asset, title in _PURSES.items():
            held = [(player, amount) for name, player, amount in purses if name == asset]
            yield bars(title, title.lower(), ("Player", title), held)

"""How a race starts, and the next one after it; motivating the horses, and the reminder of it in
the last hour of a week."""

from datetime import timedelta

from horses.models import Motivation, Race, Runner
from horses.rules.payouts import DOLLARY, HOOF, POINTS
from horses.rules.race import started_anew
from horses.rules.titles import HORSES, as_steps
from horses.state import HORSENED, State, forget, state_of
from nomic.engine.effects import Cancel, Effects, Roll, Set
from nomic.engine.table import Table
from nomic.games.calendars import next_week
from nomic.games.models import Player
from nomic.games.wording import listed
from nomic.ledger.models import AssetKind

LAST_HOUR = "horses.last_hour"
DEPUTISE = "horses.motivate_for_the_horsened"
BY_HAND = "horses.by_hand"
FAMILY = "horse"
_HOUR = timedelta(hours=1)


def begin(table: Table) -> None:
    """Start the first race of a game, with the horses, currencies and office that races need."""
    table.ledger.rule = HORSES
    table.ledger.define_all({DOLLARY: "dollaries", HOOF: "hooves"}, fixed=True)
    table.office(HORSENED)
    _line_up(table, 1)


def start_anew(table: Table) -> None:
    """End the running race and start the next (Horses). Set-based: no query a player.

    Raises ChartBroken where the charts have no horses that can race.
    """
    race, charts = state_of(table).running_race, state_of(table).charts
    horses = {*state_of(table).names, *charts.names_beside(taken_names(table))}
    race.ended_in = table.seq
    race.save(update_fields=["ended_in"])
    why = f"race {race.number + 1} starts"
    table.ledger.rule = HORSES
    table.ledger.gather(table.ledger.agora, sorted(horses), why)
    table.ledger.destroy_all(DOLLARY, why)
    table.ledger.destroy_all(HOOF, why)
    _line_up(table, race.number + 1)


def _line_up(table: Table, number: int) -> None:
    """Put every horse of the charts at the start, and give each player what the rule gives."""
    charts, why = state_of(table).charts, f"race {number} starts"
    new = {name: name for name in table.ledger.unowned(charts.names)}
    table.ledger.define_all(new, kind=AssetKind.UNIQUE, indestructible=True, family=FAMILY)
    for name in new:
        table.ledger.create(table.ledger.agora, 1, name, f"{name} comes to the races")
    field = started_anew(charts.track, {name: charts.pulls_at_start(name) for name in charts.names})
    race = Race.objects.create(game=table.game, number=number, started_in=table.seq)
    Runner.objects.bulk_create(
        Runner(
            race=race,
            asset=table.ledger.asset(name),
            name=name,
            position=horse.position,
            finish=field.track.finish,
            pulls=sorted(horse.pulls),
        )
        for name, horse in field.horses.items()
    )
    if table.game.players.filter(active=True).exists():
        table.ledger.create_for_all_active(charts.starting_dollaries, DOLLARY, why)
    forget(table)


def keep_the_last_hour(table: Table) -> None:
    """See to it that somebody looks, an hour before the week ends, whether it has a motivation."""
    if not is_deputised(table):
        table.appointments.cancel(LAST_HOUR)
    elif state_of(table).motivation is None:
        due = max(next_week(table.now) - _HOUR, table.now)
        table.appointments.make(LAST_HOUR, due, once=True)


def is_deputised(table: Table) -> bool:
    """Whether the system motivates for the Horsened: unless the game is one where it never does,
    or its Horsened keeps that by hand."""
    kept = table.game.setting(BY_HAND, False) and table.directory.offices.get(HORSENED)
    return bool(table.game.setting(DEPUTISE, True)) and not kept


def taken_names(table: Table) -> set[str]:
    """The names that no horse can have, since they are those of other things."""
    return {DOLLARY, HOOF, POINTS, *table.ledger.taken_names(FAMILY)}


def motivate(race: State, by: Player | None) -> Effects:
    """Let the dice choose this week's galloper and distance (Motivating Horses)."""
    distances = [*race.charts.distances]

    def chosen(galloper: str, distance: int) -> Effects:
        who = by.name if by else "Nobody has yet, so the system, for the Horsened,"
        return Effects(
            Set(Motivation, week=race.week, galloper=galloper, distance=distance, by=by),
            *([Cancel(LAST_HOUR)] if by else []),
            say=f"{who} motivates the horses: {galloper} will gallop {as_steps(distance)}.",
            figures={"galloper": galloper, "distance": distance},
        )

    return Effects(
        Roll({"galloper": race.names, "distance": distances}, chosen),
        outlook="Costs nothing, and is not your race action. The dice choose which horse will"
        f" gallop and how far: {listed([*map(str, distances)], 'or')} steps. The horses run when"
        " the next week begins.",
    )

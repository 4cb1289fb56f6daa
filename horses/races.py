"""The races as a part of a game: how they begin, start anew, follow rulebook and players."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from horses import views
from horses.charts import HORSES, MOTIVATING, RUN, TITLES, ChartBroken
from horses.models import Bet, Gear, Motivation, Race, Runner, Turn
from horses.payouts import DOLLARY, HOOF, POINTS
from horses.rules import started_anew
from horses.standing import horses_state
from horses.state import RUN_EVENT, forget, state_of
from nomic.games.calendars import next_week
from nomic.games.models import Game, Player
from nomic.games.readings import played_by
from nomic.ledger.models import Asset, AssetKind, Holder, Posting
from nomic.play.digest import plain_rows
from nomic.play.subgames import Panel, Subgame
from nomic.play.table import Table

if TYPE_CHECKING:
    from nomic.play.frame import Frame

HORSENED = "Horsened"
LAST_HOUR = "horses.last_hour"
DEPUTISE = "horses.motivate_for_the_horsened"
_FAMILY = "horse"
_HOUR = timedelta(hours=1)


class Races(Subgame):
    """Agora's horse races (Proposal 8822, August 2022)."""

    for_example = "I bet 3 dollaries on Fargo"

    def is_on(self, game: Game) -> bool:
        return Race.objects.filter(game=game, ended_in__isnull=True).exists()

    def rules_changed(self, table: Table) -> None:
        """Begin the first race once all seven rules can be played by; keep what they still say."""
        forget(table)
        state = state_of(table)
        if state.race is None:
            if not table.rules.in_force(*TITLES) or not _playable(table):
                return
            begin(table)
        _keep(table, RUN_EVENT, HORSES, RUN)
        if table.rules.in_force(HORSES, RUN, MOTIVATING):
            keep_the_last_hour(table)
        else:
            table.appointments.cancel(LAST_HOUR)
        forget(table)

    def joined(self, table: Table, player: Player) -> None:
        """Whoever comes before the horses have first run is there at the start of the first race,
        and gets once what it gives."""
        if _is_at_the_start(table, player):
            table.ledger.rule = HORSES
            with suppress(ChartBroken):
                amount = state_of(table).charts.starting_dollaries
                table.ledger.create(player, amount, DOLLARY, "at the start of the first race")

    def left(self, table: Table, player: Player) -> None:
        """Their horses go to the lost and found department, and from there at once to Agora."""
        forget(table)
        self.corrected(table)

    def corrected(self, table: Table) -> None:
        """Who has left loses their horses, and lost horses go to Agora at once (Horses)."""
        ledger, table.ledger.rule = table.ledger, HORSES
        lost, left = ledger.lost_and_found, state_of(table).without_a_player
        for horse, name in left.items():
            why = f"{name} has left the game"
            ledger.transfer(_holder(table, horse), lost, 1, horse, why)
        for horse in state_of(table).names:
            if horse in left or ledger.balance(lost, horse):
                ledger.transfer(lost, ledger.agora, 1, horse, "lost horses are Agora's")
        forget(table)

    def keeper(self, game: Game) -> str:
        """The Horsened."""
        return HORSENED

    def keeps(self, game: Game, asset: Asset) -> str:
        """The Horsened keeps the horses and both currencies of the races."""
        ours = asset.family == _FAMILY or asset.name in (DOLLARY, HOOF)
        return HORSENED if ours else ""

    def skipped(self, table: Table, kind: str) -> None:
        """Each run makes the appointment of the week's last hour, and so does one that is not."""
        if kind == RUN_EVENT and table.rules.in_force(HORSES, RUN, MOTIVATING):
            keep_the_last_hour(table)

    def broken(self, table: Table) -> str:
        """The first chart that cannot be read."""
        try:
            state_of(table).charts.check()
        except ChartBroken as broken:
            return broken.sentence
        return ""

    def state(self, table: Table, player: Player | None) -> dict[str, Any] | None:
        """The horses, who owns them, gear and bets of the running race; nothing is private."""
        return horses_state(table, player)

    def panel(self, frame: Frame) -> Panel | None:
        """The track of the running race."""
        return views.panel(frame)

    def digest(self, game: Game) -> Any:
        """Every race with its horses, gear and bets, every turn and motivation, by name."""
        races = Race.objects.filter(game=game).order_by("number")
        return {
            "races": [_race_digest(race) for race in races],
            "turns": plain_rows(
                Turn.objects.filter(game=game), "player__name", "what", "period", "entry"
            ),
            "motivations": plain_rows(
                Motivation.objects.filter(game=game),
                "week",
                "galloper",
                "distance",
                "by__name",
                "entry",
            ),
        }


THE_RACES = Races("horses", "The races", Path(__file__).parent / "rulebook")


def begin(table: Table) -> None:
    """Start the first race of a game, with the horses, currencies and office that races need."""
    table.ledger.rule = HORSES
    table.ledger.define(DOLLARY, "dollaries", fixed=True)
    table.ledger.define(HOOF, "hooves", fixed=True)
    table.office(HORSENED)
    _line_up(table, 1)


def start_anew(table: Table) -> None:
    """End the running race and start the next (Horses). Set-based: no query a player.

    Raises ChartBroken where the charts have no horses that can race.
    """
    race, charts = state_of(table).running_race, state_of(table).charts
    horses = {*state_of(table).names, *charts.names_beside(_taken(table))}
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
    for name in table.ledger.unowned(charts.names):
        _bring(table, name)
    field = started_anew(charts.track, {name: charts.pulls[name] for name in charts.names})
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
    players = table.game.players.filter(active=True)
    if players.exists():
        table.ledger.create_for_each(players, charts.starting_dollaries, DOLLARY, why)
    forget(table)


def _bring(table: Table, horse: str) -> None:
    table.ledger.define(horse, horse, kind=AssetKind.UNIQUE, indestructible=True, family=_FAMILY)
    table.ledger.create(table.ledger.agora, 1, horse, f"{horse} comes to the races")


def keep_the_last_hour(table: Table) -> None:
    """See to it that somebody looks, an hour before the week ends, whether it has a motivation."""
    wanted = table.game.setting(DEPUTISE, True)
    if wanted and state_of(table).motivation is None and not table.appointments.waiting(LAST_HOUR):
        table.appointments.make(LAST_HOUR, max(next_week(table.now) - _HOUR, table.now))


def _is_at_the_start(table: Table, player: Player) -> bool:
    if not played_by(table.game, 2):
        race, entries = state_of(table).running_race, table.game.entries
        is_first = race.number == 1 and not entries.filter(name__startswith="horses.").exists()
        return is_first and not table.ledger.balance(player, DOLLARY)
    had = Posting.objects.filter(holder=player.holder, asset=table.ledger.asset(DOLLARY))
    ran = table.game.entries.filter(name=RUN_EVENT, outcome__ran=True)
    return not ran.exists() and not had.exists()


def _holder(table: Table, horse: str) -> Holder:
    return Holder(pk=state_of(table).keeper_of(horse))


def _keep(table: Table, event: str, *rules: str) -> None:
    if table.rules.in_force(*rules):
        table.appointments.begin(event)
    else:
        table.appointments.cancel(event)


def _taken(table: Table) -> set[str]:
    """The names that no horse can have, since they are those of other things."""
    return {DOLLARY, HOOF, POINTS, *table.ledger.taken_names(_FAMILY)}


def _playable(table: Table) -> bool:
    charts = state_of(table).charts
    try:
        charts.check()
        charts.names_beside(_taken(table))
    except ChartBroken:
        return False
    return True


def _race_digest(race: Race) -> dict[str, Any]:
    return {
        "number": race.number,
        "started_in": race.started_in,
        "ended_in": race.ended_in,
        "horses": plain_rows(
            Runner.objects.filter(race=race), "name", "position", "place", "finish", "pulls"
        ),
        "gear": plain_rows(
            Gear.objects.filter(race=race), "player__name", "kind", "horse", "entry"
        ),
        "bets": plain_rows(
            Bet.objects.filter(race=race), "player__name", "horse", "dollaries", "entry"
        ),
    }

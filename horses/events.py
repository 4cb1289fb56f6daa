"""How a race starts, the weekly run, the end of a race and the next one after it; motivating the
horses, and the reminder of it in the last hour of a week."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from itertools import groupby, islice
from typing import Any

from django.db.models import Count, Sum

from horses.models import Bet, Gear, Motivation, Race, Runner
from horses.rules.charts import Victory
from horses.rules.payouts import (
    DOLLARY,
    FOR_BET,
    FOR_GALLOP,
    FOR_MOST,
    FOR_OUTFIT,
    FOR_PLACE,
    HOOF,
    POINTS,
    Holdings,
    Payout,
    payouts,
    victor,
)
from horses.rules.race import PLACE_NAMES, THIRD, Field, run, started_anew
from horses.rules.titles import (
    HORSES,
    MOTIVATING,
    POWERS,
    RUN,
    VICTORY,
    as_dollaries,
    as_hooves,
    as_steps,
)
from horses.state import (
    HORSENED,
    RUN_EVENT,
    State,
    describe_moves,
    drop_state,
    save_field,
    state_of,
)
from nomic.engine.coverage import kept_by_hand
from nomic.engine.effects import Cancel, Effects, Roll, Set, apply
from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.programs.hooks import (
    decided,
    happened,
    publish,
    publish_happening,
    unfit_amount,
)
from nomic.engine.table import Table
from nomic.games.calendars import WEEK, next_week
from nomic.games.models import Player
from nomic.games.wording import counted, enumerated
from nomic.governance.breaches import breach, tells_of_breaches, week_of
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.ledger.models import AssetKind
from nomic.rulebook.charts import unless_broken

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

    Raises TableBroken where the charts have no horses that can race.
    """
    race, charts = state_of(table).running_race, state_of(table).charts
    horses = {*state_of(table).names, *charts.names_beside(taken_names(table))}
    race.ended_in = table.seq
    race.save(update_fields=["ended_in"])
    reason = f"race {race.number + 1} starts"
    table.ledger.rule = HORSES
    table.ledger.gather(table.ledger.agora, sorted(horses), reason)
    table.ledger.destroy_all(DOLLARY, reason)
    table.ledger.destroy_all(HOOF, reason)
    _line_up(table, race.number + 1)


def _line_up(table: Table, number: int) -> None:
    """Put every horse of the charts at the start, and give each player what the rule gives."""
    charts, reason = state_of(table).charts, f"race {number} starts"
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
        table.ledger.create_for_all_active(charts.starting_dollaries, DOLLARY, reason)
    drop_state(table)


def schedule_last_hour(table: Table) -> None:
    """See to it that somebody looks, an hour before the week ends, whether it has a motivation."""
    if not is_deputised(table):
        table.appointments.cancel(LAST_HOUR)
    elif state_of(table).motivation is None:
        # Within the last hour it is due at once: an officer who kept it by hand may just have left.
        due = max(next_week(table.now) - _HOUR, table.now)
        table.appointments.make(LAST_HOUR, due, once=True)


_MOTIVATED_FOR_THE_HORSENED = (
    "Nobody has motivated the horses this week, so the system does it for the Horsened"
)


def is_deputised(table: Table) -> bool:
    """Whether the system motivates for the Horsened: unless the game is one where it never does,
    or its Horsened keeps that by hand."""
    is_kept_by_hand = table.game.setting(BY_HAND, False) and table.directory.offices.get(HORSENED)
    return bool(table.game.setting(DEPUTISE, True)) and not is_kept_by_hand


def taken_names(table: Table) -> set[str]:
    """The names that no horse can have, since they are those of other things."""
    return {DOLLARY, HOOF, POINTS, *table.ledger.taken_names(FAMILY)}


def motivate(race: State, by: Player | None) -> Effects:
    """Let the dice choose this week's galloper and distance (Motivating Horses)."""
    distances = [*race.charts.distances]

    def chosen(galloper: str, distance: int) -> Effects:
        deed = f"{by.name} motivates the horses" if by else _MOTIVATED_FOR_THE_HORSENED
        return Effects(
            Set(Motivation, week=race.week, galloper=galloper, distance=distance, by=by),
            *([Cancel(LAST_HOUR)] if by else []),
            say=f"{deed}: {galloper} will gallop {as_steps(distance)}.",
            figures={"galloper": galloper, "distance": distance},
        )

    return Effects(
        Roll({"galloper": race.names, "distance": distances}, chosen),
        outlook="Costs nothing, and is not your race action. The dice choose which horse will"
        f" gallop and how far: {enumerated([*map(str, distances)], 'or')} steps. The horses run"
        " when the next week begins.",
    )


BAXTER = "Baxter"
_PLAYERS = CompiledValues(lambda: Player.objects.filter(active=True).order_by().values_list("pk"))
_TOLD = 10  # players whose amounts an announcement lists


@appointment(tells_of_breaches(RUN_EVENT), title="The horses run", every="week", rule=RUN)
def the_horses_run(table: Table, subject: str) -> Outcome:
    """Start of a week: hooves, movement, crossings, and perhaps the end of the race."""
    state = state_of(table)
    if table.rules.in_force(MOTIVATING):
        schedule_last_hour(table)
    # Of the week that just ended: a motivation serves one run and is not kept for a later one.
    motivation = state.motivation_of(state.last_week())
    why_not = _standstill(table, state, motivation)
    if motivation is None or why_not:
        breached = _unmotivated(table) if motivation is None else Outcome("")
        text = f"The horses did not run: {why_not}. {breached.text}".rstrip()
        return Outcome(text, {**_NO_RUN, **breached.figures})
    hooves = state.charts.hooves_a_week
    if hooves and table.once(_has_players):
        table.ledger.create_for_all_active(hooves, HOOF, "the horses run")
    resolved = run(state.field, motivation.galloper, motivation.distance, state.charts.pull_steps)
    paid = _pay_baxter(table, state, motivation.galloper, resolved.galloped)
    save_field(table, resolved.field)
    movement = describe_moves(resolved.moves, "gallops")
    if not resolved.galloped:
        moved = f"; {describe_moves(resolved.moves)}" if resolved.moves else ""
        movement = f"{motivation.galloper} is chosen and has no step left{moved}"
    sentences = [f"The horses run, and every player gains {as_hooves(hooves)}. {movement}."]
    sentences += [
        f"{c.horse} crosses the line as the {PLACE_NAMES[c.place]}." for c in resolved.crossed
    ]
    sentences += [f"{p.player} gains {as_dollaries(p.amount)}: {p.reason}." for p in paid]
    figures: dict[str, Any] = {
        "ran": True,
        "galloper": motivation.galloper,
        "distance": motivation.distance,
        **resolved.to_dict(),
    }
    if resolved.race_ended and table.rules.in_force(VICTORY):
        ended = end_the_race(table, state, resolved.field)
        paid += ended.paid
        sentences.append(_ending(ended))
        figures["totals"] = ended.totals
    return Outcome(" ".join(sentences), {**figures, "payouts": _as_figures(paid)})


@appointment(
    LAST_HOUR, title="The horses are motivated, if no player has done it yet", rule=MOTIVATING
)
def the_last_hour(table: Table, subject: str) -> Outcome:
    """An hour before the week ends: motivate for the Horsened unless somebody has."""
    if state_of(table).motivation is not None:
        return Outcome("The horses have been motivated this week.")
    if _is_empty(table):
        return Outcome("The game has no players, so nobody motivates the horses.")
    return apply(table, motivate(state_of(table), None))


def _unmotivated(table: Table) -> Outcome:
    """What is told of the Horsened where the week that has just ended had no motivation."""
    charts = state_of(table).charts
    could_be = not _is_empty(table) and table.rules.in_force(MOTIVATING)
    if not could_be or not unless_broken(lambda: charts.distances, ()):
        return Outcome("")
    if kept_by_hand(table, LAST_HOUR):  # the sentence that says so reads otherwise by now
        return Outcome("")
    omission = "seeing to it that the horses were motivated"
    return breach(table, HORSENED, week_of(table.now - WEEK), omission)


def _is_empty(table: Table) -> bool:
    """Whether nobody plays, so that there is no race."""
    return not table.once(_has_players)


def _has_players(table: Table) -> bool:
    if state_of(table).owners:  # which is read anyway
        return True
    return _PLAYERS.first(game=table.game.pk) is not None


_NO_RUN: dict[str, Any] = {
    "ran": False,
    "galloper": None,
    "distance": None,
    "moves": [],
    "crossed": [],
    "race_ended": False,
    "payouts": [],
}


def _standstill(table: Table, state: State, motivation: Motivation | None) -> str:
    """Why the horses stand still this week; empty if they run."""
    if _is_empty(table):
        return "the game has no players"
    if motivation is None:
        return "nobody motivated them"
    if any(runner.place == THIRD for runner in state.runners):
        return "the race is over, and no rule in force starts it anew"
    if motivation.galloper not in state.names:
        return f"{motivation.galloper} is not in the race"
    return ""


def _as_figures(paid: Iterable[Payout]) -> list[dict[str, Any]]:
    return [asdict(payout) for payout in paid]


def _pay_baxter(table: Table, state: State, galloper: str, steps: int) -> list[Payout]:
    """Baxter's owner gains for each step that Baxter takes as the galloper (Horse Powers)."""
    owner = state.owners.get(BAXTER) if galloper == BAXTER else None
    keeper = state.keepers.get(BAXTER) if owner else None
    if owner is None or keeper is None or not steps or not table.rules.in_force(POWERS):
        return []
    gain = steps * state.charts.power(BAXTER).dollaries
    if not gain:
        return []
    table.ledger.rule = POWERS
    reason = f"Baxter gallops {as_steps(steps)}"
    table.ledger.pay_out({keeper.pk: gain}, DOLLARY, reason)
    return [Payout(owner, DOLLARY, gain, reason, FOR_GALLOP)]


# What programs may decide, and be told of


GAIN = publish(
    "horses.gain",
    "int",
    "How many dollaries a player gains by announcement.",
    {"player": "Player"},
    unfit_amount,
)


SCORE = publish(
    "horses.score",
    "int",
    "How many points the player with the most dollaries scores at the end of a race.",
    {"player": "Player"},
    unfit_amount,
)


PRIZE = publish(
    "horses.prize",
    "int",
    "How many dollaries the owner of the horse in a Race Place gains at the end of a race.",
    {"player": "Player", "horse": "str", "place": "int"},
    unfit_amount,
)


RACE_ENDED = publish_happening(
    "horses.race_ended", "A race has ended, is paid for, and the next one has started."
)


# The end of a race


@dataclass(frozen=True, slots=True)
class Ended:
    """The payouts of a race's end, and the dollaries that the first few players then had."""

    paid: list[Payout]
    totals: list[tuple[str, int]]


def end_the_race(table: Table, state: State, field: Field) -> Ended:
    """Pay for the race, score, and start the next one (Horse Victory), in the rule's order.

    A fixed number of queries however many players there are.
    """
    books, holders = _holdings(state)
    multipliers = {name: state.charts.multiplier(field[name]) for name in field.names}
    victory = _with_prizes(table, state.charts.victory, field, state.owners)
    paid = list(payouts(field, multipliers, victory, books))
    table.ledger.rule = VICTORY
    for reason, group in groupby(paid, key=lambda payout: payout.reason):
        amounts = {holders[payout.player]: payout.amount for payout in group}
        table.ledger.pay_out(amounts, DOLLARY, reason)
    # The players with the most dollaries, and no fewer than two if there are.
    held = table.ledger.balance_rows(DOLLARY).filter(holder__player__active=True)
    rows = held.order_by("-amount", "holder__player__name")
    richest = dict(rows.values_list("holder__player__name", "amount")[:_TOLD])
    if len(richest) < 2:
        others = table.game.players.filter(active=True).exclude(name__in=richest)[:2]
        richest |= dict.fromkeys((player.name for player in others), 0)
    winner, points = victor(richest), state.charts.victory.points
    if winner is not None and (points := decided(table, SCORE, points, player=winner)):
        table.ledger.create(table.seat(winner), points, POINTS, "the most dollaries")
        paid.append(Payout(winner, POINTS, points, "the most dollaries", FOR_MOST))
    start_anew(table)
    ended = Ended(paid, list(richest.items()))
    happened(table, RACE_ENDED, Outcome(_ending(ended), {"payouts": _as_figures(paid)}))
    return ended


def _with_prizes(
    table: Table, victory: Victory, field: Field, owners: Mapping[str, str]
) -> Victory:
    """The victory's payments, with each prize that has an owner as programs decide it."""
    prizes = {
        horse.place: decided(
            table,
            PRIZE,
            victory.prizes[horse.place],
            player=owners[name],
            horse=name,
            place=horse.place,
        )
        for name, horse in field.horses.items()
        if horse.place is not None and name in owners
    }
    return replace(victory, prizes={**victory.prizes, **prizes})


def _holdings(state: State) -> tuple[Holdings, dict[str, int]]:
    """What the end of the race is paid for, and the holder of each player that it may pay."""
    race = state.running_race
    gear = Gear.objects.filter(race=race, player__active=True).order_by()
    pairs = gear.values_list("player__name", "horse", "player__holder__pk").annotate(
        kinds=Count("kind", distinct=True)
    )
    # A jersey and a helmet of one player for one horse.
    outfits = list(pairs.filter(kinds=2).values_list("player__name", "horse", "player__holder__pk"))
    staked = Bet.objects.filter(race=race, player__active=True).order_by()
    sums = staked.values("player__name", "horse", "player__holder__pk").annotate(
        total=Sum("dollaries")
    )
    bets = list(sums.values_list("player__name", "horse", "total", "player__holder__pk"))
    holders = {player: holder for player, _, holder in outfits}
    holders |= {player: holder for player, _, _, holder in bets}
    for horse, owner in state.owners.items():
        holders[owner] = state.keepers[horse].pk
    held = Holdings(
        owners=state.owners,
        outfits={(player, horse) for player, horse, _ in outfits},
        bets={(player, horse): stake for player, horse, stake, _ in bets},
    )
    return held, holders


def _ending(ended: Ended) -> str:
    """How the race ended, in words."""
    prizes = [p for p in ended.paid if p.of == FOR_PLACE]
    said = [f"{p.player} gains {as_dollaries(p.amount)}, since {p.reason}." for p in prizes]
    said += [
        f"Outfits pay {_sums(ended.paid, FOR_OUTFIT)}.",
        f"Bets pay {_sums(ended.paid, FOR_BET)}.",
        f"Dollaries in the end: {_listed(dict(ended.totals))}.",
    ]
    scored = [p for p in ended.paid if p.asset == POINTS]
    said += [f"{p.player} has the most dollaries and scores {p.amount} points." for p in scored]
    if not scored:
        said.append("No player alone has the most dollaries, so nobody scores.")
    return " ".join(["The race ends.", *said, "The race starts anew."])


def _sums(paid: Iterable[Payout], of: str) -> str:
    """The sum that each player gained that way, the largest first, as “juan 36, Murphy 24”;
    “nobody” where none did."""
    sums: Counter[str] = Counter()
    for payout in paid:
        if payout.of == of:
            sums[payout.player] += payout.amount
    return _listed(dict(sorted(sums.items(), key=lambda pair: (-pair[1], pair[0])))) or "nobody"


def _listed(amounts: dict[str, int]) -> str:
    named = [f"{name} {amount}" for name, amount in islice(amounts.items(), _TOLD)]
    rest = len(amounts) - len(named)
    ending = [f"and {counted(rest, 'other player')}"] if rest else []
    return ", ".join([*named, *ending])

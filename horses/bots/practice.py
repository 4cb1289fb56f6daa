"""Sensible acts of a practice player at the races: a horse, a bet, a power, a nudge."""

import re
from collections.abc import Iterator, Sequence
from random import Random

from horses.rules.payouts import DOLLARY, HOOF
from horses.state import state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.simulation.bots import Act, Fact

_FOREMOST = 3
_SPITEFUL = 0.05
_DRESSES = 0.15  # seldom: hooves are saved for nudges, so that races come to an end
_OF_THE_RACE = re.compile(r"\b(race|horse|lead|ahead|first|bet|win)", re.IGNORECASE)


def facts(table: Table) -> Iterator[Fact]:
    """Who leads the race."""
    running = [runner for runner in state_of(table).runners if runner.place is None]
    if running:
        best = max(runner.position for runner in running)
        first = [runner.name for runner in running if runner.position == best]
        lead = "leads" if len(first) == 1 else "lead"
        sentence = f"{' and '.join(first)} {lead} the race, at Race Position {best}."
        yield _OF_THE_RACE, sentence


def practice(table: Table, player: Player, chance: Random) -> Iterator[Act]:
    """Moves, the best first; which of them are legal is for others to say."""
    state = state_of(table)
    if state.race is None:
        return
    if state.motivation is None:
        yield "horses.motivate", {}
    running = [runner for runner in state.runners if runner.place is None]
    order = [runner.name for runner in sorted(running, key=lambda runner: -runner.position)]
    if not order:
        return
    owned = [name for name in state.names if state.owners.get(name) == player.name]
    if "Cannon" in owned:
        yield "horses.cannon_power", {}
    rival = next((horse for horse in order if horse not in owned), None)
    if "Destructor" in owned and rival and chance.random() < _SPITEFUL:
        yield "horses.destructor_power", {"horse": rival}
    if state.seat(player).acted:
        return
    if not owned:
        for horse in chance.sample(order, len(order)):
            yield "horses.buy", {"horse": horse}
    yield from _weekly_action(table, player, owned, order, chance)


def _weekly_action(
    table: Table, player: Player, owned: Sequence[str], order: Sequence[str], chance: Random
) -> Iterator[Act]:
    """The week's one action: what their horses can do, gear, a bet, and money where nothing else
    is to be had."""
    mine = next((horse for horse in order[:_FOREMOST] if horse in owned), order[0])
    if chance.random() < 0.6:
        if "Rubert" in owned:
            yield "horses.rubert_power", {"horse": order[-1], "dollaries": 1}
        if "Fargo" in owned:
            yield "horses.fargo_power", {"horse": order[0]}
        if "Sugar" in owned:
            yield "horses.sugar_power", {"horse": chance.choice(["Sugar", order[0]])}
        if "Nacho" in owned and len(order) >= _FOREMOST:
            wears, pulling, added = chance.sample(order, _FOREMOST)
            inputs = {"horse": wears, "pulling_horse": pulling, "added_pull": added}
            yield "horses.nacho_power", inputs
    if chance.random() < 0.9:
        yield "horses.nudge", {"horse": mine, "direction": "forward"}
    if table.ledger.balance(player, HOOF) and chance.random() < _DRESSES:
        yield "horses.get_helmet", {"horse": mine}
        yield "horses.get_jersey", {"horse": order[-1], "added_pull": mine}
    dollaries = table.ledger.balance(player, DOLLARY)
    if dollaries and chance.random() < 0.8:
        favourite = chance.choice([mine, *order[:_FOREMOST]])
        yield "horses.bet", {"horse": favourite, "dollaries": min(3, dollaries)}
    yield "horses.gain_dollaries", {}

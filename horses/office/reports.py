"""What the Horsened publishes each week."""

from __future__ import annotations

from typing import Any

from horses.api import bets_of, gear_of, horses_to_dict, motivation_to_dict
from horses.rules.payouts import DOLLARY, HOOF, POINTS
from horses.rules.race import PLACE_NAMES
from horses.state import HORSENED, THE_SYSTEM, state_of
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.ledger.models import Balance
from nomic.standard.reports import Cells, Facts, Part, Report, minute, report

_RECENT = 20


@report
class HorsenedReport(Report):
    """Currencies, horses, gear, bets and what happened lately (Horses; Weekly Race Actions)."""

    name = "horsened"
    title = "The Horsened's weekly report"
    subgame = "horses"
    office = HORSENED
    rule = "Weekly Race Actions"

    def facts(self, table: Table) -> Facts:
        state = state_of(table)
        race = state.running_race
        recent = table.game.entries.filter(name__startswith="horses.").order_by("-seq")[:_RECENT]
        return {
            "game": table.game.title,
            "at": iso(table.now),
            "race": race.number,
            "currencies": _currencies(table),
            "horses": horses_to_dict(state),
            "gear": gear_of(race),
            "bets": bets_of(race),
            "motivation": motivation_to_dict(state),
            "history": [
                {"entry": entry.seq, "at": iso(entry.at), "text": entry.text} for entry in recent
            ],
        }

    def about(self, facts: Facts) -> list[str]:
        return [f"{facts['game']}, race {facts['race']}, as of {minute(facts['at'])} UTC"]

    def summary(self, facts: Facts) -> list[str]:
        return [_motivation(facts["motivation"])]

    def parts(self, facts: Facts) -> list[Part]:
        return [
            Part(
                "Currencies",
                ("Player", "Dollaries", "Hooves", "Points"),
                [
                    (name, own["dollaries"], own["hooves"], own["points"])
                    for name, own in sorted(facts["currencies"].items())
                ],
                "There are no players.",
            ),
            Part(
                "Horses",
                ("Horse", "Owner", "Cost", "Position", "Place", "Multiplier", "Pulls"),
                [_horse(name, horse) for name, horse in sorted(facts["horses"].items())],
                "There are no horses.",
            ),
            Part(
                "Jerseys and helmets since the race started anew",
                ("Player", "Jerseys", "Helmets"),
                [
                    (name, ", ".join(own["jerseys"]) or "-", ", ".join(own["helmets"]) or "-")
                    for name, own in sorted(facts["gear"].items())
                ],
                "Nobody has got any.",
            ),
            Part(
                "Bets since the race started anew",
                ("Player", "Horse", "Dollaries"),
                [
                    (name, horse, bet)
                    for name, own in sorted(facts["bets"].items())
                    for horse, bet in sorted(own.items())
                ],
                "There are none.",
            ),
            Part(
                "Recent history",
                ("Entry", "Moment (UTC)", "What happened"),
                [(each["entry"], minute(each["at"]), each["text"]) for each in facts["history"]],
                "Nothing has happened.",
            ),
        ]


def _currencies(table: Table) -> dict[str, dict[str, int]]:
    """Dollaries, hooves and points of every player, in two queries."""
    plurals = {DOLLARY: "dollaries", HOOF: "hooves", POINTS: "points"}
    names = table.game.players.filter(active=True).order_by("name").values_list("name", flat=True)
    held = {name: dict.fromkeys(plurals.values(), 0) for name in names}
    rows = Balance.objects.filter(
        asset__game=table.game, asset__name__in=plurals, holder__player__active=True
    )
    for name, asset, amount in rows.values_list("holder__name", "asset__name", "amount"):
        held[name][plurals[asset]] = amount
    return held


def _motivation(chosen: dict[str, Any] | None) -> str:
    if chosen is None:
        return "The horses have not been motivated this week."
    steps = "1 step" if chosen["distance"] == 1 else f"{chosen['distance']} steps"
    by = chosen["by"] or THE_SYSTEM
    return f"{by} motivated the horses this week: {chosen['galloper']}, {steps}."


def _horse(name: str, horse: dict[str, Any]) -> Cells:
    unknown = "?"
    return (
        name,
        horse["owner"],
        unknown if horse["cost"] is None else horse["cost"],
        horse["position"],
        "none" if horse["place"] is None else PLACE_NAMES[horse["place"]],
        unknown if horse["multiplier"] is None else horse["multiplier"],
        ", ".join(horse["pulls"]) or "-",
    )

"""The Horsened's weekly report."""

from typing import ClassVar

from horses.api import bets_of, gear_of, horses_to_dict, motivation_to_dict
from horses.rules.payouts import DOLLARY, HOOF, POINTS
from horses.rules.race import PLACE_NAMES
from horses.rules.titles import as_steps
from horses.state import HORSENED, THE_SYSTEM, state_of
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.governance.reports import (
    Column,
    Columns,
    Facts,
    Report,
    Section,
    by_name,
    minute,
    report,
    to_the_minute,
)
from nomic.ledger.models import Balance

_RECENT = 20


@report
class HorsenedReport(Report):
    """Currencies, horses, gear, bets and what happened lately (Horses; Weekly Race Actions)."""

    name = "horsened"
    title = "The Horsened's weekly report"
    subgame = "horses"
    office = HORSENED
    rule = "Weekly Race Actions"
    balances: ClassVar = {"Dollaries": DOLLARY, "Hooves": HOOF}

    def facts(self, table: Table) -> Facts:
        state = state_of(table)
        race = state.running_race
        plurals = {DOLLARY: "dollaries", HOOF: "hooves", POINTS: "points"}
        players = table.game.players.filter(active=True).order_by("name")
        held = {
            name: dict.fromkeys(plurals.values(), 0)
            for name in players.values_list("name", flat=True)
        }
        balances = Balance.objects.filter(
            asset__game=table.game, asset__name__in=plurals, holder__player__active=True
        )
        for name, asset, amount in balances.values_list("holder__name", "asset__name", "amount"):
            held[name][plurals[asset]] = amount
        recent = table.game.entries.of_subgame("horses").order_by("-seq")[:_RECENT]
        return {
            "race": race.number,
            "currencies": held,
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
        chosen = facts["motivation"]
        if chosen is None:
            return ["The horses have not been motivated this week."]
        by, steps = chosen["by"] or THE_SYSTEM, as_steps(chosen["distance"])
        return [f"{by} motivated the horses this week: {chosen['galloper']}, {steps}."]

    def parts(self, facts: Facts) -> list[Section]:
        return [
            Section.of(
                "Currencies", _CURRENCIES, by_name(facts["currencies"]), "There are no players."
            ),
            Section.of("Horses", _HORSES, by_name(facts["horses"]), "There are no horses."),
            Section.of(
                "Jerseys and helmets since the race started anew",
                {"Player": "name", "Jerseys": "jerseys", "Helmets": "helmets"},
                by_name(facts["gear"]),
                "Nobody has got any.",
            ),
            Section(
                "Bets since the race started anew",
                ("Player", "Horse", "Dollaries"),
                [
                    (name, horse, bet)
                    for name, stakes in sorted(facts["bets"].items())
                    for horse, bet in sorted(stakes.items())
                ],
                "There are none.",
            ),
            Section.of(
                "Recent history",
                {"Entry": "entry", "Moment (UTC)": to_the_minute("at"), "What happened": "text"},
                facts["history"],
                "Nothing has happened.",
            ),
        ]


def _or_unknown(name: str) -> Column:
    """A column of that fact, with a question mark where a chart cannot be read."""
    return lambda row: "?" if row[name] is None else row[name]


# The columns of the tables, each with the fact that it shows

_CURRENCIES: Columns = {
    "Player": "name",
    "Dollaries": "dollaries",
    "Hooves": "hooves",
    "Points": "points",
}
_HORSES: Columns = {
    "Horse": "name",
    "Owner": "owner",
    "Cost": _or_unknown("cost"),
    "Position": "position",
    "Place": lambda horse: "none" if horse["place"] is None else PLACE_NAMES[horse["place"]],
    "Multiplier": _or_unknown("multiplier"),
    "Pulls": "pulls",
}

"""The Onlooker's weekly report: what everybody may know, and no secret."""

from collections.abc import Iterable
from typing import Any, ClassVar

from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.games.wording import first_of
from nomic.governance.reports import (
    NONE,
    Cells,
    Column,
    Columns,
    Facts,
    Report,
    Row,
    Section,
    by_name,
    report,
    to_the_minute,
)
from settlers.api import settler_to_dict
from settlers.models import NOBODY
from settlers.rules.isle import RESOURCES, describe_items
from settlers.rules.titles import GIFT
from settlers.state.reading import ARRIVALS, ONLOOKER, PRODUCTIONS, state_of

_RECENT = 20
_MOST_NAMED = 12
_MOST_PAYERS = 20


@report
class OnlookerReport(Report):
    """The Settlers, the Dice Deck, the Visitor and what happened lately (The Gift of the Isle)."""

    name = "onlooker"
    title = "The Onlooker's weekly report"
    subgame = "settlers"
    office = ONLOOKER
    rule = GIFT
    balances: ClassVar = {resource: resource for resource in RESOURCES}

    def facts(self, table: Table) -> Facts:
        state = state_of(table)
        isle, settlers = state.isle, state.settlers
        productions = _recent(table, PRODUCTIONS, "production", "results", "injured")
        arrivals = _recent(table, ARRIVALS, "arrival", "dice", "visitor", "victims", "paid")
        return {
            "production": isle.production,
            "results": list(state.results or ()),
            "visitor": isle.visitor,
            "deck": {result: isle.deck[result] for result in sorted(isle.deck, key=int)},
            "injured": [settler.name for settler in settlers if settler.injured],
            "victims": [settler.name for settler in settlers if settler.victim],
            "settlers": {settler.name: settler_to_dict(settler) for settler in settlers},
            "productions": productions,
            "arrivals": [{**arrival, **_paid(arrival["paid"])} for arrival in arrivals],
        }

    def summary(self, facts: Facts) -> list[str]:
        """How the isle stands, a sentence a line."""
        last = "There has been no Production yet."
        if facts["results"]:
            first, second = facts["results"]
            last = f"Production {facts['production']} gave {first} and {second}."
        injured, victims = (_named(facts[flag], "nobody") for flag in ("injured", "victims"))
        is_visited = facts["visitor"] != NOBODY
        return [
            last,
            f"The Visitor is {facts['visitor']}." if is_visited else "Nobody visits.",
            f"Injured: {injured}. Victims: {victims}.",
        ]

    def parts(self, facts: Facts) -> list[Section]:
        nobody = "There are no Settlers."
        settlers = by_name(facts["settlers"])
        # Who paid what at each arrival; a report published earlier has the sums alone.
        payers: list[Cells] = []
        for arrival in facts["arrivals"]:
            number = arrival["arrival"]
            for name, items in arrival.get("payers", {}).items():
                amounts = (items.get(resource, 0) for resource in RESOURCES)
                payers.append((f"{number}, {name}", *amounts))
            if arrival.get("more_payers"):
                rest = f"{number}, and {arrival['more_payers']} more"
                payers.append((rest, *(NONE for _ in RESOURCES)))
        return [
            Section.of("Stockpiles", _by_resource("stockpile"), settlers, nobody),
            Section.of("Domains", _by_resource("domains"), settlers, nobody),
            Section.of("Settlements", _SETTLEMENTS, settlers, nobody),
            Section(
                "The Dice Deck: cards left",
                ("Result", "Cards"),
                [(int(result), count) for result, count in facts["deck"].items()],
                "No card is left.",
            ),
            Section.of("Productions", _PRODUCTIONS, facts["productions"], "There has been none."),
            Section.of("Visitor Arrivals", _ARRIVALS, facts["arrivals"], "There has been none."),
            Section(
                "Paid to the Thug",
                ("Arrival, Settler", *(resource.title() for resource in RESOURCES)),
                payers,
                "Nobody has paid.",
            ),
        ]

    def in_sheet(self, facts: Facts) -> list[Section]:
        rows = [
            ("Production", facts["production"]),
            ("Results", _results(facts) or NONE),
            ("Visitor", facts["visitor"]),
            ("Injured", ", ".join(facts["injured"]) or NONE),
            ("Victims", ", ".join(facts["victims"]) or NONE),
        ]
        return [Section("The isle", ("What", "Value"), rows, ""), *self.parts(facts)]


def _recent(table: Table, names: Iterable[str], *figures: str) -> list[dict[str, Any]]:
    """The last entries of these names, the newest first, with those of their public figures."""
    entries = table.game.entries.filter(name__in=tuple(names), outcome__has_key=figures[0])
    newest = entries.order_by("-seq").values_list("seq", "at", "outcome")[:_RECENT]
    return [
        {"entry": seq, "at": iso(at), **{figure: outcome.get(figure) for figure in figures}}
        for seq, at, outcome in newest
    ]


def _paid(paid: dict[str, dict[str, int]]) -> dict[str, Any]:
    """The items that all have paid together, and who paid which, as far as there is room."""
    return {
        "paid": {
            resource: sum(items.get(resource, 0) for items in paid.values())
            for resource in RESOURCES
        },
        "payers": dict(sorted(paid.items())[:_MOST_PAYERS]),
        "more_payers": max(0, len(paid) - _MOST_PAYERS),
    }


def _by_resource(fact: str) -> Columns:
    """The columns of what each Settler has of each resource."""

    def amount_of(resource: str) -> Column:
        return lambda settler: settler[fact][resource]

    return {
        "Settler": "name",
        **{resource.title(): amount_of(resource) for resource in RESOURCES},
    }


def _results(production: Row) -> str:
    return " and ".join(map(str, production["results"]))


def _named(names: list[str], nobody: str = NONE) -> str:
    """The names, or the first dozen of them and how many more there are."""
    return first_of(names, _MOST_NAMED) or nobody


# The columns of the tables, each with the fact that it shows

_SETTLEMENTS: Columns = {
    "Settler": "name",
    "Ready": "ready",
    "Harvested": "harvested",
    "Traded": "traded",
    "Buildings": "buildings",
    "Alliance": "alliance",
    "Made use of": "used",
}
_PRODUCTIONS: Columns = {
    "Production": "production",
    "Moment (UTC)": to_the_minute("at"),
    "Results": _results,
    "Injured": lambda production: _named(production["injured"]),
}
_ARRIVALS: Columns = {
    "Arrival": "arrival",
    "Moment (UTC)": to_the_minute("at"),
    "Dice": lambda arrival: " + ".join(map(str, arrival["dice"])),
    "Visitor": "visitor",
    "Victims": lambda arrival: _named(arrival["victims"]),
    "Paid to the Thug": lambda arrival: (
        describe_items(arrival["paid"]) if any(arrival["paid"].values()) else NONE
    ),
}

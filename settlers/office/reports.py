"""What the Onlooker publishes each week: what everybody may know, and no secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.standard.reports import Cells, Facts, Part, Report, minute, report
from settlers.api import settler_to_dict
from settlers.models import NOBODY
from settlers.rules.isle import RESOURCES, describe_items
from settlers.rules.titles import GIFT
from settlers.state.reading import ARRIVAL, ONLOOKER, PRODUCTION, state_of

PRODUCTIONS = (PRODUCTION, "settlers.produce")
ARRIVALS = (ARRIVAL, "settlers.receive_visitor")
_RECENT = 20
_MOST_NAMED = 12
_MOST_PAYERS = 20
_NONE = "-"


@report
class OnlookerReport(Report):
    """The Settlers, the Dice Deck, the Visitor and what happened lately (The Gift of the Isle)."""

    name = "onlooker"
    title = "The Onlooker's weekly report"
    subgame = "settlers"
    office = ONLOOKER
    rule = GIFT

    def facts(self, table: Table) -> Facts:
        state = state_of(table)
        isle, settlers = state.isle, state.settlers
        return {
            "game": table.game.title,
            "at": iso(table.now),
            "production": isle.production,
            "results": list(state.results or ()),
            "visitor": isle.visitor,
            "deck": {result: isle.deck[result] for result in sorted(isle.deck, key=int)},
            "injured": [each.name for each in settlers if each.injured],
            "victims": [each.name for each in settlers if each.victim],
            "settlers": {each.name: settler_to_dict(each) for each in settlers},
            "productions": _lately(table, PRODUCTIONS, "production", "results", "injured"),
            "arrivals": [
                {**each, **_paid(each["paid"])}
                for each in _lately(
                    table, ARRIVALS, "arrival", "dice", "visitor", "victims", "paid"
                )
            ],
        }

    def summary(self, facts: Facts) -> list[str]:
        """How the isle stands, a sentence a line."""
        last = "There has been no Production yet."
        if facts["results"]:
            first, second = facts["results"]
            last = f"Production {facts['production']} gave {first} and {second}."
        injured, victims = (_named(facts[each], "nobody") for each in ("injured", "victims"))
        is_visited = facts["visitor"] != NOBODY
        return [
            last,
            f"The Visitor is {facts['visitor']}." if is_visited else "Nobody visits.",
            f"Injured: {injured}. Victims: {victims}.",
        ]

    def parts(self, facts: Facts) -> list[Part]:
        nobody = "There are no Settlers."
        settlers = sorted(facts["settlers"].items())
        return [
            Part(
                "Stockpiles",
                ("Settler", *(each.title() for each in RESOURCES)),
                [(name, *(own["stockpile"][each] for each in RESOURCES)) for name, own in settlers],
                nobody,
            ),
            Part(
                "Domains",
                ("Settler", *(each.title() for each in RESOURCES)),
                [(name, *_domains(own)) for name, own in settlers],
                nobody,
            ),
            Part(
                "Settlements",
                ("Settler", "Ready", "Harvested", "Traded", "Buildings", "Alliance", "Made use of"),
                [_settlement(name, own) for name, own in settlers],
                nobody,
            ),
            Part(
                "The Dice Deck: cards left",
                ("Result", "Cards"),
                [(int(result), count) for result, count in facts["deck"].items()],
                "No card is left.",
            ),
            Part(
                "Productions",
                ("Production", "Moment (UTC)", "Results", "Injured"),
                [_production(each) for each in facts["productions"]],
                "There has been none.",
            ),
            Part(
                "Visitor Arrivals",
                ("Arrival", "Moment (UTC)", "Dice", "Visitor", "Victims", "Paid to the Thug"),
                [_arrival(each) for each in facts["arrivals"]],
                "There has been none.",
            ),
            Part(
                "Paid to the Thug",
                ("Arrival, Settler", *(each.title() for each in RESOURCES)),
                [row for each in facts["arrivals"] for row in _payers(each)],
                "Nobody has paid.",
            ),
        ]

    def in_sheet(self, facts: Facts) -> list[Part]:
        return [_isle(facts), *self.parts(facts)]


def _lately(table: Table, names: Iterable[str], *figures: str) -> list[dict[str, Any]]:
    """The last entries of these names, the newest first, with those of their public figures."""
    entries = table.game.entries.filter(name__in=tuple(names), outcome__has_key=figures[0])
    newest = entries.order_by("-seq").values_list("seq", "at", "outcome")[:_RECENT]
    return [
        {"entry": seq, "at": iso(at), **{each: outcome.get(each) for each in figures}}
        for seq, at, outcome in newest
    ]


def _paid(paid: dict[str, dict[str, int]]) -> dict[str, Any]:
    """What all have paid together, and who paid what, as far as there is room."""
    return {
        "paid": {each: sum(items.get(each, 0) for items in paid.values()) for each in RESOURCES},
        "payers": dict(sorted(paid.items())[:_MOST_PAYERS]),
        "more_payers": max(0, len(paid) - _MOST_PAYERS),
    }


def _isle(facts: Facts) -> Part:
    rows = [
        ("Production", facts["production"]),
        ("Results", " and ".join(map(str, facts["results"])) or _NONE),
        ("Visitor", facts["visitor"]),
        ("Injured", ", ".join(facts["injured"]) or _NONE),
        ("Victims", ", ".join(facts["victims"]) or _NONE),
    ]
    return Part("The isle", ("What", "Value"), rows, "")


def _domains(own: dict[str, Any]) -> list[int | str]:
    numbers = (own["domains"][each] for each in RESOURCES)
    return [_NONE if number is None else number for number in numbers]


def _settlement(name: str, own: dict[str, Any]) -> Cells:
    return (
        name,
        _yes(own["ready"]),
        _yes(own["harvested"]),
        _yes(own["traded"]),
        ", ".join(own["buildings"]) or _NONE,
        ", ".join(own["alliance"]) or _NONE,
        ", ".join(own["used"]) or _NONE,
    )


def _production(each: dict[str, Any]) -> Cells:
    results = " and ".join(map(str, each["results"]))
    return each["production"], minute(each["at"]), results, _named(each["injured"])


def _arrival(each: dict[str, Any]) -> Cells:
    return (
        each["arrival"],
        minute(each["at"]),
        " + ".join(map(str, each["dice"])),
        each["visitor"],
        _named(each["victims"]),
        describe_items(each["paid"]) if any(each["paid"].values()) else _NONE,
    )


def _payers(each: dict[str, Any]) -> Iterator[Cells]:
    """Who paid what at this arrival; a report published earlier has the sum alone."""
    number = each["arrival"]
    for name, items in each.get("payers", {}).items():
        yield f"{number}, {name}", *(items.get(resource, 0) for resource in RESOURCES)
    if each.get("more_payers"):
        yield f"{number}, and {each['more_payers']} more", *(_NONE for _ in RESOURCES)


def _named(names: list[str], nobody: str = _NONE) -> str:
    """The names, or the first dozen of them and how many more there are."""
    more = len(names) - _MOST_NAMED
    shown = ", ".join(names[:_MOST_NAMED]) or nobody
    return f"{shown} and {more} more" if more > 0 else shown


def _yes(flag: bool) -> str:
    return "yes" if flag else _NONE

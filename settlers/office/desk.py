"""The Onlooker's desk: what is due, the isle drawn, its books; the bribes to them alone.

There is no book of bribes.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from django.db.models import Q, Sum

from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.governance.desks import MOST_SHOWN, Desk, Duty, Picture, bars, desk, lines
from nomic.ledger.models import Balance
from nomic.rulebook.tables import TableBroken
from settlers.events.clock import arrives_by, may_produce_from, produces_by
from settlers.rules.isle import RESOURCES, describe_items
from settlers.rules.titles import DECK, SEALED, VISITORS
from settlers.secrecy import bribes_seen_by
from settlers.state.reading import ONLOOKER, PRODUCTIONS, State, state_of


@desk
class OnlookersDesk(Desk):
    """The desk of the office that keeps the isle (The Dice Deck; Visitors)."""

    subgame = "settlers"
    office = ONLOOKER

    def duties(self, table: Table) -> Iterable[Duty]:
        state = state_of(table)
        for due in (_production, _arrival, _sealed_visit):
            with suppress(TableBroken):  # which every desk tells
                yield from due(state)

    def pictures(self, table: Table) -> Iterable[Picture]:
        state = state_of(table)
        # The largest stockpiles, in one query for however many Settlers.
        held = Balance.objects.filter(
            asset__game=table.game,
            asset__name__in=RESOURCES,
            is_mint=False,
            amount__gt=0,
            holder__player__in=state.rows.order_by().values("player"),
        )
        sums = {name: Sum("amount", filter=Q(asset__name=name), default=0) for name in RESOURCES}
        largest: Any = held.values("holder__name").annotate(items=Sum("amount"), **sums)
        rows = [
            (row["holder__name"], row["items"], *(row[name] for name in RESOURCES))
            for row in largest.order_by("-items", "holder__name")[:MOST_SHOWN]
        ]
        headings = ("Settler", "Items", *(name.title() for name in RESOURCES))
        yield bars("The largest stockpiles", "items", headings, rows)
        cards = {int(result): count for result, count in state.isle.deck.items()}
        with suppress(TableBroken):  # then the results are shown that there are cards of
            cards = dict.fromkeys(state.charts.deck, 0) | cards
        headings = ("Result", "Cards left")
        yield bars("Cards left in the Dice Deck", "cards", headings, sorted(cards.items()), None)
        yield _recent_results(table)

    def private(self, table: Table, viewer: Player) -> Iterable[Picture]:
        bribes = bribes_seen_by(table, viewer)
        if bribes is None:
            return
        # The most worth first: he will turn on one of those at the end of the list.
        ranked = sorted(bribes.items(), key=lambda pair: (-(pair[1].value or 0), pair[0]))
        rows = [
            (name, bribe.items, "?" if bribe.value is None else bribe.value)
            for name, bribe in ranked
        ]
        yield lines(
            "The bribes offered to you, with their values: for your eyes only",
            [(name, describe_items(items), f"Bribe Value {worth}") for name, items, worth in rows],
            ("Settler", *(resource.title() for resource in RESOURCES), "Bribe Value"),
            [
                (name, *(items.get(resource, 0) for resource in RESOURCES), worth)
                for name, items, worth in rows
            ],
            "No Settler has told you a bribe.",
        )


def _production(state: State) -> Iterator[Duty]:
    if state.table.now < may_produce_from(state) and not state.all_are_ready:
        return
    number = state.isle.production + 1
    title = f"Production {number} may happen now; left alone, it comes by itself"
    yield Duty(title, produces_by(state), rule=DECK, action="settlers.produce")


def _arrival(state: State) -> Iterator[Duty]:
    due = arrives_by(state) if state.table.rules.in_force(VISITORS) else None
    if due is None:
        return
    title = f"The Visitor Arrival after Production {state.isle.production} is to come"
    yield Duty(title, due, rule=VISITORS, action="settlers.receive_visitor")


def _sealed_visit(state: State) -> Iterator[Duty]:
    """The past visit to be opened next, once it bears on play no longer."""
    wait = state.charts.opening.by_onlooker
    if wait is None or state.isle.production < wait:
        return
    visit = state.next_sealed
    if visit is None or visit.over_after is None:
        return
    if visit.over_after > state.isle.production - wait:
        return
    yield Duty(
        f"What visit {visit.number}, the {visit.visitor}'s, has sealed may be opened",
        rule=SEALED,
        action="settlers.open_visit",
        inputs={"visit": visit.number},
    )


# The pictures


def _recent_results(table: Table) -> Picture:
    """The two results of each of the last Productions, as spans between the two."""
    entries = table.game.entries.filter(name__in=PRODUCTIONS, outcome__has_key="results")
    lately = entries.order_by("-seq").values_list("outcome", flat=True)[:MOST_SHOWN]
    rows = [(figures["production"], *figures["results"]) for figures in lately]
    numbers = [number for _, *results in rows for number in results]
    low, high = min(numbers, default=0), max(numbers, default=0)
    spans = [
        {
            "name": f"Production {number}",
            "amount": ", ".join(map(str, results)),
            "whole": True,
            "x": 100 * (min(results) - low) // (high - low),
            "width": 100 * (max(results) - min(results)) // (high - low),
        }
        for number, *results in rows
    ]
    return Picture(
        "Results of the last Productions",
        "offices/_spans.html",
        {"bars": spans, "empty": "Nothing has been produced yet."},
        ("Production", "First", "Second"),
        rows,
    )

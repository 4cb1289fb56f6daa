"""Events of the isle: Production, Visitor Arrival, the opening of past visits."""

from typing import Any

from django.db.models import F

from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.wording import first_of
from nomic.rulebook.in_force import name_key
from nomic.rulebook.tables import TableBroken
from settlers.events.clock import schedule_arrival, schedule_production
from settlers.events.visits import (
    DISCLOSURE,
    begin_the_visit,
    end_the_visit,
    open_what_is_old_enough,
    why_it_stays_sealed,
)
from settlers.models import NOBODY, Visit
from settlers.models import Settler as Row
from settlers.rules import isle as rules
from settlers.rules.injuries import NO_VICTIMS
from settlers.rules.isle import RESOURCES, describe_items
from settlers.rules.thug import collect_bribes
from settlers.rules.titles import DECK, SEALED, THUG, VISITORS
from settlers.secrecy import bribes_to_pay
from settlers.state.reading import (
    ARRIVAL,
    PRODUCTION,
    State,
    deck_as_json,
    drop_state_but_isle,
    save_isle,
    state_of,
)

BRIBE = "settlers.bribe"
_MOST_NAMED = 12
_DIE = [1, 2, 3, 4, 5, 6]


@appointment(PRODUCTION, title="Resources are produced", rule=DECK)
def resources_are_produced(table: Table, subject: str) -> Outcome:
    """At the latest moment that the rule has, or as soon as every Settler is Ready."""
    return produce(table)


@appointment(ARRIVAL, title="A visitor arrives", rule=VISITORS)
def a_visitor_arrives(table: Table, subject: str) -> Outcome:
    """At the latest moment after a Production, unless somebody let it happen before."""
    state = state_of(table)
    if state.isle.arrived_for == state.isle.production:
        return Outcome("The Visitor has arrived already since the most recent Production.")
    return receive(table)


@appointment(DISCLOSURE, title="A past visit is opened", rule=SEALED)
def a_past_visit_is_opened(table: Table, subject: str) -> Outcome:
    """Open the sealed entries of one past visit, unless they have to stay sealed."""
    past = Visit.objects.get(game=table.game, number=int(subject))
    if past.opened_in is not None:
        return Outcome(f"{past} is open already.")
    if why_not := why_it_stays_sealed(table, past):
        return Outcome(why_not)
    return open_visit(table, past)


# The Dice Deck


def produce(table: Table) -> Outcome:
    """The Production of Resources, in the rule's order (The Dice Deck). Raises TableBroken."""
    state = state_of(table)
    number = state.isle.production + 1
    with table.dice.several() as choose:
        drawn = rules.draw(state.deck, choose)
    injured = _move_victims_to_injured(table, state)
    save_isle(
        table,
        production=number,
        first=drawn.first,
        second=drawn.second,
        produced_at=table.now,
        postponed_at=None,
        deck=deck_as_json(drawn.deck.remaining),
    )
    # All flags are cleared above: told here, the database need not be asked again.
    state_of(table).all_are_ready = False
    schedule_production(table)
    schedule_arrival(table)
    open_what_is_old_enough(table)
    sentences = [f"Resources are produced: {drawn.first} and {drawn.second}."]
    if drawn.remade:
        sentences.append("The Dice Deck is made whole again.")
    if injured:
        sentences.append(f"Injured: {first_of(injured, _MOST_NAMED)}.")
    figures = {
        "production": number,
        "results": [drawn.first, drawn.second],
        "drawn": list(drawn.drawn),
        "remade": drawn.remade,
        "deck": deck_as_json(drawn.deck.remaining),
        "injured": injured,
    }
    return Outcome(" ".join(sentences), figures)


def _move_victims_to_injured(table: Table, state: State) -> list[str]:
    """Injured becomes what Victims is, and Victims empty, each where the rule has that step; and
    nobody is Ready any more. Returns who is Injured."""
    after: dict[str, Any] = {"ready": False}
    # One statement does both steps, so the second has to see what the first leaves: a rule that
    # empties the Victims first heals everybody.
    for step in state.charts.injury_steps:
        if step == NO_VICTIMS:
            after["victim"] = False
        else:
            after["injured"] = after.get("victim", F("victim"))
    rows = Row.objects.filter(game=table.game)
    rows.exclude(injured=False, victim=False, ready=False).update(**after)
    return state.names_on_list("injured")


# Visitors


def receive(table: Table) -> Outcome:
    """The Visitor Arrival, after the Thug's steps where the Visitor is the Thug (Visitors).

    Raises TableBroken.
    """
    state = state_of(table)
    before, number = state.isle.visitor, state.isle.arrival + 1
    figures: dict[str, object] = {"arrival": number, "before": before, "victims": [], "paid": {}}
    said = []
    if state.is_visited_by(THUG):
        try:
            text, facts = take_the_bribes(table)
        except TableBroken as broken:
            text, facts = f"The Thug’s steps are not done. {broken.sentence}", {}
        said.append(text)
        figures |= facts
    dice = [*table.dice.choose_each({"first die": _DIE, "second die": _DIE}).values()]
    state = state_of(table)
    rolled = state.charts.visitors.get(sum(dice), NOBODY)
    visitor = state.visitor_titled(rolled)
    end_the_visit(table, visitor)
    begin_the_visit(table, visitor)
    comes = f"the {visitor} comes{' and stays' * (visitor == before)}"
    if visitor == NOBODY:
        comes = "nobody comes"
    if visitor == NOBODY and name_key(rolled) != name_key(NOBODY):
        said.append(
            f"The dice show {sum(dice)}. No subrule of “Visitors” is titled “{rolled}”: {comes}."
        )
    else:
        said.append(f"The dice show {sum(dice)}: {comes}.")
    return Outcome(" ".join(said), {**figures, "dice": dice, "visitor": visitor})


def take_the_bribes(table: Table) -> tuple[str, dict[str, object]]:
    """The Thug's steps, one after the other (Thug): what is announced, and the public figures.

    Bribes, values and Targets go into the sealed book, in a note of which the figures tell only the
    hash: an officer's act has no anchor. Raises TableBroken.
    """
    state = state_of(table)
    visit, terms = state.visit, state.charts.bribes
    assert visit is not None, "The Thug is here without having come."
    holders = state.holders
    stockpiles = state.stockpiles_of(holders)
    bribes = bribes_to_pay(table)
    taken = collect_bribes(stockpiles, bribes, terms)
    paid = {name: rules.nonzero(items) for name, items in taken.paid.items() if any(items.values())}
    table.ledger.rule = THUG
    for resource in RESOURCES:  # in one statement
        amounts = {
            holders[name]: items[resource] for name, items in paid.items() if resource in items
        }
        if amounts:
            table.ledger.collect(amounts, resource, "paid to the Thug")
    victim = None
    if taken.targets:
        victim = table.dice.choose(
            "victim", list(taken.targets), private=True, purpose=visit.purpose
        )
        Row.objects.filter(game=table.game, player__name=victim).update(victim=True)
    note = table.note_sealed(
        {
            "visit": visit.number,
            "bribes": {name: dict(items) for name, items in sorted(bribes.items())},
            "values": dict(taken.values),
            "targets": list(taken.targets),
            "victim": victim,
        },
        f"The Thug's {visit}: the bribes, their values and the Targets.",
        THUG,
        book=visit.book,
    )
    drop_state_but_isle(table)
    victims = [victim] if victim else []
    figures: dict[str, object] = {"victims": victims, "paid": paid, "note": note.hash}
    first = list(paid.items())[:_MOST_NAMED]
    parts = [f"{name} pays {describe_items(items)}" for name, items in first]
    parts += [f"{len(paid) - len(first)} more pay"] if len(paid) > len(first) else []
    sentence = f"The Thug collects: {'; '.join(parts)}." if parts else "The Thug collects nothing."
    return f"{sentence} {victim} falls victim to the Thug." if victim else sentence, figures


# What was sealed


def open_visit(table: Table, visit: Visit) -> Outcome:
    """Open what a past visit has sealed: every bribe that was told, the Targets, and the seed of
    its dice, so that everybody can check the roll (The Sealed Visits).

    The anchors between them are opened as well, so that everybody can see that none is left out.
    """
    period = table.dice.close_period(private=True, purpose=visit.purpose)
    opened = table.open_books([visit.book])
    bribes = [entry for entry in opened if entry.name == BRIBE]
    Visit.objects.filter(pk=visit.pk).update(opened_in=table.seq)
    times = {0: "not once", 1: "once", 2: "twice"}.get(len(bribes), f"{len(bribes)} times")
    text = (
        f"What {str(visit).lower()}, the {visit.visitor}'s, had sealed is opened: bribes were told"
        f" {times}. Its dice had the seed {period.seed}."
    )
    return Outcome(text, {"visit": visit.number, "seed": period.seed})

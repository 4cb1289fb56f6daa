"""Visitors as they come and go, and the opening of what they have sealed (The Sealed Visits)."""

from contextlib import suppress

from django.db.models import CharField, F, Func, Value
from django.db.models.functions import Cast

from nomic.engine.table import Table
from nomic.games.models import Win
from nomic.infrastructure.database.compiled_queries import insert
from nomic.rulebook.in_force import name_key
from nomic.rulebook.tables import TableBroken
from settlers.models import NOBODY, Visit
from settlers.models import Settler as Row
from settlers.rules.charts import AT_A_VICTORY
from settlers.rules.titles import GIFT, THUG
from settlers.secrecy import empty_bribes
from settlers.state.reading import drop_state, save_isle, state_of

DISCLOSURE = "settlers.disclosure"


def end_the_visit(table: Table, next_visitor: str) -> None:
    """The visit that goes on is over; who leaves is no longer counted as made use of by anybody.

    `next_visitor` is who comes. Bribes that were told do not outlive the visit.
    """
    state = state_of(table)
    before = state.isle.visitor
    ended = Visit.objects.filter(game=table.game, over_in__isnull=True).update(
        over_in=table.seq, over_after=state.isle.production
    )
    if name_key(before) != name_key(next_visitor):
        remaining = Func(F("used"), Value(before), function="array_remove")
        Row.objects.filter(game=table.game, used__contains=[before]).update(used=remaining)
    empty_bribes(table)
    _save(table, next_visitor)
    if ended:
        open_what_is_old_enough(table)


def begin_the_visit(table: Table, visitor: str, *, has_arrived: bool = True) -> None:
    """Somebody, or nobody, has come. The Thug's visit gets private dice of its own, committed
    to before anybody tells a bribe.

    Whoever comes by a vote or a correction has not arrived: the Visitor Arrival is still to come.
    """
    state = state_of(table)
    isle = state.isle
    number = isle.arrival + 1
    arrived_for = isle.production if has_arrived else isle.arrived_for
    # Who could read the others' bribes tells none in this visit, whatever office they hold later.
    watchers = [state.onlooker] if state.onlooker else []
    _save(table, visitor, arrival=number, arrived_for=arrived_for, watchers=watchers)
    visit = Visit(
        game=table.game,
        number=number,
        visitor=visitor,
        at=table.now,
        entry=table.seq,
        sealed=state_of(table).is_visited_by(THUG),
    )
    insert(visit)
    if visit.sealed:
        table.dice.open_period(private=True, purpose=visit.purpose)
        table.begin_book(visit.book)
    drop_state(table)


def follow_the_visitors_rule(table: Table) -> None:
    """Let the Visitor have the title that their subrule has now, and be gone where it is gone.

    Whose rule was retitled goes on with the visit and with what was told in it; only who was the
    Thug and is not any more, or becomes the Thug in the midst of a visit, is gone, too.
    """
    state = state_of(table)
    isle, before = state.isle, state.isle.visitor
    if isle.visitor_rule_id is None:
        return
    rule = next((rule for rule in state.visitor_rules if rule.pk == isle.visitor_rule_id), None)
    visit = state.visit
    if rule is None or visit is None or visit.sealed != state.is_visited_by(THUG):
        end_the_visit(table, NOBODY)
    elif rule.title != before:
        renamed = Func(F("used"), Value(before), Value(rule.title), function="array_replace")
        Row.objects.filter(game=table.game, used__contains=[before]).update(used=renamed)
        _save(table, rule.title)


def _save(table: Table, visitor: str, **facts: object) -> None:
    """Let that be the Visitor, by their subrule, and the isle be so."""
    rule = state_of(table).rule_titled(visitor)
    save_isle(table, visitor=visitor, visitor_rule_id=rule and rule.pk, **facts)


# What past visits have sealed


def open_what_is_old_enough(table: Table) -> None:
    """Where the rule opens visits some Productions after their end, let those of that age be."""
    state = state_of(table)
    with suppress(TableBroken):  # it is no reason to stop a Production or a visit's end
        age = state.charts.opening.by_itself
        if isinstance(age, int):
            disclose_past_visits(table, over_after=state.isle.production - age)


def why_it_stays_sealed(table: Table, visit: Visit) -> str:
    """Why that past visit is not opened by itself now, in a sentence; empty where it is."""
    state, after = state_of(table), visit.over_after
    try:
        when = state.charts.opening.by_itself
    except TableBroken as broken:
        return f"{broken.sentence} {visit} stays sealed."
    if isinstance(when, int):
        is_time = after is not None and after + when <= state.isle.production
    else:
        since = Win.objects.filter(game=table.game, rule=GIFT, entry__gte=visit.over_in)
        is_time = when == AT_A_VICTORY and since.exists()
    return "" if is_time else f"The rules do not let {str(visit).lower()} be opened by itself now."


def disclose_past_visits(table: Table, *, over_after: int | None = None) -> None:
    """Let what past visits have sealed be opened now, each in an entry of its own, in their order.

    With `over_after`, only those that were over when there had been at most so many Productions.
    """
    past = table.game.visits.sealed_still()
    if over_after is not None:
        past = past.filter(over_after__lte=over_after)
    waiting = table.game.appointments.waiting().filter(kind=DISCLOSURE)
    asked = past.annotate(subject=Cast("number", CharField())).exclude(
        subject__in=waiting.values("subject")
    )
    numbers = asked.values_list("subject", flat=True)
    table.appointments.make(DISCLOSURE, table.now, numbers)

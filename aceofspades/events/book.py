"""The book of regulations: a regulation takes effect, is repealed, becomes known (101–106, 112)."""

from contextlib import suppress
from itertools import count
from typing import Any

from aceofspades.events import moves
from aceofspades.models import Proposal, Regulation
from aceofspades.rules import contest
from aceofspades.rules.charts import filling
from aceofspades.state.book import RegulationInBook
from aceofspades.state.reading import BOOK, ORIGIN, PURPOSE, drop_book, state_of
from nomic.engine.table import Table
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.limits import RuleExists
from nomic.rulebook.models import RuleClass, Visibility
from nomic.rulebook.tables import TableBroken


def take_effect(
    table: Table, number: int, text: str, visibility: str, *, proposal: Proposal | None = None
) -> Regulation:
    """Let a mutable regulation take effect; an older one of that number is repealed (112)."""
    repeal(table, number)
    rule = _enact(table, number, text, visibility).pk
    made = Regulation.objects.create(
        contest=state_of(table).contest, number=number, rule_id=rule, proposal=proposal
    )
    drop_book(table)
    _class_by_number(table)
    if visibility == Visibility.PUBLIC and _filling(text):
        table.follow_the_rules()  # suits that it defines are there before cards of them are made
        fill_deck(table, text)
    return made


def fill_deck(table: Table, text: str) -> None:
    """Make the cards, once, that a regulation's text fills the Deck with as it takes effect (210).

    A table that cannot be read makes nothing, and holds up no proposal that was adopted.
    """
    of_each_suit = _filling(text)
    if of_each_suit:
        with suppress(TableBroken):
            state = state_of(table)
            cards = dict.fromkeys(state.charts.suits, of_each_suit)
            moves.move(table, "a new Deck", (None, state.deck, cards))
            table.hide_in(BOOK)


def amend(table: Table, regulation: RegulationInBook, text: str) -> None:
    """Give an immutable regulation, which everybody may read, another text (101)."""
    # Mutable for a moment, since no immutable rule can be amended; the class follows the number.
    table.rules.transmute(regulation.pk, RuleClass.MUTABLE)
    table.rules.amend(regulation.pk, text)
    drop_book(table)
    _class_by_number(table)


def repeal(table: Table, number: int) -> None:
    """Repeal the mutable regulation of that number, if there is one; hidden, it stays so."""
    regulation = state_of(table).regulation(number)
    if regulation is None:
        return
    if regulation.rule_class == RuleClass.IMMUTABLE:  # it was, before Regulation 101 said otherwise
        table.rules.transmute(regulation.pk, RuleClass.MUTABLE)
    table.rules.repeal(regulation.pk)
    Regulation.objects.filter(pk=regulation.pk).update(gone_in=table.seq)
    drop_book(table)


def disclose(table: Table, number: int, visibility: str) -> None:
    """Let a secret regulation be private, or a hidden one public, from now on (105, 245, 250)."""
    regulation = state_of(table).regulation(number)
    assert regulation is not None, f"There is no Regulation {number} to show."
    assert regulation.visibility != visibility, f"Regulation {number} is {visibility} already."
    table.rules.disclose([regulation.pk], Visibility(visibility))
    drop_book(table)


def mark_repealed_by_game(table: Table) -> None:
    """A rule of the contest that the game's own rules took out of force is no regulation any more.

    Nor is one that they left no number to go by. The rules of the game have precedence (101).
    """
    state = state_of(table)
    rows = state.contest.regulations.filter(gone_in__isnull=True)
    in_force = [regulation.pk for regulation in state.regulations]
    if rows.exclude(rule__in=in_force).update(gone_in=table.seq):
        drop_book(table)


def _enact(table: Table, number: int, text: str, visibility: str) -> RuleText:
    facts: dict[str, Any] = {
        "visibility": visibility,
        "rule_class": RuleClass.MUTABLE,
        "origin": ORIGIN,
    }
    title = f"Regulation {number}"
    with suppress(RuleExists):
        return table.rules.enact(title, text, number=str(number), **facts)
    # The game has rules of its own by that title or number: there is one left that it has not.
    for attempt in count(1):
        with suppress(RuleExists):
            longer = f"{title} of {PURPOSE}{'' if attempt == 1 else f' {attempt}'}"
            return table.rules.enact(longer, text, **facts)
    raise AssertionError("Titles do not run out.")


def _filling(text: str) -> int | None:
    return unless_broken(lambda: filling(text), None)


def _class_by_number(table: Table) -> None:
    """Let those regulations be immutable whose numbers say so now (101), and no others."""
    state = state_of(table)
    with suppress(TableBroken):
        for regulation in state.regulations:
            needs_all = contest.needs_consent_of_all(regulation.number, state.charts)
            is_immutable = needs_all and regulation.is_public
            rule_class = RuleClass.IMMUTABLE if is_immutable else RuleClass.MUTABLE
            if regulation.rule_class != rule_class:
                table.rules.transmute(regulation.pk, rule_class)
    drop_book(table)

"""The Moment of Reckoning: what was hidden becomes public (Regulations 120, 122 and 124).

What is due at the same moment comes after it: a proposal whose hours end then is not decided, and a
tabled act is not done.
"""

from datetime import timedelta

from django.db.models import QuerySet

from aceofspades.events import moves
from aceofspades.events.carrying import TABLED
from aceofspades.events.decisions import DECISION
from aceofspades.events.opening import OPENING
from aceofspades.events.scoring import (
    FIRST,
    NEXT_FINALIST,
    R120,
    WORTHS,
    expect_another,
    waiting_finalists,
)
from aceofspades.models import Contest, Move
from aceofspades.rules.contest import describe_cards
from aceofspades.secrecy import reader
from aceofspades.state.reading import BOOK, PURPOSE, RECKONING, asset_of, drop_state, state_of
from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.calendars import midnight
from nomic.games.wording import counted, first_of
from nomic.record.models import ANCHOR, SealedEntry
from nomic.rulebook.models import Visibility

OPENING_OF_MORE = "aceofspades.open_more"
R124 = "Regulation 124"
OURS = "aceofspades."
AT_ONCE = 5_000  # sealed entries that are opened in one entry of the record
_MOST_NAMED = 12


@appointment(RECKONING, title="The Moment of Reckoning", priority=FIRST, rule=R120)
def the_moment_of_reckoning(table: Table, subject: str) -> Outcome:
    """Everything of the contest becomes public; the worths are counted right after it.

    Raises TableBroken where a table cannot be read that is needed from here on: nobody could mend
    it afterwards.
    """
    drop_state(table)
    state = state_of(table)
    if state.contest_or_none is None or not state.is_on:
        return Outcome("The contest is not played any more: there is no Reckoning.")
    if state.is_reckoned:
        return Outcome("The Moment of Reckoning has been already.")
    # Read before anything is done: raised now, the event waits; later, nobody could mend a table.
    charts = state.charts
    charts.reckoning(state.contest.begun_at)
    _ = charts.suits, charts.made_for_empty, charts.deal_terms
    _ = charts.marking_from, charts.tie, charts.next_finalist_after
    # Before all else: these cards are made an instant before the Moment (124).
    cards_made = fill_empty_hands(table)
    numbers = disclose_the_book(table)
    opened = open_the_sealed_book(table)
    period = table.dice.close_period(private=True, purpose=PURPOSE)
    Contest.objects.filter(pk=state.contest.pk).update(reckoned_at=table.now, reckoned_in=table.seq)
    table.appointments.cancel_all(DECISION, TABLED)
    table.appointments.make(WORTHS, table.now)
    drop_state(table)
    state = state_of(table)
    figures = {
        "made": cards_made,
        "regulations": numbers,
        "seed": period.seed,
        "hands": reader.hands(state),
        "deck": reader.deck_of(state),
        "alliances": list(reader.allied(state).values()),
    }
    sentences = ["The Moment of Reckoning has come: everything in the contest is public."]
    if cards_made:
        names = list(cards_made)
        apiece = " each" if len(names) > 1 else ""
        cards, whom = describe_cards(cards_made[names[0]]), first_of(names, _MOST_NAMED)
        sentences.append(f"An instant before, {cards}{apiece} was made for {whom}.")
    if numbers:
        sentences.append(
            f"{_counted(len(numbers), 'hidden regulation', 'hidden regulations')} shown."
        )
    sentences.append(f"{_counted(opened, 'sealed entry', 'sealed entries')} opened.")
    sentences.append(f"The private dice had the seed {period.seed}.")
    return Outcome(" ".join(sentences), figures)


@appointment(OPENING_OF_MORE, title="More of the sealed book is opened", priority=FIRST, rule=R120)
def more_is_opened(table: Table, subject: str) -> Outcome:
    """Open the next part of the contest's sealed book, which one entry could not hold."""
    opened = open_the_sealed_book(table)
    return Outcome(f"{_counted(opened, 'more sealed entry', 'more sealed entries')} opened.")


def reschedule_skipped(table: Table, kind: str) -> None:
    """An officer has let that event not happen: it does at the beginning of the next day; the next
    Finalist after the hours of one who was chosen. Raises TableBroken."""
    state = state_of(table)
    tomorrow = midnight(table.now) + timedelta(days=1)
    if kind == RECKONING and not state.is_reckoned:
        due = state.charts.reckoning(state.contest.begun_at)
        if due is not None:
            due = max(due, tomorrow)
            table.appointments.expect(RECKONING, due)
    elif kind in (OPENING, WORTHS, OPENING_OF_MORE):
        table.appointments.make(kind, tomorrow)
    elif kind == NEXT_FINALIST:
        expect_another(table, len(waiting_finalists(state)))


# An instant before (Regulation 124)


def fill_empty_hands(table: Table) -> dict[str, dict[str, int]]:
    """Make the cards of current contestants who have none; returns them by name."""
    state = state_of(table)
    cards = {suit: count for suit, count in state.charts.made_for_empty.items() if count}
    empty = [
        member for member in state.contestants if not state.counts.get(member.player.holder.pk)
    ]
    if not cards or not empty:
        return {}
    table.ledger.rule = R124
    for suit, count in cards.items():
        amounts = {contestant.player.holder.pk: count for contestant in empty}
        table.ledger.pay_out(amounts, asset_of(suit), "made for an empty hand")
    total = sum(cards.values())
    moves.record_moves(
        table, *((Move.Kind.MADE, total, "", str(contestant)) for contestant in empty)
    )
    table.ledger.rule = R120
    drop_state(table)
    return {str(contestant): dict(cards) for contestant in empty}


# The disclosure (Regulation 120)


def disclose_the_book(table: Table) -> list[int]:
    """Make every hidden regulation public, repealed ones as well, and the cards; their numbers."""
    state = state_of(table)
    rows = state.contest.regulations.all()
    hidden = rows.exclude(rule__visibility=Visibility.PUBLIC).order_by("number", "pk")
    numbers = dict(hidden.values_list("rule", "number"))
    table.rules.disclose(numbers)
    table.ledger.disclose(state.assets)
    drop_state(table)
    return sorted(set(numbers.values()))


def open_the_sealed_book(table: Table) -> int:
    """Open what is still sealed of the contest, so much as one entry holds; how many acts, notes
    and parts that were. The rest has an appointment at this moment.
    """
    book = sealed_book(table).filter(opened_in__isnull=True)
    # The first that does not fit any more: one row is read to learn where the part ends.
    ends = list(book.order_by("seq").values_list("seq", flat=True)[AT_ONCE : AT_ONCE + 1])
    if ends:
        book = book.filter(seq__lt=ends[0])
        table.appointments.make(OPENING_OF_MORE, table.now, str(table.seq))
    return sum(1 for entry in table.open_sealed(book) if entry.name != ANCHOR)


def sealed_book(table: Table) -> QuerySet[SealedEntry]:
    """The contest's sealed entries: its private acts, the private parts of its public ones, the
    notes of its events; and the anchors since it began, by which the chain can be followed. Those
    of other subgames are not among them."""
    return table.game.sealed_entries.filter(book=BOOK)


def _counted(number: int, singular: str, plural: str) -> str:
    return f"{counted(number, singular, plural)} {'is' if number == 1 else 'are'}"

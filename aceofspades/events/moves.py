"""Cards on the move: dealt, made, transferred; and the public trace that they leave.

The cards are private assets, so that the ledger tells nobody their suits; how many cards moved and
when is public (Regulation 225), and stands in the moves.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from aceofspades.models import Move
from aceofspades.rules import contest
from aceofspades.secrecy import reader
from aceofspades.state.reading import State, asset_of, drop_state, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.ledger.models import Holder
from nomic.rulebook.tables import TableBroken

Owner = Player | Holder
Cards = Mapping[str, int]


def record_moves(table: Table, *moves: tuple[Move.Kind, int, str, str]) -> None:
    """Let everybody know how many cards changed hands in the entry that is being made: of each move
    its kind, their number, giver and receiver; one query."""
    facts = {"contest": state_of(table).contest, "entry": table.seq, "at": table.now}
    Move.objects.bulk_create(
        Move(kind=kind, cards=cards, giver=giver, receiver=receiver, **facts)
        for kind, cards, giver, receiver in moves
        if cards
    )


def move(table: Table, reason: str, *moves: tuple[Owner | None, Owner | None, Cards]) -> None:
    """Move cards in one transfer: the giver, the receiver and the cards of each move. Where one of
    the two is None they are made, which only the Contestmaster's machinery does, or destroyed
    (Regulation 115)."""
    table.ledger.move_several(
        [
            (giver, receiver, amount, asset_of(suit))
            for giver, receiver, cards in moves
            for suit, amount in cards.items()
        ],
        reason,
    )
    drop_state(table, "cards", "counts")


def look_at_the_deck(table: Table) -> None:
    """After cards have left the Deck: keep in mind that it has too few, if it has (Regulation 210),
    and then see to it that the suit is there that always is."""
    state = state_of(table)
    with suppress(TableBroken):  # then nothing says how many are too few
        if contest.is_low(reader.deck_of(state), state.charts.deal_terms):
            set_deck_was_low(state, low=True)
    keep_mauve_in_the_deck(table)


def set_deck_was_low(state: State, *, low: bool) -> None:
    """Note whether the Deck is to be refilled before the next card is dealt (Regulation 210)."""
    if state.contest.deck_was_low != low:
        state.contest.deck_was_low = low
        state.contest.save(update_fields=["deck_was_low"])


def keep_mauve_in_the_deck(table: Table) -> None:
    """Create what the Deck lacks of the suit that is always there (Regulation 123)."""
    state = state_of(table)
    missing = contest.missing(reader.deck_of(state), state.charts.least_mauve)
    if missing:
        move(table, "the suit that is always in the Deck", (None, state.deck, missing))


def deal(state: State, to: Sequence[str], each: int, choose: contest.Choose) -> contest.Dealt:
    """A deal from the Deck as it is, and as it has been: so many cards for each of these, who are
    named in the order of their first joining, and what the Deck lacks meanwhile (117, 123, 210).
    Nothing moves. Raises TableBroken."""
    return contest.deal(
        reader.deck_of(state),
        to,
        each,
        state.charts.deal_terms,
        choose,
        low=state.contest.deck_was_low,
    )

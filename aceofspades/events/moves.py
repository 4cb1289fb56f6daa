"""Cards on the move: dealt, made, transferred; and the public trace that they leave.

The cards are private assets, so that the ledger tells nobody their suits; how many cards moved and
when is public (Regulation 225), and stands in the moves.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from aceofspades.models import Move
from aceofspades.rules import contest
from aceofspades.secrecy import reader
from aceofspades.state.reading import PURPOSE, State, asset_of, forget, state_of
from nomic.engine.table import Table
from nomic.games import wording
from nomic.games.models import Player
from nomic.ledger.models import Holder
from nomic.rulebook.charts import ChartBroken

Owner = Player | Holder
Cards = Mapping[str, int]
LedgerMove = tuple[Owner | None, Owner | None, int, str]


def note(table: Table, *moves: tuple[Move.Kind, int, str, str]) -> None:
    """Let everybody know how many cards changed hands in the entry that is being made: of each move
    its kind, their number, giver and receiver; one query."""
    its = {"contest": state_of(table).contest, "entry": table.seq, "at": table.now}
    Move.objects.bulk_create(
        Move(kind=kind, cards=cards, giver=giver, receiver=receiver, **its)
        for kind, cards, giver, receiver in moves
        if cards
    )


def give(table: Table, giver: Owner, receiver: Owner, cards: Cards, why: str) -> None:
    """Move these cards from one holder to another, in one transfer."""
    table.ledger.move_several(
        [(giver, receiver, amount, asset_of(suit)) for suit, amount in cards.items()], why
    )
    forget(table, "cards", "counts")


def make(table: Table, owner: Owner, cards: Cards, why: str) -> None:
    """Create these cards, which only the Contestmaster's machinery does (Regulation 115)."""
    table.ledger.create_several(owner, {asset_of(suit): n for suit, n in cards.items()}, why)
    forget(table, "cards", "counts")


def destroy(table: Table, owner: Owner, cards: Cards, why: str) -> None:
    """Destroy these cards of the owner's, for the reason `why`."""
    table.ledger.destroy_several(owner, {asset_of(suit): n for suit, n in cards.items()}, why)
    forget(table, "cards", "counts")


def look_at_the_deck(table: Table) -> None:
    """After cards have left the Deck: keep in mind that it has too few, if it has (Regulation 210),
    and then see to it that the suit is there that always is."""
    state = state_of(table)
    with suppress(ChartBroken):  # then nothing says how many are too few
        if remembers(state) and contest.is_low(reader.deck_of(state), state.charts.deal_terms):
            _keep_in_mind(state, low=True)
    keep_mauve_in_the_deck(table)


def remembers(state: State) -> bool:
    """Whether the Deck is refilled if it was ever too small, or only where it is so when a card is
    to be dealt, as in a game of the first readings."""
    return state.table.game.has_readings(2)


def _keep_in_mind(state: State, *, low: bool) -> None:
    if state.contest.deck_was_low != low:
        state.contest.deck_was_low = low
        state.contest.save(update_fields=["deck_was_low"])


def keep_mauve_in_the_deck(table: Table) -> None:
    """Create what the Deck lacks of the suit that is always there (Regulation 123)."""
    state = state_of(table)
    missing = contest.missing(reader.deck_of(state), state.charts.least_mauve)
    if missing:
        make(table, state.deck, missing, "the suit that is always in the Deck")


def draw(table: Table, to: Sequence[str], each: int) -> contest.Dealt:
    """Draw so many cards for each of these contestants, who are named in the order of their first
    joining, one at a time around; what the Deck lacks is made meanwhile (117, 123, 210).

    Chance decides in private. Nothing has moved yet: `dealt` does that. Raises ChartBroken.
    """
    with table.dice.several(private=True, purpose=PURPOSE) as choose:
        return deal(state_of(table), to, each, choose)


def deal(state: State, to: Sequence[str], each: int, choose: contest.Choose) -> contest.Dealt:
    """A deal from the Deck as it is, and as it has been; nothing moves. Raises ChartBroken."""
    return contest.deal(
        reader.deck_of(state),
        to,
        each,
        state.charts.deal_terms,
        choose,
        low=state.contest.deck_was_low,
        remembers=remembers(state),
    )


def dealt(table: Table, drawn: contest.Dealt, to: Mapping[str, Owner]) -> list[LedgerMove]:
    """The moves of that deal: first the cards that were made in the Deck, then each card."""
    _keep_in_mind(state_of(table), low=drawn.low)
    deck = state_of(table).deck
    made: list[LedgerMove] = [
        (None, deck, amount, asset_of(suit)) for suit, amount in drawn.made.items()
    ]
    return [*made, *((deck, to[name], 1, asset_of(suit)) for name, suit in drawn.cards)]


def counted(cards: Cards) -> int:
    """The number of these cards, of all suits together."""
    return sum(cards.values())


def describe_count(count: int) -> str:
    """“1 card”, “3 cards”."""
    return wording.counted(count, "card")

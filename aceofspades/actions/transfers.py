"""A player gives cards away (Regulation 116): how many is public, which is not (225, 230)."""

from collections.abc import Collection
from typing import Any

from aceofspades.actions.fields import CardReceiverField, CardsField
from aceofspades.actions.members import ContestAction
from aceofspades.events import moves
from aceofspades.events.notices import send_notices
from aceofspades.models import Move
from aceofspades.rules.contest import describe_cards
from aceofspades.secrecy import reader
from aceofspades.state.reading import DECK, State, state_of
from nomic.engine.actions import Inputs, TwoSidedAction, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal, first_refusal
from nomic.games.wording import counted, enumerated
from nomic.ledger.models import Holder

HANDS = "Regulation 116"
_EMPTY = Refusal("empty_hand", "You have no cards to give away.", HANDS)


@action
class TransferCards(ContestAction, TwoSidedAction):
    """Give cards of your hand to somebody else, or to the Deck. Everybody learns how many they are;
    their suits are between the two of you.

    Everybody who plays in the game may, contestant or not, the Contestmaster too.
    """

    name = "aceofspades.transfer"
    title = "Give cards away"
    sentence = "Give {to} {cards}"
    also_said = (
        "(Give|Transfer|Hand) {cards} [(card|cards)] to {to}",
        "(Give|Hand) {to} {cards} (card|cards)",
    )
    rule = HANDS
    one_rule = True

    class Form(ActionForm):
        to = CardReceiverField()
        cards = CardsField(own=True)

    def sealed_inputs(self, table: Table, data: Inputs) -> Collection[str]:
        return {"cards"}

    def judge(self, state: State, player: Player, to: Any, cards: Any) -> Verdict:
        if cards is None:
            return None if any(state.cards_of(player.holder.pk).values()) else _EMPTY
        number, said = sum(cards.values()), describe_cards(cards)

        def give(table: Table) -> None:
            receiver: Player | Holder = state.deck
            if to != DECK:  # a contestant, somebody who was one, or another of the game
                known = state_of(table).contestant_named(to)
                others = table.game.players.select_related("holder", "contestant")
                receiver = known.player if known else others.get(name=to)
            moves.move(table, "given away", (player, receiver, cards))
            moves.record_moves(table, (Move.Kind.TRANSFERRED, number, player.name, to))
            if isinstance(receiver, Player) and hasattr(receiver, "contestant"):
                send_notices(table, [(receiver.contestant, f"{player} gives you {said}.")])

        hand, suits = reader.hand_of(state, player), state.charts.suits
        oneself, unknown = to == player.name, [suit for suit in cards if suit not in suits]
        lacking = {suit: n for suit, n in cards.items() if hand.get(suit, 0) < n}
        had = enumerated([f"{hand.get(suit, 0) or 'no'} {suit}" for suit in lacking])
        cannot = f"You have {had}, and cannot give {describe_cards(lacking)}."
        refusal = first_refusal(
            HANDS,
            (not any(hand.values()), _EMPTY.code, _EMPTY.sentence),
            (oneself, "yourself", "You cannot give cards to yourself: name somebody else."),
            (cards == {}, "gives_nothing", "Say which cards you give: a card at least."),
            (unknown, "no_suit", f"There is no suit {' or '.join(unknown)} now."),
            (lacking, "not_held", cannot),
        )
        return refusal or Effects(
            Then(give),
            say=f"{player} gives {counted(number, 'card')} to {to}.",
            figures={"cards": number},
            sealed=f"{player} gives {to} {said}.",
        )

"""Whose acts there are in the contest; becoming a contestant, and ceasing to be one (Regulations
102, 124, 215)."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from aceofspades.events import moves
from aceofspades.events.decisions import decide_ripe_proposals
from aceofspades.events.leaving import depart
from aceofspades.models import Contestant, Move
from aceofspades.rules.contest import describe_cards
from aceofspades.secrecy import reader
from aceofspades.state.reading import (
    CONTESTMASTER,
    DECK,
    PURPOSE,
    TABLED_ACT,
    State,
    drop_state,
    state_of,
)
from nomic.engine.actions import Action, Inputs, TwoSidedAction, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted
from nomic.governance.motions import AskedOfAll, settle_all

R102, R120 = "Regulation 102", "Regulation 120"


class ContestAction(Action):
    """An action that the contest's regulations allow.

    None can be done once everything is revealed. Those of `one_rule` are off without it; what a
    table says, any regulation may say.
    """

    rule = R102
    State = State
    one_rule = False

    def absence(self, table: Table) -> Refusal | None:
        state = state_of(table)
        return self.needs(state.is_on and (not self.one_rule or table.rules.in_force(self.rule)))

    def verdict(self, table: Table, player: Player | None, data: Inputs) -> Refusal | Effects:
        state = state_of(table)
        if state.is_reckoned:
            sentence = "The Moment of Reckoning has been: hands and regulations stay as they were."
            return Refusal("reckoned", sentence, R120)
        actor = self.who_acts(state, player)
        return actor if isinstance(actor, Refusal) else super().verdict(table, actor, data)

    def who_acts(self, state: Any, player: Any) -> Any:
        """Who does it, as `judge` is told; the refusal for who may not."""
        return player


class ContestantAction(ContestAction):
    """An action for current contestants only: `judge` is told who they are in the contest."""

    def who_acts(self, state: State, player: Player) -> Contestant | Refusal:
        return state.contestant(player) or no_contestant(state, player)


class ContestmasterAction(ContestAction):
    """An act of the Contestmaster's office; vacant, the operator may do it as its deputy."""

    office = CONTESTMASTER


def no_contestant(state: State, player: Player) -> Refusal:
    """The refusal for somebody who is not in the contest."""
    if state.is_contestmaster(player):
        sentence = "The Contestmaster may know what is hidden, and is no contestant."
        return Refusal("is_contestmaster", sentence, R102)
    return Refusal("no_contestant", "You are not a contestant yet. Join the contest first.", R102)


@action
class Join(ContestAction, TwoSidedAction):
    """Become a contestant. The first time, cards are made for you and dealt to you."""

    name = "aceofspades.join"
    title = "Join the contest"
    one_rule = True
    sentence = "Become a contestant in the Ace of Spades"
    also_said = ("Join the contest", "Become a contestant", "Join the Ace of Spades")

    def judge(self, state: State, player: Player) -> Verdict:
        if state.is_contestmaster(player):
            return no_contestant(state, player)
        if state.contestant(player) is not None:
            return Refusal("is_contestant", "You are a contestant already.", R102)
        # Also who was it before anybody joined, and resigned: what they read they have read.
        if player.name in state.contest.masters:
            sentence = (
                "You were the Contestmaster of this contest, who may read hands and secret"
                " regulations: you cannot play in it."
            )
            return Refusal("was_contestmaster", sentence, R102)
        if not state.contest.opened:
            sentence = "The secret regulations are yet to be drawn. The contest opens then."
            return Refusal("not_open", sentence, R102)
        _ = state.charts.deal_terms, state.charts.dealt_to_new
        cards_made, returner = state.charts.made_for_new, state.ever_contestant(player)

        def join(table: Table) -> Outcome:
            if returner:
                Contestant.objects.filter(pk=returner.pk).update(active=True)
                drop_state(table, "everybody")
                cards = sum(reader.hand_of(state_of(table), returner.player).values())
                text = f"{returner} is a contestant again, with {counted(cards, 'card')}."
                outcome = Outcome(text, {"cards": cards, "dealt": 0})
            else:
                outcome = _welcome(table, player)
            decide_ripe_proposals(table)
            settle_all(table, TABLED_ACT)
            return outcome

        again = "You come back to the cards that you had."
        return Effects(
            Then(join),
            outlook=(
                "Costs nothing.",
                again if returner else lambda: _first_hand(state, cards_made),
            ),
        )


def _welcome(table: Table, player: Player) -> Outcome:
    """The first joining: what is made comes before what is dealt (124, 215)."""
    state = state_of(table)
    cards_made = state.charts.made_for_new
    with table.dice.several(private=True, purpose=PURPOSE) as choose:
        drawn = moves.deal(state, [player.name], _dealt_now(state), choose)
    moves.set_deck_was_low(state, low=drawn.low)
    dealt = ((state.deck, player, {suit: 1}) for _, suit in drawn.cards)
    new = (None, player, cards_made), (None, state.deck, drawn.made)
    moves.move(table, "made and dealt at joining", *new, *dealt)
    made_count, dealt_count = sum(cards_made.values()), len(drawn.cards)
    made_for_them = (Move.Kind.MADE, made_count, "", player.name)
    moves.record_moves(table, made_for_them, (Move.Kind.DEALT, dealt_count, DECK, player.name))
    Contestant.objects.create(
        contest=state.contest,
        player=player,
        turn=len(state.everybody) + 1,
        joined_at=table.now,
        joined_in=table.seq,
        dealt=dealt_count,
    )
    drop_state(table, "everybody")
    hand = Counter(cards_made) + Counter(drawn.hand_of(player.name))
    text = (
        f"{player} becomes a contestant, with {counted(made_count, 'card')} made for them and"
        f" {counted(dealt_count, 'card')} dealt."
    )
    figures = {"made": made_count, "dealt": dealt_count}
    return Outcome(text, figures, sealed=f"Your hand: {describe_cards(hand)}.")


def _dealt_until(state: State) -> datetime | None:
    """From when on newcomers are dealt no cards; None if always."""
    too_late, day = state.charts.too_late, state.charts.reckoning(state.contest.begun_at)
    return None if too_late is None or day is None else day - too_late


def _first_hand(state: State, cards_made: Mapping[str, int]) -> str:
    """The sentence on the cards of somebody who joins now for the first time, and until when."""
    until, dealt = _dealt_until(state), _dealt_now(state)
    cards = f"You get {describe_cards(cards_made) or 'no card'}"
    if until is None:
        return f"{cards}, and are dealt {counted(dealt, 'card')}."
    day = f"{until:%A} {until.day} {until:%B %Y, %H:%M}"
    if state.table.now >= until:
        return (
            f"{cards}, and are dealt none: the Reckoning is near, and cards were dealt to who"
            f" joined before {day}."
        )
    return f"{cards}, and are dealt {counted(dealt, 'card')} if you join before {day}."


def _dealt_now(state: State) -> int:
    """How many cards somebody is dealt who joins now for the first time."""
    until = _dealt_until(state)
    is_too_late = until is not None and state.table.now >= until
    return 0 if is_too_late else state.charts.dealt_to_new or 0


@action
class Leave(ContestantAction):
    """Stop being a contestant. Your cards stay yours, and you may come back."""

    name = "aceofspades.leave"
    title = "Leave the contest"
    one_rule = True
    sentence = "Leave the Ace of Spades"
    also_said = ("Leave the contest",)
    confirm = (
        "Your votes do not count while you are away, and you leave your alliances. Your cards stay"
        " yours. Leave the contest?"
    )

    def judge(self, state: State, contestant: Contestant) -> Effects:
        return Effects(
            Then(lambda table: depart(table, contestant.player)),
            say=f"{contestant} leaves the contest.",
        )


class TogetherAction(ContestmasterAction, AskedOfAll):
    """An act of the Contestmaster's office that its contestants do by support while it is vacant:
    nobody else decides what concerns their contest."""

    electors_name = "contestants"

    def electors(self, table: Table) -> QuerySet[Player]:
        contestants = state_of(table).contestants
        return (
            super()
            .electors(table)
            .filter(pk__in=[contestant.player_id for contestant in contestants])
        )

    def who_acts(self, state: State, player: Player | None) -> Player | Refusal | None:
        if player and not state.has_contestmaster and state.contestant(player) is None:
            return no_contestant(state, player)
        return player

    def limit(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        is_theirs = _is_the_offices(state_of(table), player)
        return None if is_theirs else super().limit(table, player, data)


def subject_and_verb(state: State, player: Player | None, singular: str, plural: str) -> str:
    """Who does such an act and what they do, such as “The contestants judge”."""
    is_theirs = _is_the_offices(state, player)
    return f"The Contestmaster {singular}" if is_theirs else f"The contestants {plural}"


def _is_the_offices(state: State, player: Player | None) -> bool:
    return player is None or state.is_contestmaster(player)

"""Becoming a contestant and ceasing to be one (Regulations 102, 124, 215)."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from aceofspades.actions import moves
from aceofspades.actions.moves import describe_count
from aceofspades.events.alliances import leave_all
from aceofspades.events.decisions import decide_what_is_ripe
from aceofspades.models import Contestant, Move, Offer
from aceofspades.rules.contest import describe_cards
from aceofspades.secrecy import reader
from aceofspades.state.reading import (
    CONTESTMASTER,
    DECK,
    TABLED_ACT,
    State,
    asset_of,
    forget,
    state_of,
)
from nomic.engine.actions import Action, Inputs, action
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.readings import played_by
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import unless_broken
from nomic.standard.motions import settle_all

R102, R120 = "Regulation 102", "Regulation 120"


class ContestAction(Action):
    """An action that the contest's regulations allow.

    None can be done once everything is revealed. Those of `one_rule` are off without it, those
    that are `never_without` it in games of all readings; what a table says, any regulation may say.
    """

    rule = R102
    one_rule = False
    never_without = False

    def applies(self, table: Table) -> bool:
        state = state_of(table)
        needs_it = self.never_without or (self.one_rule and state.reads_sentences)
        return state.is_on and (not needs_it or table.rules.in_force(self.rule))

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        state = state_of(table)
        if state.is_reckoned:
            sentence = "The Moment of Reckoning has been: hands and regulations stay as they were."
            return Refusal("reckoned", sentence, R120)
        return self.why_not(state, player, data)

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        """Why this is not possible in the contest; None if it is. Raises ChartBroken."""
        return None


class ContestantAction(ContestAction):
    """An action for current contestants only."""

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        own = state.contestant(player)
        if own is None:
            return no_contestant(state, player)
        return self.contestant_refusal(state, own, data)

    def contestant_refusal(self, state: State, own: Contestant, data: Inputs) -> Refusal | None:
        """Why this contestant may not do it; None if they may. Raises ChartBroken."""
        return None

    def perform(self, table: Table, player: Player, data: Inputs) -> str | Outcome:
        state = state_of(table)
        own = state.contestant(player)
        assert own is not None, "Only a contestant gets here."
        return self.act(table, state, own, data)

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> str | Outcome:
        """Let the contestant do it, and return the announcement."""
        raise NotImplementedError


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
class Join(ContestAction):
    """Become a contestant. The first time, cards are made for you and dealt to you."""

    name = "aceofspades.join"
    title = "Join the contest"
    one_rule = True
    sentence = "Become a contestant in the Ace of Spades"
    also_said = ("Join the contest", "Become a contestant", "Join the Ace of Spades")
    private_side = True  # which cards are dealt

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        if state.is_contestmaster(player):
            return no_contestant(state, player)
        if state.contestant(player) is not None:
            return Refusal("is_contestant", "You are a contestant already.", R102)
        if player.name in state.contest.masters:
            sentence = (
                "You were the Contestmaster of this contest, who may read hands and secret"
                " regulations: you cannot play in it."
            )
            return Refusal("was_contestmaster", sentence, R102)
        if not state.contest.opened:
            sentence = "The secret regulations are yet to be drawn. The contest opens then."
            return Refusal("not_open", sentence, R102)
        _ = state.charts.deal_terms, state.charts.made_for_new, state.charts.dealt_to_new
        return None

    def brings(self, table: Table, player: Player | None, data: Inputs) -> str:
        state = state_of(table)
        if player is not None and state.ever(player) is not None:
            return "Costs nothing. You come back to the cards that you had."
        first = unless_broken(lambda: _first_hand(state, state.charts.made_for_new), "")
        return f"Costs nothing. {first}" if first else self.about

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        back = state_of(table).ever(player)
        if back is None:
            outcome = _welcome(table, player)
        else:
            Contestant.objects.filter(pk=back.pk).update(active=True)
            forget(table, "everybody")
            cards = moves.counted(reader.hand_of(state_of(table), player))
            text = f"{player} is a contestant again, with {describe_count(cards)}."
            outcome = Outcome(text, {"cards": cards, "dealt": 0})
        decide_what_is_ripe(table)
        settle_all(table, TABLED_ACT)
        return outcome


def _welcome(table: Table, player: Player) -> Outcome:
    """The first joining: what is made comes before what is dealt (124, 215)."""
    state = state_of(table)
    made = state.charts.made_for_new
    drawn = moves.draw(table, [player.name], _dealt_now(state))
    mint: list[moves.LedgerMove] = [
        (None, player, amount, asset_of(suit)) for suit, amount in made.items()
    ]
    table.ledger.move_several(
        [*mint, *moves.dealt(table, drawn, {player.name: player})], "made and dealt at joining"
    )
    made_count, dealt_count = moves.counted(made), len(drawn.cards)
    made_for_them = (Move.Kind.MADE, made_count, "", player.name)
    moves.note(table, made_for_them, (Move.Kind.DEALT, dealt_count, DECK, player.name))
    Contestant.objects.create(
        contest=state.contest,
        player=player,
        turn=len(state.everybody) + 1,
        joined_at=table.now,
        joined_in=table.seq,
        dealt=dealt_count,
    )
    forget(table, "everybody", "cards", "counts")
    hand = Counter(made) + Counter(drawn.hand_of(player.name))
    text = (
        f"{player} becomes a contestant, with {describe_count(made_count)} made for them and"
        f" {describe_count(dealt_count)} dealt."
    )
    figures = {"made": made_count, "dealt": dealt_count}
    return Outcome(text, figures, sealed=f"Your hand: {describe_cards(hand)}.")


def _dealt_until(state: State) -> datetime | None:
    """From when on newcomers are dealt no cards; None if always, or where the day is hidden. Games
    of the earlier readings deal to all."""
    if state.day_is_hidden or not played_by(state.table.game, 5):
        return None
    too_late, day = state.charts.too_late, state.charts.reckoning(state.contest.begun_at)
    return None if too_late is None or day is None else day - too_late


def _first_hand(state: State, made: Mapping[str, int]) -> str:
    """What somebody gets who joins now for the first time, and until when."""
    until, dealt = _dealt_until(state), _dealt_now(state)
    cards = f"You get {describe_cards(made) or 'no card'}"
    if until is None:
        return f"{cards}, and are dealt {describe_count(dealt)}."
    day = f"{until:%A} {until.day} {until:%B %Y, %H:%M}"
    if state.table.now >= until:
        return (
            f"{cards}, and are dealt none: the Reckoning is near, and cards were dealt to who"
            f" joined before {day}."
        )
    return f"{cards}, and are dealt {describe_count(dealt)} if you join before {day}."


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

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> str:
        depart(table, own.player)
        return f"{own} leaves the contest."


def depart(table: Table, player: Player) -> None:
    """The player is a contestant no longer: their offers are withdrawn, their alliances left.

    Those without their name only fail while they are away: an end at this moment would name them.
    """
    own = state_of(table).contestant(player)
    if own is None or state_of(table).is_reckoned:
        return
    leave_all(table, own)
    named = Offer.objects.filter(by=own, end="", anonymous=False)
    named.update(end=Offer.End.WITHDRAWN, ended_at=table.now)
    Contestant.objects.filter(pk=own.pk).update(active=False)
    forget(table, "everybody")
    decide_what_is_ripe(table)
    settle_all(table, TABLED_ACT)

"""Who comes to know which regulation (Regulations 106, 240, 245, and 340 to 400)."""

from aceofspades.actions import moves
from aceofspades.actions.drafts import cannot_be_hidden, cannot_be_played, tidy
from aceofspades.actions.fields import (
    LONGEST_REGULATION,
    ContestantField,
    NumberField,
    RegulationNumber,
)
from aceofspades.actions.members import ContestantAction, ContestmasterAction
from aceofspades.events import book
from aceofspades.models import Contestant, Move
from aceofspades.rules import contest
from aceofspades.secrecy import reader
from aceofspades.state.book import Knower, RegulationInBook, know
from aceofspades.state.reading import DECK, State
from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal

R106, R240, R245 = "Regulation 106", "Regulation 240", "Regulation 245"
FULL, LIMITED = "full", "limited"


def secret_numbers(state: State) -> list[int]:
    """The numbers of the secret regulations in force."""
    return [each.number for each in state.regulations if each.visibility == "secret"]


def private_numbers(state: State) -> list[int]:
    """The numbers of the private regulations in force."""
    return [each.number for each in state.regulations if each.visibility == "private"]


def no_regulation(number: int, rule: str) -> Refusal:
    """The refusal where no regulation of that number is in force."""
    return Refusal("no_regulation", f"There is no Regulation {number} in the contest.", rule)


@action
class RevealRegulation(ContestantAction):
    """Pay a card of each suit, so that a secret regulation becomes private: you alone may read it,
    and may let others. The fee comes back where the regulation is not secret."""

    name = "aceofspades.reveal_regulation"
    title = "Pay to read a secret regulation"
    sentence = "Pay a card of each suit for Regulation {regulation}"
    also_said = ("Pay fee for [Regulation] {regulation}", "Reveal Regulation {regulation}")
    rule = R245

    class Form(ActionForm):
        regulation = RegulationNumber()

    def contestant_refusal(self, state: State, own: Contestant, data: Inputs) -> Refusal | None:
        number = data.get("regulation")
        if number is not None and state.regulation(number) is None:
            return no_regulation(number, R245)
        return contest.cannot_pay_fee(reader.hand_of(state, own.player), state.charts)

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> Outcome:
        found = state.regulation(data["regulation"])
        assert found is not None
        fee = contest.fee_of(state.charts)
        count = moves.counted(fee)
        paid = f"{own} names {found.title} and pays {moves.describe_count(count)}."
        figures = {"regulation": found.number, "paid": count}
        to_the_deck = (Move.Kind.FEE, count, own.player.name, DECK)
        if found.visibility != "secret":
            # What goes to and fro in one moment leaves every hand and the Deck as they were.
            moves.note(table, to_the_deck, (Move.Kind.RETURNED, count, DECK, own.player.name))
            text = f"{paid} It is not secret: the fee is returned from the Deck."
            return Outcome(text, {**figures, "returned": count})
        moves.give(table, own.player, state.deck, fee, f"the fee for {found.title}")
        moves.note(table, to_the_deck)
        book.show(table, found.number, "private")
        know(found.pk, own, table.seq, full=True)
        text = f"{paid} It is private now, and {own} has full need to know for it."
        return Outcome(text, {**figures, "returned": 0})


@action
class GrantNeedToKnow(ContestantAction):
    """Let another contestant read a private regulation for which you have full need to know."""

    name = "aceofspades.grant_ntk"
    title = "Grant need to know"
    sentence = "Grant {to} {kind} need to know for Regulation {regulation}"
    button = "Grant it"
    confirm = "What somebody has read cannot be taken back. Grant it?"
    rule = R240
    one_rule = True

    class Form(ActionForm):
        regulation = NumberField(private_numbers)
        to = ContestantField()
        kind = TextChoice(LIMITED, FULL, initial=LIMITED)

    def contestant_refusal(self, state: State, own: Contestant, data: Inputs) -> Refusal | None:
        number, to, kind = (data.get(name) for name in ("regulation", "to", "kind"))
        if number is None:
            known = (_knower(state, each, own.player.name) for each in state.regulations)
            if any(knower and knower.full for knower in known):
                return None
            sentence = (
                "You have full need to know for no private regulation, and so can pass none on."
            )
            return Refusal("nothing_to_grant", sentence, R240)
        found = state.regulation(number)
        if found is None:
            return no_regulation(number, R240)
        return _not_to_be_granted(state, found, own.player.name) or (
            _not_for(state, found, own.player.name, to, kind) if to else None
        )

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> Outcome:
        found, other = state.regulation(data["regulation"]), state.named(data["to"])
        assert found is not None
        assert other is not None
        know(found.pk, other, table.seq, full=data["kind"] == FULL)
        text = f"{own} grants {other} {data['kind']} need to know for {found.title}."
        return Outcome(text, {"regulation": found.number, "to": other.player.name})


@action
class WriteSecretRegulation(ContestmasterAction):
    """Write a secret regulation in the place of one that was drawn, before anybody plays."""

    name = "aceofspades.write_secret_regulation"
    title = "Write a secret regulation"
    sentence = "Write the secret Regulation {regulation}: {text}"
    button = "Write it"
    rule = R106
    one_rule = True

    class Form(ActionForm):
        regulation = NumberField(secret_numbers)
        text = Text(lines=True, longest=LONGEST_REGULATION, label="Its text")

    def sealed_inputs(self, table: Table, data: Inputs) -> frozenset[str]:
        return frozenset({"text"})

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        if state.everybody:
            sentence = (
                "Somebody has joined the contest: its secret regulations stay as they are, and a"
                " new one is proposed."
            )
            return Refusal("has_contestants", sentence, R106)
        number, text = data.get("regulation"), data.get("text")
        if number is None:
            return None
        found = state.regulation(number)
        if found is None:
            return no_regulation(number, R106)
        if found.visibility != "secret":
            sentence = f"{found.title} is {found.visibility}. Only a secret one can be rewritten."
            return Refusal("not_secret", sentence, R106)
        if not text:
            return None
        hidden = cannot_be_hidden(state.table, number, text, found.visibility)
        return hidden or cannot_be_played(state.table, number, text)

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        number = data["regulation"]
        book.take_effect(table, number, tidy(data["text"]), "secret")
        text = f"The Contestmaster writes the secret Regulation {number} anew."
        return Outcome(text, {"regulation": number})


def _knower(state: State, regulation: RegulationInBook, name: str) -> Knower | None:
    knowers = state.knowers.get(regulation.pk, [])
    return next((knower for knower in knowers if knower.name == name), None)


def _not_to_be_granted(state: State, found: RegulationInBook, name: str) -> Refusal | None:
    """Why this contestant passes on nothing of that regulation."""
    if found.is_public:
        sentence = f"{found.title} is public: everybody may read it."
        return Refusal("is_public", sentence, R240)
    if found.visibility == "secret":
        sentence = f"{found.title} is secret: nobody has need to know for it."
        return Refusal("is_secret", sentence, R240)
    own = _knower(state, found, name)
    if own is None:
        sentence = f"You have no need to know for {found.title}."
        return Refusal("no_need_to_know", sentence, R240)
    if not own.full:
        sentence = f"Your need to know for {found.title} is limited: it cannot be passed on."
        return Refusal("is_limited", sentence, R240)
    return None


def _not_for(
    state: State, found: RegulationInBook, name: str, to: str, kind: str | None
) -> Refusal | None:
    """Why that other contestant is granted nothing."""
    if to == name:
        return Refusal("yourself", "You have need to know for it yourself.", R240)
    if state.named(to) is None:
        return Refusal("no_contestant", f"{to} is not a contestant now.", R240)
    other = _knower(state, found, to)
    if other is not None and (other.full or kind != FULL):
        had = "full" if other.full else "limited"
        return Refusal("knows", f"{to} has {had} need to know for {found.title} already.", R240)
    return None

"""Who comes to know which regulation (Regulations 106, 240, 245, and 340 to 400)."""

from aceofspades.actions.drafts import cannot_be_hidden, cannot_be_played, tidy
from aceofspades.actions.fields import HIGHEST_NUMBER, LONGEST_REGULATION, NameField, NumberField
from aceofspades.actions.members import ContestantAction, ContestmasterAction
from aceofspades.events import book, moves
from aceofspades.models import Contestant, Move
from aceofspades.rules import contest
from aceofspades.secrecy import reader
from aceofspades.state.book import RegulationInBook, grant_need_to_know
from aceofspades.state.reading import DECK, State
from nomic.engine.actions import Inputs, TwoSidedAction, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal, first_refusal
from nomic.games.wording import counted

R106, R240, R245 = "Regulation 106", "Regulation 240", "Regulation 245"
FULL, LIMITED = "full", "limited"


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
        regulation = WholeNumber(1, HIGHEST_NUMBER)

    def judge(self, state: State, contestant: Contestant, regulation: int | None) -> Verdict:
        chosen = state.regulation(regulation)
        if regulation and not chosen:
            return no_regulation(regulation, R245)
        refusal = contest.cannot_pay_fee(reader.hand_of(state, contestant.player), state.charts)
        if refusal or not chosen:
            return refusal
        fee, is_secret = contest.fee_of(state.charts), chosen.visibility == "secret"
        count = sum(fee.values())
        to_the_deck = (Move.Kind.FEE, count, contestant.player.name, DECK)

        def pay(table: Table) -> str:
            if not is_secret:
                # What goes to and fro in one moment leaves every hand and the Deck as they were.
                moves.record_moves(
                    table, to_the_deck, (Move.Kind.RETURNED, count, DECK, contestant.player.name)
                )
                return "It is not secret: the fee is returned from the Deck."
            moves.move(table, f"the fee for {chosen.title}", (contestant.player, state.deck, fee))
            moves.record_moves(table, to_the_deck)
            book.disclose(table, chosen.number, "private")
            grant_need_to_know(chosen.pk, contestant, table.seq, full=True)
            return f"It is private now, and {contestant} has full need to know for it."

        return Effects(
            Then(pay),
            say=f"{contestant} names {chosen.title} and pays {counted(count, 'card')}.",
            figures={"regulation": regulation, "paid": count, "returned": count * (not is_secret)},
        )


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
        regulation = NumberField(lambda state: state.regulations_of("private"))
        to = NameField(lambda state: state.names)
        kind = TextChoice(LIMITED, FULL, initial=LIMITED)

    def judge(
        self,
        state: State,
        contestant: Contestant,
        regulation: int | None,
        to: str | None,
        kind: str,
    ) -> Verdict:
        if regulation is None:
            name = contestant.player.name
            if any(_need_to_know(state, rule, name) == FULL for rule in state.regulations):
                return None
            sentence = (
                "You have full need to know for no private regulation, and so can pass none on."
            )
            return Refusal("nothing_to_grant", sentence, R240)
        chosen = state.regulation(regulation)
        if chosen is None:
            return no_regulation(regulation, R240)
        refusal = _not_to_be_granted(state, chosen, contestant.player.name)
        if refusal or to is None:
            return refusal
        if to == contestant.player.name:
            return Refusal("yourself", "You have need to know for it yourself.", R240)
        receiver = state.contestant_named(to)
        if receiver is None:
            return Refusal("no_contestant", f"{to} is not a contestant now.", R240)
        present = _need_to_know(state, chosen, to)
        if present and (present == FULL or kind != FULL):
            sentence = f"{to} has {present} need to know for {chosen.title} already."
            return Refusal("knows", sentence, R240)
        return Effects(
            Then(
                lambda table: grant_need_to_know(chosen.pk, receiver, table.seq, full=kind == FULL)
            ),
            say=f"{contestant} grants {to} {kind} need to know for {chosen.title}.",
            figures={"regulation": regulation, "to": to},
        )


@action
class WriteSecretRegulation(ContestmasterAction, TwoSidedAction):
    """Write a secret regulation in the place of one that was drawn, before anybody plays."""

    name = "aceofspades.write_secret_regulation"
    title = "Write a secret regulation"
    sentence = "Write the secret Regulation {regulation}: {text}"
    button = "Write it"
    rule = R106
    one_rule = True

    class Form(ActionForm):
        regulation = NumberField(lambda state: state.regulations_of("secret"))
        text = Text(lines=True, longest=LONGEST_REGULATION, label="Its text")

    def sealed_inputs(self, table: Table, data: Inputs) -> frozenset[str]:
        return frozenset({"text"})

    def judge(
        self, state: State, player: Player | None, regulation: int | None, text: str | None
    ) -> Verdict:
        if state.has_begun:
            sentence = (
                "Somebody has joined the contest: its secret regulations stay as they are, and a"
                " new one is proposed."
            )
            return Refusal("has_contestants", sentence, R106)
        if regulation is None:
            return None
        chosen = state.regulation(regulation)
        if chosen is None:
            return no_regulation(regulation, R106)
        if chosen.visibility != "secret":
            sentence = f"{chosen.title} is {chosen.visibility}. Only a secret one can be rewritten."
            return Refusal("not_secret", sentence, R106)
        if not text:
            return None
        hidden = cannot_be_hidden(state.table, regulation, text, chosen.visibility)

        def write(table: Table) -> str:
            book.take_effect(table, regulation, tidy(text), "secret")
            return f"The Contestmaster writes the secret Regulation {regulation} anew."

        return (
            hidden
            or cannot_be_played(state.table, regulation, text)
            or Effects(Then(write), figures={"regulation": regulation})
        )


def _need_to_know(state: State, regulation: RegulationInBook, name: str) -> str | None:
    return state.knowers.get(regulation.pk, {}).get(name)


def _not_to_be_granted(state: State, regulation: RegulationInBook, name: str) -> Refusal | None:
    """Why this contestant passes on nothing of that regulation."""
    title, kind = regulation.title, _need_to_know(state, regulation, name)
    limited = f"Your need to know for {title} is limited: it cannot be passed on."
    secret = f"{title} is secret: nobody has need to know for it."
    return first_refusal(
        R240,
        (regulation.is_public, "is_public", f"{title} is public: everybody may read it."),
        (regulation.visibility == "secret", "is_secret", secret),
        (kind is None, "no_need_to_know", f"You have no need to know for {title}."),
        (kind == LIMITED, "is_limited", limited),
    )

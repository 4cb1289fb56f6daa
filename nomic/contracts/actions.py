"""What players do with contracts: make one, enter and leave it, give to it, and ask its parties."""

from collections.abc import Mapping
from typing import Any, ClassVar

from nomic.contracts.deeds import empowers, granted, judge_deed, needed, text_refusal
from nomic.contracts.models import Consent, Contract, Party, Request
from nomic.contracts.powers import empowered_by, in_words, note_powers
from nomic.contracts.rules import CONTRACTS, KIND, MOST_OPEN, Deed
from nomic.contracts.state import State, consenting_parties, is_on, parties_of
from nomic.documents.actions.fields import Written
from nomic.documents.actions.publishing import publish_text
from nomic.documents.state import state_of as documents_of
from nomic.engine.actions import Action, action
from nomic.engine.effects import Effects, Give, Set, Then, Verdict
from nomic.engine.forms import LAST_NUMBER, ActionForm, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.acts_by_rows import by_oneself
from nomic.governance.corrections import AssetField, ReceiverField
from nomic.rulebook.charts import MOST

MAKE = "contracts.make"
CONSENT = by_oneself("contracts.consent")


class _ContractAction(Action):
    rule = CONTRACTS
    State = State

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(is_on(table))


@action
class MakeContract(_ContractAction):
    """Make a contract: a text that binds its parties, of whom you are the first."""

    name = MAKE
    title = "Make a contract"
    sentence = "Make the contract “{title}”: {text}"
    button = "Make one"
    page = "contract_new"

    Form = Written

    def judge(self, state: State, player: Player, title: str | None, text: str | None) -> Verdict:
        if title is None or text is None:
            return None
        if refusal := text_refusal(state.table, text, player):
            return refusal
        number = documents_of(state.table).next_number

        def make(table: Table) -> None:
            document = publish_text(table, number, KIND, player, title, text)
            # No player can go by a name with such a sign.
            account = table.ledger.deck(f"Contract #{number}")
            contract = Contract.objects.create(
                document=document, number=number, account=account, entry=table.seq
            )
            Party.objects.create(contract=contract, player=player, entry=table.seq)
            note_powers(table, number, text)

        return Effects(
            Then(make),
            say=f"{player} makes Contract {number}, “{title}”, and is its first party.",
            figures={"contract": number, "document": number},
        )


class _OfOne(_ContractAction):
    """An action on a contract that there is."""

    page = "contracts"

    def open_contract(self, state: State, number: int) -> Refusal | Contract:
        """The contract of that number, or why nothing is done with it."""
        contract = state.contract(number)
        if contract is None:
            sentence = f"This game has no Contract {number}."
            return Refusal("no_such_contract", sentence, self.rule)
        if contract.ended_in is not None:
            sentence = f"{contract} has ended: it had no party left."
            return Refusal("ended", sentence, self.rule)
        return contract


class _DeedAction(_OfOne):
    """A deed that one does alone, or asks the parties for, as the terms of the contract say."""

    deed: ClassVar[Deed]

    def asked_for(self, table: Table, inputs: Mapping[str, Any]) -> str:
        """What the parties are asked for: “to be let in”."""
        raise NotImplementedError

    def judge(self, state: State, player: Player, **inputs: Any) -> Verdict:
        number = inputs.pop("contract", None)
        if number is None:
            return None
        contract = self.open_contract(state, number)
        if isinstance(contract, Refusal):
            return contract
        terms, parties = state.terms(contract), parties_of(contract)
        is_party = player in parties
        if refusal := terms.refusal(self.deed, player.name, is_party=is_party):
            return refusal
        effects = judge_deed(state.table, contract, self.deed, player, inputs)
        if not isinstance(effects, Effects):
            return effects
        number_needed = needed(state.table, contract, self.deed, inputs, len(parties))
        is_enough = is_party and number_needed == 1
        is_alone = terms.alone(self.deed, player.name)
        if self.deed is Deed.CHANGE and empowers(contract, inputs):
            is_alone = False  # it binds the parties otherwise than they have consented to
        if not (is_enough or is_alone):
            asked = self._asked(state, contract, player, inputs)
            if isinstance(asked, Refusal):
                return asked
            effects = asked
        return effects.also(figures={"contract": number, "document": number})

    def _asked(
        self, state: State, contract: Contract, player: Player, inputs: Mapping[str, Any]
    ) -> Refusal | Effects:
        requests = state.open_requests.filter(contract=contract)
        if self.deed in (Deed.ENTER, Deed.LEAVE):  # once, so that no stranger fills the list
            earlier_request = requests.filter(player=player, deed=self.deed).first()
            if earlier_request is not None:
                return Refusal(
                    "asked", f"You ask for that already, by {earlier_request}.", CONTRACTS
                )
        if requests.count() >= MOST_OPEN:
            sentence = f"{MOST_OPEN} requests wait already for the parties of {contract}."
            return Refusal("too_many", sentence, CONTRACTS)
        number, is_party = state.next_request, player in parties_of(contract)

        def ask(table: Table) -> None:
            request = Request.objects.create(
                contract=contract,
                number=number,
                player=player,
                deed=self.deed,
                inputs=dict(inputs),
                entry=table.seq,
            )
            if is_party:
                Consent.objects.create(request=request, player=player, entry=table.seq)

        purpose = self.asked_for(state.table, inputs)
        return Effects(
            Then(ask),
            say=f"{player} asks the parties of {contract} {purpose}: Request {number}.",
            outlook="It is done once enough of its parties have consented.",
        )


@action
class EnterContract(_DeedAction):
    """Become a party of a contract, and be bound by what it says."""

    name = by_oneself("contracts.enter")
    title = "Enter a contract"
    sentence = "Enter contract {contract}"
    button = "Enter"
    confirm = "Enter it? What it says binds you from then on."
    deed = Deed.ENTER

    class Form(ActionForm):
        contract = WholeNumber(1, LAST_NUMBER, label="Contract")
        version = WholeNumber(
            1, LAST_NUMBER, required=False, label="The version of its text that you have read"
        )

    def judge(self, state: State, player: Player, **inputs: Any) -> Verdict:
        """Also not where it has got another text than the one that was read."""
        version, number = inputs.pop("version", None), inputs.get("contract")
        verdict = super().judge(state, player, **inputs)
        contract = state.contract(number) if version and number else None
        if contract is None or isinstance(verdict, Refusal):
            return verdict
        version_now = contract.document.version
        if version == version_now:
            return verdict
        sentence = f"{contract} has another text since: version {version_now}. Read it first."
        return Refusal("other_text", sentence, CONTRACTS)

    def asked_for(self, table: Table, inputs: Mapping[str, Any]) -> str:
        return "to be let in"

    def question(self, table: Table, player: Player | None, inputs: Mapping[str, Any]) -> str:
        """Also what it lets be done with what its parties own, and in their names."""
        contract = table.once(State).contract(inputs.get("contract") or 0)
        if contract is None:
            return self.confirm
        return " ".join((self.confirm, *in_words(empowered_by(contract).provisions)))


@action
class LeaveContract(_DeedAction):
    """Be a party of a contract no more."""

    name = by_oneself("contracts.leave")
    title = "Leave a contract"
    sentence = "Leave contract {contract}"
    button = "Leave"
    confirm = "Leave it? A contract whose last party leaves ends."
    deed = Deed.LEAVE

    class Form(ActionForm):
        contract = WholeNumber(1, LAST_NUMBER, label="Contract")

    def asked_for(self, table: Table, inputs: Mapping[str, Any]) -> str:
        return "to be let go"


@action
class ChangeContract(_DeedAction):
    """Give a contract another title or text. The ones that it had can still be read."""

    name = by_oneself("contracts.change")  # who asks for it consents to it
    title = "Change a contract"
    sentence = "Change contract {contract} to “{title}”: {text}"
    button = "Change"
    page = "contracts"
    deed = Deed.CHANGE

    class Form(Written):
        contract = WholeNumber(1, LAST_NUMBER, label="Contract")
        field_order = ("contract", "title", "text")

    def asked_for(self, table: Table, inputs: Mapping[str, Any]) -> str:
        return f"to let it read otherwise, as “{inputs['title']}”"


@action
class PayFromContract(_DeedAction):
    """Let a contract pay somebody from its account."""

    name = by_oneself("contracts.pay")
    title = "Let a contract pay"
    sentence = "Let contract {contract} pay {amount} {asset} to {receiver}"
    button = "Pay"
    deed = Deed.PAY

    class Form(ActionForm):
        contract = WholeNumber(1, LAST_NUMBER, label="Contract")
        amount = WholeNumber(1, MOST)
        asset = AssetField()
        receiver = ReceiverField(label="To")

    def asked_for(self, table: Table, inputs: Mapping[str, Any]) -> str:
        amount = table.ledger.asset(inputs["asset"]).amount(inputs["amount"])
        return f"to let it pay {amount} to {inputs['receiver']}"


@action
class GiveToContract(_OfOne):
    """Give assets of yours to the account of a contract."""

    name = "contracts.give"
    title = "Give to a contract"
    sentence = "Give {amount} {asset} to contract {contract}"
    button = "Give"

    class Form(ActionForm):
        contract = WholeNumber(1, LAST_NUMBER, label="Contract")
        amount = WholeNumber(1, MOST)
        asset = AssetField()
        field_order = ("amount", "asset", "contract")

    def judge(
        self,
        state: State,
        player: Player,
        contract: int | None,
        amount: int | None,
        asset: str | None,
    ) -> Verdict:
        if contract is None:
            return None
        row = self.open_contract(state, contract)
        if isinstance(row, Refusal):
            return row
        if asset is None or amount is None:
            return None
        amount_in_words = state.table.ledger.asset(asset).amount(amount)
        return Effects(
            Give(player, row.account, amount, asset, f"to {row}"),
            say=f"{player} gives {amount_in_words} to {row}.",
            figures={"contract": row.number, "document": row.number},
        )


class _OfRequest(_ContractAction):
    """An action on a request that waits for consent."""

    page = "contracts"

    class Form(ActionForm):
        request = WholeNumber(1, LAST_NUMBER, label="Request")

    def open_request(self, state: State, number: int) -> Refusal | Request:
        """The request of that number, or why nothing is done with it."""
        request = state.open_requests.filter(number=number).first()
        if request is None:
            sentence = f"No Request {number} of a contract waits for consent."
            return Refusal("no_such_request", sentence, self.rule)
        return request


@action
class ConsentToRequest(_OfRequest):
    """Consent to what the parties of a contract are asked for. It is done once enough of them
    have."""

    name = CONSENT
    title = "Consent to a request"
    sentence = "Consent to request {request}"
    button = "Consent"

    def judge(self, state: State, player: Player, request: int | None) -> Verdict:
        if request is None:
            return None
        row = self.open_request(state, request)
        if isinstance(row, Refusal):
            return row
        contract = state.contract(row.contract.number)
        assert contract is not None
        parties = parties_of(contract)
        if player not in parties:
            sentence = f"Only the parties of {contract} consent to it."
            return Refusal("no_party", sentence, self.rule)
        consenting = consenting_parties(row, parties)
        if player in consenting:
            return Refusal("consented", f"You have consented to {row} already.", self.rule)
        verdict = granted(state.table, contract, row, [*consenting, player])
        if isinstance(verdict, Refusal):
            return verdict
        consent = Set(Consent, request=row, player=player)
        words = f"{player} consents to {row} of {contract}."
        figures = {"contract": contract.number, "document": contract.number}
        if verdict is None:
            return Effects(consent, say=words, figures=figures)
        return Effects(consent, *verdict.effects, say=f"{words} {verdict.say}", figures=figures)


@action
class WithdrawRequest(_OfRequest):
    """Withdraw what you have asked the parties of a contract for."""

    name = "contracts.withdraw"
    title = "Withdraw a request"
    sentence = "Withdraw request {request}"
    button = "Withdraw"

    def judge(self, state: State, player: Player, request: int | None) -> Verdict:
        if request is None:
            return None
        row = self.open_request(state, request)
        if isinstance(row, Refusal):
            return row
        if row.player != player:
            sentence = f"Only {row.player}, who asks for it, withdraws {row}."
            return Refusal("not_the_asker", sentence, self.rule)
        number = row.contract.number
        return Effects(
            Set(row, ended_in=state.table.seq),
            say=f"{player} withdraws {row} of {row.contract}.",
            figures={"contract": number, "document": number},
        )

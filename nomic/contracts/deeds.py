"""What is done with a contract: by one alone, or when enough of its parties have consented."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from nomic.contracts.models import Contract, Party, Request
from nomic.contracts.powers import powers_noted, provisions_refusal
from nomic.contracts.rules import (
    CONTRACTS,
    MOST_PARTIES,
    Deed,
    Provisions,
    is_a_name,
    provisions_of,
    terms_of,
)
from nomic.contracts.state import consenting_parties, is_player, parties_of, state_of
from nomic.documents.actions.changes import NO_TEXT
from nomic.documents.actions.publishing import add_version
from nomic.engine.effects import AssetMove, Effects, Set, Then, Transfer, Verdict, apply
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.tables import TableBroken


def judge_deed(
    table: Table, contract: Contract, deed: Deed, player: Player, inputs: Mapping[str, Any]
) -> Verdict:
    """The effects of the deed, which that player does or has asked for, as of now; or why it cannot
    be. None while something of it is not chosen."""
    return _DEEDS[deed](table, contract, player, inputs)


def _enter(table: Table, contract: Contract, player: Player, inputs: Mapping[str, Any]) -> Verdict:
    if player in parties_of(contract):
        return Refusal("is_party", f"{player} is a party of {contract} already.", CONTRACTS)
    if len(parties_of(contract)) >= MOST_PARTIES:
        return Refusal("too_many", f"A contract has at most {MOST_PARTIES} parties.", CONTRACTS)
    return Effects(
        Set(Party, contract=contract, player=player),
        say=f"{player} becomes a party of {_called(contract)}.",
    )


def _leave(table: Table, contract: Contract, player: Player, inputs: Mapping[str, Any]) -> Verdict:
    if player not in parties_of(contract):
        return Refusal("no_party", f"{player} is no party of {contract}.", CONTRACTS)
    return Effects(
        Then(partial(_let_go, number=contract.number, player=player)),
        say=f"{player} leaves {_called(contract)}.",
    )


def _change(table: Table, contract: Contract, player: Player, inputs: Mapping[str, Any]) -> Verdict:
    title, text = inputs.get("title"), inputs.get("text")
    if title is None or text is None:
        return None
    document = contract.document
    if refusal := text_refusal(table, text, document.author, contract.number):
        return refusal
    if (document.title, document.text) == (title, text):
        return Refusal("same_text", f"{contract} says this already.", CONTRACTS)
    number, anew = document.version + 1, ""
    requests: list[Request] = []
    if text != document.text:  # else who would enter could be bound by what they have never read
        requests = [*state_of(table).open_requests.filter(contract=contract, deed=Deed.ENTER)]
    if requests:
        names = enumerated([request.player.name for request in requests])
        anew = f" What {names} asked for, to be let in, ends by that: they may ask anew."
    return Effects(
        Set(document, title=title, text=text, version=number),
        Then(lambda table: add_version(table, document, player)),
        *(Set(request, ended_in=table.seq) for request in requests),
        powers_noted(contract.number, text),
        say=f"{contract}, “{title}”, has another text: version {number}.{anew}",
    )


def _pay(table: Table, contract: Contract, player: Player, inputs: Mapping[str, Any]) -> Verdict:
    if inputs.get("asset") is None or inputs.get("amount") is None:
        return None
    asset, amount, account = inputs["asset"], inputs["amount"], contract.account
    if refusal := table.ledger.cannot_transfer(account, amount, asset):
        return refusal
    if table.ledger.balance(account, asset) < amount:
        sentence = f"{contract} pays what it has, and owes nothing: it has less than that."
        return Refusal("cannot_pay", sentence, CONTRACTS)
    receiver = inputs.get("receiver")
    if receiver is None:
        return None
    if receiver == account.name:
        return Refusal("same_holder", "A contract pays to somebody else.", CONTRACTS)
    if receiver not in table.directory.receivers:  # since it was asked for
        return Refusal("has_left", f"{receiver} has left the game, and is paid nothing.", CONTRACTS)
    holder = table.game.holders.get(name=receiver)
    amount_in_words = table.ledger.asset(asset).amount(amount)
    return Effects(
        Transfer([AssetMove(account, holder, amount, asset)], f"by {contract}"),
        say=f"{contract} pays {amount_in_words} to {holder}.",
    )


_DEEDS = {Deed.ENTER: _enter, Deed.LEAVE: _leave, Deed.CHANGE: _change, Deed.PAY: _pay}


def needed(
    table: Table, contract: Contract, deed: Deed, inputs: Mapping[str, Any], parties: int
) -> int:
    """How many of so many parties have to consent to it: all, where it changes what the contract
    lets be done with their assets and in their names."""
    if deed is Deed.CHANGE and empowers(contract, inputs):
        return parties
    return state_of(table).terms(contract).needed(deed, parties)


def empowers(contract: Contract, inputs: Mapping[str, Any]) -> bool:
    """Whether a contract with the text of these inputs lets anything else be done than it does."""
    texts = (contract.document.text, inputs.get("text") or "")
    before, after = (
        unless_broken(partial(provisions_of, wording), Provisions()) for wording in texts
    )
    return before != after


def text_refusal(
    table: Table, text: str, maker: Player | None, number: int | None = None
) -> Refusal | None:
    """Why that cannot be the text of a contract that this player makes or has made, of that number
    where it is there already; None if it can."""
    if not text.strip():
        return NO_TEXT
    try:
        terms = terms_of(text, state_of(table).charts.ways)
        refusal = provisions_refusal(table, text, maker, number)
    except TableBroken as broken:
        return Refusal("terms_unread", broken.sentence, CONTRACTS)
    names = (way for way in terms.ways.values() if is_a_name(way))
    stranger = next((name for name in names if not is_player(table, name)), None)
    if stranger is None:
        return refusal
    sentence = f"The contract’s table says “{stranger[:60]}”, which is no way, and no player."
    return Refusal("terms_unread", sentence, CONTRACTS)


def settle(table: Table, number: int) -> Effects | None:
    """Do the oldest of the contract's requests that has enough consents and can be done, and what
    follows from it; None where there is none."""
    contract = state_of(table).contract(number)
    if contract is None or contract.ended_in is not None:
        return None
    for request in state_of(table).open_requests.filter(contract=contract):
        consenting = consenting_parties(request, parties_of(contract))
        verdict = granted(table, contract, request, consenting)
        if isinstance(verdict, Effects):
            return verdict
    return None


def granted(
    table: Table, contract: Contract, request: Request, consenting: Sequence[Player]
) -> Verdict:
    """The effects of a request to which these parties consent; None where they are too few, the
    refusal where it cannot be done."""
    deed, terms = Deed(request.deed), state_of(table).terms(contract)
    parties = len(parties_of(contract))
    if len(consenting) < needed(table, contract, deed, request.inputs, parties):
        return None
    # The contract may say otherwise by now than when it was asked for.
    is_party = deed is not Deed.ENTER
    if refusal := terms.refusal(deed, request.player.name, is_party=is_party):
        return refusal
    verdict = judge_deed(table, contract, deed, request.player, request.inputs)
    if not isinstance(verdict, Effects):
        return verdict
    return verdict.also(
        Set(request, ended_in=table.seq, is_done=True),
        Then(lambda table: settle(table, contract.number)),
    )


def let_go_everywhere(table: Table, player: Player) -> None:
    """Let a player who has left the game be a party of nothing, and withdraw what they asked for as
    one who would enter or leave."""
    requests = Request.objects.filter(game=table.game, ended_in=None, player=player)
    requests.filter(deed__in=(Deed.ENTER, Deed.LEAVE)).update(ended_in=table.seq)
    of_player = Party.objects.filter(game=table.game, player=player, left_in=None)
    numbers = of_player.order_by("contract__number").values_list("contract__number", flat=True)
    apply(table, Effects(*(Then(partial(_let_go, number=it, player=player)) for it in [*numbers])))


def _let_go(table: Table, number: int, player: Player) -> Effects | None:
    """That player is a party no more: what others ask for may have enough consents by that, and a
    contract without a party ends."""
    Party.objects.filter(
        contract__number=number, game=table.game, player=player, left_in=None
    ).update(left_in=table.seq)
    table.drop_all()
    contract = state_of(table).contract(number)
    assert contract is not None
    if parties_of(contract):
        return settle(table, number)
    is_gone = not table.game.players.filter(pk=player.pk, active=True).exists()
    heir = table.ledger.lost_and_found if is_gone else player
    holdings = {
        name: amount for name, amount in table.ledger.holdings(contract.account).items() if amount
    }
    moves = [
        AssetMove(contract.account, heir, amount, name)
        if amount > 0
        else AssetMove(heir, contract.account, -amount, name)  # what it was made to owe
        for name, amount in holdings.items()
    ]
    requests = Request.objects.filter(contract=contract, ended_in=None)
    words = f" What it owned goes to {heir.name}." if moves else ""
    return Effects(
        *([Transfer(moves, f"{contract} ends")] if moves else []),
        *(Set(request, ended_in=table.seq) for request in requests),
        Set(contract, ended_in=table.seq),
        powers_noted(contract.number, ""),
        say=f"{contract} has no party left and ends.{words}",
    )


def _called(contract: Contract) -> str:
    return f"{contract}, “{contract.document.title}”"

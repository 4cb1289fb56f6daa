"""The contracts of a game as plain values: what the API answers."""

from nomic.contracts.deeds import needed
from nomic.contracts.models import Contract, Request
from nomic.contracts.powers import empowered_by, in_words
from nomic.contracts.rules import Deed, Terms
from nomic.contracts.shapes import (
    ContractRequestShape,
    ContractShape,
    ContractTermsShape,
    WholeContractShape,
)
from nomic.contracts.state import consenting_parties, is_on, parties_of, state_of
from nomic.engine.table import Table
from nomic.rulebook.charts import unless_broken


def contracts_state(table: Table) -> list[ContractShape] | None:
    """All contracts of the game, the oldest first; None where the game has no rule that lets
    contracts be, and none."""
    listed = [_line(contract) for contract in state_of(table).contracts.order_by("number")]
    return listed if listed or is_on(table) else None


def whole_contract(table: Table, number: str) -> WholeContractShape | None:
    """The contract of that number, whole; None where there is none."""
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        return None
    state = state_of(table)
    contract = state.contract(int(number))
    if contract is None:
        return None
    terms = unless_broken(lambda: state.terms(contract), None)
    requests = state.open_requests.filter(contract=contract) if terms else ()
    return {
        **_line(contract),
        "text": contract.document.text,
        "terms": _terms(terms) if terms else None,
        "owns": holdings(table, contract),
        "requests": [_request(table, contract, request) for request in requests if terms],
        "powers": in_words(empowered_by(contract).provisions),
    }


def holdings(table: Table, contract: Contract) -> dict[str, int]:
    """How much the contract's account has of each public asset of which it has any."""
    public = {asset.name for asset in table.ledger.public_assets()}
    held = table.ledger.holdings(contract.account)
    return {name: amount for name, amount in held.items() if amount and name in public}


def _line(contract: Contract) -> ContractShape:
    return {
        "number": contract.number,
        "title": contract.document.title,
        "made_by": contract.document.author_name,
        "parties": [party.name for party in parties_of(contract)],
        "account": contract.account.name,
        "entry": contract.entry,
        "ended_in": contract.ended_in,
    }


def _terms(terms: Terms) -> ContractTermsShape:
    return {
        "entered_by": terms.ways[Deed.ENTER],
        "left_by": terms.ways[Deed.LEAVE],
        "changed_by": terms.ways[Deed.CHANGE],
        "pays_by": terms.ways[Deed.PAY],
    }


def _request(table: Table, contract: Contract, request: Request) -> ContractRequestShape:
    parties = parties_of(contract)
    return {
        "number": request.number,
        "by": request.player.name,
        "asks": request.deed,
        "inputs": request.inputs,
        "consented": [party.name for party in consenting_parties(request, parties)],
        "needed": needed(table, contract, Deed(request.deed), request.inputs, len(parties)),
        "entry": request.entry,
    }

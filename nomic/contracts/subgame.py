"""Contracts as a part of a game: they are there as long as a rule lets them be."""

import json
from collections.abc import Collection, Iterator

from django.db.models import Q
from django.urls import reverse

from nomic.contracts.actions import CONSENT
from nomic.contracts.api import contracts_state, whole_contract
from nomic.contracts.deeds import let_go_everywhere
from nomic.contracts.models import Contract, ContractState, Party, Request
from nomic.contracts.notices import concerns
from nomic.contracts.rulebook import RULEBOOK
from nomic.contracts.rules import CONTRACTS, ContractCharts
from nomic.contracts.shapes import ContractShape, WholeContractShape
from nomic.contracts.state import is_on, state_of
from nomic.documents.homes import Home, keeps_documents
from nomic.documents.models import Document
from nomic.engine.subgames import QuickAct, Subgame, Trace, Waiting, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.names import with_name
from nomic.record.models import Entry
from nomic.rulebook.text_cache import committed_rules


class Contracts(Subgame):
    """Agreements of players that bind them, and may own assets."""

    sign = "contract"
    concerns = staticmethod(concerns)

    def is_on(self, game: Game) -> bool:
        return committed_rules(game).known(CONTRACTS) is not None

    def charts(self, table: Table) -> ContractCharts:
        return state_of(table).charts

    def rules_changed(self, table: Table) -> None:
        """Who left the game while no rule let contracts be is a party of nothing, either."""
        if is_on(table):
            parties = Party.objects.filter(game=table.game, left_in=None, player__active=False)
            for player in Player.objects.filter(pk__in=parties.values("player")).order_by("pk"):
                let_go_everywhere(table, player)

    def left(self, table: Table, player: Player) -> None:
        """Who leaves the game is a party of nothing any more."""
        let_go_everywhere(table, player)

    def renamed(self, table: Table, player: Player, former: str) -> None:
        """What parties are asked for goes to whom it was to go to, and programs know the player by
        the new name, also those that do not run now."""
        for request in Request.objects.filter(game=table.game, ended_in=None):
            if request.inputs.get("receiver") == former:
                request.inputs["receiver"] = player.name
                request.save(update_fields=["inputs"])
        for row in ContractState.objects.filter(game=table.game):
            state = json.dumps(with_name(json.loads(row.state), former, player.name))
            if state != row.state:
                row.state = state
                row.save(update_fields=["state"])

    def item_called(self, key: str) -> str:
        return f"Contract {key}"

    def state(self, table: Table, player: Player | None) -> list[ContractShape] | None:
        """All contracts of the game, the oldest first, without their texts."""
        return contracts_state(table)

    def item(self, table: Table, player: Player | None, name: str) -> WholeContractShape | None:
        """One contract, by its number, with its text, its terms, what it owns and what its parties
        are asked for."""
        return whole_contract(table, name)

    def waiting(self, table: Table, player: Player) -> Iterator[Waiting]:
        """What the contracts of the player are asked for, to which they have not consented."""
        of_player = Party.objects.filter(player=player, left_in=None).values("contract")
        requests = state_of(table).open_requests.filter(contract__in=of_player)
        for request in requests.exclude(consents__player=player):
            url = reverse("contract", args=[table.game.slug, request.contract.number])
            words = f"{request} of {request.contract}, by {request.player}"
            act = QuickAct("Consent", CONSENT, {"request": request.number})
            yield Waiting(words, url, acts=(act,))

    def parties_to(self, game: Game, kind: str, name: str, since: int) -> Collection[int]:
        """The parties of the contract of that number, or whose text that document is."""
        if kind not in (self.name, "documents") or not (name.isdecimal() and len(name) < 10):
            return ()
        parties = Party.objects.filter(game=game, contract__number=int(name))
        parties_then = parties.filter(Q(left_in=None) | Q(left_in__gt=since))
        return set(parties_then.values_list("player", flat=True))

    def owners_of(self, game: Game, holders: Collection[str]) -> Collection[int]:
        """The parties of the contracts whose accounts are among these."""
        of_accounts = Party.objects.filter(contract__account__name__in=holders)
        parties = of_accounts.filter(game=game, left_in=None)
        return set(parties.values_list("player", flat=True))

    def traces_of(self, game: Game, entry: Entry) -> list[Trace]:
        """The contract of which the entry tells."""
        number = entry.outcome.get("contract") if entry.name.startswith("contracts.") else None
        contract = Contract.objects.filter(game=game, number=number).first() if number else None
        if contract is None:
            return []
        url = reverse("contract", args=[game.slug, contract.number])
        return [Trace(entry.seq, str(contract), url, contract.document.title)]


THE_CONTRACTS = register(Contracts("contracts", "Contracts", RULEBOOK))


@keeps_documents
def contract_of(document: Document) -> Home | None:
    """The contract whose text that document is."""
    is_one = Contract.objects.filter(document=document).exists()
    return Home(f"Contract {document.number}", "contract") if is_one else None

"""The contracts of a game as its rule lets them be: rows to values, and back."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from django.db.models import Max, Prefetch, QuerySet

from nomic.contracts.models import Consent, Contract, Party, Request
from nomic.contracts.rules import CONTRACTS, ContractCharts, Terms, is_a_name, terms_of
from nomic.engine.table import Table
from nomic.games.models import Player


class State:
    """The contracts of one game as one table sees them; everything is read when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def charts(self) -> ContractCharts:
        """The figures of the rule, or of the last version of it that can be read."""
        rules = self.table.rules
        return rules.figures(ContractCharts, rules.texts(ContractCharts.titles))

    @property
    def contracts(self) -> QuerySet[Contract]:
        """All contracts of the game with their documents, accounts and parties, the newest
        first."""
        parties = (
            Party.objects.filter(left_in=None, player__active=True)
            .select_related("player")
            .order_by("pk")
        )
        return (
            Contract.objects.filter(game=self.table.game)
            .select_related("document__author", "account")
            .prefetch_related(Prefetch("all_parties", parties, to_attr="present"))
        )

    @property
    def open_requests(self) -> QuerySet[Request]:
        """All requests that wait for consent, the oldest first, with their consents."""
        consents = Consent.objects.select_related("player").order_by("pk")
        return (
            Request.objects.filter(game=self.table.game, ended_in=None)
            .select_related("player", "contract__document", "contract__account")
            .prefetch_related(Prefetch("consents", consents, to_attr="current_consents"))
        )

    @property
    def next_request(self) -> int:
        """The number of the next request."""
        requests = Request.objects.filter(game=self.table.game)
        last: int | None = requests.aggregate(last=Max("number"))["last"]
        return (last or 0) + 1

    def contract(self, number: int) -> Contract | None:
        """The contract of that number."""
        return self.contracts.filter(number=number).first()

    def terms(self, contract: Contract) -> Terms:
        """How its deeds are done, by its text or else by the rule, with players who are named there
        by the names that they have now. TableBroken where neither says it."""
        terms = terms_of(contract.document.text, self.charts.ways)
        return Terms(
            {
                deed: name_now(self.table, way) if is_a_name(way) else way
                for deed, way in terms.ways.items()
            }
        )


def is_on(table: Table) -> bool:
    """Whether the rule that lets contracts be is in force."""
    return table.rules.in_force(CONTRACTS)


def name_now(table: Table, name: str) -> str:
    """The name by which the player goes now whom a contract calls so; else that name."""
    return table.directory.former.get(name, name)


def is_player(table: Table, name: str) -> bool:
    """Whether that is how a player is called, or was before."""
    return name_now(table, name) in table.directory.players


def state_of(table: Table) -> State:
    """The state of the contracts at that table."""
    return table.once(State)


def parties_of(contract: Contract) -> list[Player]:
    """The players who are party to it now, in the order in which they became so."""
    present: Iterable[Party] = contract.present  # type: ignore[attr-defined]
    return [party.player for party in present]


def consenting_parties(request: Request, parties: Iterable[Player]) -> list[Player]:
    """Those of its contract's parties who have consented to it."""
    consents: Iterable[Consent] = request.current_consents  # type: ignore[attr-defined]
    keys = {consent.player_id for consent in consents}
    return [party for party in parties if party.pk in keys]

"""Whom the contracts' part of the record concerns: the parties, asked for consent or told of it."""

from collections.abc import Iterator

from django.urls import reverse

from nomic.contracts.models import Party, Request
from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.record.models import Entry


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """The parties of a contract who are asked for their consent, and who has asked, when it is
    done or ends without them."""
    number = entry.outcome.get("contract")
    if number is None or not entry.name.startswith("contracts."):
        return
    of_contract = Request.objects.filter(game=table.game, contract__number=number)
    url = reverse("contract", args=[table.game.slug, number])
    asked = of_contract.filter(entry=entry.seq, ended_in=None).first()
    if asked is not None:
        parties = Party.objects.filter(game=table.game, contract__number=number, left_in=None)
        to = frozenset(parties.values_list("player", flat=True)) - {asked.player_id}
        yield Concern(NoticeKind.OFFER, entry.text, url, to)
    ended_contracts = of_contract.filter(ended_in=entry.seq)
    if to := frozenset(ended_contracts.values_list("player", flat=True)) - {entry.actor_id}:
        yield Concern(NoticeKind.ANSWER, entry.text, url, to)

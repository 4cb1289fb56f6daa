"""Whom the contracts' part of the record concerns: the parties, asked for consent or told of it."""

from collections.abc import Iterator

from django.urls import reverse

from nomic.contracts.models import Party, Request
from nomic.documents.models import DocumentVersion
from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.record.models import Entry


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """The parties of a contract who are asked for their consent; who has asked, when it is done or
    ends without them; and the parties who are bound by another text."""
    number = entry.outcome.get("contract")
    if number is None or not entry.name.startswith("contracts."):
        return
    of_contract = Request.objects.filter(game=table.game, contract__number=number)
    url = reverse("contract", args=[table.game.slug, number])
    of_parties = Party.objects.filter(game=table.game, contract__number=number, left_in=None)
    parties = frozenset(of_parties.values_list("player", flat=True))
    asked = of_contract.filter(entry=entry.seq, ended_in=None).first()
    if asked is not None:
        yield Concern(NoticeKind.OFFER, entry.text, url, parties - {asked.player_id})
    ended_requests = of_contract.filter(ended_in=entry.seq)
    askers = frozenset(ended_requests.values_list("player", flat=True))
    if to := askers - {entry.actor_id}:
        yield Concern(NoticeKind.ANSWER, entry.text, url, to)
    versions = DocumentVersion.objects.filter(
        game=table.game, document__number=number, number__gt=1
    )
    to = parties - askers - {entry.actor_id}
    if to and versions.filter(entry=entry.seq).exists():
        yield Concern(NoticeKind.NAMED, f"This is about you: {entry.text}", url, to)

"""What one contestant knows of between contestants: alliances, pacts, open offers; one query."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.fields import ArrayField
from django.db.models import BigIntegerField, CharField, F, QuerySet, Value
from django.db.models.functions import Cast

from aceofspades.models import Alliance, Contestant, Offer, Pact
from aceofspades.state.reading import State
from nomic.engine.table import Table

MOST_LISTED = 60  # of the open offers that one has made, and of those that one got

Rows = QuerySet[Any, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Band:
    """An alliance that is not over: its number and its members, by their keys."""

    pk: int
    number: int
    members: frozenset[int]

    def __str__(self) -> str:
        return f"Alliance {self.number}"


@dataclass(frozen=True, slots=True)
class Promise:
    """A pact that is open: its code, who would be allied by it, and who of them has agreed."""

    pk: int
    code: str
    members: frozenset[int]
    agreed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Ties:
    """All alliances that are not over, the oldest first; the open pacts that would ally one
    contestant; and the codes of the open offers that they have made and got, the newest first."""

    bands: list[Band] = field(default_factory=list)
    promises: list[Promise] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    got: list[str] = field(default_factory=list)


_read: WeakKeyDictionary[Table, dict[int, Ties]] = WeakKeyDictionary()


def ties(state: State, own: Contestant) -> Ties:
    """What there is between that contestant and others now; read once until it changes."""
    read = _read.setdefault(state.table, {})
    if own.pk not in read:
        read[own.pk] = _from_rows(state, own)
    return read[own.pk]


def all_ties(state: State) -> Ties:
    """All alliances that are not over, and all open pacts; one query."""
    pacts = Pact.objects.filter(contest=state.contest, over_at__isnull=True)
    return _sorted(_alliances(state).union(_told(pacts), all=True))


def let_be_read_anew(table: Table) -> None:
    """Something between contestants has changed in this entry."""
    _read.pop(table, None)


def _from_rows(state: State, own: Contestant) -> Ties:
    made = Offer.objects.filter(contest=state.contest, end="", by=own)
    got = Offer.objects.filter(contest=state.contest, end="", to=own)
    return _sorted(
        _alliances(state).union(
            _pacts(state, own), _offers(made, "made"), _offers(got, "got"), all=True
        )
    )


def _sorted(rows: Rows) -> Ties:
    found = Ties()
    for kind, pk, name, members, agreed in rows.order_by("kind", "pk"):
        if kind == "band":
            found.bands.append(Band(pk, int(name), frozenset(members)))
        elif kind == "pact":
            found.promises.append(Promise(pk, name, frozenset(members), frozenset(agreed)))
        else:
            (found.made if kind == "made" else found.got).insert(0, name)
    found.bands.sort(key=lambda band: band.number)
    return found


def _nobody() -> Value:
    return Value(None, output_field=ArrayField(BigIntegerField()))


def _alliances(state: State) -> Rows:
    rows = Alliance.objects.filter(contest=state.contest, over_at__isnull=True).order_by()
    facts = rows.annotate(
        kind=Value("band"),
        called=Cast("number", CharField()),
        whom=ArrayAgg("members"),
        agreeing=_nobody(),
    )
    return facts.values_list("kind", "pk", "called", "whom", "agreeing")


def _pacts(state: State, own: Contestant) -> Rows:
    mine = Pact.members.through.objects.filter(contestant=own).values("pact")
    rows = Pact.objects.filter(contest=state.contest, over_at__isnull=True, pk__in=mine)
    return _told(rows)


def _told(pacts: QuerySet[Pact]) -> Rows:
    facts = pacts.order_by().annotate(
        kind=Value("pact"),
        called=F("code"),
        whom=ArrayAgg("members", distinct=True),
        agreeing=ArrayAgg("agreed", distinct=True),
    )
    return facts.values_list("kind", "pk", "called", "whom", "agreeing")


def _offers(offers: QuerySet[Offer], kind: str) -> Rows:
    facts = offers.annotate(kind=Value(kind), called=F("code"), whom=_nobody(), agreeing=_nobody())
    return facts.order_by("-pk").values_list("kind", "pk", "called", "whom", "agreeing")[
        :MOST_LISTED
    ]

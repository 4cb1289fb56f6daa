"""A visit of the Thug whose bribes have been opened: what was told, what came of it.

Only what the record has opened is read here: nothing of a visit that is sealed still.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.urls import reverse

from nomic.engine.subgames import Trace
from nomic.games.models import Game
from nomic.record.models import Entry, SealedEntry
from nomic.record.writer import NOTE
from settlers.models import Visit
from settlers.rules.isle import describe_items
from settlers.rules.titles import THUG

BRIBE = "settlers.bribe"
_MOST = 300


@dataclass(frozen=True, slots=True)
class Share:
    """A Settler's part in the visit: their last bribe, what was paid of it, and its value."""

    name: str
    bribe: str
    paid: str
    value: int | None
    target: bool
    victim: bool


@dataclass(frozen=True, slots=True)
class Told:
    """A bribe as it was told; the last one of a Settler counts."""

    at: datetime
    number: int
    name: str
    bribe: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Disclosed:
    """An opened visit. `shares` and `told` are the first of them, with how many more there are.

    `has_collected` is false where the Thug left without the Thug's steps, by a correction.
    """

    visit: Visit
    shares: tuple[Share, ...]
    more_shares: int
    told: tuple[Told, ...]
    more_told: int
    has_collected: bool


def disclosed(game: Game, number: int) -> Disclosed | None:
    """That visit, if what it sealed has been opened; else None. Three queries."""
    visit = Visit.objects.filter(game=game, number=number, opened_in__isnull=False).first()
    if visit is None:
        return None
    assert visit.over_in is not None, "Only a past visit is opened."
    bribes = Q(name=BRIBE, after__gte=visit.entry, after__lt=visit.over_in)
    note = Q(name=NOTE, rule=THUG, outcome__visit=visit.number)
    opened = game.sealed_entries.filter(bribes | note, opened_in__isnull=False)
    found = list(opened.select_related("actor").order_by("seq"))
    acts = [each for each in found if each.name == BRIBE]
    facts = next((each.outcome for each in found if each.name == NOTE), None)
    end = game.entries.filter(seq=visit.over_in).values_list("outcome", flat=True).first()
    shares = _shares(acts, facts or {}, end or {})
    told = _told(acts)
    return Disclosed(
        visit,
        tuple(shares[:_MOST]),
        max(len(shares) - _MOST, 0),
        tuple(told[:_MOST]),
        max(len(told) - _MOST, 0),
        facts is not None,
    )


def traces_of_visits(game: Game, entry: Entry) -> list[Trace]:
    """The opened visits that began, ended or were opened in that entry. One query at most."""
    if not entry.name.startswith("settlers."):
        return []
    here = Q(entry=entry.seq) | Q(over_in=entry.seq) | Q(opened_in=entry.seq)
    found = Visit.objects.filter(here, game=game, opened_in__isnull=False)
    return [
        Trace(
            entry.seq,
            f"{visit}, the {visit.visitor}’s: the bribes and what came of them",
            reverse("settlers_visit", args=[game.slug, visit.number]),
        )
        for visit in found.order_by("number")
    ]


def _shares(
    acts: list[SealedEntry], facts: Mapping[str, Any], end: Mapping[str, Any]
) -> list[Share]:
    """Those who told a bribe first, and everybody by name."""
    last = {str(each.actor): each.inputs.get("items", {}) for each in acts}
    bribes, values = facts.get("bribes", last), facts.get("values", {})
    targets, paid = set(facts.get("targets", ())), end.get("paid") or {}
    shares = [
        Share(
            name,
            describe_items(bribes[name]) if name in bribes else "",
            describe_items(paid[name]) if name in paid else "",
            values.get(name),
            name in targets,
            name == facts.get("victim"),
        )
        for name in {**bribes, **values}
    ]
    return sorted(shares, key=lambda each: (not each.bribe, each.name.casefold()))


def _told(acts: list[SealedEntry]) -> list[Told]:
    last = {each.actor_id: each.seq for each in acts}
    return [
        Told(
            each.at,
            each.seq,
            str(each.actor),
            describe_items(each.inputs.get("items", {})),
            last[each.actor_id] == each.seq,
        )
        for each in acts
    ]

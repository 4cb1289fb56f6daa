"""A visit of the Thug whose bribes have been opened: what was told, what came of it.

Only what the record has opened is read here: nothing of a visit that is sealed still.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.urls import reverse

from nomic.engine.subgames import Trace
from nomic.games.models import Game
from nomic.record.models import NOTE, Entry, SealedEntry
from settlers.models import Visit
from settlers.rules.isle import describe_items
from settlers.rules.titles import THUG

BRIBE = "settlers.bribe"
_MOST = 300


def disclosed(game: Game, number: int) -> dict[str, Any] | None:
    """That visit, if what it sealed has been opened; else None. Three queries.

    `shares` and `told` are the first of them, with how many more there are. `has_collected` is
    false where the Thug left without the Thug's steps, by a correction.
    """
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
    last = {each.actor_id: each.seq for each in acts}  # which counts
    told = [
        {
            "at": each.at,
            "number": each.seq,
            "name": str(each.actor),
            "bribe": describe_items(each.inputs.get("items", {})),
            "counts": last[each.actor_id] == each.seq,
        }
        for each in acts[:_MOST]
    ]
    return {
        "visit": visit,
        "shares": shares[:_MOST],
        "more_shares": max(len(shares) - _MOST, 0),
        "told": told,
        "more_told": len(acts) - len(told),
        "has_collected": facts is not None,
    }


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
) -> list[dict[str, Any]]:
    """Each Settler's part in the visit: their last bribe, what was paid of it, and its value. Those
    who told a bribe come first, and everybody by name."""
    last = {str(each.actor): each.inputs.get("items", {}) for each in acts}
    bribes, values = facts.get("bribes", last), facts.get("values", {})
    targets, paid = set(facts.get("targets", ())), end.get("paid") or {}
    shares = [
        {
            "name": name,
            "bribe": describe_items(bribes[name]) if name in bribes else "",
            "paid": describe_items(paid[name]) if name in paid else "",
            "value": values.get(name),
            "target": name in targets,
            "victim": name == facts.get("victim"),
        }
        for name in {**bribes, **values}
    ]
    return sorted(shares, key=lambda each: (not each["bribe"], each["name"].casefold()))

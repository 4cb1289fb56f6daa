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


def disclosed_visit(game: Game, number: int) -> dict[str, Any] | None:
    """That visit, if what it sealed has been opened; else None. Three queries.

    `shares` and `bribes` are the first of them, with how many more there are. `has_collected` is
    false where the Thug left without the Thug's steps, by a correction.
    """
    visit = Visit.objects.filter(game=game, number=number, opened_in__isnull=False).first()
    if visit is None:
        return None
    assert visit.over_in is not None, "Only a past visit is opened."
    bribes = Q(name=BRIBE, after__gte=visit.entry, after__lt=visit.over_in)
    note = Q(name=NOTE, rule=THUG, outcome__visit=visit.number)
    opened = game.sealed_entries.filter(bribes | note, opened_in__isnull=False)
    entries = list(opened.select_related("actor").order_by("seq"))
    acts = [entry for entry in entries if entry.name == BRIBE]
    facts = next((entry.outcome for entry in entries if entry.name == NOTE), None)
    end = game.entries.filter(seq=visit.over_in).values_list("outcome", flat=True).first()
    shares = _shares(acts, facts or {}, end or {})
    last = {entry.actor_id: entry.seq for entry in acts}  # which counts
    bribes_told = [
        {
            "at": entry.at,
            "number": entry.seq,
            "name": str(entry.actor),
            "bribe": describe_items(entry.inputs.get("items", {})),
            "counts": last[entry.actor_id] == entry.seq,
        }
        for entry in acts[:_MOST]
    ]
    return {
        "visit": visit,
        "shares": shares[:_MOST],
        "more_shares": max(len(shares) - _MOST, 0),
        "bribes": bribes_told,
        "more_bribes": len(acts) - len(bribes_told),
        "has_collected": facts is not None,
    }


def traces_of_visits(game: Game, entry: Entry) -> list[Trace]:
    """The opened visits that began, ended or were opened in that entry. One query at most."""
    if not entry.name.startswith("settlers."):
        return []
    part_in_it = Q(entry=entry.seq) | Q(over_in=entry.seq) | Q(opened_in=entry.seq)
    visits = Visit.objects.filter(part_in_it, game=game, opened_in__isnull=False)
    return [
        Trace(
            entry.seq,
            f"{visit}, the {visit.visitor}’s: the bribes and what came of them",
            reverse("settlers_visit", args=[game.slug, visit.number]),
        )
        for visit in visits.order_by("number")
    ]


def _shares(
    acts: list[SealedEntry], facts: Mapping[str, Any], end: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Each Settler's part in the visit: their last bribe, what was paid of it, and its value. Those
    who told a bribe come first, and everybody by name."""
    last = {str(act.actor): act.inputs.get("items", {}) for act in acts}
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
    return sorted(shares, key=lambda share: (not share["bribe"], share["name"].casefold()))

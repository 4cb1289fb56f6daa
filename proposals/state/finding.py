"""Proposals as others look them up: by who made them, by their words, by entries of the record."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any

from django.db.models import F, Func, JSONField, Q, QuerySet
from django.urls import reverse

from nomic.engine.subgames import Contribution, Trace
from nomic.games.models import Game, Player
from nomic.games.search import Hit, marked, matching
from nomic.record.models import Entry
from proposals.models import Errand, Proposal, Status, Version
from proposals.state.reading import read_handle

_MOST = 100


def contributions_of(player: Player, most: int) -> list[Contribution]:
    """The player's newest proposals, and how they fared."""
    made = player.proposals.select_related("game").order_by("-serial")[:most]
    found = []
    for each in made:
        came_to = "adopted" if each.passed else "not adopted"
        if each.status == Status.PENDING:
            came_to = "waits to be voted on"
        elif each.status == Status.OPEN:
            came_to = "is being voted on"
        found.append(Contribution(str(each), _url(each.game, each), came_to))
    return found


def hits(games: QuerySet[Game], words: str, most: int) -> list[Hit]:
    """The versions of proposals that say these words, each proposal once."""
    versions = Version.objects.filter(proposal__game__in=games)
    versions = versions.select_related("proposal__game")
    found = matching(versions, ("title", "body"), words, 2 * most)
    best = {each.proposal_id: each for each in reversed(found)}
    once = [each for each in found if best[each.proposal_id] is each]
    return [
        Hit(
            each.proposal.game.slug,
            each.proposal.game.title,
            str(each.proposal),
            _url(each.proposal.game, each.proposal),
            marked(each.excerpt),  # type: ignore[attr-defined]
        )
        for each in once[:most]
    ]


def _url(game: Game, proposal: Proposal) -> str:
    return reverse("proposal", args=[game.slug, proposal.handle])


def traces_of_changes(game: Game, entries: Collection[int]) -> list[Trace]:
    """The proposals that passed in these entries, and those that an officer carried out there.

    Each with the titles of the rules that it changed. Two queries.
    """
    touched = Func(
        F("effects"),
        template="jsonb_path_query_array(%(expressions)s, '$[*] ? (@.done == true).rule')",
        output_field=JSONField(),
    )
    passed = Proposal.objects.filter(game=game, closed_in__in=entries, passed=True)
    found = passed.annotate(touched=touched).only("serial", "number", "title", "closed_in")
    by_hand = Errand.objects.filter(proposal__game=game, cited__in=entries)
    return [
        *(_trace(game, each, each.closed_in, each.touched) for each in found.order_by("serial")),
        *(
            _trace(game, errand.proposal, errand.cited, ())
            for errand in by_hand.select_related("proposal").defer("proposal__body")
        ),
    ]


def traces_of(game: Game, entry: Entry) -> list[Trace]:
    """Links from an entry's page: the proposals that it is about, and the results of a vote."""
    about = Q(submitted_in=entry.seq) | Q(opened_in=entry.seq) | Q(closed_in=entry.seq)
    about |= Q(errands__cited=entry.seq)
    with suppress(ValueError):
        named = read_handle(entry.inputs.get("proposal") if isinstance(entry.inputs, dict) else "")
        if isinstance(named, int):
            about |= Q(number=named)
        else:
            about |= Q(serial=int(named[1:]), number=None)
    found = Proposal.objects.filter(about, game=game).order_by("serial").distinct()
    shown = list(found.only("serial", "number", "title", "closed_in", "strength")[:_MOST])
    told = [_trace(game, each, entry.seq, ()) for each in shown]
    if any(each.closed_in == entry.seq and each.strength is not None for each in shown):
        url = reverse("proposal_results", args=[game.slug, entry.seq])
        told.append(Trace(entry.seq, "The results of the vote", url))
    return told


def _trace(game: Game, proposal: Proposal, entry: Any, touched: Collection[str]) -> Trace:
    rules = frozenset(title.casefold() for title in touched if title)
    return Trace(entry, proposal.label, _url(game, proposal), proposal.title, rules)

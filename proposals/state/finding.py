"""Proposals as others look them up: by who made them, by their words, by entries of the record."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any

from django.db.models import F, Func, JSONField, Q, QuerySet
from django.urls import reverse

from nomic.engine.subgames import Contribution, Trace
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.search import Hit, marked, matching
from nomic.record.models import Entry
from proposals.models import Errand, Proposal, Status, Version
from proposals.state.reading import read_handle, state_of

_MOST = 100


def contributions_of(player: Player, limit: int) -> list[Contribution]:
    """The player's newest proposals, and how they fared."""
    proposals = player.proposals.select_related("game").order_by("-serial")[:limit]
    contributions = []
    for proposal in proposals:
        came_to = "adopted" if proposal.passed else "not adopted"
        if proposal.status == Status.PENDING:
            came_to = "waits to be voted on"
        elif proposal.status == Status.OPEN:
            came_to = "is being voted on"
        contributions.append(Contribution(str(proposal), _url(proposal.game, proposal), came_to))
    return contributions


def search_hits(games: QuerySet[Game], words: str, limit: int) -> list[Hit]:
    """The versions of proposals that say these words, each proposal once."""
    versions = Version.objects.filter(proposal__game__in=games)
    versions = versions.select_related("proposal__game")
    matches = matching(versions, ("title", "body"), words, 2 * limit)
    best = {version.proposal_id: version for version in reversed(matches)}
    once = [version for version in matches if best[version.proposal_id] is version]
    return [
        Hit(
            version.proposal.game.slug,
            version.proposal.game.title,
            str(version.proposal),
            _url(version.proposal.game, version.proposal),
            marked(version.excerpt),  # type: ignore[attr-defined]
        )
        for version in once[:limit]
    ]


def proposal_named(table: Table, player: Player | None, name: str) -> Trace | None:
    """The proposal of that number or id."""
    proposal = None
    if table.game.edition:
        with suppress(ValueError):
            proposal = state_of(table).named(name)
    return None if proposal is None else _trace(table.game, proposal, proposal.submitted_in, ())


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
    adopted = Proposal.objects.filter(game=game, closed_in__in=entries, passed=True)
    # `touched` of the database: the effects themselves may be 200,000 characters a proposal.
    adopted = adopted.annotate(touched=touched).only("serial", "number", "title", "closed_in")
    by_hand = Errand.objects.filter(proposal__game=game, cited__in=entries)
    return [
        *(
            _trace(game, proposal, proposal.closed_in, proposal.touched)
            for proposal in adopted.order_by("serial")
        ),
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
    about_entry = Proposal.objects.filter(about, game=game).order_by("serial").distinct()
    shown = list(about_entry.only("serial", "number", "title", "closed_in", "strength")[:_MOST])
    traces = [_trace(game, proposal, entry.seq, ()) for proposal in shown]
    if any(proposal.closed_in == entry.seq and proposal.strength is not None for proposal in shown):
        url = reverse("proposal_results", args=[game.slug, entry.seq])
        traces.append(Trace(entry.seq, "The results of the vote", url))
    return traces


def _trace(game: Game, proposal: Proposal, entry: Any, touched: Collection[str]) -> Trace:
    rules = frozenset(title.casefold() for title in touched if title)
    return Trace(entry, proposal.label, _url(game, proposal), proposal.title, rules)

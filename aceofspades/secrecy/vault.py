"""What is not for everybody, for the rules' own steps: hands, deck, votes, who is allied.

No page, report or answer of the API imports this room: they ask secrets.py, which knows who looks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject

from aceofspades.models import Alliance, Contestant, Pact, Proposal, Vote
from aceofspades.rules.marks import Program, Question, program_in
from aceofspades.secrecy.matrix import Since
from aceofspades.state.reading import FAMILY, State, suit_of
from nomic.games.models import Player
from nomic.ledger.models import Balance, Holder, Posting
from nomic.record.models import SealedEntry

Hand = Mapping[str, int]


def hands(state: State) -> dict[str, dict[str, int]]:
    """Every current contestant's hand, by suit, in the order of first joining; one query."""
    held = _all_held(state)
    return {
        each.player.name: _by_suit(state, held.get(each.player.holder.pk, {}))
        for each in state.contestants
    }


def hand_of(state: State, owner: Player | Holder) -> dict[str, int]:
    """What that owner has of each suit."""
    return _by_suit(state, state.table.ledger.holdings(owner))


def cards_at(holder: str) -> ArraySubquery:
    """The cards of the holder at that path, to be read together with a row; see `read_cards`."""
    held = Balance.objects.filter(holder=OuterRef(holder), asset__family=FAMILY)
    return ArraySubquery(held.values(card=JSONObject(asset="asset__name", held="amount")))


def read_cards(found: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """What `cards_at` has found, by suit."""
    return {suit_of(each["asset"]): each["held"] for each in found}


def deck_of(state: State) -> dict[str, int]:
    """What the Deck has of each suit."""
    return hand_of(state, state.deck)


def all_cards(state: State) -> dict[int, dict[str, int]]:
    """Every holder's cards of each suit, by the holder's key: all hands, and the Deck."""
    return {
        holder: {suit_of(name): amount for name, amount in held.items()}
        for holder, held in _all_held(state).items()
    }


def alliances(state: State) -> list[tuple[str, ...]]:
    """The members of each alliance in its order, in the order of their first joining."""
    return [tuple(names) for _, names in numbered_alliances(state)]


def numbered_alliances(state: State) -> list[tuple[Alliance, list[str]]]:
    """Each alliance that is not over, with the names of its members; one query."""
    rows = Alliance.objects.filter(contest=state.contest, over_at__isnull=True).order_by("number")
    names = {each.pk: each.player.name for each in state.contestants}
    return [
        (row, [name for key, name in names.items() if key in row.of])
        for row in rows.annotate(of=ArrayAgg("members"))
    ]


def had_cards_by(state: State, since: Since) -> frozenset[int]:
    """The keys of the holders who had cards in that entry or before it."""
    rows = Posting.objects.filter(asset__game=state.table.game, asset__family=FAMILY)
    older = Q(transfer__entry__lte=since.entry) | Q(transfer__sealed__in=_sealed_by(state, since))
    return frozenset(rows.filter(older).values_list("holder", flat=True).distinct())


def _sealed_by(state: State, since: Since) -> QuerySet[SealedEntry, int]:
    rows = SealedEntry.objects.filter(game=state.table.game, after__lte=since.entry)
    return rows.values_list("seq", flat=True)


def allied_after(state: State, since: Since) -> frozenset[int]:
    """The numbers of the alliances that were formed after that moment."""
    rows = Alliance.objects.filter(contest=state.contest, formed_at__gt=since.at)
    return frozenset(rows.values_list("number", flat=True))


def pledged_after(state: State, since: Since) -> frozenset[int]:
    """The keys of the pacts that were first agreed to after that moment."""
    rows = Pact.objects.filter(contest=state.contest, at__gt=since.at)
    return frozenset(rows.values_list("pk", flat=True))


def programs(state: State, visible: frozenset[int] | None = None) -> tuple[Program, ...]:
    """The marking regulations' programs in ascending number, perhaps of these numbers only."""
    charts = state.charts if visible is None else state.told
    found = (
        program_in(each.number, each.text, python=state.reads_python)
        for each in state.regulations
        if charts.is_marking(each.number) and (visible is None or each.number in visible)
    )
    return tuple(program for program in found if program is not None)


def everybodys_worth(
    state: State,
    allied: Sequence[Sequence[str]] | None = None,
    held: Mapping[str, Hand] | None = None,
) -> Question:
    """What is to be counted for the worths of all hands as they are now (Regulation 119).

    `allied` are the members of each alliance, and `held` all hands, where they have been read.
    """
    leagues = alliances(state) if allied is None else [tuple(names) for names in allied]
    return Question(
        hands=hands(state) if held is None else held,
        alliances=tuple(leagues),
        programs=programs(state),
    )


def count_votes(state: State, proposal: Proposal) -> tuple[int, int]:
    """How many of the current contestants have voted FOR it, and how many AGAINST."""
    return tallies([proposal])[proposal.pk]


def tallies(proposals: Collection[Proposal]) -> dict[int, tuple[int, int]]:
    """The same of each of these proposals by its key; one query."""
    votes = Vote.objects.filter(proposal__in=proposals, contestant__active=True)
    counted = {
        (proposal, way): count
        for proposal, way, count in votes.values_list("proposal", "way")
        .annotate(Count("pk"))
        .order_by()
    }
    return {
        each.pk: (
            counted.get((each.pk, Vote.Way.FOR), 0),
            counted.get((each.pk, Vote.Way.AGAINST), 0),
        )
        for each in proposals
    }


def votes_of(contestant: Contestant | None, state: State) -> dict[int, str]:
    """The contestant's own votes, by the proposal's number."""
    if contestant is None:
        return {}
    rows = Vote.objects.filter(Q(proposal__contest=state.contest), contestant=contestant)
    return dict(rows.values_list("proposal__number", "way"))


def _all_held(state: State) -> dict[int, dict[str, int]]:
    return state.table.ledger.held_by_all(state.assets)


def _by_suit(state: State, held: Mapping[str, int]) -> dict[str, int]:
    return {suit_of(name): held.get(name, 0) for name in state.assets}

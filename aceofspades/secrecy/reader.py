"""The contest's secrets, unfiltered, for the rules' own steps: hands, the Deck, votes, alliances.

No page, report or answer of the API imports this room: they ask view.py, which knows who looks.
"""

from collections.abc import Collection, Mapping

from django.db.models import Q

from aceofspades.models import Alliance, Contestant, Pact, Proposal, Vote
from aceofspades.rules.marks import MarkingProgram, Question, program_in
from aceofspades.state.reading import FAMILY, State, suit_of
from nomic.games.models import Player
from nomic.games.powers import Voters, voters_of
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.ledger.models import Holder, Posting
from nomic.record.models import SealedEntry

_PACTS = CompiledQuery(
    lambda contestant: Pact.objects.open().of(contestant), annotated=["member_keys", "agreed_keys"]
)


# Cards


def hands(state: State) -> dict[str, dict[str, int]]:
    """Every current contestant's hand, by suit, in the order of first joining."""
    held = state.cards
    suits = dict.fromkeys(state.suits_ever, 0)
    return {row.name: {**suits, **held.get(row.holder, {})} for row in state.current_figures}


def hand_of(state: State, owner: Player | Holder) -> dict[str, int]:
    """The owner's cards of each suit."""
    held = state.table.ledger.holdings(owner)
    return {suit_of(name): held.get(name, 0) for name in state.assets}


def deck_of(state: State) -> dict[str, int]:
    """The Deck's cards of each suit."""
    return hand_of(state, state.deck)


def had_cards_by(state: State, entry: int) -> frozenset[int]:
    """The keys of the holders who had cards in that entry or before it."""
    sealed = SealedEntry.objects.filter(game=state.table.game, after__lte=entry)
    older = Q(transfer__entry__lte=entry) | Q(transfer__sealed__in=sealed.values("seq"))
    rows = Posting.objects.filter(older, asset__game=state.table.game, asset__family=FAMILY)
    return frozenset(rows.values_list("holder", flat=True).distinct())


# Between contestants


def alliances(state: State) -> list[Alliance]:
    """The alliances that are not over, in their order; read once until they change."""
    rows = state.contest.alliances.standing()
    return state.cached("alliances", lambda: list(rows))


def allied(state: State) -> dict[int, list[str]]:
    """The names of the current contestants in each alliance, by its number, in the order of their
    first joining."""
    return {alliance.number: names_of(state, alliance.member_keys) for alliance in alliances(state)}


def alliances_of(state: State, contestant: Contestant) -> list[Alliance]:
    """The alliances that contestant is in."""
    return [alliance for alliance in alliances(state) if contestant.pk in alliance.member_keys]


def pacts_of(state: State, contestant: Contestant) -> list[Pact]:
    """The open pacts that would ally that contestant; read once until they change."""
    return state.cached(
        f"pacts of {contestant.pk}",
        lambda: _PACTS.all(contestant=contestant.pk, contest=state.contest),
    )


def names_of(state: State, keys: Collection[int]) -> list[str]:
    """The names of the current contestants of these keys."""
    return [row.name for row in state.current_figures if row.key in keys]


def codes_of_pacts(state: State, contestant: Contestant) -> list[str]:
    """The codes of the open pacts that would ally that contestant."""
    return [pact.code for pact in pacts_of(state, contestant)]


def offers_made(state: State, contestant: Contestant) -> list[str]:
    """The codes of the open offers that the contestant has made, the newest first."""
    return state.cached(f"offers of {contestant.pk}", contestant.offers_made.open().codes)


def offers_got(state: State, contestant: Contestant) -> list[str]:
    """The codes of the open offers that were made to the contestant, the newest first."""
    return state.cached(f"offers to {contestant.pk}", contestant.offers_got.open().codes)


# Worths and votes


def programs(state: State, visible: frozenset[int] | None = None) -> tuple[MarkingProgram, ...]:
    """The marking regulations' programs in ascending number, perhaps of these numbers only."""
    charts = state.charts if visible is None else state.public_charts
    found = (
        program_in(each.number, each.text)
        for each in state.regulations
        if charts.is_marking(each.number) and (visible is None or each.number in visible)
    )
    return tuple(program for program in found if program is not None)


def everybodys_worth(state: State) -> Question:
    """The Question of all hands as they are now (Regulation 119)."""
    leagues = tuple(tuple(names) for names in allied(state).values())
    return Question(hands=hands(state), alliances=leagues, programs=programs(state))


def tallies(state: State, proposals: Collection[Proposal]) -> Mapping[int, tuple[int, int]]:
    """How many who may vote now have voted FOR and AGAINST each of these, by its key."""
    votes = Vote.objects.filter(contestant__active=True, proposal__in=proposals)
    if voters_of(state.table.game) is not Voters.EVERYBODY:
        votes = votes.filter(contestant__in=state.voters)
    counted = votes.tallies()
    return {proposal.pk: counted.get(proposal.pk, (0, 0)) for proposal in proposals}

"""Productions among random players, legal and illegal play, audited, replayed and reckoned anew."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.simulate import BEGINS, Simulation, Tally
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.clock import standing_at
from nomic.games.models import Game, Win
from nomic.ledger.books import Ledger
from nomic.operations.replay import replay
from nomic.record.models import CONSEQUENCES
from settlers.models import Isle, Settler, Visit
from settlers.state.reading import ARRIVALS
from settlers.tests.paper import Paper
from settlers.tests.rules.slow_isle import RESOURCES
from settlers.tests.votes import adopt

_MOST_WEEKS = 200
_CONES_FOR_EVERYBODY = """
In the rule “The Gift of the Isle”, replace “| Cone | 5 stone, 5 of one other | – |” with \
“| Cone | 1 stone, 1 of one other | – |”.

In the rule “The Gift of the Isle”, replace “| Cone | 4 |” with “| Cone | 2 |”.
"""


def simulated(productions: int, seed: int, swaps: int = 0) -> tuple[Game, Tally, Counter[str]]:
    """A game of random players with so many Productions and swaps with the Merchant at least, and
    what agreed in it."""
    simulation = Simulation("simulated", "multa", players=8, seed=seed, moments=16)
    game = simulation.game
    with standing_at(BEGINS):  # what is recorded, and with it chance, is the same each time
        adopt(game, _CONES_FOR_EVERYBODY)
        while Isle.objects.get().production < productions or not _has_seen_enough(game, swaps):
            tally = simulation.play(1)
            _let_the_injured_try(game, tally)
            assert tally.weeks < _MOST_WEEKS
    game = simulation.game
    agreed, difference = replay(game)
    assert difference is None
    private = game.sealed_entries.exclude(name__in=CONSEQUENCES)
    assert agreed == game.last_entry + private.count()
    paper = Paper(game, cone=1, victory=2)
    checked = paper.follow()
    _stands_as_on(paper)
    return game, tally, checked


def _let_the_injured_try(game: Game, tally: Tally) -> None:
    """Whoever is Injured tries to harvest: too few are, for too short a time, to leave it to
    chance."""
    for hurt in Settler.objects.filter(game=game, injured=True, player__active=True):
        with pytest.raises(Refused) as refused:
            take(game.slug, hurt.player, "settlers.harvest")
        tally.refused[refused.value.refusal.code] += 1


def _has_seen_enough(game: Game, swaps: int) -> bool:
    """Whether the Merchant, who comes by chance, has swapped so often, somebody has paid the Thug,
    and somebody has traded; a game in which no swap is wanted has."""
    if not swaps:
        return True
    arrivals = game.entries.filter(outcome__has_key="paid", name__in=ARRIVALS)
    has_traded = game.entries.filter(name="settlers.accept_trade").exists()
    has_swapped = game.entries.filter(name="settlers.swap_with_merchant").count() >= swaps
    return has_traded and has_swapped and arrivals.exclude(outcome__paid={}).exists()


def _stands_as_on(paper: Paper) -> None:
    """The isle's rows, the ledger and the wins are those that the paper comes to."""
    books = Ledger(paper.game, None)
    rows = Settler.objects.filter(game=paper.game).select_related("player__holder")
    assert {row.player.name for row in rows} == paper.domains.keys()
    for row in rows:
        name = row.player.name
        assert row.domains == paper.domains[name]
        assert row.buildings == paper.settlements[name]
        assert {each: books.balance(row.player, each) for each in RESOURCES} == (
            paper.stockpiles[name]
        )
        assert (row.injured, row.victim) == (name in paper.injured, name in paper.victims)
    wins = Win.objects.filter(game=paper.game).values_list("player__name", flat=True)
    assert sorted(wins) == sorted(paper.winners)


@pytest.mark.thorough
@pytest.mark.brief
@pytest.mark.django_db(transaction=True)
def test_four_productions_are_audited_replayed_and_reckoned_anew() -> None:
    _, tally, checked = simulated(4, seed=5)
    assert checked["settlers.harvest"] > 0
    assert tally.refused.total() > 20
    assert tally.malformed > 2


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_three_hundred_productions_are_audited_replayed_and_reckoned_anew() -> None:
    game, tally, checked = simulated(300, seed=1, swaps=3)
    wanted = {
        "settlers.harvest": 200,
        "changes": 10,
        "bonuses": 10,
        "settlers.build": 50,
        "settlers.offer_trade": 50,
        "settlers.accept_trade": 20,
        "losses": 10,
        "settlers.swap_with_merchant": 3,
        "visits of the Thug": 20,
        "victims": 15,
        "payments": 10,
    }
    assert {what: checked[what] for what in wanted if checked[what] < wanted[what]} == {}
    assert tally.taken["settlers.bribe"] > 20
    assert Win.objects.filter(game=game).count() >= 2
    assert Visit.objects.filter(game=game, opened_in__isnull=False).exists()
    refusals = {
        *("too_little", "too_uneven", "empty_side", "already_traded", "no_such_other"),
        *("injured", "no_thug", "no_merchant", "is_onlooker", "not_in_force"),
    }
    assert refusals - tally.refused.keys() == set()
    assert tally.malformed > 100

"""Contests among random players, legal and illegal play: audited, replayed and reckoned anew."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Sum

from aceofspades.events.scoring import WORTHS
from aceofspades.models import (
    Alliance,
    Contest,
    Contestant,
    Move,
    NeedToKnow,
    Offer,
    Proposal,
    Regulation,
    Request,
    Vote,
)
from aceofspades.state.reading import TABLED_ACT
from aceofspades.tests.rules.slow_contest import slow_finalists, slow_tie, slow_worths
from aceofspades.web.proof import proofs
from bench.simulate import Simulation, Tally
from nomic.games.models import Game
from nomic.ledger.models import Balance
from nomic.operations.replay import replay
from nomic.record.models import Entry

PRESET = "ace-of-spades"


def simulated(weeks: int, players: int, seed: int, moments: int) -> tuple[Game, Tally]:
    """A contest of random players, audited each week and replayed at the end."""
    simulation = Simulation("simulated", PRESET, players=players, seed=seed, moments=moments)
    tally = simulation.play(weeks)
    _, difference = replay(simulation.game)
    assert difference is None
    return simulation.game, tally


def what_happened(game: Game) -> Counter[str]:
    """How often each thing of the contest happened."""
    its = {"contest__game": game}
    offers = Offer.objects.filter(**its)
    proposals = Proposal.objects.filter(**its)
    moves = Counter(Move.objects.filter(**its).values_list("kind", flat=True))
    acts = game.motions.filter(label=TABLED_ACT)
    ends = Counter(acts.values_list("end", flat=True))
    verdicts = Counter(proposals.values_list("verdict", flat=True))
    unnamed = Move.objects.filter(kind=Move.Kind.EXCHANGED, **its)
    return Counter(
        {
            **{f"moves: {kind}": count for kind, count in moves.items()},
            **{f"tabled acts: {end}": count for end, count in ends.items()},
            **{f"proposals: {verdict}": count for verdict, count in verdicts.items()},
            "contestants": Contestant.objects.filter(**its).count(),
            "proposals": proposals.count(),
            "hidden proposals": proposals.exclude(visibility="public").count(),
            "votes": Vote.objects.filter(proposal__contest__game=game).count(),
            "offers": offers.count(),
            "offers accepted": offers.filter(end="accepted").count(),
            "offers without a name": offers.filter(anonymous=True).count(),
            "offers withdrawn": offers.filter(end="withdrawn").count(),
            "anonymous exchanges": (unnamed.filter(giver="") | unnamed.filter(receiver="")).count(),
            "alliances": Alliance.objects.filter(**its).count(),
            "alliances over": Alliance.objects.filter(over_at__isnull=False, **its).count(),
            "need to know": NeedToKnow.objects.filter(regulation__contest__game=game).count(),
            "requests": Request.objects.filter(**its).count(),
            "judgements": Request.objects.exclude(judgement="").filter(**its).count(),
            "objections": acts.filter(voices__side="objects").count(),
            "support": acts.filter(voices__side="supports").count(),
        }
    )


def no_card_is_lost(game: Game) -> None:
    """All cards that were ever made and not destroyed are in a hand or in the Deck."""
    rows = Balance.objects.filter(asset__game=game, asset__family="card")
    for name in sorted(set(rows.values_list("asset__name", flat=True))):
        amounts = dict(
            rows.filter(asset__name=name).order_by().values_list("is_mint").annotate(Sum("amount"))
        )
        assert amounts[False] == -amounts[True] > 0, name


def marked_anew(game: Game) -> Entry:
    """Every marking comes to what the slow one comes to; returns the entry of the last."""
    contest = Contest.objects.get(game=game)
    reckoned = game.entries.get(seq=contest.reckoned_in).outcome
    rows = Regulation.objects.filter(contest=contest, gone_in__isnull=True)
    texts = dict(rows.values_list("number", "rule__text"))
    # The record's JSON keeps no order of names; regulations may ask who joined before whom.
    joined = Contestant.objects.filter(contest=contest).order_by("turn")
    names = joined.values_list("player__name", flat=True)
    told_hands: dict[str, dict[str, int]] = reckoned["hands"]
    hands = {name: told_hands[name] for name in names if name in told_hands}
    expected = slow_worths(hands, reckoned["alliances"], texts)
    anew: set[str] = set()
    for entry in game.entries.filter(name=WORTHS).order_by("seq"):
        told: dict[str, Any] = entry.outcome
        assert told["worths"] == expected
        assert told["errors"] == {}
        tied = slow_tie(expected)
        assert told.get("tied", []) == ([] if anew & set(tied) or 999 not in texts else tied)
        if "tied" in told:
            anew |= set(tied)
            more = {
                name: {
                    suit: n + told["supposed"].get(name, {}).get(suit, 0)
                    for suit, n in hand.items()
                }
                for name, hand in hands.items()
            }
            again = slow_worths(more, reckoned["alliances"], texts)
            expected = {name: again[name] if name in tied else expected[name] for name in expected}
    assert told["finalists"] == slow_finalists(expected)
    return entry


def reckoned_anew(game: Game) -> None:
    """Worths, Finalists and Semigenius are those of the second implementation."""
    last = marked_anew(game)
    rows = {
        row.player.name: row
        for row in Contestant.objects.filter(contest__game=game).select_related("player")
    }
    assert {name: row.worth for name, row in rows.items() if row.worth is not None} == (
        last.outcome["worths"]
    )
    finalists = {name for name, row in rows.items() if row.finalist}
    assert finalists == set(slow_finalists(last.outcome["worths"]))
    semigenius = {name for name, row in rows.items() if row.semigenius_in}
    assert semigenius <= finalists
    assert bool(semigenius) == bool(finalists)


@pytest.mark.thorough
@pytest.mark.brief
@pytest.mark.django_db(transaction=True)
def test_two_weeks_of_four_contestants_are_audited_and_replayed() -> None:
    game, tally = simulated(2, players=4, seed=2, moments=40)
    happened = what_happened(game)
    assert happened["contestants"] >= 3
    assert happened["votes"] > 0
    assert happened["offers"] > 0
    assert tally.refused.total() > 10
    assert tally.malformed > 2
    no_card_is_lost(game)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_contest_of_ten_weeks_is_audited_replayed_and_reckoned_anew() -> None:
    game, _ = simulated(11, players=12, seed=1, moments=32)
    happened = what_happened(game)
    wanted = {
        "contestants": 10,
        "votes": 40,
        "proposals: adopted": 1,
        "proposals: failed": 1,
        "hidden proposals": 2,
        "moves: transferred": 15,
        "moves: exchanged": 15,
        "moves: fee": 1,
        "anonymous exchanges": 3,
        "offers accepted": 6,
        "offers without a name": 5,
        "alliances": 8,
        "alliances over": 1,
        "need to know": 3,
        "requests": 5,
    }
    assert {what: happened[what] for what in wanted if happened[what] < wanted[what]} == {}
    no_card_is_lost(game)
    reckoned_anew(game)
    call_command("verify-dice", game.slug)
    assert [wrong for _, wrong in proofs(game) if wrong] == []

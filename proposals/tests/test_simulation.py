"""Weeks of random proposals and votes, legal and illegal, audited each week and replayed."""

from __future__ import annotations

import pytest

from bench.simulate import Simulation
from nomic.operations.replay import replay
from nomic.record.models import CONSEQUENCES
from proposals.models import Proposal

_PRESETS = ("b-nomic-2006", "b-nomic-5e33", "agora", "blognomic")


def played(preset: str, weeks: int, players: int, seed: int) -> None:
    simulation = Simulation("simulated", preset, players=players, seed=seed)
    tally = simulation.play(weeks)
    assert tally.taken["proposals.submit"] > weeks / 6
    assert tally.taken["proposals.vote"] > 0
    assert Proposal.objects.filter(status="Historical", opened_in__isnull=False).exists()
    agreed, difference = replay(simulation.game)
    assert difference is None
    private = simulation.game.sealed_entries.exclude(name__in=CONSEQUENCES)
    assert agreed == simulation.game.last_entry + private.count()


@pytest.mark.brief
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "preset",
    [_PRESETS[0], *(pytest.param(each, marks=pytest.mark.thorough) for each in _PRESETS[1:])],
)
def test_some_weeks_of_any_edition_are_audited_and_replayed(preset: str) -> None:
    played(preset, 12, players=4, seed=6)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("preset", _PRESETS)
def test_a_year_of_any_edition_is_audited_and_replayed(preset: str) -> None:
    played(preset, 52, players=6, seed=2)

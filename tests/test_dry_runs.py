"""A dry run of whatever simulated players do, in every preset: no row of any table changes by it,
and the act itself then does what it has told."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bench import simulate
from bench.simulate import Simulation
from nomic.engine.dry_acts import DUE_AT_ONCE, Foreseen, foresee
from nomic.engine.outcomes import Malformed, Refused, UnknownAction
from nomic.engine.take import take
from nomic.games.presets import PRESETS
from tests.kit.database import all_rows

_COMPARED = 2  # times that all rows are compared by an act of each name

type Told = Foreseen | str


def _attempt(*act: Any, **options: Any) -> Told:
    """What a dry run foresees, or the sentence by which it is refused."""
    try:
        return foresee(*act, **options)
    except (Refused, Malformed, UnknownAction) as error:
        return _in_words(error)


def _in_words(error: Exception) -> str:
    return f"{type(error).__name__} {error}"


class _Rehearsals:
    """The door of acts, at which each is tried before it is done."""

    def __init__(self) -> None:
        self.told: Counter[str] = Counter()
        self._compared: Counter[str] = Counter()

    def take(
        self, slug: str, actor: Any, name: str, inputs: Any = None, key: str = "", **options: Any
    ) -> Any:
        told = self._told(slug, actor, name, inputs or {}, options)
        try:
            receipt = take(slug, actor, name, inputs, key, **options)
        except (Refused, Malformed, UnknownAction) as error:
            self._must_be((name, inputs, told), told == _in_words(error))
            self.told["refused"] += 1
            raise
        if receipt.repeated:
            return receipt
        assert isinstance(told, Foreseen), (name, inputs, told)
        attempt = told.now
        if attempt.entry is None:
            assert attempt.unknown, name
            assert attempt.seen is None
            self.told["unknown"] += 1
            return receipt
        assert set(attempt.unknown) <= {DUE_AT_ONCE}
        assert (attempt.text, attempt.entry.outcome) == (receipt.entry.text, receipt.entry.outcome)
        assert attempt.entry.effects == receipt.entry.effects
        self.told["foreseen"] += 1
        return receipt

    @staticmethod
    def _must_be(case: object, is_so: bool) -> None:
        assert is_so, case

    def _told(self, slug: str, actor: Any, name: str, inputs: Any, options: Any) -> Told:
        if self._compared[name] >= _COMPARED:
            return _attempt(slug, actor, name, inputs, **options)
        before = all_rows()
        told = _attempt(slug, actor, name, inputs, **options)
        assert all_rows() == before, (name, inputs)
        self._compared[name] += 1
        return told


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize(
    "preset",
    [
        pytest.param(preset, marks=pytest.mark.brief if preset == "demo" else pytest.mark.slow)
        for preset in PRESETS
        if preset not in ("tiny", "lottery")
    ],
)
def test_a_dry_run_changes_no_row_and_tells_what_the_act_then_does(
    preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rehearsals = _Rehearsals()
    monkeypatch.setattr(simulate, "take", rehearsals.take)
    Simulation(preset, preset, players=4, seed=3, moments=12).play(3)
    # Of the contest nothing is told beforehand.
    assert rehearsals.told["unknown" if preset == "ace-of-spades" else "foreseen"]
    assert rehearsals.told["refused"]

"""What programs call something is told in the words of people."""

import pytest

from horses.models import Bet, Turn
from nomic.engine.dry_run import in_words
from nomic.engine.plain_words import field_in_words, place_in_words, value_in_words
from nomic.engine.restoring import described


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"Alexia": 3}, "Alexia: 3"),
        ([{"against_strength": 6}, True], "against strength: 6, yes"),
        ("2026-11-30", "30 November 2026"),
        ("2026-11-30T08:05:00+00:00", "30 November 2026, 08:05 UTC"),
        ("20261130", "20261130"),
        ("", "none"),
        (None, "none"),
        (0, "0"),
    ],
)
def test_values_are_told_in_words(value: object, words: str) -> None:
    assert value_in_words(value) == words


def test_places_are_told_by_titles_and_what_is_listed_by_its_name() -> None:
    assert place_in_words("horses", ["bets", "bob"]) == "The races: bets, bob"
    assert in_words([("Proposals · p1 · against_strength", "3", "6")]) == [
        ("Proposals: Proposal p1, against strength", "3", "6")
    ]


def test_a_name_that_somebody_gave_stays_as_it_is() -> None:
    assert place_in_words("horses", ["bets", "good_old_bob"]) == "The races: bets, good_old_bob"


def test_a_row_is_told_by_its_models_own_words() -> None:
    week = {"player__name": "bob", "what": "weekly", "period": "2026-11-30"}
    turn = {"model": "horses.turn", "row": week, "was": week}
    told = "the weekly race action of bob in the week of 30 November 2026 taken back"
    assert described(turn) == told  # type: ignore[arg-type]
    month = {**week, "what": "Cannon", "period": "2026-11-01"}
    assert Turn.told(month) == "Cannon's power, used by bob in the month of 1 November 2026"
    assert field_in_words(Bet, "race__number") == "race"

"""What fails on the isle sticks for all to see, and goes on once mended or skipped; what cannot be
read is played as of the last version that could be, and what never could does not happen."""

from __future__ import annotations

import pytest

from nomic.engine.catch_up import catch_up
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from settlers.rules.titles import DECK, VISITORS
from settlers.state.reading import ARRIVAL, PRODUCTION
from settlers.tests.asking import why_not
from settlers.tests.moments import amend, at, due, fresh, happened
from settlers.tests.stage import hours
from settlers.tests.votes import adopt
from tests.kit import WEDNESDAY, Take, failing, write_anew

Two = tuple[Player, Player]


@pytest.mark.thorough
def test_a_production_that_fails_sticks_for_all_to_see_and_goes_on_at_its_moment_once_mended(
    game: Game, settled: Two
):
    with failing(PRODUCTION):
        hours(game, 60)
    stuck = fresh(game)
    assert (stuck.state, stuck.stuck_at) == ("stuck", at(48))
    assert happened(game) == []
    take(game.slug, None, "games.retry_appointment")
    catch_up(game.pk)
    assert happened(game) == [("production", at(48))]
    assert due(game) == {"production": at(96), "arrival": at(72)}
    assert replay(fresh(game))[1] is None


def test_a_production_that_fails_while_all_are_ready_goes_on_once_mended(
    game: Game, settled: Two, act: Take
):
    with failing(PRODUCTION):
        for player in settled:
            act(player, "settlers.ready")
        hours(game, 3)
    assert (fresh(game).state, happened(game)) == ("stuck", [])
    take(game.slug, None, "games.retry_appointment")
    catch_up(game.pk)
    assert happened(game) == [("production", WEDNESDAY)]


def test_an_arrival_that_fails_sticks_then_and_not_before(game: Game, settled: Two):
    with failing(ARRIVAL):
        hours(game, 100)
    stuck = fresh(game)
    assert (stuck.state, stuck.stuck_at) == ("stuck", at(72))
    take(game.slug, None, "games.retry_appointment")
    catch_up(game.pk)
    assert happened(game) == [
        ("production", at(48)),
        ("arrival", at(72)),
        ("production", at(96)),
    ]


@pytest.mark.thorough
def test_a_production_that_is_skipped_is_due_again_after_the_hours_of_the_rule(
    game: Game, settled: Two, act: Take
):
    with failing(PRODUCTION):
        hours(game, 48)
    act(None, "games.skip_appointment", reason="nobody can draw from this")
    assert due(game) == {"production": at(96)}
    act(settled[0], "settlers.ready")
    act(settled[0], "settlers.not_ready")
    assert due(game) == {"production": at(96)}
    hours(game, 48)
    assert happened(game) == [("production", at(96))]
    assert replay(fresh(game))[1] is None


def test_who_were_ready_for_a_production_that_was_skipped_do_not_have_it_at_that_moment(
    game: Game, settled: Two, act: Take
):
    with failing(PRODUCTION):
        for player in settled:
            act(player, "settlers.ready")
        hours(game, 0)
    act(None, "games.skip_appointment", reason="nobody can draw from this")
    assert due(game) == {"production": at(48)}
    hours(game, 1)
    act(settled[0], "settlers.not_ready")
    act(settled[0], "settlers.ready")
    hours(game, 0)
    assert happened(game) == [("production", at(1))]


def test_an_arrival_that_is_skipped_does_not_come_for_that_production(
    game: Game, settled: Two, act: Take, officer: Player
):
    with failing(ARRIVAL):
        hours(game, 72)
    act(officer, "games.skip_appointment", reason="nobody comes")
    assert due(game) == {"production": at(96)}
    assert why_not(officer, "receive_visitor")[0] == "has_arrived"
    hours(game, 48)
    assert happened(game) == [
        ("production", at(48)),
        ("production", at(96)),
        ("arrival", at(120)),
    ]


@pytest.mark.thorough
def test_what_cannot_be_read_is_played_as_of_the_version_before(game: Game, settled: Two):
    amend(game, DECK, "| 7 | 6 |", "| 7 | some |")
    amend(game, VISITORS, "| 5 || Merchant", "| five || Merchant")
    hours(game, 100)
    assert fresh(game).state == "running"
    assert happened(game) == [
        ("production", at(48)),
        ("arrival", at(72)),
        ("production", at(96)),
    ]
    assert replay(fresh(game))[1] is None


@pytest.mark.thorough
def test_a_deck_without_cards_lets_nothing_be_produced_until_it_has_some(game: Game, settled: Two):
    text = game.rules.get(title=DECK).text.replace("| RESULT | CARDS |", "| SUM | CARDS |")
    adopt(game, f"Repeal the rule “{DECK}”.\n\nEnact a rule titled “{DECK}”:\n{{\n{text}}}")
    hours(game, 100)
    assert fresh(game).state == "running"
    productions = game.entries.filter(name="settlers.production")
    assert [entry.outcome["off"] for entry in productions] == [
        "The text of The Dice Deck has no table with the columns RESULT, CARDS."
    ] * 2
    amend(game, DECK, "| SUM | CARDS |", "| RESULT | CARDS |")
    hours(game, 48)
    assert "results" in productions.last().outcome
    assert replay(fresh(game))[1] is None


def test_hours_that_no_rule_has_bring_no_production_by_itself(game: Game, settled: Two, act: Take):
    write_anew(game, DECK, "| PRODUCTION | HOURS |", "| FORMERLY | HOURS |")
    hours(game, 100)
    assert (happened(game), due(game)) == ([], {})
    for each in settled:
        act(each, "settlers.ready")
    hours(game, 1)
    assert [kind for kind, _ in happened(game)] == ["production"]

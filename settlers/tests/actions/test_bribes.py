"""Telling the Onlooker a bribe, and what the Thug makes of it."""

from __future__ import annotations

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from settlers.models import Bribe, Settler, Visit
from settlers.rules.titles import THUG, VISITORS
from settlers.secrecy import ValuedBribe, own_bribe
from settlers.tests.asking import held, refusal, why_not
from settlers.tests.stage import give, hours, isle_of, place, visitor_is
from tests.kit import Take, at_the_table, seat

Two = tuple[Player, Player]


@pytest.fixture
def two(game: Game, with_the_thug: Game, produced: Two) -> Two:
    """Murphy and Madrid with five stone each; the Thug is here, and a Visitor Arrival is due."""
    with at_the_table(game) as table:
        for each in produced:
            give(table, each, stone=5)
    visitor_is(game, "Thug")
    hours(game, 48)
    return produced


def own(game: Game, player: Player) -> ValuedBribe | None:
    return own_bribe(glance(Game.objects.get(pk=game.pk)), player)


def note(game: Game) -> dict[str, object]:
    """What the last steps of the Thug have sealed."""
    found = game.sealed_entries.filter(rule=THUG, actor=None).latest("seq").outcome
    assert isinstance(found, dict)
    return found


def test_where_no_rule_knows_the_thug_no_bribe_is_told(produced: Two):
    sentence = "“Bribe the Thug” is not possible: the rule that would allow it is not in force."
    assert why_not(produced[0], "bribe", items={}) == ("not_in_force", sentence, THUG)


def test_before_the_thug_comes_no_bribe_is_told(with_the_thug: Game, produced: Two):
    sentence = "The Thug is not here. You can offer a bribe while it is the Visitor."
    assert why_not(produced[0], "bribe", items={"stone": 1}) == ("no_thug", sentence, THUG)


def test_the_onlooker_and_who_is_no_settler_tell_none(
    two: Two, officer: Player, act: Take, game: Game
):
    assert why_not(officer, "bribe", items={"stone": 1})[0] == "is_onlooker"
    act(two[0], "games.leave")
    assert why_not(two[0], "bribe", items={"stone": 1})[0] == "left"


def test_who_could_read_the_bribes_of_a_visit_tells_none_in_it_though_they_settle_later(
    game: Game, with_the_thug: Game, produced: Two, officer: Player, act: Take
):
    """Snail has the book from the visit's beginning. Jason, who is no Settler yet, takes it later,
    and so has nothing to read."""
    jason = seat(game, "Jason")
    visitor_is(game, "Thug")
    act(officer, "games.resign_office", office="Onlooker")
    act(jason, "games.take_office", office="Onlooker")
    act(jason, "games.resign_office", office="Onlooker")
    for each in (officer, jason):
        act(each, "settlers.join")
    assert refusal(officer, "bribe", items={"stone": 1}).code == "has_watched"
    for each in (produced[0], jason):
        act(each, "settlers.bribe", items={"stone": 1})
    hours(game, 48)
    visitor_is(game, "Thug")
    for each in (officer, jason):
        act(each, "settlers.bribe", items={"stone": 1})
    assert Bribe.objects.count() == 2


def test_the_last_bribe_that_is_told_counts(game: Game, two: Two, act: Take):
    murphy, _ = two
    act(murphy, "settlers.bribe", items={"stone": 3, "wood": 1})
    assert own(game, murphy) == ValuedBribe({"stone": 3, "wood": 1}, 4)
    act(murphy, "settlers.bribe", items={"stone": 2})
    assert own(game, murphy) == ValuedBribe({"stone": 2}, 1)
    act(murphy, "settlers.bribe", items={})
    assert own(game, murphy) == ValuedBribe({}, 0)
    assert Bribe.objects.count() == 1


def test_a_bribe_stands_in_no_entry_that_anybody_reads(game: Game, two: Two, act: Take):
    before = Game.objects.get(pk=game.pk)
    act(two[0], "settlers.bribe", items={"stone": 3})
    after = Game.objects.get(pk=game.pk)
    assert (after.last_entry, after.record_head) == (before.last_entry, before.record_head)
    assert after.sealed_count == before.sealed_count + 1


def test_more_than_one_has_is_a_bribe_that_pays_what_there_is_and_is_worth_nothing(
    game: Game, two: Two, act: Take
):
    murphy, madrid = two
    act(murphy, "settlers.bribe", items={"stone": 4, "wood": 10**12})
    act(madrid, "settlers.bribe", items={"stone": 1})
    assert own(game, murphy) == ValuedBribe({"stone": 4, "wood": 10**12}, 6)
    act(None, "settlers.receive_visitor")
    assert (held(game, murphy), held(game, madrid)) == ({"stone": 1}, {"stone": 4})
    assert note(game)["values"] == {"Murphy": 0, "Madrid": 1}
    assert note(game)["targets"] == ["Murphy"]
    assert Settler.objects.get(victim=True).player == murphy


def test_who_has_nothing_left_is_no_target_and_without_targets_there_is_no_victim(
    game: Game, two: Two, act: Take
):
    for each in two:
        act(each, "settlers.bribe", items={"stone": 9})
    entry = act(None, "settlers.receive_visitor").entry
    assert entry.outcome["victims"] == []
    assert entry.outcome["paid"] == {"Murphy": {"stone": 5}, "Madrid": {"stone": 5}}
    assert (note(game)["targets"], note(game)["victim"]) == ([], None)
    assert not Settler.objects.filter(victim=True).exists()


def test_what_is_told_is_forgotten_once_it_is_paid_though_the_thug_stays(
    game: Game, two: Two, act: Take
):
    with at_the_table(game) as table:
        rows = "".join(f"| {roll} || Thug\n" for roll in range(2, 13))
        text = table.rules.text(VISITORS)
        table.rules.amend(VISITORS, text[: text.index("! Roll")] + f"! Roll !! Visitor\n{rows}")
    act(two[0], "settlers.bribe", items={"stone": 1})
    act(None, "settlers.receive_visitor")
    assert isle_of(game).visitor == "Thug"
    assert not Bribe.objects.exists()
    assert own(game, two[0]) == ValuedBribe({}, 0)
    act(two[0], "settlers.bribe", items={"stone": 1})
    assert list(Visit.objects.filter(sealed=True).values_list("number", flat=True)) == [1, 2]


def test_of_one_who_left_or_became_onlooker_nothing_is_taken(game: Game, two: Two, act: Take):
    murphy, madrid = two
    for each in two:
        act(each, "settlers.bribe", items={"stone": 3})
    act(murphy, "games.leave")
    act(madrid, "games.take_office", office="Onlooker")
    entry = act(madrid, "settlers.receive_visitor").entry
    assert (entry.outcome["paid"], entry.outcome["victims"]) == ({}, [])
    assert held(game, murphy) == held(game, madrid) == {"stone": 5}
    assert not Bribe.objects.exists()


def test_who_falls_victim_is_injured_from_the_next_production_to_the_one_after(
    game: Game, two: Two, act: Take
):
    murphy, madrid = two
    act(madrid, "settlers.bribe", items={"stone": 1})
    act(None, "settlers.receive_visitor")
    act(murphy, "settlers.harvest")
    hours(game, 48)
    row = Settler.objects.get(player=murphy)
    assert (row.victim, row.injured) == (False, True)
    with pytest.raises(Refused, match="on the Injured list"):
        act(murphy, "settlers.harvest")
    place(murphy, victim=False)
    visitor_is(game, "Merchant")  # whom chance may have made the Thug again
    hours(game, 48)
    act(murphy, "settlers.harvest")


def test_a_thug_whose_rule_is_repealed_is_gone_with_all_that_was_told(
    game: Game, two: Two, act: Take
):
    act(two[0], "settlers.bribe", items={"stone": 3})
    with at_the_table(game) as table:
        table.rules.repeal(THUG)
    assert isle_of(game).visitor == "None"
    assert not Bribe.objects.exists()
    act(None, "settlers.receive_visitor")
    assert held(game, two[0]) == {"stone": 5}


def test_all_of_it_replays(game: Game, produced: Two, act: Take):
    hours(game, 100)
    _, difference = replay(game)
    assert difference is None

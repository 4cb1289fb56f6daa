"""What a proposal can set of the isle by name, and what it cannot."""

from __future__ import annotations

import pytest

from nomic.engine.subgames import all_switches, find_switch
from nomic.engine.table import glance
from nomic.games.models import Game, Player, Win
from nomic.games.presets import PRESETS, Preset
from nomic.games.refusal import Refusal
from nomic.ledger.books import Ledger
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.rulebook.changes.reading import read_changes
from proposals.events.effects import Effect, apply
from proposals.web.preview.preview import preview
from settlers.actions.switches import names_in
from settlers.models import Bribe, Settler, Visit
from settlers.rulebook import protection_money
from settlers.rules.titles import GIFT, THUG, VISITORS
from settlers.tests.stage import hours, isle_of, place, visitor_is
from settlers.tests.votes import adopt
from tests.kit import WEDNESDAY, Take, at_the_table, seat, write_anew

Two = tuple[Player, Player]
NUMBERS = {"wheat": 2, "sheep": 3, "stone": 4, "wood": 5, "brick": 6}


@pytest.fixture
def with_lists(with_the_thug: Game, settled: Two) -> Game:
    """Murphy and Madrid, once the rules know Injured, Victims and the Thug."""
    for who in settled:
        place(who, domains=NUMBERS)
    return with_the_thug


def voted(game: Game, body: str) -> list[Effect]:
    """What comes of the bullets of a proposal that passed."""
    game.refresh_from_db()
    with at_the_table(game) as table:
        return apply(table, read_changes(body))


def one(game: Game, sentence: str) -> str:
    """What is told of a proposal's only sentence."""
    (effect,) = voted(game, f"{sentence}\n")
    return effect.sentence


def refusal(game: Game, name: str, subject: str, value: str) -> Refusal:
    game.refresh_from_db()
    found = find_switch(name).refusal(glance(game), subject, value)
    assert found is not None
    return found


def standing(game: Game, name: str, subject: str = "") -> str:
    game.refresh_from_db()
    return find_switch(name).value(glance(game), subject)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "Set the Injured list to Murphy and madrid.",
            "Injured list is set from empty to Madrid, Murphy.",
        ),
        ("Set Injured to Murphy.", "Injured list is set from empty to Murphy."),
        ("Set the Victims list to Madrid.", "Victims list is set from empty to Madrid."),
        ("Set the Visitor to Merchant.", "Visitor is set from None to Merchant."),
        ("Set the Visitor value to “thug”.", "Visitor is set from None to Thug."),
        (
            "Set Murphy's Ready flag to Ready.",
            "Murphy's Ready flag is set from not Ready to Ready.",
        ),
        ("Set Murphy's Ready to off.", "Murphy's Ready flag is set from not Ready to not Ready."),
        ("Set Murphy's wheat Domain to 8.", "Murphy's wheat Domain is set from 2 to 8."),
        ("Set the brick Domain of Madrid to none.", "Madrid's brick Domain is set from 6 to none."),
        ("Increase Murphy's brick Domain by 2.", "Murphy's brick Domain is set from 6 to 8."),
        (
            "Set Murphy's Settlement to farm, Church and Farm.",
            "Murphy's Settlement is set from empty to Farm, Church, Farm.",
        ),
    ],
)
def test_a_vote_sets_the_isle_as_players_say_it(with_lists: Game, sentence: str, told: str):
    assert one(with_lists, sentence) == told


@pytest.mark.parametrize("nothing", ["empty", "none", "nobody"])
def test_a_list_is_emptied(with_lists: Game, player: Player, nothing: str):
    place(player, injured=True)
    assert one(with_lists, f"Set the Injured list to {nothing}.").endswith("from Murphy to empty.")
    assert not Settler.objects.filter(injured=True).exists()


def test_a_list_that_is_set_has_nobody_else_on_it(with_lists: Game, player: Player):
    place(player, victim=True)
    assert one(with_lists, "Set the Victims list to Madrid.").endswith("from Murphy to Madrid.")
    assert Settler.objects.get(victim=True).player.name == "Madrid"


@pytest.mark.parametrize(
    ("name", "subject", "value", "sentence"),
    [
        ("Injured", "", "Murphy and Nobody Else", "“Nobody Else” is no Settler now."),
        (
            "Visitor",
            "",
            "Robber",
            "No subrule of “Visitors” is titled “Robber”. The Visitor is one of None, Merchant,"
            " Thug.",
        ),
        (
            "wheat Domain",
            "Murphy",
            "7",
            "A Domain holds none or one of 2, 3, 4, 5, 6, 8, 9, 10, 11, 12.",
        ),
        (
            "wheat Domain",
            "Murphy",
            "many",
            "A Domain holds none or one of 2, 3, 4, 5, 6, 8, 9, 10, 11, 12.",
        ),
        (
            "wheat Domain",
            "Murphy",
            "6",
            "The brick Domain of Murphy holds 6 already. Set that one first.",
        ),
        (
            "Settlement",
            "Murphy",
            "Farm and Castle",
            "“Castle” is no Building. The Buildings are Farm, Quarry, Church, Cone.",
        ),
        (
            "Settlement",
            "Murphy",
            ", ".join(["Farm"] * 1_001),
            "A Settlement that is set has at most 1,000 Buildings.",
        ),
        (
            "Ready",
            "Murphy",
            "perhaps",
            "A Ready flag is set to Ready or off, and not to “perhaps”.",
        ),
    ],
)
def test_a_value_that_cannot_be_says_why(
    with_lists: Game, name: str, subject: str, value: str, sentence: str
):
    assert refusal(with_lists, name, subject, value).sentence == sentence


def test_a_domain_may_keep_its_own_number(with_lists: Game):
    assert one(with_lists, "Set Murphy's wheat Domain to 2.") == (
        "Murphy's wheat Domain is set from 2 to 2."
    )


def test_two_domains_change_places_when_one_is_emptied_first(with_lists: Game):
    effects = voted(
        with_lists,
        "Set Murphy's wheat Domain to none.\nSet Murphy's sheep Domain to 2.\n"
        "Set Murphy's wheat Domain to 3.\n",
    )
    assert all(effect.done for effect in effects)
    domains = Settler.objects.get(player__name="Murphy").domains
    assert (domains["wheat"], domains["sheep"]) == (3, 2)


def test_who_keeps_the_isle_is_on_no_list(with_lists: Game, officer: Player):
    assert refusal(with_lists, "Victims", "", "snail").code == "no_such_settler"
    assert one(with_lists, "Set snail's Settlement to Farm.").startswith("There is no Settler")


def test_lists_that_no_rule_knows_cannot_be_set(game: Game, settled: Two):
    assert one(game, "Set the Injured list to Murphy.") == (
        "Nothing in this game has a switch “Injured list” now."
    )


def test_a_rule_that_brings_the_lists_is_heard_at_once(game: Game, settled: Two):
    effects = voted(
        game,
        "Add a subrule titled “Bandit” to the rule “Visitors” with the following text:\n"
        "{There are two lists, Injured and Victims.}\n\n"
        "Set the Victims list to Madrid.\nSet the Visitor to Bandit.\n",
    )
    assert [effect.done for effect in effects] == [True, True, True]
    assert isle_of(game).visitor == "Bandit"


@pytest.mark.parametrize(
    ("title", "old", "new", "name", "subject"),
    [
        (GIFT, "| 2 | 5 |", "| 2 | many |", "stone Domain", "Murphy"),
        (GIFT, "| Farm | 2 wood", "| Farm | some wood", "Settlement", "Murphy"),
        ("The Dice Deck", "| May happen after | 36", "| May happen after | many", "Victims", ""),
        (
            "The Dice Deck",
            "| Happens at the latest after | 48",
            "| Happens at the latest after | many",
            "Ready",
            "Madrid",
        ),
    ],
)
def test_a_broken_table_stops_only_what_needs_it(
    with_lists: Game, title: str, old: str, new: str, name: str, subject: str
):
    write_anew(with_lists, title, old, new)
    with_lists.refresh_from_db()
    value = {"stone Domain": "9", "Settlement": "Farm", "Ready": "Ready"}.get(name, "Murphy")
    found = find_switch(name).refusal(glance(with_lists), subject, value)
    assert (found.code if found else None) == (None if name == "Victims" else "table_broken")


# What follows


def test_when_the_last_becomes_ready_by_a_vote_resources_are_produced(with_lists: Game):
    voted(with_lists, "Set Murphy's Ready flag to Ready.\nSet Madrid's Ready flag to Ready.\n")
    hours(with_lists, 0)
    assert isle_of(with_lists).production == 1


def test_a_settlement_with_the_cones_for_it_is_a_victory(with_lists: Game, player: Player):
    one(with_lists, "Set Murphy's Settlement to Cone, Cone, Cone and Cone.")
    assert Win.objects.get().player == player


def test_the_thug_who_comes_by_a_vote_has_dice_of_his_own_and_hears_bribes(
    with_lists: Game, player: Player, act: Take
):
    one(with_lists, "Set the Visitor to Thug.")
    visit = Visit.objects.get(over_in__isnull=True)
    assert visit.sealed
    assert with_lists.dice_periods.filter(private=True, purpose=visit.purpose).exists()
    act(player, "settlers.bribe", items={"wheat": 1})
    assert Bribe.objects.exists()


def test_sending_the_thug_away_forgets_the_bribes_and_what_was_made_use_of(
    with_lists: Game, player: Player, act: Take
):
    visit = visitor_is(with_lists, THUG)
    place(player, used=[THUG, "Merchant"])
    act(player, "settlers.bribe", items={"wheat": 1})
    one(with_lists, "Set the Visitor to None.")
    visit.refresh_from_db()
    assert visit.over_in is not None
    assert not Bribe.objects.exists()
    assert Settler.objects.get(player=player).used == ["Merchant"]
    assert standing(with_lists, "Visitor") == "None"


def test_a_visitor_who_is_here_already_begins_no_new_visit(
    with_lists: Game, player: Player, act: Take
):
    visit = visitor_is(with_lists, THUG)
    act(player, "settlers.bribe", items={"wheat": 1})
    assert one(with_lists, "Set the Visitor to Thug.") == "Visitor is set from Thug to Thug."
    assert Visit.objects.get(over_in__isnull=True) == visit
    assert Bribe.objects.exists()


def test_the_arrival_after_a_production_comes_though_a_vote_has_set_the_visitor(
    with_lists: Game,
):
    hours(with_lists, 48)
    one(with_lists, "Set the Visitor to Merchant.")
    assert isle_of(with_lists).arrived_for == 0
    hours(with_lists, 25)
    assert isle_of(with_lists).arrived_for == 1
    assert with_lists.entries.filter(name="settlers.arrival", outcome__has_key="dice").exists()


def test_no_vote_reads_or_sets_a_bribe(with_lists: Game, player: Player, act: Take):
    visitor_is(with_lists, THUG)
    act(player, "settlers.bribe", items={"wheat": 918_273})
    for sentence in ("Set Murphy's Bribe to 1 wheat.", "Set Murphy's Bribe Value to 9."):
        assert "918" not in one(with_lists, sentence)
    assert Bribe.objects.get().items == {"wheat": 918_273}


def test_a_stockpile_is_set_as_any_balance(with_lists: Game, player: Player):
    (effect,) = voted(with_lists, "Murphy gains 5 wheat.\n")
    assert effect.done
    with_lists.refresh_from_db()
    assert Ledger(with_lists, None).holdings(player)["wheat"] == 5


@pytest.mark.thorough
def test_what_was_voted_replays(game: Game, settled: Two, act: Take):
    body = (
        "Set the Visitor to Thug.\nSet the Victims list to Madrid.\n"
        "Set Murphy's wheat Domain to none.\nSet Murphy's Settlement to Farm and Church.\n"
        "Set Madrid's Ready flag to Ready.\n"
    )
    adopt(game, protection_money())
    game.refresh_from_db()
    foreseen = preview(game, None, body, {})
    assert (foreseen.warnings, len(foreseen.changes)) == ((), 5)
    assert all(effect["done"] for effect in adopt(game, body).effects)
    assert Visit.objects.filter(game=game, visitor=THUG).count() == 1
    act(settled[0], "settlers.bribe", items={"wheat": 1})
    hours(game, 80)
    game.refresh_from_db()
    assert replay(game)[1] is None


# Names


def test_a_game_without_an_isle_has_none_of_its_switches(db: None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PRESETS, "bare", Preset("bare", "Bare", "No rules yet.", rulebooks=()))
    bare = new_game("bare", "bare", pace="manual", start=WEDNESDAY)[0]
    ours = [each for each in all_switches() if type(each).__module__ == "settlers.actions.switches"]
    assert len(ours) == 10
    assert [list(each.subjects(glance(bare))) for each in ours] == [[]] * 10


def test_nobody_visits_where_no_rule_speaks_of_visitors(game: Game, settled: Two):
    with at_the_table(game) as table:
        table.rules.repeal(VISITORS)
    assert one(game, "Set the Visitor to Merchant.") == (
        "Nothing in this game has a switch “Visitor” now."
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A, B and C", ["A", "B", "C"]),
        ("a, b, and c", ["A", "B", "C"]),
        ("Tom and Jerry", ["Tom and Jerry"]),
        ("A and tom and jerry and B", ["A", "Tom and Jerry", "B"]),
        ("Tom and B", ["Tom", "B"]),
        ("x, y and z", ["x, y and z"]),
        ("A,, B", ["A", "B"]),
        ("", []),
        ("None.", []),
        ("and", ["and"]),
    ],
)
def test_names_may_have_commas_and_an_and_of_their_own(text: str, names: list[str]):
    assert names_in(text, ["A", "B", "C", "Tom and Jerry", "x, y and z"]) == names


def test_a_settler_with_an_and_in_their_name_can_be_listed(with_lists: Game, act: Take):
    both = seat(with_lists, "Tom")
    act(both, "settlers.join")
    Player.objects.filter(pk=both.pk).update(name="Tom and Jerry")  # as an earlier game lets one be
    assert one(with_lists, "Set the Victims list to Madrid and Tom and Jerry.") == (
        "Victims list is set from empty to Madrid, Tom and Jerry."
    )

"""The Horsened's corrections: on the record, each with its reason."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from horses.events import start_anew
from horses.state import state_of
from horses.tests.conftest import Stage
from nomic.engine.dry_run import rehearse
from nomic.engine.outcomes import Malformed
from nomic.engine.rows import rows_of
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.record.models import EntryKind
from tests.kit import WEDNESDAY, Take, at_the_table, failing, seat

Refuses = Callable[..., Any]
Announced = Callable[..., list[tuple[str, str]]]

BACK_TO = {"amount": 1, "asset": "Sugar", "reason": "a slip"}

CORRECTIONS = {
    "correct_position": {"horse": "Fargo", "position": 9, "reason": "The nudge of May counted."},
    "correct_place": {"horse": "Fargo", "place": "first", "reason": "It crossed in May."},
    "correct_pulls": {"horse": "Fargo", "pulls": "Sugar, Alexia", "reason": "As in the report."},
    "correct_gear": {
        "who": "Murphy",
        "having": "have",
        "gear": "helmet",
        "horse": "Fargo",
        "reason": "It was paid for.",
    },
    "correct_bet": {
        "who": "Murphy",
        "horse": "Fargo",
        "dollaries": 3,
        "reason": "Said by mail.",
    },
    "correct_turn": {
        "who": "Murphy",
        "used": "used",
        "turn": "the weekly race action",
        "reason": "The bet was by mail.",
    },
    "correct_motivation": {"horse": "Fargo", "distance": 2, "reason": "Thrown at the table."},
}


@pytest.mark.parametrize(
    ("name", "field", "after", "text"),
    [
        (
            "correct_position",
            "position",
            9,
            "snail corrects Fargo's Race Position from 0 to 9: The nudge of May counted.",
        ),
        (
            "correct_place",
            "place",
            1,
            "snail corrects Fargo's Race Place from none to first: It crossed in May.",
        ),
        (
            "correct_pulls",
            "pulls",
            ["Alexia", "Sugar"],
            "snail corrects Fargo's pulls to Alexia, Sugar: As in the report.",
        ),
    ],
)
def test_a_correction_is_an_officer_s_entry_with_its_reason(
    act: Take, officer: Player, stage: Stage, name: str, field: str, after: Any, text: str
):
    receipt = act(officer, f"horses.{name}", **CORRECTIONS[name])
    assert receipt.entry.text == text
    assert receipt.entry.kind == EntryKind.OFFICER
    assert stage.horse("Fargo")[field] == after


@pytest.mark.parametrize("name", CORRECTIONS)
def test_only_the_horsened_corrects(
    refused: Refuses, officer: Player, player: Player, stage: Stage, name: str
):
    refusal = refused(player, f"horses.{name}", **CORRECTIONS[name])
    assert refusal.sentence == "Only the Horsened can do this."


@pytest.mark.parametrize("name", CORRECTIONS)
def test_a_correction_needs_a_reason(act: Take, officer: Player, player: Player, name: str):
    with pytest.raises(Malformed) as malformed:
        act(officer, f"horses.{name}", **{**CORRECTIONS[name], "reason": ""})
    assert set(malformed.value.errors) == {"reason"}


BACK = {
    "correct_position": {"position": 0},
    "correct_place": {"place": "none"},
    "correct_pulls": {"pulls": ""},
    "correct_gear": {"having": "not have"},
    "correct_bet": {"dollaries": 0},
    "correct_turn": {"used": "not used"},
    "correct_motivation": {"horse": "none", "distance": None},
}


@pytest.mark.parametrize("name", CORRECTIONS)
def test_what_is_so_already_is_not_corrected(
    act: Take, refused: Refuses, officer: Player, player: Player, stage: Stage, name: str
):
    before = rows_of("horses", stage.game)
    as_it_is = {**CORRECTIONS[name], **BACK[name]}
    if name == "correct_pulls":
        as_it_is["pulls"] = " and ".join(stage.horse("Fargo")["pulls"])
    assert refused(officer, f"horses.{name}", **as_it_is).code == "is_so"
    act(officer, f"horses.{name}", **CORRECTIONS[name])
    assert refused(officer, f"horses.{name}", **CORRECTIONS[name]).code == "is_so"
    assert rows_of("horses", stage.game) != before
    act(officer, f"horses.{name}", **as_it_is)
    assert rows_of("horses", stage.game) == before
    assert replay(stage.game)[1] is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("correct_gear", "snail corrects Murphy's helmet for Fargo from none to one: "),
        ("correct_bet", "snail corrects Murphy's bet on Fargo from none to 3 dollaries: "),
        (
            "correct_turn",
            "snail corrects the weekly race action of Murphy from not used to used: ",
        ),
        ("correct_motivation", "snail corrects this week's motivation from none to Fargo, 2 steps"),
    ],
)
def test_an_entry_says_how_it_was_and_how_it_is(
    act: Take, officer: Player, player: Player, name: str, text: str
):
    receipt = act(officer, f"horses.{name}", **CORRECTIONS[name])
    assert receipt.entry.text.startswith(text)
    assert receipt.entry.text.endswith(f": {CORRECTIONS[name]['reason']}")


@pytest.mark.parametrize("name", CORRECTIONS)
def test_a_preview_tells_the_entry_and_changes_nothing(
    act: Take, officer: Player, player: Player, stage: Stage, name: str
):
    before = rows_of("horses", stage.game)
    seen = rehearse(stage.game.slug, officer.user, f"horses.{name}", CORRECTIONS[name])
    assert rows_of("horses", stage.game) == before
    assert act(officer, f"horses.{name}", **CORRECTIONS[name]).entry.text == seen.text


def test_a_bet_that_is_taken_back_pays_nothing_and_the_week_is_the_player_s_again(
    act: Take, officer: Player, player: Player, stage: Stage
):
    stage.give(player, dollaries=9)
    act(player, "horses.bet", horse="Alexia", dollaries=3)
    act(
        officer,
        "horses.correct_bet",
        **{**CORRECTIONS["correct_bet"], "horse": "Alexia"} | BACK["correct_bet"],
    )
    act(officer, "horses.correct_turn", **{**CORRECTIONS["correct_turn"], **BACK["correct_turn"]})
    act(player, "horses.bet", horse="Alexia", dollaries=1)
    assert stage.state["bets"] == {"Murphy": {"Alexia": 1}}


def test_all_bets_of_a_player_on_a_horse_are_corrected_together(
    act: Take, officer: Player, player: Player, stage: Stage
):
    stage.give(player, dollaries=9)
    for _ in range(2):
        act(player, "horses.bet", horse="Fargo", dollaries=3)
        stage.weeks()
    receipt = act(officer, "horses.correct_bet", **{**CORRECTIONS["correct_bet"], "dollaries": 4})
    assert "from 6 dollaries to 4 dollaries" in receipt.entry.text
    assert stage.state["bets"] == {"Murphy": {"Fargo": 4}}


def test_half_a_motivation_is_refused(refused: Refuses, officer: Player):
    half = {**CORRECTIONS["correct_motivation"], "distance": None}
    refusal = refused(officer, "horses.correct_motivation", **half)
    assert refusal.sentence == "Say a horse and how far it gallops, or neither."


def test_the_horses_run_as_the_corrected_motivation_says(act: Take, officer: Player, stage: Stage):
    stage.motivated("Sugar", 1)
    act(officer, "horses.correct_motivation", **CORRECTIONS["correct_motivation"])
    stage.weeks()
    run = stage.last("horses.run")
    assert (run.outcome["galloper"], run.outcome["distance"]) == ("Fargo", 2)


def test_a_position_beyond_the_track_is_refused(refused: Refuses, officer: Player):
    refusal = refused(
        officer, "horses.correct_position", horse="Fargo", position=17, reason="a slip"
    )
    assert refusal.sentence == "Race Positions go from 0 to 16; choose one of them."


def test_a_place_that_is_taken_is_refused(refused: Refuses, officer: Player, stage: Stage):
    stage.put(Sugar=(16, 1))
    refusal = refused(
        officer, "horses.correct_place", horse="Fargo", place="first", reason="a slip"
    )
    assert refusal.sentence == "Sugar is first already. Correct Sugar's place first."


def test_the_third_place_is_only_crossed_for(act: Take, officer: Player):
    with pytest.raises(Malformed):
        act(officer, "horses.correct_place", horse="Fargo", place="third", reason="a slip")


def test_pulls_are_horses(refused: Refuses, act: Take, officer: Player, stage: Stage):
    refusal = refused(
        officer, "horses.correct_pulls", horse="Fargo", pulls="Alexia, Pegasus", reason="a slip"
    )
    assert refusal.sentence.startswith("“Pegasus” is no horse of this race.")
    act(officer, "horses.correct_pulls", horse="Fargo", pulls="", reason="it has none")
    assert stage.horse("Fargo")["pulls"] == []


def test_a_correction_mends_a_game_that_is_stuck(act: Take, officer: Player, stage: Stage):
    stage.motivated("Fargo", 1)
    with failing("horses.run"):
        stage.weeks()
    assert stage.game.state == "stuck"
    act(officer, "horses.correct_position", horse="Fargo", position=3, reason="while it waits")
    assert stage.horse("Fargo")["position"] == 3


def test_nobody_who_has_left_is_given_a_horse(act: Take, officer: Player, rival: Player):
    act(rival, "games.leave")
    with pytest.raises(Malformed) as malformed:
        act(officer, "ledger.correct", **BACK_TO, giver="Agora", receiver=rival.name)
    assert set(malformed.value.errors) == {"receiver"}


def test_a_horse_does_not_go_back_to_the_mint(refused: Refuses, officer: Player, stage: Stage):
    refusal = refused(officer, "ledger.correct", **BACK_TO, giver="Agora", receiver="Mint")
    assert refusal.code == "indestructible"
    assert stage.horse("Sugar")["owner"] == "Agora"


def test_a_horse_of_somebody_who_has_left_goes_to_agora_with_the_next_correction(
    act: Take, officer: Player, rival: Player, stage: Stage
):
    act(rival, "games.leave")
    stage.give_horses(rival, "Sugar")
    assert stage.horse("Sugar")["owner"] == "Agora"
    act(officer, "ledger.correct", **{**BACK_TO, "asset": "Fargo"}, giver="Agora", receiver="snail")
    agoran = stage.game.holders.get(kind="game").balances.filter(amount=1)
    assert agoran.filter(asset__name="Sugar").exists()


def test_a_horse_of_somebody_who_has_left_wins_nothing(
    act: Take, player: Player, rival: Player, stage: Stage
):
    act(rival, "games.leave")
    stage.give_horses(rival, "Sugar")
    stage.put(Alexia=(16, 1), Baxter=(16, 2), Sugar=16)
    stage.motivated("Rubert", 1)
    stage.weeks()
    run = stage.last("horses.run")
    assert run.outcome["race_ended"]
    assert [payout["asset"] for payout in run.outcome["payouts"]] == ["points"]


def test_a_horse_that_is_moved_to_the_lost_and_found_goes_on_to_agora_at_once(
    act: Take, officer: Player, player: Player, stage: Stage
):
    stage.give_horses(player, "Sugar")
    correction = {
        "amount": 1,
        "asset": "Sugar",
        "giver": player.name,
        "receiver": "Lost and Found",
        "reason": "Nobody claimed it.",
    }
    act(officer, "ledger.correct", **correction)
    assert "Sugar" not in stage.game.holders.get(kind="lost_and_found").balances.filter(
        amount__gt=0
    ).values_list("asset__name", flat=True)
    assert stage.horse("Sugar")["owner"] == "Agora"


def test_a_new_horsened_moves_no_million_to_itself(db: None) -> None:
    game, _ = new_game("real", "agora-races", pace="manual", start=WEDNESDAY, offices="support")
    murphy, madrid, jason, mallory = (
        seat(game, name) for name in ("Murphy", "Madrid", "Jason", "mallory")
    )
    take("real", mallory, "games.stand", {"office": "Horsened"})
    for each in (murphy, madrid):
        take("real", each, "games.support", {"motion": 1})
    before = glance(game).ledger.balance(mallory, "dollary")
    move = {"amount": 1_000_000, "asset": "dollary", "giver": "Mint", "receiver": "mallory"}
    put = {"horse": "Fargo", "position": 9, "reason": "mine"}
    take("real", mallory, "ledger.correct", {**move, "reason": "mine"})
    take("real", mallory, "horses.correct_position", put)
    for motion in (2, 3):
        take("real", jason, "games.object", {"motion": motion})
    advance("real", WEDNESDAY + timedelta(hours=24))
    after = glance(Game.objects.get(slug="real"))
    assert after.ledger.balance(mallory, "dollary") == before
    assert {each.name: each.position for each in state_of(after).runners}["Fargo"] == 0
    points = {**move, "asset": "points", "reason": "mine"}
    said = take("real", mallory, "ledger.correct", points).entry.text
    assert said.endswith("more than half of the other active players support it.")


@pytest.mark.thorough
def test_a_races_correction_happens_a_day_later_if_nobody_objects(db: None) -> None:
    game, _ = new_game("real", "agora-races", pace="manual", start=WEDNESDAY, offices="support")
    players = [seat(game, name) for name in ("Murphy", "Madrid", "Jason")]
    put = {"horse": "Fargo", "position": 9, "reason": "The nudge of May counted."}
    take("real", players[0], "games.stand", {"office": "Horsened"})
    for each in players[1:]:
        take("real", each, "games.support", {"motion": 1})
    take("real", players[0], "horses.correct_position", put)
    advance("real", WEDNESDAY + timedelta(hours=24))
    after = glance(Game.objects.get(slug="real"))
    assert {each.name: each.position for each in state_of(after).runners}["Fargo"] == 9
    done = after.game.entries.get(name="games.motion")
    assert done.text == (
        "Motion 2 is done. Murphy corrects Fargo's Race Position from 0 to 9: The nudge of May"
        " counted."
    )
    assert replay(after.game)[1] is None


@pytest.mark.thorough
def test_what_was_announced_of_a_race_before_the_horses_ran_is_not_done_after_it(db: None) -> None:
    game, _ = new_game("real", "agora-races", pace="manual", start=WEDNESDAY, offices="support")
    players = [seat(game, name) for name in ("Murphy", "Madrid", "Jason")]
    put = {"horse": "Fargo", "position": 9, "reason": "The nudge of May counted."}
    take("real", players[0], "games.stand", {"office": "Horsened"})
    for each in players[1:]:
        take("real", each, "games.support", {"motion": 1})
    advance("real", WEDNESDAY + timedelta(days=4))
    take("real", players[0], "horses.correct_position", put)
    advance("real", WEDNESDAY + timedelta(days=6))
    after = Game.objects.get(slug="real")
    motion = after.motions.get(number=2)
    assert (motion.end, motion.note) == ("failed", "The horses have run after that was announced.")
    assert replay(after)[1] is None


@pytest.fixture
def announced(db: None) -> Announced:
    """Announce these corrections as an officer on a Sunday, do what happens meanwhile, and let a
    day go by; how each ended."""
    game, _ = new_game("real", "agora-races", pace="manual", start=WEDNESDAY, offices="support")
    players = [seat(game, name) for name in ("Murphy", "Madrid", "Jason")]
    take("real", players[0], "games.stand", {"office": "Horsened"})
    for voter in players[1:]:
        take("real", voter, "games.support", {"motion": 1})

    def announced(
        *corrections: tuple[str, dict[str, Any]],
        day: int,
        meanwhile: Callable[[Game], Any] = lambda game: None,
    ) -> list[tuple[str, str]]:
        advance("real", WEDNESDAY + timedelta(days=day))
        for name, inputs in corrections:
            take("real", players[0], f"horses.{name}", inputs)
        meanwhile(Game.objects.get(slug="real"))
        advance("real", WEDNESDAY + timedelta(days=day + 2))
        after = Game.objects.get(slug="real")
        assert replay(after)[1] is None
        return [(motion.end, motion.note) for motion in after.motions.order_by("number")[1:]]

    return announced


CHANGED = "What that is about has changed since it was announced."


def test_what_was_announced_twice_is_done_once(announced: Announced):
    twice = [("correct_bet", CORRECTIONS["correct_bet"])] * 2
    assert announced(*twice, day=1) == [("done", ""), ("failed", CHANGED)]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("correct_turn", "The time that this is about is over."),
        ("correct_motivation", "The week that this is about is over."),
    ],
)
def test_what_was_announced_of_a_week_is_not_done_in_the_next(
    announced: Announced, name: str, note: str
):
    assert announced((name, CORRECTIONS[name]), day=4) == [("failed", note)]


def test_what_a_player_does_meanwhile_is_not_corrected_with_what_was_before(announced: Announced):
    def bet(game: Game) -> None:
        take(
            "real",
            game.players.get(name="Murphy"),
            "horses.bet",
            {"horse": "Fargo", "dollaries": 1},
        )

    more = ("correct_bet", {**CORRECTIONS["correct_bet"], "dollaries": 5})
    assert announced(more, day=1, meanwhile=bet) == [("failed", CHANGED)]


def test_what_was_announced_of_a_player_who_has_left_meanwhile_is_not_done(announced: Announced):
    def leave(game: Game) -> None:
        take("real", game.players.get(name="Madrid"), "games.leave")

    ((end, note),) = announced(
        ("correct_bet", {**CORRECTIONS["correct_bet"], "who": "Madrid"}), day=1, meanwhile=leave
    )
    assert end == "failed"
    assert "“Madrid” is not a player of this game." in note


def test_what_is_taken_back_already_is_not_taken_back_again(announced: Announced):
    take("real", None, "horses.correct_gear", CORRECTIONS["correct_gear"])
    gone = ("correct_gear", {**CORRECTIONS["correct_gear"], **BACK["correct_gear"]})
    so_already = "There is nothing to correct: Murphy's helmet for Fargo is none."
    assert announced(gone, gone, day=1) == [("done", ""), ("failed", so_already)]


@pytest.mark.parametrize("name", ["correct_bet", "correct_gear"])
def test_what_was_announced_of_a_race_is_not_done_in_the_next(announced: Announced, name: str):
    def end(game: Game) -> None:
        with at_the_table(game) as table:
            start_anew(table)

    with pytest.raises(AssertionError):  # no replay knows of what was set by hand
        announced((name, CORRECTIONS[name]), day=1, meanwhile=end)
    motion = Game.objects.get(slug="real").motions.get(number=2)
    assert (motion.end, motion.note) == ("failed", "The race that this is about has ended.")

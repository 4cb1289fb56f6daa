"""What each rule alone makes possible is off without it, and the preview of its repeal says so."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.actions import find_action, legality
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from proposals.web.preview.preview import preview
from tests.kit import WEDNESDAY, at_the_table, seat

type Room = tuple[Game, Player]

MONDAY = WEDNESDAY.replace(hour=0) + timedelta(days=5)
ACTS: dict[str, dict[str, object]] = {
    "horses.bet": {"horse": "Fargo", "dollaries": 1, "via_alexia": False},
    "horses.gain_dollaries": {"via_alexia": False},
    "horses.buy": {"horse": "Rubert", "via_alexia": False},
    "horses.motivate": {},
    "settlers.ready": {},
    "settlers.join": {},
}


def room(preset: str) -> Room:
    game = new_game("room", preset, pace="manual", start=WEDNESDAY)[0]
    seat(game, "Madrid")
    return game, seat(game, "Murphy")


@pytest.fixture
def races(db: None) -> Room:
    return room("agora")


@pytest.fixture
def isle(db: None) -> Room:
    return room("blognomic")


@pytest.fixture
def contest(db: None) -> Room:
    """Both have joined it."""
    game, player = room("ace-of-spades")
    advance("room", WEDNESDAY + timedelta(hours=1))
    for each in game.players.order_by("pk"):
        take("room", each, "aceofspades.join")
    return game, player


def without(game: Game, title: str) -> None:
    with at_the_table(Game.objects.get(pk=game.pk)) as table:
        table.rules.repeal(title)


def refused(game: Game, player: Player) -> set[str]:
    """Which of those acts are refused for what the rules say, and not for what the player lacks."""
    table = glance(Game.objects.get(pk=game.pk))
    found = set()
    for name, inputs in ACTS.items():
        refusal = legality(find_action(name), table, player, inputs)
        if refusal is not None and refusal.code in ("off", "not_in_force"):
            found.add(name)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("title", "acts"),
    [
        ("Horses", {"horses.bet", "horses.gain_dollaries", "horses.buy", "horses.motivate"}),
        ("Weekly Race Actions", {"horses.bet", "horses.gain_dollaries", "horses.buy"}),
        ("Motivating Horses", {"horses.motivate"}),
        ("Horse Powers", {"horses.buy"}),
        ("The Horses Run", set()),
        ("Horse Victory", set()),
        ("Horse Multiplier", set()),
    ],
)
def test_a_rule_of_the_races(races: Room, title: str, acts: set[str]) -> None:
    game, player = races
    before = refused(game, player)
    said = " ".join(preview(game, None, f"Repeal the rule “{title}”.", {}).warnings)
    assert f"Without the rule “{title}”, what it makes possible would be off." in said
    without(game, title)
    assert refused(game, player) - before == acts
    advance("room", MONDAY + timedelta(days=8))
    assert Game.objects.get(pk=game.pk).state == "running"
    runs = game.entries.filter(name="horses.run").exists()
    assert runs == (title not in ("Horses", "The Horses Run"))


@pytest.mark.parametrize(
    ("title", "produces", "arrives"),
    [
        ("The Gift of the Isle", False, False),
        ("The Dice Deck", False, False),
        ("Visitors", True, False),
        ("Merchant", True, True),
        ("The Sealed Visits", True, True),
    ],
)
def test_a_rule_of_the_isle(isle: Room, title: str, produces: bool, arrives: bool) -> None:
    game, player = isle
    if not produces:
        assert "settlers.join" not in refused(game, player)
    said = " ".join(preview(game, None, f"Repeal the rule “{title}”.", {}).warnings)
    assert f"Without the rule “{title}”, what it makes possible would be off." in said
    without(game, title)
    assert ("settlers.join" in refused(game, player)) == (not produces)
    advance("room", WEDNESDAY + timedelta(days=4))
    assert Game.objects.get(pk=game.pk).state == "running"
    assert game.entries.filter(name="settlers.production").exists() == produces
    assert game.entries.filter(name="settlers.arrival").exists() == arrives


CONTEST_ACTS: dict[str, dict[str, object]] = {
    "aceofspades.join": {},
    "aceofspades.leave": {},
    "aceofspades.propose": {"number": 500, "text": "Nothing.", "visibility": "public"},
    "aceofspades.vote": {"proposal": 1, "vote": "FOR"},
    "aceofspades.transfer": {"to": "Madrid", "cards": {"Mauve": 1}},
    "aceofspades.offer": {"to": ["Madrid"], "gives": {"Mauve": 1}, "takes": {"Red": 1}},
    "aceofspades.ally": {"members": ["Madrid"]},
    "aceofspades.grant_ntk": {"regulation": 340, "to": "Madrid", "full": False},
    "aceofspades.request_judgement": {"text": "Was it?"},
    "aceofspades.reveal_regulation": {"regulation": 340},
}
OFF = ("off", "not_in_force", "nothing_proposable", "no_fee")


@pytest.mark.parametrize(
    ("number", "acts"),
    [
        (102, {"join", "leave"}),
        (107, {"propose"}),
        (109, {"vote"}),
        (114, {"request_judgement"}),
        (116, {"transfer"}),
        (125, {"offer"}),
        (200, set()),
        (205, set()),
        (210, set()),
        (215, set()),
        (220, {"ally"}),
        (240, {"grant_ntk"}),
        (245, {"reveal_regulation"}),
    ],
)
def test_a_regulation_of_the_contest(contest: Room, number: int, acts: set[str]) -> None:
    game, player = contest
    before = contest_refusals(game, player)
    repeal_the_regulation(game, number)
    after = contest_refusals(game, player)
    off = {name for name, code in after.items() if code in OFF and before[name] not in OFF}
    assert off == {f"aceofspades.{each}" for each in acts}


@pytest.mark.parametrize(
    "number",
    [
        *(107, 215, 220),
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in (102, 109, 114, 116, 125, 200, 205, 210, 240, 245)
        ),
    ],
)
def test_without_a_regulation_the_contest_is_reckoned_all_the_same(
    contest: Room, number: int
) -> None:
    game, _ = contest
    repeal_the_regulation(game, number)
    advance("room", WEDNESDAY + timedelta(days=100))
    assert Game.objects.get(pk=game.pk).state == "running"
    assert game.entries.filter(name="aceofspades.reckoning").count() == 1


def repeal_the_regulation(game: Game, number: int) -> None:
    with at_the_table(Game.objects.get(pk=game.pk)) as table:
        rule = table.rules.find(f"Regulation {number}")
        if rule.is_immutable:
            table.rules.transmute(rule.pk, "mutable")
        table.rules.repeal(rule.pk)


def contest_refusals(game: Game, player: Player) -> dict[str, str]:
    """The codes of what those acts are refused for; "" where they are not."""
    table = glance(Game.objects.get(pk=game.pk))
    found = {}
    for name, inputs in CONTEST_ACTS.items():
        refusal = legality(find_action(name), table, player, inputs)
        found[name] = refusal.code if refusal else ""
    return found


LOST = "In the rule “Weekly Race Actions”, replace “| GAIN |” with “| FORMERLY |”."


def test_a_table_that_a_text_loses_is_told_of_before_the_vote(races: Room) -> None:
    game, _ = races
    said = " ".join(preview(game, None, LOST, {}).warnings)
    assert (
        "After it “Weekly Race Actions” is played as of version 1: The text of Weekly Race Actions"
        " has no table with the columns GAIN, DOLLARIES any more."
    ) in said
    assert "this is off" not in said


def test_a_table_that_cannot_be_read_is_told_of_before_the_vote(races: Room) -> None:
    game, _ = races
    bad = "In the rule “Voting”, replace “| At least | 3 |” with “| At least | banana |”."
    said = " ".join(preview(game, None, bad, {}).warnings)
    assert "After it “Voting” is played as of version 1: The table “QUORUM” of Voting" in said

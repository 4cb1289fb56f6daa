"""What the hands are worth at the Moment of Reckoning, and a tie for the highest (118 to 120, 999).

The secret regulations are repealed here, so that 310, 320, 330 and 410 mark alone.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from aceofspades.events import scoring as room
from aceofspades.events.scoring import WORTHS, marks
from aceofspades.models import Contest, Move
from aceofspades.rules.marks import Answer
from aceofspades.state import counting
from aceofspades.state.reading import RECKONING
from aceofspades.tests import stage
from aceofspades.tests.asking import is_sound
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import (
    block,
    happened,
    named,
    outcome,
    reckon,
    repeal,
    without_secrets,
    worths,
)
from aceofspades.web.proof import proofs
from nomic.engine.programs.sandbox import ENGINE
from nomic.games.models import Game
from nomic.operations.replay import Departure, replay
from tests.kit import seat

pytestmark = pytest.mark.django_db

TIE = "| TIE FOR THE HIGHEST WORTH | CARDS |\n| --- | --- |\n| Dealt to each tied hand | {} |\n"
LONG = block(
    "n = 0",
    "for i in range(100000):",
    "    for j in range(100000):",
    "        n += 1",
    "return worth",
)
ONE_OUT = block('return {name: n for name, n in worth.items() if name != "Murphy"}')


@pytest.fixture
def bare(eve: Game) -> Game:
    """The contest an instant before the Moment of Reckoning, without the secret regulations."""
    without_secrets(eve)
    return eve


def given(game: Game, three: Three, *hands: dict[str, int]) -> None:
    for each, cards in zip(three, hands, strict=True):
        stage.give_cards(game, each, **cards)


# The marks (Regulations 118 and 119)


@pytest.mark.thorough
def test_119_the_marking_regulations_mark_all_hands_in_ascending_order(bare: Game, three: Three):
    given(bare, three, {"Red": 5}, {"Red": 5, "Mauve": 1}, {"Hearts": 2, "Green": 1})
    stage.enact(bare, 500, block("return {name: 2 * worth[name] for name in hands}"))
    stage.enact(bare, 400, block("return {name: worth[name] + 1 for name in hands}"))
    found = reckon(bare)
    assert worths(bare) == {"Murphy": 12, "Madrid": 4, "Alexia": 8}
    entry = happened(bare, WORTHS)[0]
    assert found.worths_in == entry.seq
    assert entry.at == found.reckoned_at
    assert entry.inputs["prepared"]["worths"] == entry.outcome["worths"]
    assert "Murphy 12 Marks, Alexia 8 Marks, Madrid 4 Marks" in entry.text
    assert named(bare, finalist=True) == entry.outcome["finalists"] == ["Murphy"]


def test_119_marking_moves_no_card(bare: Game, three: Three):
    before = {"Red": 3}, {"Mauve": 2, "Black": 1}, {"Green": 4}
    given(bare, three, *before)
    changed = block("for hand in hands.values():", '    hand["Red"] = 50', "return (worth, hands)")
    stage.enact(bare, 315, changed)
    deck = stage.deck_of(bare)
    reckon(bare)
    assert worths(bare) == {"Murphy": 50, "Madrid": 43, "Alexia": 54}
    assert [stage.hand_of(bare, each) for each in three] == list(before)
    assert stage.deck_of(bare) == deck


@pytest.mark.parametrize(
    "text",
    [pytest.param(LONG, marks=pytest.mark.thorough), block("return 1 // 0"), block("return 7")],
)
def test_118_a_regulation_that_cannot_be_worked_out_gives_zeros_and_the_game_goes_on(
    bare: Game, three: Three, text: str
):
    given(bare, three, {"Red": 3}, {"Red": 2}, {"Red": 1})
    repeal(bare, 999)
    stage.enact(bare, 600, text)
    reckon(bare)
    assert worths(bare) == {"Murphy": 0, "Madrid": 0, "Alexia": 0}
    told = outcome(bare, WORTHS)
    assert list(told["errors"]) == ["600"]
    assert told["finalists"] == []
    assert stage.days(bare, 14) > 0
    bare.refresh_from_db()
    assert bare.stuck_error == ""


def test_118_a_hand_whose_worth_is_undefined_is_worth_zero(bare: Game, three: Three):
    given(bare, three, {"Red": 30}, {"Red": 2}, {"Red": 1})
    stage.enact(bare, 600, ONE_OUT)
    stage.enact(bare, 700, block("return {name: worth[name] + 5 for name in hands}"))
    reckon(bare)
    assert worths(bare) == {"Murphy": 0, "Madrid": 7, "Alexia": 6}
    assert named(bare, finalist=True) == ["Madrid"]
    assert "Murphy" in outcome(bare, WORTHS)["errors"]["600"]


THIRDS = block(
    "several = [0.1 * 3, 0.3, 0.3 - 1e-8]",
    "return {name: several[place] for place, name in enumerate(hands)}",
)


def test_118_an_error_of_mark_hand_costs_its_hand_alone(bare: Game, three: Three):
    given(bare, three, {"Red": 2}, {"Green": 2}, {"Red": 4, "Mauve": 1})
    text = block("return worth[name] + 12 // hands[name]['Red']")
    stage.enact(bare, 600, text.replace("mark(", "mark_hand(name, "))
    stage.enact(bare, 700, block("return {name: worth[name] + 1 for name in hands}"))
    reckon(bare)
    assert worths(bare) == {"Murphy": 9, "Madrid": 0, "Alexia": 4}
    assert "undefined of Madrid: " in outcome(bare, WORTHS)["errors"]["600"]


def test_120_worths_that_agree_to_nine_decimals_share_the_highest(bare: Game, three: Three):
    repeal(bare, 999)
    stage.enact(bare, 900, THIRDS)
    reckon(bare)
    assert worths(bare) == {"Murphy": 0.3, "Madrid": 0.3, "Alexia": 0.29999999}
    assert outcome(bare, WORTHS)["finalists"] == ["Murphy", "Madrid"]
    told = [wrong for said, wrong in proofs(bare) if "follow from the hands" in said]
    assert told == [""]


@pytest.mark.parametrize(("engine", "wrong"), [("another 1.0", ""), (ENGINE, "are others")])
def test_118_what_another_engine_marked_otherwise_is_told_from_what_was_changed(
    bare: Game, three: Three, monkeypatch: pytest.MonkeyPatch, engine: str, wrong: str
):
    reckon(bare)
    assert happened(bare, WORTHS)[0].inputs["prepared"]["engine"] == ENGINE
    marked = counting.count

    def otherwise(question: Any) -> Answer:
        answer = marked(question)
        return Answer({name: worth + 1 for name, worth in answer.worths.items()})

    monkeypatch.setattr("aceofspades.web.proof.count", otherwise)
    monkeypatch.setattr("aceofspades.web.proof.ENGINE", engine)
    told = [each for each in proofs(bare) if "follow from the hands" in each[0]]
    assert told  # one for each time that the hands were marked, which the regulations may ask for
    assert [bool(found) and wrong in found for _, found in told] == [bool(wrong)] * len(told)
    assert ["marks otherwise" in said for said, _ in told] == [not wrong] * len(told)


@pytest.mark.thorough
def test_118_what_the_safety_net_ended_is_on_record_and_a_replay_agrees(
    eve: Game, monkeypatch: pytest.MonkeyPatch
):
    """However fast the machine of the replay is."""

    def out_of_time(question: Any) -> Answer:
        return Answer(dict.fromkeys(question.hands, 0.0), {400: "Time was up."}, (400,))

    monkeypatch.setattr(room, "count", out_of_time)
    reckon(eve)
    assert happened(eve, WORTHS)[0].inputs["prepared"]["tripped"] == [400]
    assert "Time was up." in happened(eve, WORTHS)[0].text
    monkeypatch.setattr(room, "count", counting.count)
    eve.refresh_from_db()
    told: list[Departure] = []
    assert replay(eve, told)[1] is None
    assert "time was not enough, then or now, for Regulation 400" in str(told[0])


@pytest.mark.thorough
@pytest.mark.parametrize(("engine", "wrong"), [("another 1.0", ""), (ENGINE, "was prepared as")])
def test_118_worths_that_nobody_marked_so_are_found_by_a_replay(
    eve: Game, monkeypatch: pytest.MonkeyPatch, engine: str, wrong: str
):
    with monkeypatch.context() as falsely:
        falsely.setattr(room, "count", lambda asked: Answer(dict.fromkeys(asked.hands, 1000.0)))
        falsely.setattr(room, "ENGINE", engine)
        reckon(eve)
    eve.refresh_from_db()
    told: list[Departure] = []
    difference = str(replay(eve, told)[1] or "")
    assert wrong in difference
    assert bool(difference) == bool(wrong)
    assert bool(wrong) or f"marked by {engine} then" in str(told[0])


def test_120_nobody_is_a_finalist_where_no_hand_is_worth_more_than_zero(bare: Game, three: Three):
    given(bare, three, {"Mauve": 1}, {"Mauve": 2}, {"Mauve": 3})
    reckon(bare)
    assert worths(bare) == {"Murphy": -4, "Madrid": -8, "Alexia": -12}
    assert named(bare, finalist=True) == outcome(bare, WORTHS)["finalists"] == []
    assert "there is no Finalist" in happened(bare, WORTHS)[0].text
    assert not happened(bare, "aceofspades.next_finalist")


def test_120_all_who_share_the_highest_worth_are_finalists(bare: Game, three: Three):
    repeal(bare, 999)
    given(bare, three, {"Red": 4}, {"Hearts": 4}, {"Red": 3})
    reckon(bare)
    assert named(bare, finalist=True) == ["Murphy", "Madrid"]
    assert "With 4 Marks, Murphy and Madrid are Finalists." in happened(bare, WORTHS)[0].text


@pytest.mark.thorough
def test_120_a_contest_without_contestants_is_reckoned(game: Game):
    stage.open_the_contest(game)
    reckon(game)
    assert outcome(game, WORTHS)["finalists"] == []
    assert is_sound(game)


# A tie (Regulation 999)


def test_999_a_tie_is_marked_anew_as_if_three_more_cards_were_dealt(bare: Game, three: Three):
    given(bare, three, {"Red": 4}, {"Hearts": 4}, {"Red": 3})
    before = stage.deck_of(bare)
    reckon(bare)
    first, second = happened(bare, WORTHS)
    assert second.inputs["subject"] == "2"
    assert first.outcome["tied"] == ["Murphy", "Madrid"]
    supposed = first.outcome["supposed"]
    assert {name: sum(cards.values()) for name, cards in supposed.items()} == {
        "Murphy": 3,
        "Madrid": 3,
    }
    marked = {name: 4 + 3 - 5 * cards.get("Mauve", 0) for name, cards in supposed.items()}
    assert worths(bare) == {**marked, "Alexia": 3}
    assert second.outcome["anew"] == ["Murphy", "Madrid"]
    assert stage.deck_of(bare) == before
    assert not Move.objects.filter(entry__in=[first.seq, second.seq]).exists()
    assert first.at == second.at
    assert Contest.objects.get().worths_in == second.seq


def test_999_the_supposed_cards_come_round_by_round_by_the_public_dice(bare: Game, three: Three):
    given(bare, three, {"Red": 4}, {"Hearts": 4}, {"Red": 3})
    reckon(bare)
    first = happened(bare, WORTHS)[0]
    rolls = bare.dice_periods.filter(private=False).values_list("rolls__label", "rolls__entry")
    labels = [label for label, entry in rolls.order_by("rolls__pk") if entry == first.seq]
    assert labels == [
        f"card {turn} to {name}" for turn, name in product((1, 2, 3), ("Murphy", "Madrid"))
    ]


def test_999_a_tie_that_lasts_is_not_marked_anew_again(bare: Game, three: Three):
    repeal(bare, 320, 330)
    stage.enact(bare, 320, block("return {name: 5 for name in hands}"))
    reckon(bare)
    assert len(happened(bare, WORTHS)) == 2
    assert worths(bare) == {"Murphy": 5, "Madrid": 5, "Alexia": 5}
    assert named(bare, finalist=True) == ["Murphy", "Madrid", "Alexia"]


def test_999_hands_that_come_to_share_the_highest_worth_later_are_marked_anew_once(
    bare: Game, three: Three
):
    """Who was tied at first falls behind, and two others share the highest worth then."""
    fourth = seat(bare, "Jason")
    stage.join(bare, fourth)
    given(bare, three, {"Red": 9}, {"Hearts": 9}, {"Red": 8})
    stage.give_cards(bare, fourth, Red=8)
    falls = block(
        "marked = {}",
        "for name, hand in hands.items():",
        "    count = 0",
        "    for number in hand.values():",
        "        count += number",
        "    marked[name] = count if count < 10 else 1",
        "return marked",
    )
    stage.enact(bare, 900, falls)
    reckon(bare)
    assert [each.outcome.get("tied") for each in happened(bare, WORTHS)] == [
        ["Murphy", "Madrid"],
        ["Alexia", "Jason"],
        None,
    ]
    assert [each.inputs.get("subject") for each in happened(bare, WORTHS)] == [None, "2", "3"]
    assert worths(bare) == {"Murphy": 1, "Madrid": 1, "Alexia": 1, "Jason": 1}
    assert outcome(bare, WORTHS)["anew"] == ["Murphy", "Madrid", "Alexia", "Jason"]
    assert len(named(bare, finalist=True)) == 4


def test_999_the_table_says_how_many_cards(bare: Game, three: Three):
    given(bare, three, {"Red": 4}, {"Hearts": 4}, {"Red": 3})
    stage.enact(bare, 999, TIE.format(0))
    reckon(bare)
    first = happened(bare, WORTHS)[0]
    assert first.outcome["supposed"] == {"Murphy": {}, "Madrid": {}}
    assert named(bare, finalist=True) == ["Murphy", "Madrid"]


def test_999_only_the_tied_hands_get_another_worth(bare: Game, three: Three):
    """Though Alexia's would be another, too, if it were counted with the supposed hands."""
    given(bare, three, {"Red": 4}, {"Hearts": 4}, {"Red": 1})
    of_all = block(
        "cards = 0",
        "for hand in hands.values():",
        "    for count in hand.values():",
        "        cards += count",
        'return {name: worth[name] + (cards if name == "Alexia" else 20) for name in hands}',
    )
    stage.enact(bare, 800, of_all)
    reckon(bare)
    assert worths(bare)["Alexia"] == 10
    second = happened(bare, WORTHS)[1]
    assert second.inputs["prepared"]["worths"]["Alexia"] == 16


def test_the_reckoning_says_what_was_marked(bare: Game, three: Three):
    hands = {"Red": 4}, {"Hearts": 5}, {"Red": 3, "Mauve": 1}
    given(bare, three, *hands)
    reckon(bare)
    told = outcome(bare, RECKONING)
    shown = [{suit: n for suit, n in told["hands"][name].items() if n} for name in told["hands"]]
    assert sorted(map(str, shown)) == sorted(map(str, hands))
    assert told["alliances"] == []
    assert told["deck"] == stage.deck_of(bare)


@pytest.mark.parametrize(
    ("worth", "told"),
    [(1.0, "1 Mark"), (0.0, "0 Marks"), (-4.0, "−4 Marks"), (2.5, "2.5 Marks"), (7, "7 Marks")],
)
def test_marks_are_told_without_a_fraction_that_is_none(worth: float, told: str):
    assert marks(worth) == told

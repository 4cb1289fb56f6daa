"""A hand of cards as a picture."""

from __future__ import annotations

from itertools import pairwise

import pytest

from aceofspades.web import drawing

COLOURS = {"Mauve": "mauve", "Red": "red", "Black": "black", "Green": "green", "Hearts": "pink"}


def test_each_suit_is_a_fan_in_the_order_of_the_regulation() -> None:
    picture = drawing.hand({"Red": 2, "Mauve": 1, "Hearts": 1}, COLOURS)

    assert [(fan.suit, fan.count) for fan in picture.fans] == [
        ("Mauve", 1),
        ("Red", 2),
        ("Hearts", 1),
    ]
    assert picture.says == "2 Red, 1 Mauve and 1 Hearts."


@pytest.mark.parametrize("width", [drawing.WIDE, drawing.NARROW])
@pytest.mark.parametrize("each", [1, 4, 40])
def test_every_card_lies_within_the_picture(width: int, each: int) -> None:
    picture = drawing.hand(dict.fromkeys([*COLOURS, "Ochre"], each), COLOURS, width)

    for fan in picture.fans:
        for card in fan.cards:
            assert 0 <= card.x <= width - picture.card_width
            assert 0 <= card.y <= picture.height - picture.card_height
    assert len(picture.fans) == 6


def test_fans_do_not_lie_over_each_other() -> None:
    picture = drawing.hand(dict.fromkeys(COLOURS, 3), COLOURS, drawing.NARROW)

    places = [(fan.y, fan.cards[0].x, fan.cards[-1].x + picture.card_width) for fan in picture.fans]
    for (row, _, end), (next_row, start, _) in pairwise(places):
        assert next_row > row or start > end


def test_only_the_top_card_of_a_fan_is_drawn_whole() -> None:
    (fan,) = drawing.hand({"Red": 5}, COLOURS).fans

    assert [card.is_top for card in fan.cards] == [False] * 4 + [True]


def test_a_suit_without_a_picture_is_shown_by_its_letter_and_its_own_colour() -> None:
    (fan,) = drawing.hand({"Ochre": 1}, {"Ochre": "#aa7700"}).fans
    (card,) = fan.cards

    assert not card.is_drawn
    assert card.letter == "O"
    assert (card.colour, card.tint) == ("#aa7700", "")


def test_no_cards_are_an_empty_picture() -> None:
    picture = drawing.hand({"Red": 0}, COLOURS)

    assert picture.fans == ()
    assert picture.says == "no cards."


def test_the_table_shows_as_many_backs_as_one_holds_up_to_five_and_the_number() -> None:
    held = {f"player {number}": number for number in range(9)}
    table = drawing.table(held, 40, drawing.NARROW, rows=2)
    assert [(seat.name, seat.count, len(seat.backs)) for seat in table.seats] == [
        ("The Deck", 40, 5),
        *[(f"player {number}", number, number) for number in range(5)],
    ]
    assert all(0 <= seat.x <= drawing.NARROW - 112 for seat in table.seats)
    assert max(seat.y for seat in table.seats) < table.height
    assert table.says.startswith("Cards: The Deck 40, player 0 0")


def test_a_card_flies_between_two_who_sit_at_the_table() -> None:
    moved = [("The Deck", "Olga"), ("Olga", "Nobody"), ("", "Olga")]
    table = drawing.table({"Olga": 3, "snail": 2}, 40, moved=moved)
    ((giver, receiver),) = table.flights
    assert (giver.name, receiver.name) == ("The Deck", "Olga")
    assert giver.x < receiver.x

"""The gallery in games that go on: a vote changes a number, somebody leaves, many play."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from nomic.engine.actions import offers
from nomic.engine.models import ProgramState
from nomic.engine.outcomes import Refused
from nomic.engine.programs.declarations import carried_in, declared_in, program_in
from nomic.engine.programs.gallery import gallery
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_gallery import CURRENCIES, PIECES, week
from nomic.engine.programs.tests.test_programs import coins, is_sound
from nomic.engine.programs.views import drawings
from nomic.engine.table import glance
from nomic.engine.tests.tiny import COIN
from nomic.games.models import Game, Player
from nomic.ledger.tests.test_books import crowd
from nomic.operations.setup import advance
from nomic.rulebook.coverage.marks import CarriedProgram, Mark, is_quoted, marks_of
from tests.kit import Take, at_the_table, words_of_program

LOTTERY = PIECES["The Lottery"].for_currencies(CURRENCIES)


@pytest.fixture
def take_up(adopt: Adopt) -> Any:
    def take_up(title: str, old: str = "", new: str = "") -> None:
        text = PIECES[title].for_currencies(CURRENCIES)
        assert old in text
        adopt(program_in(text.replace(old, new)))

    return take_up


def told(game: Game) -> str:
    """What the last thing that happened by a program's week has in the record."""
    return words_of_program(game.entries.filter(name="rule.week").latest("seq").text)


def keeps(game: Game, **state: Any) -> None:
    """Let the rule keep that in mind."""
    assert ProgramState.objects.filter(rule__game=game).update(state=json.dumps(state)) == 1


# A price that a vote changes


@pytest.mark.thorough
def test_a_lottery_pays_what_all_have_cost_where_a_vote_changes_the_price(
    rich: Game, player: Player, rival: Player, act: Take, take_up: Any
) -> None:
    take_up("The Lottery")
    act(player, "rule.coins.ticket")
    take_up("The Lottery", "PRICE = 1", "PRICE = 5")
    [offer] = [each for each in offers(glance(rich), rival) if each.action.name.endswith("ticket")]
    assert offer.action.price(glance(rich), None, {}) == "5 coins"
    act(rival, "rule.coins.ticket")
    assert coins(rich) == {"Murphy": 9, "Madrid": 5}
    week(rich, 1)
    assert told(rich).endswith(" wins 6 in the lottery.")
    assert sum(coins(rich).values()) == 22
    is_sound(rich)


@pytest.mark.parametrize(("old", "new"), [("PRICE = 1", "PRICE = 5"), ("1 coin.", "10 coins.")])
def test_a_price_that_the_sentence_does_not_say_is_carried_out_by_nobody(
    old: str, new: str
) -> None:
    def marks(text: str) -> list[Mark]:
        words = tuple(words for _, words in carried_in(program_in(text)))
        found = marks_of(text, None, None, CarriedProgram(runs=True, carries=words))
        return [each.mark for each in found.passages if each.is_said]

    assert marks(LOTTERY) == [Mark.CLAIMED, Mark.CLAIMED]
    assert marks(LOTTERY.replace(old, new)) == [Mark.PEOPLE, Mark.CLAIMED]
    both = LOTTERY.replace("PRICE = 1", "PRICE = 10").replace("1 coin.", "10 coins.")
    assert marks(both) == [Mark.CLAIMED, Mark.CLAIMED]


def test_the_first_words_of_a_sentence_are_whole_ones() -> None:
    assert is_quoted("A ticket costs 1 …", "A ticket costs 1 coin.")
    assert not is_quoted("A ticket costs 1 …", "A ticket costs 10 coins.")


@pytest.mark.parametrize(
    ("constants", "price", "comes_to"),
    [
        ("PRICE = 2", 'f"{PRICE} coins"', "2 coins"),
        ('PRICE = "two coins"', 'f"{PRICE} at least"', "two coins at least"),
        ("PRICE = 2\nPRICE = 3", 'f"{PRICE} coins"', None),
        ("PRICE = 1 + 1", 'f"{PRICE} coins"', None),
        ("PRICE = 0x" + "f" * 5000, 'f"{PRICE} coins"', None),
        ("PRICE = 2", 'f"{PRICE!r} coins"', None),
        ("PRICE = 2", 'f"{PRICE:>9} coins"', None),
        ("PRICE = 2", 'f"{OTHER} coins"', None),
        ('PRICE = "a\\nb"', 'f"{PRICE}"', None),
    ],
)
def test_a_declaration_has_numbers_and_texts_that_have_a_name(
    constants: str, price: str, comes_to: str | None
) -> None:
    found = declared_in(
        f'{constants}\n@action("go", "Go", price={price})\ndef go(me: Player):\n    say("Gone.")\n'
    )
    assert [each.price for each in found.actions] == ([comes_to] if comes_to else [])
    assert (found.problem is None) == bool(comes_to)


# Somebody has left


@pytest.mark.thorough
def test_the_tickets_of_who_has_left_are_out(
    rich: Game, player: Player, rival: Player, act: Take, take_up: Any
) -> None:
    take_up("The Lottery")
    for _ in range(3):
        act(player, "rule.coins.ticket")
    act(player, "games.leave")
    week(rich, 1)
    assert told(rich) == "Nobody who plays has a ticket of the lottery."
    act(rival, "rule.coins.ticket")
    week(rich, 2)
    assert told(rich) == "Madrid wins 4 in the lottery."
    is_sound(rich)


def test_what_who_has_left_offers_can_be_bought(
    rich: Game, player: Player, rival: Player, act: Take, take_up: Any
) -> None:
    take_up("The Market")
    act(player, "rule.coins.offer", amount=3, price=5)
    act(player, "games.leave")
    act(rival, "rule.coins.buy", number=1)
    assert coins(rich)["Madrid"] == 8
    is_sound(rich)


def test_who_has_left_is_not_taxed_and_receives_no_tax(
    rich: Game, player: Player, rival: Player, act: Take, take_up: Any
) -> None:
    take_up("The Tax")
    act(player, "games.leave")
    week(rich, 1)
    assert told(rich) == "Nobody has enough to be taxed."
    is_sound(rich)


@pytest.mark.thorough
def test_who_has_left_does_not_win_the_crown_and_is_outbid_from_one_on(
    rich: Game, player: Player, rival: Player, act: Take, take_up: Any
) -> None:
    take_up("The Crown")
    act(player, "rule.coins.bid", amount=4)
    act(player, "games.leave")
    week(rich, 1)
    assert told(rich) == "Nobody who plays bids for the Crown."
    act(player.user, "games.join", name="Murphy")
    act(player, "rule.coins.bid", amount=2)
    act(player, "games.leave")
    act(rival, "rule.coins.bid", amount=1)
    week(rich, 2)
    assert told(rich) == "Madrid wears the Crown, for 1."
    [drawing] = drawings(glance(Game.objects.get(pk=rich.pk)))
    assert drawing.rows == (("Madrid", "none"),)
    is_sound(rich)


@pytest.mark.thorough
def test_no_votes_for_who_has_left_make_a_mayor(
    rich: Game, player: Player, rival: Player, act: Take, take_up: Any
) -> None:
    take_up("The Mayor")
    act(player, "rule.coins.elect", player="Murphy")
    act(rival, "rule.coins.elect", player="Murphy")
    act(player, "games.leave")
    advance(rich.slug, datetime(2026, 4, 1, 1, tzinfo=UTC))
    entry = rich.entries.filter(name="rule.month").latest("seq")
    assert words_of_program(entry.text) == "The votes for a Mayor decide nothing."
    is_sound(rich)


def test_who_has_left_has_no_medal(
    rich: Game, player: Player, rival: Player, act: Take, take_up: Any
) -> None:
    take_up("The Medal")
    act(player, "rule.coins.here")
    keeps(rich, here=["Murphy"], streaks={"Murphy": 3})
    act(player, "games.leave")
    week(rich, 1)
    kept = json.loads(ProgramState.objects.get().state)
    assert (kept["streaks"], kept.get("medals")) == ({"Murphy": 4}, None)


def test_where_who_is_it_has_left_anybody_tags(
    rich: Game, player: Player, rival: Player, officer: Player, act: Take, take_up: Any
) -> None:
    take_up("Tag")
    act(player, "rule.coins.tag", player="Madrid")
    act(rival, "games.leave")
    week(rich, 1)
    assert not rich.entries.filter(outcome__programs__has_key="failed").exists()
    with pytest.raises(Refused, match="Tag somebody else"):
        act(player, "rule.coins.tag", player="Murphy")
    act(player, "rule.coins.tag", player=officer.name)
    is_sound(rich)


# Many


def test_a_lottery_is_drawn_of_thousands_of_tickets(
    rich: Game, player: Player, rival: Player, act: Take, take_up: Any
) -> None:
    take_up("The Lottery")
    act(player, "rule.coins.ticket")
    for number, sold in enumerate(({"Murphy": 1, "Madrid": 999}, {"Murphy": 3, "Madrid": 7000}), 1):
        keeps(rich, tickets=sold, pot=9)
        week(rich, number)
        assert told(rich).endswith(" wins 9 in the lottery.")


def test_a_thousand_players_who_all_pay_are_taxed(rich: Game, player: Player, take_up: Any) -> None:
    crowd(rich, 1000 - len(coins(rich)))
    with at_the_table(rich) as table:
        payers = rich.players.exclude(pk=player.pk)
        table.ledger.create_for_each(payers, 20, COIN)
    take_up("The Tax")
    week(rich, 1)
    assert told(rich).startswith("Murphy has least, and receives the tax of 1")


def test_the_gallery_says_each_price_once_beside_its_sentence() -> None:
    for piece in gallery():
        program = program_in(piece.text)
        for each in declared_in(program).actions:
            assert not each.price or each.price not in program

"""Any act is announced by whom a row of a rule lets do so, and done when its method is met."""

from __future__ import annotations

from fractions import Fraction

import pytest

from nomic.engine.take import take
from nomic.engine.tests.tiny import COINS
from nomic.games.models import Game, Player
from nomic.governance.acts_by_rows import act_rows
from nomic.governance.declared_acts import acts_in
from nomic.governance.models import Motion
from nomic.governance.rules import Method, MotionTerms, fate
from nomic.governance.tests.correcting import KEEPER, TEN, coins, hours, last, motion, refused
from nomic.operations.replay import replay
from nomic.rulebook.tables import TableBroken
from tests.kit import Take, at_the_table

HEAD = "| Act | Who | How | Days | Within | Done by |\n| --- | --- | --- | --- | --- | --- |\n"
CORRECT = "announce.ledger.correct"
PAY = "announce.tiny.pay"


def say(game: Game, *rows: str) -> None:
    """Let the rule Coins have these rows."""
    text = "Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n\n"
    text += HEAD + "".join(f"| {row} |\n" for row in rows)
    change = {"rule": COINS, "text": text, "reason": "a test"}
    take(game.slug, None, "rulebook.amend", change)
    game.refresh_from_db()


@pytest.mark.parametrize(
    ("how", "method"),
    [
        ("without objection", Method(objections=1)),
        ("Without 3 objections", Method(objections=3)),
        ("without two objections", Method(objections=2)),
        ("with support", Method(support=1)),
        ("with 4 support", Method(support=4)),
        ("with 2 supporters", Method(support=2)),
        ("with 1.5 Agoran consent", Method(consent=Fraction(3, 2))),
        ("with consent", Method(consent=Fraction(1))),
        ("with notice", Method()),
    ],
)
def test_a_rows_method_is_read(how: str, method: Method) -> None:
    (row,) = acts_in("Acts", f"{HEAD}| Pay | players | {how} | 4 | | |\n")
    assert row.method == method


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Pay | players | by shouting | 4 | |", "“by shouting” under How"),
        ("Pay | players | without 0 objections | 4 | |", "under How"),
        ("Pay | players | with 1.5 support | 4 | |", "under How"),
        ("Pay | players | without objection | | |", "under Days"),
        ("Pay | players | without objection | soon | |", "under Days"),
        ("Pay | players | with notice | 0 | |", "a day or more"),
        ("Pay | players | without objection | 4 | 4 |", "more days than it waits"),
        ("Pay | players | without objection | 4 | | nobody", "under Done by"),
        ("Pay |  | without objection | 4 | |", "under Who"),
    ],
)
def test_a_row_that_cannot_be_read_is_told(row: str, words: str) -> None:
    with pytest.raises(TableBroken, match=words):
        acts_in("Acts", f"{HEAD}| {row} |\n")


@pytest.mark.parametrize(
    ("method", "objections", "supports", "is_met"),
    [
        (Method(objections=2), 1, 0, True),
        (Method(objections=2), 2, 5, False),
        (Method(support=2), 9, 2, True),
        (Method(support=2), 0, 1, False),
        (Method(consent=Fraction(3, 2)), 2, 3, False),
        (Method(consent=Fraction(3, 2)), 2, 4, True),
        (Method(consent=Fraction(1)), 0, 0, False),
        (Method(consent=Fraction(1)), 0, 1, True),
        (Method(), 9, 0, True),
    ],
)
def test_a_method_is_met_by_objections_and_support(
    method: Method, objections: int, supports: int, is_met: bool
) -> None:
    terms = MotionTerms(None, method=method)
    assert method.is_met(objections, supports) is is_met
    assert (fate(objections, supports, 9, True, terms) == "done") is is_met


def test_what_nobody_objects_to_is_done_by_itself_when_its_days_are_over(
    game: Game, players: list[Player], act: Take
) -> None:
    say(game, "Correct the ledger | players | without objection | 4 | |")
    entry = act(players[0], CORRECT, **TEN).entry
    assert "Murphy announces Motion 1: “Move 10 coin from Mint to Murphy" in entry.text
    assert "It is done without 1 objection, not before" in entry.text
    hours(game, 95)
    assert coins(game) == 0
    hours(game, 2)
    assert coins(game) == 10
    assert last(game).outcome["action"] == "ledger.correct"
    assert motion(game).end == Motion.End.DONE
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_an_objection_prevents_it_and_can_be_taken_back_before(
    game: Game, players: list[Player], act: Take
) -> None:
    say(game, "Correct the ledger | players | without objection | 4 | |")
    act(players[0], CORRECT, **TEN)
    act(players[0], CORRECT, **TEN)
    for number in (1, 2):
        act(players[1], "games.object", motion=number)
    act(players[1], "games.withdraw_voice", motion=2)
    hours(game, 97)
    assert coins(game) == 10
    assert motion(game, 1).end == Motion.End.PREVENTED
    assert motion(game, 2).end == Motion.End.DONE
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_support_does_it_at_once_and_whoever_announces_it_is_not_counted(
    game: Game, players: list[Player], act: Take
) -> None:
    say(game, "Correct the ledger | players | with 2 support | | |")
    act(players[0], CORRECT, **TEN)
    assert refused(act, players[0], "games.support", motion=1) == "not_counted"
    assert refused(act, players[1], "games.object", motion=1) == "not_heard"
    act(players[1], "games.support", motion=1)
    act(players[1], "games.withdraw_voice", motion=1)
    act(players[2], "games.support", motion=1)
    assert coins(game) == 0
    act(players[1], "games.support", motion=1)
    assert coins(game) == 10
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_whoever_announced_it_does_it_where_the_row_says_so_and_not_too_late(
    game: Game, players: list[Player], act: Take
) -> None:
    say(game, "Correct the ledger | players | without objection | 4 | 14 | announcer")
    act(players[0], CORRECT, **TEN)
    act(players[0], CORRECT, **TEN)
    assert refused(act, players[0], "games.carry_out", motion=1) == "not_ripe"
    act(players[1], "games.object", motion=1)
    hours(game, 97)
    assert coins(game) == 0
    assert refused(act, players[0], "games.carry_out", motion=1) == "not_ripe"
    act(players[1], "games.withdraw_voice", motion=1)
    act(players[0], "games.carry_out", motion=1)
    assert coins(game) == 10
    hours(game, 14 * 24)
    assert motion(game, 2).end == Motion.End.PREVENTED
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_notice_waits_for_nobody(game: Game, players: list[Player], act: Take) -> None:
    say(game, "ledger.correct | players | with notice | 2 | |")
    act(players[0], CORRECT, **TEN)
    assert refused(act, players[1], "games.object", motion=1) == "not_heard"
    assert refused(act, players[1], "games.support", motion=1) == "not_heard"
    hours(game, 49)
    assert coins(game) == 10


def test_an_act_of_everybodys_that_has_a_row_is_done_no_other_way(
    game: Game, players: list[Player], act: Take
) -> None:
    act(None, "ledger.correct", **TEN)
    say(game, "Pay coins | players | with 1 support | | |")
    assert refused(act, players[0], "tiny.pay", coins=2, to="Madrid") == "announced_only"
    act(players[0], PAY, coins=2, to="Madrid")
    act(players[1], "games.support", motion=1)
    assert coins(game, "Madrid") == 2


def test_who_the_row_does_not_name_announces_nothing(
    game: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    say(game, "Pay coins | the keeper | with notice | 1 | |")
    assert refused(act, players[0], PAY, coins=2, to="Madrid") == "not_the_officer"


def test_it_comes_to_nothing_where_no_row_lets_it_be_done_any_more(
    game: Game, players: list[Player], act: Take
) -> None:
    say(game, "Correct the ledger | players | without objection | 4 | |")
    act(players[0], CORRECT, **TEN)
    say(game, "Buy the cup | players | without objection | 4 | |")
    hours(game, 97)
    assert motion(game).end == Motion.End.FAILED
    assert "No rule in force lets that be announced any more." in motion(game).note
    assert replay(Game.objects.get(pk=game.pk))[1] is None


@pytest.mark.parametrize(
    ("act_named", "words"),
    [
        ("Fly", "is no act of this game"),
        ("Whisper", "may be secret"),
        ("Join the game", "about accounts"),
        ("Support a motion", "how others decide"),
        ("Publish a document as a report", "looked for in the record"),
        ("Answer a doubt", "looked for in the record"),
        ("Resign an office", "needed to mend the game"),
    ],
)
def test_a_row_that_names_what_cannot_be_announced_is_told(
    game: Game, players: list[Player], act_named: str, words: str
) -> None:
    say(game, f"{act_named} | players | with notice | 1 | |")
    with at_the_table(game) as table:
        (fault,) = act_rows(table).unread
        assert words in fault.sentence
        assert not act_rows(table).announced


def test_nothing_comes_of_what_somebody_announced_by_a_row_and_left(
    game: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    say(game, "Recall an officer | players | with notice | 1 | |")
    act(players[1], "announce.games.recall", office="Keeper")
    act(players[1], "games.leave")
    hours(game, 48)
    assert motion(game).end == Motion.End.WITHDRAWN
    assert game.offices.get(name="Keeper").holder == keeper


PROGRAM = """
```python
@action("fine", "Fine {player}")
def fine(me: Player, player: Player):
    move = {"amount": 3, "asset": "coin", "giver": player, "receiver": "Mint", "reason": "A fine."}
    announce("ledger.correct", **move)

@every("week")
def weekly():
    announce("ledger.correct", amount=3, asset="coin")
```
"""


def test_a_program_announces_it_for_whoever_does_its_action(
    game: Game, players: list[Player], act: Take
) -> None:
    row = "Correct the ledger | players | with 1 support | | |"
    text = f"Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n\n{HEAD}| {row} |\n"
    change = {"rule": COINS, "text": text + PROGRAM, "reason": "a test"}
    take(game.slug, None, "rulebook.amend", change)
    act(None, "ledger.correct", **TEN)
    game.refresh_from_db()
    entry = act(players[1], "rule.coins.fine", player="Murphy").entry
    assert "Madrid announces Motion 1: “Move 3 coin from Murphy to Mint" in entry.text
    act(players[2], "games.support", motion=1)
    assert coins(game) == 7
    hours(game, 7 * 24)
    weekly = game.entries.filter(outcome__failed__isnull=False).latest("seq")
    assert "An action announces acts for whoever does it" in weekly.text
    assert replay(Game.objects.get(pk=game.pk))[1] is None


TWICE = """
```python
@action("fine", "Fine {player}")
def fine(me: Player, player: Player):
    move = {"amount": 3, "asset": "coin", "giver": player, "receiver": "Mint", "reason": "A fine."}
    announce("ledger.correct", **move)
    announce("ledger.correct", **move)

@after("tiny.pay")
@action("other", "Do it")
def other(me: Player):
    announce("ledger.correct", amount=3, asset="coin")
```
"""


def programmed(game: Game, act: Take) -> None:
    row = "Correct the ledger | players | with 1 support | | |"
    text = f"Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n\n{HEAD}| {row} |\n"
    change = {"rule": COINS, "text": text + TWICE, "reason": "a test"}
    take(game.slug, None, "rulebook.amend", change)
    act(None, "ledger.correct", **TEN)


def test_a_program_fails_whose_second_announcement_is_one_too_many(
    game: Game, players: list[Player], act: Take
) -> None:
    programmed(game, act)
    for _ in range(19):
        act(players[1], CORRECT, **TEN)
    assert refused(act, players[1], "rule.coins.fine", player="Murphy") == "program_failed"
    assert game.motions.count() == 19


def test_a_program_announces_nothing_for_whoever_does_something_else(
    game: Game, players: list[Player], act: Take
) -> None:
    programmed(game, act)
    act(players[0], "tiny.pay", to="Madrid", coins=1)
    assert not game.motions.exists()
    assert "An action announces acts for whoever does it" in str(last(game).outcome)


@pytest.mark.parametrize("offices", ["open"])
def test_an_officer_is_recalled_by_a_row_where_whoever_comes_takes_an_office(
    game: Game, players: list[Player], act: Take
) -> None:
    act(players[3], "games.take_office", office=KEEPER)
    assert refused(act, players[0], "games.recall", office=KEEPER) == "filled_otherwise"
    say(game, "Recall an officer | players | without 2 objections | 4 | 14 |")
    act(players[0], "announce.games.recall", office=KEEPER)
    hours(game, 97)
    assert game.offices.get(name=KEEPER).holder is None
    assert motion(game).end == Motion.End.DONE


SEEING = """
```python
@before("ledger.correct")
def seen():
    say(f"The Keeper is {office('Keeper')}.")
```
"""


def test_programs_around_an_announced_deed_see_who_holds_the_office(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    row = "Correct the ledger | players | without objection | 4 | |"
    text = f"Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n\n{HEAD}| {row} |\n"
    change = {"rule": COINS, "text": text + SEEING, "reason": "a test"}
    take(game.slug, None, "rulebook.amend", change)
    game.refresh_from_db()
    act(players[0], CORRECT, **TEN)
    hours(game, 97)
    assert coins(game) == 10
    assert "“The Keeper is snail.”" in last(game).text

"""What an act does, as values: judged before it is done, applied at a locked table, told before."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import Value
from django.test.utils import CaptureQueriesContext

from nomic.engine.dry_run import Covered, imagined
from nomic.engine.effects import (
    Appoint,
    Cancel,
    Change,
    Effects,
    Gain,
    Give,
    Pay,
    Roll,
    Seal,
    Set,
    Tell,
    Then,
    Together,
    apply,
    explain,
    price,
    unpaid,
)
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table, glance
from nomic.engine.tests.tiny import COIN, COINS, CUP
from nomic.games.models import Game, Player, Win
from nomic.rulebook.book import Rulebook
from nomic.rulebook.tables import TableBroken
from tests.kit import WEDNESDAY, at_the_table

Counts = Callable[..., CaptureQueriesContext]


@pytest.fixture(autouse=True)
def rich(game: Game, player: Player) -> None:
    with at_the_table(game) as table:
        table.ledger.create(player, 5, COIN)


def test_what_is_paid_gained_and_given_is_a_transfer_each_or_one_together(
    game: Game, player: Player, rival: Player
) -> None:
    with at_the_table(game) as table:
        apply(
            table,
            Effects(
                Pay(player, 1, COIN, "a fee"),
                Gain(player, 1, CUP, "bought"),
                Together([Give(player, rival.name, 2, COIN), Gain(rival, 3, COIN)], "a trade"),
                Give(player, rival, 1, CUP, "a gift"),
            ),
        )
        told = [each[1] for each in table.ledger.effects()]
    assert [each["why"] for each in told] == ["a fee", "bought", "a trade", "a gift"]
    assert ("Madrid", COIN, 2) in told[2]["moves"]
    assert ("Murphy", COIN, -2) in told[2]["moves"]
    ledger = glance(game).ledger
    assert ledger.balances(COIN) == {"Murphy": 2, "Madrid": 5}
    assert ledger.balances(CUP) == {"Madrid": 1}


def test_what_somebody_has_less_of_than_all_of_it_takes_is_refused(
    game: Game, player: Player, rival: Player
) -> None:
    table = glance(game)
    twice = Effects(Pay(player, 3, COIN), Pay(player, [3, 4], COIN))
    refusal = unpaid(table, twice, player)
    assert refusal
    assert refusal.sentence == "This costs 6 coins, and Murphy has 5 coins."
    told = unpaid(table, twice, player, to_actor=True)
    assert told
    assert told.sentence == "This costs 6 coins, and you have 5 coins."
    assert unpaid(table, Effects(Pay(player, [5, 9], COIN)), player) is None
    given = unpaid(table, Effects(Give(player, rival, 6, COIN)), player)
    assert given
    assert "cannot give away 6 coins" in given.sentence
    assert unpaid(table, Effects(Give(rival, player, 6, COIN)), player) is None
    likely = Effects(Then(lambda at: None, likely=Effects(Pay(rival, 1, COIN))))
    assert unpaid(table, likely, player)


def test_rows_of_one_model_are_one_statement(
    game: Game, player: Player, rival: Player, django_assert_num_queries: Counts
) -> None:
    def won(who: Player, how: object) -> Set:
        return Set(Win, player=who, at=WEDNESDAY, rule=COINS, how=how)

    with at_the_table(game) as table:
        with django_assert_num_queries(2):
            apply(
                table,
                Effects(
                    won(player, "by luck"),
                    Set(player, name="Murph"),
                    won(rival, "too"),
                    Set(rival, name="Mad"),
                ),
            )
        apply(table, Effects(won(player, "again"), Set(rival, name="Madrid")))
        apply(table, Effects(won(player, Value("by a word of SQL"))))
        assert {each.entry for each in Win.objects.all()} == {table.seq}
    assert sorted(each.how for each in game.wins.all()) == [
        "again",
        "by a word of SQL",
        "by luck",
        "too",
    ]
    assert sorted(game.players.values_list("name", flat=True)) == ["Madrid", "Murph"]


def test_what_was_read_is_read_anew_before_what_follows_and_nothing_sooner(game: Game) -> None:
    class Read:
        def __init__(self, table: Table) -> None:
            self.table = table

    with at_the_table(game) as table:
        seen = [table.once(Read)]
        follow = Then(lambda at: seen.append(at.once(Read)))
        apply(table, Effects(follow, Tell({"vote": [1]}), follow))
        assert (seen[0] is seen[1], seen[1] is seen[2]) == (True, False)


def test_what_comes_of_a_roll_is_asked_when_the_dice_have_fallen(
    game: Game, player: Player
) -> None:
    asked: list[tuple[object, ...]] = []

    def then(*values: object) -> Effects:
        asked.append(values)
        return Effects(Gain(player, 1, COIN), say=f"It is {values}.", figures={"n": len(values)})

    roll = Effects(Roll({"day": ["a", "b"], "hour": [1]}, then), say="The dice fall.", sealed="…")
    assert explain(glance(game), roll, player) == ""
    with imagined(game) as table, pytest.raises(Covered):
        apply(table, roll)
    assert asked == []
    with at_the_table(game) as table:
        outcome = apply(table, roll)
        assert outcome.text == f"The dice fall. It is {asked[0]}."
        assert (outcome.figures, outcome.sealed) == ({"n": 2}, "…")
        apply(table, Effects(Roll({"card": [7, 8]}, then, draw=2)))
    assert sorted(asked[1][0]) == [7, 8]  # type: ignore[call-overload]


def test_what_follows_may_be_done_by_hand_and_ends_the_announcement(game: Game) -> None:
    by_hand = Outcome("By hand.", {"b": 2}, rule="Hands")
    with at_the_table(game) as table:
        outcome = apply(
            table,
            Effects(
                Then(lambda at: "First."),
                Then(lambda at: None),
                Then(lambda at: by_hand),
                say="Begun.",
                figures={"a": 1},
                ending=", at last",
            ),
        )
    assert (outcome.text, outcome.rule) == ("Begun. First. By hand, at last.", "Hands")
    assert outcome.figures == {"a": 1, "b": 2}


def test_appointments_rules_notes_and_tellings_are_effects_too(game: Game) -> None:
    due = WEDNESDAY + timedelta(days=300)
    with at_the_table(game) as table:
        apply(
            table,
            Effects(
                Appoint("tiny.early", due, "one"),
                Appoint("tiny.early", due, "two"),
                Cancel("tiny.early", "one"),
                Change(Rulebook.amend, COINS, "No coins any more."),
                Seal({"secret": 1}, "A secret."),
                Tell({"vote": ["one"]}),
            ),
        )
        assert table.own_effects == [{"vote": ["one"]}]
        assert table.appointments.subjects("tiny.early") == {"two"}
    assert glance(Game.objects.get(pk=game.pk)).rules.text(COINS) == "No coins any more."
    assert game.sealed_entries.get().text == "A secret."


def test_what_it_costs_and_brings_is_told_before_it(
    game: Game, player: Player, rival: Player
) -> None:
    def broken() -> str:
        raise TableBroken("Nothing can be read.", COINS)

    table = glance(game)
    effects = Effects(
        Pay(player, 2, COIN),
        Gain(player, [3, 1, 2], COIN),
        Give(rival, player, 1, CUP),
        Give(player, None, 1, None),
        outlook=("You are happy.", broken, lambda: "So is the bank."),
    )
    assert explain(table, effects, player) == (
        "Costs 2 coins. You gain 1, 2 or 3 coins. You get the Cup. You are happy. So is the bank."
    )
    assert price(table, effects, player) == "2 coins"
    open_yet = effects.also(Pay(player, range(1, 9), COIN), outlook="")
    assert explain(table, open_yet, player).startswith("Costs 2 coins and 1 to 8 coins.")
    assert price(table, open_yet, player) == price(table, effects, rival) == ""
    assert price(table, effects.also(Pay(player, 2, None), outlook=""), player) == ""

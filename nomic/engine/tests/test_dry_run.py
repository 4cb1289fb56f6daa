"""What would happen is shown, and then it has not happened."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine import dry_run
from nomic.engine.digest import state_of
from nomic.engine.dry_run import (
    BalanceShift,
    Covered,
    Rewording,
    Seen,
    imagined,
    seen_since,
    states,
)
from nomic.engine.fairness import locks
from nomic.engine.fairness.locks import GaveWay, Stay, TookTooLong, locked_game
from nomic.engine.outcomes import Busy, UnknownGame
from nomic.engine.subgames import Subgame, all_subgames, find_subgame, register
from nomic.engine.table import Table, glance
from nomic.engine.tests.tiny import COIN, COINS
from nomic.games.models import Game, Player
from nomic.ledger.models import AssetVisibility
from nomic.rulebook.book import Rulebook
from tests.kit import all_at_once, at_the_table


class Scripted(Subgame):
    """A subgame that begins with a rule, and whose state shows the rule's text to all and the
    viewer's name to themselves."""

    def is_on(self, game: Game) -> bool:
        return game.rules.filter(title="Script", repealed_in__isnull=True).exists()

    def state(self, table: Table, player: Player | None) -> dict[str, object] | None:
        if not table.rules.in_force("Script"):
            return None
        return {"text": table.rules.text("Script"), "you": player and player.name, "things": []}

    def rules_changed(self, table: Table) -> None:
        if "roll" in table.game.settings:
            table.dice.choose("who", [1, 2])


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted subgame and no other."""
    monkeypatch.setattr("nomic.engine.subgames._SUBGAMES", {})
    monkeypatch.setattr("nomic.governance.reports._REPORTS", {})
    register(Scripted("scripted", "The script", Path()))
    assert [each.name for each in all_subgames()] == ["scripted"]


def test_what_is_imagined_leaves_no_trace(game: Game, player: Player):
    before = state_of(game)
    rows = Game.objects.filter(pk=game.pk).values().get()
    with imagined(game) as table:
        table.rules.enact("Seals", "Seals are kept.\n")
        table.rules.repeal(COINS)
        table.ledger.create(player, 5, COIN)
        table.follow_the_rules()
    assert state_of(game) == before
    assert Game.objects.filter(pk=game.pk).values().get() == rows
    assert glance(Game.objects.get(pk=game.pk)).rules.in_force(COINS)


def test_what_was_imagined_is_not_taken_for_what_then_happens(game: Game):
    with imagined(game) as table:
        table.rules.enact("Seals", "Imagined.\n")
        table.follow_the_rules()
    with at_the_table(game) as table:
        table.rules.enact("Seals", "Real.\n")
    assert glance(Game.objects.get(pk=game.pk)).rules.text("Seals") == "Real.\n"


def test_a_fault_in_what_is_imagined_is_undone_as_well(game: Game, player: Player):
    def fail() -> None:
        with imagined(game) as table:
            table.ledger.create(player, 5, COIN)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert glance(game).ledger.balance(player, COIN) == 0


@pytest.mark.django_db(transaction=True)
def test_a_game_at_which_somebody_else_sits_is_busy(game: Game, settings):
    def imagine() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '100ms'")
        with imagined(game):
            pass

    with at_the_table(game):
        (ended,) = all_at_once(imagine)
    assert isinstance(ended, Busy)


@pytest.mark.django_db(transaction=True)
def test_it_gives_way_to_whoever_waits_for_the_game(game: Game, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(locks, "_A_LOOK", 0)
    monkeypatch.setattr(locks, "_EACH", 0)
    stay, had = Stay(monotonic() + 60), Event()

    def imagine() -> None:
        with imagined(game, stay=stay) as table:
            assert not stay.is_over()
            table.rules.enact("Seals", "Seals are kept.\n")
            had.set()
            while True:
                with table.tentatively():
                    table.rules.write_versions()

    def act() -> str:
        had.wait(20)
        with locked_game(pk=game.pk) as locked:
            return str(locked and locked.slug)

    gave_way, acted = all_at_once(imagine, act)
    assert isinstance(gave_way, GaveWay)
    assert acted == game.slug
    assert not Game.objects.get(pk=game.pk).rules.filter(title="Seals").exists()


def test_it_ends_where_it_takes_too_long(game: Game):
    stay = Stay(monotonic())
    with pytest.raises(TookTooLong), imagined(game, stay=stay) as table, table.tentatively():
        pytest.fail("it is begun")


def test_a_game_that_is_gone_is_unknown(game: Game):
    with pytest.raises(UnknownGame), imagined(Game(pk=game.pk + 1000, slug="gone")):
        pass


def test_nobody_looks_at_the_dice_beforehand(game: Game, scripted: None):
    game.settings["roll"] = True
    game.save()
    with pytest.raises(Covered, match="cannot be shown"):
        changed(game, None, lambda table: table.rules.enact("Seals", "Seals are kept.\n"))


def changed(game: Game, viewer: Player | None, change) -> Seen:
    """What `change` of the rulebook or ledger changes for that viewer."""
    with imagined(game) as table:
        before = states(table, viewer)
        change(table)
        table.follow_the_rules()
        return seen_since(table, before, viewer)


def test_balances_that_moved_are_seen(game: Game, player: Player, rival: Player, scripted: None):
    def move(table: Table) -> None:
        table.ledger.create(player, 5, COIN)
        table.ledger.transfer(player, rival, 2, COIN)
        table.ledger.create(rival, 1, "points")
        table.ledger.destroy(rival, 1, "points")

    assert changed(game, None, move).shifts == [
        BalanceShift("Madrid", COIN, 0, 2),
        BalanceShift("Murphy", COIN, 0, 3),
    ]


def test_private_balances_are_not_seen(game: Game, player: Player, scripted: None):
    with at_the_table(game) as table:
        table.ledger.define("secret", visibility=AssetVisibility.PRIVATE)
    assert changed(game, None, lambda table: table.ledger.create(player, 5, "secret")).shifts == []


def test_each_rule_that_reads_otherwise_is_seen_once(game: Game, scripted: None):
    def reword(table: Table) -> None:
        book: Rulebook = table.rules
        old = book.text(COINS)
        book.amend(COINS, "First.\n")
        book.amend(COINS, "Second.\n", new_title="Silver")
        book.enact("Seals", "Kept.\n")
        book.enact("Brief", "Gone at once.\n")
        book.repeal("Brief")
        book.enact("Secret", "A canary.\n", visibility="private")
        expected.append(Rewording("Silver", old, "Second.\n", COINS))

    expected: list[Rewording] = []
    seen = changed(game, None, reword)
    assert seen.rewordings == [*expected, Rewording("Seals", "", "Kept.\n")]


def test_a_repealed_rule_is_seen_as_one_without_a_text(game: Game, scripted: None):
    (seen,) = changed(game, None, lambda table: table.rules.repeal(COINS)).rewordings
    assert (seen.title, seen.after) == (COINS, "")
    assert "Each week" in seen.before


def test_a_subgame_s_beginning_change_and_end_are_seen_by_each_viewer_s_own_eyes(
    game: Game, player: Player, scripted: None
):
    def enact(table: Table) -> None:
        table.rules.enact("Script", "One.\n")

    assert changed(game, player, enact).facts == [
        ("The script", "not played", "begins"),
        ("text", "none", "One.\n"),
        ("you", "none", "Murphy"),
    ]
    assert all(what != "you" for what, *_ in changed(game, None, enact).facts)
    with at_the_table(game) as table:
        enact(table)
    game.refresh_from_db()
    amended = changed(game, player, lambda table: table.rules.amend("Script", "Two.\n"))
    assert amended.facts == [("text", "One.\n", "Two.\n")]
    ended = changed(game, player, lambda table: table.rules.repeal("Script"))
    assert ended.facts == [("The script", "played", "ends")]


def test_what_is_seen_costs_no_query_more_for_more_rules(game: Game, scripted: None):
    def queries(count: int) -> int:
        with imagined(game) as table:
            before = states(table, None)
            for number in range(count):
                table.rules.enact(f"Rule {number}", "Text.\n")
            with CaptureQueriesContext(connection) as counted:
                seen = seen_since(table, before)
        assert len(seen.rewordings) == count
        return len(counted)

    assert queries(30) == queries(2)


def test_what_a_worker_counts_meanwhile_is_no_difference() -> None:
    state = {"alliances": [{"number": 1, "total_worth": 7}], "mine": {"known_worth": 2}}
    seen = dry_run._without(state, {"total_worth", "known_worth"})
    assert seen == {"alliances": [{"number": 1}], "mine": {}}
    assert find_subgame("aceofspades").counted_later == {"total_worth", "known_worth"}


def test_of_two_that_share_a_number_a_difference_is_told_of_either() -> None:
    public, secret = ({"number": 350, "text": text} for text in ("Open.", "Sealed."))
    amended = {**public, "text": "Amended."}
    told = list(dry_run._differences("contest", [public, secret], [amended, secret]))
    assert told == [
        (
            "contest",
            "number: 350, text: Open., number: 350, text: Sealed.",
            "number: 350, text: Amended., number: 350, text: Sealed.",
        )
    ]
    numbered = list(dry_run._differences("contest", [public], [amended]))
    assert numbered == [("contest · 350 · text", "Open.", "Amended.")]

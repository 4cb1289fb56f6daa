"""Texts that an officer corrects; how a correction looks before, and how it replays."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest

from nomic.engine.coverage import unfitted
from nomic.engine.digest import state_of
from nomic.engine.dry_run import rehearse
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.engine.tests.tiny import COINS
from nomic.games.models import Game, Player
from nomic.governance.motions import made_by_officers
from nomic.governance.powers import OFFICES_AND_CORRECTIONS, objection_time
from nomic.governance.rulebook_keeping import ALL
from nomic.governance.tests.correcting import (
    BACK,
    TEN,
    coins,
    hours,
    motion,
    refused,
    table_says,
)
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from tests.kit import Take, at_the_table, seat


def test_a_text_is_restored_as_it_was_adopted(game: Game, keeper: Player, act: Take) -> None:
    original = glance(game).rules.text(COINS)
    act(None, "rulebook.amend", rule=COINS, text="No coins.", reason="a try")
    act(None, "rulebook.amend", rule=COINS, text="Not one coin.", reason="a try")
    for text in ("No coins.", "Coins for snail."):
        change = {"rule": COINS, "text": text, "reason": "?"}
        assert refused(act, keeper, "rulebook.amend", **change) == "not_adopted"
    act(keeper, "rulebook.amend", rule=COINS, text=original, reason="as adopted")
    assert glance(Game.objects.get()).rules.text(COINS) == "Not one coin.\n"
    hours(game, 24)
    assert glance(Game.objects.get()).rules.text(COINS).strip() == original.strip()


def test_a_correction_does_not_undo_what_was_voted_on_meanwhile(
    game: Game, keeper: Player, act: Take
) -> None:
    original = glance(game).rules.text(COINS)
    with at_the_table(game) as table:
        table.rules.amend(COINS, "As voted.\n")
    act(keeper, "rulebook.amend", rule=COINS, text=original, reason="as adopted first")
    with at_the_table(game) as table:
        table.rules.amend(COINS, "As voted again.\n")
    hours(game, 24)
    assert glance(Game.objects.get()).rules.text(COINS) == "As voted again.\n"
    assert motion(game).note == "“Coins” was amended after that was announced."


def test_only_a_table_that_cannot_be_read_is_mended_and_nothing_with_it(
    game: Game, keeper: Player, act: Take
) -> None:
    table_says(game, "many")
    broken = glance(Game.objects.get()).rules.text(OFFICES_AND_CORRECTIONS)

    def amended(text: str) -> dict[str, str]:
        return {"rule": OFFICES_AND_CORRECTIONS, "text": text, "reason": "a slip of the pen"}

    mended = broken.replace("| many |", "| 36 |")
    wrong = mended.replace("An officer corrects", "An officer may do")
    assert refused(act, keeper, "rulebook.amend", **amended(wrong)) == "not_adopted"
    act(keeper, "rulebook.amend", **amended(mended))
    hours(game, 24)
    assert objection_time(glance(Game.objects.get())) == timedelta(hours=36)
    again = mended.replace("| 36 |", "| 1 |")
    assert refused(act, keeper, "rulebook.amend", **amended(again)) == "not_adopted"


def test_points_of_a_game_without_an_officer_for_them_take_support(db: None) -> None:
    game, _ = new_game("races", "agora-races", pace="manual", offices="open")
    murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")
    take("races", murphy, "games.take_office", {"office": "Horsened"})
    move = {**TEN, "asset": "points", "receiver": "Murphy"}
    said = take("races", murphy, "ledger.correct", move).entry.text
    assert said.endswith("more than half of the other active players support it.")
    take("races", madrid, "games.support", {"motion": 1})
    assert glance(game).ledger.balance(murphy, "points") == 10


def test_a_preview_shows_what_it_will_change(game: Game, keeper: Player, act: Take) -> None:
    found = rehearse(game.slug, keeper.user, "ledger.correct", TEN)
    assert [(each.holder, each.before, each.after) for each in found.shifts] == [("Murphy", 0, 10)]
    assert found.text == "snail moves 10 coins from Mint to Murphy: a slip"
    assert coins(game) == 0
    assert game.motions.count() == 1


def test_what_was_announced_is_no_correction_before_it_is_done(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    announced = [act(keeper, "ledger.correct", **TEN).entry.seq for _ in range(2)]
    act(players[0], "games.object", motion=3)
    hours(game, 24)
    act(players[1], "games.support", motion=3)
    supported = act(players[2], "games.support", motion=3).entry.seq
    made = list(made_by_officers(game, "ledger.correct").values_list("seq", flat=True))
    by_time = game.entries.get(name="games.motion", outcome__end="done").seq
    assert sorted(made) == [by_time, supported]
    assert not set(announced) & set(made)
    assert not made_by_officers(game, but=("ledger.", "games.")).exists()


@pytest.mark.thorough
def test_corrections_replay_and_go_on_elsewhere(
    game: Game, keeper: Player, players: list[Player], act: Take
) -> None:
    for _ in range(4):
        act(keeper, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    act(keeper, "games.withdraw", motion=3)
    hours(game, 24)
    act(None, "ledger.correct", **{**BACK, "amount": 20})
    act(keeper, "ledger.correct", **TEN)
    game.refresh_from_db()
    assert replay(game)[1] is None
    assert [str(finding) for finding in audit(game) if finding.wrong] == []
    file = io.StringIO()
    export_game(game, file)
    copy = import_game(file.getvalue().splitlines(), slug="copy")
    assert state_of(copy) == state_of(game)
    for each in (game, copy):
        hours(each, 24)
    assert coins(copy) == coins(game) == 10


def test_what_is_new_and_switches_nothing_off_is_kept_by_hand_at_once(
    game: Game, keeper: Player, act: Take
) -> None:
    with at_the_table(game) as table:
        table.rules.enact("Wages", "Each player gains 3 coins each month.\n")
    kept = {"rule": "Wages", "passage": ALL, "reason": "snail counts them out"}
    assert "keeps by hand" in act(keeper, "rulebook.keep_by_hand", **kept).entry.text
    assert not [*unfitted(glance(Game.objects.get()))]

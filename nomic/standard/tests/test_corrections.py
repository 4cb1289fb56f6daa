"""An officer corrects what their office keeps, and only when nobody objects."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest

from nomic.engine.actions import find_action, judgement, legality, offers
from nomic.engine.digest import state_of
from nomic.engine.dry_run import rehearse
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.engine.tests.tiny import COIN, COINS, SCRIPTS
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.record.models import Entry
from nomic.standard.corrections import Correction
from nomic.standard.entries import made_by_officers
from nomic.standard.models import Motion
from nomic.standard.motions import MOST_OPEN
from nomic.standard.powers import OFFICES_AND_CORRECTIONS, objection_time
from nomic.testing import Take, at_the_table, seat

KEEPER = "Keeper"
TEN = {"amount": 10, "asset": COIN, "giver": "Mint", "receiver": "Murphy", "reason": "a slip"}
BACK = {**TEN, "giver": "Murphy", "receiver": "Mint"}


def refused(act: Take, actor: Player | None, name: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    return refusal.value.refusal.code


def hours(game: Game, number: float) -> None:
    game.refresh_from_db()
    advance(game.slug, game.anchor_game + timedelta(hours=number))


def coins(game: Game, name: str = "Murphy") -> int:
    return glance(game).ledger.balance(game.players.get(name=name), COIN)


def last(game: Game) -> Entry:
    return game.entries.latest("seq")


def motion(game: Game, number: int = 0) -> Motion:
    return game.motions.get(number=number) if number else game.motions.latest("number")


def table_says(game: Game, cell: str) -> None:
    """Let a vote have put something else than 24 into the table."""
    with at_the_table(game) as table:
        text = table.rules.text(OFFICES_AND_CORRECTIONS)
        table.rules.amend(OFFICES_AND_CORRECTIONS, text.replace("| 24 |", f"| {cell} |"))


@pytest.fixture
def officer(game: Game, players: list[Player], act: Take) -> Player:
    """snail, the Keeper by the players' support."""
    standing = act(players[3], "games.stand", office=KEEPER).entry.outcome["motion"]
    for each in players[:2]:
        act(each, "games.support", motion=standing)
    return players[3]


def test_a_correction_is_announced_and_happens_when_its_time_is_over(
    game: Game, officer: Player, act: Take
) -> None:
    said = act(officer, "ledger.correct", **TEN).entry
    assert said.text.startswith("snail announces Motion 2: “Move 10 coin from Mint to Murphy")
    assert said.text.endswith(
        "It is done at 2026-03-05 12:00 UTC in the game unless a player objects."
    )
    assert coins(game) == 0
    hours(game, 23.99)
    assert coins(game) == 0
    hours(game, 0.01)
    done = game.entries.get(name="games.motion")
    assert coins(game) == 10
    assert done.text == "Motion 2 is done. snail moves 10 coins from Mint to Murphy: a slip"
    assert (done.outcome["end"], done.outcome["action"]) == ("done", "ledger.correct")


def test_an_objection_lets_it_wait_for_the_support_of_more_than_half(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    act(officer, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    hours(game, 48)
    assert coins(game) == 0
    assert "it waits for the support" in game.entries.get(name="games.motion").text
    act(players[1], "games.support", motion=2)
    assert coins(game) == 0, "One of three others is no majority."
    act(players[2], "games.support", motion=2)
    assert coins(game) == 10
    assert motion(game, 2).end == "done"


def test_who_objected_may_come_to_support_it(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    act(officer, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    act(players[0], "games.support", motion=2)
    hours(game, 24)
    assert coins(game) == 10, "Nobody objects any more when its time is over."


def test_an_objection_at_the_very_moment_comes_too_late(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    act(officer, "ledger.correct", **TEN)
    hours(game, 24)
    assert coins(game) == 10
    with pytest.raises(Refused, match="Nothing that was announced is open"):
        act(players[0], "games.object", motion=2)


def test_the_officers_own_objection_and_their_withdrawal_count(
    game: Game, officer: Player, act: Take
) -> None:
    for _ in range(2):
        act(officer, "ledger.correct", **TEN)
    act(officer, "games.object", motion=2)
    assert refused(act, officer, "games.support", motion=2) == "not_counted"
    act(officer, "games.withdraw", motion=3)
    hours(game, 48)
    assert coins(game) == 0
    assert motion(game, 3).end == "withdrawn"


def test_accounts_that_join_later_or_come_back_are_not_counted(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    act(players[2], "games.leave")
    act(officer, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    seconds = [seat(game, f"second{number}") for number in range(3)]
    act(players[2].user, "games.join", name="Jason")
    for each in (*seconds, players[2]):
        assert refused(act, each, "games.support", motion=2) == "not_counted"
    act(players[1], "games.support", motion=2)
    assert coins(game) == 0, "One of two is no majority, whoever has come since."
    act(players[0], "games.support", motion=2)
    assert coins(game) == 10


def test_an_officers_second_account_carries_nothing_alone(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    second = seat(game, "snail again")
    act(officer, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    act(second, "games.support", motion=2)
    hours(game, 48)
    assert coins(game) == 0


@pytest.mark.parametrize("how", ["games.resign_office", "games.leave", "games.recall"])
def test_who_is_no_officer_any_more_corrects_nothing(
    game: Game, officer: Player, players: list[Player], act: Take, how: str
) -> None:
    act(officer, "ledger.correct", **TEN)
    if how == "games.recall":
        act(players[0], how, office=KEEPER)
        act(players[1], "games.support", motion=3)
    else:
        act(officer, how, **({"office": KEEPER} if how != "games.leave" else {}))
    hours(game, 24)
    assert coins(game) == 0
    assert (motion(game, 2).end, motion(game, 2).note) == (
        ("withdrawn", "snail has left the game.")
        if how == "games.leave"
        else ("failed", "snail is not the Keeper any more.")
    )


def test_nobody_has_more_open_than_others_can_look_at(
    game: Game, players: list[Player], act: Take
) -> None:
    for _ in range(MOST_OPEN):
        act(players[0], "ledger.correct", **TEN)
    table = glance(game)
    offered = {each.action.name: each.refusal for each in offers(table, players[0])}
    for refusal in (offered["ledger.correct"], offered["games.stand"]):
        assert refusal is not None
        assert refusal.code == "too_many"
    assert offered["ledger.correct"] == legality(
        find_action("ledger.correct"), table, players[0], TEN
    )
    assert {each.action.name: each for each in offers(table, players[1])}["ledger.correct"].allowed
    assert refused(act, players[0], "ledger.correct", **TEN) == "too_many"
    act(players[1], "ledger.correct", **TEN)
    act(players[0], "games.withdraw", motion=1)
    act(players[0], "ledger.correct", **TEN)
    act(players[0], "games.leave")
    assert [each.by.name for each in game.motions.filter(end="")] == ["Madrid"]


def test_who_has_many_open_still_does_what_waits_for_nobody(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    for _ in range(MOST_OPEN):
        act(officer, "ledger.correct", **TEN)
    table = glance(game)
    correct = find_action("ledger.correct")
    assert legality(correct, table, officer, {}) is None, "What is chosen tells whose it is."
    refusal = legality(correct, table, officer, TEN)
    assert refusal is not None
    assert refusal.code == "too_many"
    table_says(game, "0")
    act(officer, "ledger.correct", **TEN)
    hours(game, 24)
    assert coins(game) == 10 * (MOST_OPEN + 1)


def test_what_has_gone_meanwhile_is_not_moved(game: Game, officer: Player, act: Take) -> None:
    act(None, "ledger.correct", **TEN)
    for _ in range(2):
        act(officer, "ledger.correct", **BACK)
    hours(game, 24)
    assert [each.end for each in game.motions.filter(number__gt=1)] == ["done", "failed"]
    assert coins(game) == 0
    assert game.state == "running"
    assert "cannot be done any more" in last(game).text


def test_the_operator_corrects_at_once_and_by_name(game: Game, officer: Player, act: Take) -> None:
    said = act(None, "ledger.correct", **TEN).entry
    assert said.text == "The operator moves 10 coins from Mint to Murphy: a slip"
    assert coins(game) == 10


def test_while_an_office_is_vacant_a_correction_takes_support(
    game: Game, players: list[Player], act: Take
) -> None:
    said = act(players[0], "ledger.correct", **TEN).entry
    assert said.text.endswith("more than half of the other active players support it.")
    hours(game, 100)
    for each in players[1:3]:
        assert coins(game) == 0
        act(each, "games.support", motion=1)
    assert coins(game) == 10


def test_a_correction_that_is_decided_in_a_pause_happens_after_it(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    act(officer, "ledger.correct", **TEN)
    act(officer, "games.pause", reason="holidays")
    for each in players[:2]:
        said = act(each, "games.support", motion=2).entry.text
    assert said.endswith("Motion 2 is done as soon as the game is resumed.")
    assert coins(game) == 0
    act(officer, "games.resume")
    hours(game, 0)
    assert coins(game) == 10
    assert replay(game)[1] is None


def test_a_stuck_game_is_mended_by_support(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    SCRIPTS["broken"] = lambda table: 1 / 0  # type: ignore[assignment, return-value]
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", table.now + timedelta(hours=1), "broken")
    hours(game, 2)
    game.refresh_from_db()
    assert game.stuck_at
    act(officer, "ledger.correct", **TEN)
    for each in players[:2]:
        act(each, "games.support", motion=2)
    assert coins(game) == 10


def test_what_fails_inside_leaves_nothing_behind_and_the_game_goes_on(
    game: Game, officer: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = glance(game).rules.text(COINS)
    with at_the_table(game) as table:
        table.rules.amend(COINS, "No table.\n")
    act(officer, "rulebook.amend", rule=COINS, text=original, reason="as it was adopted")

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr("nomic.engine.tests.tiny.TinyGame.rules_changed", fail)
        hours(game, 24)
    game.refresh_from_db()
    assert (game.state, motion(game).end) == ("running", "failed")
    assert motion(game).note == "The program failed at it, and nothing has changed."
    assert glance(game).rules.text(COINS) == "No table.\n"
    assert game.rules.get(title=COINS).version == 2


# How long it waits


def test_a_vote_shortens_the_time_of_what_is_announced_after_it(
    game: Game, officer: Player, act: Take
) -> None:
    act(officer, "ledger.correct", **TEN)
    table_says(game, "12")
    act(officer, "ledger.correct", **TEN)
    hours(game, 12)
    assert coins(game) == 10
    hours(game, 12)
    assert coins(game) == 20


def test_a_table_that_says_nothing_lets_corrections_happen_at_once(
    game: Game, officer: Player, act: Take
) -> None:
    table_says(game, "0")
    act(officer, "ledger.correct", **TEN)
    assert coins(game) == 10


@pytest.mark.parametrize("cell", ["soon", "-1", "1000000"])
def test_a_table_that_cannot_be_read_leaves_the_games_setting(
    game: Game, officer: Player, act: Take, cell: str
) -> None:
    table_says(game, cell)
    assert objection_time(glance(Game.objects.get())) == timedelta(hours=24)


def test_a_rule_that_is_repealed_leaves_the_games_setting(game: Game) -> None:
    with at_the_table(game) as table:
        table.rules.repeal(OFFICES_AND_CORRECTIONS)
    assert objection_time(glance(Game.objects.get())) == timedelta(hours=24)


@pytest.mark.parametrize("offices", ["open"])
def test_a_practice_games_corrections_happen_at_once(game: Game, act: Take) -> None:
    officer = seat(game, "snail")
    seat(game, "Murphy")
    act(officer, "games.take_office", office=KEEPER)
    assert act(officer, "ledger.correct", **TEN).entry.text.startswith("snail moves 10 coins")
    assert coins(game) == 10


# Texts


def test_a_text_is_restored_as_it_was_adopted(game: Game, officer: Player, act: Take) -> None:
    original = glance(game).rules.text(COINS)
    act(None, "rulebook.amend", rule=COINS, text="No coins.", reason="a try")
    act(None, "rulebook.amend", rule=COINS, text="Not one coin.", reason="a try")
    for text in ("No coins.", "Coins for snail."):
        change = {"rule": COINS, "text": text, "reason": "?"}
        assert refused(act, officer, "rulebook.amend", **change) == "not_adopted"
    act(officer, "rulebook.amend", rule=COINS, text=original, reason="as adopted")
    assert glance(Game.objects.get()).rules.text(COINS) == "Not one coin.\n"
    hours(game, 24)
    assert glance(Game.objects.get()).rules.text(COINS).strip() == original.strip()


def test_a_correction_does_not_undo_what_was_voted_on_meanwhile(
    game: Game, officer: Player, act: Take
) -> None:
    original = glance(game).rules.text(COINS)
    with at_the_table(game) as table:
        table.rules.amend(COINS, "As voted.\n")
    act(officer, "rulebook.amend", rule=COINS, text=original, reason="as adopted first")
    with at_the_table(game) as table:
        table.rules.amend(COINS, "As voted again.\n")
    hours(game, 24)
    assert glance(Game.objects.get()).rules.text(COINS) == "As voted again.\n"
    assert motion(game).note == "“Coins” was amended after that was announced."


def test_only_a_table_that_cannot_be_read_is_mended_and_nothing_with_it(
    game: Game, officer: Player, act: Take
) -> None:
    table_says(game, "many")
    broken = glance(Game.objects.get()).rules.text(OFFICES_AND_CORRECTIONS)

    def amended(text: str) -> dict[str, str]:
        return {"rule": OFFICES_AND_CORRECTIONS, "text": text, "reason": "a slip of the pen"}

    mended = broken.replace("| many |", "| 36 |")
    wrong = mended.replace("An officer corrects", "An officer may do")
    assert refused(act, officer, "rulebook.amend", **amended(wrong)) == "not_adopted"
    act(officer, "rulebook.amend", **amended(mended))
    hours(game, 24)
    assert objection_time(glance(Game.objects.get())) == timedelta(hours=36)
    again = mended.replace("| 36 |", "| 1 |")
    assert refused(act, officer, "rulebook.amend", **amended(again)) == "not_adopted"


def test_the_word_that_the_machinery_fits_does_not_wait(
    game: Game, officer: Player, act: Take
) -> None:
    with at_the_table(game) as table:
        text = table.rules.text(COINS)
        table.rules.amend(COINS, f"{text}\nMerrily.\n")
    act(officer, "rulebook.confirm", rule=COINS)
    assert not glance(Game.objects.get()).rules.find(COINS).is_played_otherwise


def test_the_players_confirm_the_text_that_they_were_asked_about(
    game: Game, players: list[Player], act: Take
) -> None:
    for words in ("Merrily.", "Sadly."):
        with at_the_table(game) as table:
            table.rules.amend(COINS, f"{table.rules.text(COINS)}\n{words}\n")
        if words == "Merrily.":
            act(players[0], "rulebook.confirm", rule=COINS)
    for each in players[1:3]:
        act(each, "games.support", motion=1)
    assert "was amended after that was announced" in motion(game).note
    assert glance(Game.objects.get()).rules.find(COINS).is_played_otherwise


# Whose it is


def test_points_of_a_game_without_an_officer_for_them_take_support(db: None) -> None:
    game, _ = new_game("races", "agora-races", pace="manual", offices="open")
    murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")
    take("races", murphy, "games.take_office", {"office": "Horsened"})
    move = {**TEN, "asset": "points", "receiver": "Murphy"}
    said = take("races", murphy, "ledger.correct", move).entry.text
    assert said.endswith("more than half of the other active players support it.")
    take("races", madrid, "games.support", {"motion": 1})
    assert glance(game).ledger.balance(murphy, "points") == 10


# What is told of it


def test_a_preview_shows_what_it_will_change(game: Game, officer: Player, act: Take) -> None:
    found = rehearse(game.slug, officer.user, "ledger.correct", TEN)
    assert [(each.holder, each.before, each.after) for each in found.shifts] == [("Murphy", 0, 10)]
    assert found.text == "snail moves 10 coins from Mint to Murphy: a slip"
    assert coins(game) == 0
    assert game.motions.count() == 1


def test_what_was_announced_is_no_correction_before_it_is_done(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    announced = [act(officer, "ledger.correct", **TEN).entry.seq for _ in range(2)]
    act(players[0], "games.object", motion=3)
    hours(game, 24)
    act(players[1], "games.support", motion=3)
    supported = act(players[2], "games.support", motion=3).entry.seq
    made = list(made_by_officers(game, "ledger.correct").values_list("seq", flat=True))
    by_time = game.entries.get(name="games.motion", outcome__end="done").seq
    assert sorted(made) == [by_time, supported]
    assert not set(announced) & set(made)
    assert not made_by_officers(game, but=("ledger.", "games.")).exists()


def test_corrections_replay_and_go_on_elsewhere(
    game: Game, officer: Player, players: list[Player], act: Take
) -> None:
    for _ in range(4):
        act(officer, "ledger.correct", **TEN)
    act(players[0], "games.object", motion=2)
    act(officer, "games.withdraw", motion=3)
    hours(game, 24)
    act(None, "ledger.correct", **{**BACK, "amount": 20})
    act(officer, "ledger.correct", **TEN)
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


def test_an_older_record_is_replayed_as_it_was_made(game: Game, officer: Player) -> None:
    game.refresh_from_db()
    game.settings = {}
    table = glance(game)
    other = {**TEN, "asset": "points"}
    for act, data in (("ledger.correct", TEN), ("ledger.correct", other)):
        found = find_action(act)
        assert isinstance(found, Correction)
        assert found.terms(table, officer, data) is None
        assert judgement(found, table, officer, data) is None
    change = {"rule": COINS, "text": "Coins for snail.", "reason": "?"}
    assert judgement(find_action("rulebook.amend"), table, officer, change) is None

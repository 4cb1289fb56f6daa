"""No officer alone lets the game's time stand still, or something in it never happen."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.tests.tiny import SCRIPTS
from nomic.games.models import Game, Player
from nomic.governance.tests.test_offices import filled, refused
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, at_the_table


def stuck_twice(game: Game) -> None:
    """Let two events be due, at each of which the game gets stuck."""
    for name in ("broken", "broken as well"):
        SCRIPTS[name] = lambda table: 1 / 0  # type: ignore[assignment, return-value]
        with at_the_table(game) as table:
            table.appointments.make("tiny.scripted", table.now, name)


def state(game: Game) -> str:
    return Game.objects.get(pk=game.pk).state


def skipped(game: Game) -> list[str]:
    found = game.appointments.filter(status="skipped").order_by("pk")
    return list(found.values_list("subject", flat=True))


@pytest.fixture
def stuck(act: Take, game: Game, players: list[Player]) -> Player:
    """The officer of a game that is stuck."""
    officer = filled(act, players)
    stuck_twice(game)
    with pytest.raises(Refused):
        act(players[0], "tiny.buy_cup")
    assert state(game) == "stuck"
    return officer


def test_an_officer_skips_an_event_with_the_players_support(
    act: Take, game: Game, players: list[Player], stuck: Player
) -> None:
    skip = act(stuck, "games.skip_appointment", reason="it is broken").entry
    assert "support it" in skip.text
    assert skipped(game) == []
    act(players[0], "games.support", motion=skip.outcome["motion"])
    assert skipped(game) == []
    act(players[1], "games.support", motion=skip.outcome["motion"])
    assert skipped(game) == ["broken"]


def test_what_is_announced_skips_no_other_event(
    act: Take, game: Game, players: list[Player], stuck: Player
) -> None:
    skips = [act(stuck, "games.skip_appointment", reason="broken").entry for _ in range(2)]
    for skip in skips:
        for each in players[:2]:
            act(each, "games.support", motion=skip.outcome["motion"])
    assert skipped(game) == ["broken"]
    assert game.motions.latest("number").end == "failed"
    assert "does not wait any more" in game.motions.latest("number").note


def test_the_operator_skips_an_event_at_once(act: Take, game: Game, stuck: Player) -> None:
    act(None, "games.skip_appointment", reason="it is broken")
    assert skipped(game) == ["broken"]


def test_an_event_is_skipped_by_its_officer_and_the_rulebooks(
    act: Take, game: Game, players: list[Player], stuck: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_the_table(game) as table:
        for office in ("Other", "Keeper of the rules"):
            table.office(office)
    game.offices.filter(name="Other").update(holder=players[0])
    monkeypatch.setattr("nomic.governance.clockwork.rulebook_keeper", lambda game: "")
    said = {"reason": "it is broken"}
    assert refused(act, players[0], "games.skip_appointment", **said) == "not_your_domain"
    monkeypatch.setattr("nomic.governance.clockwork.rulebook_keeper", lambda game: "Other")
    act(players[0], "games.skip_appointment", **said)
    act(stuck, "games.skip_appointment", **said)


@pytest.mark.thorough
def test_a_game_whose_event_was_skipped_by_support_replays_to_the_same(
    act: Take, game: Game, players: list[Player]
) -> None:
    officer = filled(act, players)
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr("nomic.ledger.books.Ledger.create_for_each", None)

        advance(game.slug, WEDNESDAY + timedelta(days=7))
        skip = act(officer, "games.skip_appointment", reason="no coins").entry
        for each in players[:2]:
            act(each, "games.support", motion=skip.outcome["motion"])
    act(officer, "games.resign_office", office="Keeper")
    assert replay(Game.objects.get(pk=game.pk))[1] is None


@pytest.mark.thorough
def test_the_players_resume_what_an_officer_has_paused(
    act: Take, game: Game, players: list[Player]
) -> None:
    officer = filled(act, players)
    act(officer, "games.pause", reason="for good")
    said = act(players[0], "games.resume").entry
    assert said.text.endswith("more than half of the active players support it.")
    assert state(game) == "paused"
    assert refused(act, players[1], "games.resume") == "announced"
    for each in players[1:3]:
        act(each, "games.support", motion=said.outcome["motion"])
    assert state(game) == "running"
    assert refused(act, players[0], "games.resume") == "not_the_officer"
    act(officer, "games.pause", reason="again")
    act(players[0], "games.resume")
    act(officer, "games.resume")
    assert game.motions.latest("number").end == "failed"
    assert replay(Game.objects.get(pk=game.pk))[1] is None

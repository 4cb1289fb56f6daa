"""Practice players do what makes sense, keep a game going, and rest when nobody looks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import CommandError, call_command

from aceofspades.bots.practice import practice as contest_practice
from aceofspades.bots.practice import shelf as drafts
from aceofspades.state.reading import state_of as contest_of
from horses.models import Race
from nomic.celery import app
from nomic.engine import watch
from nomic.engine.subgames import all_subgames, find_subgame
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.engine.tests.tiny import TINY
from nomic.games.clock import wall_now
from nomic.games.models import Game, Pace
from nomic.games.presets import PRESETS
from nomic.governance.bots import add_bots, bots_of, read_shelf, shelf_of, shelves
from nomic.governance.hosting.talk import say
from nomic.governance.models import Remark
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game, set_pace
from nomic.record.models import Entry
from nomic.simulation import practice
from nomic.simulation.practice import AWAKE_FOR, between_moves, move_all, play, talk
from proposals.models import Status, Success
from proposals.web.preview.preview import preview
from tests.kit import seat, user_of

_BEGINS = datetime(2022, 8, 8, tzinfo=UTC)
_A_MOVE = timedelta(days=7) / 50
_TEA = "Enact a new rule titled “Tea” with the following text:\n{\nTea is at five.\n}"


@pytest.fixture
def alive(db: None) -> Game:
    """Every subgame at once, with five practice players and one person."""
    game, _ = new_game("alive", "demo", pace="manual", start=_BEGINS)
    take("alive", user_of("visitor"), "games.join", {"name": "visitor"})
    advance("alive", _BEGINS + timedelta(hours=1))
    add_bots(game, 5)
    return Game.objects.get(pk=game.pk)


def played(game: Game, moves: int) -> list[Any]:
    """What practice players do while time goes on, move by move."""
    receipts = []
    for _ in range(moves):
        game.refresh_from_db()
        advance(game.slug, game.now(wall_now()) + _A_MOVE)
        receipts.append(play(game, wall_now()))
    game.refresh_from_db()
    return receipts


def right(game: Game) -> bool:
    return not [finding for finding in audit(game) if finding.wrong] and replay(game)[1] is None


@pytest.fixture
def acts(alive: Game) -> list[Entry]:
    """What practice players do in eight days, while votes on two bills of the visitor are open."""
    played(alive, 4)
    visitor = alive.players.get(name="visitor")
    for title, body in (("Tea", _TEA), ("No horses", "Repeal the rule “Horses”.")):
        take("alive", visitor, "proposals.submit", {"title": title, "body": body})
    return [receipt.entry for receipt in played(alive, 56) if receipt]


@pytest.mark.thorough
def test_practice_players_vote_propose_bet_harvest_and_exchange(
    alive: Game, acts: list[Entry]
) -> None:
    assert {entry.actor.bot for entry in acts if entry.actor} == {True}
    assert all(entry.actor for entry in acts)
    done = {entry.name.partition(".")[0] for entry in acts}
    assert done == {"proposals", "horses", "settlers", "aceofspades"}
    assert len({entry.name for entry in acts}) >= 10
    assert alive.proposals.filter(status=Status.OPEN).exists()
    assert alive.offices.filter(holder__bot=True).count() == 0
    assert right(Game.objects.get(pk=alive.pk))


@pytest.mark.thorough
def test_a_lone_visitors_harmless_proposal_passes(alive: Game, acts: list[Entry]) -> None:
    assert alive.proposals.get(title="Tea").success == Success.WON
    assert alive.rules.filter(title="Tea", repealed_in=None).exists()


def test_what_would_end_a_part_of_the_game_finds_few_votes(alive: Game, acts: list[Entry]) -> None:
    assert alive.proposals.get(title="No horses").success == Success.LOST


@pytest.mark.thorough
def test_the_same_state_at_the_same_moment_brings_the_same_move(alive: Game) -> None:
    wall = wall_now()
    with pytest.MonkeyPatch.context() as patch:
        told: list[Any] = []
        patch.setattr(practice, "take", lambda *act: told.append(act[1:]))
        for _ in range(2):
            play(alive, wall)
    assert told[: len(told) // 2] == told[len(told) // 2 :]
    assert told


@pytest.mark.parametrize("state", ["paused", "stuck"])
def test_in_a_game_that_stands_still_they_do_nothing_and_raise_nothing(
    alive: Game, state: str
) -> None:
    if state == "paused":
        take("alive", None, "games.pause", {"reason": "Tea."})
    else:
        Game.objects.filter(pk=alive.pk).update(stuck_at=alive.last_at, stuck_error="broken")
    before = Game.objects.get(pk=alive.pk).last_entry
    assert play(alive, wall_now()) is None
    assert Game.objects.get(pk=alive.pk).last_entry == before


def test_they_rest_when_nobody_has_looked_for_half_an_hour_and_wake_at_once(alive: Game) -> None:
    cache.clear()
    wall = wall_now()
    assert move_all(wall) == 0
    watch.look(alive.pk, wall - AWAKE_FOR)
    assert move_all(wall) == 0
    watch.look(alive.pk, wall)
    assert move_all(wall) == 1
    assert move_all(wall) == 0, "it is nobody's turn yet"
    cache.clear()


def test_a_fault_in_one_game_keeps_no_other(
    alive: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cache.clear()
    other, _ = new_game("other", "demo", pace="manual", start=_BEGINS)
    add_bots(other, 1)
    for game in (alive, other):
        watch.look(game.pk, wall_now())

    def fails(game: Game, wall: datetime) -> object:
        if game == alive:
            raise RuntimeError("broken")
        return True

    monkeypatch.setattr(practice, "play", fails)
    assert move_all(wall_now()) == 1
    assert "alive could not move" in caplog.text
    cache.clear()


def test_how_often_they_move_follows_the_pace(alive: Game) -> None:
    assert between_moves(alive) == timedelta(seconds=20)
    assert between_moves(set_pace("alive", Pace.FAST, rate=2520)) == _A_MOVE / 2520
    assert between_moves(Game(rate=1)) == _A_MOVE


_PROSE = {"The Ghost", "The Song", "Good Manners"}  # rules that players themselves carry out


@pytest.mark.slow
def test_every_change_of_the_shelves_is_read_whole_shown_without_a_fault_and_adopted(
    alive: Game,
) -> None:
    voters = bots_of(alive)[:3]
    paths = [path for subgame in all_subgames() for path in shelf_of(subgame)]
    left = {change.title: change for path in paths for change in read_shelf(path)}
    assert len(left) >= 30
    while left:
        fitting = [change for change in shelves(glance(alive)) if change.title in left]
        assert fitting, f"Nothing makes these fit: {sorted(left)}"
        these = [change for change in fitting if not change.repeal] or fitting
        for change in these:
            told = preview(alive, voters[0], change.as_proposed(), {})
            assert told.changes, (change.title, told.warnings)
            prose = bool(told.unplayed)
            assert prose is bool({change.enact, change.rule} & _PROSE), change.title
            faults = (told.by_hand, told.refused, told.unreadable, told.warnings[prose:])
            assert not any(faults), (change.title, faults)
            del left[change.title]
        for change in these:
            inputs = {"title": change.title, "body": change.as_proposed()}
            made = take("alive", voters[0], "proposals.submit", inputs).entry
            for voter in voters:
                vote = {"proposal": made.outcome["proposal"], "choice": "FOR"}
                take("alive", voter, "proposals.vote", vote)
        alive.refresh_from_db()
        advance("alive", alive.now(wall_now()) + timedelta(days=7, hours=1))
        alive.refresh_from_db()
        for proposal in alive.proposals.filter(title__in=[change.title for change in these]):
            assert proposal.success == Success.WON
            assert all(effect["done"] for effect in proposal.effects), proposal.title


@pytest.mark.thorough
def test_every_regulation_of_the_contests_shelf_can_be_proposed_and_passes(alive: Game) -> None:
    for bot in bots_of(alive)[:3]:
        take("alive", bot, "aceofspades.join")
    proposed = 0
    for draft in drafts():
        now = contest_of(glance(alive)).regulation(draft.number)
        text = draft.text(now.text if now else "")
        if text:
            given = {"number": draft.number, "visibility": "public", "text": text}
            made = take("alive", bots_of(alive)[0], "aceofspades.propose", given).entry
            proposed += 1
            for bot in bots_of(alive)[:3]:
                vote = {"proposal": made.outcome["proposal"], "vote": "FOR"}
                take("alive", bot, "aceofspades.vote", vote)
    alive.refresh_from_db()
    advance("alive", alive.now(wall_now()) + timedelta(days=7))
    passed = alive.contest.proposals.filter(verdict="adopted").count()
    assert passed == proposed >= 5


def test_who_comes_to_the_contest_is_offered_a_card_for_such_as_everybody_has(
    alive: Game,
) -> None:
    for bot in bots_of(alive)[:3]:
        take("alive", bot, "aceofspades.join")
    newcomer = seat(alive, "Newcomer")
    take("alive", newcomer, "aceofspades.join")
    made = []
    for bot in bots_of(alive)[:3]:
        acts = contest_practice(glance(alive), bot, Random(1))
        offers = [data for name, data in acts if name == "aceofspades.offer"]
        made += [(bot, data) for data in offers if data["to"] == ["Newcomer"]]
    assert [bot for bot, _ in made] == list(bots_of(alive)[:2])
    take("alive", made[0][0], "aceofspades.offer", made[0][1])
    waits = list(find_subgame("aceofspades").waiting(glance(alive), newcomer))
    assert any("Ada-bot offers you" in each.what for each in waits)


def test_the_command_gives_a_game_practice_players_and_takes_them_away(alive: Game) -> None:
    said = StringIO()
    call_command("bots", "alive", players=2, stdout=said)
    assert bots_of(alive).count() == 2
    call_command("bots", "alive", players=0, stdout=said)
    assert not bots_of(alive).exists()
    call_command("bots", "alive", stdout=said)
    assert bots_of(alive).count() == 5
    assert said.getvalue().splitlines()[0] == "“alive” has 2 practice players: Ada-bot, Basil-bot."
    new_game("slow", "agora", pace="real")
    for slug, why in (("slow", "Only its host"), ("nowhere", "There is no game")):
        with pytest.raises(CommandError, match=why):
            call_command("bots", slug, stdout=said)


@pytest.mark.thorough
@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in ("demo", TINY)])
@pytest.mark.django_db
def test_they_play_every_kind_of_game(preset: str) -> None:
    game, _ = new_game("kind", preset, pace="manual", start=_BEGINS)
    add_bots(game, 3)
    done = [receipt for receipt in played(game, 12) if receipt]
    assert done
    assert not [finding for finding in audit(game) if finding.wrong]


def test_the_worker_knows_every_task_that_beat_calls() -> None:
    app.loader.import_default_modules()
    assert {each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values()} <= app.tasks.keys()


def test_they_greet_who_comes_and_answer_who_speaks_each_once(alive: Game) -> None:
    wall = when_the_visitor_came(alive)
    greeting = talk(alive, wall)
    assert greeting is not None
    assert "@visitor" in greeting.text
    assert greeting.player.bot
    assert talk(alive, wall) is None
    say(alive.players.get(name="visitor"), "What now?", wall, 6)
    assert talk(alive, wall) is not None
    assert talk(alive, wall) is None
    say(alive.players.get(name="visitor"), "Anybody?", wall, 6)
    assert talk(alive, wall + timedelta(hours=1)) is None


def test_their_answers_tell_how_the_game_stands(alive: Game) -> None:
    visitor = alive.players.get(name="visitor")
    for title in ("Tea", "For @visitor"):
        body = f"Enact a new rule titled “{title[:3]}” with the following text:\n{{\nTea.\n}}"
        take("alive", visitor, "proposals.submit", {"title": title, "body": body})
    assert talk(alive, when_the_visitor_came(alive)) is not None  # a welcome
    assert "the race, at Race Position" in answered(alive, "Which horse is ahead?")
    assert "Proposal 1, “Tea”, is open to votes." in answered(alive, "What can I vote on?")
    set_pace("alive", Pace.FAST, rate=2520)
    assert "is open to votes for another " in answered(alive, "And until when?")
    set_pace("alive", Pace.MANUAL)
    take("alive", visitor, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    alive.refresh_from_db()
    advance("alive", alive.now(wall_now()) + timedelta(days=8))
    told = answered(alive, "What was the last result?")
    assert "Proposal 2 was not adopted." in told or "Proposal 1, “Tea”, was adopted." in told


def when_the_visitor_came(game: Game) -> datetime:
    """The wall moment of it, as the record has it."""
    return game.entries.get(name="games.join", actor__name="visitor").recorded_at


def answered(game: Game, text: str) -> str:
    """What a practice player answers to that remark of the visitor."""
    Remark.objects.filter(game=game, player__bot=False).delete()
    game.refresh_from_db()
    say(game.players.get(name="visitor"), text, wall_now(), 99)
    remark = talk(game, wall_now())
    assert remark is not None
    assert remark.text.count("@visitor") == 1
    return remark.text


@pytest.mark.thorough
@pytest.mark.django_db
def test_races_end_and_begin_anew() -> None:
    game, _ = new_game("races", "agora-races", pace="manual", start=_BEGINS)
    add_bots(game, 5)
    for week in range(1, 19):
        advance("races", _BEGINS + timedelta(days=7) * week - timedelta(hours=9))
        for _ in range(6):
            play(game, wall_now())
    assert Race.objects.get(game=game, ended_in=None).number > 1

"""How a game fills its offices is in its record, also where the game is older than the setting."""

from datetime import datetime, timedelta

import pytest

from nomic.engine.catch_up import sweep
from nomic.engine.shares.locks import locked_game
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.games.powers import offices_of
from nomic.operations.replay import replay
from nomic.operations.setup import BadSetup, new_game
from nomic.standard.powers import set_powers
from tests.kit import WEDNESDAY, at_the_table, seat

pytestmark = pytest.mark.django_db(transaction=True)


def older(slug: str, pace: str, start: datetime = WEDNESDAY) -> Game:
    """A game as an earlier version began it: its settings say nothing of offices."""
    game = new_game(slug, "agora-races", pace=pace, start=start)[0]
    first = game.entries.get(seq=1)
    assert {"offices", "objection_hours"} <= set(first.inputs["settings"])
    Game.objects.filter(pk=game.pk).update(
        settings={
            name: value
            for name, value in game.settings.items()
            if name not in ("offices", "objection_hours")
        }
    )
    return Game.objects.get(pk=game.pk)


@pytest.mark.parametrize(
    ("pace", "offices", "hours"), [("real", "support", 24), ("manual", "open", 0)]
)
def test_a_new_games_pace_says_how_its_offices_are_filled(pace, offices, hours):
    game = new_game("new", "agora", pace=pace, start=WEDNESDAY)[0]
    assert (game.setting("offices"), game.setting("objection_hours")) == (offices, hours)
    told = game.rules.filter(title="Offices and Corrections").exists()
    assert told == (offices == "support")
    assert replay(game)[1] is None


def test_nobody_begins_a_game_with_offices_filled_in_another_way():
    with pytest.raises(BadSetup, match="not filled by “lottery”"):
        new_game("new", "agora", offices="lottery")


def test_an_older_game_says_so_on_its_record_before_the_next_act():
    game = older("older", "manual")
    assert not game.has_powers
    assert offices_of(game) == "open"
    seat(game, "Murphy")
    told = game.entries.get(seq=2)
    assert (told.kind, told.name) == ("system", "games.set_powers")
    assert told.inputs == {"offices": "open", "objection_hours": 0}
    assert game.entries.get(seq=3).name == "games.join"
    game.refresh_from_db()
    assert game.has_powers


def test_a_sweep_brings_an_older_game_up_to_date():
    game = older("older", "real", wall_now() - timedelta(days=1))
    Game.objects.filter(pk=game.pk).update(wakes_at=wall_now())
    sweep()
    game.refresh_from_db()
    assert game.setting("offices") == "support"
    told = game.entries.get(seq=2)
    assert told.name == "games.set_powers"
    assert told.text.startswith("From now on offices are filled by support")


def test_the_offices_that_stand_vacant_then_are_told_to_the_subgames_and_no_others(
    monkeypatch: pytest.MonkeyPatch,
):
    game = older("older", "manual")
    murphy = seat(game, "Murphy")
    take(game.slug, murphy, "games.take_office", {"office": "Horsened"})
    Game.objects.filter(pk=game.pk).update(settings={})
    with at_the_table(game) as table:
        table.office("Herald")
    changed: list[str] = []
    monkeypatch.setattr(Table, "office_changed", lambda table, name: changed.append(name))
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        set_powers(Table(locked, locked.now(WEDNESDAY), WEDNESDAY, locked=True))
    assert changed == ["Herald"]

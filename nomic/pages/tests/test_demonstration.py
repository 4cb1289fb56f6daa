"""The demonstration: there are weeks behind it, all of them played through the one door."""

from typing import Any

import pytest
from django.core.management import call_command

from horses.models import Race
from nomic.games.models import Game
from nomic.pages.demonstration import OFFICER, PASSWORD, PLAYERS
from nomic.pages.tests.conftest import Visitor


@pytest.mark.django_db
def test_an_empty_site_gets_a_demonstration_once(
    visit: Visitor, capsys: pytest.CaptureFixture[str], settings: Any
) -> None:
    call_command("demo")
    game = Game.objects.get(slug="demo")
    assert game.pace == "fast"
    assert set(game.players.values_list("name", flat=True)) == set(PLAYERS)
    held = game.offices.values_list("name", "holder__name")
    assert sorted(held) == [("Assessor", OFFICER), ("Horsened", OFFICER)]
    assert Race.objects.filter(game=game, ended_in__isnull=False).exists()
    assert Race.objects.filter(game=game, ended_in=None).exists()
    assert game.entries.filter(kind="action").count() > 30

    last = game.last_entry
    call_command("demo")
    game.refresh_from_db()
    assert game.last_entry == last
    assert "already" in capsys.readouterr().out

    client = visit()
    assert PASSWORD in client.get("/accounts/login/").content.decode()
    assert client.login(username=OFFICER, password=PASSWORD)
    settings.ORIGIN = "https://nomic.example"
    assert PASSWORD not in visit().get("/accounts/login/").content.decode()


@pytest.mark.django_db
def test_a_site_with_games_gets_no_demonstration(game: Game) -> None:
    call_command("demo")
    assert not Game.objects.filter(slug="demo").exists()

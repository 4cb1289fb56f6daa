"""A whole game is made public, secrets and all, and whoever has the file plays it again."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from nomic.dice.models import Master
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.exports import import_game
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.record.game_file import PUBLISHED, lines_of
from tests.kit import WEDNESDAY, Take


@pytest.fixture
def preset() -> str:
    return "agora-races"


@pytest.fixture
def played(game: Game, player: Player, rival: Player, act: Take) -> Game:
    act(player, "horses.gain_dollaries", key="a key of Murphy's")
    act(rival, "horses.gain_dollaries")
    return Game.objects.get(pk=game.pk)


def test_of_a_game_that_is_played_it_takes_a_reason_which_the_record_keeps(
    played: Game, tmp_path: Path
) -> None:
    file = tmp_path / "table.export"
    with pytest.raises(CommandError, match="Give a reason, which the record keeps"):
        call_command("export", "table", output=str(file), public=True)
    assert not played.entries.filter(name=PUBLISHED).exists()
    assert not file.exists()
    for name in (file, tmp_path / "again.export"):
        call_command(
            "export", "table", output=str(name), public=True, reason="all agreed", stderr=StringIO()
        )
    told = played.entries.get(name=PUBLISHED)
    assert (told.kind, told.inputs) == ("system", {"reason": "all agreed"})
    assert "with its master secret: all agreed." in told.text


def test_whoever_has_the_file_plays_the_game_again(played: Game, tmp_path: Path) -> None:
    file = tmp_path / "table.export"
    call_command("export", "table", output=str(file), public=True, reason="x", stderr=StringIO())
    text = file.read_text("utf-8")
    assert (
        json.loads(text.partition("\n")[0])["master"] == Master.objects.get(game=played).key.hex()
    )
    copy = import_game(text.splitlines(), slug="copy")
    played.refresh_from_db()
    assert copy.record_head == played.record_head
    assert [each.wrong for each in audit(copy) if each.wrong] == []
    assert replay(copy)[1] is None


def test_the_file_is_the_same_however_long_ago_the_game_was_read(
    played: Game, tmp_path: Path
) -> None:
    advance("table", WEDNESDAY + timedelta(days=8))
    file = tmp_path / "table.export"
    call_command("export", "table", output=str(file), public=True, reason="x", stderr=StringIO())
    entry, master = played.entries.get(name=PUBLISHED), Master.objects.get(game=played)
    assert Game.objects.get(pk=played.pk).sealed_count > played.sealed_count
    assert "".join(lines_of(played, master.key, entry)) == file.read_text("utf-8")


def test_the_file_names_no_users_and_none_of_their_keys(
    played: Game, player: Player, tmp_path: Path
) -> None:
    file = tmp_path / "table.export"
    call_command("export", "table", output=str(file), public=True, reason="x", stderr=StringIO())
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert lines[0]["users"] == {}
    assert {each["entry"]["key"] for each in lines if "entry" in each} == {None}
    assert played.entries.filter(key__isnull=False).exists()

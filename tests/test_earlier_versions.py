"""Games, and a whole database, that an earlier version made go on as they were."""

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings

from nomic.dice.proof import check_all
from nomic.embedded.postgres import bin_folder
from nomic.engine.catch_up import catch_up
from nomic.games.models import READINGS, Game
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.replay import replay
from nomic.places import ROOT
from nomic.record.models import CONSEQUENCES
from nomic.record.proof import check_opened
from nomic.web.api.tests.test_record_format import run as verify

EXPORTS = ROOT.parent / "shared/exports"
GAMES = sorted(EXPORTS.glob("*.export"))
DUMP = EXPORTS / "site.sql.gz"

# In one process, which starts once for all games.
REPLAY_AND_VERIFY = """
from django.core.management import call_command
for slug in Game.objects.filter(scratch=False).values_list("slug", flat=True):
    call_command("replay", slug)
    call_command("verify-dice", slug, verbosity=0)
"""


def _marked(file: Path) -> Any:
    mark = {
        "multa": (),
        "ace-of-spades": pytest.mark.thorough,
        "agora-races": pytest.mark.thorough,
        "b-nomic-5e33": pytest.mark.thorough,
    }.get(file.stem, pytest.mark.slow)
    return pytest.param(file, id=file.stem, marks=mark)


needs_exports = pytest.mark.skipif(not GAMES, reason=f"there are no exports in {EXPORTS}")


@needs_exports
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("file", [_marked(file) for file in GAMES])
def test_a_game_of_an_earlier_version_comes_out_with_its_own_hashes(file: Path, tmp_path: Path):
    with file.open(encoding="utf-8") as lines:
        game = import_game(lines)
    assert (game.setting(READINGS), game.has_powers) == (None, False)
    catch_up(game.pk, most=2)  # perhaps the outage first
    game.refresh_from_db()
    assert game.has_powers
    assert [finding.wrong for finding in audit(game) if finding.wrong] == []
    assert [proof.wrong for proof in check_all(game) if proof.wrong] == []
    assert [found.wrong for found in check_opened(game) if found.wrong] == []
    agreed, difference = replay(game)
    assert (difference, agreed) == (None, game.last_entry + game.sealed_count - _consequences(game))
    there = f"https://nomic.example/api/v1/games/{game.slug}"
    path = tmp_path / "again.export"
    with path.open("w", encoding="utf-8") as lines:
        export_game(game, lines)
    for source in (there, str(path)):
        said = verify(of=source)
        assert "WRONG" not in said
        assert f"{game.last_entry} entries are as they were written" in said
        assert "cannot check: that nothing was left out of an opening" in said
    assert "is not what it was" in verify(_with_other_kinds, of=there)
    assert "import it" in verify(of=str(file))


def _with_other_kinds(shown: bytes) -> bytes:
    return shown.replace(b'"kind":"event"', b'"kind":"action"')


def _consequences(game: Game) -> int:
    """How many sealed entries come of a public one, and are no acts of their own."""
    return game.sealed_entries.filter(name__in=CONSEQUENCES).count()


@pytest.fixture
def restored() -> Iterator[str]:
    """The address of a database of its own with everything that the dump holds."""
    name = f"earlier_{uuid4().hex[:12]}"
    address = database(name)
    with psycopg.connect(database("postgres"), autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            psql = [str(bin_folder() / "psql"), address, "--quiet", "--set=ON_ERROR_STOP=1"]
            with gzip.open(DUMP) as dump:
                subprocess.run(psql, input=dump.read(), check=True, stdout=subprocess.DEVNULL)
            yield address
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def database(name: str) -> str:
    """The address of another database on the server that the tests use."""
    return urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}").geturl()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not DUMP.exists(), reason=f"there is no dump in {EXPORTS}")
def test_a_whole_database_of_an_earlier_version_is_migrated_and_agrees(restored: str):
    env = {**os.environ, "DATABASE_URL": restored}

    def manage(*words: str) -> str:
        command = [sys.executable, "-W", "ignore", str(ROOT / "manage.py"), *words]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{words}: {done.stdout[-500:]}{done.stderr[-2000:]}"
        return done.stdout

    manage("migrate", "--no-input", "--verbosity", "0")
    manage("audit")
    agree = manage("shell", "--verbosity", "0", "--command", REPLAY_AND_VERIFY)
    assert agree.count("entries of") >= len(GAMES)

"""A game that its operator has published: whoever sees it finds its file, checks and replays it."""

import json
import runpy
import sys
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.test import Client

from nomic.games.models import CLOSED, SEEN_BY, Game, Player, SeenBy
from nomic.operations.audit import audit
from nomic.operations.exports import import_game, publish
from nomic.operations.replay import replay
from nomic.operations.setup import set_pace
from nomic.record import game_file
from nomic.record.game_file import PUBLISHED, published
from nomic.record.models import SealedEntry
from nomic.web.api.tests.conftest import V1
from nomic.web.proof import streaming
from nomic.web.tests.watchers import addresses
from tests.kit import Take, Visitor
from tests.kit.visitors import tight

WHOLE, WITNESS, RECORD = "/g/table/whole/", "/g/table/witness/", "/g/table/record/"
IN_THE_API = f"{V1}/table/whole"
VERIFY = Path(__file__).resolve().parents[4] / "docs" / "verify.py"


@pytest.fixture
def preset() -> str:
    return "demo"


@pytest.fixture
def played(game: Game, player: Player, rival: Player, act: Take) -> Game:
    """A game of a public act with a key, and of private ones."""
    act(player, "horses.gain_dollaries", key="a key of Murphy's")
    for who in (player, rival):
        act(who, "aceofspades.join")
    return Game.objects.get(pk=game.pk)


def setting(game: Game, name: str, value: object) -> None:
    game.refresh_from_db()
    game.settings = {**game.settings, name: value}
    game.save(update_fields=["settings"])


def exported(game: Game, path: Path) -> str:
    call_command("export", game.slug, output=str(path), public=True, stderr=StringIO())
    return path.read_text("utf-8")


def downloaded(client: Client, address: str = WHOLE) -> str:
    answer = client.get(address)
    assert (answer.status_code, answer.streaming) == (200, True)
    return answer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("address", [WHOLE, IN_THE_API])
def test_what_is_downloaded_is_what_the_command_writes(
    address: str, played: Game, visit: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("table", "all agreed")
    monkeypatch.setattr(game_file, "_AT_ONCE", 3)
    monkeypatch.setattr(streaming, "_AT_ONCE", 2000)
    assert downloaded(visit(), address) == exported(played, tmp_path / "table.export")
    number = published(played).seq  # type: ignore[union-attr]
    named = f'attachment; filename="table-{number}.export"'
    assert visit().get(address)["Content-Disposition"] == named


@pytest.mark.thorough
def test_the_file_verifies_and_is_imported_and_replayed(
    played: Game, visit: Visitor, tmp_path: Path
) -> None:
    publish("table", "all agreed")
    file = tmp_path / "table.export"
    file.write_text(text := downloaded(visit()), "utf-8")
    with patch.object(sys, "argv", ["verify.py", str(file)]):
        runpy.run_path(str(VERIFY), run_name="__main__")
    copy = import_game(text.splitlines(), slug="copy")
    played.refresh_from_db()
    assert copy.record_head == played.record_head
    assert [each.wrong for each in audit(copy) if each.wrong] == []
    assert replay(copy)[1] is None


def test_it_names_no_users_and_none_of_their_keys_or_letter_boxes(
    played: Game, player: Player, visit: Visitor
) -> None:
    user = player.user
    assert user is not None
    user.email = "murphy@letters.example"
    user.username = "the-user-behind-murphy"
    user.save()
    publish("table", "all agreed")
    text = downloaded(visit())
    assert played.sealed_entries.exists()
    for told in (user.email, user.username, "a key of Murphy's"):
        assert told not in text


@pytest.mark.thorough
def test_of_a_game_that_goes_on_it_ends_where_it_was_published(
    played: Game, player: Player, rival: Player, act: Take, visit: Visitor, tmp_path: Path
) -> None:
    publish("table", "all agreed")
    before = downloaded(visit())
    act(player, "aceofspades.leave")
    act(rival, "horses.gain_dollaries")
    set_pace("table", "fast")
    assert downloaded(visit()) == before == exported(played, tmp_path / "table.export")
    assert import_game(before.splitlines(), slug="copy").last_entry == published(played).seq  # type: ignore[union-attr]
    publish("table", "and once more")
    assert played.entries.filter(name=PUBLISHED).count() == 2
    after = downloaded(visit())
    assert len(after) > len(before)
    assert import_game(after.splitlines(), slug="later").pace == "fast"


def test_what_was_opened_later_is_told_as_it_was(played: Game, visit: Visitor) -> None:
    publish("table", "all agreed")
    before = downloaded(visit())
    sealed = SealedEntry.objects.filter(game=played, opened_in__isnull=True)
    sealed.filter(pk=sealed.order_by("seq")[0].pk).update(opened_in=played.last_entry + 2)
    assert downloaded(visit()) == before


def test_the_end_of_a_published_game_is_published_without_a_reason(
    played: Game, player: Player, act: Take, visit: Visitor
) -> None:
    publish("table", "all agreed")
    assert "The game goes on." in visit().get(WITNESS).text
    act(player, "aceofspades.leave")
    setting(played, CLOSED, True)
    publish("table", "")
    publish("table", "")
    assert played.entries.filter(name=PUBLISHED).count() == 2
    end = json.loads(downloaded(visit()).splitlines()[-1])["end"]
    played.refresh_from_db()
    assert (end["entries"], end["hash"]) == (played.last_entry, played.record_head)
    page = visit().get(WITNESS).text
    assert "The whole game as a file" in page
    assert "The game goes on." not in page


def test_the_pages_lead_to_it_and_say_how_to_check_and_replay_it(
    played: Game, visit: Visitor
) -> None:
    assert '#published"' not in visit().get(RECORD).text
    assert "The whole game as a file" not in visit().get(WITNESS).text
    assert visit().get(f"{V1}/table/witness").json()["published_in"] is None
    publish("table", "all agreed")
    number = published(played).seq  # type: ignore[union-attr]
    assert f'href="{WITNESS}#published"' in visit().get(RECORD).text
    assert f'href="{WITNESS}#published"' in visit().get(f"{RECORD}{number}/").text
    page = tight(visit().get(WITNESS).text)
    assert f'href="{WHOLE}"' in page
    assert f"<code>python docs/verify.py table-{number}.export</code>" in page
    assert f"<code>manage.py import table-{number}.export</code>" in page
    assert visit().get(f"{V1}/table/witness").json()["published_in"] == number


@pytest.mark.parametrize("address", [WHOLE, IN_THE_API])
def test_there_is_none_of_a_game_that_is_not_published_or_not_seen(
    address: str, played: Game, player: Player, visit: Visitor
) -> None:
    assert address in addresses(played)
    assert visit(player).get(address).status_code == 404
    publish("table", "all agreed")
    setting(played, SEEN_BY, SeenBy.LINK.value)
    assert visit().get(address).status_code == 404
    if address == WHOLE:
        assert downloaded(visit(player), address)

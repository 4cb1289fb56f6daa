"""A private act's receipt: the hash to check it by, and not its place in the sealed book."""

import json

import pytest
from pydantic import TypeAdapter

from nomic.engine import actions
from nomic.engine.actions import PrivateAction
from nomic.engine.effects import Effects
from nomic.engine.forms import ActionForm, Text
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.record.chain import digest
from nomic.record.keys import signed_head
from nomic.web.api import shapes
from nomic.web.api.tests.conftest import Program
from tests.kit import around


class Murmur(PrivateAction):
    """Say something that nobody hears."""

    name = "testing.murmur"
    title = "Murmur"

    class Form(ActionForm):
        words = Text(longest=100)

    def judge(self, table: Table, player: Player, words: str | None) -> Effects:
        return Effects(say=f"{player} murmurs {words}.")


@pytest.fixture(autouse=True)
@around
def _murmuring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(actions._ACTIONS, Murmur.name, Murmur())


SEALED_BODY = (
    *("at", "recorded_at", "name", "actor", "inputs", "outcome", "text", "rule", "saw", "nonce"),
)


def test_the_one_who_acted_gets_its_hash(bot: Program, game: Game) -> None:
    response = bot.act("testing.murmur", "k1", words="hush")
    assert response.status_code == 201
    entry = json.loads(response.content)
    TypeAdapter(shapes.Entry).validate_python(entry)
    assert (entry["seq"], entry["prev_hash"], entry["effects"]) == (None, None, [])
    opens = entry["sealed"]
    content = {name: entry[name] for name in SEALED_BODY} | {
        "after": opens["after"],
        "effects": [],
        "salt": opens["salt"],
    }
    assert digest(content) == opens["content"] == entry["hash"]
    assert entry["inputs"] == {"words": "hush"}
    again = bot.act("testing.murmur", "k1", words="hush")
    assert again.status_code == 200
    assert json.loads(again.content) == entry


def test_nothing_they_get_tells_how_many_others_acted(bot: Program, game: Game) -> None:
    """Who knows the content of a sealed entry could find its number and the hash before, often
    that of a public anchor, by trying which of them lead to its hash."""
    answers = [bot.act("testing.murmur", words="hush"), bot.get("receipts")]
    told = "".join(answer.content.decode() for answer in answers)
    sealed = game.sealed_entries.get(name="testing.murmur")
    assert sealed.salt in told
    assert sealed.hash not in told
    assert sealed.prev_hash not in told


def test_a_head_of_another_history_is_doubted_and_tells_nobody_who_acted(
    bot: Program, anybody: Program, game: Game
) -> None:
    before = anybody.get("witness").content
    bot.client.defaults["HTTP_NOMIC_HEAD"] = str(signed_head(game, 2, "f" * 64))
    told = json.loads(bot.act("testing.murmur", words="hush").content)
    assert "two histories" in told["receipt"]["doubt"]
    assert anybody.get("witness").content == before


def test_nobody_else_hears_of_it(bot: Program, anybody: Program) -> None:
    before = anybody.get("record").content
    bot.act("testing.murmur", words="hush")
    assert anybody.get("record").content == before

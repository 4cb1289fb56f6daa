"""A private act's receipt: the hash to check it by, and not its place in the sealed book."""

import json

import pytest
from pydantic import TypeAdapter

from nomic.engine import actions
from nomic.engine.actions import Action, Inputs
from nomic.engine.forms import ActionForm, Text
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.record.chain import sealed_hash
from nomic.testing import around
from nomic.web.api import shapes
from nomic.web.api.tests.conftest import Program


class Murmur(Action):
    """Say something that nobody hears."""

    name = "testing.murmur"
    title = "Murmur"
    private = True

    class Form(ActionForm):
        words = Text(longest=100)

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        return f"{player} murmurs {data['words']}."


@pytest.fixture(autouse=True)
@around
def _murmuring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(actions._ACTIONS, Murmur.name, Murmur())


def test_the_one_who_acted_gets_its_hash(bot: Program, game: Game) -> None:
    response = bot.act("testing.murmur", "k1", words="hush")
    assert response.status_code == 201
    entry = json.loads(response.content)
    TypeAdapter(shapes.Entry).validate_python(entry)
    sealed = game.sealed_entries.get(name="testing.murmur")
    assert entry["hash"] == sealed.hash == sealed_hash(game.identity, sealed, "Murphy")
    assert (entry["seq"], entry["prev_hash"], entry["sealed_head"]) == (None, None, "")
    assert entry["inputs"] == {"words": "hush"}
    again = bot.act("testing.murmur", "k1", words="hush")
    assert again.status_code == 200
    assert json.loads(again.content) == entry


def test_nobody_else_hears_of_it(bot: Program, anybody: Program) -> None:
    before = anybody.get("record").content
    bot.act("testing.murmur", words="hush")
    assert anybody.get("record").content == before

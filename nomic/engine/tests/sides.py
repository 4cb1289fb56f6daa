"""Acts with a private side, and what it takes to try them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from nomic.engine.actions import _ACTIONS, Action, Inputs, PrivateAction, TwoSidedAction, action
from nomic.engine.effects import Effects, Gain, Then, Verdict
from nomic.engine.forms import ActionForm, Flag, PlayerField, Text, WholeNumber
from nomic.engine.outcomes import Receipt
from nomic.engine.table import Table
from nomic.engine.tests.tiny import COIN
from nomic.engine.tests.tiny import OFFICE as KEEPER
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.record.models import PART
from tests.kit import Take, around

WORD = "xyzzy"


class _OfTiny(Action):
    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.preset == "tiny")


class Bury(_OfTiny, TwoSidedAction):
    """Bury something: that one does it is public, and where is not."""

    name = "tiny.bury"
    title = "Bury something"
    sentence = "Bury {thing} at {place}"

    class Form(ActionForm):
        thing = Text(longest=20)
        place = Text(longest=20)

    def sealed_inputs(self, table: Table, data: Inputs) -> set[str]:
        return {"place"}

    def judge(self, table: Table, player: Player, thing: str | None, place: str | None) -> Effects:
        return Effects(
            say=f"{player} buries {thing}.",
            figures={"thing": thing},
            sealed=f"It lies at {place}.",
        )


class Show(Bury):
    """Bury something where everybody sees it."""

    name = "tiny.show"
    title = "Put something down"

    def sealed_inputs(self, table: Table, data: Inputs) -> set[str]:
        return set()


class Lay(_OfTiny):
    """The same with nothing of a private side."""

    name = "tiny.lay"
    title = "Lay something down"
    Form = Bury.Form

    def judge(self, table: Table, player: Player, thing: str | None, place: str | None) -> Effects:
        return Effects(say=f"{player} lays {thing} at {place}.")


class Give(_OfTiny, TwoSidedAction):
    """Let somebody have a coin, perhaps without a name."""

    name = "tiny.give"
    title = "Let somebody have a coin"

    class Form(ActionForm):
        to = PlayerField()
        nameless = Flag()

    def hides_actor(self, table: Table, data: Inputs) -> bool:
        return bool(data.get("nameless"))

    def judge(self, table: Table, player: Player, to: str | None, nameless: Any) -> Verdict:
        if to is None:
            return None
        who = "Somebody" if nameless else player
        return Effects(Gain(table.seat(to), 1, COIN), say=f"{who} lets {to} have a coin.")


class Hint(_OfTiny, TwoSidedAction):
    """Say something to oneself alone."""

    name = "tiny.hint"
    title = "Hint"
    office = KEEPER

    class Form(ActionForm):
        number = WholeNumber(1, 9)

    def judge(self, table: Table, player: Player | None) -> Effects:
        return Effects(say="A hint is given.", sealed=f"It is {WORD}.")


class Chatter(_OfTiny):
    """Have a private sentence without a private side."""

    name = "tiny.chatter"
    title = "Chatter"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(say="Nothing.", sealed=WORD)


class Mumble(_OfTiny, PrivateAction, TwoSidedAction):
    """Say one half of it in public, or all of it in private."""

    name = "tiny.mumble"
    title = "Mumble"

    class Form(ActionForm):
        words = Text(longest=20)
        aside = Flag()

    def is_private(self, table: Table, data: Inputs) -> bool:
        return bool(data.get("aside"))

    def sealed_inputs(self, table: Table, data: Inputs) -> list[str]:
        return ["words"]

    def judge(self, table: Table, player: Player, words: str | None) -> Effects:
        return Effects(say=f"{player} mumbles.", sealed=f"“{words}”")


class Dig(_OfTiny, TwoSidedAction):
    """Open all parts, and have one."""

    name = "tiny.dig"
    title = "Dig"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(Then(self.open_all))

    def open_all(self, table: Table) -> str:
        opened = table.open_sealed(table.game.sealed_entries.filter(name=PART))
        return " ".join(entry.text for entry in opened)


@pytest.fixture
@around
def acts_with_a_private_side() -> Iterator[None]:
    acts = (Bury, Show, Lay, Give, Hint, Chatter, Mumble, Dig)
    for each in acts:
        action(each)
    yield
    for each in acts:
        _ACTIONS.pop(each.name)


@pytest.fixture
def buried(player: Player, act: Take, acts_with_a_private_side: None) -> Receipt:
    return act(player, "tiny.bury", key="k1", thing="a box", place=WORD)


def is_right(game: Game) -> bool:
    game.refresh_from_db()
    return not [each for each in audit(game) if each.wrong] and replay(game)[1] is None

"""One of a thing is told as one: “1 entry”, never “1 entries”."""

import re

import pytest
from django.utils.html import strip_tags

from nomic.engine.take import take
from nomic.games.models import Player
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Visitor, seat

_ONE_OF_MANY = re.compile(r"(?<![\d.,:/#–-])(?<!of )\b1 ([a-z]+s)\b(?! [a-z]+s\b)")
_NO_PLURALS = frozenset(
    {"is", "has", "waits", "was", "as", "gives", "brings", "pays", "this", "its", "less"}
)
_PAGES = (
    "/",
    "/g/one/",
    "/g/one/horses/",
    "/g/one/proposals/",
    "/g/one/proposals/1/",
    "/g/one/settlers/",
    "/g/one/aceofspades/",
    "/g/one/rules/",
    "/g/one/record/",
    "/g/one/ledger/",
    "/g/one/ledger/Murphy/",
    "/g/one/reports/",
    "/g/one/dice/",
    "/g/one/motions/",
    "/g/one/seat/",
)


def faults(text: str) -> list[str]:
    found = _ONE_OF_MANY.finditer(" ".join(strip_tags(text).split()))
    return [each[0] for each in found if each[1] not in _NO_PLURALS]


@pytest.mark.thorough
def test_no_page_of_a_small_game_tells_one_as_many(db: None, visit: Visitor) -> None:
    game = new_game("one", "demo", pace="manual", start=WEDNESDAY)[0]
    player: Player = seat(game, "Murphy")
    for name in ("settlers.join", "aceofspades.join", "horses.motivate"):
        take("one", player, name)
    take("one", player, "horses.bet", {"horse": "Fargo", "dollaries": 1})
    take("one", player, "proposals.submit", {"body": "Give Murphy 1 point."})
    advance("one", game.anchor_game.replace(day=game.anchor_game.day + 6))
    client = visit(player)
    wrong = {}
    for path in _PAGES:
        answer = client.get(path)
        assert answer.status_code == 200, path
        if told := faults(answer.content.decode()):
            wrong[path] = told
    assert not wrong


def test_what_would_be_a_fault_is_found() -> None:
    assert faults("<p>The whole record, 1 entries</p>") == ["1 entries"]
    assert not faults("1 entry, 21 entries, version 1 is in force")

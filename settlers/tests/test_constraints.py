"""What the database refuses of an isle, whoever asks it."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from nomic.games.models import Game, Player
from settlers.tests.stage import give, visitor_is
from tests.kit import Take, at_the_table

Two = tuple[Player, Player]

_ROW = "(SELECT id FROM settlers_settler WHERE player_id = (SELECT id FROM games_player WHERE name = '{}'))"  # noqa: E501
MURPHY, MADRID = _ROW.format("Murphy"), _ROW.format("Madrid")
_OFFERED = (
    'INSERT INTO settlers_offer (game_id, number, by_id, to_id, gives, takes, entry, "end")'
    " SELECT game_id, {number}, {by}, {to}, gives, takes, entry, '' FROM settlers_offer"
    " WHERE number = 2"
)
_VISITED = (
    "INSERT INTO settlers_visit (game_id, number, visitor, at, entry, sealed, over_in)"
    " SELECT game_id, {number}, visitor, at, entry, sealed, {over} FROM settlers_visit"
    " WHERE number = 1"
)

WRONG = {
    "two Domains hold one number": "UPDATE settlers_settler SET wheat_domain = 5, brick_domain = 5",
    "a Domain holds less than nothing": "UPDATE settlers_settler SET wheat_domain = -1",
    "a player settles twice": "INSERT INTO settlers_settler (game_id, player_id, buildings, ready,"
    " injured, victim, used, entry) SELECT game_id, player_id, buildings, ready, injured, victim,"
    " used, entry FROM settlers_settler",
    "a Settler is deleted": "DELETE FROM settlers_settler",
    "all Settlers are swept away": "TRUNCATE settlers_settler CASCADE",
    "a game has two isles": "INSERT INTO settlers_isle (game_id, is_on, begun_at, production, deck,"
    " arrival, arrived_for, visitor) SELECT game_id, is_on, begun_at, 0, deck, 0, 0, visitor"
    " FROM settlers_isle",
    "a Production has one result": "UPDATE settlers_isle SET second = NULL",
    "a Production has two equal results": "UPDATE settlers_isle SET second = first",
    "a Production has no moment": "UPDATE settlers_isle SET produced_at = NULL",
    "results come of no Production": "UPDATE settlers_isle SET production = 0, arrived_for = 0",
    "a visitor arrives before the Production": "UPDATE settlers_isle"
    " SET arrived_for = production + 1",
    "an ally stands twice": "INSERT INTO settlers_ally (game_id, settler_id, other_id)"
    " SELECT game_id, settler_id, other_id FROM settlers_ally",
    "a Settler is their own ally": "UPDATE settlers_ally SET other_id = settler_id",
    "an offer is deleted": "DELETE FROM settlers_offer",
    "all offers are swept away": "TRUNCATE settlers_offer CASCADE",
    "two offers have one number": _OFFERED.format(number=1, by=MADRID, to=MURPHY),
    "two open offers are one's to one": _OFFERED.format(number=3, by=MURPHY, to=MADRID),
    "an offer is to its maker": _OFFERED.format(number=3, by=MURPHY, to=MURPHY),
    "an offer ends in no entry": "UPDATE settlers_offer SET \"end\" = 'accepted' WHERE number = 2",
    "an open offer has ended": "UPDATE settlers_offer SET ended_in = 1 WHERE number = 2",
    "an offer that ended is open again": "UPDATE settlers_offer SET \"end\" = '' WHERE number = 1",
    "a visit is deleted": "DELETE FROM settlers_visit",
    "all visits are swept away": "TRUNCATE settlers_visit CASCADE",
    "two visits have one number": _VISITED.format(number=1, over=1),
    "two visits go on": _VISITED.format(number=3, over="NULL"),
    "a visit is opened that goes on": "UPDATE settlers_visit SET opened_in = 1"
    " WHERE over_in IS NULL",
    "a visit is opened that seals nothing": "UPDATE settlers_visit"
    " SET opened_in = 1, sealed = false WHERE number = 1",
    "a Settler has two bribes": "INSERT INTO settlers_bribe (game_id, settler_id, items)"
    " SELECT game_id, settler_id, items FROM settlers_bribe",
    "a bribe is nobody's": "UPDATE settlers_bribe SET settler_id = NULL",
    "a stockpile is less than empty": "UPDATE ledger_balance SET amount = -1 WHERE NOT is_mint",
}


@pytest.fixture
def played(game: Game, with_the_thug: Game, produced: Two, act: Take) -> Game:
    """A game with everything that the isle keeps."""
    murphy, madrid = produced
    with at_the_table(game) as table:
        for each in produced:
            give(table, each, wood=5, brick=5)
    offer = {"to": "Madrid", "give": {"wood": 1}, "take": {"brick": 1}}
    act(murphy, "settlers.set_alliance", other="Madrid", listed="on")
    act(murphy, "settlers.offer_trade", **offer)
    act(murphy, "settlers.cancel_trade", offer=1)
    act(murphy, "settlers.offer_trade", **offer)
    visitor_is(game, "Thug")
    visitor_is(game, "Thug")
    act(madrid, "settlers.bribe", items={"wood": 1})
    return game


def test_the_database_refuses_what_no_isle_can_be(played: Game, subtests: pytest.Subtests) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    for what, statement in WRONG.items():
        with (
            subtests.test(what),
            pytest.raises(IntegrityError),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)

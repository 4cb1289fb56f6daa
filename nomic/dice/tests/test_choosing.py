"""Nobody chooses what they roll, not even who knows the master secret and tries keys and names."""

from contextlib import suppress

import pytest

from nomic.dice.models import Roll
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.record.chain import nonce_of
from nomic.record.models import EntryKind

CARDS = list(range(52))
TRIED = 2_000


class Tried(Exception):
    """The hand was looked at, and is not wanted."""


def at(game: Game, actor: Player | None) -> Table:
    """The game's table, at which that player acts, or nobody."""
    wall = wall_now()
    table = Table(game, game.now(wall), wall, locked=True)
    table.actor = actor
    return table


def hand(game: Game, player: Player, nonce: str = "") -> tuple[int, ...]:
    """What this player would be dealt now; nothing of it is kept."""
    table, drawn = at(game, player), []
    table.nonce = nonce
    with suppress(Tried), table.dice.several() as choose:
        drawn = [choose(f"card {turn}", CARDS) for turn in range(1, 8)]
        raise Tried
    return tuple(drawn)


@pytest.mark.thorough
def test_two_thousand_keys_and_names_give_one_and_the_same_deal(game: Game, player: Player) -> None:
    table, hands, words = at(game, player), set(), set()
    for number in range(TRIED):
        player.name, table.nonce = f"Murphy {number}", nonce_of(f"key {number}")
        words.add(table.whose_dice())
        if number % 100 == 0:
            hands.add(hand(game, player, table.nonce))
    assert len(words) == 1
    assert len(hands) == 1
    assert not Roll.objects.filter(label="card 1").exists()


def acts(game: Game, player: Player, kind: EntryKind = EntryKind.ACTION) -> None:
    """Let the player make an entry of that kind."""
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        table.write(kind, "testing.act", player, {}, Outcome("Something is done."))
        kept = Game.objects.get(pk=game.pk)
        for name in ("last_act", "last_actor", "act_of_another"):
            assert getattr(locked, name) == getattr(kept, name)
    game.refresh_from_db()


@pytest.mark.thorough
def test_an_act_of_the_own_changes_no_deal_and_one_of_another_player_does(
    game: Game, player: Player, rival: Player
) -> None:
    acts(game, rival)
    first = hand(game, player)
    acts(game, player)
    assert hand(game, player) == first
    acts(game, rival)
    assert hand(game, player) != first


def test_what_rolls_come_after_is_what_the_record_says(
    game: Game, player: Player, rival: Player
) -> None:
    """The game's row has at once what can be read off the entries one by one."""
    order = [player, rival, rival, player, player, rival, player]
    for number, who in enumerate(order):
        acts(game, who, (EntryKind.ACTION, EntryKind.OFFICER)[number % 2])
        acts(game, who, EntryKind.EVENT)
        made = game.entries.filter(actor__isnull=False).exclude(kind=EntryKind.EVENT)
        for actor in (player, rival, None):
            assert at(game, actor).whose_dice()[1] == made.exclude(actor=actor).latest("seq").hash

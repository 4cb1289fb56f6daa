"""Setting the stage of the contest: contestants with what they have in hand, days that pass."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from aceofspades.events import moves
from aceofspades.models import Contest, Contestant, Proposal
from aceofspades.secrecy import reader
from aceofspades.state.reading import state_of
from nomic.engine.catch_up import catch_up
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import Holder, HolderKind
from nomic.operations.setup import advance
from tests.kit import at_the_table, seat

PRESET = "ace-of-spades"
_FEW = 50


def open_the_contest(game: Game) -> Contest:
    """Let what is due at the contest's beginning happen: its secret regulations are drawn."""
    catch_up(game.pk)
    return Contest.objects.get(game=game)


def join(game: Game, *players: Player) -> None:
    """Let these players become contestants, in this order."""
    for player in players:
        take(game.slug, player, "aceofspades.join")


def crowd(game: Game, count: int) -> list[Player]:
    """So many more contestants, by the names of contestant1, contestant2 …

    Many are written as rows: what as many acts would leave.
    """
    if count > _FEW:
        return _multitude(game, count)
    players = [seat(game, f"contestant{number}") for number in range(1, count + 1)]
    join(game, *players)
    return players


def _multitude(game: Game, count: int) -> list[Player]:
    players = Player.objects.bulk_create(
        Player(game=game, name=f"contestant{number}", joined_at=game.anchor_game)
        for number in range(1, count + 1)
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=player.name, player=player)
        for player in players
    )
    with at_the_table(game) as table:
        state = state_of(table)
        Contestant.objects.bulk_create(
            Contestant(
                contest=state.contest,
                player=player,
                turn=len(state.everybody) + place,
                joined_at=table.now,
                joined_in=table.seq,
                dealt=7,
            )
            for place, player in enumerate(players, 1)
        )
        holders = Holder.objects.filter(player__in=players).values_list("pk", flat=True)
        for asset in state.assets:
            table.ledger.pay_out(dict.fromkeys(holders, 2), asset)
    return list(Player.objects.filter(pk__in=[player.pk for player in players]).order_by("pk"))


def hand_of(game: Game, player: Player) -> dict[str, int]:
    """What the player has of each suit, those without cards left out."""
    state = state_of(glance(game))
    return {suit: n for suit, n in reader.hand_of(state, player).items() if n}


def deck_of(game: Game) -> dict[str, int]:
    """What the Deck has of each suit."""
    return dict(reader.deck_of(state_of(glance(game))))


def give_cards(game: Game, player: Player, **cards: int) -> None:
    """Let the player's hand be exactly these cards, by suit."""
    with at_the_table(game) as table:
        hand = {suit: n for suit, n in reader.hand_of(state_of(table), player).items() if n}
        moves.move(table, "to begin with", (player, None, hand))
        moves.move(table, "to begin with", (None, player, cards))


def enact(game: Game, number: int, text: str, visibility: str = "public") -> None:
    """Let a regulation be in force as if it had been adopted."""
    from aceofspades.events import book

    with at_the_table(game) as table:
        book.take_effect(table, number, text, visibility)


def hours(game: Game, number: float) -> int:
    """Move the game's time by so many hours; returns how much happened by itself."""
    game.refresh_from_db()
    return advance(game.slug, game.anchor_game + timedelta(hours=number))


def days(game: Game, number: float) -> int:
    """Move the game's time by so many days; returns how much happened by itself."""
    return hours(game, 24 * number)


def propose(
    game: Game, player: Player, number: int = 500, text: str = "Nothing more.", **inputs: Any
) -> Proposal:
    """A proposal of that player, up for vote."""
    take(
        game.slug,
        player,
        "aceofspades.propose",
        {"number": number, "text": text, "visibility": "public", **inputs},
    )
    return Proposal.objects.filter(contest__game=game).latest("number")


def vote(game: Game, proposal: Proposal, votes: Mapping[Player, str]) -> None:
    """Let these players vote on it."""
    for player, way in votes.items():
        take(game.slug, player, "aceofspades.vote", {"proposal": proposal.number, "vote": way})


def contestant(player: Player) -> Contestant:
    """The player's row in the contest, as it is now."""
    return Contestant.objects.get(player=player)

"""Taking an action: the one door by which people change a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import Q

from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.play import watch
from nomic.play.actions import (
    Action,
    admission,
    find_action,
    judgement,
    table_broken,
)
from nomic.play.catch_up import catch_up
from nomic.play.outcomes import Busy, Malformed, Outcome, Receipt, Refused, UnknownGame
from nomic.play.table import Table, locked_game
from nomic.record.models import Entry, Kind, SealedEntry
from nomic.rulebook.tables import TableBroken

Actor = Player | AbstractBaseUser | None
LONGEST_KEY = 80
_ROUNDS = 5


def take(
    slug: str,
    actor: Actor,
    name: str,
    data: Mapping[str, Any] | None = None,
    key: str = "",
    *,
    typed: bool = False,
) -> Receipt:
    """Take the action in the game of that slug, after everything that was due before it.

    `actor` is the user or the player who acts; None is the program's operator. The same `key`
    from the same actor gives the first receipt again. `typed` insists on JSON's types.

    Raises Refused, Malformed, Busy, UnknownGame, UnknownAction; then nothing has changed but
    what was due anyway.
    """
    if not slug.isprintable():
        raise UnknownGame("There is no game of that name.")
    action = find_action(name)
    owned_key = _owned_key(actor, key)
    for _ in range(_ROUNDS):
        try:
            ended = _attempt(slug, actor, action, dict(data or {}), owned_key, typed)
        except IntegrityError:
            first = _first_receipt(slug, action, owned_key)
            if first is None:
                raise
            return first
        if isinstance(ended, Receipt):
            return ended
        catch_up(ended)
    raise Busy


def _attempt(
    slug: str, actor: Actor, action: Action, data: dict[str, Any], key: str | None, typed: bool
) -> Receipt | int:
    """Judge and perform under the lock; the game's id where something is due before it."""
    with locked_game(Q(slug=slug, scratch=False)) as game:
        if game is None:
            raise UnknownGame(f"There is no game “{slug[:60]}”.")
        wall = wall_now()
        table = Table(game, game.now(wall), wall, locked=True)
        if table.overdue:
            return game.pk
        player, operator = who_acts(table, actor, action)
        try:
            entry = perform(table, player, action, data, key, typed=typed, operator=operator)
        except (Refused, Malformed):
            first = _first_receipt(slug, action, key)
            if first is None:
                raise
            return first
        if isinstance(entry, Entry):
            transaction.on_commit(lambda: watch.bump(entry.game_id, entry.seq))
        return Receipt(entry)


def perform(
    table: Table,
    player: Player | None,
    action: Action,
    data: Mapping[str, Any],
    key: str | None = None,
    *,
    typed: bool = False,
    operator: bool = False,
) -> Entry | SealedEntry:
    """Judge and do one action at a locked table; raises Refused or Malformed.

    A replay calls this as well, so that what was legal is judged again.
    """
    not_admitted = admission(action, table, player, operator=operator)
    if not_admitted is not None:
        raise Refused(not_admitted)
    inputs = action.Form(table, player, data).inputs(typed=typed)
    refusal = judgement(action, table, player, inputs)
    if refusal is not None:
        raise Refused(refusal)
    private = action.is_private(table, inputs)
    if private:
        table.go_private()
    try:
        done = action.perform(table, player, inputs)
    except TableBroken as broken:
        raise Refused(table_broken(broken, action)) from broken
    outcome = Outcome(done) if isinstance(done, str) else done
    if private:
        return table.seal(action.name, player, inputs, outcome, rule=action.rule, key=key)
    kind = Kind.OFFICER if action.office else Kind.ACTION
    return table.write(kind, action.name, player, inputs, outcome, rule=action.rule, key=key)


def seat_of(table: Table, actor: Actor) -> Player | None:
    """The actor's seat as it is now, with its holder; None for people without one."""
    seats = table.game.players.select_related("holder")
    if isinstance(actor, Player):
        return seats.get(pk=actor.pk)
    if actor is None:
        return None
    table.visitor = actor
    return seats.filter(user_id=actor.pk).first()


def who_acts(table: Table, actor: Actor, action: Action) -> tuple[Player | None, bool]:
    """The actor's seat, and whether they act as the operator: in an office that is not theirs."""
    player, operates = seat_of(table, actor), _operates(actor)
    if action.office and operates and not _holds(player, action):
        player = None
    return player, player is None and operates


def _operates(actor: Actor) -> bool:
    return actor is None or bool(getattr(actor, "is_superuser", False))


def _holds(player: Player | None, action: Action) -> bool:
    return player is not None and action.is_of(player.offices.values_list("name", flat=True))


def _owned_key(actor: Actor, key: str) -> str | None:
    """The key as the record keeps it: each person's keys are their own."""
    if not key:
        return None
    if len(key) > LONGEST_KEY or not key.isprintable():
        sentence = f"A key has at most {LONGEST_KEY} characters, none of them invisible."
        raise Refused(Refusal("bad_key", sentence))
    user = actor.user_id if isinstance(actor, Player) else getattr(actor, "pk", None)
    seat = f"seat {actor.pk}" if isinstance(actor, Player) and user is None else user
    return f"{seat or 'operator'}/{key}"


def _first_receipt(slug: str, action: Action, key: str | None) -> Receipt | None:
    """The receipt that this key got before; Refused where it served another action."""
    if key is None:
        return None
    game = Game.objects.get(slug=slug)
    _refuse_a_key_of_the_other_book(game, action, key)
    entry = _kept_under(game, key, private=action.private)
    if entry is None and action.perhaps_private:
        entry = _kept_under(game, key, private=True)
    if entry is None:
        return None
    if entry.name != action.name:
        raise _key_used(entry)
    return Receipt(entry, repeated=True)


def _refuse_a_key_of_the_other_book(game: Game, action: Action, key: str | None) -> None:
    """A key serves once in both books; for an action that may go to either, both are its own."""
    if action.perhaps_private:
        return
    entry = _kept_under(game, key, private=not action.private)
    if entry is not None:
        raise _key_used(entry)


def _kept_under(game: Game, key: str | None, *, private: bool) -> Entry | SealedEntry | None:
    if key is None:
        return None
    book = SealedEntry if private else Entry
    return book.objects.filter(game=game, key=key).select_related("actor").first()


def _key_used(entry: Entry | SealedEntry) -> Refused:
    """The refusal; a sealed entry goes by its hash, since its number is nobody's business."""
    sealed = isinstance(entry, SealedEntry)
    which = f"the sealed entry {entry.hash}" if sealed else f"entry {entry.seq}"
    sentence = f"This key was used for {which} already. Send a new key."
    return Refused(Refusal("key_used", sentence))

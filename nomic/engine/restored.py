"""A database that was restored from a backup lacks what the site has told since then.

Going on by itself it would tell another history under the same numbers and the same key. So the
newest heads are kept outside of it, in `var` and in the cache; where some are beyond what it holds,
no game goes on before its operator has put the loss on the record.
"""

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction

from nomic.engine import watch
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Busy, Outcome
from nomic.engine.table import Table, tell_of_rest
from nomic.games.clock import iso, read_moment, wall_now
from nomic.games.models import Game
from nomic.infrastructure.database.compiled_queries import update
from nomic.record.heads import Head, read_head
from nomic.record.keys import has_signed, head_of
from nomic.record.models import Entry, EntryKind

log = logging.getLogger(__name__)

RESTORED = "games.restored"
_CACHED, _KEPT_FOR = "nomic:heads", 30 * 86_400  # seconds
# What a restore is taken to have lost at most where nobody knows; a head beyond it counts as a loss
# of its own.
UNKNOWN_ENTRIES = 1_000
UNKNOWN_ACCOUNTS = 100_000


@dataclass(frozen=True, slots=True)
class KeptHead:
    """The newest head of a game, as it was kept outside of the database at that wall moment."""

    game: str  # its identity
    head: Head
    at: datetime


# Keeping heads, and looking whether the database has them


def keep_heads() -> None:
    """Keep the newest heads of all games, where those that are kept are no loss of the database;
    of a game that is held, those that were, and for a month of one that it does not have at all,
    since the right backup may yet come."""
    hold_where_lost()
    wall = iso(wall_now())
    before = {kept_head.game: kept_head for kept_head in _kept_in(_file_text())}
    rows = {name: [str(before[name].head), iso(before[name].at)] for name in games_not_here()}
    for game in Game.objects.filter(scratch=False, last_entry__gt=0).iterator():
        kept_head = before.get(game.identity)
        if kept_head and (game.restored or kept_head.head.number == game.last_entry):
            rows[game.identity] = [str(kept_head.head), iso(kept_head.at)]
        elif not game.restored:
            rows[game.identity] = [str(head_of(game)), wall]
    text = json.dumps(rows)
    fresh = settings.HEADS_FILE.with_suffix(f".{os.getpid()}")
    fresh.write_text(text)
    fresh.replace(settings.HEADS_FILE)
    cache.set(_CACHED, text, _KEPT_FOR)


def games_not_here() -> list[str]:
    """The identities of the games of which a head was kept within a month, and of which the
    database has nothing."""
    since = wall_now() - timedelta(seconds=_KEPT_FOR)
    identities = {head.game for head in _kept_in(_file_text()) if head.at > since}
    return sorted(identities.difference(Game.objects.values_list("identity", flat=True)))


def hold_where_lost() -> int:
    """Hold all games where a head was kept that the database does not have; returns of how many
    games it lacks some."""
    losses = _losses()
    if losses:
        since = max(loss.at for loss in losses.values())
        hold_all({pk: loss.head for pk, loss in losses.items()}, since)
    return len(losses)


def look_at_the_start() -> None:
    """The same for a process that starts. A database that is away is looked at a minute later."""
    try:
        if count := hold_where_lost():
            log.error("The database lacks entries of %s games: see `manage.py restored`", count)
    except (DatabaseError, Busy) as error:
        log.warning("Nobody knows whether the database was restored: %s", type(error).__name__)


def hold_all(losses: Mapping[int, Head], since: datetime) -> None:
    """Hold every game, of which those have lost entries; but not where the record tells already of
    a restore after the wall moment `since`. Raises Busy."""
    _pass_over_lost_accounts()
    for pk in list(Game.objects.filter(scratch=False).values_list("pk", flat=True)):
        hold(pk, losses.get(pk), since)


def _pass_over_lost_accounts() -> None:
    """Let no new account or address have a number that a lost one had: links in earlier letters
    name an address by its number, and would confirm somebody else's."""
    with connection.cursor() as cursor:
        for model in (get_user_model(), EmailAddress):
            cursor.execute(
                "SELECT setval(name, nextval(name) + %s)"
                " FROM (SELECT pg_get_serial_sequence(%s, 'id')::regclass AS name) AS numbers",
                [UNKNOWN_ACCOUNTS, model._meta.db_table],
            )


def hold(game_pk: int, head: Head | None, since: datetime | None = None) -> bool:
    """Let nothing happen in the game before its operator has said on the record what is lost, be it
    up to that head or nobody knows how much. Whether it is held: not where the database has the
    head, or the record tells of the loss already. Raises Busy."""
    with locked_game(pk=game_pk, urgent=True) as game:
        if game is None or game.scratch or is_told(game, head, since):
            return False
        if head is not None and head.number <= game.last_entry:
            return False
        number = head.number if head else 0
        if game.restored and number <= game.restored["to"]:
            return True
        game.restored, game.load = {"to": number}, {}
        game.set_aside = _sentence(game.last_entry, number)
        update(game, "restored", "load", "set_aside")
        tell_of_rest(game, wall_now())
        transaction.on_commit(partial(watch.bump_resting, game.pk))
    return True


class Lacking(Exception):
    """The database lacks an entry of that game which the site has told."""

    def __init__(self, game_id: int) -> None:
        super().__init__()
        self.game_id = game_id


def lacks(game: Game, head: Head) -> bool:
    """Whether this site has signed that head, beyond the last entry of the locked game, and the
    record does not tell that it is lost."""
    is_beyond = head.number > game.last_entry and not is_told(game, head)
    return is_beyond and has_signed(game, head)


def is_told(game: Game, head: Head | None, since: datetime | None = None) -> bool:
    """Whether the record tells of a restore after that wall moment, or, without one, of a restore
    that took an entry of that number."""
    if since is not None:
        return game.entries.filter(name=RESTORED, recorded_at__gt=since).exists()
    return head is not None and mark_of(game, head.number) is not None


def mark_of(game: Game, number: int) -> Entry | None:
    """The entry that tells of a restore which took an entry of that number."""
    marks = game.entries.filter(name=RESTORED, seq__lte=number)
    return next((mark for mark in marks if number <= mark.inputs["to"]), None)


def _losses() -> dict[int, KeptHead]:
    """The furthest kept head that the database lacks, by the key of its game; none of a loss that
    is known."""
    kept_heads = [*_kept_in(_file_text()), *_kept_in(cache.get(_CACHED) or "")]
    identities = {kept_head.game for kept_head in kept_heads}
    games = {
        game.identity: game for game in Game.objects.filter(scratch=False, identity__in=identities)
    }
    losses: dict[int, KeptHead] = {}
    for kept_head in sorted(kept_heads, key=lambda kept_head: kept_head.head.number):
        game = games.get(kept_head.game)
        if game is None or kept_head.head.number <= max(
            game.last_entry, game.restored.get("to", 0)
        ):
            continue
        if has_signed(game, kept_head.head) and not is_told(game, kept_head.head, kept_head.at):
            losses[game.pk] = kept_head
    return losses


def _file_text() -> str:
    try:
        return str(settings.HEADS_FILE.read_text())
    except OSError:
        return ""


def _kept_in(text: str) -> Iterator[KeptHead]:
    """The heads that are kept in that text; nothing of what cannot be read."""
    rows: Any = None
    with suppress(ValueError):
        rows = json.loads(text)
    for identity, row in rows.items() if isinstance(rows, dict) else ():
        with suppress(ValueError, TypeError):
            written, at = row
            if head := read_head(written):
                yield KeptHead(identity, head, read_moment(at))


def _sentence(last: int, to: int) -> str:
    loss = f"Nobody knows what of this game came after entry {last} and is lost."
    if to:
        entries = f"Entry {to}" if to == last + 1 else f"Entries {last + 1} to {to}"
        loss = f"{entries} of this game, and perhaps later ones, are lost."
    return (
        f"This site was restored from a backup. {loss} Nothing happens here before who runs the"
        " site has put that on the record and lets the game go on."
    )


# Going on


def let_go_on(slug: str, reason: str) -> Entry | None:
    """Put on the record what the game has lost by a restore, as the operator's word, and let it go
    on; None where it is not held. Raises Busy."""
    with locked_game(slug=slug, scratch=False, urgent=True) as game:
        if game is None or not game.restored:
            return None
        wall = wall_now()
        table = Table(game, game.now(wall), wall, locked=True)
        entry = begin_anew(table, game.restored["to"] or None, reason)
        game.restored, game.set_aside = {}, ""
        update(game, "restored", "set_aside")
        transaction.on_commit(partial(watch.bump, game.pk, entry.seq))
        transaction.on_commit(partial(watch.bump_resting, game.pk))
    return entry


def begin_anew(table: Table, to: int | None, reason: str) -> Entry:
    """Say at a locked table that the entries from this one on up to that number are lost, or, with
    None, that nobody knows which; a replay calls this as well.

    The dice begin a period whose seed served none of them: each of those entries can have opened
    one.
    """
    old, number = table.dice.close_period(), table.seq
    last = number + UNKNOWN_ENTRIES - 1 if to is None else max(to, number)
    new = table.dice.open_period(old.number + 2 + last - number)
    loss = f"entries {number} to {last} are lost"
    if last == number:
        loss = f"entry {number} is lost"
    if to is None:
        loss = f"nobody knows how many entries are lost, {number} to {last} at most"
    text = (
        f"The operator says that this site was restored from a backup, and that {loss}:"
        f" {reason.rstrip('.')}. The dice's seed {old.number} is published: {old.seed}. Seed"
        f" {new.number} is committed to as {new.commitment}."
    )
    figures = {
        "lost": [number, last],
        "published": {"number": old.number, "seed": old.seed, "commitment": old.commitment},
        "committed": {"number": new.number, "commitment": new.commitment},
    }
    inputs = {"to": last, "known": to is not None, "reason": reason}
    return table.write(EntryKind.SYSTEM, RESTORED, None, inputs, Outcome(text, figures))

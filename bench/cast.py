"""Many players and many games, quickly and honestly: set-based, past no trigger."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime

from django.apps import apps
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.cached_db import SessionStore
from django.core.management.color import no_style
from django.db import connection, models, transaction

from horses.state import state_of
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance, Holder, HolderKind, Posting
from nomic.operations.setup import new_game
from nomic.record.chain import entry_hash, genesis
from nomic.record.models import Entry, SealedEntry, SeenHead, SiteKey
from tests.kit import at_the_table

SUNDAY = datetime(2026, 3, 8, 12, tzinfo=UTC)
MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
_BATCH = 2000
_A_TRANSACTION = 200  # games
_LABELS = ("games", "ledger", "record", "dice", "rulebook", "play", "horses")


def races(slug: str, *, pace: str = "manual", rate: int = 1) -> Game:
    """A game of horse races at noon of a Sunday, half a day before the horses run."""
    return new_game(slug, "agora-races", pace=pace, start=SUNDAY, rate=rate)[0]


def users(count: int, called: str = "player") -> list[User]:
    """So many users, none of whom can sign in with a password."""
    made = [
        User(username=f"{called}{number}", password=f"!{secrets.token_urlsafe(12)}")
        for number in range(1, count + 1)
    ]
    return User.objects.bulk_create(made, batch_size=_BATCH)


def session(user: User) -> str:
    """The key of a session in which that user is signed in."""
    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "nomic.web.accounts.signing_in.AccountBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def seat(game: Game, people: Sequence[User] | int) -> None:
    """Seat those users, or so many players without users, as one entry of the record."""
    count = people if isinstance(people, int) else len(people)
    with at_the_table(game) as table:
        seats = Player.objects.bulk_create(
            (
                Player(
                    game=table.game,
                    user=None if isinstance(people, int) else people[number],
                    name=f"player{number + 1}",
                    joined_at=table.now,
                )
                for number in range(count)
            ),
            batch_size=_BATCH,
        )
        Holder.objects.bulk_create(
            (
                Holder(game=table.game, kind=HolderKind.PLAYER, name=player.name, player=player)
                for player in seats
            ),
            batch_size=_BATCH,
        )
        given = state_of(table).charts.starting_dollaries
        table.ledger.create_for_each(table.game.players.all(), given, "dollary", "to begin with")
    game.refresh_from_db()


# Copies of a game

_HEADS = (Entry, SealedEntry, Balance, SiteKey, SeenHead)


def copies(template: Game, count: int) -> list[Game]:
    """So many further games like the template, each with a record and a ledger of its own.

    Row by row they get the template's ids plus a multiple of a number beyond all ids in use.
    ValueError for a template in which something happened by itself already.
    """
    if template.sealed_count:
        raise ValueError("Only a game in which nothing has happened by itself can be copied.")
    rooms = [model for model in _in_order() if model not in _HEADS]
    beyond = 1 + max(model.objects.aggregate(last=models.Max("pk"))["last"] or 0 for model in rooms)
    games = []
    for first in range(1, count + 1, _A_TRANSACTION):
        numbers = range(first, min(first + _A_TRANSACTION, count + 1))
        with transaction.atomic():
            games += _copy(template, rooms, numbers, beyond)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), rooms):
            cursor.execute(statement)
    return games


def _copy(
    template: Game, rooms: list[type[models.Model]], numbers: range, beyond: int
) -> list[Game]:
    games = _copy_games(template, numbers, beyond)
    for model in rooms:
        if model not in (Game, Posting):
            _copy_rows(model, _of(model, template), numbers, beyond)
    _copy_history(template, dict(zip(numbers, games, strict=True)), beyond)
    return games


def _copy_games(template: Game, numbers: range, beyond: int) -> list[Game]:
    kept = {field.attname: getattr(template, field.attname) for field in Game._meta.fields}
    begun = {"last_entry": 0, "last_at": None, "last_act": "", "last_actor": None}
    made = []
    for number in numbers:
        slug = f"{template.slug}-{number}"
        heads = {"record_head": genesis(slug), "sealed_head": genesis(slug, "sealed book")}
        own = {"id": template.pk + number * beyond, "slug": slug, "identity": slug}
        made.append(Game(**{**kept, **begun, **heads, **own}))
    return Game.objects.bulk_create(made, batch_size=_BATCH)


def _copy_rows(
    model: type[models.Model], rows: models.QuerySet[models.Model], numbers: range, beyond: int
) -> None:
    """Insert the rows so many times, each time with shifted ids and references."""
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    columns = ", ".join(field.column for field in fields)
    shifted = ", ".join(
        f"t.{field.column} + n * %s::bigint" if _is_shifted(field) else f"t.{field.column}"
        for field in fields
    )
    shifts = [beyond] * sum(map(_is_shifted, fields))
    pk = model._meta.pk.column
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({columns}) SELECT {shifted}"
            f" FROM {model._meta.db_table} t, generate_series(%s::int, %s::int) n"
            f" WHERE t.{pk} = ANY(%s) ORDER BY n, t.{pk}",
            [*shifts, numbers[0], numbers[-1], list(rows.values_list("pk", flat=True))],
        )


def _is_shifted(field: models.Field) -> bool:
    if field.related_model is None:
        return bool(field.primary_key)
    return field.related_model._meta.app_label in _LABELS


def _copy_history(template: Game, games: dict[int, Game], beyond: int) -> None:
    """Write the template's entries into each record, with the postings that each made."""
    for entry in template.entries.select_related("actor").order_by("seq"):
        postings = Posting.objects.filter(transfer__game=template, transfer__entry=entry.seq)
        if postings.exists():
            _copy_rows(Posting, postings, range(min(games), max(games) + 1), beyond)
        written = []
        for number, game in games.items():
            actor_id = entry.actor_id and entry.actor_id + number * beyond
            own = {"id": None, "game": game, "prev_hash": game.record_head, "key": None}
            fields = {field.attname: getattr(entry, field.attname) for field in Entry._meta.fields}
            for name in ("id", "game_id", "prev_hash", "key", "actor_id"):
                fields.pop(name)
            copy = Entry(**fields, **own, actor=entry.actor)
            copy.hash, copy.actor_id = entry_hash(copy), actor_id
            game.record_head, game.last_entry, game.last_at = copy.hash, copy.seq, copy.at
            written.append(copy)
        Entry.objects.bulk_create(written, batch_size=_BATCH)


def _in_order() -> list[type[models.Model]]:
    """The models of games, each after those that it references."""
    waiting = [model for label in _LABELS for model in apps.get_app_config(label).get_models()]
    ordered: list[type[models.Model]] = []
    while waiting:
        model = next(
            model
            for model in waiting
            if all(
                field.related_model in (*ordered, model) or not _is_shifted(field)
                for field in model._meta.concrete_fields
                if field.related_model
            )
        )
        waiting.remove(model)
        ordered.append(model)
    return ordered


def _of(model: type[models.Model], game: Game) -> models.QuerySet[models.Model]:
    """The rows of that model which belong to the game."""
    return model.objects.filter(**{_way_to_the_game(model): game}).order_by("pk")


def _way_to_the_game(model: type[models.Model]) -> str:
    references = [field for field in model._meta.concrete_fields if field.related_model]
    for field in references:
        if field.related_model is Game:
            return field.name
    through = next(f for f in references if f.related_model is not model and _is_shifted(f))
    return f"{through.name}__{_way_to_the_game(through.related_model)}"

"""Triggers and keys by which the database itself keeps what must never be lost, and each game apart
from the others; and what of a game's rows is not for everybody."""

from dataclasses import dataclass
from typing import Any

import pgtrigger
from django.core.checks import CheckMessage, Error
from django.db import models


def _refusing(
    name: str,
    operation: pgtrigger.Operation | pgtrigger.Operations,
    unless: str = "",
) -> pgtrigger.Trigger:
    sentence = "'% of rows of % is refused: they are kept for good', TG_OP, TG_TABLE_NAME"
    but_then = f"IF {unless} THEN RETURN NULL; END IF;\n        " if unless else ""
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=operation,
        func=f"""
        {but_then}RAISE EXCEPTION {sentence}
          USING ERRCODE = 'restrict_violation';
        """,
    )


_ANY_CHANGE = pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate
_ANY_LOSS = pgtrigger.Delete | pgtrigger.Truncate
APPEND_ONLY = _refusing("append_only", _ANY_CHANGE)
NEVER_DELETED = _refusing("never_deleted", _ANY_LOSS)

# Rows that follow from the record, which keeps what was: they are as they are written, until a
# ratification makes them as they are in another past.
RATIFYING = "nomic.ratifying"  # on, within the transaction that does so
_RATIFIED = f"current_setting('{RATIFYING}', true) = 'on'"
WRITTEN_ONCE = _refusing("append_only", _ANY_CHANGE, unless=_RATIFIED)
NEVER_TAKEN_AWAY = _refusing("never_deleted", _ANY_LOSS, unless=_RATIFIED)
NEVER_REWRITTEN = _refusing("never_changed", pgtrigger.Update, unless=_RATIFIED)

ONLY_BY_ENTRIES = """
IF OLD.identity <> NEW.identity OR OLD.format <> NEW.format
   OR pg_trigger_depth() < 2
  AND (OLD.last_entry, OLD.last_at, OLD.record_head, OLD.last_act, OLD.last_actor,
       OLD.act_of_another, OLD.sealed_count, OLD.sealed_head, OLD.sealed_books)
      IS DISTINCT FROM
      (NEW.last_entry, NEW.last_at, NEW.record_head, NEW.last_act, NEW.last_actor,
       NEW.act_of_another, NEW.sealed_count, NEW.sealed_head, NEW.sealed_books)
THEN
  RAISE EXCEPTION 'the ends of both books are kept by their entries and cannot be written'
    USING ERRCODE = 'check_violation';
END IF;
RETURN NEW;
"""

# The entry in which an office came to its holder.
HELD_SINCE = """
IF TG_OP = 'UPDATE' AND NEW.holder_id IS NOT DISTINCT FROM OLD.holder_id THEN
  NEW.since := OLD.since;
ELSIF NEW.holder_id IS NULL THEN
  NEW.since := NULL;
ELSE
  SELECT last_entry + 1 INTO NEW.since FROM games_game WHERE id = NEW.game_id;
END IF;
RETURN NEW;
"""


_NOBODY = models.Q(pk__in=())


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a model `hides`: its rows, or these `fields` of them alone, are for some to see, but for
    the rows `unless`, which are everybody's. A book of officers leaves them out, and walks for
    secrets look for them. A model that hides nothing and has no book says
    `hides = None`."""

    fields: tuple[str, ...] = ()
    unless: models.Q = _NOBODY

    @property
    def seen(self) -> models.Q:
        """The rows of which everybody may see something."""
        return models.Q() if self.fields else self.unless


# Every row of a game names its game, and what it refers to is of the same one.


class InGame[Set, Get](models.ForeignKey[Set, Get]):
    """A reference to a row of the same game: `of_one_game` holds it, in one constraint with the
    game's own key."""

    def __init__(self, to: Any, on_delete: Any, **options: Any) -> None:
        super().__init__(to, on_delete, **(options | {"db_constraint": False}))

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.ForeignKey", args, kwargs

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Also that the model's constraints keep the row in the game."""
        faults, meta = super().check(**kwargs), self.model._meta
        if any(
            isinstance(constraint, OfOneGame) and constraint.field == self.name
            for constraint in meta.constraints
        ):
            return faults
        sentence = f"The constraints of {meta.label} have no of_one_game for “{self.name}”."
        return [*faults, Error(sentence, obj=self.model, id="games.E001")]


class EntryNumber(models.PositiveIntegerField):  # type: ignore[type-arg]
    """The number of an entry of the game's record. In another past the same entry may have another
    number."""

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.PositiveIntegerField", args, kwargs


class OfOneGame(models.BaseConstraint):
    """A foreign key over the game and the field, looked at when the transaction ends: the row to
    which the field refers is there, and of the game that this row names."""

    def __init__(self, *, field: str, name: str) -> None:
        super().__init__(name=name)
        self.field = field

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        # Migrations add constraints in any order; at a migration's end, the unique pair to which
        # this one refers is there.
        quote, field = schema_editor.quote_name, model._meta.get_field(self.field)
        to = field.related_model._meta
        schema_editor.deferred_sql.append(
            f"ALTER TABLE {quote(model._meta.db_table)} ADD CONSTRAINT {quote(self.name)}"
            f" FOREIGN KEY (game_id, {quote(field.column)}) REFERENCES {quote(to.db_table)}"
            f" (game_id, {quote(to.pk.column)}) DEFERRABLE INITIALLY DEFERRED"
        )
        return ""

    constraint_sql = create_sql  # nothing that stands in CREATE TABLE

    def remove_sql(self, model: Any, schema_editor: Any) -> str:
        table = schema_editor.quote_name(model._meta.db_table)
        return f"ALTER TABLE {table} DROP CONSTRAINT {schema_editor.quote_name(self.name)}"

    def validate(self, *_: Any, **__: Any) -> None:
        """Nothing: the database alone looks."""

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, {**kwargs, "field": self.field}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OfOneGame) and self.deconstruct() == other.deconstruct()

    def __hash__(self) -> int:
        return hash(self.name)


def of_one_game(table: str, *fields: str) -> tuple[OfOneGame, ...]:
    """Constraints by which rows that these fields refer to are of the same game as their own."""
    return tuple(OfOneGame(field=field, name=f"{table}_{field}_of_one_game") for field in fields)


def referred_to(table: str, key: str = "id") -> models.UniqueConstraint:
    """The unique pair of game and key by which `of_one_game` refers to rows of that table."""
    return models.UniqueConstraint(fields=("game", key), name=f"{table}_of_its_game")

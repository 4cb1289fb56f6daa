"""The entries of the record as the API and the files of a game tell them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import BeforeValidator, SerializerFunctionWrapHandler, model_serializer

from nomic.games.clock import iso


def name_of(row: Any) -> Any:
    return None if row is None else str(row)


Name = Annotated[str, BeforeValidator(name_of)]
NameOrNull = Annotated[str | None, BeforeValidator(name_of)]


Moment = Annotated[
    str, BeforeValidator(lambda moment: iso(moment) if isinstance(moment, datetime) else moment)
]


class Statement(Schema):
    """What a signature of this site is of; its canonical form (RFC 8785) is signed. A private act's
    has no `number`, but the hash of its `content`."""

    says: str
    game: str
    book: str
    number: int | None
    hash: str
    content: str | None
    key: str


class Receipt(Schema):
    """What the site has signed of an act. `doubt` is empty, or says what is wrong with the head
    that the request named."""

    said: Statement
    signature: str
    public_key: str
    doubt: str


class Commitment(Schema):
    """With the fields of a private act these make its content: its actor sees what was sealed."""

    book: str
    after: int
    salt: str
    content: str


class _Written(Schema):
    """What the entries of every book have. `actor` is the name by which the player went then."""

    at: Moment
    recorded_at: Moment
    name: str
    actor: NameOrNull
    inputs: dict[str, Any]
    outcome: dict[str, Any]
    text: str
    rule: str
    hash: str
    effects: list[dict[str, Any]]
    saw: list[Any] | None
    nonce: str

    @staticmethod
    def resolve_actor(entry: Any) -> Any:
        """The name of which the entry's hash is, whatever its player is called by now."""
        return entry["actor"] if isinstance(entry, dict) else entry.actor_name


class Entry(_Written):
    """One entry of the record. `at` is in game time, `recorded_at` in wall time; `actor` is the
    name by which the player went then, of which the hash is.

    A private act's receipt has no `seq`: its place in the sealed book is nobody's to know.
    """

    seq: int | None
    kind: Literal["action", "event", "officer", "system"]
    prev_hash: str | None
    anchors: dict[str, str]
    sealed: Commitment | None = None
    receipt: Receipt | None = None

    # Without the type that it returns, the document tells the fields as they are declared.
    @model_serializer(mode="wrap")
    def _as_told(self, serialize: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]
        """The entry; what is told to its actor alone is left out where it is not told."""
        fields = serialize(self)
        for name in ("sealed", "receipt"):
            if fields[name] is None:
                del fields[name]
        return fields


class OpenedEntry(_Written):
    """A private act after its disclosure in the entry `opened_in`: its `number` in the sealed
    `book` of that name, with its `tag`.

    `after` is the number of the public entry before it.
    """

    book: str
    number: int
    tag: str
    after: int
    salt: str
    prev_hash: str
    opened_in: int
